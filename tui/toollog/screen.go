// Package toollog is the screen that lists every tool call of a debate, and after
// the calls what the user was told.
//
// It imports debate, ledger and agents for what it shows, screen for what it is to
// the shell, and pane, list, textview and theme to draw. It must not know other screens, stores or
// engines.
package toollog

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen lists the tool calls of the debate, the newest last, and after them the
// notices. What is under the cursor is open below.
type Screen struct {
	th       *theme.Theme
	w, h     int
	name     string // of the session
	seats    []agents.Profile
	calls    []*call
	byID     map[string]*call
	requests map[string]string // by call: which request it asked, and how much that matters
	notices  []screen.Notice

	commands []screen.Command
	noPager  func() string // why the pager cannot be opened

	rows   list.List // the calls shown, and after them the notices
	follow bool
	only   filter
	shown  []*call // the calls that matched the filter when they were last looked for
	stale  bool    // they have to be looked for again
	opened detail  // of the call under the cursor
	field  textinput.Model
	typing bool
}

// call is one tool call with whose it is. Arguments and results are kept as they are
// stored, and laid out only for the call that is open.
type call struct {
	turn    agents.Turn
	seat    int
	tool    debate.ToolRecord
	waiting bool      // for the user's decision on a command
	decided time.Time // when it last began or ceased to wait for the user
	short   string    // what args returned
}

func (c *call) args() string {
	if c.short == "" {
		c.short = text.Clip(text.Line(pane.ArgsSummary(text.Head(c.tool.Args, shortArgs))), 300)
	}
	return c.short
}

var _ screen.OfSession = (*Screen)(nil)

// New returns the screen. The function says why the pager cannot be opened now;
// "" when it can.
func New(th *theme.Theme, noPager func() string) *Screen {
	sc := &Screen{th: th, follow: true, field: textinput.New(), requests: map[string]string{}, byID: map[string]*call{}, noPager: noPager}
	sc.field.Prompt = ""
	sc.field.SetVirtualCursor(false)
	sc.field.CharLimit = 100
	sc.commands = sc.keys()
	return sc
}

// SetSession adds the calls of a session to those of events, which may not be stored
// yet.
func (sc *Screen) SetSession(s debate.Session) {
	sc.name, sc.seats = text.Line(s.Name()), s.Seats
	for _, r := range s.Requests {
		for i, a := range r.Asks {
			sc.addRequest(r, a, i > 0)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			for _, p := range x.Passages {
				for _, t := range p.Tools {
					sc.addCall(x.Turn, t)
				}
			}
		}
	}
	slices.SortStableFunc(sc.calls, byStart)
	sc.stale = true
}

// byStart orders calls as they began; those that have not begun come last.
func byStart(a, b *call) int {
	if a.tool.Began.IsZero() != b.tool.Began.IsZero() {
		return b.tool.Began.Compare(a.tool.Began)
	}
	return a.tool.Began.Compare(b.tool.Began)
}

// Apply follows calls as they begin and end.
func (sc *Screen) Apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.ToolsCalled:
		for _, t := range ev.Tools {
			sc.addCall(ev.Turn, t)
		}
		sc.stale = true
	case debate.ToolStarted:
		sc.addCall(ev.Turn, ev.Tool)
		sc.stale = true
	case debate.ToolEnded:
		sc.addCall(ev.Turn, ev.Tool)
		sc.stale = true
	case debate.ApprovalAsked:
		sc.setWaiting(ev.CallID, true, ev.At)
	case debate.ApprovalDecided:
		sc.setWaiting(ev.CallID, false, ev.At)
	case debate.ContextRequested:
		sc.addRequest(ev.Request, ev.Ask, ev.Joined)
	default: // not shown here
	}
}

// SetNotices sets what the user was told, the oldest first.
func (sc *Screen) SetNotices(told []screen.Notice) { sc.notices = told }

// Name returns "Tool log".
func (sc *Screen) Name() string { return "Tool log" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th = th }

// Empty reports whether there is neither a call nor a notice.
func (sc *Screen) Empty() bool { return len(sc.calls) == 0 && len(sc.notices) == 0 }

// Follow moves to the newest call and stays on it.
func (sc *Screen) Follow() { sc.follow = true }

