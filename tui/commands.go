package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/control"
	"roundtable/tui/screen"
)

// commands is what can be done on the screen that is shown: its own commands,
// those that the shell shares among screens, and those that work everywhere.
type commands struct {
	stack    *stack
	readOnly func() string // why nothing can be saved; "": it can
	common   []commonCommand
	shared   map[string]screen.Command
	keys     userKeys
}

type commonCommand struct {
	screen.Command
	on func() bool // nil: on all
}

func (c *commands) list() []screen.Command {
	own := c.stack.top().Commands()
	all := make([]screen.Command, 0, len(own)+len(c.common))
	for _, one := range own {
		if one.Shared != "" {
			var ok bool
			if one, ok = c.shared[one.Shared]; !ok {
				continue
			}
		}
		all = append(all, one)
	}
	for _, one := range c.common {
		if one.on == nil || one.on() {
			all = append(all, one.Command)
		}
	}
	c.keys.bind(all)
	return all
}

// withKeys lists the commands whose keys work now: while text is typed those that work in
// fields, and over a prompt of these those of the shell.
func (c *commands) withKeys() []screen.Command {
	typing, prompting := c.stack.typing(), c.stack.prompting() != nil
	return slices.DeleteFunc(c.list(), func(one screen.Command) bool {
		return typing && !one.InField || prompting && one.Group != screen.Always
	})
}

// of returns the command of a key: one that can run, else one that cannot.
func (c *commands) of(pressed string) (screen.Command, bool) {
	all := slices.DeleteFunc(c.withKeys(), func(one screen.Command) bool { return !slices.Contains(one.Keys(), pressed) })
	if len(all) == 0 {
		return screen.Command{}, false
	}
	return all[max(0, slices.IndexFunc(all, func(one screen.Command) bool { return c.reason(one) == "" }))], true
}

func (c *commands) has(id string) bool {
	return slices.ContainsFunc(c.list(), func(one screen.Command) bool { return one.ID == id })
}

func (c *commands) run(one screen.Command, pressed string) screen.Outcome {
	why := c.reason(one)
	switch {
	case why == "":
		return one.Run(pressed)
	case one.Opens:
		return refusedPrompt(one.Run(pressed), why)
	}
	return screen.Tell(screen.Info, why)
}

// refusedPrompt opens the prompt disabled, with the reason. The text is kept.
func refusedPrompt(out screen.Outcome, why string) screen.Outcome {
	for i, effect := range out {
		if p, ok := effect.(screen.Prompt); ok {
			p.Note, p.Done = why, nil
			p.Hints = slices.DeleteFunc(p.Hints, func(hint string) bool { return strings.HasPrefix(hint, "enter ") })
			out[i] = p
		}
	}
	return out
}

func (c *commands) press(key string) screen.Outcome {
	one, ok := c.of(key)
	if !ok {
		return nil
	}
	return c.run(one, key)
}

func (c *commands) reason(one screen.Command) string {
	if why := c.readOnly(); why != "" && (one.Writes || one.Group == screen.Steering) {
		return "Read-only, nothing can be saved: " + why + "."
	}
	if one.Why == nil {
		return ""
	}
	return one.Why()
}

func (s *stack) onVerdict() bool { return s.open != nil && s.top() == s.open.verdict }

func (s *stack) endedDemo() bool {
	return s.onVerdict() && s.open.debate.Session().Demo() && s.open.debate.Phase() == control.PhaseOver
}

type beginner interface {
	screen.Screen
	Begin()
}

// opens returns the action of a command that opens a screen of the session.
func (s *stack) opens(which func(*openSession) beginner) func(string) screen.Outcome {
	return func(string) screen.Outcome {
		one := which(s.open)
		one.Begin()
		s.push(one)
		return nil
	}
}

func (s *stack) commandsWait() bool { return s.open != nil && s.open.approvals.Waiting() > 0 }

func (s *stack) approvalsHint() string {
	if !s.commandsWait() {
		return ""
	}
	return fmt.Sprintf("A approve (%d)", s.open.approvals.Waiting())
}

func (s *stack) showsSession() bool {
	_, ofSession := s.base().(screen.OfSession)
	return s.open != nil && (ofSession || s.base() == s.open.debate.Screen)
}

func (s *stack) undoer() (u screen.Undoer, ok bool) {
	if p := s.prompting(); p != nil {
		return p, true
	}
	u, ok = s.top().(screen.Undoer)
	return u, ok
}

func (s *stack) hasUndo() bool {
	_, ok := s.undoer()
	return ok || s.onSession()
}

func (s *stack) noText() bool {
	_, ok := s.undoer()
	return !ok || !s.typing()
}

