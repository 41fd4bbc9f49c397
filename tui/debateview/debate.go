// Package debateview is the open debate: the screen of its seats, the context form
// that lies over it, and the keys that steer its run.
//
// It imports debate, ledger and agents for what it shows, screen for what it is to
// the shell, and pane, form and theme to draw. What it needs of an engine and a
// store are the small interfaces here; it must not know SQL, providers or other
// screens. Nothing here blocks: whatever may is a command.
package debateview

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/form"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Writer saves what the user enters in the open session. When a method returns without
// error, its change is on disk.
type Writer interface {
	control.Writer
	form.Writer
	Focus(ctx context.Context, session string) (debate.Focus, error)
}

// Common is what all debates of the program work with.
type Common struct {
	Player control.Player
	Writer Writer
	Now    func() time.Time

	// Company names who receives what a provider is sent, and whether that is this
	// machine; nil shows providers by their own names.
	Company func(provider string) (name string, local bool)
	Servers []string // MCP servers beyond this machine, which receive calls of tools

	// Silence says how long a provider's models may be silent before that is shown as a
	// warning; nil means the defaults.
	Silence func(provider string) control.Silence

	// AllowWorkspace remembers that the user allows the folder of a session, which was not
	// chosen on this machine; nil: that cannot be asked.
	AllowWorkspace func(context.Context, debate.Session) error

	// MovedWorkspace returns the question to ask before a session gets the folder, or none,
	// that the user types; MoveWorkspace gives it to the session. Nil: it keeps its own.
	MovedWorkspace func(ctx context.Context, s debate.Session, to string) (question string, err error)
	MoveWorkspace  func(ctx context.Context, s debate.Session, to string) (debate.Session, error)

	EnterSends bool           // enter sends an answer of one line
	Keys       keymap.Changes // the keys that the user gave to commands
}

// Config is what a Debate works with.
type Config struct {
	Common
	Theme *theme.Theme
	Saves *screen.SaveQueue // orders the saves of drafts and answers
	Files *attach.Service   // nil: no file can be attached

	NoEditor  func() string // why the editor cannot be opened now; "" when it can
	ReadOnly  string        // why nothing can be saved; "": it can
	Elsewhere bool          // another program has the session open, whose turns may still run
	Covered   func() bool   // whether something lies over the screen of the debate; nil: nothing does
	Room      func() bool   // whether a run may begin beside those of other sessions; nil: it may
}

// Effects that the shell carries out besides those of package screen.
type (
	// ShowDebate shows the debate screen.
	ShowDebate struct{}
	// GoHome leaves the debate, whose round goes on.
	GoHome struct{}
	// ShowVerdict shows the verdict.
	ShowVerdict struct{}
	// VerdictReady shows the verdict that has come, below a screen that is being read.
	VerdictReady struct{}
)

// Debate is the open debate: its screen draws the state of its controller, and it carries out
// what the user chooses. It keeps the context of its commands, since Bubble Tea passes none.
type Debate struct {
	*Screen
	ctx    context.Context
	config Config
	typed  typed
}

// typed is what the user has typed into prompts and not sent off.
type typed struct {
	focus, message, question, outcome, budget, model, workspace string

	messageTo  agents.ID // "": all
	questionTo agents.ID // "": the chair
}

// Unsent reports whether a question, the note of an outcome or words for a later round were typed and not sent off.
func (d *Debate) Unsent() bool {
	later := d.typed.focus+d.typed.message != "" && !d.Session().LacksRound()
	return later || d.typed.question+d.typed.outcome != ""
}

// New returns the debate of a session.
func New(ctx context.Context, s debate.Session, c Config) *Debate {
	sc := &Screen{th: c.Theme, keys: c.Keys, Controller: control.New(s, control.Options{
		Author: ledger.ByPerson("interface"),
		Player: c.Player, Writer: c.Writer, ReadOnly: c.ReadOnly, Elsewhere: c.Elsewhere, Room: c.Room, Now: c.Now,
	})}
	for i, profile := range s.Seats {
		p := pane.New(i+1, sc.Seat(profile.ID), c.Theme)
		p.SetKeys(c.Keys)
		if c.Silence != nil {
			p.Seat().SetSilence(c.Silence(profile.Provider))
		}
		sc.panes = append(sc.panes, p)
	}
	sc.Form = form.New(ctx, form.Config{
		Theme: c.Theme, Control: sc.Controller, Panes: sc.panes, Writer: c.Writer, Saves: c.Saves, Files: c.Files, Now: c.Now,
		Readers: c.readers, EnterSends: c.EnterSends, Keys: c.Keys, NoEditor: c.NoEditor,
	})
	sc.search.sc = sc
	d := &Debate{config: c, Screen: sc, ctx: ctx}
	sc.commands = d.ownCommands()
	sc.showFocus()
	return d
}