// addRequest notes the request that a call made or joined.
func (sc *Screen) addRequest(r ledger.Request, a ledger.Ask, joined bool) {
	content := r.ID + " " + string(a.Priority)
	if joined {
		content = "joins " + r.ID
	}
	sc.requests[a.Call] = text.Line(content)
}

// shortArgs is how many bytes of the arguments are looked at for the line of a call.
const shortArgs = 2000

func (sc *Screen) addCall(t agents.Turn, tool debate.ToolRecord) {
	c := sc.byID[tool.ID]
	if c == nil {
		c = &call{turn: t, seat: 1 + slices.IndexFunc(sc.seats, func(p agents.Profile) bool { return p.ID == t.Agent })}
		sc.byID[tool.ID] = c
		sc.calls = append(sc.calls, c)
	}
	c.tool = tool
}

func (sc *Screen) setWaiting(id string, on bool, at time.Time) {
	if c := sc.byID[id]; c != nil {
		c.waiting, c.decided, sc.stale = on, at, true
	}
}

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) {
	sc.w, sc.h = w, h
	sc.field.SetWidth(max(w-60, 10))
}

func (sc *Screen) owner(c *call) string {
	if c.seat == 0 {
		return string(c.turn.Agent)
	}
	return fmt.Sprintf("%d %s", c.seat, text.Line(sc.seats[c.seat-1].Name))
}

// selected returns the call under the cursor; nil if there is none.
func (sc *Screen) selected() *call {
	if sc.follow {
		sc.rows.At = len(sc.matches()) - 1
	}
	if sc.rows.At < 0 || sc.rows.At >= len(sc.matches()) {
		return nil
	}
	return sc.matches()[sc.rows.At]
}

// shownNotices returns the notices, or none while the calls are filtered.
func (sc *Screen) shownNotices() []screen.Notice {
	if sc.typing || sc.filtered() {
		return nil
	}
	return sc.notices
}

// notice returns the notice under the cursor; ok is false on a call.
func (sc *Screen) notice() (n screen.Notice, ok bool) {
	sc.selected()
	told := sc.shownNotices()
	if i := sc.rows.At - len(sc.matches()); !sc.follow && i >= 0 && i < len(told) {
		return told[i], true
	}
	return screen.Notice{}, false
}

// move moves the cursor. On the last call it follows new ones.
func (sc *Screen) move(n int) {
	sc.selected()
	calls := len(sc.matches())
	sc.rows.Move(n, calls+len(sc.shownNotices()))
	sc.follow = calls > 0 && sc.rows.At == calls-1
}

// Back clears the filter, and without one leaves the screen.
func (sc *Screen) Back() screen.Outcome {
	filtered := sc.typing || sc.filtered()
	sc.typing = false
	sc.field.Blur()
	sc.field.SetValue("")
	sc.only = filter{}
	sc.stale = true
	if filtered {
		return nil
	}
	return screen.Outcome{screen.Close{}}
}

// BackHint says so; while the filter is typed the typing hints do.
func (sc *Screen) BackHint() string {
	if sc.typing {
		return ""
	}
	return "esc back"
}

// Typing reports whether the filter is typed.
func (sc *Screen) Typing() bool { return sc.typing }

// TypingHints says how to finish the filter.
func (sc *Screen) TypingHints() []string {
	if !sc.typing {
		return nil
	}
	return []string{"enter keep filter", "esc clear"}
}

// HandleKey types into the filter.
func (sc *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	if !sc.typing {
		return nil
	}
	if msg.String() == "enter" {
		sc.typing = false
		sc.field.Blur()
		return nil
	}
	var cmd tea.Cmd
	sc.field, cmd = sc.field.Update(msg)
	sc.follow = true
	sc.stale = true
	return screen.Run(cmd)
}

// Paste inserts into the filter.
func (sc *Screen) Paste(content string) screen.Outcome {
	if sc.typing {
		sc.field.SetValue(sc.field.Value() + text.Line(content))
		sc.stale = true
	}
	return nil
}

// Cursor is in the filter while that is typed.
func (sc *Screen) Cursor() *tea.Cursor {
	if !sc.typing {
		return nil
	}
	return screen.Offset(sc.field.Cursor(), 3, 0)
}

