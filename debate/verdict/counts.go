package verdict

import (
	"cmp"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Count returns what a session comes to, how that compares with the first votes, and what weakens it.
func Count(s debate.Session) debate.Counted {
	p := pollOf(s)
	out := debate.Counted{Result: p.result(), Demo: spokeFromScript(s)}
	if !p.ranks {
		out.Votes = p.votes()
		p.compare(&out)
	}
	out.Cautions = cautionsOf(p, out)
	for _, c := range out.Cautions {
		out.Incomplete = out.Incomplete || c.Missing
	}
	return out
}

func spokeFromScript(s debate.Session) bool {
	for x := range s.Said() {
		if s.SpeakerOf(debate.ForMember, x.Turn).Provider == debate.DemoProvider {
			return true
		}
	}
	return false
}

func (p poll) result() debate.PanelResult {
	switch {
	case p.s.Mode.Reviews():
		return findingsResult(p.s)
	case p.s.Mode.Critiques():
		return textResult(p.s)
	case len(p.voters) == 0:
		return debate.PanelResult{Kind: debate.KindNone}
	case p.ranks:
		return p.ranking()
	}
	return p.resultOf(p.current(nil))
}

func (p poll) resultOf(votes []cell) debate.PanelResult {
	out := debate.PanelResult{Of: len(votes)}
	for _, c := range votes {
		switch {
		case c.state == debate.VoteUndecided:
			out.Undecided++
		case c.state != debate.VoteRead:
		case p.s.Question == debate.QuestionEstimate:
			out.Numbers = append(out.Numbers, c.value)
		default:
			i := slices.IndexFunc(out.Sides, func(o debate.SideCount) bool { return o.Side == c.side })
			if i < 0 {
				i, out.Sides = len(out.Sides), append(out.Sides, debate.SideCount{Side: c.side})
			}
			out.Sides[i].Count++
		}
	}
	p.sortSides(out.Sides)
	slices.Sort(out.Numbers)
	lead := len(out.Numbers)
	if out.Count = lead; p.s.Question == debate.QuestionEstimate {
		out.Unit = p.s.Unit
	} else if len(out.Sides) > 0 {
		lead = out.Sides[0].Count
	}
	switch n := len(out.Numbers); {
	case isMajority(lead, out.Of) && n > 0:
		median := (out.Numbers[(n-1)/2] + out.Numbers[n/2]) / 2
		out.Kind, out.Median, out.Least, out.Greatest = debate.KindEstimate, &median, &out.Numbers[0], &out.Numbers[n-1]
	case isMajority(lead, out.Of):
		out.Kind, out.Side, out.Count = debate.KindSide, out.Sides[0].Side, lead
	case isMajority(out.Undecided, out.Of):
		out.Kind, out.Count = debate.KindUndecided, out.Undecided
	case len(out.Sides) > 1:
		out.Kind = debate.KindSplit
	case lead+out.Undecided > 0:
		out.Kind = debate.KindNoMajority
	default:
		out.Kind = debate.KindNoVotes
	}
	return out
}

func isMajority(n, of int) bool { return 2*n > of }

func (p poll) sortSides(sides []debate.SideCount) {
	named := []string{string(debate.SideYes), string(debate.SideNo)}
	if p.s.Question == debate.QuestionChoice {
		named = p.s.Mode.Options
	}
	slices.SortStableFunc(sides, func(a, b debate.SideCount) int {
		order := 0
		if p.s.Question != debate.QuestionOpen {
			order = slices.Index(named, string(a.Side)) - slices.Index(named, string(b.Side))
		}
		return cmp.Or(b.Count-a.Count, order)
	})
}

// newest returns the newest round in which votes were due; 0 if there is none.
func (p poll) newest() int { return slices.Max(append([]int{0}, p.rounds...)) }

func (p poll) ranking() debate.PanelResult {
	out := debate.PanelResult{Kind: debate.KindNoVotes, Of: len(p.voters), Due: len(p.voters)}
	if len(p.rounds) == 0 {
		return out
	}
	r := p.s.History[p.newest()-1]
	answers := answersIn(p.s, r.Number)
	for _, id := range answers {
		out.Places = append(out.Places, debate.RankedSeat{Seat: id})
	}
	for _, x := range responsesInPhase(p.s, r, p.phase) {
		order := p.ballotOf(x)
		if len(order) == 0 {
			continue
		}
		out.Ballots++
		best := len(answers) - 1
		if slices.Contains(answers, x.Turn.Agent) {
			best--
		}
		for i, id := range order {
			at := slices.IndexFunc(out.Places, func(o debate.RankedSeat) bool { return o.Seat == id })
			out.Places[at].Points += best - i
			if i == 0 {
				out.Places[at].Firsts++
			}
		}
	}
	out.Count = out.Ballots
	switch {
	case isMajority(out.Ballots, out.Due):
		out.Kind = debate.KindRanking
		slices.SortStableFunc(out.Places, func(a, b debate.RankedSeat) int { return b.Points - a.Points })
		for i := range out.Places {
			out.Places[i].Place = i + 1
			if i > 0 && out.Places[i].Points == out.Places[i-1].Points {
				out.Places[i].Place = out.Places[i-1].Place
			}
		}
		return out
	case out.Ballots > 0:
		out.Kind = debate.KindNoMajority
	}
	out.Places = nil
	return out
}

func (p poll) ballotOf(x debate.Response) []agents.ID {
	order, _ := ReadBallot(p.s, x, answersIn(p.s, x.Turn.Round))
	return order
}

func findingsResult(s debate.Session) debate.PanelResult {
	out := debate.PanelResult{Kind: debate.KindFindings, Of: len(s.Seats), Findings: &debate.FindingCounts{}}
	found := Review(s)
	if found == nil {
		return out
	}
	for _, x := range responsesInPhase(s, s.History[0], "") {
		if x.Statement.Findings != nil {
			out.Count++
		}
	}
	counts := map[debate.FindingState]*int{
		debate.FindingAgreed: &out.Findings.Agreed, debate.FindingDisputed: &out.Findings.Disputed,
		debate.FindingSingle: &out.Findings.Single, debate.FindingRefuted: &out.Findings.Refuted,
	}
	for _, f := range found {
		if f.MergedInto != "" {
			continue
		}
		*counts[f.State]++
		if f.State != debate.FindingRefuted && f.Severity == debate.SeverityHigh {
			out.Findings.High++
		}
	}
	return out
}

// compare sets what the first votes came to, if every seat has a readable one and a newer one of the same model.
func (p poll) compare(out *debate.Counted) {
	held := slices.IndexFunc(p.s.History, func(r debate.Round) bool { return votesHeld(p.s, r) })
	if p.s.Question == debate.QuestionOpen || len(p.voters) == 0 || len(p.rounds) < 2 || p.rounds[0] != held+1 {
		return
	}
	var moved []debate.Mover
	for _, v := range p.voters {
		before := v.cells[0]
		if !before.readable() || v.at < 1 || !v.now.readable() {
			return
		}
		if _, other := p.s.ChangedModel(v.id, p.rounds[0], p.rounds[v.at]); other {
			return
		}
		if !before.equals(v.now) {
			moved = append(moved, debate.Mover{Seat: v.id, By: newestBy(out.Votes, v.id)})
		}
	}
	was := p.firstResult()
	out.Moved = moved
	if differs(was, out.Result) {
		out.Was = &was
	} else {
		out.Same = true
	}
}

// FirstResult returns what the votes of the first round that had any come to.
func FirstResult(s debate.Session) debate.PanelResult { return pollOf(s).firstResult() }

func (p poll) firstResult() debate.PanelResult {
	return p.resultOf(text.Each(p.voters, func(v voter) cell { return v.cells[0] }))
}

func newestBy(votes []debate.SeatVote, id agents.ID) (by string) {
	for _, v := range votes {
		if v.Seat == id && v.Arrow != "" {
			by = v.By
		}
	}
	return by
}

// differs reports whether two results differ in kind, in side or, without a side, in the set of sides or the leading one.
func differs(a, b debate.PanelResult) bool {
	switch {
	case a.Kind != b.Kind:
		return true
	case a.Kind == debate.KindSide:
		return a.Side != b.Side
	case a.Kind == debate.KindEstimate:
		return *a.Median != *b.Median
	case len(a.Sides) != len(b.Sides), leadingSide(a) != leadingSide(b):
		return true
	}
	return slices.ContainsFunc(a.Sides, func(x debate.SideCount) bool {
		return !slices.ContainsFunc(b.Sides, func(y debate.SideCount) bool { return x.Side == y.Side })
	})
}

func leadingSide(r debate.PanelResult) debate.Side {
	if len(r.Sides) == 0 || len(r.Sides) > 1 && r.Sides[0].Count == r.Sides[1].Count {
		return ""
	}
	return r.Sides[0].Side
}

// Ending returns why a debate ends with the round that has ended before its planned rounds.
func Ending(s debate.Session) debate.StopReason {
	switch {
	case s.Question == debate.QuestionEstimate || s.Eval != nil:
	case s.Ends == debate.EndsAgreed && AllAgree(s):
		return debate.EndedByConsensus
	case s.Ends == debate.EndsSettled && Settled(s):
		return debate.EndedByConvergence
	}
	return debate.NotStopped
}

// AllAgree reports whether the blind first round ends a debate: two seats or more, all of them, hold one side, no
// two run one model, no question was asked, and no prompt, evidence or turn is missing.
func AllAgree(s debate.Session) bool {
	if len(s.History) != 1 || s.Mode.Sees() != debate.SeesRounds || len(s.Requests) > 0 {
		return false
	}
	s.Stopped = debate.EndedByConsensus // some cautions apply to ended debates only
	c, seats, models := Count(s), voters(s), map[string]bool{}
	for _, id := range seats {
		who, _ := s.Seat(id)
		models[modelKey(who)] = true
	}
	all := c.Result.Kind == debate.KindSide && c.Result.Count == len(seats)
	return all && len(seats) > 1 && len(models) == len(seats) && !slices.ContainsFunc(c.Cautions, func(c debate.Caution) bool {
		return c.ID == CautionCutPrompts || c.ID == CautionUnreadEvidence || c.ID == CautionMissedTurn
	})
}

// Settled reports whether no voting seat's side changed over the newest two rounds, both complete.
func Settled(s debate.Session) bool {
	p := pollOf(s)
	n := len(p.rounds)
	if n < 2 || len(p.voters) == 0 || p.ranks || p.rounds[n-1] != len(s.History) {
		return false
	}
	return !slices.ContainsFunc(p.voters, func(v voter) bool {
		a, b := v.cells[n-2], v.cells[n-1]
		return !a.readable() || !b.readable() || !a.equals(b)
	})
}
