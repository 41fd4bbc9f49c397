package evidence

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns what was read as text in UTF-8 whose lines end with \n, and a sentence
// about what was changed for that; "" if nothing was.
func decode(name string, raw []byte) (content, note string, err error) {
	var changes []string
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(raw, []byte{0, 0, 0xfe, 0xff}):
		return "", "", &Refusal{Name: name, Reason: "is UTF-32", Advice: "Convert it to UTF-8 first."}
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}), bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		text, ok := fromUTF16(raw)
		if !ok {
			return "", "", &Refusal{Name: name, Reason: "begins like UTF-16 and is not valid UTF-16", Advice: "Convert it to UTF-8 first."}
		}
		raw, changes = text, append(changes, "converted from UTF-16")
	case bytes.HasPrefix(raw, []byte{0xef, 0xbb, 0xbf}):
		raw, changes = raw[3:], append(changes, "without its byte order mark")
	}
	if err := checkText(name, raw); err != nil {
		return "", "", err
	}
	if bytes.IndexByte(raw, '\r') >= 0 {
		raw = bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
		changes = append(changes, "CRLF line ends are LF")
	}
	if len(changes) > 0 {
		note = strings.Join(changes, "; ")
		note = strings.ToUpper(note[:1]) + note[1:] + "."
	}
	return string(raw), note, nil
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

// isDiff reports whether a text is the output of diff or git, rather than one that
// quotes it.
func isDiff(name, content string) bool {
	head := strings.TrimLeft(content, "\n")
	if gitHeader(head) {
		if at := strings.Index(head, "\ndiff --git "); at >= 0 {
			head = head[at+1:]
		}
	}
	if strings.HasPrefix(head, "diff --git ") || strings.HasPrefix(head, "diff -") || strings.HasPrefix(head, "Index: ") ||
		strings.HasPrefix(head, "diff --cc ") {
		return true
	}
	first, rest, _ := strings.Cut(head, "\n")
	second, rest, _ := strings.Cut(rest, "\n")
	if strings.HasPrefix(first, "--- ") && strings.HasPrefix(second, "+++ ") && strings.HasPrefix(rest, "@@ ") {
		return true
	}
	return (strings.HasSuffix(name, ".diff") || strings.HasSuffix(name, ".patch")) && strings.Contains(content, "\n@@ ")
}

// gitHeader reports whether a text begins as git log, git show or git format-patch do.
func gitHeader(content string) bool {
	for _, begin := range []string{"commit ", "From "} {
		if hash, ok := strings.CutPrefix(content, begin); ok && len(hash) >= 40 {
			return strings.Trim(hash[:40], "0123456789abcdef") == ""
		}
	}
	return false
}
