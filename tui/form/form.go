// Package form is the context form, in which the user answers what the agents asked.
// Each request has an answer and a source, or a reason why there is no answer;
// required requests come first. The form lies over the debate or the verdict, next to
// the pane of the agent that asks where there is room.
//
// It imports control, the conductor of the session, which records what is sent and
// starts the round; pane, attach, screen, theme and input; and agents, debate and ledger
// for their values. Whatever blocks is a command. It must not know the other screens:
// what they have to do is an effect for the shell. Whether a round may start is decided
// by debate.Session.Unanswered.
//
// A form that opens by itself leaves the keys of the first moment to what they were pressed
// for. Nothing that arrives while the user types moves the focus or the cursor or changes
// the text, and text is kept until it is recorded.
package form

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Writer saves drafts. When SaveDraft returns without error, the draft is on disk.
type Writer interface {
	SaveDraft(ctx context.Context, session, request string, d debate.Draft) error
}

// Config is what a Screen works with.
type Config struct {
	Theme   *theme.Theme
	Control *control.Controller // of the session
	Panes   []*pane.Pane        // of its seats, in their order; none: no pane is beside the form
	Writer  Writer
	Saves   *screen.SaveQueue // orders the saves of drafts and answers
	Files   *attach.Service   // nil: no file can be attached
	Now     func() time.Time

	Readers    func(debate.Session) string // who receives the answers, such as "OpenAI, Anthropic (3 agents)"
	EnterSends bool                        // enter sends an answer of one line
	Keys       keymap.Changes              // the keys that the user gave to commands
	NoEditor   func() string               // why the editor cannot be opened now; "" when it can
}

// Effects that the shell carries out besides those of package screen.
type (
	// Left says that the user has left the form. If Waited, the next round was waiting for
	// that.
	Left struct{ Waited bool }
	// AskEnd asks the user whether the debate ends now.
	AskEnd struct{}

	// AskRound adds a round after the verdict, for answers that no round has.
	AskRound struct{}
	// OpenEditor opens the answer to a request in the user's editor. The text goes back to
	// [Screen.Edited]. About is what the user may want to read meanwhile.
	OpenEditor struct{ Request, Text, About string }
)

// Screen is the context form. Create it with [New]. It keeps the context of its
// commands, since Bubble Tea passes none.
type Screen struct {
	ctx      context.Context
	config   Config
	control  *control.Controller
	th       *theme.Theme
	commands []screen.Command

	isOpen    bool
	entered   bool      // the user has typed into it, or opened it
	opened    time.Time // when it opened by itself
	left      string    // the key that was last left to the screens below
	leftAt    time.Time
	roomW     int // of the screen
	roomH     int
	x, y      int       // where the form is in it
	w, h      int       // of the form, borders included
	paneWidth int       // of the pane beside the form; 0: there is none
	asker     agents.ID // whose pane that is

	session debate.Session
	running bool   // a round is running: answers are recorded, but no round can be started
	final   bool   // no round is planned any more: answers are only kept
	oneMore string // what another round would cost; "" before the verdict
	round   int    // the round that the answers are for
	readers string
	items   map[string]*item

	focused     tabStop
	lastRequest string // the last request that had the focus
	note        note
	sending     map[string]ledger.Submission
	waiting     bool // the start row was pressed, and waits until all is recorded
	lastKey     time.Time
	saved       bool // everything is recorded, and nothing was typed since
	saveDue     bool // a save of drafts is on its way

	mentions attach.Mentions // the @paths that the user typed in answers
	path     *attach.Field   // the path that is being typed
	edit     editor
	scroll   scrollState
}

type note struct {
	text string
	bad  bool
}

// New returns the form of a session, closed. Its commands run in ctx.
func New(ctx context.Context, c Config) *Screen {
	f := &Screen{
		ctx: ctx, config: c, control: c.Control, th: c.Theme, session: debate.Session{},
		items: map[string]*item{}, sending: map[string]ledger.Submission{}, focused: tabStop{field: fieldRelease},
	}
	f.edit.area = input.NewArea(c.Theme)
	f.path = f.pathField()
	f.commands = f.listCommands()
	return f
}

