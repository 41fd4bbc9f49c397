package tui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// commonCommand is a command of the shell itself, on the screens where it makes sense.
type commonCommand struct {
	screen.Command
	on func() bool
}

// commonCommands work on every screen, or on most.
func (m *Model) commonCommands() []commonCommand {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	run := func(f func() tea.Cmd) func(string) screen.Outcome {
		return func(string) screen.Outcome { return screen.Run(f()) }
	}
	anywhere := func() bool { return true }
	offForm := func() bool { return !m.onForm() }
	onLists := func() bool { return m.base() == m.lobby.home || m.base() == m.lobby.first }
	inDebate := func() bool { return !m.onForm() && !m.lobby.owns(m.base()) }
	all := []commonCommand{
		{screen.Command{Binding: bind(k("q"), "q", "quit"), Hint: screen.Say("q quit"), Rank: 4, Run: run(m.quit)}, onLists},
		{screen.Command{Binding: bind(k("q"), "q", "to home; there: quit"), Title: "Leave the debate for the list", Run: run(m.leave)}, inDebate},
		{screen.Command{Binding: bind(k("ctrl+p", ":"), "ctrl+p  :", "commands"), Hint: screen.Say("ctrl+p commands"), Rank: 7, AtEnd: true, Run: run(m.openPalette)}, offForm},
		{screen.Command{Binding: bind(k("ctrl+p"), "", ""), InField: true, Hint: m.formHint("ctrl+p commands, help"), Rank: 7, AtEnd: true, Run: run(m.openPalette)}, anywhere},
		{screen.Command{Binding: bind(k("esc"), "esc", "close, never quits"), InField: true, Hint: m.backHint, Rank: 2, AtEnd: true, Run: run(m.escape)}, anywhere},
		{screen.Command{Binding: bind(k("ctrl+c"), "ctrl+c", "quit; all is saved"), Title: "Quit", InField: true, Hint: m.formHint("ctrl+c quit, all is saved"), Rank: 8, Run: run(m.quit)}, anywhere},
		{screen.Command{Binding: bind(k("ctrl+z"), "ctrl+z", "suspend, between rounds"), Title: "Suspend", InField: true, Why: m.noSuspend, Run: run(m.suspend)}, func() bool { return m.deps.Suspend != nil }},
		{screen.Command{Binding: bind(input.UndoKeys(), "ctrl+_", "undo typing; ctrl+/ too"), InField: true, Why: m.noTyping, Run: do(m.undoTyping)}, m.hasUndo},
		{screen.Command{Binding: bind(k("?"), "?", "this help"), Title: "Help", Hint: screen.Say("? help"), Rank: 1, AtEnd: true, Run: run(m.openHelp)}, offForm},
	}
	for i := range all {
		all[i].Group = screen.Always
	}
	return all
}

// sharedCommands are those that several screens of a session list.
func (m *Model) sharedCommands() map[screen.Shared]screen.Command {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	shared := map[screen.Shared]screen.Command{
		screen.ToolLog:    {Binding: bind(k("t"), "t", "tool log"), Title: "Tool log", Group: screen.Looking, Hint: screen.Say("t tools"), Rank: 8, Why: m.noTools, Run: do(m.openLog)},
		screen.Transcript: {Binding: bind(k("o"), "o", "transcript in $PAGER"), Title: "Open the transcript in $PAGER", Group: screen.Looking, Why: m.noTranscript, Run: do(m.openTranscript)},
		screen.Sessions: {
			Binding: bind(k("s"), "s", "sessions"), Title: "Sessions", Group: screen.Always,
			Run: func(string) screen.Outcome { return screen.Run(m.goHome()) },
		},
	}
	if m.deps.Export != nil {
		shared[screen.Export] = screen.Command{
			Binding: bind(k("e"), "e", "export md, json, html"), Title: "Export", Group: screen.Always,
			Hint: m.exportHint, Rank: 5, Why: m.noExport, Run: do(m.askExport),
		}
	}
	return shared
}

