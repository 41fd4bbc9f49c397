package pane

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/markdown"
)

// ToggleChanges shows or hides what changed in each statement since the seat's statement of
// the round before.
func (p *Pane) ToggleChanges() {
	p.changes = !p.changes
	p.invalidateBlocks()
}

// ShowsChanges reports whether changes are shown.
func (p *Pane) ShowsChanges() bool { return p.changes }

// maxCompared is how many pairs of words are compared at most, which bounds the time and
// the memory of a comparison.
const maxCompared = 4 << 20

// edit is what happened to words.
type edit uint8

const (
	kept edit = iota
	deleted
	inserted
)

// wordEdit is a run of words with what happened to them.
type wordEdit struct {
	edit
	words []string
}

// diffWords returns how a text became another, word by word: as few words as possible are
// deleted and inserted. It returns false if the texts are too long to compare.
func diffWords(before, after []string) ([]wordEdit, bool) {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	a, b := before[head:len(before)-tail], after[head:len(after)-tail]
	if len(a)*len(b) > maxCompared {
		return nil, false
	}
	var out []wordEdit
	add := func(e edit, words ...string) {
		if n := len(out); n > 0 && out[n-1].edit == e {
			out[n-1].words = append(out[n-1].words, words...)
		} else if len(words) > 0 {
			out = append(out, wordEdit{e, slices.Clone(words)})
		}
	}
	add(kept, before[:head]...)
	common := commonLengths(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			add(kept, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common(i+1, j) >= common(i, j+1):
			add(deleted, a[i])
			i++
		default:
			add(inserted, b[j])
			j++
		}
	}
	add(kept, before[len(before)-tail:]...)
	return out, true
}

// commonLengths returns the length of the longest common subsequence of a[i:] and b[j:].
func commonLengths(a, b []string) func(i, j int) uint16 {
	width := len(b) + 1
	lengths := make([]uint16, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lengths[i*width+j] = lengths[(i+1)*width+j+1] + 1
			} else {
				lengths[i*width+j] = max(lengths[(i+1)*width+j], lengths[i*width+j+1])
			}
		}
	}
	return func(i, j int) uint16 { return lengths[i*width+j] }
}

// lineBreak is the word for a line break in a text.
const lineBreak = "\n"

func wordsOf(s string) []string {
	var words []string
	for i, line := range strings.Split(strings.TrimSpace(s), "\n") {
		if i > 0 {
			words = append(words, lineBreak)
		}
		words = append(words, strings.Fields(line)...)
	}
	return words
}

// changedLines draws how the text of a statement changed since the one before, or says why
// that is not shown. Deleted words are in [- -], new ones in {+ +}. The rendered
// Markdown is compared, not its source.
func (f frame) changedLines(before, after string) []string {
	shown := func(src string) []string {
		return wordsOf(ansi.Strip(strings.Join(f.prose.Render(src, markdown.Unwrapped), "\n")))
	}
	edits, ok := diffWords(shown(before), shown(after))
	switch {
	case !ok:
		return styleLines(wrapIndented("Too long to compare word by word.", f.width, "", ""), f.th.Muted)
	case len(edits) == 1 && edits[0].edit == kept:
		return styleLines(wrapIndented("The same words as in the round before.", f.width, "", ""), f.th.Muted)
	}
	w := wordWriter{width: f.width}
	for _, e := range edits {
		switch e.edit {
		case deleted:
			w.write(e.words, f.th.Danger.Strikethrough(true), "[-", "-]")
		case inserted:
			w.write(e.words, f.th.Success, "{+", "+}")
		case kept:
			w.write(e.words, f.th.Text, "", "")
		}
	}
	return w.end()
}

// wordWriter wraps words in their styles.
type wordWriter struct {
	width, cells int
	line         strings.Builder
	lines        []string
}

// write adds words, with marks before the first and after the last one. Deleted line
// breaks are left out.
func (w *wordWriter) write(words []string, style lipgloss.Style, before, after string) {
	if before == "[-" {
		words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == lineBreak })
	}
	first := slices.IndexFunc(words, func(word string) bool { return word != lineBreak })
	last := len(words) - 1
	for last >= 0 && words[last] == lineBreak {
		last--
	}
	for i, word := range words {
		if word == lineBreak {
			w.breakLine()
			continue
		}
		if i == first {
			word = before + word
		}
		if i == last {
			word += after
		}
		w.word(word, style)
	}
}

// word adds a word. One that is longer than a line is divided.
func (w *wordWriter) word(word string, style lipgloss.Style) {
	n := ansi.StringWidth(word)
	if w.cells > 0 && w.cells+1+n > w.width {
		w.breakLine()
	}
	if w.cells > 0 {
		w.line.WriteString(" ")
		w.cells++
	}
	pieces := strings.Split(ansi.Hardwrap(word, max(w.width-w.cells, 1), true), "\n")
	for i, piece := range pieces {
		if i > 0 {
			w.breakLine()
		}
		w.line.WriteString(style.Render(piece))
		w.cells += ansi.StringWidth(piece)
	}
}

func (w *wordWriter) breakLine() {
	w.lines = append(w.lines, w.line.String())
	w.line.Reset()
	w.cells = 0
}

func (w *wordWriter) end() []string {
	if w.cells > 0 {
		w.breakLine()
	}
	return w.lines
}
