package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chosen returns the index of the block that is read: the last one with one of the names,
// or the last block if none has. What stands in a quotation is not it if there is another,
// nor what prose has after a fenced block.
func (f *finder) chosen() int {
	pick := -1
	for i, b := range f.blocks {
		if countNames(b.members, f.names) == 0 {
			continue
		}
		if pick < 0 || f.blocks[pick].quoted && !b.quoted ||
			f.blocks[pick].quoted == b.quoted && (b.fence.size > 0 || b.last || f.blocks[pick].fence.size == 0) {
			pick = i
		}
	}
	if pick < 0 {
		return len(f.blocks) - 1
	}
	return pick
}

// markQuoted marks blocks on lines that begin with ">", in a nested fence, or in quotation marks.
func (f *finder) markQuoted() {
	if len(f.blocks) < 2 {
		return
	}
	f.work -= len(f.text)
	left := f.blocks
	var outer fenceLine // that is open
	at := 0
	for line := range strings.Lines(f.text) {
		at += len(line)
		for ; len(left) > 0 && left[0].start < at; left = left[1:] {
			b := &left[0]
			b.quoted = strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") || f.inQuotationMarks(*b) ||
				b.fence.size > 0 && outer.size > 0 && (outer.mark != b.fence.mark || outer.size > b.fence.size)
		}
		head, _, object := strings.Cut(line, "{")
		switch fence := parseFence(head); {
		case fence.size == 0 || outer.size > 0 && (fence.mark != outer.mark || fence.size < outer.size):
		case outer.size > 0 && fence.language == "" && !object:
			outer = fenceLine{}
		default:
			outer = fence
		}
	}
}

// markShown marks the blocks that repeat a text the speaker was shown, whose lines may be numbered.
func (f *finder) markShown(shown []string) {
	if len(f.blocks) < 2 || len(shown) == 0 {
		return
	}
	all := withoutSpace(strings.Join(shown, "\n"))
	for i := range f.blocks {
		b := &f.blocks[i]
		object := f.text[b.start:b.end]
		if from, to := strings.IndexByte(object, '{'), strings.LastIndexByte(object, '}'); from >= 0 && from < to {
			b.quoted = b.quoted || strings.Contains(all, withoutSpace(object[from:to+1]))
		}
	}
}

// withoutSpace returns a text without white space and without the numbers of its lines.
func withoutSpace(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		if number, rest, ok := strings.Cut(line, "|"); ok && strings.Trim(number, "0123456789") == "" {
			line = rest
		}
		for word := range strings.FieldsSeq(line) {
			b.WriteString(word)
		}
	}
	return b.String()
}

const (
	quotationMarks    = "\"'“”„‟‘’‚«»‹›「」『』"
	maxQuotationSpace = 8 // bytes of white space within the marks
)

func (f *finder) inQuotationMarks(b jsonBlock) bool {
	before := strings.TrimRightFunc(f.text[max(0, b.start-maxQuotationSpace):b.start], unicode.IsSpace)
	behind := strings.TrimLeftFunc(f.text[b.end:min(len(f.text), b.end+maxQuotationSpace)], unicode.IsSpace)
	opening, _ := utf8.DecodeLastRuneInString(before)
	closing, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune(quotationMarks, opening) && strings.ContainsRune(quotationMarks, closing)
}
