package setup

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// maxPath is the largest length of a typed path in characters.
const maxPath = 1000

// files are the files of the debate: those that were added in their row, and those that
// the topic mentions. Contents are read when the debate begins.
type files struct {
	service  *attach.Service
	paths    []string
	selected int    // of paths; their number: none
	typed    string // the path that is being typed
	said     string // what the row says about it

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
	f.files.paths, f.files.selected = slices.Clone(paths), len(paths)
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
	if l.completable(f) != nil {
		return "tab complete path"
	}
	return "tab next field"
}

// completable returns the field whose path tab completes; nil if it completes none.
func (l *files) completable(f *Form) *attach.Field {
	if f.focused != fieldTopic || !l.service.Completes(l.inTopic) {
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
	case k == "backspace" || k == "delete":
		l.remove()
	case k == "ctrl+u":
		l.typed = ""
	case k == "left" && l.typed == "":
		l.selected = max(l.selected-1, 0)
	case k == "right" && l.typed != "":
		return screen.Run(l.service.Complete(l.inRow))
	case k == "right":
		l.selected = min(l.selected+1, len(l.paths))
	case msg.Text != "":
		return l.insert(safeTyped(msg.Text))
	}
	return nil
}

// insert adds to the path that is being typed. It has no @ before it, as one in a text has.
func (l *files) insert(more string) screen.Outcome {
	l.typed, l.selected = firstRunes(strings.TrimPrefix(l.typed+more, "@"), maxPath), len(l.paths)
	return screen.Run(l.service.Look(l.typed))
}

