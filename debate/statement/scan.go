package statement

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Limits of what is read as JSON; what goes beyond them is prose.
const (
	maxJSONDepth = 12
	maxJSONName  = 100
	quotes       = `"'`
)

// jsonScanner reads one object or list that may break the rules of JSON, and writes it as
// JSON: with commas and closing brackets where they belong, and without comments.
type jsonScanner struct {
	text   string
	from   int // offset of the first bracket
	at     int
	closed bool // a fence ends the text, so that its last word is whole
	work   *int // how many bytes may still be looked at
	levels []jsonLevel
	names  []string        // that count
	named  int             // how many of them were read
	out    strings.Builder // what was read, as JSON
	cut    []string        // path of the member in which the text ends
}

type jsonLevel struct {
	bracket byte
	name    string // of the last member
	named   bool   // its value comes next
	filled  bool   // something is in it
}

// scan reads the value that begins with a bracket at s.at. It is cut off if the text ends
// before it does; ok is false if it is no object or list.
func (s *jsonScanner) scan() (cutOff, ok bool) {
	for {
		s.at = s.skipSpace(s.at)
		if s.at >= len(s.text) || *s.work < 0 {
			s.cut = s.path()
			return true, true
		}
		*s.work--
		c := s.text[s.at]
		switch top := s.top(); {
		case c == '{' || c == '[':
			if top.bracket == '{' && !top.named || len(s.levels) == maxJSONDepth {
				return false, false
			}
			s.write(string(c))
			s.levels = append(s.levels, jsonLevel{bracket: c})
			s.at++
		case c == '}' || c == ']':
			if top.bracket != c-2 { // the opening bracket is two before the closing one
				return false, false
			}
			s.closeLevel()
			s.at++
			if len(s.levels) == 0 {
				return false, true
			}
		case c == ',':
			s.endMember()
			s.at++
		case top.bracket == '{' && !top.named:
			name, end := s.nameAt(s.at)
			if end < 0 && s.endsInName(s.at) {
				s.cut, s.at = s.path(), len(s.text)
				return true, true
			} else if end < 0 {
				return false, false
			}
			s.setName(name, end)
		default:
			if !s.readText() {
				s.cut = s.path()
				return true, true
			}
		}
	}
}

// top returns the innermost level; it is empty before the first bracket.
func (s *jsonScanner) top() *jsonLevel {
	if len(s.levels) == 0 {
		return &jsonLevel{}
	}
	return &s.levels[len(s.levels)-1]
}

// write writes a value, or a name, after a comma if it needs one.
func (s *jsonScanner) write(word string) {
	top := s.top()
	if top.filled && !top.named {
		s.out.WriteByte(',')
	}
	s.out.WriteString(word)
	top.filled, top.named = true, false
}

// endMember gives a name without a value null.
func (s *jsonScanner) endMember() {
	if s.top().named {
		s.write("null")
	}
}

func (s *jsonScanner) closeLevel() {
	s.endMember()
	s.out.WriteByte(s.top().bracket + 2)
	s.levels = s.levels[:len(s.levels)-1]
}

func (s *jsonScanner) setName(name string, end int) {
	s.write(quoteJSON(name) + ":")
	top := s.top()
	top.name, top.named = name, true
	if slices.Contains(s.names, strings.ToLower(name)) {
		s.named++
	}
	*s.work -= end - s.at
	s.at = end
}

// endsInName reports whether the text ends in what may become a name, at offset i.
func (s *jsonScanner) endsInName(i int) bool {
	head := s.text[i:min(len(s.text), i+maxJSONName)]
	*s.work -= len(head)
	rest := strings.TrimLeftFunc(strings.TrimLeft(head, quotes), isNameRune)
	return strings.Trim(strings.TrimSpace(rest), quotes) == "" && s.skipSpace(i+len(head)) == len(s.text)
}

// path returns the names of the members that are being read, one for each level; "" for
// a list and between members.
func (s *jsonScanner) path() []string {
	var out []string
	for i, l := range s.levels {
		if out = append(out, ""); l.named || i < len(s.levels)-1 {
			out[i] = l.name
		}
	}
	return out
}

