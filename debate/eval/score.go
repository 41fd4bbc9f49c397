package eval

import (
	"fmt"
	"math"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/verdict"
)

// The arms besides those of single seats, which have the ids of the seats.
const (
	ArmVote     = "vote"     // the majority of round 1
	ArmWeighted = "weighted" // the same by stated confidences
	ArmPick     = "pick"     // the strongest single answer after the debate
	ArmPanel    = "panel"    // the verdict
	ArmCeiling  = "ceiling"  // right if any seat was: no arm, but what picking could reach
)

// commonArms returns the arms besides those of single seats with their words, in the order of
// reports.
func commonArms() []Seat {
	return []Seat{
		{ArmVote, "vote of round 1"},
		{ArmWeighted, "weighted vote"},
		{ArmPick, "pick"},
		{ArmPanel, "panel"},
		{ArmConsistency, "baseline, asked again"},
		{ArmCeiling, "some seat had it"},
	}
}

// CheckSeats returns an error if a seat has the name of another arm.
func CheckSeats(seats []Seat) error {
	for _, arm := range commonArms() {
		if slices.ContainsFunc(seats, func(s Seat) bool { return s.ID == arm.ID }) {
			return fmt.Errorf("an evaluation has an arm %q, so no seat of it can have this id", arm.ID)
		}
	}
	return nil
}

// Outcome is what one arm answered to one question.
type Outcome struct {
	Arm        string   `json:"arm"`
	Grade      Grade    `json:"grade"`
	Answer     string   `json:"answer,omitempty"`
	Confidence *float64 `json:"confidence"` // of a seat, as it stated it; null otherwise
	Dollars    *float64 `json:"dollars"`    // null: unknown
	Tokens     int      `json:"tokens"`
	Seconds    float64  `json:"seconds"`
}

// Right reports whether the answer was right.
func (o Outcome) Right() bool { return o.Grade == GradeRight }

// Turn is a seat whose answer was right before the debate and wrong after it, or the other
// way around.
type Turn struct {
	Seat  agents.ID     `json:"seat"`
	Right bool          `json:"right"` // after the debate
	By    debate.Change `json:"by"`    // what the ledger says moved it
}

// Result is what all arms answered to one question.
type Result struct {
	Item      Item      `json:"item"`
	Session   string    `json:"session"`
	Unanimous bool      `json:"unanimous"` // all first votes were for one side
	Outcomes  []Outcome `json:"outcomes"`
	Turns     []Turn    `json:"turns"`
	Samples   int       `json:"samples,omitempty"`   // answers of the arm consistency
	ByTokens  bool      `json:"by_tokens,omitempty"` // they were as many as the tokens of the debate allow, not its money
}

// Outcome returns what an arm answered; false if it has no part in this question.
func (r Result) Outcome(arm string) (Outcome, bool) {
	i := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Arm == arm })
	if i < 0 {
		return Outcome{}, false
	}
	return r.Outcomes[i], true
}

// Score grades the debate of an item. It returns false while the debate has not come to its
// end, unless a failing provider keeps it from that: then every arm has lost the question.
// Baseline is who was asked again, see AsksAgain.
func Score(it Item, s debate.Session, baseline agents.ID) (Result, bool) {
	r := Result{Item: it, Session: s.ID, Turns: []Turn{}}
	if s.Stopped.Forced() {
		return r, false
	}
	if s.Verdict == nil {
		if s.OpenRound() == nil {
			return r, false
		}
		r.addLost(s)
		return r, true
	}
	first, last := verdict.Votes(s)
	all := Outcome{Arm: ArmVote}.needed(untilVotes(s, first, ""))
	ceiling := Outcome{Arm: ArmCeiling, Grade: GradeWrong}
	for _, p := range s.Seats {
		o := it.seatOutcome(s, first, p.ID)
		if o.Right() {
			ceiling.Grade = GradeRight
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	if len(slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return o.Grade == GradeLost })) == 0 {
		ceiling.Grade = GradeLost
	}
	all.Grade = ceiling.Grade // used if there was no vote
	r.addVotes(s, first, all)
	r.addVerdict(s, last)
	r.ByTokens = measureOf(s).tokens
	r.addConsistency(s, baseline)
	ceiling.Dollars, ceiling.Tokens, ceiling.Seconds = all.Dollars, all.Tokens, all.Seconds
	r.Outcomes = append(r.Outcomes, ceiling)
	t := s.Verdict.Baseline
	r.Unanimous = len(first) == len(s.Seats) && len(t.Sides) == 1 && t.Undecided+t.Unread == 0
	r.addTurns(s, first, last)
	return r, true
}

