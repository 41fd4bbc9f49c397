package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/util"
)

// maxEntity is the length of the longest entity that is resolved.
const maxEntity = 34

// unescape resolves backslash escapes and entities. Entities that stand for anything
// but visible characters stay as they are written, so that they cannot bring back what
// was removed from the text.
func unescape(v []byte) string {
	if bytes.IndexByte(v, '\\') < 0 && bytes.IndexByte(v, '&') < 0 {
		return string(v)
	}
	var b strings.Builder
	for i := 0; i < len(v); {
		switch {
		case v[i] == '\\' && i+1 < len(v) && util.IsPunct(v[i+1]):
			b.WriteByte(v[i+1])
			i += 2
			continue
		case v[i] == '&':
			if s, n := entity(v[i:]); n > 0 {
				b.WriteString(s)
				i += n
				continue
			}
		}
		b.WriteByte(v[i])
		i++
	}
	return b.String()
}

// entity returns what the entity at the start of v stands for, and its length; 0 if
// there is none to resolve.
func entity(v []byte) (string, int) {
	end := bytes.IndexByte(v[:min(len(v), maxEntity)], ';')
	if end < 2 {
		return "", 0
	}
	name := string(v[1:end])
	s := ""
	if name[0] == '#' {
		s = numeric(name[1:])
	} else if e, ok := util.LookUpHTML5EntityByName(name); ok {
		s = string(e.Characters)
	}
	s = strings.Map(visible, s)
	if s == "" || strings.ContainsRune(s, unicode.ReplacementChar) {
		return "", 0
	}
	return s, end + 1
}

// numeric returns the character of a numeric entity; "" if it is invalid.
func numeric(digits string) string {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if err != nil || n > unicode.MaxRune {
		return ""
	}
	return string(rune(n))
}

// visible maps blanks of any kind to a space, and characters that are invisible or
// combine with others to U+FFFD.
func visible(r rune) rune {
	switch {
	case unicode.Is(unicode.Zs, r):
		return ' '
	case !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point):
		return unicode.ReplacementChar
	}
	return r
}
