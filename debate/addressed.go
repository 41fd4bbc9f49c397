package debate

import (
	"cmp"
	"slices"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// UnaddressedAnswers returns the requests that the speaker of x had asked, whose answer
// x is the first statement to have, and that x does not mention. A reason why there is
// no answer need not be mentioned.
func (s Session) UnaddressedAnswers(x Response) []string {
	if !x.HasStatement() || len(s.Requests) == 0 {
		return nil
	}
	cites := x.Cites()
	var out []string
	for _, q := range s.Requests {
		if isFirstAfterAnswer(s, q, x) && !slices.Contains(cites, q.ID) {
			out = append(out, q.ID)
		}
	}
	return out
}

// isFirstAfterAnswer reports whether x is its speaker's first statement with the newest
// answer of q.
func isFirstAfterAnswer(s Session, q ledger.Request, x Response) bool {
	if len(q.Delivered) == 0 || !slices.Contains(q.Askers(), x.Turn.Agent) {
		return false
	}
	var newest ledger.Delivery // before the response
	for _, d := range q.Delivered {
		if d.Round <= x.Turn.Round {
			newest = d
		}
	}
	from := newest.Round
	if a, ok := q.Revision(newest.Revision); !ok || a.Outcome == ledger.Unavailable || !askedBefore(q, x, from) {
		return false
	}
	for _, r := range s.History {
		for _, y := range r.AttemptsOf(x.Turn.Agent) {
			if r.Number >= from && y.HasStatement() && before(y.Turn, x.Turn) {
				return false
			}
		}
	}
	return true
}

// before reports whether turn a of a seat comes before its turn b.
func before(a, b agents.Turn) bool {
	return cmp.Or(a.Round-b.Round, a.Step-b.Step, a.Attempt-b.Attempt) < 0
}

// askedBefore reports whether the speaker of x asked q before the answer was delivered
// for a round.
func askedBefore(q ledger.Request, x Response, round int) bool {
	return slices.ContainsFunc(q.Asks, func(a ledger.Ask) bool {
		return a.Turn.Agent == x.Turn.Agent && !a.Withdrawn &&
			a.Turn.Round < round
	})
}
