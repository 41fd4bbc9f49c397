package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Claim is what the user says of how a verdict turned out.
type Claim struct {
	Result    debate.Result // "": Was or Findings say it
	Was       string        // what is right: a side, or a number with its unit
	Findings  []debate.SettledFinding
	Note      string
	LookAgain time.Time
}

// ReadOutcome returns how the verdict of a session turned out, as somebody says it in one line.
// The error says what the line lacks.
func ReadOutcome(s debate.Session, line string, by ledger.Author, now time.Time) (debate.Settlement, error) {
	claim, err := ReadClaim(line, now)
	if err != nil {
		return debate.Settlement{}, err
	}
	settled, err := Settle(s, claim)
	settled.Author, settled.At = by, now.UTC()
	return settled, err
}

// ReadClaim reads a claim in one line, such as "wrong", "Postgres", "open 6w" or
// "H1=real H2=false: seen in production".
func ReadClaim(line string, now time.Time) (c Claim, err error) {
	line, note, _ := strings.Cut(line, ": ")
	c.Note = strings.TrimSpace(note)
	words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ":"))
	if len(words) > 0 && slices.Contains(claimable(), debate.Result(words[0])) {
		c.Result, words = debate.Result(words[0]), words[1:]
	}
	switch rest := strings.Join(words, " "); {
	case rest == "":
	case c.Result == debate.ResultOpen:
		c.LookAgain, err = debate.ParseLookAgain(rest, now)
	case strings.Contains(words[0], "="):
		err = c.AddFindings(words)
	default:
		c.Was = sideSaid(rest)
	}
	return c, err
}

// sideSaid returns the side that is named by words such as "no" or "(no was right)", as
// OutcomeQuestion puts it.
func sideSaid(words string) string {
	if inner, ok := strings.CutPrefix(words, "("); ok {
		if side, ok := strings.CutSuffix(inner, " was right)"); ok {
			return side
		}
	}
	return words
}

// claimable are the results that a user can name.
func claimable() []debate.Result {
	return []debate.Result{debate.ResultRight, debate.ResultWrong, debate.ResultMixed, debate.ResultOpen}
}

// ParseResult returns the result of that name.
func ParseResult(name string) (debate.Result, error) {
	if r := debate.Result(name); slices.Contains(claimable(), r) {
		return r, nil
	}
	return "", fmt.Errorf("%q is no outcome; use right, wrong, mixed or open", text.Label(name))
}