func (s *stack) undo() screen.Outcome {
	if u, ok := s.undoer(); ok {
		if out, undone := u.Undo(); undone {
			return out
		}
	}
	return screen.Tell(screen.Info, "Nothing more to undo in this text.")
}

// paletteCommands work on the open debate, or on the session that is selected in the
// list, or on the configuration. They have no keys: the palette alone offers them.
func (m *Model) paletteCommands() []commonCommand {
	onSession := func() bool { return !m.owns(m.stack.base()) || m.stack.base() == m.home }
	id := m.sessionAtHand
	why := screen.When(func() bool { return id() == "" }, screen.NoneSelected)
	copied := func(words func() string) func() screen.Outcome {
		return func() screen.Outcome { return screen.Outcome{screen.Copy{Text: words(), Shown: true}} }
	}
	onLists := func() bool { return m.stack.base() == m.home || m.stack.base() == m.setup }
	all := []commonCommand{
		{on: onLists, Command: screen.Command{
			Title: "Write a commented config file", Also: "settings models keys", Run: screen.Do(m.writeConfig),
			Why: screen.When(func() bool { return m.deps.WriteConfig == nil },
				"There is a config file already; `roundtable config path` prints where."),
		}},
		{on: func() bool { return m.deps.Review != nil }, Command: screen.Command{
			Title: "Review what a repository has changed", Also: "start git diff base", Opens: true, Writes: true,
			Run: screen.Do(m.askBase),
		}},
		{on: onSession, Command: screen.Command{Title: "Copy the debate's ID", Why: why, Run: screen.Do(copied(id))}},
		{on: onSession, Command: screen.Command{
			Title: "Copy the command that resumes this debate", Why: why,
			Run: screen.Do(copied(func() string { return m.deps.Commands.Command("resume", id()) })),
		}},
		{Command: screen.Command{Title: "Change the theme: dark or light", Also: "colors", Run: screen.Do(m.switchTheme)}},
	}
	for i := range all {
		all[i].Group, all[i].InField = screen.Always, true
	}
	return all
}

// sessionAtHand returns the id of the selected session on the list, else of the open one.
func (m *Model) sessionAtHand() string {
	if m.stack.base() != m.home {
		return m.stack.openID()
	}
	s, _ := m.home.Selected()
	return s.ID
}

func (m *Model) commonCommands() []commonCommand {
	bind := screen.Bind
	offForm := func() bool { return !m.stack.onForm() }
	onLists := func() bool { return m.stack.base() == m.home || m.stack.base() == m.first }
	inDebate := func() bool { return !m.stack.onForm() && !m.owns(m.stack.base()) }
	canCopy := func() bool { return m.deps.SaveCopy != nil }
	canSuspend := func() bool { return m.deps.Suspend != nil }
	all := []commonCommand{
		{on: onLists, Command: screen.Command{
			Binding: bind("quit", "q", "quit"), Hint: screen.Say("q quit"), Rank: 4, Run: runKey(m.quit),
		}},
		{on: inDebate, Command: screen.Command{
			Binding: bind("leave", "q", "home; it goes on"), Title: "Leave the debate and show the list",
			Run: run(m.leave),
		}},
		{on: offForm, Command: screen.Command{
			Binding: bind("palette", "ctrl+p  :", "commands"),
			Hint:    screen.Say("ctrl+p commands"), Rank: 7, AtEnd: true, Run: run(m.openPalette),
		}},
		{Command: screen.Command{
			Binding: bind("palette-in-fields", "", ""), InField: true,
			Hint: screen.When(m.stack.onForm, "ctrl+p commands, help"), Rank: 7, AtEnd: true, Run: run(m.openPalette),
		}},
		{Command: screen.Command{
			Binding: bind("close", "esc", "close, never quits"), InField: true,
			Hint: m.stack.backHint, Rank: 2, AtEnd: true, Run: run(m.escape),
		}},
		{Command: screen.Command{
			Binding: bind("quit-now", "ctrl+c", "quit; drafts are kept"), Title: "Quit", Also: "exit", InField: true,
			Hint: m.stack.quitHint, Rank: 8, Run: runKey(m.quit),
		}},
		{on: m.stack.showsSession, Command: screen.Command{
			Binding: bind("topic", "Q", "the whole topic"), Title: "Show the whole topic",
			Run: m.stack.opens(func(o *openSession) beginner { return o.question }),
		}},
		{on: canSuspend, Command: screen.Command{
			Binding: bind("suspend", "ctrl+z", "suspend, between rounds"), Title: "Suspend", InField: true,
			Run: run(m.suspend), Why: screen.When(m.anyRuns, "You can suspend once no round runs."),
		}},
		{on: canCopy, Command: screen.Command{
			Title: "Save a copy of all debates", Also: "backup", InField: true, Run: screen.Do(m.saveCopy),
		}},
		{on: m.stack.hasUndo, Command: screen.Command{
			Binding: bind("undo-typing", "ctrl+_", "undo typing; ctrl+/ too"), InField: true,
			Why: screen.When(m.stack.noText, "There is no text here to undo."), Run: screen.Do(m.stack.undo),
		}},
		{on: offForm, Command: screen.Command{
			Binding: bind("notice", "!", "all of the notice"), Title: "Show all of the notice", Run: screen.Do(m.notices.toggle),
		}},
		{on: offForm, Command: screen.Command{
			Binding: bind("help", "?", "this list"), Title: "Keys", Also: "help shortcuts rebind bind change",
			Hint: screen.Say("? help"), Rank: 1, AtEnd: true,
			Run: screen.Do(func() screen.Outcome { return screen.Outcome{m.commands.keyList()} }),
		}},
	}
	for i := range all {
		all[i].Group = screen.Always
	}
	return all
}

