package evidence

import (
	"bytes"
	"strings"

	"roundtable/internal/text"
)

// decode returns what was read as text in UTF-8 whose lines end with \n, and a sentence
// about the encoding that it was converted from; "" for UTF-8.
func decode(name string, raw []byte) (content, note string, err error) {
	content, encoding, ok := text.Decode(raw)
	switch {
	case bytes.HasPrefix(raw, []byte("%PDF-")):
		return "", "", &Refusal{Name: name, Reason: "is a PDF", Advice: "Convert it to text first, for instance with `pdftotext -layout`."}
	case bytes.HasPrefix(raw, []byte(`{\rtf`)):
		return "", "", &Refusal{Name: name, Reason: "is RTF, which mixes its text with marks", Advice: "Save it as plain text first."}
	case !ok || encoding == "Latin-1" && !text.MostlyText([]byte(content)):
		return "", "", &Refusal{Name: name, Reason: "is binary", Advice: "Name a text file, or convert it to text first."}
	case strings.TrimSpace(content) == "":
		return "", "", &Refusal{Name: name, Reason: "is empty", Advice: "Name a file that holds text."}
	case encoding != "":
		note = "Converted from " + encoding + "."
	}
	content = strings.ReplaceAll(content, "\r\n", "\n")
	content = strings.ReplaceAll(content, "\r", "␍") // alone it ends no line
	if strings.HasPrefix(content, "\x1b[") {
		content = colours().ReplaceAllString(content, "")
	}
	return content, note, nil
}
