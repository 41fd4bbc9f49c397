package debateview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/tui/screen"
)

// laterRound is what becomes of a line that is meant for a later round.
type laterRound int

const (
	roundPlanned laterRound = iota
	roundAdded              // no later round is planned: the line adds one
	roundAfter              // nor can one be added before the verdict: the line is kept
)

// later returns what becomes of a line for a later round.
func (v *sessionView) later() laterRound {
	switch {
	case v.Running() && v.noMoreRounds() != "":
		return roundAfter
	case v.session.Verdict != nil || len(v.session.History) >= v.session.Rounds:
		return roundAdded
	}
	return roundPlanned
}

// laterNote says so above the field, where does is what enter does with the line.
func (v *sessionView) laterNote(does string) string {
	switch v.later() {
	case roundAdded:
		cost := ""
		if v.session.Verdict != nil { // the round begins at once
			cost = fmt.Sprintf(" The round takes %s.", budget.Estimate(v.withOneMore()))
		}
		return fmt.Sprintf("There is no later round: enter adds one and %s this.%s", does, cost)
	case roundAfter:
		return "The last round is running: this is kept for the round that you add after it."
	case roundPlanned:
	}
	return ""
}

// withOneMore returns the session with one round more to play.
func (v *sessionView) withOneMore() debate.Session {
	s := v.session
	s.Rounds, s.Verdict, s.Stopped = len(s.History)+1, nil, debate.NotStopped
	return s
}

// cannotAfford asks for a larger budget if a line adds a round that the budget does not
// pay for; ok reports whether it does.
func (d *Debate) cannotAfford() (out screen.Outcome, ok bool) {
	if d.later() != roundAdded {
		return nil, false
	}
	if err := d.config.Player.Affords(d.session); err != nil {
		return append(screen.Tell(screen.Warning, screen.Sentence(err)), d.askBudget()...), true
	}
	return nil, false
}
