package statement

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Limits of what is read as JSON; what goes beyond them is prose.
const (
	maxJSONDepth = 12
	maxJSONName  = 100
)

// scanner reads one object or list that may break the rules of JSON, and writes it as JSON:
// its texts with escapes, and with commas and closing brackets where they belong.
type scanner struct {
	text   string
	at     int
	closed bool // a fence ends the text, so that its last word is whole
	work   *int // how many bytes may still be looked at
	levels []level
	named  bool // it has one of the names that count
	names  []string
	out    strings.Builder
	cut    []string // path of the member in which the text ends
}

type level struct {
	bracket byte
	name    string // of the last member
	named   bool   // its value comes next
	filled  bool   // something is in it
}

// scan reads the value that begins with a bracket at s.at. It is cut off if the text ends
// before it does; ok is false if it is no object or list.
func (s *scanner) scan() (cutOff, ok bool) {
	for {
		s.at = s.skipSpace(s.at)
		if s.at >= len(s.text) || *s.work < 0 {
			return s.cutHere()
		}
		*s.work--
		c := s.text[s.at]
		switch top := s.top(); {
		case c == '{' || c == '[':
			if top.bracket == '{' && !top.named || len(s.levels) == maxJSONDepth {
				return false, false
			}
			s.write(string(c))
			s.levels = append(s.levels, level{bracket: c})
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
				return s.cutHere()
			} else if end < 0 {
				return false, false
			}
			s.write(quoteJSON(name) + ":")
			s.top().name, s.top().named = name, true
			s.named = s.named || slices.Contains(s.names, strings.ToLower(name))
			s.at = end
		default:
			if !s.readValue() {
				return s.cutHere()
			}
		}
	}
}

func (s *scanner) cutHere() (cutOff, ok bool) {
	s.at = len(s.text)
	for i, l := range s.levels {
		if s.cut = append(s.cut, ""); l.named || i < len(s.levels)-1 {
			s.cut[i] = l.name
		}
	}
	return true, true
}

func (s *scanner) top() *level {
	if len(s.levels) == 0 {
		return &level{}
	}
	return &s.levels[len(s.levels)-1]
}

// write writes a value, or a name, after a comma if it needs one.
func (s *scanner) write(word string) {
	top := s.top()
	if top.filled && !top.named {
		s.out.WriteByte(',')
	}
	s.out.WriteString(word)
	top.filled, top.named = true, false
}

func (s *scanner) endMember() {
	if s.top().named {
		s.write("null")
	}
}

func (s *scanner) closeLevel() {
	s.endMember()
	s.out.WriteByte(s.top().bracket + 2)
	s.levels = s.levels[:len(s.levels)-1]
}

func (s *scanner) skipSpace(i int) int {
	for ; i < len(s.text) && strings.IndexByte(" \t\r\n", s.text[i]) >= 0; i++ {
		*s.work--
	}
	return i
}

// nameAt reads the name of a member and its colon. The end is -1 without one.
func (s *scanner) nameAt(i int) (name string, end int) {
	rest := s.text[i:min(len(s.text), i+maxJSONName)]
	if rest[0] != '"' && rest[0] != '\'' {
		return "", -1
	}
	name, _, found := strings.Cut(rest[1:], rest[:1])
	*s.work -= len(name)
	if !found || strings.ContainsAny(name, "\n\\") {
		return "", -1
	}
	if end = s.skipSpace(i + len(name) + 2); end >= len(s.text) || s.text[end] != ':' {
		return "", -1
	}
	return name, end + 1
}

// endsInName reports whether a text ends within what may become a name.
func (s *scanner) endsInName(i int) bool {
	rest := s.text[i:]
	if len(rest) >= maxJSONName || rest[0] != '"' && rest[0] != '\'' {
		return false
	}
	*s.work -= len(rest)
	return !strings.ContainsAny(strings.TrimRight(rest[1:], rest[:1]+" \t\r\n"), "\"',:{}[]\n")
}

// readValue reads a text, or a word without quotes; false if the text ends before it does.
func (s *scanner) readValue() bool {
	quote := s.text[s.at : s.at+1]
	if quote != `"` && quote != "'" {
		return s.readWord()
	}
	from := s.at + 1
	for i := from; i < len(s.text) && *s.work >= 0; i++ {
		*s.work--
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == quote[0] && s.endsValue(i+1):
			s.at = i + 1
			s.write(strictJSON(s.text[from:i], quote))
			*s.work -= i - from
			return true
		}
	}
	return false
}

// endsValue reports whether the object can go on at i, so that a quote before that ends a text.
func (s *scanner) endsValue(i int) bool {
	i = s.skipSpace(i)
	comma := false
	for i < len(s.text) && s.text[i] == ',' && *s.work >= 0 {
		*s.work--
		i, comma = s.skipSpace(i+1), true
	}
	switch {
	case i >= len(s.text):
		return true
	case s.top().bracket == '[':
		return s.text[i] == ']' || comma && strings.IndexByte(`"'[{-0123456789tfn`, s.text[i]) >= 0
	case s.text[i] == '}':
		return true
	}
	_, end := s.nameAt(i)
	return end >= 0 || s.endsInName(i)
}

var wordsOfPython = map[string]string{"True": "true", "False": "false", "None": "null"}

func (s *scanner) readWord() bool {
	n := strings.IndexAny(s.text[s.at:], ",}]\n")
	if n < 0 && !s.closed {
		*s.work -= len(s.text) - s.at
		return false
	} else if n < 0 {
		n = len(s.text) - s.at
	}
	*s.work -= n
	word := strings.TrimSpace(s.text[s.at : s.at+n])
	s.at += n
	switch {
	case wordsOfPython[word] != "":
		word = wordsOfPython[word]
	case !json.Valid([]byte(word)):
		word = quoteJSON(word)
	}
	s.write(word)
	return true
}

// strictJSON writes a text between quotes as JSON; null if the quotes in it do not come in pairs.
func strictJSON(raw, quote string) string {
	raw = strings.ReplaceAll(raw, `\'`, "'")
	var out strings.Builder
	quotes := 0
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		escape := raw[i:min(len(raw), i+2)]
		if strings.HasPrefix(escape, `\u`) {
			escape = raw[i:min(len(raw), i+6)]
		}
		switch {
		case c == '\\' && json.Valid([]byte(`"`+escape+`"`)):
			out.WriteString(escape)
			i += len(escape) - 1
		case c == '"' || c == '\\':
			out.WriteString(`\` + string(c))
			if c == '"' && quote == `"` {
				quotes++
			}
		case c < ' ':
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			out.WriteByte(c)
		}
	}
	if quotes%2 == 1 {
		return "null"
	}
	return `"` + out.String() + `"`
}

func quoteJSON(s string) string {
	out, _ := json.Marshal(s) // a string can always be encoded
	return string(out)
}

func (s *scanner) repaired() string {
	for len(s.levels) > 0 {
		s.closeLevel()
	}
	return s.out.String()
}