// Wheel scrolls the open call, or moves in the list above it.
func (sc *Screen) Wheel(_, y, step, lines int) {
	if sc.h-sc.openHeight() <= y {
		sc.opened.Scroll(lines)
		return
	}
	sc.move(step)
}

// fullText returns the call or notice under the cursor in full; "" if there is
// none.
func (sc *Screen) fullText() string {
	if n, ok := sc.notice(); ok {
		return n.Text + " " + n.Keys + "\n"
	}
	c := sc.selected()
	if c == nil {
		return ""
	}
	return text.Sanitize(fmt.Sprintf("%s %s\n\n%s\n\n%s\n", sc.owner(c), c.tool.Name, c.tool.Args, c.tool.Result.Text))
}

// ShowCall asks for the pane of a seat, at the call of a tool there.
type ShowCall struct {
	Seat int // from 1
	Tool string
}

// Commands lists the keys of the tool log.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return append(screen.MoveKeys(sc.move, sc.movePage), []screen.Command{
		{
			Binding: bind("open", "enter", "show it in its pane"), Title: "Show the call in its pane", Group: screen.Choosing,
			Hint: screen.Say("enter in its pane"), Rank: 3, Run: do(sc.showCall),
		},
		{
			Binding: bind("next-seat", "tab", "calls of one seat, of all"), Title: "Calls of the next seat", Group: screen.Choosing,
			Run: move(sc.nextSeat, 1),
		},
		{
			Binding: bind("earlier-round", "[ ]", "calls of one round, of all"), Title: "Calls of the round before", Group: screen.Choosing,
			Run: move(sc.nextRound, -1),
		},
		{Binding: bind("later-round", "", ""), Title: "Calls of the next round", Group: screen.Choosing, Run: move(sc.nextRound, 1)},
		{
			Binding: bind("next-call-tool", "n", "calls of one tool, of all"), Title: "Calls of the next tool", Group: screen.Choosing,
			Run: move(sc.nextTool, 1),
		},
		{
			Binding: bind("next-call-status", "w", "calls of one status, of all"), Title: "Calls of the next status",
			Group: screen.Choosing,
			Run:   move(sc.nextState, 1),
		},
		{Binding: bind("call-down", "d u", "scroll the open call"), Group: screen.Moving, Run: move(sc.halfPage, 1)},
		{Binding: bind("call-up", "", ""), Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{Binding: bind("search", "/", "filter"), Title: "Filter the calls", Group: screen.Choosing, Run: do(sc.filter)},
		{
			Binding: bind("copy", "y", "copy the result"), Title: "Copy the result", Group: screen.Choosing,
			Hint: screen.Say("y copy"), Rank: 5, Run: do(sc.copyResult),
		},
		screen.PagerKey("Open the call in $PAGER", 6, sc.noPager, sc.openPager),
		{Shared: screen.Approvals},
	}...)
}

// movePage moves the cursor by about a third of the terminal's rows.
func (sc *Screen) movePage(n int) { sc.move(n * (sc.h + 3) / 3) }

// halfPage scrolls by half of what is seen of the call that is open.
func (sc *Screen) halfPage(direction int) { sc.opened.Scroll(direction * max(sc.openHeight()/2, 1)) }

// showCall shows the call under the cursor in its pane.
func (sc *Screen) showCall() screen.Outcome {
	c := sc.selected()
	if c == nil || c.seat == 0 {
		return nil
	}
	return screen.Outcome{ShowCall{Seat: c.seat, Tool: c.tool.Name}}
}

func (sc *Screen) filter() screen.Outcome {
	sc.typing = true
	return screen.Run(sc.field.Focus())
}

func (sc *Screen) copyResult() screen.Outcome {
	if c := sc.selected(); c != nil {
		return screen.Outcome{screen.Copy{Text: text.Sanitize(c.tool.Result.Text), What: "the result"}}
	}
	return screen.Outcome{screen.Copy{}}
}

// openPager shows the open call, or the notice, in the user's pager.
func (sc *Screen) openPager() screen.Outcome {
	text := sc.fullText()
	if text == "" {
		return screen.Tell(screen.Info, "No call to open.")
	}
	return screen.Outcome{screen.OpenPager{File: "call.txt", Text: text}}
}
