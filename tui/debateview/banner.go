package debateview

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// banner says above the panes why the debate is paused, and which key continues
// it.
func (v *sessionView) banner(th *theme.Theme, w int, now time.Time) []string {
	if line := v.coaching(); line != "" {
		return []string{th.Row([]theme.Part{{Text: "   " + text.Line(line), Style: th.Accent, Cut: 1}}, nil, w)}
	}
	sign, style := th.Symbols.Paused, th.Warning
	if v.openRound() != nil {
		sign, style = th.Symbols.Failed, th.Danger
	}
	lead := " " + sign + " "
	var lines []string
	for _, t := range bannerRows(v, w, now) {
		lines = append(lines, th.Row([]theme.Part{{Text: lead + t, Style: style, Cut: 1}}, nil, w))
		lead, style = "   ", th.Muted
	}
	return lines
}

// bannerRows wraps what the banner says, but for causes, which the panes show in full.
func bannerRows(v *sessionView, w int, now time.Time) []string {
	causes := 0
	if open := v.openRound(); open != nil {
		causes = len(open.Causes)
	}
	var rows []string
	for i, t := range v.bannerText(now) {
		if t = text.Line(t); i > 0 && i <= causes {
			rows = append(rows, t)
			continue
		}
		rows = append(rows, theme.Wrap(t, max(w-4, 1))...)
	}
	return rows
}

func (v *sessionView) bannerText(now time.Time) []string {
	s := v.session
	if v.Running() || s.Verdict != nil || !v.paused {
		return nil
	}
	if v.failed != nil {
		return v.openRoundText(v.failed)
	}
	if v.readOnly != "" {
		return []string{"Nothing can be saved: " + v.readOnly + ".", "Read-only: you can view and export, but not continue."}
	}
	switch s.Status() {
	case debate.Drafted:
		return v.withNextRound("Not started.", "space: start round 1."+v.nextCosts()+" Nothing runs until you say so.")
	case debate.Interrupted:
		if open := v.openRound(); open != nil {
			return v.openRoundText(open)
		}
		return v.interruptedText(now)
	case debate.Ready:
		n := len(s.History)
		if s.Next() == 0 {
			return []string{
				fmt.Sprintf("Paused after round %d, the last one.", n),
				"space: write the verdict. Nothing runs until you say so.",
			}
		}
		if c, ok := debate.FirstCut(s); ok {
			return v.withNextRound(cutText(c)...)
		}
		return v.withNextRound(fmt.Sprintf("Paused after round %d.", n),
			fmt.Sprintf("space: start round %d.%s Nothing runs until you say so.", n+1, v.nextCosts()))
	case debate.NeedsContext, debate.Complete, debate.Stopped:
	}
	return nil
}

// withNextRound adds the focus question and the interjections of the next round.
func (v *sessionView) withNextRound(lines ...string) []string {
	if v.question.stored != "" {
		lines = append(lines, "Focus: "+v.question.stored)
	}
	return append(lines, v.pending()...)
}

// interruption is how far each seat was when a round was broken off.
type interruption struct {
	done, failed, cut, pending, unfinished []string
	phase                                  string // the phase to come for all unfinished seats; "" if it differs
	lastHeard                              time.Time
}

func (v *sessionView) interruption(c *debate.Round) interruption {
	h, parts := interruption{lastHeard: c.Began}, map[string]bool{}
	for _, p := range v.session.Seats {
		tries := c.AttemptsOf(p.ID)
		for _, x := range tries {
			if x.Ended.After(h.lastHeard) {
				h.lastHeard = x.Ended
			}
		}
		part, more := v.nextPart(c, p.ID)
		switch n := len(tries); {
		case n == 0:
			h.pending = append(h.pending, p.Name)
		case !tries[n-1].Finished():
			h.cut = append(h.cut, p.Name)
		case more:
			h.unfinished, h.phase, parts[part] = append(h.unfinished, p.Name), part, true
		case !tries[n-1].HasStatement():
			h.failed = append(h.failed, p.Name)
		default:
			h.done = append(h.done, p.Name)
		}
	}
	if len(parts) > 1 {
		h.phase = ""
	}
	return h
}

