package debate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Settlement says how what a debate decided turned out. Settlements are only appended; the
// last one that is of the present verdict counts, see Session.Settled.
type Settlement struct {
	Result    Result           `json:"result"`
	Side      Side             `json:"side,omitempty"`     // what is right; "" if that is not known, and of an estimate
	Actual    *Estimate        `json:"actual,omitempty"`   // the figure that an estimate was of
	Findings  []SettledFinding `json:"findings,omitempty"` // of a review, in the order of ids
	Note      string           `json:"note,omitempty"`
	LookAgain time.Time        `json:"look_again,omitzero"` // when it is due again; only if it is open
	Rounds    int              `json:"rounds"`              // that the verdict is of
	Author    ledger.Author    `json:"author,omitzero"`
	At        time.Time        `json:"at"`
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
	ResultKnown Result = "known" // what is right is known, and the verdict is no side that could be right or wrong
)

// SettledFinding says whether a finding of a review is a defect.
type SettledFinding struct {
	ID   string `json:"id"` // such as H3
	Real bool   `json:"real"`
}

// Settled returns how the present verdict turned out; ok is false if nobody has said it.
func (s Session) Settled() (last Settlement, ok bool) {
	i := len(s.Settlements) - 1
	if s.Verdict == nil || i < 0 || s.Settlements[i].Rounds != len(s.History) {
		return last, false
	}
	return s.Settlements[i], true
}

// WithSettlement returns the session with one settlement more.
func (s Session) WithSettlement(v Settlement) Session {
	s.Settlements = append(slices.Clip(s.Settlements), v)
	return s
}

// Due reports whether it is time to say how a verdict turned out.
func (s SessionSummary) Due(now time.Time) bool {
	return !s.LookAgain.IsZero() && !s.LookAgain.After(now)
}

// maxDays is the longest time after which a verdict is due.
const maxDays = 36500

// ParseLookAgain returns the date that a user names: after a time such as 10d or 6w, or a date
// such as 2027-01-31.
func ParseLookAgain(raw string, now time.Time) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, raw); err == nil && day.After(now) && day.Before(now.AddDate(0, 0, maxDays)) {
		return day, nil
	}
	if days, err := ParseDays(raw); err == nil {
		return now.AddDate(0, 0, days).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%q is neither a time such as 10d or 6w nor a date to come", text.Label(raw))
}

// ParseDays returns the days in a time such as 10d or 6w.
func ParseDays(raw string) (int, error) {
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		number, ok := strings.CutSuffix(raw, unit)
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && n <= maxDays/days {
			return n * days, nil
		}
	}
	return 0, fmt.Errorf("%q is no time such as 10d or 6w", text.Label(raw))
}
