package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Requests reads what was sent to models.
type Requests interface {
	// Receipts lists all requests of a session, in the order in which they were sent.
	Receipts(ctx context.Context, session string) ([]debate.Receipt, error)
	// Prompt returns the n-th request of a turn, from 1, as it was sent.
	Prompt(ctx context.Context, session string, turn agents.Turn, n int) (agents.Request, debate.Receipt, error)
}

// Receipt is what was sent to a model with one request, message by message, the prompt in its
// parts. It keeps the context that its commands read in, since Bubble Tea hands none out.
type Receipt struct {
	*Reader
	ctx      context.Context
	requests Requests
	session  debate.Session
	about    debate.Receipt // which request is shown
	receipt  report.Receipt
}

var _ screen.OfSession = (*Receipt)(nil)

// ShowTurn asks for the turn that a request belongs to: in the pane of a seat, or
// where the chair was asked, on the verdict.
type ShowTurn struct {
	Seat    int // from 1; 0: none
	Round   int
	Verdict bool
}

// NewReceipt returns the screen. The function says why the pager cannot be opened now; "" when it
// can.
func NewReceipt(ctx context.Context, requests Requests, th *theme.Theme, noPager func() string) *Receipt {
	r := &Receipt{ctx: ctx, requests: requests}
	bind := screen.Bind
	turn := func(along axis, n int) func(string) screen.Outcome {
		return func(string) screen.Outcome { return r.turn(along, n) }
	}
	r.Reader = New(th, Config{
		Name: "Prompt receipt", What: "part", Enter: "in its pane", Rows: r.rows, Head: r.head, NoPager: noPager,
		Columns: []Column{
			{Title: "#", Width: 3},
			{Title: "role", Width: 12},
			{Title: "message"},
			{Title: "tok", Width: 9, Right: true},
			{Width: 16, From: 60},
		},
		More: []screen.Command{
			{
				Binding: bind("next-seat", "tab", "seat, chair, light model"), Title: "Receipts of the next seat", Group: screen.Moving,
				Hint: screen.Say("tab seat"), Rank: 4, Run: turn(bySeat, 1),
			},
			{Binding: bind("previous-seat", "", ""), Group: screen.Moving, Run: turn(bySeat, -1)},
			{
				Binding: bind("earlier", "[ ]", "earlier, later request"), Title: "Earlier request of this seat",
				Group: screen.Moving, Hint: screen.Say("[ ] request"), Rank: 5, Run: turn(byRequest, -1),
			},
			{Binding: bind("later", "", ""), Title: "Later request of this seat", Group: screen.Moving, Run: turn(byRequest, 1)},
		},
	})
	return r
}

// SetSession sets the session whose requests are read.
func (r *Receipt) SetSession(s debate.Session) { r.session = s }

// Apply does nothing: a request does not change once it was sent.
func (r *Receipt) Apply(debate.Event) {}

// Title names the screen, and what can be relied on.
func (r *Receipt) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Prompt receipt", Style: r.th.Accent}},
		[]theme.Part{{Text: "exactly what was sent ", Style: r.th.Muted, Cut: 2}}
}

func (r *Receipt) head(th *theme.Theme, width int, f screen.Frame) []string {
	one := r.receipt
	name, style := text.Line(one.Speaker.Name), th.Text
	if one.Seat > 0 {
		name, style = fmt.Sprintf("%d %s", one.Seat, name), th.Seat(one.Seat)
	}
	mark, good := th.Symbols.Done, th.Success
	switch {
	case !one.Intact:
		mark, good = th.Symbols.Failed, th.Danger
	case one.Parts == nil:
		good = th.Muted
	}
	hash := one.Hash
	if len(hash) > 12 {
		hash = hash[:4] + th.Symbols.Cut + hash[len(hash)-4:]
	}
	sep := " " + th.Symbols.Sep + " "
	return []string{
		th.Row([]theme.Part{
			{Text: " " + name, Style: style},
			{Text: fmt.Sprintf(" · %s (%s)", text.Line(one.Speaker.ModelName()), text.Line(one.Speaker.Provider)), Style: th.Text, Cut: 3},
			{Text: "   " + one.Place(), Style: th.Muted, Cut: 2},
			{Text: "   " + clock(one.Sent, f), Style: th.Faint, Cut: 1, Whole: true},
		}, nil, width),
		th.Row([]theme.Part{
			{Text: " about " + text.Number(one.Estimate) + " tok", Style: th.Muted},
			{Text: sep + "sha256 " + hash, Style: th.Faint, Cut: 1, Whole: true},
			{Text: sep, Style: th.Muted},
			{Text: mark + " " + one.Trust(), Style: good, Cut: 3},
			{Text: sep + one.Patches(), Style: th.Muted, Cut: 2},
		}, nil, width),
		th.Row([]theme.Part{{Text: " " + one.Result(), Style: th.Muted, Cut: 1}}, nil, width),
	}
}

func (r *Receipt) rows() []Row {
	var rows []Row
	for i, p := range r.receipt.Pieces {
		rows = append(rows, r.row(i, p))
	}
	return rows
}

