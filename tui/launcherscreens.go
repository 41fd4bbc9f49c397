package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// homeScreen is the list of sessions.
type homeScreen struct {
	*home.List
	launcher *launcher
	th       *theme.Theme
	commands []screen.Command
}

func newHomeScreen(l *launcher, th *theme.Theme) *homeScreen {
	h := &homeScreen{List: home.New(th), launcher: l, th: th}
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	h.commands = []screen.Command{
		{Binding: bind(k("j", "down"), "j k", "move"), Group: screen.Moving, Hint: screen.Say("j k move"), Rank: 2, Run: move(h.Move, 1)},
		{Binding: bind(k("k", "up"), "", ""), Group: screen.Moving, Run: move(h.Move, -1)},
		{Binding: bind(k("pgdown"), "pgup pgdn", "page"), Group: screen.Moving, Run: move(h.Page, 1)},
		{Binding: bind(k("pgup"), "", ""), Group: screen.Moving, Run: move(h.Page, -1)},
		{
			Binding: bind(k("enter"), "enter", "open"), Title: "Open the session", Group: screen.Choosing,
			Hint: screen.Say("enter open"), Rank: 3, Run: do(l.openSelected),
		},
		l.openForm(), l.demo(),
		{Binding: bind(k("/"), "/", "search"), Title: "Search titles and full text", Group: screen.Choosing, Run: do(h.search)},
		{
			Binding: bind(k("r"), "r", "rename"), Title: "Rename the session", Group: screen.Choosing,
			Hint: screen.Say("r rename"), Rank: 6, Why: l.noSession, Writes: true, Run: do(h.rename),
		},
		{
			Binding: bind(k("x"), "x", "delete"), Title: "Delete the session", Group: screen.Choosing,
			Hint: screen.Say("x delete"), Rank: 7, Why: l.noSession, Writes: true, Run: do(l.remove),
		},
		{
			Binding: bind(k("u"), "u", "undo delete"), Title: "Restore the deleted session", Group: screen.Choosing, Why: l.noUndo,
			Run: do(l.undo),
		},
	}
	return h
}

// openForm is the command that shows the form of a new debate.
func (l *launcher) openForm() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("n"), "n", "new debate"), Title: "New debate", Group: screen.Choosing, Run: screen.Do(l.newDebate),
	}
}

// demo is the command that starts the demo.
func (l *launcher) demo() screen.Command {
	return screen.Command{
		Title: "Start the demo debate: scripted answers, no model", Group: screen.Choosing,
		Why: l.noDemo, Writes: true, Run: screen.Do(l.startDemo),
	}
}

// Name returns "Sessions".
func (h *homeScreen) Name() string { return "Sessions" }

// SetTheme changes colours and symbols.
func (h *homeScreen) SetTheme(th *theme.Theme) {
	h.th = th
	h.List.SetTheme(th)
}

// Commands lists the keys of the list.
func (h *homeScreen) Commands() []screen.Command { return h.commands }

func (h *homeScreen) search() screen.Outcome {
	h.Search()
	return nil
}

func (h *homeScreen) rename() screen.Outcome {
	h.Rename()
	return nil
}

// HandleKey types into the search or into a name.
func (h *homeScreen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	if !h.List.Typing() {
		return nil
	}
	act, cmd := h.List.HandleKey(msg, h.launcher.deps.Now())
	return append(screen.Run(cmd), h.carryOut(act)...)
}

// Paste inserts into the search or into a name.
func (h *homeScreen) Paste(text string) screen.Outcome {
	act, cmd := h.List.Paste(text, h.launcher.deps.Now())
	return append(screen.Run(cmd), h.carryOut(act)...)
}

func (h *homeScreen) carryOut(act home.Action) screen.Outcome {
	switch act {
	case home.Open:
		return h.launcher.openSelected()
	case home.Search:
		return screen.Run(screen.After(h.launcher.ctx, typingPause, searchMsg{h.Query()}))
	case home.Rename:
		return h.launcher.rename()
	case home.NoAction:
	}
	return nil
}

// Back closes the search, a filter or a name, at last the list.
func (h *homeScreen) Back() screen.Outcome {
	if h.List.Back(h.launcher.deps.Now()) {
		return nil
	}
	return screen.Outcome{screen.Close{}}
}

// BackHint says so.
func (h *homeScreen) BackHint() string {
	switch {
	case h.List.Typing():
	case h.Query() != "":
		return "esc all sessions"
	case h.launcher.stack.openID() != "":
		return "esc debate"
	}
	return ""
}

