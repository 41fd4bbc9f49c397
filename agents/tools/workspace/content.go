package workspace

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

const (
	sniffed = 8 << 10  // bytes by which text and binary files are told apart
	maxScan = 64 << 20 // bytes of a file that are looked at
)

// content reads the lines of a file as text.
type content struct {
	r       *bufio.Reader
	left    *io.LimitedReader
	binary  bool
	notes   []string // how the text differs from the file
	crlf    bool     // some line ended with CRLF
	invalid bool     // some line was not UTF-8
	buffer  []byte   // of the line that was read last
}

// newContent returns the content of a file of the given size. What is appended to the
// file meanwhile is not read.
func newContent(f *os.File, size int64) *content {
	c := &content{left: &io.LimitedReader{R: f, N: min(size, maxScan)}}
	c.r = bufio.NewReaderSize(c.left, sniffed)
	head, err := c.r.Peek(sniffed)
	if err != nil && len(head) == 0 {
		return c // the next read returns the error
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}):
		c.binary = true
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		c.r = bufio.NewReaderSize(unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(c.r), sniffed)
		c.notes = append(c.notes, "Converted from UTF-16.")
	case bytes.HasPrefix(head, []byte("\ufeff")):
		c.r.Discard(len("\ufeff")) //nolint:errcheck // it was peeked at
	case bytes.IndexByte(head, 0) >= 0:
		c.binary = true
	}
	return c
}

// line returns the next line without its end, cut to the given number of bytes, and its
// length. It returns io.EOF when no line is left. The bytes are valid until the next call.
func (c *content) line(most int) (line []byte, length int, err error) {
	c.buffer = c.buffer[:0]
	ended := false
	for !ended {
		part, err := c.r.ReadSlice('\n')
		ended = err == nil
		length += len(part)
		c.buffer = append(c.buffer, part[:min(len(part), max(0, most+2-len(c.buffer)))]...)
		if err == io.EOF && length > 0 {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, 0, err
		}
	}
	line = c.buffer
	if ended {
		length--
		if length < len(line) {
			line = line[:length]
		}
		if length == len(line) && bytes.HasSuffix(line, []byte("\r")) {
			length--
			line = line[:length]
			c.crlf = true
		}
	}
	if len(line) > most {
		line = line[:most]
		for len(line) > 0 && !utf8.RuneStart(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		if r, n := utf8.DecodeLastRune(line); r == utf8.RuneError && n == 1 {
			line = line[:len(line)-1] // the first byte of a character that was cut
		}
	}
	c.invalid = c.invalid || !utf8.Valid(line)
	return line, length, nil
}

// legible returns text in which every byte that is not UTF-8, and every control but tab
// and line feed, is a visible character. It has as many characters as before.
func legible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return legibleRune(r) != r || r == utf8.RuneError }) < 0 {
		return s
	}
	return strings.Map(legibleRune, s)
}

func legibleRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n':
		return r
	case r < ' ':
		return '\u2400' + r // the symbols of controls
	case r == 0x7f:
		return '\u2421'
	case r < 0xa0 && r > 0x7f, isBidi(r):
		return utf8.RuneError
	}
	return r
}

// isBidi reports whether a character reorders others, which lets code look like other
// code.
func isBidi(r rune) bool {
	return r == '\u061c' || r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
