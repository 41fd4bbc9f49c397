package debate

import (
	"slices"
	"time"

	"roundtable/debate/ledger"
)

// Settlement says how what a debate decided turned out. Settlements are only appended; the
// last one that is of the present verdict counts, see Session.Settled.
type Settlement struct {
	Result Result        `json:"result"`
	Side   Side          `json:"side,omitempty"` // what is right; "" if that is not known
	Note   string        `json:"note,omitempty"`
	Rounds int           `json:"rounds"` // that the verdict is of
	Author ledger.Author `json:"author,omitzero"`
	At     time.Time     `json:"at"`
}

// Result says how a decision turned out.
type Result string

// The results. Only right and wrong say something about the verdict.
const (
	ResultNone  Result = "" // nobody has said it
	ResultOpen  Result = "open"
	ResultRight Result = "right"
	ResultWrong Result = "wrong"
	ResultMixed Result = "mixed"
)

// AllResults returns the results that can be said.
func AllResults() []Result { return []Result{ResultRight, ResultWrong, ResultMixed, ResultOpen} }

// Settled returns how the present verdict turned out; ok is false if nobody has said it.
func (s Session) Settled() (last Settlement, ok bool) {
	i := len(s.Settlements) - 1
	if s.Verdict == nil || i < 0 || s.Settlements[i].Rounds != len(s.History) {
		return last, false
	}
	return s.Settlements[i], true
}

// WithSettlement returns the session with one settlement more, whose result closes open requests.
func (s Session) WithSettlement(v Settlement) Session {
	s.Settlements = append(slices.Clip(s.Settlements), v)
	for _, r := range s.Requests {
		if r.State == ledger.AfterVerdict && v.Result != ResultOpen {
			r.State = ledger.Unanswered
			s = s.WithRequest(r)
		}
	}
	return s
}
