package openai

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
	blank      = " \t\r\n"
)

// thinkState is the part of the text that comes next.
type thinkState int

const (
	thinkUndecided thinkState = iota
	thinkReasoning
	thinkBetween // blanks after </think>
	thinkText
)

// thinkSplitter separates the reasoning that a model writes at the beginning of its
// text, between <think> and </think>, from the text.
type thinkSplitter struct {
	state thinkState
	held  string // what may be the beginning of a tag
}

// add takes in a piece of content and returns what can be told apart so far.
func (t *thinkSplitter) add(s string) (text, thought string) {
	if t.state == thinkText || s == "" {
		return s, ""
	}
	s, t.held = t.held+s, ""
	if t.state == thinkUndecided {
		begin := strings.TrimLeft(s, blank)
		switch {
		case strings.HasPrefix(begin, thinkOpen):
			t.state, s = thinkReasoning, begin[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, begin):
			t.held = s
			return "", ""
		default:
			t.state = thinkText
			return s, ""
		}
	}
	if t.state == thinkReasoning {
		var closed bool
		thought, s, closed = strings.Cut(s, thinkClose)
		if !closed {
			keep := overlap(thought, thinkClose)
			t.held = thought[len(thought)-keep:]
			return "", thought[:len(thought)-keep]
		}
		t.state = thinkBetween
	}
	if s = strings.TrimLeft(s, blank); s != "" {
		t.state = thinkText
	}
	return s, thought
}

// flush returns what was held back when no more comes.
func (t *thinkSplitter) flush() (text, thought string) {
	held := t.held
	t.held = ""
	if t.state == thinkReasoning {
		return "", held
	}
	return held, ""
}

// overlap returns the length of the longest end of s that is a beginning of tag,
// but not all of it.
func overlap(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if s[len(s)-n:] == tag[:n] {
			return n
		}
	}
	return 0
}
