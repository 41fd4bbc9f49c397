package attach

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Field is a text in which a path is typed and can be completed.
type Field struct {
	Mentions *Mentions                              // of the text
	Shown    func() (text string, line, column int) // the text and its cursor, as for Mentions.Typed
	Type     func(more string) screen.Outcome       // puts text at the cursor
	Leave    func() screen.Outcome                  // follows when no path begins with what is typed
}

// At returns the path of the typed mention that ends at the cursor, to complete it. An @ alone
// is the beginning of any path.
func (f *Field) At() (typed string, ok bool) {
	text, line, column := f.Shown()
	at, ok := mentionAt(text, line, column)
	if !ok || at.To != offset(text, line, column) || at.Word != "" && !slices.Contains(f.Mentions.words, at.Word) {
		return "", false
	}
	return at.Unescaped(), true
}

// Insert puts the rest of a path at the cursor.
func (f *Field) Insert(more string) screen.Outcome { return f.Type(cite.EscapeMention(more)) }

// Typed follows a key: it notes the mention at the cursor, and returns a command that finds it.
func (s *Service) Typed(f *Field) tea.Cmd {
	text, line, column := f.Shown()
	f.Mentions.Typed(text, line, column)
	at, ok := mentionAt(text, line, column)
	if !ok || at.Word == "" {
		return nil
	}
	return s.Look(at.Paths()...)
}

// Complete returns a command that completes the path at the cursor.
func (s *Service) Complete(f *Field) tea.Cmd {
	typed, ok := f.At()
	if !ok || s.Off() {
		return nil
	}
	return func() tea.Msg {
		paths, _ := s.files.Complete(s.ctx, typed) // what cannot be read completes nothing
		return screen.Then(func() screen.Outcome { return f.completed(typed, paths) })
	}
}

// completed inserts the rest of the only path, or asks which of several it is.
func (f *Field) completed(typed string, paths []string) screen.Outcome {
	now, ok := f.At()
	switch {
	case !ok || now != typed: // it was changed meanwhile
		return nil
	case len(paths) == 0:
		return f.Leave()
	}
	insert := func(path string) screen.Outcome { return f.Insert(strings.TrimPrefix(path, typed)) }
	if len(paths) == 1 {
		return insert(paths[0])
	}
	m := screen.Menu{Title: "Files"}
	for _, p := range paths {
		m.All = append(m.All, screen.Entry{Name: p, Do: func() screen.Outcome { return insert(p) }})
	}
	return screen.Outcome{m}
}

// Completes reports whether tab completes a path: one is typed at the cursor, and it
// names no file yet.
func (s *Service) Completes(f *Field) bool {
	typed, ok := f.At()
	if !ok || s.Off() {
		return false
	}
	found, known := s.Known(typed)
	return !known || found.Kind == debate.EvidenceFolder
}

// Mentions are the @paths that the user typed in a text. Pasted words do not count
// until a key changes them. The zero value has none.
type Mentions struct{ words []string }

// Typed notes, after a key, that the word which ends at the cursor or has it was typed.
// Line and column count from 0, the column in characters.
func (m *Mentions) Typed(text string, line, column int) {
	if at, ok := mentionAt(text, line, column); ok && at.Word != "" && !slices.Contains(m.words, at.Word) {
		m.words = append(m.words, at.Word)
	}
}

// Add notes that a word was typed in another way.
func (m *Mentions) Add(words ...string) { m.words = append(m.words, words...) }

// In returns the mentions in a text, in order.
func (m *Mentions) In(text string) []cite.Mention {
	return slices.DeleteFunc(cite.Mentions(text), func(one cite.Mention) bool {
		return one.Word == "" || !slices.Contains(m.words, one.Word)
	})
}

// mentionAt returns the @word that has the cursor in it or at its end.
func mentionAt(text string, line, column int) (cite.Mention, bool) {
	at := offset(text, line, column)
	for _, one := range cite.Mentions(text) {
		if one.From < at && at <= one.To {
			return one, true
		}
	}
	return cite.Mention{}, false
}

func offset(text string, line, column int) int {
	lines := strings.SplitAfter(text, "\n")
	line = min(line, len(lines)-1)
	runes := []rune(lines[line])
	return len(strings.Join(lines[:line], "")) + len(string(runes[:min(column, len(runes))]))
}

// Chip returns a file as a chip, such as "[notes.md · 3.1 KB]", made safe. lead is put before
// the name.
func Chip(th *theme.Theme, lead string, f Found) string {
	words := []string{lead + Short(f.Name, maxName)}
	if f.Kind != debate.EvidenceFile {
		words = append(words, text.Line(string(f.Kind)))
	}
	if f.Size > 0 {
		words = append(words, text.Bytes(f.Size))
	}
	if why := f.Warning(); why != "" {
		words = append(words, why)
	}
	return "[" + strings.Join(words, " "+th.Symbols.Sep+" ") + "]"
}

// Warning says what the user should know before it is attached, such as "may hold secrets";
// "" if nothing.
func (f Found) Warning() string {
	if f.Kind == debate.EvidenceFile && f.Size > debate.MaxEvidenceSize {
		return "too large, at most " + text.Bytes(debate.MaxEvidenceSize)
	}
	return text.Line(f.Ask)
}

// Path returns the chip of a path, and whether it needs the user's attention: it may be of
// any kind, missing, or not looked up yet.
func (s *Service) Path(th *theme.Theme, path string) (chip string, warns bool) {
	f, ok := s.Known(path)
	switch {
	case s.Missing(path) != "":
		f = Found{Name: path, Kind: debate.EvidenceFile, Ask: "not found"}
	case !ok:
		f = Found{Name: path, Kind: debate.EvidenceFile, Ask: "?"}
	}
	return Chip(th, "", f), f.Warning() != ""
}

// Chips returns the first file as a chip, and how many more there are.
func Chips(th *theme.Theme, all []Found) string {
	first := Chip(th, "", all[0])
	if len(all) > 1 {
		return fmt.Sprintf("%s and %d more", first, len(all)-1)
	}
	return first
}