// listCommands lists what can be done on the form, which handles its keys itself.
func (f *Screen) listCommands() []screen.Command {
	bind, moving, answering := screen.Bind, screen.Moving, screen.Answering
	moves := func(n int) func(string) screen.Outcome {
		return f.does(func() screen.Outcome {
			f.moveRequest(n)
			return nil
		})
	}
	return []screen.Command{
		{Shared: "export"},
		{Binding: bind("next-field", "tab", "next field"), Group: moving, InField: true, Run: f.does(f.next)},
		{
			Binding: bind("save", "ctrl+s", "save, next, start"), Title: "Save the answer and go to the next", Group: answering,
			InField: true, Run: f.does(f.send),
		},
		{
			Binding: bind("next-question", "alt+↑ ↓", "another question"), Title: "Next question", Group: moving, InField: true,
			Run: moves(+1),
		},
		{Binding: bind("previous-question", "", ""), Title: "Previous question", Group: moving, InField: true, Run: moves(-1)},
		{
			Binding: bind("unavailable", "ctrl+x", "unavailable + reason"), Title: "Mark as unavailable, with a reason", Group: answering,
			InField: true, Run: f.does(f.toggleUnavailable),
		},
		{
			Binding: bind("editor", "ctrl+o", "write in $EDITOR"), Title: "Write the answer in $EDITOR", Group: answering,
			InField: true, Why: f.config.NoEditor, Run: f.does(f.openEditor),
		},
		{Title: "End the debate now", Group: screen.Steering, Why: f.whyNotEnd, Run: screen.Do(f.end)},
		{
			Binding: bind("asker-down", "pgup pgdn", "scroll the asker's pane"), Group: moving, InField: true,
			Run: screen.Moves(f.page, 1),
		},
		{Binding: bind("asker-up", "", ""), Group: moving, InField: true, Run: screen.Moves(f.page, -1)},
	}
}

func (f *Screen) whyNotEnd() string {
	if err := f.control.WhyNot(control.EndNow); err != nil {
		return text.Sentence(err.Error())
	}
	return ""
}

// Commands lists what can be done on the form.
func (f *Screen) Commands() []screen.Command { return f.commands }

// Name returns "Context form".
func (f *Screen) Name() string { return "Context form" }

// IsOpen reports whether the form lies over the screens of the session.
func (f *Screen) IsOpen() bool { return f.isOpen }

// SetTheme changes colours and symbols.
func (f *Screen) SetTheme(th *theme.Theme) {
	f.th = th
	f.edit.area.SetStyles(input.AreaStyles(th))
	f.edit.drawn = nil
}

// A pane is beside the form in a screen of at least this size.
const (
	besideWidth  = 120
	besideHeight = 27
)

// SetSize sets the room between the top line and the notice row.
func (f *Screen) SetSize(w, h int) {
	f.roomW, f.roomH = w, h
	f.Arrange()
}

// Arrange places the form and the pane beside it. What is typed stays where it is, if the
// form does.
func (f *Screen) Arrange() {
	was := [...]int{f.x, f.y, f.w, f.h, f.paneWidth}
	f.x, f.y, f.w, f.h, f.paneWidth = 0, 0, f.roomW, f.roomH, 0
	if f.roomW >= besideWidth && f.roomH >= besideHeight && len(f.config.Panes) > 0 {
		f.paneWidth = f.roomW / 3
		f.x, f.y = f.paneWidth+1, 1
		f.w, f.h = f.roomW-f.x, f.roomH-f.y
	}
	if was != [...]int{f.x, f.y, f.w, f.h, f.paneWidth} {
		f.edit.drawn, f.scroll.locked = nil, false
	}
	f.asker = ""
	if id, ok := f.Asker(); ok && f.isOpen && f.paneWidth > 0 {
		f.asker = id
	}
	for _, p := range f.config.Panes {
		beside := p.Seat().Profile().ID == f.asker
		if beside {
			p.SetSize(f.paneWidth, f.h)
		}
		p.SetBesideForm(beside)
	}
}

