package reader

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Tools is the tool log: every tool call of a debate and what the user was told, the newest last.
type Tools struct {
	*Reader
	session debate.Session
	seat    func(agents.ID) *control.Seat
	notices []screen.Notice
}

type call struct {
	*control.Block
	seat  int // from 1
	owner string
}

var _ screen.OfSession = (*Tools)(nil)

// NewTools returns the log of the calls of seats.
func NewTools(th *theme.Theme, seat func(agents.ID) *control.Seat) *Tools {
	t := &Tools{seat: seat}
	t.Reader = New(th, Config{
		Name: "Tool log", What: "call", Enter: "open", None: "No tool calls.", Follow: true, Rows: t.rows,
		Columns: []Column{
			{Title: "time", Width: 9, From: 60},
			{Title: "owner", Width: 9},
			{Title: "R", Width: 3, From: 60},
			{Title: "tool", Width: 18},
			{Title: "arguments"},
			{Title: "took", Width: 14, Right: true, From: 60},
		},
		More: screen.Shared("evidence", "approvals"),
	})
	return t
}

// SetSession sets the session whose calls are listed.
func (t *Tools) SetSession(s debate.Session) {
	t.session = s
	t.Changed()
}

// Apply follows calls as they begin and end.
func (t *Tools) Apply(ev debate.Event) {
	switch ev.(type) {
	case debate.ToolsCalled, debate.ToolStarted, debate.ToolEnded, debate.ApprovalAsked, debate.ApprovalDecided:
		t.Changed()
	default: // not shown here
	}
}

// calls returns the calls of all seats, seat by seat.
func (t *Tools) calls() []call {
	var all []call
	for i, p := range t.session.Seats {
		for _, b := range t.seat(p.ID).Blocks() {
			if b.Kind == control.BlockTool {
				all = append(all, call{b, i + 1, fmt.Sprintf("%d %s", i+1, text.Line(p.Name))})
			}
		}
	}
	return all
}

// Empty reports whether there is neither a call nor a notice.
func (t *Tools) Empty() bool { return len(t.notices) == 0 && len(t.calls()) == 0 }

// SetNotices sets what the user was told, the oldest first.
func (t *Tools) SetNotices(told []screen.Notice) {
	if n := len(told); n != len(t.notices) || n > 0 && told[n-1] != t.notices[n-1] {
		t.Changed()
	}
	t.notices = told
}

// Title names the session, and counts its calls.
func (t *Tools) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " Tool log · ", Style: t.th.Accent}, {Text: text.Line(t.session.Name()), Style: t.th.Text, Cut: 1}}
	return left, []theme.Part{{Text: text.Count(len(t.calls()), "call") + " ", Style: t.th.Muted, Cut: 2}}
}

// rows returns calls and notices in the order of time; calls that have not begun come last.
func (t *Tools) rows() []Row {
	type told struct {
		at  time.Time
		row Row
	}
	var all []told
	for i, n := range t.notices {
		all = append(all, told{n.At, noticeRow(i, n)})
	}
	for _, c := range t.calls() {
		all = append(all, told{c.Tool.Began, t.row(c)})
	}
	slices.SortStableFunc(all, func(a, b told) int {
		if a.at.IsZero() != b.at.IsZero() {
			return b.at.Compare(a.at)
		}
		return a.at.Compare(b.at)
	})
	return text.Each(all, func(one told) Row { return one.row })
}

func noticeRow(number int, n screen.Notice) Row {
	said := n.Text
	return Row{
		ID: fmt.Sprintf("notice %d", number), Words: func() string { return said }, Title: []theme.Part{{Text: "Notice"}},
		Cells: func(th *theme.Theme, f screen.Frame) []Cell {
			return []Cell{{clock(n.At, f), th.Faint}, {"notice", th.Muted}, {}, {}, {said, n.Tone.Style(th)}, {}}
		},
		Lines: func(_ *theme.Theme, width int) []Line { return Wrapped("", said, width) },
		Copy:  func() screen.Copy { return screen.Copy{Text: said, What: "the notice"} },
	}
}

func clock(at time.Time, f screen.Frame) string {
	if at.IsZero() {
		return ""
	}
	return at.In(f.Now.Location()).Format("15:04:05")
}

// mostShown is how many bytes of an argument or a result are drawn and searched.
const mostShown = 8000

func (t *Tools) row(c call) Row {
	brief := sync.OnceValue(func() string {
		return text.Clip(text.Line(pane.ArgsSummary(c.Tool.Args)), 300)
	})
	name, state := text.Line(c.Tool.Name), pane.ToolState(c.Tool)
	return Row{
		ID: c.Call, Words: func() string {
			shown := []string{c.owner, name, brief(), state, text.Head(c.Tool.Args, mostShown), text.Head(c.Tool.Result.Text, mostShown)}
			return strings.Join(shown, " ")
		},
		Title: []theme.Part{{Text: c.owner + " · " + name, Style: t.th.Seat(c.seat), Cut: 1}},
		State: []theme.Part{{
			Text:  fmt.Sprintf("%s · round %d, attempt %d", state, c.Turn.Round, c.Turn.Attempt),
			Style: t.th.Muted, Cut: 1,
		}},
		Cells: func(th *theme.Theme, f screen.Frame) []Cell {
			sign, style, took := pane.ToolSign(c.Tool, th, f.Now, f.Spin)
			return []Cell{
				{clock(c.Tool.Began, f), th.Faint},
				{c.owner, th.Seat(c.seat)},
				{fmt.Sprint(c.Turn.Round), th.Muted},
				{sign + " " + name, style},
				{brief(), th.Muted},
				{took, th.Faint},
			}
		},
		Lines: func(th *theme.Theme, width int) []Line {
			return append(labeled(th, "arguments", c.Tool.Args, width), labeled(th, "result", c.Tool.Result.Text, width)...)
		},
		Copy: func() screen.Copy { return screen.Copy{Text: text.Sanitize(c.Tool.Result.Text), What: "the result"} },
	}
}

func labeled(th *theme.Theme, label, content string, width int) []Line {
	shown := text.Head(content, mostShown)
	lines := Wrapped(fmt.Sprintf("%-12s", label), text.Sanitize(shown), width)
	if left := utf8.RuneCountInString(content[len(shown):]); left > 0 {
		more := fmt.Sprintf("%s %d more characters; y copies all", th.Symbols.Cut, left)
		lines = append(lines, Wrapped(fmt.Sprintf("%12s", ""), more, width)...)
	}
	return lines
}
