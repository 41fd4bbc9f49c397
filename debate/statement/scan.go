package statement

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"roundtable/internal/text"
)

// Limits of what is read as JSON; what goes beyond them is prose.
const (
	maxJSONDepth = 12
	maxJSONName  = 100
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
				s.at = len(s.text)
				return true, true
			} else if end < 0 {
				return false, false
			}
			s.setName(name, end)
		default:
			if !s.readText() {
				return true, true
			}
		}
	}
}

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

func (s *jsonScanner) endsInName(i int) bool {
	if len(s.text)-i >= maxJSONName {
		return false
	}
	rest := strings.TrimLeft(s.text[i:], `"'“`)
	end := strings.TrimLeftFunc(rest, isNameRune)
	*s.work -= len(s.text) - i
	return strings.Trim(strings.TrimSpace(end), `"'”`) == ""
}

// cutMember returns the member of the outermost object in which the text ends; "" between two.
func (s *jsonScanner) cutMember() string {
	if len(s.levels) > 1 || s.top().named {
		return s.levels[0].name
	}
	return ""
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
	var n int
	if open, closing := quoteAt(rest); open != "" {
		n = strings.Index(rest[len(open):], closing)
		if *s.work -= n; n < 0 {
			*s.work -= len(rest)
		}
		if n < 0 || strings.ContainsAny(rest[:len(open)+n], "\n\\") {
			return "", -1
		}
		name = rest[len(open) : len(open)+n]
		n += len(open) + len(closing)
	} else {
		n = len(rest) - len(strings.TrimLeftFunc(rest, isNameRune))
		*s.work -= n
		if name = strings.TrimSpace(rest[:n]); name == "" || unicode.IsDigit(rune(name[0])) {
			return "", -1
		}
	}
	if end = s.skipSpace(i + n); end >= len(s.text) || s.text[end] != ':' {
		return "", -1
	}
	return name, end + 1
}

func quoteAt(text string) (open, closing string) {
	switch {
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "'"):
		return text[:1], text[:1]
	case strings.HasPrefix(text, "“"):
		return "“", "”"
	}
	return "", ""
}

// readText reads a text, or a word without quotes; false if the text ends before it does.
func (s *jsonScanner) readText() bool {
	open, closing := quoteAt(s.text[s.at:])
	from := s.at + len(open)
	end := s.textEnd(from, closing)
	if end < 0 {
		s.at = len(s.text)
		return false
	}
	raw := s.text[from:end]
	s.at = end + len(closing)
	word := strings.TrimSpace(raw)
	*s.work -= len(raw)
	switch {
	case open == "" && wordsOfPython[word] != "":
		s.write(wordsOfPython[word])
	case open == "" && json.Valid([]byte(word)):
		s.write(word)
	case open == "" && word == "":
		s.write("null")
	case open == "":
		s.write(quoteJSON(word))
	default:
		s.write(strictJSON(raw))
	}
	return true
}

var wordsOfPython = map[string]string{"True": "true", "False": "false", "None": "null"}

// textEnd returns where a text ends: at the first quote after which the object can go
// on. Without a quote it is the first comma, bracket or line end of that kind.
func (s *jsonScanner) textEnd(from int, closing string) int {
	for i := from; i < len(s.text) && *s.work >= 0; i++ {
		*s.work--
		switch c := s.text[i]; {
		case c == '\\' && closing != "":
			i++
		case closing != "" && strings.HasPrefix(s.text[i:], closing) && s.endsValue(i+len(closing), false),
			closing == "" && strings.IndexByte(",}]\n/", c) >= 0 && s.endsValue(i, true):
			return i
		}
	}
	if closing == "" && s.closed && *s.work >= 0 {
		return len(s.text)
	}
	return -1
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

// escapedInJSON matches the escapes in a text, and the characters that JSON requires to be escaped.
var escapedInJSON = text.Regexp(`\\["\\/bfnrt']|\\u[0-9a-fA-F]{4}|[\x00-\x1f"\\]`)

// strictJSON returns the content of a quoted text as a valid JSON string.
func strictJSON(raw string) string {
	return `"` + escapedInJSON().ReplaceAllStringFunc(raw, func(found string) string {
		if found == `\'` {
			return "'"
		} else if len(found) > 1 {
			return found
		}
		quoted := quoteJSON(found)
		return quoted[1 : len(quoted)-1]
	}) + `"`
}

func quoteJSON(s string) string {
	out, _ := json.Marshal(s) // a string can always be encoded
	return string(out)
}

func (s *jsonScanner) repaired() string {
	for len(s.levels) > 0 {
		s.closeLevel()
	}
	return s.out.String()
}
