package acp

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

const (
	masked = "[key]"
	// minSecret is the length of the shortest value that is masked. Shorter ones are words
	// too.
	minSecret = 8
)

// masker replaces the values of Config.EnvAdd in what an agent sends. It holds a function
// only, so that formatting it does not show a secret.
type masker struct {
	forms func() []string // in which a secret may appear, the longest first
}

func newMasker(values []string) masker {
	var forms []string
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) < minSecret {
			continue
		}
		quoted := encoded(v) // as in JSON
		html, _ := json.Marshal(v)
		forms = append(forms, v, quoted[1:len(quoted)-1], string(html[1:len(html)-1]), url.QueryEscape(v), url.PathEscape(v))
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return masker{func() []string { return forms }}
}

func (m masker) all(s string) string {
	for _, secret := range m.forms() {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return s
}

// streamMasker masks text that comes in pieces. It holds back an end that may be the
// beginning of a secret.
type streamMasker struct{ held string }

func (h *streamMasker) add(m masker, s string) string {
	s = m.all(h.held + s)
	h.held = ""
	forms := m.forms()
	if len(forms) == 0 {
		return s
	}
	for from := max(0, len(s)-len(forms[0])+1); from < len(s); from++ {
		if slices.ContainsFunc(forms, func(secret string) bool { return strings.HasPrefix(secret, s[from:]) }) {
			h.held = s[from:]
			return s[:from]
		}
	}
	return s
}

func (h *streamMasker) flush() string {
	s := h.held
	h.held = ""
	return s
}
