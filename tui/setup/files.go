package setup

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
)

// files are the files of the debate: those of the command line, and those that the topic
// mentions. Contents are read when the debate begins.
type files struct {
	service  *attach.Service
	paths    []string        // of the command line
	mentions attach.Mentions // of the topic
	inTopic  *attach.Field
}

// SetFiles sets what finds and reads files; without it there is no row for them.
func (f *Form) SetFiles(service *attach.Service) { f.files.service = service }

func (f *Form) pathField() *attach.Field {
	return &attach.Field{
		Mentions: &f.files.mentions, Shown: f.topic.Shown,
		Type: func(more string) screen.Outcome { return f.files.insertInTopic(f, more) },
		Leave: func() screen.Outcome {
			f.Next(1)
			return nil
		},
	}
}

// Attach sets the files of the command line.
func (f *Form) Attach(paths []string) { f.files.paths = slices.Clone(paths) }

func (l *files) insertInTopic(f *Form, more string) screen.Outcome {
	return l.changeTopic(f, func() (tea.Cmd, string) { return f.topic.Paste(more) })
}

// begun reports whether the topic has a lone @ just before the cursor.
func (l *files) begun() bool {
	path, ok := l.inTopic.At()
	return ok && path == ""
}

// changeTopic changes the topic, and looks for the file that is mentioned at its cursor.
func (l *files) changeTopic(f *Form, change func() (cmd tea.Cmd, refused string)) screen.Outcome {
	before := f.topic.Text()
	out := f.topicChanged(change())
	if f.topic.Text() == before {
		return out
	}
	return append(out, screen.Run(l.service.Typed(l.inTopic))...)
}

// tab completes the path at the cursor, or goes to the next field.
func (l *files) tab(f *Form) screen.Outcome {
	if path := l.completable(f); path != nil {
		return screen.Run(l.service.Complete(path))
	}
	f.tab(1)
	return nil
}

func (l *files) tabHint(f *Form) string {
	if f.focused == fieldTopic {
		return "tab change"
	}
	return "tab next field"
}

func (l *files) completable(f *Form) *attach.Field {
	if f.focused != fieldTopic || !l.service.Completes(l.inTopic) {
		return nil
	}
	return l.inTopic
}

// mention begins a path behind the topic.
func (l *files) mention(f *Form) screen.Outcome {
	f.setFocus(fieldTopic)
	f.topic.MoveToEnd()
	defer f.recording()()
	return l.insertInTopic(f, " @")
}

func (l *files) removeLast() { l.paths = slices.Clip(l.paths[:max(len(l.paths)-1, 0)]) }

// begin creates a debate once its files are read.
func (l *files) begin(f *Form, s debate.Session) screen.Outcome {
	return l.service.Begin(attach.Send{
		Texts: []string{s.Topic}, Mentions: &l.mentions, Paths: l.paths, Key: "ctrl+s",
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			s.Title = cmp.Or(titleOf(texts[0], all), s.Title)
			s.Topic, s.Evidence = texts[0], all
			return screen.Outcome{Create{s}}
		},
		Back: func(err error) screen.Outcome {
			if err == nil {
				return nil
			}
			f.setFocus(fieldFiles)
			return screen.Tell(screen.Warning, attach.Refusal(err))
		},
	})
}

const maxTitle = 300

// titleOf returns the title of a debate whose topic names evidence by its ids: the names in
// their place. It is "" where the topic names none.
func titleOf(topic string, all []debate.Evidence) string {
	title := topic
	for _, e := range all {
		title = strings.ReplaceAll(title, "["+e.ID+"]", e.Name)
	}
	if title == topic {
		return ""
	}
	return text.Clip(text.Line(title), maxTitle)
}

func (l *files) found(topic string) []attach.Found {
	var out []attach.Found
	for _, p := range l.paths {
		if f, ok := l.service.Known(p); ok {
			out = append(out, f)
		}
	}
	return append(out, l.mentioned(topic)...)
}

