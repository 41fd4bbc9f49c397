package debateview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/form"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Form is the context form as it lies over the debate or the verdict. If there is
// room, the pane of the seat that asks is beside it.
type Form struct {
	*sessionView
	d    *Debate
	form *form.Form

	w, h     int // of the terminal
	pane     box // beside the form; empty where there is no room
	place    box
	asker    agents.ID
	commands []screen.Command

	keys   bool // in a small terminal: the keys stand where notices do
	saving bool // a tick for saving drafts is on its way
}

// Draft is what was typed for one request.
type Draft struct {
	Request string
	debate.Draft
}

func newForm(d *Debate) *Form {
	f := &Form{sessionView: d.sessionView, d: d, form: form.New(d.config.Theme)}
	form.SetFiles(f.form, d.config.Files, d.config.Now, f.saveSoon)
	f.commands = f.formCommands()
	if !d.config.Files.Off() {
		f.commands = append(f.commands, screen.Command{
			Binding: screen.Bind(screen.Keys("ctrl+f"), "ctrl+f", "attach a file"), Title: "Answer with a file", Group: screen.Answering,
			InField: true, Run: f.press,
		})
	}
	return f
}

// formCommands lists what can be done on the form, which handles its keys itself.
func (f *Form) formCommands() []screen.Command {
	k, bind := screen.Keys, screen.Bind
	return []screen.Command{
		{Shared: screen.Export},
		{Binding: bind(k("tab"), "tab", "next field"), Group: screen.Moving, InField: true, Run: f.press},
		{
			Binding: bind(k("ctrl+s"), "ctrl+s", "save, next, start"), Title: "Save the answer and go to the next",
			Group: screen.Answering, InField: true, Run: f.press,
		},
		{
			Binding: bind(k("alt+down"), "alt+↑ ↓", "another request"), Title: "Next request", Group: screen.Moving,
			InField: true, Run: f.press,
		},
		{Binding: bind(k("alt+up"), "", ""), Title: "Previous request", Group: screen.Moving, InField: true, Run: f.press},
		{
			Binding: bind(k("ctrl+x"), "ctrl+x", "unavailable + reason"), Title: "Mark as unavailable, with a reason",
			Group: screen.Answering, InField: true, Run: f.press,
		},
		{
			Binding: bind(k("ctrl+o"), "ctrl+o", "write in $EDITOR"), Title: "Write the answer in $EDITOR", Group: screen.Answering,
			InField: true,
			Why:     f.d.config.NoEditor, Run: f.press,
		},
		{
			Binding: bind(k("ctrl+l"), "", ""), Title: "Join the request to the one it looks like",
			Group: screen.Answering, InField: true, Run: f.press,
		},
		{Title: "List all requests", Group: screen.Answering, Run: screen.With(f.filter, form.All)},
		{Title: "List required requests only", Group: screen.Answering, Run: screen.With(f.filter, form.Required)},
		{Title: "List open requests only", Group: screen.Answering, Run: screen.With(f.filter, form.Open)},
		{Title: "End the debate now", Group: screen.Steering, Why: func() string { return f.d.whyNot(control.EndNow) }, Run: f.d.askEnd},
		{
			Binding: bind(k("pgdown"), "pgup pgdn", "scroll the asker's pane"), Group: screen.Moving, InField: true,
			Run: screen.Moves(f.page, 1),
		},
		{Binding: bind(k("pgup"), "", ""), Group: screen.Moving, InField: true, Run: screen.Moves(f.page, -1)},
	}
}

// Commands lists what can be done on the form.
func (f *Form) Commands() []screen.Command { return f.commands }

// IsOpen reports whether the form lies over the session's screens.
func (f *Form) IsOpen() bool { return f.formOpen }

// Name returns "Context form".
func (f *Form) Name() string { return "Context form" }

// SetTheme changes colours and symbols.
func (f *Form) SetTheme(th *theme.Theme) { f.form.SetTheme(th) }

// SetSize sets the room between the top line and the notice row.
func (f *Form) SetSize(w, h int) {
	f.w, f.h = w, h+chrome
	f.arrange()
}

// arrange places the form and the pane beside it.
func (f *Form) arrange() {
	f.pane, f.place = split(f.w, f.h)
	f.form.SetSize(f.place.w, f.place.h)
	f.asker = ""
	if id, ok := f.form.Asker(); ok && f.formOpen && f.pane.w > 0 {
		f.asker = id
	}
	for _, p := range f.panes {
		beside := p.Profile().ID == f.asker
		if beside {
			p.SetSize(f.pane.w, f.pane.h)
		}
		p.SetBesideForm(beside)
	}
}

