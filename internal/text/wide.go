package text

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

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
