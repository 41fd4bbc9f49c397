// Package approvals is the screen on which the user decides on the commands that
// agents want to run.
//
// It imports debate and agents for what it shows, screen for what it is to the shell,
// and theme, input and viewport to draw. What is decided is an effect; it must not
// know other screens, stores or engines.
package approvals

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/viewport"
)

// Guard is how long keys are ignored after the screen was opened and after a decision
// was sent: they may have been meant for what was shown before.
const Guard = 400 * time.Millisecond

// Decide asks the shell to send a decision on the command of a tool call.
type Decide struct {
	Call     string
	Approval debate.Approval
}

// Screen lists the commands that wait, and those that ended while it is open. The
// choice for the command in focus is unfolded.
type Screen struct {
	th       *theme.Theme
	w, h     int
	now      func() time.Time
	session  debate.Session
	items    []*item
	focus    int // in items
	back     int // lines above the choice that are read, of a command that does not fit
	guarded  time.Time
	viewport viewport.Viewport
	commands []screen.Command
}

var _ screen.OfSession = (*Screen)(nil)

// New returns the screen.
func New(th *theme.Theme, now func() time.Time) *Screen {
	sc := &Screen{th: th, now: now}
	sc.commands = sc.keys()
	return sc
}

// Name returns "Commands to approve".
func (sc *Screen) Name() string { return "Commands to approve" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th = th }

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) {
	sc.w, sc.h = w, h
	for _, it := range sc.items {
		it.setWidth(w)
	}
}

// SetSession sets the session, whose seats it names.
func (sc *Screen) SetSession(s debate.Session) { sc.session = s }

// Apply adds a command that waits, and says of one that does not wait any more how it
// ended.
func (sc *Screen) Apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.ApprovalAsked:
		it := newItem(ev)
		it.setWidth(sc.w)
		sc.items = append(sc.items, it)
	case debate.ApprovalDecided:
		for _, it := range sc.items {
			if it.asked.CallID == ev.CallID && it.waits() {
				it.end(outcomeOf(ev.Approval))
				if ev.Approval.Allows() && len(ev.Approval.Argv) > 0 {
					it.asked.Argv = ev.Approval.Argv // what runs is shown
				}
			}
		}
	case debate.RoundEnded:
		for _, it := range sc.items {
			if it.waits() {
				it.end("denied: the round has ended")
			}
		}
	default: // not shown here
	}
}

// outcomeOf says how a command was decided.
func outcomeOf(a debate.Approval) string {
	switch {
	case a.Choice == debate.ApprovalSession:
		return "allowed in this session"
	case a.Allows() && len(a.Argv) > 0:
		return "allowed once, as edited"
	case a.Allows():
		return "allowed once"
	case a.Reason != "":
		return "denied: " + text.Line(a.Reason)
	default:
		return "denied"
	}
}

// Waiting returns how many commands wait for the user.
func (sc *Screen) Waiting() int {
	n := 0
	for _, it := range sc.items {
		if it.waits() && !it.sent {
			n++
		}
	}
	return n
}

// Opened is called when the user opens the screen. What ended before is not listed any
// more, and keys are ignored for a moment.
func (sc *Screen) Opened() {
	sc.items = slices.DeleteFunc(sc.items, func(it *item) bool { return !it.waits() })
	sc.focus, sc.back = 0, 0
	sc.guard()
}

func (sc *Screen) guard() { sc.guarded = sc.now().Add(Guard) }

// ignoresKeys reports whether keys are still ignored.
func (sc *Screen) ignoresKeys() bool { return sc.now().Before(sc.guarded) }

// current returns the item in focus; nil if there is none.
func (sc *Screen) current() *item {
	if sc.focus >= len(sc.items) {
		return nil
	}
	return sc.items[sc.focus]
}

// field returns the text field that has the focus; nil if there is none.
func (sc *Screen) field() *field {
	it := sc.current()
	if it == nil || !it.open() {
		return nil
	}
	return it.field()
}

// send sends the decision on the command in focus.
func (sc *Screen) send() screen.Outcome {
	it := sc.current()
	switch {
	case sc.ignoresKeys():
		return nil
	case it == nil:
		return screen.Tell(screen.Info, "No command is waiting.")
	case !it.open():
		return screen.Tell(screen.Info, "This command no longer waits.")
	}
	a, err := it.decision()
	if err != nil {
		return screen.Tell(screen.Warning, "Not sent: "+err.Error()+".")
	}
	it.sent = true
	sc.guard()
	if i := slices.IndexFunc(sc.items, (*item).open); i >= 0 {
		sc.focus, sc.back = i, 0
	}
	return screen.Outcome{Decide{Call: it.asked.CallID, Approval: a}}
}

// Back leaves the screen. What waits goes on waiting.
func (sc *Screen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says what esc does.
func (sc *Screen) BackHint() string { return "esc back, decides nothing" }

// Typing reports whether a reason or a command is typed.
func (sc *Screen) Typing() bool { return sc.field() != nil }

// TypingHints returns nil: the keys of the screen say it.
func (sc *Screen) TypingHints() []string { return nil }

// HandleKey types into the field in focus.
func (sc *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	f := sc.field()
	if f == nil || sc.ignoresKeys() || msg.String() == "enter" {
		return nil
	}
	var cmd tea.Cmd
	f.Model, cmd = f.Update(msg)
	return screen.Run(cmd)
}

// Paste inserts into the field in focus.
func (sc *Screen) Paste(content string) screen.Outcome {
	f := sc.field()
	if f == nil || sc.ignoresKeys() {
		return nil
	}
	var cmd tea.Cmd
	f.Model, cmd = f.Update(tea.PasteMsg{Content: text.Line(content)})
	return screen.Run(cmd)
}

// Cursor is in the field in focus.
func (sc *Screen) Cursor() *tea.Cursor {
	f := sc.field()
	if f == nil {
		return nil
	}
	d := sc.draw()
	return screen.Offset(input.Cursor(f.Model, sc.th), fieldIndent, sc.viewport.Row(d.fieldAt))
}

// Wheel moves to another command.
func (sc *Screen) Wheel(_, _, step, _ int) { sc.moveItem(step) }