func (r *Receipt) row(i int, p report.Piece) Row {
	th, message := r.th, "+"
	switch {
	case p.Message > 0:
		message = fmt.Sprint(p.Message)
	case p.Continues():
		message = ""
	}
	return Row{
		ID: pieceID(r.receipt.Pieces, i), Words: func() string { return p.Role + " " + p.Title + " " + p.Text },
		Title: []theme.Part{{Text: p.Role + " · " + p.Title, Style: th.Text, Cut: 1}},
		State: []theme.Part{{Text: text.Number(p.Tokens) + " tok", Style: th.Muted, Cut: 2, Whole: true}},
		Cells: func(th *theme.Theme, _ screen.Frame) []Cell {
			tokens := text.Number(p.Tokens)
			return []Cell{{message, th.Muted}, {p.Role, th.Muted}, {p.Title, th.Text}, {tokens, th.Muted}, {p.Note, th.Faint}}
		},
		Lines: func(_ *theme.Theme, width int) []Line { return Wrapped("", text.Sanitize(p.Text), width) },
		Open:  screen.Outcome{r.showTurn()},
		Copy:  func() screen.Copy { return screen.Copy{Text: p.Text, What: "this part"} },
		Pager: func() screen.OpenPager { return screen.OpenPager{File: "receipt.json", Text: r.receipt.Body() + "\n"} },
	}
}

// pieceID names a piece by its role and title, so that the cursor stays on it in another request.
func pieceID(all []report.Piece, at int) string {
	same := 0
	for _, p := range all[:at] {
		if p.Role == all[at].Role && p.Title == all[at].Title {
			same++
		}
	}
	return fmt.Sprint(all[at].Role, " ", all[at].Title, " ", same)
}

func (r *Receipt) showTurn() ShowTurn {
	return ShowTurn{
		Seat:    1 + slices.IndexFunc(r.session.Seats, func(p agents.Profile) bool { return p.ID == r.about.Turn.Agent }),
		Round:   r.about.Turn.Round,
		Verdict: (r.about.Purpose == debate.ForChair || r.about.Purpose == debate.ForFollowUp) && r.session.Verdict != nil,
	}
}

// Loaded brings a request that was read, or the error.
type Loaded struct {
	session string
	about   debate.Receipt
	receipt report.Receipt
	none    string // why there is no such request
	err     error
}

// OpenSeat reads the request that was last sent to a seat.
func (r *Receipt) OpenSeat(id agents.ID) tea.Cmd { return r.open(requester{debate.ForMember, id}) }

// OpenChair reads the request that was last sent to the chair; without a chair the
// last one of all.
func (r *Receipt) OpenChair() tea.Cmd { return r.open(requester{purpose: debate.ForChair}) }

func (r *Receipt) open(who requester) tea.Cmd {
	name := r.called(who)
	return r.read(func(all []debate.Receipt) (debate.Receipt, string) {
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

func (r *Receipt) turn(along axis, n int) screen.Outcome {
	s, from := r.session, r.about
	return screen.Run(r.read(func(all []debate.Receipt) (debate.Receipt, string) {
		if to := neighbour(s, all, from, along, n); to.Turn != from.Turn || to.N != from.N {
			return to, ""
		}
		return debate.Receipt{}, map[axis]string{
			bySeat: "Nothing was sent to anyone else.", byRequest: "No more requests that way.",
		}[along]
	}))
}

// read reads the request that choose picks of all that were sent.
func (r *Receipt) read(choose func([]debate.Receipt) (debate.Receipt, string)) tea.Cmd {
	ctx, requests, s := r.ctx, r.requests, r.session
	return func() tea.Msg {
		msg := Loaded{session: s.ID}
		all, err := requests.Receipts(ctx, s.ID)
		if err != nil {
			msg.err = err
			return msg
		}
		about, none := choose(all)
		if none != "" {
			msg.none = none
			return msg
		}
		req, about, err := requests.Prompt(ctx, s.ID, about.Turn, about.N)
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
func (r *Receipt) Show(msg Loaded) (shown bool, out screen.Outcome) {
	switch {
	case msg.session != r.session.ID:
		return false, nil
	case msg.err != nil:
		return false, screen.Tell(screen.Warning, text.Sentence(msg.err.Error()))
	case msg.none != "":
		return false, screen.Tell(screen.Info, msg.none)
	}
	if r.Begin(); r.receipt.Pieces == nil {
		r.list.At = 1 // the rules and the statements, after the system prompt
	}
	r.about, r.receipt = msg.about, msg.receipt
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

func (r *Receipt) called(who requester) string {
	switch who.purpose {
	case debate.ForChair:
		return "the chair"
	case debate.ForLight:
		return "the light model"
	case debate.ForFollowUp:
		return "who answers follow-ups"
	case debate.ForMember:
	}
	p, n := r.session.Seat(who.seat)
	if n == 0 {
		return string(who.seat)
	}
	return text.Line(p.Name)
}

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
