// Package receipt is the screen that shows exactly what was sent to a model with
// one request, message by message, the prompt in its parts.
//
// It imports debate, debate/report and agents for what it shows, screen for what it is to the
// shell, and theme to draw. What it reads comes through Reader; it must not know
// other screens, stores or engines.
package receipt

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/textview"
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

	pieces        list.List
	textview.Text          // of the open piece
	lines         []string // of it, wrapped; nil: not yet
	find          screen.Finder
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
	sc.find = screen.Finder{
		Lines: func() ([]string, int) { return sc.wrapped(), sc.Top() },
		Show:  func(line int) { sc.ScrollTo(line - sc.boxRows()/3) },
	}
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
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	turn := func(along axis, n int) func(string) screen.Outcome {
		return func(string) screen.Outcome { return sc.turn(along, n) }
	}
	jumps := append(screen.JumpKeys(sc.halfPage, sc.ToEnd), sc.find.Commands()...)
	return append(append(screen.MoveKeys(sc.move, nil), jumps...), []screen.Command{
		{
			Binding: bind("page-down", "d u", "scroll the text"), Title: "Scroll the text down", Group: screen.Moving,
			Hint: screen.Say("d u scroll"), Rank: 3, Run: move(sc.halfPage, 1),
		},
		{Binding: bind("read-on", "", ""), Group: screen.Moving, Run: move(sc.halfPage, 1)},
		{Binding: bind("page-up", "", ""), Title: "Scroll the text up", Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{
			Binding: bind("next-seat", "tab", "seat, chair, light model"), Title: "Receipts of the next seat", Group: screen.Moving,
			Hint: screen.Say("tab seat"), Rank: 4, Run: turn(bySeat, 1),
		},
		{Binding: bind("previous-seat", "", ""), Group: screen.Moving, Run: turn(bySeat, -1)},
		{
			Binding: bind("earlier-request", "[ ]", "earlier, later request"), Title: "Earlier request of this seat", Group: screen.Moving,
			Hint: screen.Say("[ ] request"), Rank: 5, Run: turn(byRequest, -1),
		},
		{Binding: bind("later-request", "", ""), Title: "Later request of this seat", Group: screen.Moving, Run: turn(byRequest, 1)},
		{
			Binding: bind("open", "enter", "its turn in the pane"), Title: "Show the turn in its pane", Group: screen.Choosing,
			Run: do(sc.showTurn),
		},
		screen.PagerKey("Open the request in $PAGER", 7, sc.noPager, sc.openPager),
		{
			Binding: bind("copy", "y", "copy this part"), Title: "Copy this part", Group: screen.Choosing,
			Hint: screen.Say("y copy"), Rank: 6, Run: do(sc.copyPiece),
		},
	}...)
}

// load shows another request. The cursor stays on the piece of the same kind.
func (sc *Screen) load(about debate.Receipt, r report.Receipt) {
	was := report.Piece{Role: string(agents.User)}
	if sc.pieces.At < len(sc.receipt.Pieces) {
		was = sc.receipt.Pieces[sc.pieces.At]
	}
	sc.about, sc.receipt, sc.pieces = about, r, list.List{}
	for i, p := range r.Pieces {
		if p.Role == was.Role && (p.Title == was.Title || p.Message == was.Message && !p.Continues()) {
			sc.unfold(i)
			return
		}
	}
	sc.unfold(min(1, len(r.Pieces)-1))
}

// unfold opens a piece below the list.
func (sc *Screen) unfold(piece int) { sc.pieces.At, sc.Text, sc.lines = piece, textview.Text{}, nil }

// move opens the piece so many rows further down.
func (sc *Screen) move(n int) {
	sc.pieces.Move(n, len(sc.receipt.Pieces))
	sc.unfold(sc.pieces.At)
}

// halfPage scrolls by about half of what is seen of the open piece.
func (sc *Screen) halfPage(n int) { sc.Scroll(n * max(sc.boxRows()/2, 1)) }

// showTurn shows the turn that the request belongs to.
func (sc *Screen) showTurn() screen.Outcome {
	about := sc.about
	return screen.Outcome{ShowTurn{
		Seat:    1 + slices.IndexFunc(sc.session.Seats, func(p agents.Profile) bool { return p.ID == about.Turn.Agent }),
		Round:   about.Turn.Round,
		Verdict: (about.Purpose == debate.ForChair || about.Purpose == debate.ForFollowUp) && sc.session.Verdict != nil,
	}}
}

// openPager shows the whole request in the user's pager.
func (sc *Screen) openPager() screen.Outcome {
	return screen.Outcome{screen.OpenPager{File: "receipt.json", Text: sc.receipt.Body() + "\n"}}
}

func (sc *Screen) copyPiece() screen.Outcome {
	return screen.Outcome{screen.Copy{Text: sc.receipt.Pieces[sc.pieces.At].Text, What: "this part"}}
}

// Back ends the search, then leaves the screen.
func (sc *Screen) Back() screen.Outcome { return sc.find.Back() }

// BackHint says so.
func (sc *Screen) BackHint() string { return sc.find.BackHint() }

// Title names the screen, and what can be relied on.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Prompt receipt", Style: sc.th.Accent}},
		[]theme.Part{{Text: "exactly what was sent ", Style: sc.th.Muted, Cut: 2}}
}

// Reader reads what was sent to models.
type Reader interface {
	// Receipts lists all requests of a session, in the order in which they were sent.
	Receipts(ctx context.Context, session string) ([]debate.Receipt, error)
	// Prompt returns the n-th request of a turn, from 1, as it was sent.
	Prompt(ctx context.Context, session string, turn agents.Turn, n int) (agents.Request, debate.Receipt, error)
}

