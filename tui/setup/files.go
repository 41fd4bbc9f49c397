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

// files are the files of the debate: those that were added in their row, and those that
// the topic mentions. Contents are read when the debate begins.
type files struct {
	service *attach.Service
	paths   []string
	typed   string // the path that is being typed
	said    string // what the row says about it

	mentions attach.Mentions // of the topic
	inTopic  *attach.Field
	inRow    *attach.Field
}

// SetFiles sets what finds and reads files; without it there is no row for them.
func (f *Form) SetFiles(service *attach.Service) {
	l := &f.files
	l.service = service
	l.inTopic = l.mentions.Field(
		f.topic.Shown,
		func(more string) screen.Outcome { return l.insertInTopic(f, more) },
	)
	if !service.Off() {
		f.commands = append(f.commands, screen.Command{
			Binding: screen.Bind("attach", "ctrl+f", "attach a file"), Title: "Attach a file", Group: screen.Choosing,
			InField: true, Run: screen.Do(func() screen.Outcome { return l.attach(f) }),
		})
	}
	l.inTopic.Leave = func() screen.Outcome {
		f.Next(1)
		return nil
	}
	l.inRow = &attach.Field{
		At:     func() (string, bool) { return l.typed, l.typed != "" && f.focused == fieldFiles },
		Insert: l.insert,
		Tell: func(words string) screen.Outcome {
			l.said = words
			return nil
		},
	}
}

// Attach puts paths into the row of files.
func (f *Form) Attach(paths []string) {
	f.files.paths = slices.Clone(paths)
}

// insertInTopic inserts what begins or completes a path.
func (l *files) insertInTopic(f *Form, more string) screen.Outcome {
	return l.changeTopic(f, func() (tea.Cmd, string) { return f.topic.Paste(more) })
}

// changeTopic changes the topic, and looks for the file that is mentioned at its cursor.
func (l *files) changeTopic(f *Form, change func() (cmd tea.Cmd, refused string)) screen.Outcome {
	before := f.topic.Text()
	out := f.topicChanged(change())
	if f.topic.Text() == before {
		return out
	}
	content, line, column := f.topic.Shown()
	l.mentions.Typed(content, line, column)
	return append(out, screen.Run(l.service.LookAt(&l.mentions, content, line, column))...)
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

// completable returns the field whose path tab completes; nil if it completes none.
func (l *files) completable(f *Form) *attach.Field {
	if f.focused != fieldTopic || l.service.Off() || !l.service.Completes(l.inTopic) {
		return nil
	}
	return l.inTopic
}

// attach begins a mention in the topic, elsewhere it goes to the row of files.
func (l *files) attach(f *Form) screen.Outcome {
	if f.focused != fieldTopic {
		f.setFocus(fieldFiles)
		return nil
	}
	defer f.recordUndo(f.textState())
	return l.insertInTopic(f, attach.Beginning(f.topic.Shown()))
}

// key types a key into the row of files.
func (l *files) key(f *Form, msg tea.KeyPressMsg) screen.Outcome {
	k := msg.String()
	l.said = ""
	switch {
	case k == "enter" && l.typed == "", k == "down":
		f.Next(1)
	case k == "up":
		f.Next(-1)
	case k == "enter":
		return l.add(f, l.typed)
	case k == "backspace" && l.typed != "":
		_, n := utf8.DecodeLastRuneInString(l.typed)
		l.typed = l.typed[:len(l.typed)-n]
	case k == "backspace":
		l.paths = l.paths[:max(len(l.paths)-1, 0):max(len(l.paths)-1, 0)]
	case k == "ctrl+u":
		l.typed = ""
	case k == "right":
		return screen.Run(l.service.Complete(l.inRow))
	case msg.Text != "":
		return l.insert(safeTyped(msg.Text))
	}
	return nil
}

// insert adds to the path that is being typed. It has no @ before it, as one in a text has.
func (l *files) insert(more string) screen.Outcome {
	l.typed = firstRunes(strings.TrimPrefix(l.typed+more, "@"), maxTyped)
	return screen.Run(l.service.Look(l.typed))
}

// add reads a file to learn whether it can be attached, and adds its path.
func (l *files) add(f *Form, typed string) screen.Outcome {
	path := strings.TrimSpace(typed)
	if slices.Contains(l.paths, path) {
		l.said = text.Clip(text.Line(path), 50) + " is attached already."
		return nil
	}
	return screen.Outcome{attach.Send{
		Paths: []string{path},
		Then: func([]string, []debate.Evidence) screen.Outcome {
			before := l.state()
			if !slices.Contains(l.paths, path) {
				l.paths = append(slices.Clip(l.paths), path)
			}
			if l.typed == typed {
				l.typed = ""
			}
			f.historyAt(fieldFiles).Record(before, l.state())
			return nil
		},
		Back: func(err error) screen.Outcome {
			if err != nil {
				l.said = attach.Refusal(err)
			}
			return nil
		},
	}}
}

// state returns paths and typed text for the undo history, a line each.
func (l *files) state() input.State {
	return input.State{Text: strings.Join(append(slices.Clone(l.paths), l.typed), "\n"), Column: utf8.RuneCountInString(l.typed)}
}

// restore goes back to a state.
func (l *files) restore(s input.State) {
	lines := strings.Split(s.Text, "\n")
	n := len(lines) - 1
	l.paths, l.typed = lines[:n:n], lines[n]
}

// begin creates a debate once its files are read.
func (l *files) begin(f *Form, s debate.Session, verb string) screen.Outcome {
	paths := slices.Clone(l.paths)
	if typed := strings.TrimSpace(l.typed); typed != "" {
		paths = append(paths, typed)
	}
	if len(paths) == 0 && len(l.mentions.In(s.Topic)) == 0 || l.service.Off() {
		return screen.Outcome{Create{s, "ctrl+s", verb}}
	}
	return screen.Outcome{attach.Send{
		Texts: []string{s.Topic}, Mentions: &l.mentions, Paths: paths, Agreed: l.paths, Key: "ctrl+s",
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			s.Title = cmp.Or(titleOf(texts[0], all), s.Title)
			s.Topic, s.Evidence = texts[0], all
			return screen.Outcome{Create{s, "ctrl+s", verb}}
		},
		Back: func(err error) screen.Outcome {
			if err == nil {
				return nil
			}
			f.setFocus(fieldFiles)
			return screen.Tell(screen.Warning, attach.Refusal(err))
		},
	}}
}

