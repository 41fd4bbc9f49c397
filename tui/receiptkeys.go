package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
)


// Papers knows what was sent to models.
type Papers interface {
	// Receipts lists all requests of a session, in the order in which they were sent.
	Receipts(ctx context.Context, session string) ([]debate.Receipt, error)
	// Prompt returns the n-th request of a turn, from 1, as it was sent.
	Prompt(ctx context.Context, session string, turn agents.Turn, n int) (agents.Request, debate.Receipt, error)
}

// openReceipt shows what the seat in focus was sent last; on the verdict what the
// chair was.
func (m *Model) openReceipt() tea.Cmd {
	b := m.board
	first := asker{purpose: debate.ForChair}
	if m.screen == atDebate && b.focus() != nil {
		first = asker{debate.ForMember, b.focus().Profile().ID}
	}
	return m.readReceipt(func(all []debate.Receipt) (debate.Receipt, string) {
		sent := sentFor(all, first)
		if len(sent) == 0 && first.purpose == debate.ForChair && len(all) > 0 {
			sent = all
		}
		if len(sent) == 0 {
			return debate.Receipt{}, "Nothing was sent to " + b.called(first) + " yet."
		}
		return sent[len(sent)-1], ""
	})
}

func noReceipts(m *Model) string {
	if m.deps.Papers == nil {
		return "Receipts cannot be read here; `roundtable show ID --prompt AGENT` prints them."
	}
	return ""
}

// turnReceipt shows another request.
func (m *Model) turnReceipt(by step, n int) tea.Cmd {
	b, from := m.board, m.board.receipt.paper.about
	return m.readReceipt(func(all []debate.Receipt) (debate.Receipt, string) {
		if to := b.turn(all, from, by, n); to.Turn != from.Turn || to.N != from.N {
			return to, ""
		}
		return debate.Receipt{}, map[step]string{bySeat: "Nothing was sent to anybody else.", byRound: "There is no request of another round that way.", byRequest: "There is no request that way."}[by]
	})
}

func (m *Model) receiptSeat(n int) tea.Cmd    { return m.turnReceipt(bySeat, n) }
func (m *Model) receiptRound(n int) tea.Cmd   { return m.turnReceipt(byRound, n) }
func (m *Model) receiptRequest(n int) tea.Cmd { return m.turnReceipt(byRequest, n) }

// receiptMsg is a request as it was sent; none says why there is no other.
type receiptMsg struct {
	session string
	paper   paper
	none    string
	err     error
}

// readReceipt reads the request that choose picks of all that were sent.
func (m *Model) readReceipt(choose func([]debate.Receipt) (debate.Receipt, string)) tea.Cmd {
	ctx, papers, s := m.ctx, m.deps.Papers, m.board.session
	return func() tea.Msg {
		msg := receiptMsg{session: s.ID}
		all, err := papers.Receipts(ctx, s.ID)
		if err != nil {
			msg.err = err
			return msg
		}
		r, none := choose(all)
		if none != "" {
			msg.none = none
			return msg
		}
		req, r, err := papers.Prompt(ctx, s.ID, r.Turn, r.N)
		if err == nil {
			msg.paper, err = newPaper(s, req, r)
		}
		msg.err = err
		return msg
	}
}

// showReceipt shows a request that has been read.
func (m *Model) showReceipt(msg receiptMsg) tea.Cmd {
	b := m.board
	if b == nil || b.session.ID != msg.session || m.screen&(atSession|atReceipt) == 0 {
		return nil
	}
	switch {
	case msg.err != nil:
		m.tell(urgently, sentence(msg.err))
	case msg.none != "":
		m.tell(plainly, msg.none)
	default:
		if m.screen != atReceipt {
			b.receipt.from, m.screen = m.screen, atReceipt
		}
		m.hush()
		b.receipt.load(msg.paper)
		m.arrange()
	}
	return nil
}

// receiptPage scrolls the part that is open by half of what is seen.
func (m *Model) receiptPage(n int) tea.Cmd {
	m.board.receipt.scroll(n * m.board.receipt.half())
	return nil
}

// receiptEdge goes to the beginning or the end of the part that is open.
func (m *Model) receiptEdge(n int) tea.Cmd {
	m.board.receipt.scroll(n << 20)
	return nil
}

// showTurn goes to the pane of the turn that the request belongs to.
func (m *Model) showTurn() tea.Cmd {
	b := m.board
	r := b.receipt.paper.about
	i := slices.IndexFunc(b.session.Seats, func(p agents.Profile) bool { return p.ID == r.Turn.Agent })
	if r.Purpose == debate.ForChair && b.session.Verdict != nil {
		return m.openVerdict()
	}
	m.screen = atDebate
	if i >= 0 {
		m.focusOn(i)
		b.focus().ShowRound(r.Turn.Round)
	}
	return nil
}

// pageReceipt shows the request as a whole in the user's pager.
func (m *Model) pageReceipt() tea.Cmd {
	text := m.board.receipt.paper.whole
	return func() tea.Msg {
		dir, file, err := scratch("receipt.json", text+"\n")
		return pagedMsg{dir, file, err}
	}
}
