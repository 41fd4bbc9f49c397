// Package receipt is the screen that shows exactly what was sent to a model with
// one request, message by message, the prompt in its parts.
//
// It imports debate, debate/report and agents for what it shows, screen for what it is to the
// shell, and theme to draw. What it reads comes through Reader; it must not know
// other screens, stores or engines.
package receipt

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen shows one request, the piece under the cursor open below the list. It
// keeps the context that its commands read in, since Bubble Tea hands none out.
type Screen struct {
	screen.NoInput
	ctx      context.Context
	reader   Reader
	th       *theme.Theme
	w, h     int
	session  debate.Session
	about    debate.Receipt // which request is shown
	receipt  report.Receipt
	commands []screen.Command
	noPager  func() string // why the pager cannot be opened

	cursor int
	first  int      // section in the top row of the list
	top    int      // line of the open piece in the top row of its box
	lines  []string // of the open piece, wrapped; nil: not yet
}

var _ screen.OfSession = (*Screen)(nil)

// ShowTurn asks for the turn that a request belongs to: in the pane of a seat, or
// where the chair was asked, on the verdict.
type ShowTurn struct {
	Seat    int // from 1; 0: none
	Round   int
	Verdict bool
}

// New returns the screen. The function says why the pager cannot be opened now;
// "" when it can.
func New(ctx context.Context, reader Reader, th *theme.Theme, noPager func() string) *Screen {
	sc := &Screen{ctx: ctx, reader: reader, th: th, noPager: noPager}
	sc.commands = sc.keys()
	return sc
}

// Name returns "Prompt receipt".
func (sc *Screen) Name() string { return "Prompt receipt" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th = th }

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) {
	if w != sc.w {
		sc.lines = nil
	}
	sc.w, sc.h = w, h
}

// SetSession sets the session whose requests are read.
func (sc *Screen) SetSession(s debate.Session) { sc.session = s }

// Apply does nothing: a request does not change once it was sent.
func (sc *Screen) Apply(debate.Event) {}

// Commands lists the keys of the prompt receipt.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	turn := func(along axis, n int) func(string) screen.Outcome {
		return func(string) screen.Outcome { return sc.turn(along, n) }
	}
	jumps := screen.JumpKeys(sc.halfPage, func(n int) { sc.scroll(n * 1 << 20) })
	return append(append(screen.MoveKeys(sc.move, nil), jumps...), []screen.Command{
		{
			Binding: bind(k("d", "pgdown", "space"), "d u", "scroll the text"), Title: "Scroll the text down", Group: screen.Moving,
			Hint: screen.Say("d u scroll"), Rank: 3, Run: move(sc.halfPage, 1),
		},
		{Binding: bind(k("u", "pgup"), "", ""), Title: "Scroll the text up", Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{
			Binding: bind(k("tab"), "tab", "seat, chair, light model"), Title: "Receipts of the next seat", Group: screen.Moving,
			Hint: screen.Say("tab seat"), Rank: 4, Run: turn(bySeat, 1),
		},
		{Binding: bind(k("shift+tab"), "", ""), Group: screen.Moving, Run: turn(bySeat, -1)},
		{
			Binding: bind(k("[", "left"), "[ ]", "earlier, later round"), Title: "Earlier round", Group: screen.Moving,
			Hint: screen.Say("[ ] round"), Rank: 5, Run: turn(byRound, -1),
		},
		{Binding: bind(k("]", "right"), "", ""), Title: "Later round", Group: screen.Moving, Run: turn(byRound, 1)},
		{
			Binding: bind(k("n"), "n N", "next, earlier request"), Title: "Next request of this seat", Group: screen.Moving,
			Run: turn(byRequest, 1),
		},
		{Binding: bind(k("N"), "", ""), Title: "Earlier request of this seat", Group: screen.Moving, Run: turn(byRequest, -1)},
		{
			Binding: bind(k("enter"), "enter", "its turn in the pane"), Title: "Show the turn in its pane", Group: screen.Choosing,
			Run: do(sc.showTurn),
		},
		{
			Binding: bind(k("o"), "o", "all of it in $PAGER"), Title: "Open the request in $PAGER", Group: screen.Choosing,
			Hint: sc.pagerHint, Rank: 7, Why: sc.noPager, Run: do(sc.openPager),
		},
		{
			Binding: bind(k("y"), "y", "copy this part"), Title: "Copy this part", Group: screen.Choosing,
			Hint: screen.Say("y copy"), Rank: 6, Run: do(sc.copyPiece),
		},
	}...)
}

func (sc *Screen) pagerHint() string {
	if sc.noPager() != "" {
		return ""
	}
	return "o pager"
}

// load shows another request. The cursor stays on the piece of the same kind.
func (sc *Screen) load(about debate.Receipt, r report.Receipt) {
	was := report.Piece{Role: string(agents.User)}
	if sc.cursor < len(sc.receipt.Pieces) {
		was = sc.receipt.Pieces[sc.cursor]
	}
	sc.about, sc.receipt, sc.first = about, r, 0
	for i, p := range r.Pieces {
		if p.Role == was.Role && (p.Title == was.Title || p.Message == was.Message && !p.Continues()) {
			sc.unfold(i)
			return
		}
	}
	sc.unfold(min(1, len(r.Pieces)-1))
}

// unfold opens a piece below the list.
func (sc *Screen) unfold(piece int) { sc.cursor, sc.top, sc.lines = piece, 0, nil }

// move opens the piece so many rows further down.
func (sc *Screen) move(n int) { sc.unfold(max(0, min(sc.cursor+n, len(sc.receipt.Pieces)-1))) }

// scroll moves within the open piece.
func (sc *Screen) scroll(n int) { sc.top += n }

// halfPage scrolls by about half of what is seen of the open piece.
func (sc *Screen) halfPage(n int) { sc.scroll(n * max((sc.h-sc.listHeight()-8)/2, 1)) }

// showTurn shows the turn that the request belongs to.
func (sc *Screen) showTurn() screen.Outcome {
	about := sc.about
	return screen.Outcome{ShowTurn{
		Seat:    1 + slices.IndexFunc(sc.session.Seats, func(p agents.Profile) bool { return p.ID == about.Turn.Agent }),
		Round:   about.Turn.Round,
		Verdict: about.Purpose == debate.ForChair && sc.session.Verdict != nil,
	}}
}

// openPager shows the whole request in the user's pager.
func (sc *Screen) openPager() screen.Outcome {
	return screen.Outcome{screen.OpenPager{File: "receipt.json", Text: sc.receipt.Body() + "\n"}}
}

func (sc *Screen) copyPiece() screen.Outcome {
	return screen.Outcome{screen.Copy{Text: sc.receipt.Pieces[sc.cursor].Text, What: "this part"}}
}

// Back leaves the screen.
func (sc *Screen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says so.
func (sc *Screen) BackHint() string { return "esc back" }

// Wheel scrolls the open piece.
func (sc *Screen) Wheel(_, _, _, lines int) { sc.scroll(lines) }

// Title names the screen, and what can be relied on.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Prompt receipt", Style: sc.th.Accent}},
		[]theme.Part{{Text: "exactly what was sent ", Style: sc.th.Muted, Cut: 2}}
}
