package statement

import (
	"slices"
	"strings"
)

// maxFence is how many bytes a fence has at most, with its indent and its language.
const maxFence = 64

// fenceLine is a line that begins with three or more backticks or tildes.
type fenceLine struct {
	start    int    // offset of the line
	content  int    // offset of what follows the fence and its language
	mark     string // "`" or "~"
	size     int    // how often the mark is repeated; 0 for no fence
	language string
	plain    bool // nothing follows the mark; only such a fence closes another one
	opens    bool
}

// parseFence reads a line as a fence. Its content is what follows a bracket on the line.
func parseFence(line string) (fenceLine, bool) {
	head := line[:min(len(line), maxFence+1)]
	content := len(line)
	if n := strings.IndexAny(head, "{["); n >= 0 {
		head, content = head[:n], n
	}
	marks := strings.TrimSpace(head)
	if len(head) > maxFence || !strings.HasPrefix(marks, "```") && !strings.HasPrefix(marks, "~~~") {
		return fenceLine{}, false
	}
	mark := marks[:1]
	info := strings.TrimLeft(marks, mark)
	return fenceLine{
		content: content, mark: mark, size: len(marks) - len(info), language: strings.ToLower(strings.TrimSpace(info)),
		plain: info == "" && content == len(line),
	}, !strings.Contains(info, mark)
}

// unfinishedFence returns where the last line of a growing text begins if it may become a
// fence, else the end of the text.
func unfinishedFence(text string) int {
	start := strings.LastIndexByte(text[max(0, len(text)-maxFence-1):], '\n') + max(1, len(text)-maxFence)
	line := text[start:]
	marks := strings.TrimSpace(line)
	fence, ok := parseFence(line)
	if ok && fence.content == len(line) || marks != "" && (strings.Trim(marks, "`") == "" || strings.Trim(marks, "~") == "") {
		return start
	}
	return len(text)
}

// fences follows the fences of a text that may grow.
type fences struct {
	at     int       // up to where lines were read
	inLine bool      // which is within a line
	next   fenceLine // the first one that is not passed
	last   fenceLine // the last one that is
	outer  fenceLine // the fence that is open
	inner  int       // where the first fence within it begins; 0: there is none
	open   bool      // a fence within it is open
}

// passFences passes the fences before an offset, and finds the next one.
func (f *finder) passFences(at int) {
	l := &f.fences
	for l.next.size == 0 || l.next.start < at {
		if l.next.size > 0 {
			f.passFence()
		}
		for l.next = (fenceLine{}); l.next.size == 0; {
			line, _, ended := strings.Cut(f.text[min(l.at, len(f.text)):], "\n")
			if !ended && (line == "" || f.grows && !l.inLine && len(line) <= maxFence && !strings.ContainsAny(line, "{[")) {
				return
			}
			f.work -= len(line) + 1
			if fence, ok := parseFence(line); ok && !l.inLine {
				fence.start, fence.content = l.at, l.at+fence.content
				l.next = fence
			}
			l.at, l.inLine = min(len(f.text), l.at+len(line)+1), !ended
		}
	}
}

// passFence passes the next fence. A closing outer fence, which is longer than those within
// it or has another mark, marks the blocks in them as quoted.
func (f *finder) passFence() {
	l := &f.fences
	fence := l.next
	same := fence.mark == l.outer.mark && fence.size >= l.outer.size
	switch {
	case l.outer.size == 0 || same && !fence.plain:
		fence.opens = true
		l.outer, l.inner, l.open = fence, 0, false
	case same:
		for i, b := range slices.Backward(f.blocks) {
			if l.inner == 0 || b.start < l.inner {
				break
			}
			f.blocks[i].quoted = true
		}
		l.outer = fenceLine{}
	default:
		if l.inner == 0 {
			l.inner = fence.start
		}
		fence.opens = !fence.plain || !l.open
		l.open = fence.opens
	}
	l.last = fence
}

// opening returns where a fence begins that ends right before an offset, anywhere in a
// line, and its language. While the text grows, one or two marks at its end may become one.
func (f *finder) opening(at int) (start int, language string, ok bool) {
	from := max(f.end, at-maxFence) // a fence that ends another block opens none
	f.work -= at - from
	before := strings.TrimRight(f.text[from:at], " \t\r\n")
	head := before[:strings.LastIndexAny(before, "`~")+1]
	marks := len(head) - len(strings.TrimRight(head, "`~"))
	language = strings.ToLower(strings.TrimSpace(before[len(head):]))
	start = from + len(head) - marks
	switch {
	case strings.ContainsFunc(language, func(r rune) bool { return !isWordRune(r) }):
	case marks >= 3:
		last := f.fences.last
		ok = last.opens || last.size == 0 || start < last.start || !isBlank(f.text[last.start:start])
	case marks > 0:
		ok = from+len(head) == len(f.text)
	}
	if !ok {
		return at, "", false
	}
	return start, language, true
}