// addLost adds what was spent on a debate that a provider did not let come to its end.
func (r *Result) addLost(s debate.Session) {
	add := func(arm string, o Outcome) {
		o.Arm, o.Grade = arm, GradeLost
		r.Outcomes = append(r.Outcomes, o)
	}
	for _, id := range s.SeatIDs() {
		add(string(id), Outcome{}.needed(untilVotes(s, nil, id)))
	}
	first := Outcome{}.needed(untilVotes(s, nil, ""))
	add(ArmVote, first)
	add(ArmWeighted, first)
	add(ArmPanel, wholeOf(s, budget.TotalSpending(s)))
	add(ArmCeiling, first)
}

func sum(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	total := *a + *b
	return &total
}

// seatOutcome grades what a seat answered in round 1, before it had read the others.
func (it Item) seatOutcome(s debate.Session, first []verdict.Vote, id agents.ID) Outcome {
	o := Outcome{Arm: string(id), Grade: GradeMissing}.needed(untilVotes(s, first, id))
	if i := slices.IndexFunc(first, func(v verdict.Vote) bool { return v.Turn.Agent == id }); i >= 0 {
		v := first[i]
		o.Grade, o.Answer, o.Confidence = it.gradeVote(v), voteText(v), v.Statement.Confidence
		return o
	}
	for _, x := range s.History[0].Latest() {
		if x.Turn.Agent == id {
			o.Grade = gradeOfFailure(x)
		}
	}
	return o
}

// untilVotes returns the turns, failed ones too, that it took until the first votes were cast:
// of one seat, or of all for "". Without a vote these are the turns of round 1.
func untilVotes(s debate.Session, first []verdict.Vote, id agents.ID) []debate.Response {
	round, step := 1, math.MaxInt
	for i, v := range first {
		if i == 0 || v.Turn.Round == round && v.Turn.Step > step {
			round, step = v.Turn.Round, v.Turn.Step
		}
	}
	var out []debate.Response
	for _, r := range s.History[:min(round, len(s.History))] {
		for _, x := range r.Responses {
			if (id == "" || x.Turn.Agent == id) && (r.Number < round || x.Turn.Step <= step) {
				out = append(out, x)
			}
		}
	}
	return out
}

// needed returns the outcome with what some turns cost and how long they took.
func (o Outcome) needed(turns []debate.Response) Outcome {
	spent := debate.Spending{Cost: new(float64)}
	var spans []debate.Span
	for _, x := range turns {
		spent = spent.Plus(x.Calls, x.Usage, x.Cost)
		spans = append(spans, debate.Span{Began: x.Began, Ended: x.Ended})
	}
	o.Dollars, o.Tokens, o.Seconds = spent.Cost, spent.Usage.Total(), seconds(spans)
	return o
}

// seconds returns how long at least one of some turns was under way. Pauses between them are
// not counted, such as those after a crash.
func seconds(spans []debate.Span) float64 {
	spans = slices.DeleteFunc(slices.Clone(spans), func(p debate.Span) bool { return !p.Ended.After(p.Began) || p.Began.IsZero() })
	slices.SortFunc(spans, func(a, b debate.Span) int { return a.Began.Compare(b.Began) })
	var all time.Duration
	var until time.Time
	for _, p := range spans {
		if p.Began.Before(until) {
			p.Began = until
		}
		if p.Ended.After(p.Began) {
			all, until = all+p.Ended.Sub(p.Began), p.Ended
		}
	}
	return all.Seconds()
}

func voteText(v verdict.Vote) string {
	switch {
	case v.Estimate != nil:
		return verdict.TallyAnswer(debate.Tally{Median: v.Estimate})
	case v.Side != debate.Undecided:
		return string(v.Side)
	}
	return v.Statement.Position
}

func (it Item) gradeVote(v verdict.Vote) Grade {
	if v.Unread && it.Tests[0].Kind == answerTest {
		return GradeUnreadable
	}
	st := v.Statement
	return it.Grade(Answer{string(v.Side), v.Estimate, st.Position + "\n" + st.Body})
}

