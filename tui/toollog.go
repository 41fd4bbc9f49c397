package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// toolLog lists every tool call of the debate, the newest last, and after them
// what was told. What is under the cursor is open below.
type toolLog struct {
	th    *theme.Theme
	w, h  int
	seats []agents.Profile
	calls []*call
	asks  map[string]string // by call: which request it asked, and how much that matters
	told  []notice          // as drawn last
	from  place             // where it was opened

	cursor int // in the calls shown, and after them in the notices
	first  int // call shown in the top row
	follow bool
	seat   int    // only its calls; 0: all
	round  int    // only calls of this round; 0: all
	open   string // id of the call that is open below
	top    int    // first line of it that is shown
	field  textinput.Model
	typing bool
}

// call is one tool call with whose it is.
type call struct {
	turn agents.Turn
	seat int
	tool debate.ToolRecord
}

func newToolLog(th *theme.Theme) *toolLog {
	l := &toolLog{th: th, follow: true, field: textinput.New(), asks: map[string]string{}}
	l.field.Prompt = ""
	l.field.SetVirtualCursor(false)
	l.field.CharLimit = 100
	return l
}

// load lists what a stored session has.
func (l *toolLog) load(s debate.Session) {
	l.seats, l.calls, l.asks = s.Seats, nil, map[string]string{}
	for _, r := range s.Requests {
		for i, a := range r.Asks {
			l.asked(r, a, i > 0)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			for _, p := range x.Passages {
				for _, t := range p.Tools {
					l.put(x.Turn, t)
				}
			}
		}
	}
	slices.SortStableFunc(l.calls, func(a, b *call) int { return a.tool.Began.Compare(b.tool.Began) })
}

// apply follows calls as they begin and end.
func (l *toolLog) apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.ToolStarted:
		l.put(ev.Turn, ev.Tool)
	case debate.ToolEnded:
		l.put(ev.Turn, ev.Tool)
	case debate.ContextRequested:
		l.asked(ev.Request, ev.Ask, ev.Joined)
	case debate.RoundStarted, debate.TurnStarted, debate.TurnQueued, debate.TurnRetrying, debate.Text,
		debate.ContextChanged, debate.TurnEnded, debate.Assisting, debate.Assessed, debate.Concluding, debate.Concluded, debate.Noticed, debate.RoundEnded:
	}
}

// asked notes which request a call has asked.
func (l *toolLog) asked(r ledger.Request, a ledger.Ask, joined bool) {
	text := r.ID + " " + string(a.Priority)
	if joined {
		text = "joins " + r.ID
	}
	l.asks[a.Call] = safetext.Line(text)
}

func (l *toolLog) put(t agents.Turn, tool debate.ToolRecord) {
	i := slices.IndexFunc(l.calls, func(c *call) bool { return c.tool.ID == tool.ID })
	if i >= 0 {
		l.calls[i].tool = tool
		return
	}
	seat := 1 + slices.IndexFunc(l.seats, func(p agents.Profile) bool { return p.ID == t.Agent })
	l.calls = append(l.calls, &call{t, seat, tool})
}

// setSize sets the room between the top line and the notice row.
func (l *toolLog) setSize(w, h int) {
	l.w, l.h = w, h
	l.field.SetWidth(max(w-50, 10))
}

// shown returns the calls that pass the filter.
func (l *toolLog) shown() []*call {
	words := strings.ToLower(strings.TrimSpace(l.field.Value()))
	var out []*call
	for _, c := range l.calls {
		text := strings.ToLower(c.tool.Name + " " + c.tool.Args + " " + l.owner(c) + " " + string(c.tool.Result.Status))
		if (l.seat == 0 || c.seat == l.seat) && (l.round == 0 || c.turn.Round == l.round) && strings.Contains(text, words) {
			out = append(out, c)
		}
	}
	return out
}

func (l *toolLog) owner(c *call) string {
	if c.seat == 0 {
		return string(c.turn.Agent)
	}
	return fmt.Sprintf("%d %s", c.seat, safetext.Line(l.seats[c.seat-1].Name))
}

// selected returns the call under the cursor; nil if there is none.
func (l *toolLog) selected() *call {
	shown := l.shown()
	if l.follow {
		l.cursor = len(shown) - 1
	}
	if l.cursor < 0 || l.cursor >= len(shown) {
		return nil
	}
	return shown[l.cursor]
}

// notices returns what was told, unless calls are being looked for.
func (l *toolLog) notices() []notice {
	if l.typing || l.field.Value() != "" || l.seat != 0 || l.round != 0 {
		return nil
	}
	return l.told
}

// notice returns the notice under the cursor; ok is false on a call.
func (l *toolLog) notice() (n notice, ok bool) {
	l.selected()
	told := l.notices()
	if i := l.cursor - len(l.shown()); !l.follow && i >= 0 && i < len(told) {
		return told[i], true
	}
	return notice{}, false
}

// move moves the cursor; on the last call it follows new ones.
func (l *toolLog) move(n int) {
	l.selected()
	calls := len(l.shown())
	l.cursor = max(0, min(l.cursor+n, calls+len(l.notices())-1))
	l.follow = calls > 0 && l.cursor == calls-1
}

// nextSeat shows the calls of another seat only, or of all.
func (l *toolLog) nextSeat(n int) {
	k := len(l.seats) + 1
	l.seat, l.follow = (l.seat+n+k)%k, true
}

// nextRound shows the calls of another round only, or of all.
func (l *toolLog) nextRound(n int) {
	last := 0
	for _, c := range l.calls {
		last = max(last, c.turn.Round)
	}
	l.round, l.follow = (l.round+n+last+1)%(last+1), true
}

// scroll moves within the call that is open.
func (l *toolLog) scroll(lines int) { l.top = max(l.top+lines, 0) }

// back leaves the filter. It reports whether there was one.
func (l *toolLog) back() bool {
	was := l.typing || l.field.Value() != "" || l.seat != 0 || l.round != 0
	l.typing = false
	l.field.Blur()
	l.field.SetValue("")
	l.seat, l.round = 0, 0
	return was
}

// key types into the filter.
func (l *toolLog) key(msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "enter" {
		l.typing = false
		l.field.Blur()
		return nil
	}
	var cmd tea.Cmd
	l.field, cmd = l.field.Update(msg)
	l.follow = true
	return cmd
}

// whole is what is under the cursor in full; "" for nothing.
func (l *toolLog) whole() string {
	if n, ok := l.notice(); ok {
		return n.text + " " + n.keys + "\n"
	}
	c := l.selected()
	if c == nil {
		return ""
	}
	return safetext.Text(fmt.Sprintf("%s %s\n\n%s\n\n%s\n", l.owner(c), c.tool.Name, c.tool.Args, c.tool.Result.Text))
}

// summary counts the calls for the top line.
func (l *toolLog) summary() string {
	denied, running := 0, 0
	for _, c := range l.calls {
		switch {
		case c.tool.State != debate.ToolDone:
			running++
		case c.tool.Result.Status == agents.ToolDenied:
			denied++
		}
	}
	text := count(len(l.calls), "call", "calls")
	if denied > 0 {
		text += fmt.Sprintf(" · %d denied", denied)
	}
	if running > 0 {
		text += fmt.Sprintf(" · %d running", running)
	}
	return text
}
