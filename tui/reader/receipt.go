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

// NewReceipt returns the screen.
func NewReceipt(ctx context.Context, requests Requests, th *theme.Theme) *Receipt {
	r := &Receipt{ctx: ctx, requests: requests}
	bind, with := screen.Bind, screen.With[int]
	r.Reader = New(th, Config{
		Name: "Prompt receipt", What: "part", Enter: "open", Rows: r.rows, Head: r.head,
		Columns: []Column{
			{Title: "#", Width: 3},
			{Title: "role", Width: 12},
			{Title: "message"},
			{Title: "tok", Width: 9, Right: true},
		},
		More: []screen.Command{
			{
				Binding: bind("earlier", "[ ]", "earlier, later request"), Title: "Earlier request, seat by seat",
				Group: screen.Moving, Hint: screen.Say("[ ] request"), Rank: 5, Run: with(r.nextRequest, -1),
			},
			{Binding: bind("later", "", ""), Title: "Later request, seat by seat", Group: screen.Moving, Run: with(r.nextRequest, 1)},
		},
	})
	return r
}

// SetSession sets the session whose requests are read.
func (r *Receipt) SetSession(s debate.Session) { r.session = s }

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
	if !one.Intact {
		mark, good = th.Symbols.Failed, th.Danger
	}
	model := fmt.Sprintf(" · %s (%s)", text.Line(one.Speaker.ModelName()), text.Line(one.Speaker.Provider))
	sep := " " + th.Symbols.Sep + " "
	row := func(parts ...theme.Part) string { return th.Row(parts, nil, width) }
	return []string{
		row(theme.Part{Text: " " + name, Style: style}, theme.Part{Text: model + "   " + one.Place(), Style: th.Muted, Cut: 1}),
		row(
			theme.Part{Text: " " + mark + " " + one.Trust(), Style: good},
			theme.Part{Text: sep + "sha256 " + text.Head(one.Hash, 12) + sep + one.Patches(), Style: th.Muted, Cut: 1},
			theme.Part{Text: sep + clock(one.Sent, f), Style: th.Muted, Cut: 2},
		),
		row(theme.Part{Text: " " + one.Result() + sep + "sent about " + text.Number(one.Estimate) + " tok", Style: th.Muted, Cut: 1}),
	}
}

func (r *Receipt) rows() []Row {
	var rows []Row
	for i, p := range r.receipt.All() {
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
		ID: fmt.Sprint(i), Words: func() string { return p.Role + " " + p.Title + " " + p.Text },
		Title: []theme.Part{{Text: p.Role + " · " + p.Title, Style: th.Text, Cut: 1}},
		State: []theme.Part{{Text: text.Number(p.Tokens) + " tok", Style: th.Muted, Cut: 2, Whole: true}},
		Cells: func(th *theme.Theme, _ screen.Frame) []Cell {
			tokens := text.Number(p.Tokens)
			return []Cell{{message, th.Muted}, {p.Role, th.Muted}, {p.Title, th.Text}, {tokens, th.Muted}}
		},
		Lines: func(_ *theme.Theme, width int) []Line { return Wrapped("", text.Sanitize(p.Text), width) },
		Copy:  func() screen.Copy { return screen.Copy{Text: p.Text, What: "this part"} },
	}
}

// Opened says that a request was read, which the screen now shows.
type Opened struct{ Receipt *Receipt }

// OpenSeat reads the request that was last sent to a seat.
func (r *Receipt) OpenSeat(id agents.ID) tea.Cmd {
	p, n := r.session.Seat(id)
	return r.openLast(n, text.Line(p.Name))
}

// OpenChair reads the request that was last sent to the chair; without a chair the last one of
// all seats.
func (r *Receipt) OpenChair() tea.Cmd { return r.openLast(chair, "the chair") }

func (r *Receipt) openLast(place int, name string) tea.Cmd {
	s := r.session
	return r.read(func(all []debate.Receipt) (debate.Receipt, string) {
		for _, one := range slices.Backward(all) {
			if to := placeOf(s, one); to == place || place == chair && to < chair { // none of the chair
				return one, ""
			}
		}
		return debate.Receipt{}, "Nothing was sent to " + name + " yet."
	})
}

// nextRequest reads the request that is n later in the order of seats and rounds.
func (r *Receipt) nextRequest(n int) screen.Outcome {
	from := r.about
	return screen.Run(r.read(func(all []debate.Receipt) (debate.Receipt, string) {
		at := n + slices.IndexFunc(all, func(r debate.Receipt) bool { return r.Turn == from.Turn && r.N == from.N })
		if at < 0 || at >= len(all) {
			return from, "No more requests that way."
		}
		return all[at], ""
	}))
}

// read reads the request that choose picks of all that were sent, by their seats.
func (r *Receipt) read(choose func([]debate.Receipt) (one debate.Receipt, none string)) tea.Cmd {
	var (
		ctx, requests, s = r.ctx, r.requests, r.session
		about            debate.Receipt
		none             string
	)
	return screen.Await(func() (receipt report.Receipt, err error) {
		all, err := requests.Receipts(ctx, s.ID)
		if err != nil {
			return receipt, err
		}
		slices.SortStableFunc(all, func(a, b debate.Receipt) int {
			return cmp.Or(placeOf(s, a)-placeOf(s, b),
				a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
		})
		if about, none = choose(all); none != "" {
			return receipt, nil
		}
		var req agents.Request
		if req, about, err = requests.Prompt(ctx, s.ID, about.Turn, about.N); err != nil {
			return receipt, err
		}
		return report.ReceiptOf(s, req, about), nil
	}, func(receipt report.Receipt) screen.Outcome {
		if none != "" {
			return screen.Tell(screen.Info, none)
		}
		r.Begin()
		r.list.At = 1 // the rules and the statements, after the system prompt
		r.about, r.receipt = about, receipt
		return screen.Outcome{Opened{r}}
	})
}

// chair is the place of the chair, which is behind those of all seats.
const chair = 100

// placeOf orders for whom requests were sent: the seats, the chair, the light model, and who
// answers follow-ups.
func placeOf(s debate.Session, r debate.Receipt) int {
	others := []debate.Purpose{debate.ForChair, debate.ForLight, debate.ForFollowUp}
	if at := slices.Index(others, r.Purpose); at >= 0 {
		return chair + at
	}
	_, n := s.Seat(r.Turn.Agent)
	return n
}
