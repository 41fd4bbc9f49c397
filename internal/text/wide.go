package text

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	wide "golang.org/x/text/encoding/unicode"
)

// DecodeText returns text in UTF-8 without a byte order mark, from UTF-8 or from UTF-16 that has a
// mark. What is otherwise no UTF-8 is returned as it is.
func DecodeText(raw []byte) ([]byte, error) {
	decoded, name, ok := DecodeWide(raw)
	switch {
	case !ok:
		return nil, fmt.Errorf("begins like %s and is not; save it as UTF-8", name)
	case bytes.IndexByte(decoded, 0) >= 0:
		return nil, errors.New("has NUL bytes; save it as UTF-8")
	}
	return bytes.TrimPrefix(decoded, []byte("\xef\xbb\xbf")), nil
}

// DecodeWide returns text that has the byte order mark of UTF-16 as UTF-8, with the name of its
// encoding; other text as it is, with "". It reports false for what has a mark and is not valid.
func DecodeWide(raw []byte) (out []byte, name string, ok bool) {
	if !bytes.HasPrefix(raw, []byte{0xff, 0xfe}) && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}) {
		return raw, "", true
	}
	out, err := wide.UTF16(wide.BigEndian, wide.ExpectBOM).NewDecoder().Bytes(raw)
	has := bytes.Contains(raw, []byte{0xff, 0xfd}) || bytes.Contains(raw, []byte{0xfd, 0xff}) // the character itself
	return out, "UTF-16", err == nil && len(raw)%2 == 0 && (has || !bytes.ContainsRune(out, utf8.RuneError))
}

// Decode returns text of any kind as UTF-8 without a mark and without NULs, in which bytes that are
// not UTF-8 are Latin-1, and the encoding that it was converted from; "" for UTF-8. It reports false
// for what is binary.
func Decode(raw []byte) (plain, encoding string, ok bool) {
	if decoded, name, ok := DecodeWide(raw); ok {
		raw, encoding = decoded, name
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if bytes.IndexByte(raw, 0) >= 0 && !MostlyText(raw) {
		return "", "", false
	}
	var b strings.Builder
	for len(raw) > 0 {
		c, n := utf8.DecodeRune(raw)
		switch {
		case c == utf8.RuneError && n == 1:
			c, encoding = rune(raw[0]), "Latin-1"
		case c == 0:
			c = '␀'
		}
		b.WriteRune(c)
		raw = raw[n:]
	}
	return b.String(), encoding, true
}

// MostlyText reports whether nine tenths of the first 8 KB are text in UTF-8.
func MostlyText(raw []byte) bool {
	head := raw[:min(len(raw), 8<<10)]
	good := 0
	for rest := head; len(rest) > 0; {
		c, n := utf8.DecodeRune(rest)
		if strings.ContainsRune("\t\n\r\f", c) || c != utf8.RuneError && unicode.IsPrint(c) {
			good += n
		}
		rest = rest[n:]
	}
	return 10*good >= 9*len(head)
}