// Asker returns the agent whose pane belongs beside the form: the first to ask the
// request that has, or last had, the focus.
func (f *Screen) Asker() (agents.ID, bool) {
	r, ok := f.session.Request(f.lastRequest)
	if !ok || len(r.Askers()) == 0 {
		return "", false
	}
	return r.Askers()[0], true
}

func (f *Screen) askerPane() *pane.Pane {
	i := slices.IndexFunc(f.config.Panes, func(p *pane.Pane) bool { return p.Seat().Profile().ID == f.asker })
	if f.asker == "" || i < 0 {
		return nil
	}
	return f.config.Panes[i]
}

// Open opens the form on the user's key, and focuses the first request that blocks the
// next round. Text typed before is kept.
func (f *Screen) Open() {
	if !f.isOpen || f.entered {
		f.open()
	}
	f.entered, f.lastKey = true, f.config.Now()
}

// Show opens the form after a round that left a required request open. A form that is open
// already stays as it is.
func (f *Screen) Show() {
	if f.isOpen {
		f.setRunning(false)
		return
	}
	f.open()
	f.opened, f.entered = f.config.Now(), false
}

const (
	// grace is how long the keys are left to the screens below a form that opens by itself.
	grace = 500 * time.Millisecond
	// repeatGap is more than the time between two repetitions of a key that is held down.
	repeatGap = 150 * time.Millisecond
)

// Leaves reports whether a key is meant for the screens below a form that has just opened by
// itself: it comes too soon, or it is held down since then.
func (f *Screen) Leaves(pressed string) bool {
	now := f.config.Now()
	held := pressed == f.left && now.Sub(f.leftAt) < repeatGap
	if !f.isOpen || f.entered || now.Sub(f.opened) >= grace && !held {
		return false
	}
	f.left, f.leftAt = pressed, now
	return true
}

// Entered reports whether the user has typed into the form, or opened it.
func (f *Screen) Entered() bool { return f.entered }

// Click goes into the form.
func (f *Screen) Click(x, y int) screen.Outcome {
	f.entered = f.entered || x >= f.x && y >= f.y
	return nil
}

func (f *Screen) open() {
	s := f.control.Session()
	if f.config.Readers != nil {
		f.readers = text.Line(f.config.Readers(s))
	}
	f.final = f.control.IsLast()
	f.saved = false
	f.note, f.scroll.offset, f.scroll.locked = note{}, 0, false
	clear(f.sending)
	f.loadSession(s)
	f.price()
	f.setRunning(!f.final && (f.control.Running() || s.Status() == debate.Interrupted))
	for _, it := range f.items {
		it.seen = true
	}
	f.focusFirst()
	f.isOpen = true
}

// Hold keeps the next round waiting until the user leaves the form.
func (f *Screen) Hold() {
	f.control.Hold()
	f.setRunning(false)
}

// Shut closes the form because the debate continues. What was typed stays in it.
func (f *Screen) Shut() {
	f.isOpen = false
	f.control.Unhold()
}

// Close closes the form on the user's key. The debate continues if the form kept the
// next round waiting; otherwise it is paused, since an open gate alone does not start a round.
func (f *Screen) Close() screen.Outcome {
	f.isOpen = false
	waited := f.control.Unhold()
	if !waited && f.control.Phase() == control.PhaseReady {
		f.control.Pause()
	}
	return screen.Outcome{Left{waited}}
}

// SetSession updates the requests to those of the session, with new questions and
// recorded answers.
func (f *Screen) SetSession(s debate.Session) {
	if f.isOpen {
		f.refresh(s)
	}
}

// price notes what the round would cost that an answer after the verdict is for.
func (f *Screen) price() {
	if f.oneMore = ""; f.session.Verdict != nil {
		f.oneMore = f.control.Words().OneMore()
	}
}

// late reports whether an answer after the verdict waits for a round that is not planned.
func (f *Screen) late() bool {
	return f.session.Verdict != nil && !f.running && slices.ContainsFunc(f.session.Requests, func(r ledger.Request) bool {
		_, waits := r.Undelivered()
		return waits
	})
}

func (f *Screen) refresh(s debate.Session) {
	f.loadSession(s)
	f.price()
	f.ensureFocus()
	if it := f.items[f.focused.request]; it != nil && !it.edited {
		f.loadEditor()
	}
}

