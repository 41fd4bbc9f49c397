package receipt

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

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
			bySeat: "Nothing was sent to anyone else.", byRound: "No requests from another round that way.",
			byRequest: "No more requests that way.",
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
	return true, screen.Outcome{screen.ClearNotice{}, screen.Arrange{}}
}
