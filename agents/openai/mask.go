package openai

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	masked = "[key]"
	// minSecret is the length of the shortest secret. Shorter ones are
	// placeholders such as "ollama", which are words too.
	minSecret = 8
	// maxQuote is how many characters of a server's words go into a sentence.
	maxQuote = 200
)

// masker replaces secrets in foreign text: the key and the configured headers.
// It finds them as they are and URL-encoded.
//
// It holds functions only, so that formatting it does not show a secret.
type masker struct {
	inError  func(string) string              // replaces all secrets
	inAnswer func(string) string              // leaves headers alone that are not credentials
	inStream func(string) (free, held string) // see streamMasker
}

func newMasker(key string, headers map[string]Secret) masker {
	credentials := []string{key}
	all := []string{key}
	for _, name := range sortedKeys(headers) {
		value := headers[name].value()
		all = append(all, value)
		if isCredential(name) {
			credentials = append(append(credentials, value), strings.Fields(value)...) // "Bearer KEY"
		}
	}
	everything, answers := secretForms(append(all, credentials...)), secretForms(credentials)
	return masker{
		inError:  replacer(everything),
		inAnswer: replacer(answers),
		inStream: func(s string) (string, string) { return maskPart(s, answers) },
	}
}

func isCredential(header string) bool {
	name := strings.ToLower(header)
	return name == "authorization" || name == "cookie" ||
		strings.Contains(name, "key") || strings.Contains(name, "token") || strings.Contains(name, "secret")
}

// secretForms returns the forms in which secrets may appear. A longer one comes
// before a shorter one, which may be a part of it.
func secretForms(secrets []string) []string {
	var forms []string
	for _, s := range secrets {
		if len(s) >= minSecret {
			forms = append(forms, s, url.QueryEscape(s), url.PathEscape(s), lowerEscapes(url.QueryEscape(s)))
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return forms
}

func replacer(forms []string) func(string) string {
	var pairs []string
	for _, f := range forms {
		pairs = append(pairs, f, masked)
	}
	return strings.NewReplacer(pairs...).Replace
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

// maskPart replaces secrets in a partial stream. It returns separately what may be the
// beginning of another one. The longest secret comes first.
func maskPart(s string, secrets []string) (free, held string) {
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

// quote returns what a server said, masked and fit for a quotation within a
// sentence. It has no marks that would end the quotation, the parenthesis or the
// part of a line that contains it.
func (m masker) quote(s string) string { return unmarked.Replace(clean(m.inError(s), maxQuote)) }

var unmarked = strings.NewReplacer(
	`"`, "'", "\u201c", "'", "\u201d", "'", "\u201e", "'", "\u201f", "'", "\u00ab", "'", "\u00bb", "'",
	"\uff02", "'", "\u301d", "'", "\u301e", "'", "\u301f", "'",
	"(", "[", ")", "]", "\uff08", "[", "\uff09", "]",
	"\u00b7", "-", "\u2022", "-", "\u2219", "-", "\u22c5", "-", "\u30fb", "-", "\u2027", "-",
)

func (m masker) json(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	return json.RawMessage(m.inAnswer(string(raw)))
}

// clean makes foreign text fit for a sentence: valid UTF-8, one line, at most
// most characters. It does not make it safe to show on a screen.
func clean(s string, most int) string {
	s = strings.ToValidUTF8(s[:min(len(s), 64<<10)], "\uFFFD")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}

// streamMasker masks the text of an answer that arrives in pieces. It holds back
// an end that may be the beginning of a secret.
type streamMasker struct {
	mask masker
	held string
}

func (m *streamMasker) add(s string) string {
	if s == "" {
		return ""
	}
	s, m.held = m.mask.inStream(m.held + s)
	return s
}

func (m *streamMasker) flush() string {
	s := m.held
	m.held = ""
	return s
}