// maxTitle is the most characters of a title.
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

// found returns all known files of the debate, each once.
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

// fileLines draws the files as chips, and the path that is being typed.
func (v *layout) fileLines() {
	l, focused, label := &v.files, v.focused == fieldFiles, "Files"
	put := func(value string) {
		v.addLine(focused && label != "", label, v.th.Muted, value)
		if label = ""; focused {
			v.bottom = len(v.lines) - 1
		}
	}
	for _, row := range v.chipRows() {
		put(row)
	}
	words := "none; type a path here, or @path in the topic"
	switch {
	case focused && l.typed != "":
		put(v.th.Text.Render(v.visibleTail(l.typed)))
		if v.fileRow = len(v.lines) - 1; l.said != "" {
			v.addWrapped(l.said, v.th.Warning)
		}
		return
	case focused && len(l.paths) > 0:
		words = "a further path; backspace removes the last one"
	case focused:
		words = "a path: " + v.th.Symbols.Right + " completes, enter adds"
	}
	if focused || label != "" {
		put(v.th.Faint.Render(v.th.Truncate(words, v.room())))
	}
	v.fileRow = len(v.lines) - 1
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
	paths := l.paths
	if v.focused != fieldFiles && l.typed != "" {
		paths = append(slices.Clip(paths), l.typed)
	}
	for _, p := range paths {
		put(l.service.Path(v.th, p))
	}
	return rows
}

// folder is the row of the folder that agents may look at. Its path is a text of the form, which
// no draft keeps: a database of somebody else must not name a folder.
type folder struct {
	mode debate.WorkspaceMode // "": agents look at nothing, although a path is named
	row  *attach.Field
	said string // what the row says about the path
}

// folderModes are the values that the arrow keys step through.
func folderModes() []debate.WorkspaceMode {
	return []debate.WorkspaceMode{debate.WorkspaceLocal, debate.WorkspaceClone, debate.WorkspaceContainer, ""}
}

// setWorkspace takes the workspace of the options.
func (f *Form) setWorkspace(w debate.Workspace) {
	f.texts["Workspace"], f.folder.mode = w.Dir, cmp.Or(w.Mode, debate.WorkspaceLocal)
}

func (f *Form) folderField() *attach.Field {
	return &attach.Field{
		Folders: true,
		At: func() (string, bool) {
			path := f.texts["Workspace"]
			return path, path != "" && f.focused == fieldWorkspace
		},
		Insert: func(more string) screen.Outcome { return f.setText(fieldWorkspace, f.texts["Workspace"]+more) },
		Tell: func(words string) screen.Outcome {
			f.folder.said = words
			return nil
		},
	}
}

// completesFolder reports whether the right arrow completes the path: it names nothing yet.
func (f *Form) completesFolder() bool {
	path := f.texts["Workspace"]
	_, known := f.files.service.Known(path)
	return path != "" && !known && !f.files.service.Off()
}

func (f *Form) workspace() debate.Workspace {
	dir, mode := strings.TrimSpace(f.texts["Workspace"]), f.folder.mode
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
	switch missing := cmp.Or(f.folder.said, f.files.service.Missing(path)); {
	case path == "":
		return f.th.Symbols.Right + " completes"
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
