package debateview

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/screen"
)

// interjection is what the user is about to tell somebody.
type interjection struct {
	seat  int    // whom, from 1; 0: all
	typed string // and not sent off
}

// askInterjection lets the user type what the seat in focus, another one, or all
// are told.
func (d *Debate) askInterjection() screen.Outcome {
	if d.interjection.typed == "" {
		d.interjection.seat = d.Screen.view.focus + 1
	}
	p := promptFor(d.addressee(), d.interjection.typed, debate.MaxInterjection, &d.interjection.typed, d.interject)
	p.Turn = d.turnAddressee
	return screen.Outcome{p}
}

// addressee names who is told, and the key that changes it.
func (b *sessionView) addressee() string {
	name := "all"
	if b.interjection.seat > 0 {
		name = b.nameOf(b.session.Seats[b.interjection.seat-1].ID)
	}
	return "to " + name + ", tab changes"
}

// turnAddressee addresses the next seat, or all after the last.
func (d *Debate) turnAddressee(n int) string {
	k := len(d.session.Seats) + 1
	d.interjection.seat = (d.interjection.seat + n + k) % k
	return d.addressee() + " >"
}

// interject saves what was typed for the next turns of those whom it is for.
func (d *Debate) interject(text string) screen.Outcome {
	if text == "" {
		return nil
	}
	var to agents.ID
	if d.interjection.seat > 0 {
		to = d.session.Seats[d.interjection.seat-1].ID
	}
	ctx, writer, id := context.WithoutCancel(d.ctx), d.Writer, d.session.ID
	return screen.Run(func() tea.Msg {
		stored, err := writer.Interject(ctx, id, to, text)
		return interjectedMsg{sessionID: sessionID(id), text: text, stored: stored, err: err}
	})
}

// interjected shows what will be told.
func (d *Debate) interjected(msg interjectedMsg) screen.Outcome {
	if msg.err != nil {
		if d.interjection.typed == "" {
			d.interjection.typed = msg.text
		}
		return d.refused(msg.err, savingAnswer)
	}
	out := d.saved(savingAnswer)
	d.addInterjection(msg.stored)
	d.Arrange()
	return append(out, screen.Tell(screen.Success, fmt.Sprintf("%s: %s", d.willTell(msg.stored), safetext.Line(msg.stored.Text)))...)
}

// addInterjection adds an interjection, unless the session has it already.
func (b *sessionView) addInterjection(i debate.Interjection) {
	if slices.ContainsFunc(b.session.Interjections, func(j debate.Interjection) bool { return j.N == i.N }) {
		return
	}
	b.session.Interjections = append(slices.Clip(b.session.Interjections), i)
}

// willTell says who is told in which round.
func (b *sessionView) willTell(i debate.Interjection) string {
	who := "All are"
	if i.Agent != "" {
		who = b.nameOf(i.Agent) + " is"
	}
	return fmt.Sprintf("%s told in round %d", who, len(b.session.History)+1)
}

// pending lists the interjections of the next round.
func (b *sessionView) pending() []string {
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
