package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// commonCommands work on all screens, or on most.
func (m *Model) commonCommands() []commonCommand {
	k, bind := screen.Keys, screen.Bind
	offForm := func() bool { return !m.stack.onForm() }
	onLists := func() bool { return m.stack.base() == m.launcher.home || m.stack.base() == m.launcher.first }
	inDebate := func() bool { return !m.stack.onForm() && !m.launcher.owns(m.stack.base()) }
	canCopy := func() bool { return m.deps.SaveCopy != nil }
	hasTools := func() bool { return m.deps.Tools != nil }
	canSuspend := func() bool { return m.deps.Suspend != nil }
	all := []commonCommand{
		{on: onLists, Command: screen.Command{
			Binding: bind(k("q"), "q", "quit"),
			Hint:    screen.Say("q quit"), Rank: 4, Run: runKey(m.quit),
		}},
		{on: inDebate, Command: screen.Command{
			Binding: bind(k("q"), "q", "home, then quit"), Title: "Leave the debate and show the list",
			Run: run(m.leave),
		}},
		{on: offForm, Command: screen.Command{
			Binding: bind(k("ctrl+p", ":"), "ctrl+p  :", "commands"),
			Hint:    screen.Say("ctrl+p commands"), Rank: 7, AtEnd: true, Run: run(m.openPalette),
		}},
		{Command: screen.Command{
			Binding: bind(k("ctrl+p"), "", ""), InField: true,
			Hint: m.stack.formHint("ctrl+p commands, help"), Rank: 7, AtEnd: true, Run: run(m.openPalette),
		}},
		{Command: screen.Command{
			Binding: bind(k("esc"), "esc", "close, never quits"), InField: true,
			Hint: m.stack.backHint, Rank: 2, AtEnd: true, Run: run(m.escape),
		}},
		{Command: screen.Command{
			Binding: bind(k("ctrl+c"), "ctrl+c", "quit; all is saved"), Title: "Quit", Also: "exit", InField: true,
			Hint: m.stack.formHint("ctrl+c quit, all is saved"), Rank: 8, Run: runKey(m.quit),
		}},
		{on: m.stack.hasQuestion, Command: screen.Command{
			Binding: bind(k("Q"), "Q", "the whole question"), Title: "Show the whole question", Run: screen.Do(m.stack.openQuestion),
		}},
		{on: canSuspend, Command: screen.Command{
			Binding: bind(k("ctrl+z"), "ctrl+z", "suspend, between rounds"), Title: "Suspend", InField: true,
			Why: m.noSuspend, Run: run(m.suspend),
		}},
		{on: canCopy, Command: screen.Command{
			Title: "Save a copy of all debates", Also: "backup", InField: true, Run: screen.Do(m.database.saveCopy),
		}},
		{on: hasTools, Command: screen.Command{Title: "Approve changed tools", InField: true, Run: screen.Do(m.tools.look)}},
		{on: m.stack.hasUndo, Command: screen.Command{
			Binding: bind(input.UndoKeys(), "ctrl+_", "undo typing; ctrl+/ too"), InField: true,
			Why: m.stack.noUndo, Run: screen.Do(m.stack.undo),
		}},
		{on: offForm, Command: screen.Command{
			Binding: bind(k("?"), "?", "this help"), Title: "Help",
			Hint: screen.Say("? help"), Rank: 1, AtEnd: true, Run: run(m.openHelp),
		}},
	}
	for i := range all {
		all[i].Group = screen.Always
	}
	return all
}

// run makes the action of a command of a function of the shell.
func run(f func() tea.Cmd) func(string) screen.Outcome {
	return func(string) screen.Outcome { return screen.Run(f()) }
}

// runKey makes the action of a command of a function of the shell that needs the key.
func runKey(f func(string) tea.Cmd) func(string) screen.Outcome {
	return func(pressed string) screen.Outcome { return screen.Run(f(pressed)) }
}

// sharedCommands are listed by several screens of a session.
func (m *Model) sharedCommands() map[screen.Shared]screen.Command {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	shared := map[screen.Shared]screen.Command{
		screen.ToolLog: {
			Binding: bind(k("t"), "t  l", "tool log, evidence"), Title: "Tool log", Group: screen.Looking,
			Hint: screen.Say("t tools"), Rank: 8, Why: m.stack.noTools, Run: do(m.stack.openLog),
		},
		screen.Approvals: {
			Binding: bind(k("A"), "A", "commands to approve"), Title: "Commands to approve", Group: screen.Answering,
			Hint: m.stack.approvalsHint, Rank: 1, Urgent: m.stack.commandsWait, Run: do(m.stack.openApprovals),
		},
		screen.Evidence: {
			Binding: bind(k("l"), "", ""), Title: "Evidence", Group: screen.Looking, Why: m.stack.noEvidence,
			Run: do(m.stack.openEvidence),
		},
		screen.Transcript: {
			Binding: bind(k("o"), "o", "transcript in $PAGER"), Title: "Open the transcript in $PAGER", Group: screen.Looking,
			Why: m.outside.noTranscript, Run: do(m.outside.openTranscript),
		},
		screen.NewDebate: {
			Binding: bind(k("n"), "n", "new debate"), Title: "New debate", Also: "run start", Group: screen.Choosing,
			Hint: m.stack.newDebateHint, Rank: 1, Run: do(m.launcher.newDebate),
		},
		screen.StartDemo: {
			Title: "Start the demo debate: scripted answers, no model", Group: screen.Choosing,
			Why: m.launcher.noDemo, Writes: true, Run: do(m.launcher.startDemo),
		},
		screen.Fork:    m.forkCommand(),
		screen.Compare: m.compareCommand(),
		screen.Sessions: {
			Binding: bind(k("s"), "s", "sessions"), Title: "Sessions", Also: "home list",
			Group: screen.Always, Run: run(m.goHome),
		},
	}
	if m.deps.Export != nil {
		shared[screen.Export] = screen.Command{
			Binding: bind(k("e"), "e", "export md, json, html"), Title: "Export", Group: screen.Always,
			Hint: m.stack.exportHint, Rank: 5, Why: m.outside.noExport, Run: do(m.outside.askExport),
		}
	}
	return shared
}

func (m *Model) openHelp() tea.Cmd {
	m.help = newHelp(m.commands)
	return nil
}

func (m *Model) openPalette() tea.Cmd {
	m.palette = newPalette(m.commands)
	return m.palette.field.Focus()
}

// escape closes what lies on top; it never quits and never loses text.
func (m *Model) escape() tea.Cmd {
	var out screen.Outcome
	if m.stack.prompting() != nil {
		out = m.stack.open.closePrompt()
	} else {
		out = m.stack.top().Back()
	}
	cmd := m.carryOut(out)
	if o := m.stack.open; o != nil && !screen.TooSmall(m.w, m.h) {
		o.debate.Arrange()
	}
	return cmd
}
