package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

func votingPhase(m debate.Mode) (debate.Phase, bool) {
	if m.Votes == debate.VotesNone {
		return debate.Phase{}, false
	}
	return m.Phase(m.Votes), true
}

// HasVote reports whether a seat is a voter: whether it speaks in the voting phase with
// a stance of its own. If no phase is named as the voting phase, a seat whose role
// prescribes a stance has none.
func HasVote(s debate.Session, id agents.ID) bool {
	phase, ok := votingPhase(s.Mode)
	if !ok {
		return false
	}
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	if len(phase.Roles) > 0 && !slices.Contains(phase.Roles, role.Name) {
		return false
	}
	return phase.Name != "" || !role.Fixed && role.Stance != debate.NoStance
}

// CountsSides reports whether the votes of a session are sides: there are votes, and
// they are no ballots.
func CountsSides(s debate.Session) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && phase.Asks != debate.AsksRanking
}

func votesHeld(s debate.Session, r debate.Round) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && (phase.Name == "" || phase.Instructions(r.Number, r.Manifest.Rounds) != "")
}

func voters(s debate.Session) []agents.ID {
	return seatsWhere(s, func(id agents.ID) bool { return HasVote(s, id) })
}

// endedTurn reports whether neither the budget nor the end of the debate cut a turn off.
func endedTurn(x debate.Response) bool {
	return x.Finished() && (x.Failure == nil || x.Failure.Kind != agents.KindBudget && x.Failure.Cause != debate.CauseCutOff)
}

// saidIn returns the statement of a seat in a phase of a round; false if it has none there.
func saidIn(r debate.Round, id agents.ID, phase string) (said debate.Response, ok bool) {
	for _, x := range r.Latest() {
		if x.Turn.Agent == id && x.Phase == phase && x.HasStatement() {
			said, ok = x, true
		}
	}
	return said, ok
}

func responsesInPhase(s debate.Session, r debate.Round, phase string) (out []debate.Response) {
	for _, p := range s.Seats {
		if x, ok := saidIn(r, p.ID, phase); ok {
			out = append(out, x)
		}
	}
	return out
}
