package verdict

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// ReadOutcome reads an outcome from one line such as "mixed", "wrong Postgres" or "right: seen in production".
func ReadOutcome(s debate.Session, line string, by ledger.Author, now time.Time) (debate.Settlement, error) {
	line, note, _ := strings.Cut(line, ": ")
	result, side, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ":"), " ")
	return Settle(s, debate.Settlement{
		Result: debate.Result(result), Side: debate.Side(strings.TrimSpace(side)), Note: note, Author: by, At: now.UTC(),
	})
}

// Settle completes an outcome of the verdict of a session: its side becomes one that is counted.
func Settle(s debate.Session, v debate.Settlement) (debate.Settlement, error) {
	v.Note, v.Rounds = strings.TrimSpace(v.Note), len(s.History)
	switch {
	case s.Verdict == nil:
		return v, errors.New("the debate has no verdict that could have turned out right or wrong")
	case !slices.Contains(debate.AllResults(), v.Result):
		return v, fmt.Errorf("%q is no outcome; use right, wrong, mixed or open", text.Label(string(v.Result)))
	case v.Side == debate.Undecided:
		return v, nil
	case s.Mode.Reviews() || s.Mode.Critiques() || v.Result == debate.ResultOpen:
		return v, errors.New("a review, a critique or what is open has no side")
	}
	if err := CheckDemand(s, string(v.Side)); err != nil {
		return v, err
	}
	b := readBallot(s, debate.Statement{Vote: string(v.Side)})
	if v.Side = b.side; s.Question == debate.QuestionOpen {
		v.Side = debate.Side(b.label)
	}
	held, right := Count(s).Result.Side, v.Result == debate.ResultRight
	if held != "" && v.Result != debate.ResultMixed && SameLabel(string(held), string(v.Side)) != right {
		return v, fmt.Errorf("the verdict is %q: %s and right was %q contradict each other", held, v.Result, v.Side)
	}
	return v, nil
}

// SettledLine says how the verdict turned out, and who said so; "" if no outcome is stored.
func SettledLine(s debate.Session) string {
	v, ok := s.Settled()
	if !ok {
		return ""
	}
	line := string(v.Result)
	if v.Side != debate.Undecided {
		line += "; right was " + text.Line(string(v.Side))
	}
	if v.Note != "" {
		line += " (" + text.Line(v.Note) + ")"
	}
	if by := v.Author.Note(); by != "" {
		line += "; " + text.Line(by)
	}
	return line
}
