package markdown

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// richText is plain text with the styles of its runs. It is wrapped as plain text and
// styled line by line, since each line has to set its styles again.
type richText struct {
	text string
	runs []styleRun
	soft bool // a soft line break is pending
}

// styleRun is a run of text in one style.
type styleRun struct {
	end int // its end; it begins at the end of the run before
	st  style
}

// add appends text in a style, after a pending soft break.
func (t *richText) add(s string, st style) {
	if s == "" {
		return
	}
	if t.soft {
		t.soft = false
		if !betweenWide(t.text, s) {
			t.add(" ", st)
		}
	}
	t.text += s
	if n := len(t.runs); n > 0 && t.runs[n-1].st == st {
		t.runs[n-1].end = len(t.text)
		return
	}
	t.runs = append(t.runs, styleRun{len(t.text), st})
}

// citation is what a text cites in square brackets, such as [C1] or [F1:120-140, F2].
var citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[CF]\d[CF\d:,;&/ –-]{0,198}\]`) })

// styleCitations gives citations the style of links.
func (t *richText) styleCitations() {
	if !strings.Contains(t.text, "[C") && !strings.Contains(t.text, "[F") {
		return
	}
	for _, at := range citation().FindAllStringIndex(t.text, -1) {
		if next, _ := utf8.DecodeRuneInString(t.text[at[1]:]); next >= utf8.RuneSelf && !isWide(next) && !unicode.IsSpace(next) {
			continue // it may be a mark that belongs to the bracket
		}
		var runs []styleRun
		from := 0
		for _, r := range t.runs {
			for _, end := range []int{min(at[0], r.end), min(at[1], r.end), r.end} {
				if end <= from {
					continue
				}
				st := r.st
				if from >= at[0] && end <= at[1] && st&^(flags-1) == textRole {
					st = withRole(linkRole, st)
				}
				runs, from = append(runs, styleRun{end, st}), end
			}
		}
		t.runs = runs
	}
}

// softBreak ends a line of the source. That is a blank in the text, or nothing between
// wide characters, whose scripts write without blanks.
func (t *richText) softBreak() { t.soft = true }

// appendText appends another text.
func (t *richText) appendText(o richText) {
	from := 0
	for _, r := range o.runs {
		t.add(o.text[from:r.end], r.st)
		from = r.end
	}
}

// betweenWide reports whether two texts meet in wide characters.
func betweenWide(before, after string) bool {
	b, _ := utf8.DecodeLastRuneInString(before)
	a, _ := utf8.DecodeRuneInString(after)
	return isWide(b) && isWide(a)
}

// isWide reports whether a character takes two cells.
func isWide(r rune) bool {
	return r >= 0x1100 && ansi.StringWidth(string(r)) == 2
}

// cluster is a grapheme cluster: a character as the reader sees it.
type cluster struct {
	from, to int
	cells    int
}

// clusters iterates over the characters of a text. A cluster never crosses the end of
// a run, since styles are written between runs.
func (t *richText) clusters(yield func(cluster) bool) {
	i := 0
	for _, r := range t.runs {
		for i < r.end {
			c := nextCluster(t.text[:r.end], i)
			if !yield(c) {
				return
			}
			i = c.to
		}
	}
}

// nextCluster returns the character that begins at byte i.
func nextCluster(s string, i int) cluster {
	if s[i] < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
		cells := 1
		if s[i] == '\n' {
			cells = 0
		}
		return cluster{i, i + 1, cells}
	}
	c, cells := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
	return cluster{i, i + len(c), cells}
}

// write writes a range of the text in its styles.
func (t *richText) write(b *strings.Builder, r *Renderer, from, to int) {
	start := 0
	for _, run := range t.runs {
		if start >= to {
			return
		}
		if run.end > from {
			b.WriteString(r.render(t.text[max(start, from):min(run.end, to)], run.st))
		}
		start = run.end
	}
}
