package openai

import (
	"encoding/json"
	"strings"
	"unicode"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

const (
	masked = "[key]"
	// maxQuote is how many characters of a server's words go into a sentence.
	maxQuote = 200
)

// masker replaces secrets in foreign text: the key and the configured headers.
type masker struct {
	errors  secret.Values
	answers secret.Values // without headers that are not credentials
}

func newMasker(key string, headers map[string]Secret) masker {
	credentials := []string{key}
	var all []string
	for name, header := range headers {
		value := header.value()
		all = append(all, value)
		if secret.Setting(name) {
			credentials = append(append(credentials, value), strings.Fields(value)...) // "Bearer KEY"
		}
	}
	return masker{errors: secret.NewValues(masked, append(all, credentials...)), answers: secret.NewValues(masked, credentials)}
}

// quote returns what a server said, masked and fit for a quotation within a
// sentence. It has no marks that would end the quotation, the parenthesis or the
// part of a line that contains it.
func (m masker) quote(s string) string { return unmarked.Replace(clean(m.errors.Mask(s), maxQuote)) }

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
	return json.RawMessage(m.answers.Mask(string(raw)))
}

// name returns the name of a model for a list. Of an escape sequence something is left, so that a name
// with one is not taken for the name without it.
func (m masker) name(s string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, m.answers.Mask(s))
	return clean(visible, maxQuote)
}

// clean makes foreign text fit for a sentence: safe, one line, at most most characters.
func clean(s string, most int) string {
	return text.Clip(strings.Join(strings.Fields(text.Line(s[:min(len(s), 64<<10)])), " "), most)
}
