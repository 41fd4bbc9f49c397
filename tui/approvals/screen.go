// Package approvals is the screen on which the user decides on the commands that
// agents want to run.
//
// It imports debate and agents for what it shows, screen for what it is to the shell,
// and theme, input and list to draw. What is decided is an effect; it must not
// know other screens, stores or engines.
package approvals

import (
	"errors"
	"slices"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

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
	focus    int       // in items
	back     int       // lines above the choice that are read, of a command that does not fit
	guarded  time.Time // until when keys are ignored: they may be meant for what was shown before
	viewport list.Viewport
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

func outcomeOf(a debate.Approval) string {
	switch {
	case a.Choice == debate.ApprovalPattern:
		return "allowed by its first words"
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

func (sc *Screen) guard() { sc.guarded = sc.now().Add(screen.Settle) }

func (sc *Screen) ignoresKeys() bool { return sc.now().Before(sc.guarded) }

// current returns the item in focus; nil if there is none.
func (sc *Screen) current() *item {
	if sc.focus >= len(sc.items) {
		return nil
	}
	return sc.items[sc.focus]
}

func (sc *Screen) field() *textinput.Model {
	it := sc.current()
	if it == nil || !it.open() {
		return nil
	}
	return it.field()
}

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

// Typing reports whether a reason or a pattern is typed.
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
	*f, cmd = f.Update(msg)
	return screen.Run(cmd)
}

// Paste inserts into the field in focus.
func (sc *Screen) Paste(content string) screen.Outcome {
	f := sc.field()
	if f == nil || sc.ignoresKeys() {
		return nil
	}
	var cmd tea.Cmd
	*f, cmd = f.Update(tea.PasteMsg{Content: text.Line(content)})
	return screen.Run(cmd)
}

// Cursor is in the field in focus.
func (sc *Screen) Cursor() *tea.Cursor {
	f := sc.field()
	if f == nil {
		return nil
	}
	d := sc.draw()
	return screen.Offset(input.Cursor(*f, sc.th), fieldIndent, sc.viewport.Row(d.fieldAt))
}

// Wheel moves to another command.
func (sc *Screen) Wheel(_, _, step, _ int) { sc.moveItem(step) }

// Commands lists the keys of the screen. No letter and no enter is among them.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.page(n * 1 << 10) })
	return append(jumps, []screen.Command{
		{
			Binding: bind("approval-down", "↑ ↓", "choose"), Group: screen.Moving, InField: true,
			Hint: sc.chooseHint, Rank: 2, Run: move(sc.moveChoice, 1),
		},
		{Binding: bind("approval-up", "", ""), Group: screen.Moving, InField: true, Run: move(sc.moveChoice, -1)},
		{Binding: bind("approval-right", "", ""), Group: screen.Moving, Run: move(sc.moveChoice, 1)},
		{Binding: bind("approval-left", "", ""), Group: screen.Moving, Run: move(sc.moveChoice, -1)},
		{
			Binding: bind("approval-next", "tab", "next command"), Title: "Next command", Group: screen.Moving, InField: true,
			Hint: sc.nextHint, Rank: 4, Run: move(sc.moveItem, 1),
		},
		{
			Binding: bind("approval-previous", "", ""), Title: "Previous command", Group: screen.Moving, InField: true,
			Run: move(sc.moveItem, -1),
		},
		{
			Binding: bind("approval-page-up", "pgup pgdn", "read a long command"), Group: screen.Moving, InField: true,
			Run: move(sc.page, -1),
		},
		{Binding: bind("approval-page-down", "", ""), Group: screen.Moving, InField: true, Run: move(sc.page, 1)},
		{
			Binding: bind("approval-send", "ctrl+s", "send this decision"), Title: "Send this decision", Group: screen.Choosing,
			InField: true, Hint: sc.sendHint, Rank: 1, Run: do(sc.send),
		},
		{Shared: screen.ToolLog},
		{Shared: screen.Sessions},
	}...)
}

func (sc *Screen) moveChoice(n int) {
	if it := sc.current(); it != nil && it.open() && !sc.ignoresKeys() {
		it.move(n)
		sc.back = 0
	}
}

func (sc *Screen) moveItem(n int) {
	if k := len(sc.items); k > 0 && !sc.ignoresKeys() {
		sc.focus, sc.back = (sc.focus+n+k)%k, 0
	}
}

// page scrolls in a command that does not fit on the screen.
func (sc *Screen) page(n int) {
	sc.back = max(sc.back-n*max(sc.h-2, 1), 0)
}

func (sc *Screen) sendHint() string {
	it := sc.current()
	switch {
	case it == nil || !it.open():
		return ""
	case it.choice == deny || it.choice == denyWithReason:
		return "ctrl+s deny"
	default:
		return "ctrl+s run"
	}
}

func (sc *Screen) chooseHint() string {
	if it := sc.current(); it == nil || !it.open() {
		return ""
	}
	return sc.th.Symbols.Up + " " + sc.th.Symbols.Down + " choose"
}

func (sc *Screen) nextHint() string {
	if len(sc.items) < 2 {
		return ""
	}
	return "tab next command"
}

// choice is what the user can choose for a command, in the order of drawing.
type choice int

const (
	deny choice = iota
	denyWithReason
	allowOnce
	allowPattern
	choices int = iota
)

// maxReason limits a reason and a pattern, in characters.
const maxReason = 500

type item struct {
	asked   debate.ApprovalAsked
	choice  choice
	reason  textinput.Model
	pattern textinput.Model // the command's beginning
	sent    bool
	outcome string // how it ended; "" while it waits
}

func newItem(ev debate.ApprovalAsked) *item {
	it := &item{asked: ev, reason: newField(), pattern: newField()}
	it.pattern.SetValue(text.Command(ev.Beginning()))
	return it
}

func newField() textinput.Model {
	f := textinput.New()
	f.Prompt = ""
	f.CharLimit = maxReason
	f.SetVirtualCursor(false)
	f.Focus()
	return f
}

func (it *item) setWidth(w int) {
	it.reason.SetWidth(max(w-fieldIndent-3, 8))
	it.pattern.SetWidth(max(w-fieldIndent-3, 8))
}

func (it *item) end(outcome string) { it.outcome = outcome }

func (it *item) waits() bool { return it.outcome == "" }

func (it *item) open() bool { return it.waits() && !it.sent }

func (it *item) move(n int) {
	for next := int(it.choice) + n; next >= 0 && next < choices; next += n {
		if it.offers(choice(next)) {
			it.choice = choice(next)
			return
		}
	}
}

func (it *item) offers(c choice) bool { return c != allowPattern || it.asked.EachTime == "" }

func (it *item) field() *textinput.Model {
	switch it.choice {
	case denyWithReason:
		return &it.reason
	case allowPattern:
		return &it.pattern
	case deny, allowOnce:
	}
	return nil
}

// decision returns the decision. It is bound to the command that was shown.
func (it *item) decision() (debate.Approval, error) {
	a := debate.Approval{Choice: debate.ApprovalDenied, Hash: it.asked.Hash}
	switch it.choice {
	case denyWithReason:
		if a.Reason = text.Line(it.reason.Value()); a.Reason == "" {
			return a, errors.New("the reason is empty")
		}
	case allowOnce:
		a.Choice = debate.ApprovalOnce
	case allowPattern:
		pattern, err := text.ParseCommand(it.pattern.Value())
		if err == nil && !debate.Begins(it.asked.Argv, pattern) {
			err = errors.New("the command does not begin with these words")
		}
		if err != nil {
			return a, err
		}
		a.Choice, a.Pattern = debate.ApprovalPattern, pattern
	case deny:
	}
	return a, nil
}