// Apply shows what an event has changed; the Controller has applied it.
func (f *Screen) Apply(ev debate.Event) {
	switch ev.(type) {
	case debate.ContextRequested, debate.ContextChanged, debate.RoundStarted, debate.RunEnded:
		f.SetSession(f.control.Session())
	case debate.Concluding, debate.Concluded:
		f.final = true
		f.setRunning(false)
	default: // the form does not change
	}
}

// setRunning sets whether a round is running. The answers are for the one after it.
func (f *Screen) setRunning(running bool) {
	f.running, f.round = running, len(f.session.History)+1
	f.note = note{}
	f.saved = f.saved && !f.releasable() // the answers can now be released
	f.ensureFocus()
}

func (f *Screen) loadSession(s debate.Session) {
	f.session = s
	for _, r := range s.Requests {
		it := f.items[r.ID]
		if it == nil {
			it = newItem(r, s.Drafts[r.ID])
			f.items[r.ID] = it
		}
		it.setRequest(r)
	}
}

func (f *Screen) agentName(id agents.ID) string { return text.Line(f.session.NameOf(id)) }

func (f *Screen) modelOf(id agents.ID) string {
	p, _ := f.session.Seat(id)
	model := text.Line(p.ModelName())
	if p.Provider != "" {
		model += " (" + text.Line(p.Provider) + ")"
	}
	return model
}

// Back closes the form.
func (f *Screen) Back() screen.Outcome { return f.does(f.Close)("esc") }

// BackHint names the key that closes the form.
func (f *Screen) BackHint() string {
	if f.roomW >= 60 && f.roomW < screen.Wide && f.control.ReadOnly == "" {
		return "esc fold, drafts kept"
	}
	return "esc fold"
}

// Undo takes back the last change of the field in focus.
func (f *Screen) Undo() (out screen.Outcome, ok bool) { return f.does(f.undo)("ctrl+_"), true }

// Typing returns true.
func (f *Screen) Typing() bool { return true }

// TypingHints returns nothing: the border of the form names its keys.
func (f *Screen) TypingHints() []string { return nil }

func (f *Screen) page(direction int) { f.scrollBy(direction * max(f.h/2, 1)) }

// Wheel scrolls what is under the pointer: the pane beside the form, or the form.
func (f *Screen) Wheel(x, y, _, lines int) {
	if x < f.paneWidth && y >= f.y {
		f.scrollBy(lines)
		return
	}
	f.scrollList(lines)
}

func (f *Screen) scrollBy(lines int) {
	if p := f.askerPane(); p != nil {
		p.Scroll(lines)
		return
	}
	f.scrollList(lines)
}

// scrollList moves a list that is longer than the form by lines, until the next key.
func (f *Screen) scrollList(lines int) {
	f.scroll.offset, f.scroll.reveal, f.scroll.locked = max(0, f.scroll.offset+lines), false, false
}

// Title leaves the top line to the session.
func (f *Screen) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// LayingOut implements screen.LayingOut, for the pane beside the form.
func (f *Screen) LayingOut() bool {
	p := f.askerPane()
	return p != nil && p.LayingOut()
}

// View draws the form and the pane beside it.
func (f *Screen) View(fr screen.Frame) string {
	f.scroll.cursor = nil
	if f.w <= 0 || f.h <= 0 {
		return ""
	}
	rows := frame{f, fr.Now}.draw()
	if f.paneWidth > 0 {
		beside := slices.Repeat([]string{strings.Repeat(" ", f.paneWidth)}, len(rows))
		if p := f.askerPane(); p != nil {
			beside = strings.Split(p.View(fr.Now, fr.Spin), "\n")
		}
		for i := range rows {
			rows[i] = beside[i] + " " + rows[i]
		}
	}
	return strings.Repeat("\n", f.y) + strings.Join(rows, "\n")
}

// Cursor returns the position of the cursor in the drawing of the last View. It is nil
// if nothing can be typed or the text field is hidden.
func (f *Screen) Cursor() *tea.Cursor { return screen.Offset(f.scroll.cursor, f.x, f.y) }
