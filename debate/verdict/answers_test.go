package verdict_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

func TestAnswers_looksAtWhatIsAskedFor(t *testing.T) {
	estimate := &debate.Estimate{Value: 8}
	ranking := []string{"Member 1"}
	for _, c := range []struct {
		name, mode, phase string
		kind              debate.QuestionKind
		st                debate.Statement
		want              bool
	}{
		{"a ballot", "council", "ranking", debate.QuestionOpen, debate.Statement{Ranking: ranking}, true},
		{"a ballot without a ranking", "council", "ranking", debate.QuestionOpen, debate.Statement{Choice: "Go"}, false},
		{"an option", "collaborative", "", debate.QuestionChoice, debate.Statement{Choice: "Go"}, true},
		{"an estimate in place of an option", "collaborative", "", debate.QuestionChoice, debate.Statement{Estimate: estimate}, false},
		{"a number", "collaborative", "", debate.QuestionEstimate, debate.Statement{Estimate: estimate}, true},
		{"a label in place of a number", "collaborative", "", debate.QuestionEstimate, debate.Statement{Choice: "weeks"}, false},
		{"a label", "collaborative", "", debate.QuestionOpen, debate.Statement{Choice: "Go"}, true},
		{"a lone stance", "collaborative", "", debate.QuestionOpen, debate.Statement{Stance: debate.Yes}, true},
		{"a yes as a choice", "collaborative", "", debate.QuestionYesNo, debate.Statement{Choice: "yes"}, true},
		{"a position alone", "collaborative", "", debate.QuestionYesNo, debate.Statement{Position: "So."}, false},
		{"a label in an old session", "collaborative", "", debate.QuestionUnset, debate.Statement{Choice: "yes"}, false},
		{"neutral", "collaborative", "", debate.QuestionEstimate, debate.Statement{Stance: debate.Neutral}, true},
	} {
		s := debatetest.New(t, c.mode, 1, "Ann", "Bob", "Cid").Session
		s.Question = c.kind
		if got := verdict.Answers(s, c.phase, c.st); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
