package pane

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/aymanbagabas/go-udiff"
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

// lineBreak is the word for a line break in a text.
const lineBreak = ""

// diffWords returns how a text became another, word by word. Both have a word in each line.
func diffWords(before, after string) []wordEdit {
	var out []wordEdit
	add := func(e edit, lines string) {
		if lines != "" {
			out = append(out, wordEdit{e, strings.Split(strings.TrimSuffix(lines, "\n"), "\n")})
		}
	}
	at := 0
	for _, e := range udiff.Lines(before, after) {
		add(kept, before[at:e.Start])
		add(deleted, before[e.Start:e.End])
		add(inserted, e.New)
		at = e.End
	}
	add(kept, before[at:])
	return out
}

// wordsOf returns the words of a text, each in a line of its own, and an empty line for each
// line break.
func wordsOf(s string) string {
	var words []string
	for i, line := range strings.Split(strings.TrimSpace(s), "\n") {
		if i > 0 {
			words = append(words, lineBreak)
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, "\n") + "\n"
}

// changedLines draws how the text of a statement changed since the one before. Deleted words are in [- -], new ones in {+ +}. The rendered
// Markdown is compared, not its source.
func (f frame) changedLines(before, after string) []string {
	shown := func(src string) string {
		return wordsOf(ansi.Strip(strings.Join(f.prose.Render(src, markdown.Unwrapped), "\n")))
	}
	edits := diffWords(shown(before), shown(after))
	if len(edits) == 1 && edits[0].edit == kept {
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
