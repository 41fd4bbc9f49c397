package evidence

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"roundtable/internal/text"
)

// decode returns what was read as text in UTF-8 whose lines end with \n, and a sentence
// about what was changed for that; "" if nothing was.
func decode(name string, raw []byte) (content, note string, err error) {
	switch {
	case bytes.HasPrefix(raw, []byte("%PDF-")):
		return "", "", &Refusal{Name: name, Reason: "is a PDF", Advice: "Convert it to text first, for instance with `pdftotext -layout`."}
	case bytes.HasPrefix(raw, []byte(`{\rtf`)):
		return "", "", &Refusal{Name: name, Reason: "is RTF, which mixes its text with marks", Advice: "Save it as plain text first."}
	}
	var changes []string
	wide, encoding, ok := text.DecodeWide(raw)
	switch {
	case !ok:
		return "", "", &Refusal{
			Name: name, Reason: fmt.Sprintf("begins like %s and is not valid %[1]s", encoding), Advice: "Convert it to UTF-8 first.",
		}
	case encoding != "":
		raw, changes = wide, append(changes, "converted from "+encoding)
	case bytes.HasPrefix(raw, []byte{0xef, 0xbb, 0xbf}):
		raw, changes = raw[3:], append(changes, "without its byte order mark")
	}
	if err := checkText(name, raw); err != nil {
		return "", "", err
	}
	if bytes.Contains(raw, []byte("\r\n")) {
		raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
		changes = append(changes, "CRLF line ends are LF")
	}
	content = strings.ReplaceAll(string(raw), "\r", "␍") // alone it ends no line
	if strings.HasPrefix(content, "\x1b[") {
		content, changes = colours().ReplaceAllString(content, ""), append(changes, "without its colours")
	}
	if len(changes) > 0 {
		note = text.Sentence(text.Capitalize(strings.Join(changes, "; ")))
	}
	return content, note, nil
}

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
