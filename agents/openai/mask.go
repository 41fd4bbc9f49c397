package openai

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	masked = "[key]"
	// Shorter secrets are placeholders such as "ollama", which are words too.
	leastSecret     = 8
	leastInAnswers  = 16
	serverTextRunes = 200 // how much of a server's words goes into a sentence
)

// masker takes secrets out of foreign text: as they are, URL-encoded, and
// within anything encoded in base64.
//
// It holds functions only: how they are formatted tells nothing of a secret.
type masker struct {
	replace func(string) string
	part    func(string) (free, held string) // see holdBack
}

func newMasker(secrets []string) masker {
	var needles []string
	for _, s := range secrets {
		if len(s) >= leastSecret {
			needles = append(needles, s, url.QueryEscape(s), url.PathEscape(s), lowerEscapes(url.QueryEscape(s)))
			needles = append(needles, base64Cores(s)...)
		}
	}
	// The longest first: a shorter one may be a part of it.
	slices.SortFunc(needles, func(a, b string) int { return len(b) - len(a) })
	needles = slices.Compact(needles)
	var pairs, long []string
	for _, n := range needles {
		pairs = append(pairs, n, masked)
		if len(n) >= leastInAnswers {
			long = append(long, n)
		}
	}
	return masker{strings.NewReplacer(pairs...).Replace, func(s string) (string, string) { return part(s, long) }}
}

// part takes secrets out of a text that goes on, and returns apart what may be
// the beginning of another one. The longest secret comes first.
func part(s string, secrets []string) (free, held string) {
	if len(secrets) == 0 {
		return s, ""
	}
	longest, shortest := len(secrets[0]), len(secrets[len(secrets)-1])
	if len(s) >= shortest {
		for _, secret := range secrets {
			s = strings.ReplaceAll(s, secret, masked)
		}
	}
	for from := max(0, len(s)-longest+1); from < len(s); from++ {
		for _, secret := range secrets {
			if secret[0] == s[from] && strings.HasPrefix(secret, s[from:]) {
				return s[:from], s[from:]
			}
		}
	}
	return s, ""
}

// secrets lists what must never be shown: the key, and the configured headers.
func secrets(key string, headers map[string]Secret) []string {
	out := []string{key}
	for _, name := range sortedKeys(headers) {
		value := headers[name].value()
		out = append(out, value)
		out = append(out, strings.Fields(value)...) // "Bearer KEY"
	}
	return out
}

// base64Cores returns what a secret becomes inside a longer text in base64. It
// begins at one of three offsets; the characters its neighbours share in are
// left out.
func base64Cores(secret string) []string {
	var cores []string
	for offset := range 3 {
		padded := append(make([]byte, offset), secret...)
		whole := len(padded) / 3 * 3
		first := (offset*8 + 5) / 6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			core := enc.EncodeToString(padded[:whole])[first:]
			if len(core) >= leastSecret {
				cores = append(cores, core)
			}
		}
	}
	return cores
}

func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// clean makes foreign text fit into a sentence: valid UTF-8, one line, at most
// so many characters. What is safe to show on a screen is decided there.
func clean(s string, most int) string {
	s = strings.ToValidUTF8(s[:min(len(s), 64<<10)], "\uFFFD")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}

// words is clean for what a server said, without any secret in it.
func (m masker) words(s string) string { return clean(m.replace(s), serverTextRunes) }

// json is JSON without any secret in it, or nil as it was.
func (m masker) json(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	return json.RawMessage(m.replace(string(raw)))
}

// holdBack finds secrets in a text that arrives in pieces. It keeps back the end
// of what may be the beginning of one.
type holdBack struct {
	mask masker
	held string
}

// add returns what of the text so far is free of secrets and not given yet.
func (h *holdBack) add(s string) string {
	if s == "" {
		return ""
	}
	s, h.held = h.mask.part(h.held + s)
	return s
}

// rest returns what was kept back when no more comes.
func (h *holdBack) rest() string {
	s := h.held
	h.held = ""
	return s
}