// update shows the newest requests.
func (f *Form) update() {
	if f.formOpen {
		f.form.SetSession(f.Session())
	}
}

// close closes the form. What was typed stays in it.
func (f *Form) close() {
	f.formOpen = false
	f.Unhold()
}

// IgnoresKeys reports whether keys are ignored for a moment, since the form opened by
// itself.
func (f *Form) IgnoresKeys() bool { return f.formOpen && f.form.InGracePeriod(f.d.config.Now()) }

// openByUser opens the form on the user's key.
func (f *Form) openByUser() screen.Outcome {
	f.open(false)
	return nil
}

// openByItself opens the form after a round that left a required request open. A
// form that is open already stays as it is.
func (f *Form) openByItself() screen.Outcome {
	if f.formOpen {
		f.form.SetRunning(false, f.Session().Next())
		return nil
	}
	f.open(true)
	return screen.Run(f.wake())
}

// hold keeps the next round waiting until the user closes the form.
func (f *Form) hold() {
	f.Hold()
	f.form.SetRunning(false, f.Session().Next())
}

func (f *Form) open(byItself bool) {
	s := f.Session()
	last := len(s.History) >= s.Rounds || s.Stopped != debate.NotStopped || f.Chair() != ""
	amid := f.Running() || s.Status() == debate.Interrupted
	f.form.Open(s, form.Options{
		ByItself: byItself, Now: f.d.config.Now(), Running: amid && !last, GoesTo: f.readers(), Final: last,
		EnterSends: f.d.config.EnterSends,
	})
	f.formOpen, f.keys = true, true
	f.d.Screen.showFocus()
	f.d.Arrange()
}

// Close closes the form on the user's key. If the form kept the next round
// waiting, the debate continues; otherwise it is paused, since an open gate alone
// does not start a round.
func (f *Form) Close() screen.Outcome {
	held := f.Unhold()
	f.close()
	if !held && !f.Running() && f.Session().Status() == debate.Ready {
		f.Pause()
	}
	f.d.Screen.showFocus()
	f.d.Arrange()
	if held {
		return f.d.Advance()
	}
	return nil
}

// filter lists all requests of the form, or some.
func (f *Form) filter(which form.Filter) screen.Outcome {
	f.form.SetFilter(which)
	f.d.Arrange()
	return nil
}

// wake returns a command that draws the form again when it stops ignoring keys.
func (f *Form) wake() tea.Cmd {
	if !f.IgnoresKeys() {
		return nil
	}
	return screen.After(f.d.ctx, 100*time.Millisecond, wakeMsg{f.id()})
}

func (f *Form) id() sessionID { return sessionID(f.Session().ID) }

// readers names the companies and machines that receive the answers.
func (f *Form) readers() string {
	var away, here, programs []string
	s := f.Session()
	for _, p := range s.Seats {
		name, local := p.Provider, p.Provider == debate.DemoProvider
		if f.d.config.Company != nil {
			name, local = f.d.config.Company(p.Provider)
		}
		name = text.Line(name)
		if p.Loop {
			programs = append(programs, text.Line(p.Name))
		}
		switch {
		case local && !slices.Contains(here, name):
			here = append(here, name)
		case !local && !slices.Contains(away, name):
			away = append(away, name)
		}
	}
	if len(here) > 0 {
		away = append(away, text.List(here)+" on this machine")
	}
	to := strings.Join(away, ", ")
	if n := len(away) - 1; len(here) > 0 && n > 0 {
		to = strings.Join(away[:n], ", ") + ", and " + away[n]
	}
	to = fmt.Sprintf("%s (%s)", to, text.Count(len(s.Seats), "agent"))
	if len(programs) > 0 {
		to += "; the settings of " + text.List(programs) + " may let it act without asking: " +
			"only a container around all of Roundtable is a boundary"
	}
	return to
}

// press gives the form a key by name, for commands that are run from the palette.
func (f *Form) press(name string) screen.Outcome {
	keys := map[string]tea.KeyPressMsg{
		"tab": {Code: tea.KeyTab}, "esc": {Code: tea.KeyEscape}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt},
		"alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt}, "ctrl+s": {Code: 's', Mod: tea.ModCtrl},
		"ctrl+x": {Code: 'x', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
		"ctrl+l": {Code: 'l', Mod: tea.ModCtrl}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
		"ctrl+_": {Code: '_', Mod: tea.ModCtrl},
	}
	return f.HandleKey(keys[name])
}

// HandleKey gives a key to the form, and does what the form asks for.
func (f *Form) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	out, cmd := f.form.HandleKey(msg, f.d.config.Now())
	return append(screen.Run(cmd), f.carryOut(out)...)
}

