package debateview

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// banner says why nothing goes on and what would go on, above the panes.
func (b *sessionView) banner(th *theme.Theme, w int, now time.Time) []string {
	text := b.bannerText(now)
	if len(text) == 0 {
		return nil
	}
	sign, style := th.Symbols.Paused, th.Warning
	if b.failed != nil {
		sign, style = th.Symbols.Failed, th.Danger
	}
	lines := make([]string, len(text))
	for i, t := range text {
		lead := "   "
		if i == 0 {
			lead = " " + sign + " "
		} else {
			style = th.Muted
		}
		lines[i] = th.Row([]theme.Part{{Text: lead + safetext.Line(t), Style: style, Cut: 1}}, nil, w)
	}
	return lines
}

func (b *sessionView) bannerText(now time.Time) []string {
	s := b.session
	if b.Running() || s.Verdict != nil || !b.paused {
		return nil
	}
	if b.failed != nil {
		return b.causes()
	}
	if b.readOnly != "" {
		return []string{"Nothing can be saved: " + b.readOnly + ".", "This debate can be read and exported, and does not go on."}
	}
	switch s.Status() {
	case debate.Drafted:
		return b.aimed("Not begun.", "space starts round 1."+b.nextCosts()+" Nothing runs until you say so.")
	case debate.Interrupted:
		return b.cutOff(now)
	case debate.Ready:
		n := len(s.History)
		if s.Next() == 0 {
			return []string{fmt.Sprintf("Paused. Round %d is done, the last one.", n), "space has the verdict written. Nothing runs until you say so."}
		}
		return b.aimed(fmt.Sprintf("Paused. Round %d is done.", n), fmt.Sprintf("space starts round %d.%s Nothing runs until you say so.", n+1, b.nextCosts()))
	case debate.NeedsContext, debate.Complete, debate.Stopped:
	}
	return nil
}

// aimed adds what the next round is to look at.
func (b *sessionView) aimed(lines ...string) []string {
	if b.question.stored != "" {
		lines = append(lines, "In focus: "+b.question.stored)
	}
	return append(lines, b.pending()...)
}

// halted is how the seats stand in a round that was broken off, and when the last of
// them was heard.
type halted struct {
	done, failed, cut, silent, later []string
	to                               string // the part that is to come for all of later; "" where it differs
	at                               time.Time
}

func (b *sessionView) halted(c *debate.Round) halted {
	h, parts := halted{at: c.Began}, map[string]bool{}
	for _, p := range b.session.Seats {
		tries := c.AttemptsOf(p.ID)
		for _, x := range tries {
			if x.Ended.After(h.at) {
				h.at = x.Ended
			}
		}
		part, more := b.ahead(c, p.ID)
		switch n := len(tries); {
		case n == 0:
			h.silent = append(h.silent, p.Name)
		case !tries[n-1].Finished():
			h.cut = append(h.cut, p.Name)
		case more:
			h.later, h.to, parts[part] = append(h.later, p.Name), part, true
		case tries[n-1].State != debate.TurnDone:
			h.failed = append(h.failed, p.Name)
		default:
			h.done = append(h.done, p.Name)
		}
	}
	if len(parts) > 1 {
		h.to = ""
	}
	return h
}

// cutOff tells of an interrupted round: who is done or failed, and who would run again.
func (b *sessionView) cutOff(now time.Time) []string {
	c := b.session.Current()
	h := b.halted(c)
	var who []string
	add := func(names []string, one, many string) {
		if len(names) > 0 {
			who = append(who, some(names)+verb(names, one, many))
		}
	}
	add(h.done, " is done and is not asked again.", " are done and are not asked again.")
	add(h.cut, " was cut off.", " were cut off.")
	add(h.silent, " has not spoken yet.", " have not spoken yet.")
	if h.to != "" {
		add(h.later, " is yet to come to "+h.to+".", " are yet to come to "+h.to+".")
	} else {
		add(h.later, " has more to say in it.", " have more to say in it.")
	}
	next := "space ends the round."
	if unanswered(c) {
		add(h.failed, " has no answer.", " have no answer.")
		h.cut = slices.Concat(h.failed, h.cut)
	} else {
		add(h.failed, " has no answer; x there asks again.", " have no answer; x there asks again.")
	}
	if left := slices.Concat(h.cut, h.silent, h.later); len(left) > 0 {
		next = "space runs " + some(left)
		if len(h.cut) == len(left) {
			next += " again"
		}
		if b.free() {
			next += ", free (local)"
		}
		next += "." + b.nextCosts()
	}
	if b.unsaved() {
		return []string{
			fmt.Sprintf("Paused. Saving failed at %s, in round %d. All text is still here.", h.at.In(now.Location()).Format("15:04"), c.Number),
			screen.Sentence(errors.New(Cause(b.ended.Err))), strings.Join(who, " "), next + " Nothing runs until you say so.",
		}
	}
	return []string{
		fmt.Sprintf("Paused. %s at %s, in round %d.", b.stopped(), h.at.In(now.Location()).Format("15:04"), c.Number),
		strings.Join(who, " "), next + " Nothing runs until you say so.",
	}
}

// unanswered reports whether nobody has answered in a round: then its rest is played
// by those who failed, too.
func unanswered(r *debate.Round) bool {
	return !slices.ContainsFunc(r.Responses, func(x debate.Response) bool { return x.State == debate.TurnDone })
}

// ahead returns the first part of a round in which a seat has still to speak; ok is
// false where there is none.
func (b *sessionView) ahead(r *debate.Round, id agents.ID) (part string, ok bool) {
	for _, step := range b.session.Mode.Steps(r.Manifest.Seats, r.Number, r.Manifest.Rounds) {
		over := slices.ContainsFunc(r.AttemptsOf(id), func(x debate.Response) bool { return x.Turn.Step == step.Index && x.Finished() })
		if over || !slices.Contains(step.Seats, id) {
			continue
		}
		if step.Phase == "" {
			return "the statements", true
		}
		return "the " + step.Phase, true
	}
	return "", false
}

// unsaved reports whether the store has ended the round.
func (b *sessionView) unsaved() bool {
	return b.saveError == savingRound && b.ended != nil && b.ended.Err != nil
}

// stopped says what has ended the round before its time.
func (b *sessionView) stopped() string {
	if b.ended != nil && errors.Is(b.ended.Err, debate.ErrStopped) {
		return "You stopped it"
	}
	return "Roundtable stopped"
}

// causes is the table of a round in which nobody answered.
func (b *sessionView) causes() []string {
	lines := []string{fmt.Sprintf("Round %d failed: no seat answered. It keeps its number, nothing is lost. x runs it again.", b.failed.Round)}
	for _, c := range b.failed.Causes {
		_, n := b.session.Seat(c.Agent)
		lines = append(lines, fmt.Sprintf("%d %-10s %s", n, c.Name, c.Cause))
	}
	return lines
}

// some lists few seats by name, and counts more: names must not push the rest of
// the sentence out of the row.
func some(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%d seats", len(names))
	}
	return screen.And(names)
}

func verb(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}
