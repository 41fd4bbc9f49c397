package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	tabStop  = 4
	maxMarks = 8
	// circle carries marks that come without a character of their own.
	circle = '◌'
)

// Stream makes text safe that arrives in pieces, however they are cut: what its
// calls return, put together, is [Text] of the pieces put together. The zero
// value is ready for use. It must not be copied after the first call.
//
// It holds back what the next piece may still change, which is never more than
// an unfinished rune and one character with its marks.
type Stream struct {
	rune  string   // the bytes of an unfinished rune
	seq   sequence // the escape sequence we are in
	cr    bool     // the last byte was a CR, so a line feed belongs to it
	col   int      // cells since the line began, for tabs
	based bool     // a mark has something to stand on
	marks int      // marks since the last character that is none
	seg   []byte   // the last character and its marks, not yet normalised
	kept  int      // marks since the last character that is none, after normalising
}

// Write takes the next piece and returns what is safe to show now.
func (t *Stream) Write(piece string) string {
	return string(t.feed(make([]byte, 0, len(piece)+len(t.seg)), piece))
}

// Flush returns what was held back. The text ends here, and the stream is ready
// for another one.
func (t *Stream) Flush() string {
	return string(t.end(nil))
}

// Peek returns the character that is held back, for showing text that is still
// on its way to its last character. The stream is as it was; what comes next may
// change that character. Bytes of an unfinished rune are not part of it.
func (t *Stream) Peek() string {
	held := Stream{seg: slices.Clone(t.seg), kept: t.kept}
	return string(held.flushSegment(nil))
}

func (t *Stream) end(dst []byte) []byte {
	if t.rune != "" {
		t.rune = ""
		dst = t.take(dst, utf8.RuneError)
	}
	dst = t.flushSegment(dst)
	*t = Stream{seg: t.seg}
	return dst
}

func (t *Stream) feed(dst []byte, s string) []byte {
	if t.rune != "" && s != "" {
		s = t.rune + s
		t.rune = ""
	}
	for s != "" {
		if n := plainPrefix(s); n > 0 && t.seq.state == ground && !t.cr {
			dst = t.plain(dst, s[:n])
			s = s[n:]
			continue
		}
		r, size := decode(s)
		if size == 0 {
			t.rune = strings.Clone(s)
			break
		}
		s = s[size:]
		dst = t.take(dst, r)
	}
	return dst
}

// plain takes a run of printable ASCII and line feeds in one go. Nothing in it
// interacts with its neighbours, but for its last character with what follows.
func (t *Stream) plain(dst []byte, s string) []byte {
	dst = t.flushSegment(dst)
	last := len(s) - 1
	dst = append(dst, s[:last]...)
	if nl := strings.LastIndexByte(s, '\n'); nl >= 0 {
		t.col = last - nl
	} else {
		t.col += len(s)
	}
	t.based = s[last] != '\n' && s[last] != ' '
	t.marks, t.kept = 0, 0
	if !t.based {
		return append(dst, s[last])
	}
	t.seg = append(t.seg, s[last])
	return dst
}

// take passes one rune through the filter.
func (t *Stream) take(dst []byte, r rune) []byte {
	cr := t.cr
	t.cr = false
	if t.seq.swallows(r) {
		return dst
	}
	switch {
	case r == '\r':
		t.cr = true
		return t.put(dst, '\n')
	case r == '\n' && cr:
		return dst
	case r == '\t':
		for range tabStop - t.col%tabStop {
			dst = t.put(dst, ' ')
		}
		return dst
	case r < ' ' && r != '\n' || r == 0x7f:
		return dst
	case r < utf8.RuneSelf:
		return t.put(dst, r)
	}
	return t.takeWide(dst, r)
}

// takeWide passes one rune beyond ASCII through the filter.
func (t *Stream) takeWide(dst []byte, r rune) []byte {
	if isShapeless(r) {
		return dst
	}
	first, second := respell(r)
	dst = t.takeShape(dst, first)
	if second != 0 {
		dst = t.takeShape(dst, second)
	}
	return dst
}

func (t *Stream) takeShape(dst []byte, r rune) []byte {
	if !isMark(r) {
		return t.put(dst, r)
	}
	if t.marks >= maxMarks {
		return dst
	}
	if !t.based && !isJamo(r) {
		dst = t.put(dst, circle)
	}
	return t.put(dst, r)
}

// put adds one rune to the text. It is written when the next one comes that
// does not combine with it.
func (t *Stream) put(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf || norm.NFC.PropertiesString(string(r)).BoundaryBefore() {
		dst = t.flushSegment(dst)
	}
	t.seg = utf8.AppendRune(t.seg, r)
	if isMark(r) {
		t.marks++
		return dst
	}
	t.marks = 0
	t.based = r != '\n' && r != ' '
	t.col += cells(r)
	if r == '\n' {
		t.col = 0
	}
	if !t.based { // nothing combines with it, so it need not wait
		dst = t.flushSegment(dst)
	}
	return dst
}

// flushSegment writes the pending character and its marks in normal form. The
// marks are counted once more: normalising may split one off its character.
func (t *Stream) flushSegment(dst []byte) []byte {
	if len(t.seg) == 1 {
		t.kept = 0
		dst = append(dst, t.seg[0])
		t.seg = t.seg[:0]
		return dst
	}
	start := len(dst)
	if norm.NFC.QuickSpan(t.seg) == len(t.seg) {
		dst = append(dst, t.seg...)
	} else {
		dst = norm.NFC.Append(dst, t.seg...)
	}
	t.seg = t.seg[:0]
	return t.cap(dst, start)
}

// cap removes from dst[start:] the marks beyond those a character may carry.
// Marks go from the end only, which leaves the rest in normal form.
func (t *Stream) cap(dst []byte, start int) []byte {
	out := start
	for i := start; i < len(dst); {
		r, size := utf8.DecodeRune(dst[i:])
		if isMark(r) {
			t.kept++
		} else {
			t.kept = 0
		}
		if t.kept <= maxMarks {
			out += copy(dst[out:], dst[i:i+size])
		}
		i += size
	}
	return dst[:out]
}

// decode returns the first rune of s and its length. Bytes that are no UTF-8
// are U+FFFD, but for a lone 8-bit control, which is that control. The length is
// 0 if s ends within a rune.
func decode(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	if !utf8.FullRuneInString(s) {
		return 0, 0
	}
	if c := s[0]; c >= 0x80 && c <= 0x9f {
		return rune(c), 1
	}
	// The longest start of a rune is shown as one U+FFFD: what is left of a
	// torn emoji must not be taken for 8-bit controls.
	n := 1
	for n < len(s) && n < utf8.UTFMax && !utf8.FullRuneInString(s[:n]) {
		n++
	}
	return utf8.RuneError, max(n-1, 1)
}