// skipSpace returns the offset after white space and comments.
func (s *jsonScanner) skipSpace(i int) int {
	from := i
loop:
	for i < len(s.text) {
		rest := s.text[i:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			i++
		case strings.HasPrefix(rest, "//"):
			i += endAfter(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += endAfter(rest, "*/")
		default:
			break loop
		}
	}
	*s.work -= i - from
	return i
}

func endAfter(text, mark string) int {
	if n := strings.Index(text, mark); n >= 0 {
		return n + len(mark)
	}
	return len(text)
}

func isNameRune(r rune) bool {
	return r == '_' || r == '-' || r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// nameAt reads the name of a member and its colon. The end is -1 without one.
func (s *jsonScanner) nameAt(i int) (name string, end int) {
	rest := s.text[i:min(len(s.text), i+maxJSONName)]
	n := len(rest) - len(strings.TrimLeftFunc(rest, isNameRune))
	if rest != "" && strings.IndexByte(quotes, rest[0]) >= 0 {
		n = 2 + strings.IndexByte(rest[1:], rest[0])
		if n < 2 || strings.ContainsAny(rest[:n], "\n\\") {
			*s.work -= len(rest)
			return "", -1
		}
		name = rest[1 : n-1]
	} else if name = strings.TrimSpace(rest[:n]); name == "" || unicode.IsDigit(rune(name[0])) {
		return "", -1
	}
	*s.work -= n
	if end = s.skipSpace(i + n); end >= len(s.text) || s.text[end] != ':' {
		return "", -1
	}
	return name, end + 1
}

// readText reads a text, or a word without quotes. It returns false if the text ends
// before it does.
func (s *jsonScanner) readText() bool {
	quote := s.text[s.at]
	if strings.IndexByte(quotes, quote) < 0 {
		return s.readWord()
	}
	for i := s.at + 1; i < len(s.text) && *s.work >= 0; i++ {
		*s.work--
		switch {
		case s.text[i] == '\\':
			i++
		case s.text[i] == quote && s.endsValue(i+1, false):
			raw := s.text[s.at+1 : i]
			*s.work -= len(raw)
			s.at = i + 1
			s.write(strictJSON(raw))
			return true
		}
	}
	s.at = len(s.text)
	return false
}

var wordsOfPython = map[string]string{"True": "true", "False": "false", "None": "null"}

// readWord reads a word without quotes, up to the first comma, bracket, comment or line
// end after which the object can go on.
func (s *jsonScanner) readWord() bool {
	end := s.at
	for end < len(s.text) && *s.work >= 0 && !(strings.IndexByte(",}]\n/", s.text[end]) >= 0 && s.endsValue(end, true)) {
		*s.work--
		end++
	}
	word := strings.TrimSpace(s.text[s.at:end])
	*s.work -= end - s.at
	s.at = end
	if end == len(s.text) && !s.closed || *s.work < 0 {
		s.at = len(s.text)
		return false
	}
	switch {
	case wordsOfPython[word] != "":
		word = wordsOfPython[word]
	case !json.Valid([]byte(word)):
		word = quoteJSON(word)
	}
	s.write(word)
	return true
}

// endsValue reports whether a comma or a closing bracket follows at offset i.
func (s *jsonScanner) endsValue(i int, bare bool) bool {
	if i = s.skipSpace(i); i >= len(s.text) {
		return !bare
	}
	c := s.text[i]
	comma := c == ','
	for i < len(s.text) && s.text[i] == ',' && *s.work >= 0 {
		*s.work--
		i = s.skipSpace(i + 1)
	}
	if i >= len(s.text) {
		return true
	}
	if s.top().bracket == '[' {
		return s.text[i] == ']' || comma && (bare || strings.IndexByte(`"'[{-0123456789tfn`, s.text[i]) >= 0)
	}
	if s.text[i] == '}' {
		return true
	}
	_, end := s.nameAt(i)
	return end >= 0 || s.endsInName(i)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// strictJSON encodes the text between quotes as a JSON string.
func strictJSON(raw string) string {
	var out strings.Builder
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && strings.HasPrefix(raw[i+1:], "'"): // it needs no escape
		case c == '\\' && (i+1 < len(raw) && strings.IndexByte(`"\/bfnrt`, raw[i+1]) >= 0 || unicodeEscape(raw[i:])):
			out.WriteString(raw[i : i+2])
			i++
		case c == '"' || c == '\\':
			out.WriteString(`\` + string(c))
		case c < ' ':
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			out.WriteByte(c)
		}
	}
	return `"` + out.String() + `"`
}

func unicodeEscape(text string) bool {
	return len(text) >= 6 && text[1] == 'u' && json.Valid([]byte(`"`+text[:6]+`"`))
}

func quoteJSON(s string) string {
	out, _ := json.Marshal(s) // a string can always be encoded
	return string(out)
}

// repaired returns what was scanned as JSON, also if it has no end.
func (s *jsonScanner) repaired() string {
	for len(s.levels) > 0 {
		s.closeLevel()
	}
	return s.out.String()
}
