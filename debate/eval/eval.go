// Package eval says what a panel is worth on questions whose answers are known: it reads data
// sets, says which answers are right, and compares the answers of a debate, of each seat
// alone and of votes, with what they cost.
//
// Everything here is a pure function of data sets and finished sessions. It imports values,
// the functions over them, package verdict, which counts, and its own statistics; it plays
// and stores nothing.
package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Item is a question of a data set, with what tells a right answer.
type Item struct {
	Line      int                 `json:"line"` // in the file
	Question  string              `json:"question"`
	Kind      debate.QuestionKind `json:"kind"`
	Options   []string            `json:"options,omitempty"` // of a choice
	Tests     []Test              `json:"tests"`             // all have to hold
	Tolerance float64             `json:"tolerance,omitempty"`
	Relative  bool                `json:"relative,omitempty"` // the tolerance is a share of the right number
	Facts     map[string]string   `json:"facts,omitempty"`    // what the user would answer, by words of the question
}

// Test is one thing that has to hold of a right answer, for any of its values.
type Test struct {
	Kind string   `json:"kind"`
	Any  []string `json:"any"`
}

// The kinds of tests.
const (
	answerTest   = "answer"   // the answer is the value, by the rules of labels and numbers
	containsTest = "contains" // the text of the answer contains the value
	foldedTest   = "icontains"
	regexTest    = "regex"
)

func (t Test) check() error {
	if t.Kind != regexTest {
		return nil
	}
	for _, v := range t.Any {
		if _, err := regexp.Compile(v); err != nil {
			return fmt.Errorf("the regex %q cannot be read", text.Label(v))
		}
	}
	return nil
}

func (it Item) identity() string {
	return it.Question + "\x00" + strings.Join(it.Options, "\x00") + "\x00" + fmt.Sprint(it.Facts)
}

// Arm of the facts: whether the seats can ask, and get the facts of the data set.
const (
	FactsAsked = "asked"
	FactsNone  = "none"
)

// Key returns what identifies the debate of an item: all that its answers depend on. What was
// played under a key is not played again.
func (it Item) Key(s debate.Session, facts string, promptVersion int) string {
	of := struct {
		Question     string
		Kind         debate.QuestionKind
		Options      []string
		Seats        []agents.Profile
		Chair, Light *agents.Profile
		Mode         debate.Mode
		Rounds       int
		Endings      debate.EndConditions
		Facts        string
		Answers      map[string]string
		Prompt       int
	}{s.Topic, s.Question, it.Options, s.Seats, s.Chair, s.Light, s.Mode, s.Rounds, s.EndConditions, facts, nil, promptVersion}
	if facts == FactsAsked {
		of.Answers = it.Facts
	}
	raw, err := json.Marshal(of)
	if err != nil { // values always encode
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// NotInData is why a question of a seat has no answer in an evaluation.
const NotInData = "not in the data set"

// Author returns the author of what a data set answers.
func Author() ledger.Author { return ledger.Author{Kind: ledger.Evaluation, Door: "eval"} }

// Match returns what the data set answers to a question of a seat: the fact whose words all
// occur in it, the one with most words first, or the fact "*". Everything else is unavailable.
func (it Item) Match(r ledger.Request) (ledger.Submission, bool) {
	if !r.Open() {
		return ledger.Submission{}, false
	}
	sub := ledger.Submission{Request: r.ID, Outcome: ledger.Unavailable, Content: NotInData, By: Author()}
	query := text.Fold(r.Query)
	most := -1
	for _, words := range slices.Sorted(maps.Keys(it.Facts)) {
		list := strings.Fields(text.Fold(words))
		if words == "*" {
			list = nil
		}
		holds := !slices.ContainsFunc(list, func(w string) bool { return !strings.Contains(query, w) })
		if holds && len(list) > most {
			most = len(list)
			sub.Outcome, sub.Content = ledger.Answered, it.Facts[words]
		}
	}
	return sub, true
}

// Leftovers returns "": an evaluation does not report facts that no seat asked for.
func (it Item) Leftovers() string { return "" }

// Answer is what is graded.
type Answer struct {
	Label    string           // the side
	Estimate *debate.Estimate // of a question for a number
	Text     string           // the whole answer
}

// Grade says what became of an answer.
type Grade string

// The grades. All but GradeRight count as wrong, and GradeLost not at all.
const (
	GradeRight      Grade = "right"
	GradeWrong      Grade = "wrong"
	GradeNoMajority Grade = "no_majority"
	GradeMissing    Grade = "missing"
	GradeRefused    Grade = "refused"
	GradeUnreadable Grade = "unreadable"
	GradeLost       Grade = "lost" // the provider failed
)

// Word returns the grade for people.
func (g Grade) Word() string {
	switch g {
	case GradeNoMajority:
		return "no majority"
	case GradeLost:
		return "lost by the provider"
	case GradeRight, GradeWrong, GradeMissing, GradeRefused, GradeUnreadable:
	}
	return string(g)
}

// Grade says whether an answer is right.
func (it Item) Grade(a Answer) Grade {
	for _, t := range it.Tests {
		if !slices.ContainsFunc(t.Any, func(want string) bool { return it.holds(t.Kind, want, a) }) {
			return GradeWrong
		}
	}
	return GradeRight
}

func (it Item) holds(kind, want string, a Answer) bool {
	whole := strings.TrimSpace(a.Label + "\n" + a.Text)
	switch kind {
	case containsTest:
		return strings.Contains(whole, want)
	case foldedTest:
		return strings.Contains(text.Fold(whole), text.Fold(want))
	case regexTest:
		re, err := regexp.Compile(want)
		return err == nil && re.MatchString(whole)
	}
	switch it.Kind {
	case debate.QuestionEstimate:
		return a.Estimate != nil && it.isNear(*a.Estimate, *quantity(want))
	case debate.QuestionYesNo:
		return statement.YesOrNo(a.Label) == statement.EnglishYesOrNo(want)
	case debate.QuestionChoice, debate.QuestionOpen, debate.QuestionUnset:
	}
	if yes := statement.EnglishYesOrNo(want); yes != debate.Undecided && it.Kind == debate.QuestionOpen {
		return statement.YesOrNo(a.Label) == yes
	}
	bare := statement.BareLabel(want)
	return statement.FoldLabel(a.Label) == statement.FoldLabel(want) ||
		it.Kind == debate.QuestionOpen && bare != "" && statement.BareLabel(a.Label) == bare && !strings.ContainsAny(want+a.Label, "+#*")
}

// isNear reports whether a number is within the tolerance. A unit has to be the same where
// both have one.
func (it Item) isNear(got, want debate.Estimate) bool {
	if got.Unit != "" && want.Unit != "" && !verdict.SameUnit(got.Unit, want.Unit) {
		return false
	}
	within := it.Tolerance
	if it.Relative {
		within *= math.Abs(want.Value)
	}
	return math.Abs(got.Value-want.Value) <= max(within, 1e-9*math.Abs(want.Value))
}

// quantity reads a number with an optional unit of one word; nil if it is none.
func quantity(s string) *debate.Estimate {
	if v, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
		return &debate.Estimate{Value: v}
	}
	if !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	e := statement.Separators{}.Estimate(s)
	if e == nil || e.Low != nil || strings.Contains(e.Unit, " ") {
		return nil
	}
	return e
}
