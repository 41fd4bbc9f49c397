package verdict

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

const maxQuotedLength = 40

// CheckStatement notes what breaks a speaker's role in its statement, or cannot be read.
func CheckStatement(s debate.Session, x *debate.Response) {
	st := &x.Statement
	if b := readBallot(s, *st); IsVote(s, *x) && b.state == debate.VoteUnreadable && b.label != "" {
		st.AddNote("vote %q cannot be read", text.Head(b.label, maxQuotedLength))
	}
	_, seat := s.Seat(x.Turn.Agent)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	if !IsVote(s, *x) {
		st.RoleBreach = roleBreach(role, VoteOf(s, *st))
	}
	switch s.Mode.Phase(x.Phase).Asks {
	case debate.AsksRanking:
		_, notes := ReadBallot(s, *x, answersIn(s, x.Turn.Round))
		st.Notes = append(st.Notes, notes...)
	case debate.AsksFindings:
		found := FirstFindings(s)
		for _, j := range st.Judgements {
			if !slices.ContainsFunc(found, func(f debate.ReviewFinding) bool {
				return f.ID == j.Finding && !slices.Contains(f.FoundBy, x.Turn.Agent)
			}) {
				st.AddNote("the judgement of %s is of no finding of another seat", j.Finding)
			}
		}
	case debate.AsksVote, debate.AsksStance, debate.AsksConcerns, debate.AsksReplies:
	}
}

// SideOf returns the side of the vote of a response.
func SideOf(s debate.Session, x debate.Response) debate.Side {
	if s.Mode.Phase(x.Phase).Asks == debate.AsksRanking || s.Mode.Reviews() || s.Mode.Critiques() {
		return debate.Undecided
	}
	if vote := VoteOf(s, x.Statement); vote != debate.UndecidedWord {
		return debate.Side(vote)
	}
	return debate.Undecided
}

// VoteOf returns a vote as it is counted, with the unit of an estimate; "" for one that cannot be read.
func VoteOf(s debate.Session, st debate.Statement) string {
	switch b := readBallot(s, st); b.state {
	case debate.VoteUndecided:
		return debate.UndecidedWord
	case debate.VoteRead:
		return b.word(s)
	case debate.VoteUnreadable, debate.VoteNone:
	}
	return ""
}

// Number returns the number of an estimate. It returns false for a vote that is none.
func Number(s debate.Session, st debate.Statement) (float64, bool) {
	b := readBallot(s, st)
	return b.value, s.Question == debate.QuestionEstimate && b.state == debate.VoteRead
}

func (b ballot) word(s debate.Session) string {
	if s.Question == debate.QuestionEstimate {
		return plain(b.value, -1) + Words{}.unit(s.Unit)
	}
	return b.label
}

func answersIn(s debate.Session, round int) []agents.ID {
	return text.Each(responsesInPhase(s, s.History[round-1], ""), func(x debate.Response) agents.ID { return x.Turn.Agent })
}

// Answers reports whether a vote of a phase says what the phase and the question ask for.
func Answers(s debate.Session, phase string, st debate.Statement) bool {
	switch s.Mode.Phase(phase).Asks {
	case debate.AsksRanking:
		return len(st.Ranking) > 0
	case debate.AsksFindings:
		return st.Findings != nil && len(s.History) == 1 || st.Judgements != nil || len(s.History) > 1 && len(defectsOf(s)) == 0
	case debate.AsksConcerns:
		return st.Concerns != nil
	case debate.AsksReplies:
		return len(withoutReply(s, st)) == 0
	case debate.AsksVote, debate.AsksStance:
	}
	return readBallot(s, st).state != debate.VoteUnreadable
}

// IsVote reports whether a response was given where votes are cast, by a voter.
func IsVote(s debate.Session, x debate.Response) bool {
	return HasVote(s, x.Turn.Agent) && x.Phase == s.Mode.Votes
}

// InRole reports whether a response states the side of its speaker's role, which is no vote.
func InRole(s debate.Session, x debate.Response) bool {
	_, seat := s.Seat(x.Turn.Agent)
	_, hasRole := s.Mode.RoleOf(seat, len(s.Seats))
	return hasRole && !IsVote(s, x)
}

// Standing says in words which side a response takes: "votes yes", "argues yes" for the side
// of a role, or "no side"; "" where none is asked for.
func Standing(s debate.Session, x debate.Response) string {
	side := SideOf(s, x)
	ranks := func(phase string) bool { return s.Mode.Phase(phase).Asks == debate.AsksRanking }
	switch {
	case side != debate.Undecided && s.Question == debate.QuestionEstimate:
		return "estimates " + string(side)
	case side != debate.Undecided && InRole(s, x):
		return "argues " + string(side)
	case side != debate.Undecided:
		return "votes " + string(side)
	case s.Mode.Votes == debate.VotesNone || ranks(x.Phase) || ranks(s.Mode.Votes):
		return ""
	}
	return "no side"
}

// roleBreach says how a vote breaks the role; one that cannot be read breaks nothing.
func roleBreach(r debate.Role, stated string) string {
	switch {
	case stated == "":
		return ""
	case r.Stance == debate.NoStance:
		return fmt.Sprintf("as %s it takes no side, and states %s", r.Name, stated)
	case r.Fixed && stated != string(r.Stance):
		return fmt.Sprintf("as %s it argues %s, and states %s", r.Name, r.Stance, stated)
	default:
		return ""
	}
}
