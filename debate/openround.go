package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// minAnswers is how many seats have to answer before a round ends by itself.
const minAnswers = 2

// Answered returns the seats that have a statement in the round, by step and seat.
func (r Round) Answered() []agents.ID {
	var out []agents.ID
	for _, x := range r.Latest() {
		if x.HasStatement() && !slices.Contains(out, x.Turn.Agent) {
			out = append(out, x.Turn.Agent)
		}
	}
	return out
}

// RoundFailedError is returned for a round that stays open since fewer than two seats
// answered, or since nobody could be asked without a list that no model named. What was
// said is kept: seats can be asked again, see AskFailed, and if one answered, the debate
// can go on with it.
type RoundFailedError struct {
	Round    int
	Unfilled List              // that no model named; NoList if seats were asked
	Answered string            // name of the only seat that answered; "" if none did
	Causes   []MissingResponse // of the others, or of the model that named no list
}

// OpenRound returns why the newest round stays open until the user decides; nil if it
// does not.
func OpenRound(s Session) *RoundFailedError {
	if s.Due(time.Time{}).Action != AwaitDecision {
		return nil
	}
	return TooFewAnswers(s, *s.Current())
}

// TooFewAnswers returns which seats did not answer in a round that fewer than two
// answered, or not the only one that speaks in it. It returns nil for other rounds.
func TooFewAnswers(s Session, r Round) *RoundFailedError {
	answered, silent := r.Answered(), speakersOf(s, r)
	if len(answered) >= min(minAnswers, len(silent)) {
		return nil
	}
	e := &RoundFailedError{Round: r.Number}
	for _, id := range answered {
		e.Answered = s.NameOf(id)
		silent = slices.DeleteFunc(silent, func(o agents.ID) bool { return o == id })
	}
	known := s.SilentSeats(r, r.StatementIDs())
	for _, id := range silent {
		c := MissingResponse{Agent: id, Name: s.NameOf(id), Round: r.Number, Cause: "It was not asked."}
		if i := slices.IndexFunc(known, func(m MissingResponse) bool { return m.Agent == id }); i >= 0 {
			c.Cause = cmp.Or(known[i].Cause, "Its answer has no statement.")
		}
		e.Causes = append(e.Causes, c)
	}
	return e
}

// speakersOf returns the seats that speak in a round, by seat.
func speakersOf(s Session, r Round) []agents.ID {
	speak := map[agents.ID]bool{}
	for _, step := range stepsOf(s, r) {
		for _, id := range step.Seats {
			speak[id] = true
		}
	}
	for _, x := range r.Responses {
		speak[x.Turn.Agent] = true
	}
	var out []agents.ID
	for _, p := range s.Seats {
		if speak[p.ID] {
			out = append(out, p.ID)
		}
	}
	return out
}

// CanGoOn reports whether the debate can go on without the seats that did not answer.
func (e *RoundFailedError) CanGoOn() bool { return e != nil && e.Answered != "" }

// Summary says without a full stop how many seats answered: "only Ada of 3 seats
// answered in round 1".
func (e *RoundFailedError) Summary() string {
	if e.Unfilled != NoList {
		return fmt.Sprintf("round %d has no %s to compare", e.Round, e.Unfilled)
	}
	if e.Answered == "" {
		return fmt.Sprintf("round %d failed: no model answered", e.Round)
	}
	return fmt.Sprintf("only %s of %d seats answered in round %d", e.Answered, len(e.Causes)+1, e.Round)
}

// Cause says what happened and why the first seat did not answer, as one sentence or two.
func (e *RoundFailedError) Cause() string {
	out := text.Capitalize(e.Summary()) + "."
	if len(e.Causes) > 0 {
		out += " " + e.Causes[0].Name + ": " + e.Causes[0].Cause
	}
	return out
}

// Missing lists the names of the seats that did not answer: "Brook and Cy".
func (e *RoundFailedError) Missing() string {
	var names []string
	for _, c := range e.Causes {
		names = append(names, c.Name)
	}
	return text.List(names)
}

// Error lists the causes, one per line.
func (e *RoundFailedError) Error() string {
	lines := []string{e.Summary()}
	for _, c := range e.Causes {
		lines = append(lines, fmt.Sprintf("- %s: %s", c.Name, c.Cause))
	}
	return strings.Join(lines, "\n")
}