// Title says how many agents are ready, or the way back to the debate.
func (h *homeScreen) Title(screen.Frame) (left, right []theme.Part) {
	if h.launcher.stack.openID() != "" {
		return []theme.Part{{Text: " Sessions", Style: h.th.Accent}},
			[]theme.Part{{Text: "esc back to the debate", Style: h.th.Muted, Cut: 2}, {Text: " "}}
	}
	ready, sources := "", ""
	switch o := h.launcher.offer; {
	case !h.launcher.offered:
	case o.FirstStart:
		ready = "no model found: demo only"
	default:
		ready = text.Count(o.Ready(), "agent") + " ready"
		if o.Sources != "" {
			sources = " " + h.th.Symbols.Sep + " " + text.Line(o.Sources)
		}
	}
	return []theme.Part{{Text: " Roundtable", Style: h.th.Accent}},
		[]theme.Part{{Text: ready, Style: h.th.Muted, Cut: 2}, {Text: sources, Style: h.th.Muted, Cut: 1, Whole: true}, {Text: " "}}
}

// View draws the list.
func (h *homeScreen) View(f screen.Frame) string {
	h.SetOpen(h.launcher.stack.openID(), h.launcher.stack.running())
	return h.List.View(f.Now)
}

// TypingHints says how to finish a name or a search.
func (h *homeScreen) TypingHints() []string {
	if id, _ := h.Renaming(); id != "" {
		return []string{"enter rename", "esc cancel"}
	}
	if h.List.Typing() {
		return []string{"enter open", "esc list", h.th.Symbols.Up + h.th.Symbols.Down + " move", "ctrl+u clear"}
	}
	return nil
}

// Wheel moves in the list, unless a name is typed, which would stay behind.
func (h *homeScreen) Wheel(_, _, step, _ int) {
	if id, _ := h.Renaming(); id == "" {
		h.Move(step)
	}
}

// Click moves the cursor; on the row under the cursor it opens the session.
func (h *homeScreen) Click(_, y int) screen.Outcome {
	if _, again := h.List.Click(y); again {
		return h.launcher.openSelected()
	}
	return nil
}

// firstScreen is the first start: nothing to debate with was found.
type firstScreen struct {
	screen.NoInput
	*setup.FirstStart
	launcher *launcher
	th       *theme.Theme
	commands []screen.Command
}

func newFirstScreen(l *launcher, th *theme.Theme) *firstScreen {
	f := &firstScreen{FirstStart: setup.NewFirstStart(th), launcher: l, th: th}
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	f.commands = []screen.Command{
		{Binding: bind(k("j", "down"), "j k", "move"), Group: screen.Moving, Hint: screen.Say("j k move"), Rank: 2, Run: move(f.Move, 1)},
		{Binding: bind(k("k", "up"), "", ""), Group: screen.Moving, Run: move(f.Move, -1)},
		l.openForm(), l.demo(),
		{
			Binding: bind(k("enter"), "enter", "choose"), Group: screen.Choosing, Hint: screen.Say("enter choose"), Rank: 3,
			Run: do(f.choose),
		},
		{Binding: bind(k("r"), "r", "look for models again"), Title: "Look for models again", Group: screen.Choosing, Run: do(l.lookAgain)},
	}
	if l.deps.WriteConfig != nil {
		f.commands = append(f.commands, screen.Command{
			Binding: bind(k("w"), "w", "write a config file"), Title: "Write a commented config file", Group: screen.Choosing,
			Run: do(l.writeConfig),
		})
	}
	return f
}

// Name returns "First start".
func (f *firstScreen) Name() string { return "First start" }

// SetTheme changes colours and symbols.
func (f *firstScreen) SetTheme(th *theme.Theme) {
	f.th = th
	f.FirstStart.SetTheme(th)
}

// Commands lists the keys of the first start.
func (f *firstScreen) Commands() []screen.Command { return f.commands }

// choose does what the row under the cursor says.
func (f *firstScreen) choose() screen.Outcome {
	switch f.Choice() {
	case setup.LookAgain:
		return f.launcher.lookAgain()
	case setup.WriteConfig:
		if f.launcher.deps.WriteConfig == nil {
			return screen.Tell(screen.Info, "`roundtable config init` writes a config file.")
		}
		return f.launcher.writeConfig()
	case setup.StartDemo:
	}
	if why := f.launcher.deps.ReadOnly; why != "" {
		return screen.Tell(screen.Error, "No debate can start: "+why+".")
	}
	return f.launcher.startDemo()
}

// Back takes the notice away.
func (f *firstScreen) Back() screen.Outcome { return screen.Outcome{screen.ClearNotice{}} }