// remove removes the selected file, or the last one.
func (l *files) remove() {
	if at := min(l.selected, len(l.paths)-1); at >= 0 {
		l.paths = slices.Delete(slices.Clone(l.paths), at, at+1)
		l.selected = min(l.selected, len(l.paths))
	}
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
			l.selected = len(l.paths)
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
	l.paths, l.typed, l.selected = lines[:n:n], lines[n], n
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

// fileLines draws the files as chips, and the path that is being typed.
func (v *layout) fileLines() {
	l := &v.files
	if !v.hasField(fieldFiles) {
		return
	}
	focused, label := v.focused == fieldFiles, "Files"
	put := func(value string) {
		if label != "" {
			v.addField(fieldFiles, label, value)
		} else {
			v.addMore(fieldFiles, "", value)
		}
		label = ""
	}
	for _, row := range v.chipRows() {
		put(row)
	}
	switch {
	case focused && l.typed != "":
		put(v.th.Text.Render(v.visibleTail(l.typed)))
		v.fileRow = len(v.lines) - 1
		if l.said != "" {
			for _, row := range theme.Wrap(l.said, v.room()) {
				put(v.th.Warning.Render(row))
			}
		}
		return
	case focused && len(l.paths) > 0:
		arrows := v.th.Symbols.Left + " " + v.th.Symbols.Right
		put(v.th.Faint.Render(v.th.Truncate("a further path; backspace removes, "+arrows+" select", v.room())))
	case focused:
		put(v.th.Faint.Render(v.th.Truncate("a path: "+v.th.Symbols.Right+" completes, enter adds", v.room())))
	case label != "":
		put(v.th.Faint.Render(v.th.Truncate("none; type a path here, or @path in the topic", v.room())))
	}
	v.fileRow = len(v.lines) - 1
}

// style returns the style of a chip.
func (l *files) style(th *theme.Theme, warns bool) lipgloss.Style {
	if warns {
		return th.Warning
	}
	return th.Text
}

func (v *layout) chipRows() []string {
	l := &v.files
	var rows []string
	used := 0
	put := func(words string, style lipgloss.Style) {
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
		put(attach.Chip(v.th, "@", f), l.style(v.th, f.Warning() != ""))
	}
	paths := l.paths
	if v.focused != fieldFiles && l.typed != "" {
		paths = append(slices.Clip(paths), l.typed)
	}
	for i, p := range paths {
		th := v.th
		if v.focused == fieldFiles && i == l.selected {
			th = v.th.Selected()
		}
		chip, warns := l.service.Path(v.th, p)
		put(chip, l.style(th, warns))
	}
	return rows
}

// folder is the row of the folder that agents may look at. A draft does not keep it: a
// database of somebody else must not name one.
type folder struct {
	path string
	mode debate.WorkspaceMode // "": agents look at nothing, although a path is named
	row  *attach.Field
	said string // what the row says about the path
}

// folderModes are the values that the arrow keys step through.
func folderModes() []debate.WorkspaceMode {
	return []debate.WorkspaceMode{debate.WorkspaceLocal, debate.WorkspaceClone, debate.WorkspaceContainer, ""}
}

// set takes the workspace of the options.
func (l *folder) set(w debate.Workspace) {
	l.path, l.mode = w.Dir, cmp.Or(w.Mode, debate.WorkspaceLocal)
}

func (l *folder) field(f *Form) *attach.Field {
	return &attach.Field{
		Folders: true,
		At:      func() (string, bool) { return l.path, l.path != "" && f.focused == fieldWorkspace },
		Insert: func(more string) screen.Outcome {
			return l.change(f, l.path+more)
		},
		Tell: func(words string) screen.Outcome {
			l.said = words
			return nil
		},
	}
}

// change replaces the path, and finds out what the new one names.
func (l *folder) change(f *Form, path string) screen.Outcome {
	l.path, l.said = firstRunes(path, maxPath), ""
	if l.path == "" {
		return nil
	}
	return screen.Run(f.files.service.Look(l.path))
}

// completes reports whether the right arrow completes the path: it names nothing yet.
func (l *folder) completes(service *attach.Service) bool {
	_, known := service.Known(l.path)
	return l.path != "" && !known && !service.Off()
}

// says returns why no agent can look at the path, or how it could be completed.
func (l *folder) says(service *attach.Service) string {
	if found, ok := service.Known(l.path); ok && found.Kind != debate.EvidenceFolder {
		return text.Clip(text.Line(l.path), 50) + " is no folder."
	}
	return cmp.Or(l.said, service.Missing(l.path))
}

// step selects the next mode, or with -1 the previous one.
func (l *folder) step(n int) {
	l.mode = step(folderModes(), l.mode, n)
}

func (l *folder) workspace(o Options) debate.Workspace {
	dir := strings.TrimSpace(l.path)
	if dir == "" || l.mode == "" {
		return debate.Workspace{}
	}
	return debate.Workspace{Dir: dir, Mode: l.mode, Commands: o.Workspace.Commands && l.mode != debate.WorkspaceLocal}
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
	is, style := workspaceText(w), v.valueTheme(fieldWorkspace).Text
	if said := v.folder.says(v.files.service); said != "" && v.folder.path != "" {
		is, style = said, v.th.Warning
	}
	faint := func(words string) string { return v.th.Faint.Render(v.th.Truncate(words, v.room())) }
	switch {
	case v.focused == fieldWorkspace && v.folder.path == "":
		v.addField(fieldWorkspace, label, faint("a folder that seats may read; "+v.th.Symbols.Right+" completes"))
	case v.focused == fieldWorkspace:
		put(v.visibleTail(text.Line(v.folder.path)))
		v.addMore(fieldWorkspace, "", style.Render(ansi.Truncate(is, v.room(), v.th.Symbols.Cut)))
	case v.folder.path == "":
		v.addField(fieldWorkspace, label, faint("none; type a folder that seats may read"))
	case w.Dir == "":
		put(is)
	default:
		put(text.Line(w.Dir) + ": " + is)
	}
}

// workspaceText says what agents can do in a workspace.
func workspaceText(w debate.Workspace) string {
	words := "none: seats see no files"
	switch w.Mode {
	case debate.WorkspaceLocal:
		words = "seats may read it"
	case debate.WorkspaceClone:
		words = "each seat has a git clone of it"
	case debate.WorkspaceContainer:
		words = "each seat has a container with a clone of it"
	}
	if w.Commands {
		words += "; commands ask you first"
	}
	return words
}
