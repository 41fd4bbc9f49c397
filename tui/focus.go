package tui

import (
	"cmp"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
)


// aim is the question that the next round is to look at.
type aim struct {
	question string // as it is stored
	typed    string // and not sent off
}

// askFocus lets the user type what the next round is to look at.
func (m *Model) askFocus() tea.Cmd {
	b := m.board
	return m.promptFor("in focus", cmp.Or(b.aim.typed, b.aim.question), debate.MaxFocus, &b.aim.typed, (*Model).setFocus)
}

func noFocus(m *Model) string {
	switch b := m.board; {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round. + adds one, then f says what it looks at."
	}
	return ""
}

// setFocus keeps the question, or takes it back if there is none.
func (m *Model) setFocus(question string) tea.Cmd {
	if question == m.board.aim.question {
		return nil
	}
	ctx, desk, id := context.WithoutCancel(m.ctx), m.deps.Desk, m.board.session.ID
	return func() tea.Msg {
		return focusMsg{session: id, question: question, told: true, err: desk.SetFocus(ctx, id, question)}
	}
}

// readFocus reads what was asked for before the session was closed.
func (m *Model) readFocus() tea.Cmd {
	ctx, desk, id := m.ctx, m.deps.Desk, m.board.session.ID
	return func() tea.Msg {
		question, err := desk.Focus(ctx, id)
		return focusMsg{session: id, question: question, err: err}
	}
}

// focused shows what is in focus.
func (m *Model) focused(msg focusMsg) tea.Cmd {
	b := m.board
	if b == nil || b.session.ID != msg.session {
		return nil
	}
	if msg.err != nil {
		b.aim.typed = cmp.Or(b.aim.typed, msg.question)
		m.refused(msg.err, withAnswers)
		return nil
	}
	m.mended(withAnswers)
	b.aim.question = safetext.Line(msg.question)
	m.arrange()
	switch {
	case !msg.told:
	case b.aim.question == "":
		m.tell(plainly, "The next round has no question in focus.")
	default:
		m.tell(gladly, fmt.Sprintf("Round %d will look at: %s", len(b.session.History)+1, b.aim.question))
	}
	return nil
}
