package agents

import (
	"unicode"
	"unicode/utf8"
)

// quoting says whether a place in a Markdown text is quoted: in a fence, in inline code, in
// quotation marks, or on a line that begins with ">". Inline code and quotation marks do not
// go beyond their line. The zero value is the beginning of a text.
type quoting struct {
	fence  fence // around the place; the zero value outside of fences
	lead   fence // what the line begins with; the zero value if that is no fence
	leads  bool  // the lead may still grow
	bare   bool  // nothing but white space follows the lead
	begun  bool  // the line has more than white space
	marked bool  // the line begins with ">"
	run    int   // backticks right before the place
	code   int   // backticks that opened the inline code; 0 outside
	mark   rune  // the quotation mark that is open; 0 outside
	single bool  // an apostrophe that may open a quotation is right before the place
	last   rune  // before the place
}

// fence is a row of backticks or tildes at the beginning of a line.
type fence struct {
	mark rune
	size int
}

func (q *quoting) next(text []byte) int {
	c, n := utf8.DecodeRune(text)
	before := q.last
	q.last, q.single = c, c == '\'' && (before == 0 || before == '(' || unicode.IsSpace(before))
	if c != '`' {
		q.code, q.run = q.inlineCode(), 0
	}
	switch {
	case c == '\n':
		q.endLine()
		return n
	case c == ' ' || c == '\t' || c == '\r':
		q.leads = false
		return n
	case c == '`':
		q.run++
	case q.code == 0 && before != '\\':
		q.readMark(c, before)
	}
	q.readLead(c)
	return n
}

func (q *quoting) readLead(c rune) {
	switch {
	case !q.begun && (c == '`' || c == '~'):
		q.lead, q.leads, q.bare = fence{c, 1}, true, true
	case q.leads && c == q.lead.mark:
		q.lead.size++
	default:
		q.leads, q.bare = false, false
		if c == '`' && q.lead.mark == '`' { // that was inline code
			q.lead = fence{}
		}
	}
	q.marked = q.marked || !q.begun && c == '>'
	q.begun = true
}

func (q *quoting) readMark(c, before rune) {
	switch {
	case q.mark == 0 && c == '"' && (unicode.IsLetter(before) || unicode.IsDigit(before)): // 5" are inches
	case q.mark == 0 && closingMark(c) != 0:
		q.mark = c
	case q.mark != 0 && closingMark(q.mark) == c:
		q.mark = 0
	}
}

// quotationMarks are pairs of marks that open and close.
var quotationMarks = []rune(`""“”„“«»»«‘’「」『』`)

// closingMark returns the quotation mark that closes what another one opens, 0 for none.
func closingMark(open rune) rune {
	for i := 0; i < len(quotationMarks); i += 2 {
		if quotationMarks[i] == open {
			return quotationMarks[i+1]
		}
	}
	return 0
}

// inlineCode returns the backticks that opened the inline code at the place.
func (q *quoting) inlineCode() int {
	switch {
	case q.run == 0 || q.code > 0 && q.code != q.run:
		return q.code
	case q.code == 0:
		return q.run
	}
	return 0
}

func (q *quoting) endLine() {
	if q.lead.size >= 3 {
		switch {
		case q.fence.mark == 0:
			q.fence = q.lead
		case q.lead.mark == q.fence.mark && q.lead.size >= q.fence.size && q.bare:
			q.fence = fence{}
		}
	}
	*q = quoting{fence: q.fence, last: '\n'}
}

// inLine reports whether the place is quoted by what is before it on its line.
func (q *quoting) inLine() bool {
	return q.marked || q.inlineCode() > 0 || q.mark != 0 || q.single
}
