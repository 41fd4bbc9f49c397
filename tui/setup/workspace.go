package setup

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// folder is the row of the folder that agents may look at. A draft does not keep it: a
// database of somebody else must not name one.
type folder struct {
	path string
	mode debate.WorkspaceMode // "": agents look at nothing, although a path is named
	row  *attach.Field
}

// folderModes are the values that the arrow keys step through.
func folderModes() []debate.WorkspaceMode {
	return []debate.WorkspaceMode{debate.WorkspaceLocal, debate.WorkspaceClone, debate.WorkspaceContainer, ""}
}

// set takes the workspace of the options.
func (l *folder) set(w debate.Workspace) {
	l.path, l.mode = w.Dir, cmp.Or(w.Mode, debate.WorkspaceLocal)
}

// field returns the row as a text in which folders are completed.
func (l *folder) field(f *Form) *attach.Field {
	return &attach.Field{
		Folders: true,
		At:      func() (string, bool) { return l.path, l.path != "" && f.focused == fieldWorkspace },
		Insert: func(more string) screen.Outcome {
			l.path = firstRunes(l.path+more, maxPath)
			return nil
		},
		Leave: func() screen.Outcome {
			f.Next(1)
			return nil
		},
	}
}

// key types a key into the row.
func (l *folder) key(f *Form, msg tea.KeyPressMsg) {
	switch k := msg.String(); {
	case k == "enter", k == "down":
		f.Next(1)
	case k == "up":
		f.Next(-1)
	case k == "right":
		l.step(1)
	case k == "left":
		l.step(-1)
	case k == "backspace":
		_, n := utf8.DecodeLastRuneInString(l.path)
		l.path = l.path[:len(l.path)-n]
	case k == "ctrl+u":
		l.path = ""
	case msg.Text != "":
		l.path = firstRunes(l.path+safeTyped(msg.Text), maxPath)
	}
}

// step selects the next mode, or with -1 the previous one.
func (l *folder) step(n int) {
	all := folderModes()
	l.mode = all[(slices.Index(all, l.mode)+n+len(all))%len(all)]
}

// workspace returns the workspace as filled in.
func (l *folder) workspace(o Options) debate.Workspace {
	dir := strings.TrimSpace(l.path)
	if dir == "" || l.mode == "" {
		return debate.Workspace{}
	}
	return debate.Workspace{Dir: dir, Mode: l.mode, Commands: o.Workspace.Commands && l.mode != debate.WorkspaceLocal}
}

// state returns the typed path for the undo history.
func (l *folder) state() input.State {
	return input.State{Text: l.path, Column: utf8.RuneCountInString(l.path)}
}

// workspaceLine draws the folder that agents may look at. While the row has the focus, a
// line below says what the mode is.
func (v *layout) workspaceLine() {
	if !v.hasField(fieldWorkspace) {
		return
	}
	const label = "Workspace"
	w, put := v.folder.workspace(v.options), func(words string) {
		v.addField(fieldWorkspace, label, v.th.Text.Render(v.th.Truncate(words, v.room())))
	}
	faint := func(words string) string { return v.th.Faint.Render(v.th.Truncate(words, v.room())) }
	switch {
	case v.focused == fieldWorkspace && v.folder.path == "":
		v.addField(fieldWorkspace, label, faint("a folder that agents may read; tab completes"))
	case v.focused == fieldWorkspace:
		put(v.visibleTail(text.Line(v.folder.path)))
		words := ansi.Truncate(workspaceText(w), v.room(), v.th.Symbols.Cut)
		v.addMore(fieldWorkspace, "", v.valueTheme(fieldWorkspace).Text.Render(words))
	case v.folder.path == "":
		v.addField(fieldWorkspace, label, faint("none; type a folder that agents may read"))
	case w.Dir == "":
		put(workspaceText(w))
	default:
		put(text.Line(w.Dir) + ": " + workspaceText(w))
	}
}

// workspaceText says what agents can do in a workspace.
func workspaceText(w debate.Workspace) string {
	words := "none: agents see no files"
	switch w.Mode {
	case debate.WorkspaceLocal:
		words = "agents may read it"
	case debate.WorkspaceClone:
		words = "each agent has a git clone of it"
	case debate.WorkspaceContainer:
		words = "each agent has a container with a clone of it"
	}
	if w.Commands {
		words += "; commands ask you first"
	}
	return words
}
