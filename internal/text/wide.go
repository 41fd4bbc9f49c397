package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
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
	var order binary.ByteOrder = binary.LittleEndian
	name, width := "UTF-16", 2
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe, 0, 0}):
		name, width = "UTF-32", 4
	case bytes.HasPrefix(raw, []byte{0, 0, 0xfe, 0xff}):
		name, width, order = "UTF-32", 4, binary.BigEndian
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return raw, "", true
	}
	if len(raw)%width != 0 {
		return nil, name, false
	}
	for raw = raw[width:]; len(raw) > 0; raw = raw[width:] {
		r := rune(-1)
		if width == 4 {
			r = rune(order.Uint32(raw))
		} else if r = rune(order.Uint16(raw)); utf16.IsSurrogate(r) && len(raw) >= 4 {
			r = utf16.DecodeRune(r, rune(order.Uint16(raw[2:])))
			if raw = raw[2:]; r == utf8.RuneError {
				return nil, name, false
			}
		}
		if !utf8.ValidRune(r) {
			return nil, name, false
		}
		out = utf8.AppendRune(out, r)
	}
	return out, name, true
}
