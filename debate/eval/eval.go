// Package eval says what a panel is worth on questions whose answers are known: it reads data
// sets, says which answers are right, and compares the panel with each of its seats alone.
//
// Everything here is a pure function of data sets and finished sessions. It imports values, the
// functions over them, package verdict, which counts, and its own statistics.
package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Item is a question of a data set, with what the right answer is.
type Item struct {
	Line     int                 `json:"line"` // in the file
	Question string              `json:"question"`
	Kind     debate.QuestionKind `json:"kind"`
	Unit     string              `json:"unit,omitempty"`    // of an estimate
	Options  []string            `json:"options,omitempty"` // of a choice
	Right    []string            `json:"right"`             // any of them
	Facts    map[string]string   `json:"facts,omitempty"`   // what the user would answer, by words of the question
}

// Whether the seats can ask, and get the facts of the data set.
const (
	FactsAsked = "asked"
	FactsNone  = "none"
)

// Key returns what identifies the debate of an item: all that its answers depend on. What was
// played under a key is not played again.
func (it Item) Key(s debate.Session, facts string, promptVersion int) string {
	of := []any{
		s.Topic, s.Question, s.Unit, it.Options, s.Seats, s.Chair, s.Light, s.Mode, s.Rounds, facts, promptVersion,
	}
	if facts == FactsAsked {
		of = append(of, it.Facts)
	}
	raw, err := json.Marshal(of)
	if err != nil { // values always encode
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Author returns the author of what a data set answers.
func Author() ledger.Author { return ledger.Author{Kind: ledger.Evaluation, Door: "eval"} }

// Match returns what the data set answers to a question of a seat: the fact whose words all
// occur in it, the one with most words first, or the fact "*". Everything else is unavailable.
func (it Item) Match(r ledger.Request) (ledger.Submission, bool) {
	if !r.Open() {
		return ledger.Submission{}, false
	}
	sub := ledger.Submission{Request: r.ID, Outcome: ledger.Unavailable, Content: "not in the data set", By: Author()}
	query := text.Fold(r.Query)
	most := -1
	for _, words := range slices.Sorted(maps.Keys(it.Facts)) {
		list := strings.Fields(strings.TrimPrefix(text.Fold(words), "*"))
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

func (it Item) isRight(label string, number *float64) bool {
	return slices.ContainsFunc(it.Right, func(want string) bool {
		if it.Kind == debate.QuestionEstimate {
			wanted, _, _ := quantity(want)
			return number != nil && math.Abs(*number-wanted) <= 1e-9*math.Abs(wanted)
		}
		return verdict.SameLabel(label, want)
	})
}

// quantity reads a number with an optional unit of one word.
func quantity(s string) (number float64, unit string, ok bool) {
	words := append(strings.Fields(s), debate.NoUnit)
	number, err := strconv.ParseFloat(words[0], 64)
	return number, words[min(1, len(words)-1)], err == nil && len(words) <= 3
}
