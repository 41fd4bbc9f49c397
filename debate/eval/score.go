package eval

import (
	"fmt"
	"slices"
	"strconv"

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
	r := Result{Item: it, Session: s.ID, Answers: map[string]Answer{}}
	if s.Verdict == nil || s.Stopped.Forced() {
		return r, false
	}
	first := s
	first.History = s.History[:1]
	before, after := verdict.Count(first), verdict.Count(s)
	for _, seat := range s.SeatIDs() {
		r.Answers[string(seat)] = it.answer(voteOf(before, seat))
	}
	r.Answers[armVote], r.Answers[armPanel] = it.count(before.Result), it.count(after.Result)
	if seat, _ := verdict.PickOf(s, after); seat != "" {
		r.Answers[armPick] = it.answer(voteOf(after, seat))
	}
	return r, true
}

func voteOf(c debate.Counted, seat agents.ID) debate.SeatVote {
	for _, v := range slices.Backward(c.Votes) {
		if v.Seat == seat && v.State != debate.VoteNone {
			return v
		}
	}
	return debate.SeatVote{State: debate.VoteNone}
}

func (it Item) count(r debate.PanelResult) Answer {
	switch r.Kind {
	case debate.KindSide, debate.KindEstimate:
		return it.answer(debate.SeatVote{State: debate.VoteRead, Side: r.Side, Value: r.Median})
	case debate.KindNoVotes:
		return Answer{Grade: gradeMissing}
	default:
		return Answer{Grade: gradeUndecided}
	}
}

func (it Item) answer(v debate.SeatVote) Answer {
	switch v.State {
	case debate.VoteNone:
		return Answer{Grade: gradeMissing}
	case debate.VoteUnreadable:
		return Answer{Grade: gradeUnreadable}
	case debate.VoteUndecided:
		return Answer{Grade: gradeUndecided}
	case debate.VoteRead:
	}
	a := Answer{gradeWrong, string(v.Side)}
	if v.Value != nil {
		a.Answer = strconv.FormatFloat(*v.Value, 'f', -1, 64)
	}
	if it.isRight(string(v.Side), v.Value) {
		a.Grade = gradeRight
	}
	return a
}