func (c Config) readers(s debate.Session) string {
	of := func(provider string) (string, bool) { return provider, false }
	if c.Company != nil {
		of = c.Company
	}
	to, programs := control.Recipients(s, c.Servers, of), []string(nil)
	for _, p := range s.Seats {
		if p.Loop {
			programs = append(programs, text.Line(p.Name))
		}
	}
	if len(programs) > 0 {
		to += "; the settings of " + text.List(programs) + " may let it act without asking: " +
			"only a container around all of Roundtable is a boundary"
	}
	return to
}

// Waits says which required question the next round waits for; "" if it waits for none.
func (d *Debate) Waits() string { return report.Waits(d.Session()) }

// SetTheme changes colours and symbols.
func (d *Debate) SetTheme(th *theme.Theme) {
	d.Screen.SetTheme(th)
	d.Form.SetTheme(th)
}

// SetSize sets the room of both screens.
func (d *Debate) SetSize(w, h int) {
	d.Screen.SetSize(w, h)
	d.Form.SetSize(w, h)
}

// TimePassed makes room for what the banner says now that a wait may have ended.
func (d *Debate) TimePassed() {
	if sc := d.Screen; sc.w > 0 && len(sc.bannerRows(sc.w, d.config.Now())) != sc.view.banner {
		sc.arrange()
	}
}

// Arrange lays out the panes and the form again.
func (d *Debate) Arrange() {
	d.showFocus()
	if d.w > 0 {
		d.arrange()
		d.Form.Arrange()
	}
}

// SetSession replaces the session by one that was read back.
func (d *Debate) SetSession(s debate.Session) {
	d.Controller.SetSession(s)
	d.Form.SetSession(d.Session())
	d.Arrange()
}

// Apply shows an event. Recount follows once all events of a frame are applied.
func (d *Debate) Apply(ev debate.Event) {
	d.Controller.Apply(ev)
	if ev, ok := ev.(debate.FollowUpEnded); ok && d.typed.question == "" && !ev.FollowUp.Answered() {
		d.typed.question = ev.FollowUp.Question
	}
	d.follow(ev)
	d.search.stale = true
	d.Form.Apply(ev)
}

// Resume shows a saved session, paused.
func (d *Debate) Resume() screen.Outcome {
	d.Pause()
	out := append(d.resumeNotices(), d.readFocus())
	out = append(out, d.Advance()...)
	if d.Form.IsOpen() { // the user has opened the debate, and does nothing else in it
		d.Form.Open()
	}
	return out
}

func (d *Debate) then(then screen.Then) screen.ThenIn {
	return screen.ThenIn{Session: d.Controller, Then: then}
}

func (d *Debate) readFocus() tea.Cmd {
	ctx, writer, id := d.ctx, d.config.Writer, d.Session().ID
	return func() tea.Msg {
		focus, err := writer.Focus(ctx, id)
		return d.then(func() screen.Outcome {
			if err != nil {
				return d.refused(err)
			}
			d.SetFocus(focus)
			d.Arrange()
			return nil
		})
	}
}

func (sc *Screen) pane(id agents.ID) *pane.Pane {
	_, n := sc.Session().Seat(id)
	if n == 0 {
		return nil
	}
	return sc.panes[n-1]
}

func (sc *Screen) nameOf(id agents.ID) string { return text.Line(sc.Session().NameOf(id)) }

// WindowTitle names topic and state. It does not change while text streams in.
func (sc *Screen) WindowTitle() string {
	y, s, name := sc.th.Symbols, sc.Session(), text.Clip(sc.title(), 60)
	switch sc.Phase() {
	case control.PhaseDelayed, control.PhaseConcluding, control.PhaseAssisting, control.PhaseRound:
		return fmt.Sprintf("%s · round %d of %d", name, len(s.History), s.Rounds)
	case control.PhaseNeedsUser:
		return fmt.Sprintf("%s %s · %s", y.Waits, name, report.Waits(s))
	case control.PhaseAnswering, control.PhaseOver:
		return fmt.Sprintf("%s %s · verdict", y.Ready, name)
	default:
		return y.Paused + " " + name
	}
}