// Loaded is the message of a request that was read, or says why there is none.
type Loaded struct {
	session string
	about   debate.Receipt
	receipt report.Receipt
	none    string // why there is no such request
	err     error
}

// OpenSeat reads the request that was last sent to a seat.
func (sc *Screen) OpenSeat(id agents.ID) tea.Cmd { return sc.open(requester{debate.ForMember, id}) }

// OpenChair reads the request that was last sent to the chair; without a chair the
// last one of all.
func (sc *Screen) OpenChair() tea.Cmd { return sc.open(requester{purpose: debate.ForChair}) }

func (sc *Screen) open(who requester) tea.Cmd {
	name := sc.called(who)
	return sc.read(func(all []debate.Receipt) (debate.Receipt, string) {
		sent := sentFor(all, who)
		if len(sent) == 0 && who.purpose == debate.ForChair && len(all) > 0 {
			sent = all
		}
		if len(sent) == 0 {
			return debate.Receipt{}, "Nothing was sent to " + name + " yet."
		}
		return sent[len(sent)-1], ""
	})
}

// turn reads another request than the one that is shown.
func (sc *Screen) turn(along axis, n int) screen.Outcome {
	s, from := sc.session, sc.about
	return screen.Run(sc.read(func(all []debate.Receipt) (debate.Receipt, string) {
		if to := neighbour(s, all, from, along, n); to.Turn != from.Turn || to.N != from.N {
			return to, ""
		}
		return debate.Receipt{}, map[axis]string{
			bySeat: "Nothing was sent to anyone else.", byRequest: "No more requests that way.",
		}[along]
	}))
}

// read reads the request that choose picks of all that were sent.
func (sc *Screen) read(choose func([]debate.Receipt) (debate.Receipt, string)) tea.Cmd {
	ctx, reader, s := sc.ctx, sc.reader, sc.session
	return func() tea.Msg {
		msg := Loaded{session: s.ID}
		all, err := reader.Receipts(ctx, s.ID)
		if err != nil {
			msg.err = err
			return msg
		}
		about, none := choose(all)
		if none != "" {
			msg.none = none
			return msg
		}
		req, about, err := reader.Prompt(ctx, s.ID, about.Turn, about.N)
		if err == nil {
			msg.about = about
			msg.receipt, err = report.ReceiptOf(s, req, about)
		}
		msg.err = err
		return msg
	}
}

// Show shows a request that was read. It reports whether it did; a message of
// another session is ignored.
func (sc *Screen) Show(msg Loaded) (shown bool, out screen.Outcome) {
	switch {
	case msg.session != sc.session.ID:
		return false, nil
	case msg.err != nil:
		return false, screen.Tell(screen.Warning, text.Sentence(msg.err.Error()))
	case msg.none != "":
		return false, screen.Tell(screen.Info, msg.none)
	}
	sc.load(msg.about, msg.receipt)
	return true, screen.Outcome{screen.ClearNotice{}}
}

// requester is on whose behalf a request was sent: a seat, the chairs or the light
// model.
type requester struct {
	purpose debate.Purpose
	seat    agents.ID // "" but for members
}

func requesterOf(r debate.Receipt) requester {
	if r.Purpose == debate.ForMember {
		return requester{r.Purpose, r.Turn.Agent}
	}
	return requester{purpose: r.Purpose}
}

// called names a requester.
func (sc *Screen) called(who requester) string {
	switch who.purpose {
	case debate.ForChair:
		return "the chair"
	case debate.ForLight:
		return "the light model"
	case debate.ForFollowUp:
		return "who answers follow-ups"
	case debate.ForMember:
	}
	p, n := sc.session.Seat(who.seat)
	if n == 0 {
		return string(who.seat)
	}
	return text.Line(p.Name)
}

// requesters lists all for whom something was sent: the seats in their order, then
// the others.
func requesters(s debate.Session, all []debate.Receipt) []requester {
	var out []requester
	for _, p := range s.Seats {
		out = append(out, requester{debate.ForMember, p.ID})
	}
	out = append(out, requester{purpose: debate.ForChair}, requester{purpose: debate.ForLight}, requester{purpose: debate.ForFollowUp})
	return slices.DeleteFunc(out, func(who requester) bool { return len(sentFor(all, who)) == 0 })
}

// sentFor returns the requests of one requester, by round, step, attempt and number.
func sentFor(all []debate.Receipt, who requester) []debate.Receipt {
	out := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool { return requesterOf(r) != who })
	slices.SortStableFunc(out, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	})
	return out
}

// lastOf returns the last request of a round, or of all where it has none.
func lastOf(sent []debate.Receipt, round int) debate.Receipt {
	last := sent[len(sent)-1]
	for _, r := range sent {
		if r.Turn.Round == round {
			last = r
		}
	}
	return last
}

// axis is along which another request is chosen: of the next requester, of another
// round, or the one next to it.
type axis int

const (
	bySeat axis = iota
	byRequest
)

// neighbour returns the request that lies n steps along an axis from another.
func neighbour(s debate.Session, all []debate.Receipt, from debate.Receipt, along axis, n int) debate.Receipt {
	who := requesterOf(from)
	sent := sentFor(all, who)
	at := slices.IndexFunc(sent, func(r debate.Receipt) bool { return r.Turn == from.Turn && r.N == from.N })
	if at < 0 {
		return from
	}
	switch along {
	case bySeat:
		others := requesters(s, all)
		i := (slices.Index(others, who) + n + len(others)) % len(others)
		return lastOf(sentFor(all, others[i]), from.Turn.Round)
	default:
		return sent[max(0, min(at+n, len(sent)-1))]
	}
}
