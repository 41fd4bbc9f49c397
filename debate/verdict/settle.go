package verdict

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
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

// ParseResult returns the result of that name.
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

// recounted returns a session whose verdict is counted by the present rules.
func recounted(s debate.Session) debate.Session {
	if s.Verdict != nil && s.Verdict.Rules < debate.VerdictRules { // an earlier version counted otherwise
		v := *s.Verdict
		Recount(&v, s)
		s.Verdict = &v
	}
	return s
}

// OutcomeQuestion asks how the verdict of a session turned out, with what can be said of it.
func OutcomeQuestion(s debate.Session) string {
	const all = "Say right, wrong, mixed or open; a note after a colon."
	if s.Verdict == nil || !asksForSide(recounted(s)) {
		return all
	}
	return fmt.Sprintf("%s What was right%s can be said after wrong.", all, choicesOf(s))
}

// asksForSide reports whether "wrong" leaves open which side was right.
func asksForSide(s debate.Session) bool {
	return !takesNoSide(s) && !(s.Verdict.Side != nil && isYesOrNo(*s.Verdict.Side) && hasTwoSides(s))
}

// takesNoSide reports whether the verdict of a session can have no side.
func takesNoSide(s debate.Session) bool {
	return s.Verdict.Findings != nil || s.Question == debate.QuestionEstimate
}

// choicesOf lists in brackets what can be named as right; "" if anything can.
func choicesOf(s debate.Session) string {
	sides := PossibleSides(s)
	if len(sides) == 0 {
		return ""
	}
	return " (" + text.Line(strings.Join(sides, ", ")) + ")"
}

// RightUnsaid names the flag that says what was right, if an outcome leaves that open; else it
// returns "".
func RightUnsaid(s debate.Session, v debate.Settlement) string {
	if v.Result != debate.ResultWrong || v.Side != debate.Undecided || !asksForSide(recounted(s)) {
		return ""
	}
	return fmt.Sprintf("It does not say what was right; --was LABEL%s does.", choicesOf(s))
}

// Settle returns what a claim says of the verdict of a session. The error says what the claim
// lacks.
func Settle(s debate.Session, c Claim) (debate.Settlement, error) {
	out := debate.Settlement{Result: c.Result, Note: strings.TrimSpace(c.Note), Rounds: len(s.History)}
	if err := NoOutcome(s); err != nil {
		return out, err
	}
	s = recounted(s)
	switch {
	case c.Result == debate.ResultNone:
		return out, errors.New("say how it turned out: right, wrong, mixed or open")
	case c.Was != "" && (c.Result == debate.ResultOpen || c.Result == debate.ResultMixed):
		return out, fmt.Errorf("what is right is known, so the outcome is not %s; leave that out", c.Result)
	case c.Was != "" && takesNoSide(s):
		return out, errors.New("the verdict takes no side, so no side was right; say it in the note")
	case c.Result == debate.ResultOpen, c.Result == debate.ResultMixed, takesNoSide(s):
		return out, nil
	}
	return settleSide(s, c, out)
}

// settleSide returns the outcome of a verdict that can have a side.
func settleSide(s debate.Session, c Claim, out debate.Settlement) (debate.Settlement, error) {
	q := SidesOf(s)
	if c.Was != "" {
		if err := checkRight(s, c.Was); err != nil {
			return out, err
		}
		out.Side = q.Of(debate.Statement{Choice: c.Was, Stance: debate.Stance(statement.YesOrNo(c.Was))})
	}
	if s.Verdict.Side == nil {
		return out, nil
	}
	side := *s.Verdict.Side
	switch {
	case c.Was != "" && (c.Result == debate.ResultRight) != (side == out.Side) && q.comparable(side, out.Side):
		return out, fmt.Errorf("the verdict is %q, so %q cannot be right and the verdict %s", text.Label(string(side)),
			text.Label(string(out.Side)), c.Result)
	case c.Result == debate.ResultRight:
		out.Side = side
	case c.Was == "" && side == debate.SideYes && hasTwoSides(s):
		out.Side = debate.SideNo
	case c.Was == "" && side == debate.SideNo && hasTwoSides(s):
		out.Side = debate.SideYes
	}
	return out, nil
}

// checkRight returns an error if a label cannot name the side that was right.
func checkRight(s debate.Session, label string) error {
	if err := CheckSide(s, label); err != nil {
		return err
	}
	if len(PossibleSides(s)) > 0 && hasTwoSides(s) && statement.YesOrNo(label) == debate.Undecided {
		return fmt.Errorf("all answered yes or no, so say which of the two was right, or mixed; %q is neither", text.Label(label))
	}
	return nil
}

// hasTwoSides reports whether a verdict that is not yes is no, and the other way round: in a
// question for yes or no, and in an open one that all have answered so.
func hasTwoSides(s debate.Session) bool {
	taken := append(slices.Clone(s.Verdict.Baseline.Sides), s.Verdict.Final.Sides...)
	named := !slices.ContainsFunc(taken, func(side debate.Side) bool { return !isYesOrNo(side) })
	return named && s.Question != debate.QuestionChoice
}

// PossibleSides lists sides that a user can name as right: those of the question, or those
// that were taken.
func PossibleSides(s debate.Session) (out []string) {
	switch s.Question {
	case debate.QuestionYesNo, debate.QuestionUnset:
		return []string{string(debate.SideYes), string(debate.SideNo)}
	case debate.QuestionChoice:
		return s.Mode.Options
	case debate.QuestionOpen, debate.QuestionEstimate:
	}
	if s.Verdict != nil && s.Question == debate.QuestionOpen {
		for _, side := range s.Verdict.Final.Sides {
			out = append(out, string(side))
		}
	}
	return out
}

// SettledLine says how the verdict of a session turned out, with the note, and who said it if
// that was not the user; "" if nobody has said it.
func SettledLine(s debate.Session) string {
	v, ok := s.Settled()
	if !ok {
		return ""
	}
	line := string(v.Result)
	if v.Side != debate.Undecided && (v.Result != debate.ResultRight || s.Verdict.Side == nil) {
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