// mentioned returns the files that the topic mentions and that are not in the row.
func (l *files) mentioned(topic string) []attach.Found {
	return slices.DeleteFunc(l.service.In(&l.mentions, topic), func(f attach.Found) bool { return slices.Contains(l.paths, f.Path) })
}

// missing says which file that a text mentions was looked for and is not there.
func (l *files) missing(topic string) string {
	for _, m := range l.mentions.In(topic) {
		paths := m.Paths()
		gone := func(path string) bool { return l.service.Missing(path) != "" }
		if _, found := l.service.Of(m); !found && slices.ContainsFunc(paths, gone) {
			return "@" + text.Clip(text.Line(paths[len(paths)-1]), 50) + " is not here."
		}
	}
	return ""
}

func (v *layout) fileLines() {
	rows := v.chipRows()
	if len(rows) == 0 {
		rows = []string{v.th.Faint.Render(v.th.Truncate("none; type @path in the topic", v.room()))}
	}
	for i, row := range rows {
		label := "Files"
		if i > 0 {
			label = ""
		}
		v.addLine(i == 0 && v.focused == fieldFiles, label, v.th.Muted, row)
	}
	if v.focused == fieldFiles {
		if v.bottom = len(v.lines) - 1; len(v.files.paths) > 0 {
			v.addWrapped("backspace removes the last file of the command line", v.th.Faint)
		}
	}
}

func (v *layout) chipRows() []string {
	l := &v.files
	var rows []string
	used := 0
	put := func(words string, warns bool) {
		style := v.th.Text
		if warns {
			style = v.th.Warning
		}
		words = v.th.Truncate(words, v.room())
		w := ansi.StringWidth(words)
		if used == 0 || used+1+w > v.room() {
			rows, used = append(rows, ""), 0
		} else {
			rows[len(rows)-1] += " "
			used++
		}
		rows[len(rows)-1] += style.Render(words)
		used += w
	}
	for _, f := range l.mentioned(v.topic.Text()) { // first, so that backspace removes the last chip
		put(attach.Chip(v.th, "@", f), f.Warning() != "")
	}
	for _, p := range l.paths {
		put(l.service.Path(v.th, p))
	}
	return rows
}

func folderModes() []debate.WorkspaceMode {
	return []debate.WorkspaceMode{debate.WorkspaceLocal, debate.WorkspaceClone, debate.WorkspaceContainer, ""}
}

func (f *Form) setWorkspace(w debate.Workspace) {
	f.texts["Workspace"], f.folderMode = w.Dir, cmp.Or(w.Mode, debate.WorkspaceLocal)
}

func (f *Form) workspace() debate.Workspace {
	dir, mode := strings.TrimSpace(f.texts["Workspace"]), f.folderMode
	if dir == "" || mode == "" {
		return debate.Workspace{}
	}
	return debate.Workspace{Dir: dir, Mode: mode, Commands: f.options.Workspace.Commands && mode != debate.WorkspaceLocal}
}

// folderNote says what agents can do in the folder, or why they cannot look at it.
func (f *Form) folderNote() string {
	path, w := f.texts["Workspace"], f.workspace()
	found, known := f.files.service.Known(path)
	words := "none: seats see no files"
	switch missing := f.files.service.Missing(path); {
	case path == "":
		return ""
	case known && found.Kind != debate.EvidenceFolder:
		return text.Clip(text.Line(path), 50) + " is no folder."
	case missing != "":
		return missing
	case w.Mode == debate.WorkspaceLocal:
		words = "seats may read it"
	case w.Mode == debate.WorkspaceClone:
		words = "each seat has a git clone of it"
	case w.Mode == debate.WorkspaceContainer:
		words = "each seat has a container with a clone of it"
	}
	if w.Commands {
		words += "; commands ask you first"
	}
	return words
}