// Paste inserts text into the field in focus.
func (f *Form) Paste(text string) screen.Outcome {
	return f.carryOut(f.form.Paste(tea.PasteMsg{Content: text}, f.d.config.Now()))
}

// Edited takes over an answer that comes back from the user's editor.
func (f *Form) Edited(request, text string) screen.Outcome {
	if !f.formOpen {
		return nil
	}
	return f.carryOut(f.form.Edited(request, text, f.d.config.Now()))
}

// Back closes what is open on the form, at last the form itself.
func (f *Form) Back() screen.Outcome { return f.press("esc") }

// BackHint says so.
func (f *Form) BackHint() string {
	if f.w >= 60 && f.w < screen.Wide {
		return "esc close, drafts kept"
	}
	return "esc close"
}

// Newest returns when the newest request was asked.
func (f *Form) Newest() (at time.Time, ok bool) {
	for _, r := range f.Session().Requests {
		if r.Asked.After(at) {
			at = r.Asked
		}
	}
	return at, len(f.Session().Requests) > 0
}

// CanUndo returns true.
func (f *Form) CanUndo() bool { return true }

// Undo takes back the last change of the field in focus.
func (f *Form) Undo() (out screen.Outcome, ok bool) { return f.press("ctrl+_"), true }

// carryOut does what the form asks for.
func (f *Form) carryOut(out form.Outcome) screen.Outcome {
	if why := f.d.config.ReadOnly; why != "" {
		return f.refuseToSave(out, why)
	}
	save := screen.Run(f.saveSoon())
	if id, _ := f.form.Asker(); id != f.asker {
		f.d.Arrange()
	}
	switch out := out.(type) {
	case form.Answer:
		return append(save, f.send(out.Submissions, false))
	case form.Release:
		return append(save, f.send(out.Submissions, true))
	case form.Join:
		return append(save, f.join(out))
	case form.EndNow:
		return append(save, f.d.askEnd("enter")...)
	case form.Close:
		return append(save, f.Close()...)
	case form.Editor:
		if why := f.d.config.NoEditor(); why != "" {
			return append(save, screen.Tell(screen.Info, why)...)
		}
		return append(save, OpenEditor(out))
	case form.Notice:
		return append(save, FormNotice{out.Text})
	case form.None:
	}
	return save
}

// page scrolls the pane beside the form, or the form if there is none.
func (f *Form) page(direction int) {
	if p := f.d.pane(f.asker); p != nil {
		p.HalfPage(direction)
		return
	}
	f.form.Scroll(direction * max(f.place.h/2, 1))
}

// ShowKeys sets whether the form's keys may be on the notice row: true after a
// key, false after a notice.
func (f *Form) ShowKeys(show bool) { f.keys = show }

// NoticeRow returns the form's keys if a small terminal shows them on the notice
// row, the first of them cut last; nil if the notice needs it.
func (f *Form) NoticeRow(n screen.Notice) []theme.Part {
	if !f.form.Compact() || n.Text != "" && (!f.keys || n.Tone == screen.Error) {
		return nil
	}
	th := f.d.config.Theme
	return append(f.form.Hint(), theme.Part{Text: " " + th.Symbols.Sep + " ctrl+p more", Style: th.Muted, Whole: true})
}

// Title leaves the top line to the session.
func (f *Form) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// View draws the form and the pane beside it.
func (f *Form) View(fr screen.Frame) string {
	view := f.form.View(fr.Now)
	if p := f.d.pane(f.asker); p != nil && f.pane.w > 0 {
		left, right := strings.Split(p.View(fr.Now, fr.Spin), "\n"), strings.Split(view, "\n")
		for i := range left {
			left[i] += " " + right[i]
		}
		view = strings.Join(left, "\n")
	} else if f.pane.w > 0 {
		blank := strings.Repeat(" ", f.pane.w+1)
		view = blank + strings.ReplaceAll(view, "\n", "\n"+blank)
	}
	return strings.Repeat("\n", f.place.y-topRow) + view
}

// Cursor is where the form's text is typed.
func (f *Form) Cursor() *tea.Cursor {
	return screen.Offset(f.form.Cursor(), f.place.x, f.place.y-topRow)
}

// Typing returns true.
func (f *Form) Typing() bool { return true }

// TypingHints returns nothing: the form says it itself.
func (f *Form) TypingHints() []string { return nil }

// Wheel scrolls what is under the pointer: the pane beside the form, or the form.
func (f *Form) Wheel(x, y, _, lines int) {
	if p := f.d.pane(f.asker); p != nil && f.pane.holds(x, y+topRow) {
		p.Scroll(lines)
		return
	}
	f.form.Scroll(lines)
}
