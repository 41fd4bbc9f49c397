package text

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// DecodeText returns text in UTF-8 without a byte order mark, from UTF-8 or from UTF-16 that has a
// mark. What is otherwise no UTF-8 is returned as it is.
func DecodeText(raw []byte) ([]byte, error) {
	wide, name, ok := DecodeWide(raw)
	switch {
	case !ok:
		return nil, fmt.Errorf("begins like %s and is not; save it as UTF-8", name)
	case bytes.IndexByte(wide, 0) >= 0:
		return nil, errors.New("has NUL bytes; save it as UTF-8")
	}
	return bytes.TrimPrefix(wide, []byte("\xef\xbb\xbf")), nil
}

// DecodeWide returns text that has the byte order mark of UTF-16 as UTF-8, with the name of its
// encoding; other text as it is, with "". It reports false for what has a mark and is not valid.
func DecodeWide(raw []byte) (out []byte, name string, ok bool) {
	if !bytes.HasPrefix(raw, []byte{0xff, 0xfe}) && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}) {
		return raw, "", true
	}
	out, err := unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder().Bytes(raw)
	has := bytes.Contains(raw, []byte{0xff, 0xfd}) || bytes.Contains(raw, []byte{0xfd, 0xff}) // the character itself
	return out, "UTF-16", err == nil && len(raw)%2 == 0 && (has || !bytes.ContainsRune(out, utf8.RuneError))
}