// gradeOfFailure says what became of a turn without a vote.
func gradeOfFailure(x debate.Response) Grade {
	if x.Failure == nil {
		if x.HasStatement() {
			return GradeUnreadable
		}
		return GradeMissing
	}
	switch x.Failure.Kind {
	case agents.KindFilter:
		return GradeRefused
	case agents.KindAuth, agents.KindCredit, agents.KindModel, agents.KindBusy, agents.KindNetwork, agents.KindSilence,
		agents.KindTruncated, agents.KindMalformed, agents.KindConfig, agents.KindInterrupted:
		return GradeLost
	case agents.KindRequest, agents.KindTooLong, agents.KindEmpty, agents.KindLimit, agents.KindTools, agents.KindBudget,
		agents.KindCancelled, agents.KindInternal:
	}
	return GradeMissing
}

// addVotes adds the votes of round 1, plain and weighted. Empty is a vote that was not held.
func (r *Result) addVotes(s debate.Session, first []verdict.Vote, empty Outcome) {
	if len(first) == 0 {
		if empty.Grade != GradeLost {
			empty.Grade = GradeMissing
		}
		weighted := empty
		weighted.Arm = ArmWeighted
		r.Outcomes = append(r.Outcomes, empty, weighted)
		return
	}
	t := s.Verdict.Baseline
	for _, arm := range []struct {
		name string
		side debate.Side
	}{{ArmVote, t.Majority}, {ArmWeighted, t.Weighted}} {
		o := empty
		o.Arm = arm.name
		o.Grade, o.Answer = r.Item.gradeSide(arm.side, t.Median, "")
		r.Outcomes = append(r.Outcomes, o)
	}
}

// gradeSide grades a count, or the median of estimates; content is the text of the answer.
func (it Item) gradeSide(side debate.Side, median *debate.Estimate, content string) (Grade, string) {
	answer := string(side)
	if median != nil {
		answer = verdict.TallyAnswer(debate.Tally{Median: median})
	}
	if answer == "" && (it.Tests[0].Kind == answerTest || content == "") {
		return GradeNoMajority, ""
	}
	return it.Grade(Answer{string(side), median, content}), answer
}

// addVerdict adds the pick and the verdict, which both cost the whole debate.
func (r *Result) addVerdict(s debate.Session, last []verdict.Vote) {
	v := s.Verdict
	whole := wholeOf(s, spentOn(s))
	pick, panel := whole, whole
	pick.Arm, pick.Grade, panel.Arm = ArmPick, GradeMissing, ArmPanel
	if v.Pick != nil {
		for _, vote := range last {
			if vote.Turn.Agent == v.Pick.Agent {
				pick.Grade, pick.Answer = r.Item.gradeVote(vote), voteText(vote)
			}
		}
		r.Outcomes = append(r.Outcomes, pick)
	}
	side := debate.Undecided
	if v.Side != nil {
		side = *v.Side
	}
	panel.Grade, panel.Answer = r.Item.gradeSide(side, v.Final.Median, v.Text)
	if panel.Grade == GradeNoMajority && len(last) == 0 {
		panel.Grade = GradeMissing
	}
	r.Outcomes = append(r.Outcomes, panel)
}

// wholeOf returns what a whole debate cost and how long it took.
func wholeOf(s debate.Session, spent debate.Spending) Outcome {
	spans := slices.Clone(s.AuxiliaryTimes)
	for _, round := range s.History {
		for _, x := range round.Responses {
			spans = append(spans, debate.Span{Began: x.Began, Ended: x.Ended})
		}
	}
	return Outcome{Dollars: spent.Cost, Tokens: spent.Usage.Total(), Seconds: seconds(spans)}
}

// addTurns adds the seats whose answer became right or wrong in the debate.
func (r *Result) addTurns(s debate.Session, first, last []verdict.Vote) {
	for _, was := range first {
		i := slices.IndexFunc(last, func(v verdict.Vote) bool { return v.Turn.Agent == was.Turn.Agent })
		if i < 0 {
			continue
		}
		before, after := r.Item.gradeVote(was) == GradeRight, r.Item.gradeVote(last[i]) == GradeRight
		if before == after {
			continue
		}
		t := Turn{Seat: was.Turn.Agent, Right: after}
		for _, m := range s.Verdict.Moves {
			if m.Agent == t.Seat && m.Round > was.Turn.Round && m.Change != debate.Held && m.Change != debate.HeldOther {
				t.By = m.Change
			}
		}
		r.Turns = append(r.Turns, t)
	}
}
