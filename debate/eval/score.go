package eval

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// The arms besides those of single seats, which have the ids of the seats: these have no blanks.
const (
	armVote  = "vote of round 1" // its majority
	armPick  = "the pick"        // the strongest single answer after the debate
	armPanel = "the panel"       // its verdict
)

// Check returns an error if a debate cannot tell what each of its seats would have answered alone.
func Check(s debate.Session) error {
	bound := slices.ContainsFunc(s.SeatIDs(), func(id agents.ID) bool { return !verdict.HasVote(s, id) })
	if m := s.Mode; bound || m.Votes != "" || m.Order != debate.Parallel || !verdict.CountsSides(s) {
		return fmt.Errorf("mode %s cannot be evaluated: its seats do not all vote at once, and freely, in round 1", m.Name)
	}
	return nil
}

// Grade says what became of an answer.
type Grade string

// The grades. All but gradeRight count as wrong.
const (
	gradeRight      Grade = "right"
	gradeWrong      Grade = "wrong"
	gradeUndecided  Grade = "undecided" // no side, or no majority
	gradeMissing    Grade = "missing"
	gradeUnreadable Grade = "unreadable"
)

// Answer is what one arm answered to one question.
type Answer struct {
	Grade  Grade  `json:"grade"`
	Answer string `json:"answer,omitempty"`
}

// Result is what all arms answered to one question.
type Result struct {
	Item    Item              `json:"item"`
	Session string            `json:"session"`
	Answers map[string]Answer `json:"answers"` // by arm; the pick only of debates that have one
}

// Score grades the debate of an item. It returns false while the debate has not come to its end.
func Score(it Item, s debate.Session) (Result, bool) {
	r, v := Result{Item: it, Session: s.ID, Answers: map[string]Answer{}}, s.Verdict
	if v == nil || s.Stopped.Forced() {
		return r, false
	}
	first, last := verdict.Votes(s)
	for _, seat := range s.SeatIDs() {
		r.Answers[string(seat)] = it.answer(voteOf(first, seat))
	}
	r.Answers[armVote], r.Answers[armPanel] = it.answer(countOf(first, v.Baseline)), it.answer(countOf(last, v.Final))
	if v.Pick != nil {
		r.Answers[armPick] = it.answer(voteOf(last, v.Pick.Agent))
	}
	return r, true
}

// voteOf returns the vote of a seat, nil without one.
func voteOf(votes []verdict.Vote, seat agents.ID) *verdict.Vote {
	for i := range votes {
		if votes[i].Turn.Agent == seat {
			return &votes[i]
		}
	}
	return nil
}

// countOf returns the result of a count as a vote, or nil without votes.
func countOf(votes []verdict.Vote, t debate.Tally) *verdict.Vote {
	if len(votes) == 0 {
		return nil
	}
	return &verdict.Vote{Side: t.Majority, Estimate: t.Median}
}

// answer grades a vote, or a count of votes; nil is one that there is not.
func (it Item) answer(v *verdict.Vote) Answer {
	switch {
	case v == nil:
		return Answer{Grade: gradeMissing}
	case v.Unread:
		return Answer{Grade: gradeUnreadable}
	case v.Side == debate.Undecided && v.Estimate == nil:
		return Answer{Grade: gradeUndecided}
	}
	a := Answer{gradeWrong, verdict.TallyAnswer(debate.Tally{Majority: v.Side, Median: v.Estimate})}
	if it.isRight(string(v.Side), v.Estimate) {
		a.Grade = gradeRight
	}
	return a
}
