package text

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// DecodeText returns text in UTF-8 without a byte order mark, from any encoding that has a mark.
// What is otherwise no UTF-8 is returned as it is.
func DecodeText(raw []byte) ([]byte, error) {
	wide, name, ok := DecodeWide(raw)
	switch {
	case !ok:
		return nil, fmt.Errorf("begins like %s and is not; save it as UTF-8", name)
	case name != "":
		return wide, nil
	case bytes.IndexByte(raw, 0) >= 0:
		return nil, errors.New("has NUL bytes, as UTF-16 without a byte order mark has; save it as UTF-8")
	}
	return bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), nil
}

// DecodeWide returns text that has the byte order mark of UTF-16 or UTF-32 as UTF-8, with the
// name of its encoding; other text as it is, with "". It reports false for what has a mark and is
// not valid.
func DecodeWide(raw []byte) (out []byte, name string, ok bool) {
	encoded, name, width := unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), "UTF-16", 2
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(raw, []byte{0, 0, 0xfe, 0xff}):
		encoded, name, width = utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM), "UTF-32", 4
	case !bytes.HasPrefix(raw, []byte{0xff, 0xfe}) && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return raw, "", true
	}
	out, err := encoded.NewDecoder().Bytes(raw)
	has := bytes.Contains(raw, []byte{0xff, 0xfd}) || bytes.Contains(raw, []byte{0xfd, 0xff}) // the character itself
	return out, name, err == nil && len(raw)%width == 0 && (has || !bytes.ContainsRune(out, utf8.RuneError))
}
