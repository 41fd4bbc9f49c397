package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
)


// remark is what the user is about to tell somebody.
type remark struct {
	seat  int    // whom, from 1; 0: all
	typed string // and not sent off
}

// interject lets the user type what the seat in focus, another one, or all are told.
func (m *Model) interject() tea.Cmd {
	b := m.board
	if b.remark.typed == "" {
		b.remark.seat = b.sight.focus + 1
	}
	cmd := m.promptFor(b.addressee(), b.remark.typed, debate.MaxInterjection, &b.remark.typed, (*Model).sayRemark)
	b.prompt.turn = (*Model).turnTo
	return cmd
}

// addressee names who is told, and the key that changes it.
func (b *board) addressee() string {
	name := "all"
	if b.remark.seat > 0 {
		name = b.nameOf(b.session.Seats[b.remark.seat-1].ID)
	}
	return "to " + name + ", tab changes"
}

// turnTo addresses the next seat, or all after the last.
func (m *Model) turnTo(n int) {
	b := m.board
	k := len(b.session.Seats) + 1
	b.remark.seat = (b.remark.seat + n + k) % k
	b.prompt.relabel(b.addressee(), m.w)
}

func noInterject(m *Model) string {
	switch b := m.board; {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round. + adds one, then i tells them for it."
	}
	return ""
}

// sayRemark keeps what was typed for the next turns of those whom it is for.
func (m *Model) sayRemark(text string) tea.Cmd {
	b := m.board
	var to agents.ID
	if b.remark.seat > 0 {
		to = b.session.Seats[b.remark.seat-1].ID
	}
	if text == "" {
		return nil
	}
	ctx, desk, id := context.WithoutCancel(m.ctx), m.deps.Desk, b.session.ID
	return func() tea.Msg {
		kept, err := desk.Interject(ctx, id, to, text)
		return remarkMsg{session: id, text: text, kept: kept, err: err}
	}
}

// remarked shows what will be told.
func (m *Model) remarked(msg remarkMsg) tea.Cmd {
	b := m.board
	if b == nil || b.session.ID != msg.session {
		return nil
	}
	if msg.err != nil {
		if b.remark.typed == "" {
			b.remark.typed = msg.text
		}
		m.refused(msg.err, withAnswers)
		return nil
	}
	m.mended(withAnswers)
	b.hear(msg.kept)
	m.arrange()
	m.tell(gladly, fmt.Sprintf("%s: %s", b.willTell(msg.kept), safetext.Line(msg.kept.Text)))
	return nil
}

// hear takes over an interjection, unless the session has it already.
func (b *board) hear(i debate.Interjection) {
	if slices.ContainsFunc(b.session.Interjections, func(j debate.Interjection) bool { return j.N == i.N }) {
		return
	}
	b.session.Interjections = append(slices.Clip(b.session.Interjections), i)
}

// willTell says who is told in which round.
func (b *board) willTell(i debate.Interjection) string {
	who := "All are"
	if i.Agent != "" {
		who = b.nameOf(i.Agent) + " is"
	}
	return fmt.Sprintf("%s told in round %d", who, len(b.session.History)+1)
}

// untold lists what the next round will be told.
func (b *board) untold() []string {
	var lines []string
	for _, n := range b.session.PendingInterjections() {
		i := slices.IndexFunc(b.session.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
		if i < 0 {
			continue
		}
		said := b.session.Interjections[i]
		lines = append(lines, fmt.Sprintf("%s: %s", b.willTell(said), said.Text))
	}
	if len(lines) > 2 {
		lines = []string{fmt.Sprintf("To be told in round %d: %d interjections of yours.", len(b.session.History)+1, len(lines))}
	}
	return lines
}
