package attach

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Field is a text in which a path is typed and can be completed.
type Field struct {
	// Insert puts text at the cursor; At returns the path that is typed there.
	Insert func(string) screen.Outcome
	At     func() (typed string, ok bool)
	// Tell shows how the path can go on, or why it cannot; nil shows a notice.
	Tell func(string) screen.Outcome
	// Leave goes on from what is no path; nil says that it is none.
	Leave func() screen.Outcome

	Folders bool // it takes no file
}

// completedMsg is how a path may go on.
type completedMsg struct {
	field *Field
	typed string
	paths []string
	err   error
}

// Complete returns a command that completes the path at the cursor.
func (s *Service) Complete(f *Field) tea.Cmd {
	typed, ok := f.At()
	if !ok || s.Off() {
		return nil
	}
	return func() tea.Msg {
		paths, err := s.files.Complete(s.ctx, typed)
		if f.Folders {
			paths = slices.DeleteFunc(paths, func(p string) bool { return !strings.HasSuffix(p, "/") })
		}
		return completedMsg{f, typed, paths, err}
	}
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

// completed inserts what all paths have in common; if that is nothing, it lists them.
func (f *Field) completed(msg completedMsg) screen.Outcome {
	typed, ok := f.At()
	switch {
	case !ok || typed != msg.typed: // it was changed meanwhile
		return nil
	case msg.err != nil:
		return f.tell(Refusal(msg.err))
	case len(msg.paths) == 0 && f.Leave != nil:
		return f.Leave()
	case len(msg.paths) == 0 && typed == "":
		return f.tell("There is no file here.")
	case len(msg.paths) == 0:
		return f.tell(fmt.Sprintf("No file begins with %s.", text.Clip(text.Line(typed), maxName)))
	}
	common := msg.paths[0]
	for _, p := range msg.paths {
		common = commonPrefix(common, p)
	}
	if more, ok := strings.CutPrefix(common, typed); ok && more != "" {
		return f.Insert(more)
	}
	return f.tell(choices(msg.paths, len(typed)))
}

func (f *Field) tell(words string) screen.Outcome {
	if f.Tell != nil {
		return f.Tell(words)
	}
	return screen.Tell(screen.Info, words)
}

// commonPrefix returns what two texts begin with, in whole characters.
func commonPrefix(a, b string) string {
	n := 0
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			break
		}
		n = i + len(string(r))
	}
	return a[:n]
}

// choices lists how paths go on, without the folder that they share.
func choices(paths []string, typed int) string {
	const room = 66 // so that the notice fits 80 columns
	folder := strings.LastIndexByte(paths[0][:min(typed, len(paths[0]))], '/') + 1
	words, names := "", slices.Clone(paths)
	for i, p := range names {
		name := text.Clip(text.Line(p[folder:]), maxName)
		if len(words)+len(name) > room {
			return fmt.Sprintf("%s and %d more", words, len(names)-i)
		}
		if i > 0 {
			words += "  "
		}
		words += name
	}
	return words
}
