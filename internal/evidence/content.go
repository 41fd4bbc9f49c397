package evidence

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"roundtable/internal/text"
)

// decode returns what was read as text in UTF-8 whose lines end with \n, and a sentence
// about what was changed for that; "" if nothing was.
func decode(name string, raw []byte) (content, note string, err error) {
	var changes []string
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(raw, []byte{0, 0, 0xfe, 0xff}):
		return "", "", &Refusal{Name: name, Reason: "is UTF-32", Advice: "Convert it to UTF-8 first."}
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}), bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		wide, ok := fromUTF16(raw)
		if !ok {
			return "", "", &Refusal{Name: name, Reason: "begins like UTF-16 and is not valid UTF-16", Advice: "Convert it to UTF-8 first."}
		}
		raw, changes = wide, append(changes, "converted from UTF-16")
	case bytes.HasPrefix(raw, []byte{0xef, 0xbb, 0xbf}):
		raw, changes = raw[3:], append(changes, "without its byte order mark")
	}
	if err := checkText(name, raw); err != nil {
		return "", "", err
	}
	if bytes.Contains(raw, []byte("\r\n")) || bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') >= 0 {
		raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
		changes = append(changes, "CRLF line ends are LF")
	}
	if bytes.IndexByte(raw, '\r') >= 0 { // alone it ends no line where others do
		with := "␍"
		if bytes.IndexByte(raw, '\n') < 0 {
			with = "\n"
		}
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte(with))
	}
	content = string(raw)
	if plain, how := plainDiff(name, content); how != "" {
		content, changes = plain, append(changes, how)
	}
	if len(changes) > 0 {
		note = text.Sentence(text.Capitalize(strings.Join(changes, "; ")))
	}
	return content, note, nil
}

// fromUTF16 converts text with a byte order mark.
func fromUTF16(raw []byte) ([]byte, bool) {
	if len(raw)%2 != 0 {
		return nil, false
	}
	high, low := 0, 1
	if raw[0] == 0xff {
		high, low = 1, 0
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i < len(raw); i += 2 {
		units = append(units, uint16(raw[i+high])<<8|uint16(raw[i+low]))
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			if i+1 == len(units) {
				return nil, false
			}
			if r = utf16.DecodeRune(r, rune(units[i+1])); r == utf8.RuneError {
				return nil, false
			}
			i++
		}
		out = utf8.AppendRune(out, r)
	}
	return out, true
}

// checkText refuses what is no text in UTF-8, or is empty.
func checkText(name string, raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return &Refusal{Name: name, Reason: "is empty", Advice: "Name a file that holds text."}
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return &Refusal{Name: name, Reason: "is binary", Advice: "Name a text file, or convert it to text first."}
	}
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size == 1 {
			return &Refusal{
				Name: name, Reason: fmt.Sprintf("is not UTF-8: byte 0x%02x in line %d", raw[at], bytes.Count(raw[:at], []byte("\n"))+1),
				Advice: "Convert it to UTF-8 first, for instance with iconv.",
			}
		}
		at += size
	}
	return nil
}
