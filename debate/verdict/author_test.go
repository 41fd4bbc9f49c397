package verdict_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
)

// An answer counts as the user's only if it is known that a person gave it.
func TestHeadline_saysWhoAnswered(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		by    ledger.Author
		want  string
		weak  string
		added string
	}{
		{"a person", ledger.Author{Kind: ledger.Person, Door: "interface"}, "citing your answer C1", "", "Facts that you gave changed it: C1."},
		{
			"an assistant",
			ledger.Author{Kind: ledger.Assistant, Door: "claude-code"},
			"citing C1 (answered by claude-code, not you)",
			"C1 answered by claude-code, not you", "The debate changed the answer.",
		},
		{
			"an assistant without a name",
			ledger.Author{Kind: ledger.Assistant},
			"citing C1 (answered by an assistant, not you)",
			"C1 answered by an assistant, not you", "The debate changed the answer.",
		},
		{"before it was stored", ledger.Author{}, "citing answer C1", "", "The debate changed the answer."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := changedByAnAnswer(t)
			s.Requests[0].Answers[0].Author = tt.by
			v := verdict.Compute(s)
			if !strings.HasSuffix(v.Headline, tt.want) {
				t.Errorf("headline %q, want an end of %q", v.Headline, tt.want)
			}
			if got := strings.Join(v.Weak, "; "); !strings.Contains(got, tt.weak) || tt.weak == "" && strings.Contains(got, "answered by") {
				t.Errorf("weak: %q, want %q", got, tt.weak)
			}
			if got := verdict.WhatItAdded(v, s); got != tt.added {
				t.Errorf("added: %q, want %q", got, tt.added)
			}
		})
	}
}

// changedByAnAnswer returns a debate in which two of three change to yes on an answer.
func changedByAnAnswer(t *testing.T) debate.Session {
	t.Helper()
	s := scriptedSession(t, "no 0.6|no 0.6|no 0.6")
	s.Rounds, s.Question = 2, debate.QuestionYesNo
	s = addAnswer(t, addQuestion(t, s, "ada", "How many?"), ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"})
	return addRound(t, s, "yes 0.7 [C1]|yes 0.7 [C1]|yes 0.7 [C1]")
}
