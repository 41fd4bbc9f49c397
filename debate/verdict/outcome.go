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

// Claim is what somebody says of how a verdict turned out.
type Claim struct {
	Result debate.Result
	Was    string // the side that was right; "" says nothing of it
	Note   string
}

// ReadOutcome returns how the verdict of a session turned out, as somebody says it in one line.
// The error says what the line lacks.
func ReadOutcome(s debate.Session, line string, by ledger.Author, now time.Time) (debate.Settlement, error) {
	claim, err := ReadClaim(line)
	if err != nil {
		return debate.Settlement{}, err
	}
	settled, err := Settle(s, claim)
	settled.Author, settled.At = by, now.UTC()
	return settled, err
}

// ReadClaim reads a claim in one line, such as "mixed", "wrong Postgres" or "right: seen in
// production".
func ReadClaim(line string) (c Claim, err error) {
	line, note, _ := strings.Cut(line, ": ")
	first, was, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ":"), " ")
	c.Note, c.Was = strings.TrimSpace(note), strings.TrimSpace(was)
	if first != "" { // else Settle says what it lacks
		c.Result, err = ParseResult(first)
	}
	return c, err
}

// ParseResult returns the outcome of that name.
func ParseResult(name string) (debate.Result, error) {
	if r := debate.Result(name); slices.Contains(debate.AllResults(), r) {
		return r, nil
	}
	return "", fmt.Errorf("%q is no outcome; use right, wrong, mixed or open", text.Label(name))
}

// NoOutcome returns why the verdict of a session cannot turn out right or wrong; nil if it can.
func NoOutcome(s debate.Session) error {
	switch {
	case s.Verdict == nil:
		return errors.New("the debate has no verdict, so none can have turned out right or wrong")
	case s.Eval != nil:
		return errors.New("the evaluation of this debate knows what is right; an outcome is for debates of your own")
	case s.OffScript():
		return errors.New("the answers of this demo are scripted, so they cannot be right or wrong")
	}
	return nil
}

// OutcomeQuestion asks how the verdict of a session turned out, with what can be said of it.
func OutcomeQuestion(s debate.Session) string {
	const all = "Say right, wrong, mixed or open; a note after a colon."
	if takesNoSide(s) {
		return all
	}
	return fmt.Sprintf("%s What was right%s can be said after wrong.", all, choices(s))
}

// PossibleSides lists sides that a user can name as right: those of the question, or those
// that were taken.
func PossibleSides(s debate.Session) []string {
	switch s.Question {
	case debate.QuestionYesNo, debate.QuestionUnset:
		return []string{string(debate.SideYes), string(debate.SideNo)}
	case debate.QuestionChoice:
		return s.Mode.Options
	case debate.QuestionOpen:
		return Labels(s)
	case debate.QuestionEstimate:
	}
	return nil
}

// choices lists in brackets what can be named as right; "" if anything can.
func choices(s debate.Session) string {
	sides := PossibleSides(s)
	if len(sides) == 0 {
		return ""
	}
	return " (" + text.Line(strings.Join(sides, ", ")) + ")"
}

// takesNoSide reports whether the verdict of a session can have no side.
func takesNoSide(s debate.Session) bool {
	return s.Mode.Reviews() || s.Question == debate.QuestionEstimate || !CountsSides(s) || len(voters(s)) == 0
}

// RightUnsaid names the flag that says what was right, if an outcome leaves that open; else it
// returns "".
func RightUnsaid(s debate.Session, v debate.Settlement) string {
	if v.Result != debate.ResultWrong || v.Side != debate.Undecided || takesNoSide(s) {
		return ""
	}
	return fmt.Sprintf("It does not say what was right; --was LABEL%s does.", choices(s))
}

// Settle returns what a claim says of the verdict of a session. The error says what the claim
// lacks.
func Settle(s debate.Session, c Claim) (debate.Settlement, error) {
	out := debate.Settlement{Result: c.Result, Note: strings.TrimSpace(c.Note), Rounds: len(s.History)}
	if err := NoOutcome(s); err != nil {
		return out, err
	}
	if c.Result == debate.ResultNone {
		return out, errors.New("say how it turned out: right, wrong, mixed or open")
	}
	if c.Was == "" {
		return out, nil
	}
	if takesNoSide(s) {
		return out, errors.New("the verdict takes no side, so no side was right; say it in the note")
	}
	if err := CheckDemand(s, c.Was); err != nil {
		return out, err
	}
	out.Side = readBallot(s, debate.Statement{Vote: c.Was}).side
	if s.Question == debate.QuestionOpen {
		out.Side = debate.Side(trimLabel(c.Was))
	}
	return out, nil
}

// SettledLine says how the verdict of a session turned out, with the note, and who said it if
// that was not the user; "" if nobody has said it.
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
