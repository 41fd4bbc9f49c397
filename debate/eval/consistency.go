package eval

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
)

// ArmConsistency is the most frequent answer of the baseline to its prompt of round 1, asked
// as often as the cost of the debate pays for.
const ArmConsistency = "consistency"

// mostSamples bounds how often a model is asked the same.
const mostSamples = 100

// Consistency says how often the baseline was asked.
type Consistency struct {
	Questions int     `json:"questions"` // with at least one answer
	None      int     `json:"none"`      // of which the debate cost less than one answer
	Mean      float64 `json:"mean"`      // answers to a question
	Least     int     `json:"least"`
	Most      int     `json:"most"`
	ByTokens  bool    `json:"by_tokens"` // not by money, since not everybody has a price
}

// samples returns the answers of a seat to its prompt of round 1, asked after the debate.
func samples(s debate.Session, seat agents.ID) []debate.Response {
	var out []debate.Response
	for _, f := range s.FollowUps {
		if s.IsAgain(f.Question) && f.Response.Turn.Agent == seat {
			out = append(out, f.Response)
		}
	}
	return out
}

// AsksAgain reports whether the seat can be asked once more before that costs more than the
// debate did. Nobody is asked again after a failure.
func AsksAgain(s debate.Session, seat agents.ID) bool {
	if s.Verdict == nil {
		return false
	}
	given := samples(s, seat)
	failed := func(x debate.Response) bool { return x.State == debate.TurnFailed || x.State == debate.TurnCancelled }
	if len(given) >= mostSamples || slices.ContainsFunc(given, failed) {
		return false
	}
	m := measureOf(s)
	who, _ := s.Seat(seat)
	spent, answered, next := 0.0, 0, 0.0
	for _, x := range given {
		spent += m.cost(who, x.Usage)
		if x.State == debate.TurnDone {
			answered++
		}
	}
	for _, x := range s.History[0].Responses {
		if x.Turn.Agent == seat && x.HasStatement() {
			next = m.cost(who, x.Usage)
		}
	}
	if answered > 0 {
		next = spent / float64(answered)
	}
	return next > 0 && spent+next <= m.debate(s)
}

// measure is what answers and debates are compared by: tokens, or money at full prices.
type measure struct{ tokens bool }

func measureOf(s debate.Session) measure {
	free := func(p agents.Profile) bool { return p.Included || !p.Priced() || *p.PriceIn+*p.PriceOut == 0 }
	return measure{tokens: slices.ContainsFunc(s.Speakers(), free)}
}

func (m measure) cost(who agents.Profile, u agents.Usage) float64 {
	if m.tokens {
		return float64(u.Total())
	}
	u.Cached = 0 // at the full price
	if c := who.Cost(u); c != nil {
		return *c
	}
	return 0
}

// debate returns the cost of members, chair and light model, retries included.
func (m measure) debate(s debate.Session) float64 {
	if m.tokens {
		return float64(spentOn(s).Usage.Total())
	}
	total := 0.0
	for _, r := range s.History {
		for _, x := range r.Responses {
			who, _ := s.Seat(x.Turn.Agent)
			total += m.cost(who, x.Usage)
		}
	}
	for _, part := range s.AuxiliarySpending {
		who := s.Light
		switch part.Purpose {
		case debate.ForChair:
			chair := s.SpeakerOf(debate.ForChair, agents.Turn{Agent: s.Verdict.Chair, Round: len(s.History)})
			who = &chair
		case debate.ForFollowUp, debate.ForMember:
			continue
		case debate.ForLight:
		}
		if who != nil {
			total += m.cost(*who, part.Usage)
		}
	}
	return total
}

// spentOn returns what a debate has spent until its verdict.
func spentOn(s debate.Session) debate.Spending {
	if n := len(s.Verdict.Spending); n > 0 {
		return s.Verdict.Spending[n-1]
	}
	return budget.TotalSpending(s)
}

// addConsistency adds the most frequent answer of the baseline, on a tie the one given first.
// Without an answer there is no such arm.
func (r *Result) addConsistency(s debate.Session, seat agents.ID) {
	o := Outcome{Arm: ArmConsistency}.needed(samples(s, seat))
	q := verdict.SidesOf(s)
	type answer struct {
		label, text string
		grade       Grade
		votes       int
	}
	var answers []answer
	for _, x := range samples(s, seat) {
		if x.State != debate.TurnDone {
			continue
		}
		r.Samples++
		st := statement.Parse(x.Text())
		v := verdict.Vote{Response: x, Side: q.Of(st), Estimate: st.Estimate}
		v.Statement = st
		v.Unread = v.Side == debate.Undecided && st.Stance == "" && st.Choice == ""
		label := statement.FoldLabel(voteText(v))
		i := slices.IndexFunc(answers, func(a answer) bool { return a.label == label })
		if i < 0 {
			i = len(answers)
			answers = append(answers, answer{label: label, text: voteText(v), grade: r.Item.gradeVote(v)})
		}
		answers[i].votes++
	}
	if r.Samples > 0 {
		best := slices.MaxFunc(answers, func(a, b answer) int { return a.votes - b.votes }) // the first of equals
		o.Grade, o.Answer = best.grade, best.text
		r.Outcomes = append(r.Outcomes, o)
	}
}

// consistencyOf counts how often the baseline was asked.
func consistencyOf(results []Result) *Consistency {
	c := Consistency{}
	total := 0
	for _, r := range results {
		c.ByTokens = c.ByTokens || r.ByTokens
		if r.Samples == 0 {
			c.None++
			continue
		}
		if c.Questions++; c.Questions == 1 || r.Samples < c.Least {
			c.Least = r.Samples
		}
		c.Most, total = max(c.Most, r.Samples), total+r.Samples
	}
	if c.Questions > 0 {
		c.Mean = float64(total) / float64(c.Questions)
	}
	return &c
}