// BackHint returns "".
func (f *firstScreen) BackHint() string { return "" }

// Title names the program.
func (f *firstScreen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Roundtable", Style: f.th.Accent}}, []theme.Part{{Text: "first start ", Style: f.th.Muted, Cut: 1}}
}

// View draws the screen.
func (f *firstScreen) View(screen.Frame) string { return f.FirstStart.View() }

// Wheel moves in the list.
func (f *firstScreen) Wheel(_, _, step, _ int) { f.Move(step) }

// setupScreen is the form of a new debate.
type setupScreen struct {
	*setup.Form
	launcher *launcher
	th       *theme.Theme
	commands []screen.Command
}

func newSetupScreen(l *launcher, th *theme.Theme) *setupScreen {
	n := &setupScreen{Form: setup.NewForm(th), launcher: l, th: th}
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	change := func() string { return n.th.Symbols.Left + " " + n.th.Symbols.Right + " change" }
	n.commands = []screen.Command{
		l.demo(),
		{
			Binding: bind(k("tab"), "tab", "next field"), Group: screen.Moving,
			InField: true, Hint: screen.Say("tab next field"), Rank: 2, Run: move(n.Next, 1),
		},
		{Binding: bind(k("shift+tab"), "shift+tab", "previous field"), Group: screen.Moving, InField: true, Run: move(n.Next, -1)},
		{Binding: bind(k("down", "j"), "j k", "up, down"), Group: screen.Moving, Run: move(n.Move, 1)},
		{Binding: bind(k("up", "k"), "", ""), Group: screen.Moving, Run: move(n.Move, -1)},
		{
			Binding: bind(k("space"), "space", "toggle seat"), Title: "Toggle seat", Group: screen.Choosing,
			Hint: screen.Say("space toggle seat"), Rank: 4, Run: do(n.toggle),
		},
		{Binding: bind(k("right"), "← →", "change"), Group: screen.Choosing, Hint: change, Rank: 3, Run: move(n.Change, 1)},
		{Binding: bind(k("left"), "", ""), Group: screen.Choosing, Run: move(n.Change, -1)},
		{Binding: bind(k("enter"), "", ""), Group: screen.Choosing, Run: do(n.enter)},
		{
			Binding: bind(k("ctrl+s"), "ctrl+s", "start the debate"), Title: "Start the debate", Group: screen.Choosing,
			InField: true, Writes: true, Run: do(l.begin),
		},
	}
	return n
}

// Name returns "New debate".
func (s *setupScreen) Name() string { return "New debate" }

// SetTheme changes colours and symbols.
func (s *setupScreen) SetTheme(th *theme.Theme) {
	s.th = th
	s.Form.SetTheme(th)
}

// Commands lists the keys of the form.
func (s *setupScreen) Commands() []screen.Command { return s.commands }

func (s *setupScreen) toggle() screen.Outcome {
	if err := s.Toggle(); err != nil {
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	return nil
}

// enter goes to the next field, and on the last row begins.
func (s *setupScreen) enter() screen.Outcome {
	if s.Ready() {
		return screen.Outcome{pressKey("ctrl+s")}
	}
	s.Next(1)
	return nil
}

// HandleKey gives a key to the field in focus.
func (s *setupScreen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	_, cmd := s.Form.HandleKey(msg)
	return screen.Run(cmd)
}

// Paste inserts text into the field in focus.
func (s *setupScreen) Paste(text string) screen.Outcome { return screen.Run(s.Form.Paste(text)) }

// CanUndo reports whether a text field has the focus.
func (s *setupScreen) CanUndo() bool { return s.Typing() }

// Undo takes back the last change of a text.
func (s *setupScreen) Undo() (out screen.Outcome, ok bool) { return nil, s.Form.Undo() }

// Back leaves for the list.
func (s *setupScreen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint returns "": the top line says it.
func (s *setupScreen) BackHint() string { return "" }

// Title says what esc does.
func (s *setupScreen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " New debate", Style: s.th.Accent}},
		[]theme.Part{{Text: "esc back (draft kept) ", Style: s.th.Muted, Cut: 1}}
}

// View draws the form.
func (s *setupScreen) View(screen.Frame) string { return s.Form.View() }

// TypingHints says how to begin.
func (s *setupScreen) TypingHints() []string {
	if s.Typing() {
		return []string{"ctrl+s start"}
	}
	return nil
}

// Wheel moves in the form.
func (s *setupScreen) Wheel(_, _, step, _ int) { s.Move(step) }
