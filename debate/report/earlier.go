package report

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// EarlierLine says what a debate decided and how that turned out, for a new debate on the same
// topic; "" without a verdict.
func EarlierLine(s debate.Session) string {
	if s.Verdict == nil {
		return ""
	}
	settled := cmp.Or(verdict.SettledLine(s), "nobody has said how it turned out")
	return fmt.Sprintf("Earlier debate %s of %s: %s Outcome: %s.", s.ID, s.Created.Format(time.DateOnly),
		text.Sentence(Headline(*s.Verdict, s)), strings.TrimSuffix(settled, "."))
}

// EarlierResult is EarlierLine in a few words for a list, without which debate it was; "" without
// a verdict.
func EarlierResult(s debate.Session) string {
	if s.Verdict == nil {
		return ""
	}
	decided, _, _ := strings.Cut(Headline(*s.Verdict, s), " · ")
	outcome := "unknown"
	if v, ok := s.Settled(); ok {
		outcome = string(v.Result)
	}
	return strings.TrimRight(decided, ".") + "; outcome " + outcome
}

// Earlier returns the decision of a session as a text for another debate: the line of
// EarlierLine, and the record of the decision. Outcomes that are said after now are not in it.
func Earlier(s debate.Session, now time.Time) (string, error) {
	if s.Verdict == nil {
		return "", errors.New("it has no verdict yet")
	}
	var b strings.Builder
	if err := Of(s, Options{}).Write(&b, ADR); err != nil {
		return "", err
	}
	record := b.String()
	if _, rest, ok := strings.Cut(strings.TrimPrefix(record, "---\n"), "\n---\n"); ok { // its status is for a repository
		record = strings.TrimLeft(rest, "\n")
	}
	return fmt.Sprintf("%s\nThis is what models answered then, and no proof. The outcome is what was known of it on %s.\n\n%s",
		EarlierLine(s), now.Format(time.DateOnly), record), nil
}
