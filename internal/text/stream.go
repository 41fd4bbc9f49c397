package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

const (
	tabStop  = 4
	maxMarks = 8
	// circle carries marks without a base character.
	circle = '◌'
)

// Stream makes text safe that arrives in pieces, however they are cut: what its
// calls return, put together, is [Sanitize] of the pieces put together. The zero
// value is ready for use. It must not be copied after the first call.
//
// It holds back what the next piece may still change, which is never more than
// an unfinished rune and one character with its marks.
type Stream struct {
	rune  string   // the bytes of an unfinished rune
	seq   sequence // the escape sequence we are in
	cr    bool     // the last byte was a CR, so a line feed belongs to it
	col   int      // cells since the line began, for tabs
	based bool     // the last character can carry a mark
	last  rune     // that character
	held  rune     // a joiner, or half a flag, that waits for what follows
	joins int      // joiners within the last group of characters
	marks int      // marks after the last character
	seg   []byte   // the last character and its marks, not yet normalised
	kept  int      // the same, after normalising
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
	held := Stream{seg: slices.Clone(t.seg), kept: t.kept, held: t.held}
	return string(held.flushSegment(held.settle(nil, 0)))
}

func (t *Stream) end(dst []byte) []byte {
	if t.rune != "" {
		t.rune = ""
		dst = t.filter(dst, utf8.RuneError)
	}
	dst = t.flushSegment(t.settle(dst, 0))
	*t = Stream{seg: t.seg}
	return dst
}