// addShared adds the commands of the debate that is open.
func (m *Model) addShared() { maps.Copy(m.shared, m.open.debate.Shared()) }

// commands lists what can be done on the screen that is shown, in the order of help,
// palette and bottom line.
func (m *Model) commands() []screen.Command {
	all := m.resolve(m.top())
	for _, c := range m.common {
		if c.on() {
			all = append(all, c.Command)
		}
	}
	return all
}

// resolve lists a screen's commands with those that the shell provides.
func (m *Model) resolve(s screen.Screen) []screen.Command {
	own := s.Commands()
	all := make([]screen.Command, 0, len(own)+len(m.common))
	for _, c := range own {
		if c.Shared != 0 {
			var ok bool
			if c, ok = m.shared[c.Shared]; !ok {
				continue
			}
		}
		all = append(all, c)
	}
	return all
}

// reason says why a command cannot run now; "" when it can.
func (m *Model) reason(c screen.Command) string {
	if m.deps.ReadOnly != "" && (c.Writes || c.Group == screen.Steering) {
		return "Debates can be read here; nothing can be saved: " + m.deps.ReadOnly + "."
	}
	if c.Why == nil {
		return ""
	}
	return c.Why()
}

// command returns the command of a key on the screen that is shown, whether it can
// run or not. While text is typed only those for fields count.
func (m *Model) command(pressed string) (screen.Command, bool) {
	all, typing := m.commands(), m.typing()
	i := slices.IndexFunc(all, func(c screen.Command) bool {
		return (c.InField || !typing) && slices.Contains(c.Keys(), pressed)
	})
	if i < 0 {
		return screen.Command{}, false
	}
	return all[i], true
}

// runCommand runs a command, or says why it cannot run.
func (m *Model) runCommand(c screen.Command, pressed string) tea.Cmd {
	if why := m.reason(c); why != "" {
		m.tell(screen.Info, why)
		return nil
	}
	return m.perform(c.Run(pressed))
}

func (m *Model) formHint(hint string) func() string {
	return func() string {
		if m.onForm() {
			return hint
		}
		return ""
	}
}

func (m *Model) backHint() string { return m.top().BackHint() }

func (m *Model) exportHint() string {
	if m.open != nil && m.top() == m.open.verdict {
		return "e export"
	}
	return ""
}

// openLog shows the tool log at its newest call.
func (m *Model) openLog() screen.Outcome {
	m.open.log.Follow()
	m.push(m.open.log)
	return nil
}

func (m *Model) noTools() string {
	if m.open.log.Empty() {
		return "No tool was used, and nothing was told."
	}
	return ""
}

// escape closes what lies on top; it never quits and never loses text.
func (m *Model) escape() tea.Cmd {
	var cmd tea.Cmd
	if m.prompting() != nil {
		cmd = m.closePrompt()
	} else {
		cmd = m.perform(m.top().Back())
	}
	if m.open != nil && !screen.TooSmall(m.w, m.h) {
		m.open.debate.Arrange()
	}
	return cmd
}

// hasUndo reports whether there may be text here whose changes can be taken back.
func (m *Model) hasUndo() bool {
	_, ok := m.top().(screen.Undoer)
	return ok || m.onSession()
}

func (m *Model) noTyping() string {
	p := m.prompting()
	u, ok := m.top().(screen.Undoer)
	if ok && u.CanUndo() || p != nil && !p.NoHistory {
		return ""
	}
	return "There is no text here to undo."
}

// undoTyping takes back the last change of the text that has the focus.
func (m *Model) undoTyping() screen.Outcome {
	var out screen.Outcome
	undone := false
	if p := m.prompting(); p != nil {
		undone = p.undo()
	} else if u, ok := m.top().(screen.Undoer); ok {
		out, undone = u.Undo()
	}
	if !undone {
		return screen.Tell(screen.Info, "Nothing more to undo in this text.")
	}
	return out
}
