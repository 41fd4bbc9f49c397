package debate

import (
	"roundtable/agents"
)

// InRole reports whether what an agent states in a phase is the side of its role. In the
// voting phase of a mode that names one, and in a poll, it states its own.
func (s Session) InRole(id agents.ID, phase string) bool {
	_, seat := s.Seat(id)
	role, ok := s.Mode.RoleOf(seat, len(s.Seats))
	switch {
	case !ok, phase != "" && phase == s.Mode.Votes, s.Mode.AskedField(phase) == AsksVote:
		return false
	case role.Stance == Yes || role.Stance == No:
		return true
	default:
		return s.Mode.Order == ByTeams && phase == "" && s.Mode.Votes != ""
	}
}

// SideOf returns the side that a response took when it was said. A session of an earlier
// version has stances only.
func (s Session) SideOf(x Response) Side {
	if x.Side == Undecided && s.Question == QuestionUnset && (x.Statement.Stance == Yes || x.Statement.Stance == No) {
		return Side(x.Statement.Stance)
	}
	return x.Side
}

// Standing says in words which side a response takes: "holds yes", "argues yes" for the
// side of a role, or "no side"; "" where none is asked for.
func (s Session) Standing(x Response, side Side) string {
	switch {
	case side != Undecided && s.Question == QuestionEstimate:
		return "estimates " + string(side)
	case side != Undecided && s.InRole(x.Turn.Agent, x.Phase):
		return "argues " + string(side)
	case side != Undecided:
		return "holds " + string(side)
	case !asksForSide(s, x.Phase):
		return ""
	default:
		return "no side"
	}
}

// asksForSide reports whether who speaks in a phase is asked for a side that is counted.
func asksForSide(s Session, phase string) bool {
	asked := s.Mode.AskedField(phase)
	return asked != AsksRanking && asked != AsksScores && s.Mode.Votes != VotesNone && s.Mode.AskedField(s.Mode.Votes) != AsksRanking
}

// Change says in words that a seat names another side than before. Two labels of an open
// question may mean the same.
func (s Session) Change(before, now Side) string {
	yesNo := func(x Side) bool { return x == SideYes || x == SideNo }
	if s.Question == QuestionOpen && !(yesNo(before) && yesNo(now)) {
		return "Another label: " + string(now) + ", before: " + string(before)
	}
	return "Changed " + string(before) + " to " + string(now)
}