// AddFindings adds what words such as H3=real and H4=false say.
func (c *Claim) AddFindings(words []string) error {
	for _, w := range words {
		id, is, _ := strings.Cut(w, "=")
		if is != "real" && is != "false" {
			return fmt.Errorf("%q says nothing of a finding; use H3=real or H3=false", text.Label(w))
		}
		c.Findings = append(c.Findings, debate.SettledFinding{ID: strings.ToUpper(id), Real: is == "real"})
	}
	return nil
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

// Recounted returns a session whose verdict is counted by the present rules.
func Recounted(s debate.Session) debate.Session {
	if s.Verdict != nil && s.Verdict.Rules < debate.VerdictRules { // an earlier version counted otherwise
		v := *s.Verdict
		Recount(&v, s)
		s.Verdict = &v
	}
	return s
}

// OutcomeQuestion asks how the verdict of a session turned out, with what can be said of it.
func OutcomeQuestion(s debate.Session) string {
	if s.Verdict == nil {
		return ""
	}
	const rest = "or open 6w; a note after a colon."
	s = Recounted(s)
	switch v := s.Verdict; {
	case v.Findings != nil && len(v.Findings.List) == 0:
		return "The review has no findings. Say mixed, " + rest
	case v.Findings != nil:
		return fmt.Sprintf("Say H1=real or H1=false of each finding that you know (%s), %s", findingIDs(v.Findings.List), rest)
	case s.Question == debate.QuestionEstimate && v.Final.Median != nil:
		return fmt.Sprintf("The estimate is %s. Say what it was, with the unit, %s",
			text.Line(amount(v.Final.Median.Value, v.Final.Median.Unit)), rest)
	case s.Question == debate.QuestionEstimate:
		return "Say what the number was, with its unit, " + rest
	case v.Side == nil:
		return fmt.Sprintf("The verdict has no side. Say what was right%s, mixed, %s", choicesOf(s), rest)
	}
	side := *s.Verdict.Side
	name := text.Line(QuoteSide(side))
	switch {
	case side == debate.SideYes && hasTwoSides(s):
		return fmt.Sprintf("The verdict is %s. Say right, wrong (no was right), mixed, %s", name, rest)
	case side == debate.SideNo && hasTwoSides(s):
		return fmt.Sprintf("The verdict is %s. Say right, wrong (yes was right), mixed, %s", name, rest)
	}
	return fmt.Sprintf("The verdict is %s. Say right, wrong, what was right%s, mixed, %s", name, choicesOf(s), rest)
}

// findingIDs names the first and the last finding of a list.
func findingIDs(list []debate.ReviewFinding) string {
	if len(list) == 1 {
		return list[0].ID + " alone"
	}
	return list[0].ID + " to " + list[len(list)-1].ID
}

// choicesOf lists in brackets what can be named as right; "" if anything can.
func choicesOf(s debate.Session) string {
	sides := PossibleSides(s)
	if len(sides) == 0 {
		return ""
	}
	return " (" + text.Line(strings.Join(sides, ", ")) + ")"
}

// Settle returns what a claim says of the verdict of a session. The error says what the claim
// lacks.
func Settle(s debate.Session, c Claim) (debate.Settlement, error) {
	out := debate.Settlement{Result: c.Result, Note: strings.TrimSpace(c.Note), LookAgain: c.LookAgain, Rounds: len(s.History)}
	dated := !c.LookAgain.IsZero()
	if c.Result == debate.ResultNone && c.Was == "" && len(c.Findings) == 0 && dated {
		out.Result = debate.ResultOpen
	}
	if err := NoOutcome(s); err != nil {
		return out, err
	}
	s = Recounted(s)
	switch {
	case dated && out.Result != debate.ResultOpen:
		return out, errors.New("a date to look again is for a verdict that is still open")
	case out.Result == debate.ResultOpen, out.Result == debate.ResultMixed:
		if c.Was != "" || len(c.Findings) > 0 {
			return out, fmt.Errorf("what is right is known, so the outcome is not %s; leave that out", out.Result)
		}
		return out, nil
	case s.Verdict.Findings != nil:
		return settleFindings(s, c, out)
	case len(c.Findings) > 0:
		return out, errors.New("only a review has findings")
	case s.Question == debate.QuestionEstimate:
		return settleEstimate(s, c, out)
	}
	return settleSide(s, c, out)
}

// settleFindings adds what is said of findings to what was said of them before.
func settleFindings(s debate.Session, c Claim, out debate.Settlement) (debate.Settlement, error) {
	if c.Result != debate.ResultNone || c.Was != "" || len(c.Findings) == 0 {
		return out, errors.New("a review turns out by its findings: say H1=real or H1=false for each that you know")
	}
	last, _ := s.Settled()
	out.Result, out.Findings = debate.ResultKnown, slices.Clone(last.Findings)
	for _, f := range c.Findings {
		if !slices.ContainsFunc(s.Verdict.Findings.List, func(r debate.ReviewFinding) bool { return r.ID == f.ID }) {
			return out, fmt.Errorf("there is no finding %s", text.Label(f.ID))
		}
		out.Findings = slices.DeleteFunc(out.Findings, func(o debate.SettledFinding) bool { return o.ID == f.ID })
		out.Findings = append(out.Findings, f)
	}
	slices.SortFunc(out.Findings, func(a, b debate.SettledFinding) int { // H2 before H10
		return cmp.Or(len(a.ID)-len(b.ID), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

func settleEstimate(s debate.Session, c Claim, out debate.Settlement) (debate.Settlement, error) {
	if c.Result != debate.ResultNone || c.Was == "" {
		return out, errors.New("an estimate is neither right nor wrong: say what the number was, with its unit")
	}
	q := SidesOf(s)
	e := q.estimate(debate.Statement{Ambiguous: c.Was})
	if e == nil {
		return out, fmt.Errorf("no number can be read from %q", text.Label(c.Was))
	}
	e.Unit, e.Low, e.High = q.unit(*e), nil, nil
	if m := s.Verdict.Final.Median; m != nil && !SameUnit(m.Unit, e.Unit) {
		return out, fmt.Errorf("the estimate is %s; give the number in the same unit", text.Line(amount(m.Value, m.Unit)))
	}
	out.Result, out.Actual = debate.ResultKnown, e
	return out, nil
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
		if out.Side == debate.Undecided || c.Result != debate.ResultNone {
			return out, errors.New("the verdict has no side that could be right or wrong; say what was right instead")
		}
		out.Result = debate.ResultKnown
		return out, nil
	}
	side := *s.Verdict.Side
	switch {
	case c.Result == debate.ResultNone && c.Was == "":
		return out, errors.New("say how it turned out: right, wrong, mixed or open")
	case c.Result == debate.ResultNone && !q.comparable(side, out.Side):
		return out, fmt.Errorf("nobody has said whether %q means the same as the verdict's %q; say right or wrong too",
			text.Label(string(out.Side)), text.Label(string(side)))
	case c.Result == debate.ResultNone && side == out.Side:
		out.Result = debate.ResultRight
	case c.Result == debate.ResultNone:
		out.Result = debate.ResultWrong
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

// SettledPhrase says how a verdict turned out, without the note.
func SettledPhrase(s debate.Session, v debate.Settlement) string {
	switch {
	case v.Result == debate.ResultOpen && !v.LookAgain.IsZero():
		return "open, look again on " + v.LookAgain.UTC().Format(time.DateOnly)
	case v.Actual != nil:
		return estimateOutcome(s, *v.Actual)
	case len(v.Findings) > 0:
		return findingsOutcome(v.Findings)
	case v.Result == debate.ResultKnown:
		return "the verdict took no side; right was " + text.Line(string(v.Side))
	case v.Result == debate.ResultWrong && v.Side != debate.Undecided:
		return "wrong; right was " + text.Line(string(v.Side))
	}
	return string(v.Result)
}

// SettledLine says how the verdict of a session turned out, with the note, and who said it if
// that was not the user; "" if nobody has said it.
func SettledLine(s debate.Session) string {
	v, ok := s.Settled()
	if !ok {
		return ""
	}
	line := SettledPhrase(s, v)
	if v.Note != "" {
		line += " (" + text.Line(v.Note) + ")"
	}
	if by := v.Author.Note(); by != "" {
		line += "; " + text.Line(by)
	}
	return line
}

func findingsOutcome(all []debate.SettledFinding) string {
	var real, unreal []string
	for _, f := range all {
		if f.Real {
			real = append(real, f.ID)
		} else {
			unreal = append(unreal, f.ID)
		}
	}
	var parts []string
	if len(real) > 0 {
		parts = append(parts, "real: "+strings.Join(real, ", "))
	}
	if len(unreal) > 0 {
		parts = append(parts, "false: "+strings.Join(unreal, ", "))
	}
	return strings.Join(parts, "; ")
}

// estimateOutcome says by how much the median misses the figure, and whether the range has it.
func estimateOutcome(s debate.Session, actual debate.Estimate) string {
	was := "it was " + text.Line(amount(actual.Value, actual.Unit))
	if s.Verdict == nil || s.Verdict.Final.Median == nil {
		return was
	}
	m := *s.Verdict.Final.Median
	if percent, ok := EstimateError(m, actual); ok {
		was += fmt.Sprintf("; the median of %s is %s", text.Line(amount(m.Value, m.Unit)), missed(percent))
	}
	if inside, ok := InsideRange(m, actual); ok && inside {
		was += ", inside the range"
	} else if ok {
		was += ", outside the range"
	}
	return was
}

func missed(percent float64) string {
	rounded := strconv.FormatFloat(math.Abs(percent), 'f', 0, 64) + " % "
	switch {
	case percent == 0:
		return "exact"
	case percent < 0:
		return rounded + "too low"
	}
	return rounded + "too high"
}

// EstimateError returns by how many percent of the actual figure an estimate is too high. It
// returns false if that figure is 0.
func EstimateError(e, actual debate.Estimate) (percent float64, ok bool) {
	if actual.Value == 0 {
		return 0, false
	}
	return 100 * (e.Value - actual.Value) / math.Abs(actual.Value), true
}

// InsideRange reports whether the range of an estimate has the actual figure; ok is false if it
// has no range.
func InsideRange(e, actual debate.Estimate) (inside, ok bool) {
	if e.Low == nil || e.High == nil {
		return false, false
	}
	return *e.Low <= actual.Value && actual.Value <= *e.High, true
}