// interruptedText describes an interrupted round: which seats are done or failed,
// and which of them run again.
func (v *sessionView) interruptedText(now time.Time) []string {
	c := v.session.Current()
	h := v.interruption(c)
	var who []string
	add := func(names []string, one, many string) {
		if len(names) > 0 {
			who = append(who, namesOrCount(names)+inflect(names, one, many))
		}
	}
	add(h.done, " is done and won't be asked again.", " are done and won't be asked again.")
	add(h.cut, " was cut off.", " were cut off.")
	add(h.pending, " has not spoken yet.", " have not spoken yet.")
	if h.phase != "" {
		add(h.unfinished, " still has "+h.phase+" to go.", " still have "+h.phase+" to go.")
	} else {
		add(h.unfinished, " still has a phase to go.", " still have a phase to go.")
	}
	if len(v.askedAgain()) > 0 {
		add(h.failed, " has no answer.", " have no answer.")
	} else {
		seat := slices.IndexFunc(v.session.Seats, func(p agents.Profile) bool { return slices.Contains(h.failed, p.Name) }) + 1
		add(h.failed, fmt.Sprintf(" has no answer (%d then x: retry).", seat), " have no answer (x on one of them: retry).")
	}
	verb, left := resumption(v, h)
	next := "space: " + verb + "."
	if len(left) > 0 {
		next = "space: " + verb + " " + namesOrCount(left)
		if v.free() {
			next += ", free (local)"
		}
		next += "." + v.nextCosts()
	}
	if v.roundNotSaved() {
		return []string{
			fmt.Sprintf("Paused. Saving failed at %s, in round %d. All text is still here.", h.lastHeard.In(now.Location()).Format("15:04"),
				c.Number),
			screen.Sentence(errors.New(Cause(v.ended.Err))), strings.Join(who, " "), next + " Nothing runs until you say so.",
		}
	}
	return []string{
		fmt.Sprintf("Paused. %s at %s, in round %d.", v.stopCause(), h.lastHeard.In(now.Location()).Format("15:04"), c.Number),
		strings.Join(who, " "), next + " Nothing runs until you say so.",
	}
}

// resumption says what space does in a round that was broken off, and for which seats.
func resumption(v *sessionView, h interruption) (verb string, seats []string) {
	cut := slices.Concat(v.askedAgain(), h.cut)
	seats = slices.Concat(cut, h.pending, h.unfinished)
	switch {
	case len(seats) == 0:
		return "end the round", nil
	case len(cut) == len(seats):
		return "retry", seats
	}
	return "continue with", seats
}

// askedAgain lists the seats that have ended and run again if the round goes on.
func (v *sessionView) askedAgain() []string {
	var names []string
	for _, d := range debate.AskFailed(v.session) {
		if name := v.session.NameOf(d.Turn.Agent); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nextPart returns the first phase of a round that a seat has not spoken in; ok
// is false if there is none.
func (v *sessionView) nextPart(r *debate.Round, id agents.ID) (part string, ok bool) {
	for _, step := range v.session.Mode.Steps(r.Manifest.Seats, r.Number, r.Manifest.Rounds) {
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

// roundNotSaved reports whether the round ended because it could not be saved.
func (v *sessionView) roundNotSaved() bool {
	return v.saveError == savingRound && v.ended != nil && v.ended.Err != nil
}

// stopCause says what ended the round early.
func (v *sessionView) stopCause() string {
	if v.ended != nil && errors.Is(v.ended.Err, debate.ErrStopped) {
		return "You stopped it"
	}
	return "Roundtable stopped"
}

// namesOrCount lists up to three names and counts more, so that names do not push
// the rest of a sentence out of its row.
func namesOrCount(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%d seats", len(names))
	}
	return text.List(names)
}

func inflect(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}