func (t *Stream) feed(dst []byte, s string) []byte {
	if t.rune != "" && s != "" {
		s = t.rune + s
		t.rune = ""
	}
	for s != "" {
		if n := plainPrefix(s); n > 0 && t.seq.state == ground && !t.cr && t.held == 0 {
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
		dst = t.filter(dst, r)
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
	t.last, t.marks, t.kept, t.joins = rune(s[last]), 0, 0, 0
	if !t.based {
		return append(dst, s[last])
	}
	t.seg = append(t.seg, s[last])
	return dst
}

func (t *Stream) filter(dst []byte, r rune) []byte {
	cr := t.cr
	t.cr = false
	if t.seq.swallows(r) {
		return dst
	}
	switch {
	case r == '\n' && cr, r < ' ' && r != '\r' && r != '\n' && r != '\t', r == 0x7f:
		return dst
	case r < utf8.RuneSelf:
		dst = t.settle(dst, r)
	}
	switch r {
	case '\r':
		t.cr = true
		return t.put(dst, '\n')
	case '\t':
		for range tabStop - t.col%tabStop {
			dst = t.put(dst, ' ')
		}
		return dst
	}
	if r < utf8.RuneSelf {
		return t.put(dst, r)
	}
	return t.filterWide(dst, r)
}

func (t *Stream) filterWide(dst []byte, r rune) []byte {
	switch {
	case isFlag(r) && isFlag(t.held):
		dst, t.held = t.put(dst, t.held), 0
		return t.put(dst, r)
	case isFlag(r):
		dst = t.settle(dst, r)
		t.held = r
		return dst
	case isJoiner(r) && t.held == 0:
		t.held = r
		return dst
	case (isSelector(r) || isTone(r) && t.held == 0) && isPictograph(t.last):
	case isShapeless(r):
		return dst
	}
	dst = t.settle(dst, r)
	first, second := respell(r)
	dst = t.filterShaped(dst, first)
	if second != 0 {
		dst = t.filterShaped(dst, second)
	}
	return dst
}

// settle writes what was held, now that it is known what follows; 0 is the end of the text.
// A joiner stays between what it joins, and half a flag is a letter.
func (t *Stream) settle(dst []byte, next rune) []byte {
	held := t.held
	t.held = 0
	switch {
	case isFlag(held):
		return t.put(dst, 'A'+held-0x1f1e6)
	case held != 0 && t.based && t.joins < maxMarks && joins(t.last, next):
		dst = t.flushSegment(dst)
		t.seg = utf8.AppendRune(t.seg, held)
		t.joins++
	case !isMark(next) && !isTone(next):
		t.joins = 0
	}
	return dst
}

func (t *Stream) filterShaped(dst []byte, r rune) []byte {
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
	t.last, t.marks = r, 0
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
// marks are counted again: normalising may split one off its character.
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
	// The longest start of a rune is shown as one U+FFFD: the rest of a
	// torn emoji must not pass for 8-bit controls.
	n := 1
	for n < len(s) && n < utf8.UTFMax && !utf8.FullRuneInString(s[:n]) {
		n++
	}
	return utf8.RuneError, max(n-1, 1)
}

type state uint8

const (
	ground       state = iota // outside of any
	escape                    // after ESC
	intermediate              // after ESC and intermediate bytes
	control                   // within a control sequence (CSI)
	payload                   // within a string (OSC, DCS, APC, PM, SOS)
)

// maxPayload bounds how much text a string that is never terminated can hide.
const maxPayload = 4096

type sequence struct {
	state state
	n     int // runes of the payload
}

// swallows reports whether r belongs to an escape sequence, and moves on.
// A sequence that something unexpected breaks off ends there, and what broke it
// off is text again.
func (q *sequence) swallows(r rune) bool {
	switch {
	case r == 0x1b || r >= 0x80 && r <= 0x9f:
		q.begin(r)
		return true
	case q.state == ground:
		return false
	case r == 0x18 || r == 0x1a: // CAN and SUB cancel
		q.state = ground
		return true
	}
	switch q.state {
	case escape, intermediate:
		return q.escape(r)
	case control:
		return q.control(r)
	default:
		return q.payload(r)
	}
}

// begin starts the sequence that ESC or an 8-bit control introduces, whatever
// was going on before.
func (q *sequence) begin(r rune) {
	switch r {
	case 0x1b:
		q.state = escape
	case 0x9b:
		q.state = control
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		q.state, q.n = payload, 0
	default:
		q.state = ground
	}
}

func (q *sequence) escape(r rune) bool {
	switch {
	case isInert(r):
		return true
	case r >= 0x20 && r <= 0x2f:
		q.state = intermediate
		return true
	case q.state == escape && r == '[':
		q.state = control
		return true
	case q.state == escape && (r == 'P' || r == 'X' || r == ']' || r == '^' || r == '_'):
		q.state, q.n = payload, 0
		return true
	}
	q.state = ground
	return r >= 0x30 && r <= 0x7e
}

func (q *sequence) control(r rune) bool {
	if isInert(r) || r >= 0x20 && r <= 0x3f {
		return true
	}
	q.state = ground
	return r >= 0x40 && r <= 0x7e
}

func (q *sequence) payload(r rune) bool {
	if q.n++; r == '\n' || r == '\r' || q.n > maxPayload {
		q.state = ground
		return false
	}
	if r == 0x07 {
		q.state = ground
	}
	return true
}

// isInert reports whether r is a control that does not end the sequence around
// it: terminals execute it and continue parsing.
func isInert(r rune) bool {
	return r == 0x7f || r < 0x20 && r != '\n' && r != '\r' && r != '\t'
}

// isShapeless reports whether a character has no shape of its own, so that it
// can only hide, reorder, join or restyle others.
func isShapeless(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case isTone(r): // 0 or 2 cells by terminal
		return true
	case r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef: // no characters at all
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func isMark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || isJamo(r))
}

// isJamo reports whether r is a vowel or final consonant that joins the Korean
// syllable before it. Unlike other marks it can stand alone.
func isJamo(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7fb
}

// respell returns the one or two characters that mean the same as r and, unlike
// it, have the same width everywhere; the second may be 0.
func respell(r rune) (first, second rune) {
	switch {
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return '\n', 0
	case r == '\u0e33': // Thai am
		return '\u0e4d', '\u0e32'
	case r == '\u0eb3': // Lao am
		return '\u0ecd', '\u0eb2'
	}
	return r, 0
}

func cells(r rune) int {
	if r < 0x1100 || isTone(r) {
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}
