package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// minValue is the length of the shortest value that is masked. Shorter ones, such as
// "ollama" for a server without keys, are words too.
const minValue = 8

// Values masks values that are known to be secret: as they are, in another case, and in the forms
// in which servers send back what they were sent: URL-encoded, as in JSON or HTML, in hexadecimal
// and in base64, also within a longer text.
//
// It holds a function only, so that formatting it does not show a secret.
type Values struct {
	mark  string
	forms func() []string // the longest first, since a shorter one may be a part of it
}

// NewValues returns what replaces the values by a mark.
func NewValues(mark string, values []string) Values {
	var forms []string
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) < minValue {
			continue
		}
		query, quoted, digits := url.QueryEscape(v), inJSON(v, false), hex.EncodeToString([]byte(v))
		forms = append(forms, v, strings.ToLower(v), strings.ToUpper(v), strings.Map(otherCase, v), inJSON(v, true), quoted,
			strings.ReplaceAll(quoted, "/", `\/`), query, lowerEscapes(query), url.PathEscape(v), html.EscapeString(v),
			digits, strings.ToUpper(digits))
		for before := range 3 { // so many bytes of what comes before are in the same four characters
			text := append(make([]byte, before), v...)
			from, to := []int{0, 2, 3}[before], len(text)*4/3 // what comes after is in the last character, too
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
				encoded := enc.EncodeToString(text)
				forms = append(forms, encoded[from:], strings.TrimRight(encoded[from:], "="), encoded[from:to])
			}
		}
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return Values{mark, func() []string { return forms }}
}

func otherCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

func inJSON(s string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	_ = e.Encode(s) // a string always has a form
	quoted := strings.TrimSpace(b.String())
	return quoted[1 : len(quoted)-1]
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

// Mask replaces the values in a text.
func (v Values) Mask(text string) string {
	for _, form := range v.forms() {
		text = strings.ReplaceAll(text, form, v.mark)
	}
	return text
}

// Stream masks text that comes in pieces. It holds back an end that may be the beginning of
// a value.
type Stream struct{ held string }

// Add returns what can be shown after a piece.
func (s *Stream) Add(v Values, piece string) string {
	text, out, done := s.held+piece, "", 0
	s.held = ""
	for i := 0; i < len(text); i++ {
		switch n := v.at(text[i:]); {
		case n > len(text)-i:
			s.held = text[i:]
			return out + text[done:i]
		case n > 0:
			out += text[done:i] + v.mark
			done = i + n
			i = done - 1
		}
	}
	return out + text[done:]
}

// at returns the length of the value that begins a text, or whose beginning the text is;
// 0 without one.
func (v Values) at(text string) int {
	for _, form := range v.forms() {
		if form[0] == text[0] && (strings.HasPrefix(text, form) || strings.HasPrefix(form, text)) {
			return len(form)
		}
	}
	return 0
}

// Flush returns what was held back.
func (s *Stream) Flush(v Values) string {
	held := v.Mask(s.held)
	s.held = ""
	return held
}
