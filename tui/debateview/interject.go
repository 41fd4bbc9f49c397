package debateview

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// interjection is a message to one seat or all that is being typed.
type interjection struct {
	seat  int    // whom, from 1; 0: all
	typed string // and not sent off
}

// askInterjection asks for a message to the seat in focus; tab chooses another
// seat, or all.
func (d *Debate) askInterjection() screen.Outcome {
	if d.interjection.typed == "" {
		d.interjection.seat = d.Screen.view.focus + 1
	}
	p := promptFor(d.addressee(), d.interjection.typed, debate.MaxInterjection, &d.interjection.typed, d.interject)
	p.Turn, p.Hints[0], p.Note = d.turnAddressee, "enter send", d.laterNote("sends")
	return screen.Outcome{p}
}

// addressee is the label of the prompt: who gets the message, and the key that
// changes it.
func (v *sessionView) addressee() string {
	name := "all"
	if v.interjection.seat > 0 {
		name = v.nameOf(v.session.Seats[v.interjection.seat-1].ID)
	}
	return "to " + name + " (tab: someone else)"
}

// turnAddressee moves to the next seat, or to all after the last one.
func (d *Debate) turnAddressee(n int) string {
	k := len(d.session.Seats) + 1
	d.interjection.seat = (d.interjection.seat + n + k) % k
	return d.addressee() + " >"
}

// interject saves a message for the next turns of its addressees.
func (d *Debate) interject(text string) screen.Outcome {
	if text == "" {
		return nil
	}
	if out, ok := d.cannotAfford(); ok {
		d.interjection.typed = text
		return out
	}
	add := d.later() == roundAdded
	var to agents.ID
	if d.interjection.seat > 0 {
		to = d.session.Seats[d.interjection.seat-1].ID
	}
	ctx, writer, id := context.WithoutCancel(d.ctx), d.config.Writer, d.session.ID
	return screen.Run(func() tea.Msg {
		stored, err := writer.Interject(ctx, id, to, text)
		return interjectedMsg{sessionID: sessionID(id), text: text, stored: stored, add: add, err: err}
	})
}

// interjected shows a message that was saved.
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
	out = append(out, screen.Tell(screen.Success, fmt.Sprintf("%s: %s", d.willTell(msg.stored), text.Line(msg.stored.Text)))...)
	if msg.add && d.later() == roundAdded {
		out = append(out, d.addRound()...)
	}
	return out
}

// addInterjection adds a message to the session, unless it is there already.
func (v *sessionView) addInterjection(i debate.Interjection) {
	if slices.ContainsFunc(v.session.Interjections, func(j debate.Interjection) bool { return j.N == i.N }) {
		return
	}
	v.session.Interjections = append(slices.Clip(v.session.Interjections), i)
}

// willTell says who gets a message in which round.
func (v *sessionView) willTell(i debate.Interjection) string {
	who := "all"
	if i.Agent != "" {
		who = v.nameOf(i.Agent)
	}
	if v.later() == roundAfter {
		return fmt.Sprintf("To %s, if you add round %d", who, len(v.session.History)+1)
	}
	return fmt.Sprintf("To %s in round %d", who, len(v.session.History)+1)
}

// pending lists the messages for the next round.
func (v *sessionView) pending() []string {
	var lines []string
	for _, n := range v.session.PendingInterjections() {
		i := slices.IndexFunc(v.session.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
		if i < 0 {
			continue
		}
		said := v.session.Interjections[i]
		lines = append(lines, fmt.Sprintf("%s: %s", v.willTell(said), said.Text))
	}
	if len(lines) > 2 {
		lines = []string{fmt.Sprintf("%d messages queued for round %d.", len(lines), len(v.session.History)+1)}
	}
	return lines
}
