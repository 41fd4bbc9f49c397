package demo_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
)

// structuredPart is the last JSON block of a text.
var structuredPart = regexp.MustCompile("(?s)```json\n([^`]*)\n```$")

// voteIn reads the vote of a statement by itself.
func voteIn(t testing.TB, text string) string {
	t.Helper()
	block := structuredPart.FindStringSubmatch(text)
	if block == nil {
		t.Fatalf("there is no structured part:\n%s", text)
	}
	var read struct {
		Vote any `json:"vote"`
	}
	must.Do(t, json.Unmarshal([]byte(block[1]), &read))
	if read.Vote == nil {
		return ""
	}
	return fmt.Sprint(read.Vote)
}

func TestStream_everyModeEndsWithSomethingThatCanBeCounted(t *testing.T) {
	all := must.Get(modes.Builtin())(t)
	for _, m := range all {
		for _, seats := range []int{m.MinSeats, 5, m.MaxSeats} {
			for _, topic := range []string{"Should we move?", "Which way should we move?"} {
				s := newHarness(t, m.Name, seats, 2)
				s.Topic, s.Question = topic, cmp.Or(m.Question, debate.QuestionOpen)
				s.round()
				s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
				s.round()
				s.conclude()
				c := verdict.Count(s.Session)
				counted := []debate.ResultKind{
					debate.KindSide, debate.KindSplit, debate.KindRanking, debate.KindEstimate, debate.KindFindings,
				}
				switch {
				case m.Name == "devils-advocate" && seats == 2:
					counted = []debate.ResultKind{debate.KindNone}
				case m.Critiques():
					counted = []debate.ResultKind{debate.KindText}
				case m.Name == "devils-advocate": // Eli evaluates, who is undecided
					counted = append(counted, debate.KindUndecided, debate.KindNoMajority)
				}
				if !slices.Contains(counted, c.Result.Kind) || c.Incomplete {
					t.Errorf("%s with %d seats, %q: %+v, cautions %+v", m.Name, seats, topic, c.Result, c.Cautions)
				}
			}
		}
	}
}

func TestStream_answersInTheKindOfTheQuestion(t *testing.T) {
	for _, c := range []struct {
		mode, topic string
		kind        debate.QuestionKind
		options     []string
		want        string // what each seat holds in the last round
	}{
		{"collaborative", "Should we move?", debate.QuestionYesNo, nil, "yes, no, yes, yes, undecided"},
		{"collaborative", "Should we move?", debate.QuestionOpen, nil, "yes, no, yes, yes, undecided"},
		{"collaborative", "Which way should we move?", debate.QuestionOpen, nil, "start small, wait, start small, start small, all or nothing"},
		{
			"collaborative", "Which way should we move?", debate.QuestionChoice,
			[]string{"by sea", "by air"},
			"by sea, by air, by sea, by sea, undecided",
		},
		{"delphi", "How long will the move take?", debate.QuestionEstimate, nil, "6, 10, 8, 6, 10"},
		{"delphi", "How many boxes are needed?", debate.QuestionEstimate, nil, "6, 10, 8, 6, 10"},
		{"adversarial", "Should we move?", debate.QuestionYesNo, nil, "yes, no, yes, yes, undecided"},
		{"red-team-blue-team", "Should we move?", debate.QuestionYesNo, nil, "yes, no, yes, yes, undecided"},
		{"devils-advocate", "Should we move?", debate.QuestionYesNo, nil, "yes, no, yes, no, undecided"},
	} {
		t.Run(fmt.Sprint(c.mode, " ", c.kind, " ", len(c.topic)), func(t *testing.T) {
			s := newHarness(t, c.mode, 5, 2)
			s.Topic, s.Question, s.Mode.Options = c.topic, c.kind, c.options
			s.round()
			s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
			last := s.round()
			var got []string
			for _, p := range s.Seats {
				got = append(got, last[p.ID].Vote)
			}
			if all := strings.Join(got, ", "); all != c.want {
				t.Errorf("the seats hold %q, want %q", all, c.want)
			}
			if v := s.conclude(); len(s.unknownCitations()) > 0 || v.Text == "" {
				t.Errorf("the report is\n%s", v.Text)
			}
		})
	}
}

func TestStream_rolesArgueTheirSideUntilTheyAreLeft(t *testing.T) {
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		s := newHarness(t, "adversarial", seats, 2)
		s.Question = debate.QuestionYesNo
		first := s.round()
		for i, p := range s.Seats {
			if want := []string{"yes", "no"}[i%2]; first[p.ID].Vote != want {
				t.Errorf("%d seats: %s argues for %q, want %q", seats, p.ID, first[p.ID].Vote, want)
			}
		}
		s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
		asker := s.Seats[min(3, seats)-1].ID
		if own := s.round()[asker]; own.Vote != "yes" || !strings.Contains(own.Body, "“A week.” [C1]") ||
			!strings.Contains(own.Body, "My role ends here.") {
			t.Errorf("%d seats: %s holds %+v", seats, asker, own)
		}
	}
}
