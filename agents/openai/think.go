package openai

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
	blank      = " \t\r\n"
)

// thinkSplit parts the thoughts that a model writes into its text, between
// <think> and </think> at the text's beginning, from the text.
type thinkSplit struct {
	step int    // 0 undecided, 1 in thoughts, 2 before the text proper, 3 in the text
	held string // what may be the beginning of a mark
}

// add takes a piece of content in and returns what is known of it.
func (t *thinkSplit) add(s string) (text, thought string) {
	if t.step == 3 || s == "" {
		return s, ""
	}
	s, t.held = t.held+s, ""
	if t.step == 0 {
		begin := strings.TrimLeft(s, blank)
		switch {
		case strings.HasPrefix(begin, thinkOpen):
			t.step, s = 1, begin[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, begin):
			t.held = s
			return "", ""
		default:
			t.step = 3
			return s, ""
		}
	}
	if t.step == 1 {
		var closed bool
		thought, s, closed = strings.Cut(s, thinkClose)
		if !closed {
			keep := overlap(thought, thinkClose)
			t.held = thought[len(thought)-keep:]
			return "", thought[:len(thought)-keep]
		}
		t.step = 2
	}
	if s = strings.TrimLeft(s, blank); s != "" {
		t.step = 3
	}
	return s, thought
}

// end returns what was held when no more comes.
func (t *thinkSplit) end() (text, thought string) {
	held := t.held
	t.held = ""
	if t.step == 1 {
		return "", held
	}
	return held, ""
}

// overlap returns how many bytes at the end of s are the beginning of mark,
// short of all of it.
func overlap(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if s[len(s)-n:] == mark[:n] {
			return n
		}
	}
	return 0
}