func run(f func() tea.Cmd) func(string) screen.Outcome {
	return func(string) screen.Outcome { return screen.Run(f()) }
}

func runKey(f func(string) tea.Cmd) func(string) screen.Outcome {
	return func(pressed string) screen.Outcome { return screen.Run(f(pressed)) }
}

func (m *Model) sharedCommands() map[string]screen.Command {
	bind, do := screen.Bind, screen.Do
	shared := map[string]screen.Command{
		"tool-log": {
			Binding: bind("tool-log", "t", "tools and evidence"), Title: "Tool log", Group: screen.Looking,
			Hint: screen.Say("t tools"), Rank: 8,
			Why: screen.When(func() bool { return m.stack.open.log.Empty() }, "No tool calls or notices yet."),
			Run: m.stack.opens(func(o *openSession) beginner { return o.log }),
		},
		"approvals": {
			Binding: bind("approvals", "A", "commands to approve"), Title: "Commands to approve", Group: screen.Answering,
			Hint: m.stack.approvalsHint, Rank: 1, Urgent: m.stack.commandsWait,
			Run: m.stack.opens(func(o *openSession) beginner { return o.approvals }),
		},
		"evidence": {
			Binding: bind("evidence", "t", "evidence"), Title: "Evidence", Group: screen.Looking,
			Why: screen.When(func() bool { return m.stack.open.evidence.Empty() },
				"This debate has no evidence. @path in a message attaches a file."),
			Run: m.stack.opens(func(o *openSession) beginner { return o.evidence }),
		},
		"new-debate": {
			Binding: bind("new-debate", "ctrl+n", "new debate"), Title: "New debate", Also: "run start", Group: screen.Choosing,
			Hint: screen.When(m.stack.endedDemo, "ctrl+n own topic"), Rank: 1, Run: do(m.newDebate),
		},
		"start-demo": {
			Title: "Start the demo debate: scripted answers, no model", Group: screen.Choosing,
			Why:    screen.When(func() bool { return len(m.offer.Demo.Seats) == 0 }, "Still looking for models."),
			Writes: true, Run: do(m.startDemo),
		},
		"fork": m.forkCommand(),
		"debates": {
			Binding: bind("debates", "s", "debates"), Title: "Debates", Also: "home list",
			Group: screen.Always, Run: run(m.goHome),
		},
	}
	if m.deps.Export != nil {
		shared["export"] = screen.Command{
			Binding: bind("export", "e", "export md, json, html"), Title: "Export", Group: screen.Always,
			Hint: screen.When(m.stack.onVerdict, "e export"), Rank: 5, Run: do(m.askExport),
		}
	}
	return shared
}

// switchTheme lasts until the program ends.
func (m *Model) switchTheme() screen.Outcome {
	look, name := m.look, "light"
	if look.Dark = !look.Dark; look.Dark {
		name = "dark"
	}
	m.setTheme(look)
	return screen.Tell(screen.Success, fmt.Sprintf("theme = %q in [ui] of the config keeps it.", name))
}

// escape closes what lies on top; it never quits and never loses text.
func (m *Model) escape() tea.Cmd {
	var out screen.Outcome
	switch {
	case m.stack.prompting() != nil:
		m.stack.row().closePrompt()
	case m.notices.failure.Text != "" && m.stack.open != nil && m.stack.top() == m.stack.open.debate.Screen:
		m.notices.clear()
	default:
		out = m.stack.top().Back()
	}
	cmd := m.carryOut(out)
	if o := m.stack.open; o != nil && !screen.TooSmall(m.w, m.h) {
		o.debate.Arrange()
	}
	return cmd
}
