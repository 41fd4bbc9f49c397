package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

func TestBaseline_countsTheStancesOfRoundOne(t *testing.T) {
	for _, c := range []struct {
		name, cells, answer string
	}{
		{"majority", "yes 0.5|yes 0.5|no 0.5", "yes"},
		{"a vote is one vote, however sure", "yes 0.3|yes 0.3|no 0.9", "yes"},
		{"tie", "yes 0.9|no 0.2", "split"},
		{"a tie beside an undecided seat", "yes 0.5|no 0.5|neutral 0.5", "split"},
		{"most of those who took a side are half of all", "yes 0.5|yes 0.5|no 0.5|neutral 0.5", "split"},
		{"no confidence", "yes|yes 0.1|no 0.59", "yes"},
		{"half of the seats state one", "yes 1|?|?|yes 1", "no majority"},
		{"less than half state one", "yes 1|?|?|?", "no majority"},
		{"nobody states one", "?|?", "undecided"},
		{"a seat that failed states nothing", "yes 1|-|-", "no majority"},
		{"neutral is no side", "neutral 1|neutral 1|yes 1", "no majority"},
		{"all neutral", "neutral 1|neutral 1", "undecided"},
	} {
		v := concludeByAda(t, scriptedSession(t, c.cells, "?"+strings.Repeat("|?", strings.Count(c.cells, "|"))))
		if got := verdict.TallyAnswer(v.Baseline); got != c.answer {
			t.Errorf("%s: baseline %q, want %q", c.name, got, c.answer)
		}
		if v.Baseline.None != (c.answer == "undecided") || v.Baseline.Split != (c.answer == "split") {
			t.Errorf("%s: %+v", c.name, v.Baseline)
		}
	}
}

func TestChanged_comparesTheSameCountInTheLastRound(t *testing.T) {
	yes, no := true, false
	const noMajority = "There was no majority after round 1, and there is none at the end: "
	for _, c := range []struct {
		name   string
		rounds []string
		want   *bool
		line   string
	}{
		{"a flip", []string{"yes 1|yes 1|no 1", "no 1|yes 1|no 1"}, &yes, "The debate changed the answer: yes → no."},
		{"a flip and back", []string{"yes 1|yes 1", "no 1|no 1", "yes 1|yes 1"}, &no, "The debate did not change the answer: yes."},
		{"other votes, the same answer", []string{"yes 1|yes 1|no 1", "no 1|yes 1|yes 1"}, &no, "The debate did not change the answer: yes."},
		{"from a split", []string{"yes 1|no 1", "yes 1|yes 1"}, &yes, "The debate changed the answer: yes 1, no 1 → yes 2."},
		{"still a split", []string{"yes 1|no 1", "no 1|yes 1"}, &no, noMajority + "yes 1, no 1 → no 1, yes 1."},
		{"from nothing", []string{"neutral 1|neutral 1", "yes 1|yes 1"}, &yes, "The debate changed the answer: undecided 2 → yes 2."},
		{"to nothing", []string{"yes 1|yes 1", "neutral 1|neutral 1"}, &yes, "The debate changed the answer: yes 2 → undecided 2."},
		{"from one side to a split", []string{"yes 1|neutral 1", "yes 1|no 1"}, &no, noMajority + "yes 1, undecided 1 → yes 1, no 1."},
		{"never anything", []string{"neutral 1|neutral 1", "neutral 1|neutral 1"}, &no, noMajority + "undecided 2."},
		{"from what cannot be read", []string{"?|?", "yes 1|yes 1"}, nil, "Votes could be read in one round only."},
		{"to what cannot be read", []string{"yes 1|yes 1", "?|?"}, nil, "Votes could be read in one round only: yes 2."},
		{"never what can be read", []string{"?|?", "?|?"}, nil, "No vote could be read."},
		{"a single round", []string{"yes 1|yes 1"}, nil, "Votes were taken once: there is no earlier vote to compare with."},
	} {
		s := scriptedSession(t, c.rounds...)
		v := concludeByAda(t, s)
		if diff := cmp.Diff(c.want, v.Changed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if got := report.Conclude(v, s).Baseline.Line; got != c.line {
			t.Errorf("%s: %q, want %q", c.name, got, c.line)
		}
	}
}

func TestMissing_listsEverySeatAndRoundWithItsCause(t *testing.T) {
	s := scriptedSession(t, "yes 1|-|-", "-|yes 1|yes 1")
	again := s.History[0].Responses[2]
	again.Turn.Attempt, again.State, again.Failure, again.Statement.Body = 2, debate.TurnDone, nil, "So."
	s.History[0].Responses = append(s.History[0].Responses, again) // Cy was run again
	s.History[1].Responses = s.History[1].Responses[:2]            // the round was stopped before Cy began
	want := []debate.MissingResponse{
		{Agent: "brook", Name: "Brook", Round: 1, Cause: "Overloaded."},
		{Agent: "ada", Name: "Ada", Round: 2, Cause: "Overloaded."},
		{Agent: "cy", Name: "Cy", Round: 2},
	}
	if diff := cmp.Diff(want, concludeByAda(t, s).Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

// The cause of an absence stands in parentheses amid a sentence.
func TestPresence_putsCausesIntoTheSentence(t *testing.T) {
	for cause, want := range map[string]string{
		"Cut off when you ended the debate.": "(cut off when you ended the debate)", "OpenAI does not answer.": "(OpenAI does not answer)",
	} {
		v := debate.Verdict{Missing: []debate.MissingResponse{{Agent: "ada", Name: "Ada", Round: 1, Cause: cause}}}
		if got := verdict.Presence(v, scriptedSession(t, "-|yes 1")); !strings.HasSuffix(got, "Ada in round 1 "+want) {
			t.Error(got)
		}
	}
}

func TestMoves_sayWhoMovedAndOnWhatEvidence(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds []string // of seat 1
		want   []debate.Change
	}{
		{"holds", []string{"yes 0.8", "yes 0.8"}, []debate.Change{debate.Opening, debate.Held}},
		{"gets surer", []string{"yes 0.5", "yes 0.9"}, []debate.Change{debate.Opening, debate.Held}},
		{"a little less sure", []string{"yes 0.8", "yes 0.66"}, []debate.Change{debate.Opening, debate.Held}},
		{"much less sure", []string{"yes 0.7", "yes 0.55"}, []debate.Change{debate.Opening, debate.Held}},
		{"no confidence to compare", []string{"yes 0.9", "yes"}, []debate.Change{debate.Opening, debate.Held}},
		{"a flip without a reason", []string{"yes 0.8", "no 0.8"}, []debate.Change{debate.Opening, debate.Conformed}},
		{"a flip on an answer of the user", []string{"yes 0.8", "no 0.8 since [C1]"}, []debate.Change{debate.Opening, debate.Revised}},
		{
			"a flip on an answer that it named while waiting for it",
			[]string{"yes 0.8 if not [C1]", "no 0.8 since [C1]"},
			[]debate.Change{debate.Opening, debate.Revised},
		},
		{
			"a flip on an answer that it had before",
			[]string{"yes 0.8", "yes 0.8 see [C1]", "no 0.8 since [C1]"},
			[]debate.Change{debate.Opening, debate.Held, debate.RevisedOld},
		},
		{"a flip on what nobody was told", []string{"yes 0.8", "no 0.8 since [C9]"}, []debate.Change{debate.Opening, debate.Conformed}},
		{"a flip and back", []string{"yes 0.8", "no 0.8 since [C1]", "yes 0.8"}, []debate.Change{
			debate.Opening,
			debate.Revised, debate.Conformed,
		}},
		{
			"missing and unstated rounds are passed over",
			[]string{"yes 0.8", "-", "?", "no 0.8"},
			[]debate.Change{debate.Opening, debate.NoResponse, debate.Unstated, debate.Conformed},
		},
		{"a late opening", []string{"?", "yes 0.8"}, []debate.Change{debate.Unstated, debate.Opening}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scriptedSession(t, c.rounds[0]+"|no 1")
			s.Rounds = len(c.rounds)
			s = addAnswer(
				t,
				addQuestion(t, s, "brook", "How many?"),
				ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"},
			)
			for _, cell := range c.rounds[1:] {
				s = addRound(t, s, cell+"|no 1")
			}
			var got []debate.Change
			for _, m := range concludeByAda(t, s).Moves[:len(c.rounds)] {
				got = append(got, m.Change)
				if m.Agent != "ada" || m.Round != len(got) {
					t.Errorf("cell %d is %+v", len(got), m)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("ada's changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMoves_aCorrectionIsNewEvidenceAndASourceOfItsOwnIsNone(t *testing.T) {
	s := scriptedSession(t, "yes 0.8|no 1")
	s.Rounds = 4
	s = addAnswer(t, addQuestion(t, s, "ada", "How many?"), ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"})
	s = addRound(t, s, "yes 0.8 [C1]|no 1")
	s = addAnswer(t, s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "13", Correct: true})
	s = addRound(t, s, "no 0.8 [C1]|no 1")
	s = addRound(t, s, "yes 0.8|no 1")
	s.History[3].Responses[0].Statement.Citations = []string{"RFC 1", "[C1]"}
	var got []string
	for _, m := range concludeByAda(t, s).Moves[:4] {
		got = append(got, fmt.Sprint(m.Change, m.Cites))
	}
	if diff := cmp.Diff([]string{"opening[]", "held[]", "revised[C1]", "revised_known[C1]"}, got); diff != "" {
		t.Errorf("ada's changes (-want +got):\n%s", diff)
	}
}

func TestDissent_namesWhoDoesNotShareTheMajority(t *testing.T) {
	v := concludeByAda(t, scriptedSession(t, "no 1|no 1|no 1|no 1", "yes 0.9|no 0.4|yes 0.9|yes"))
	want := []debate.Dissent{{
		Agent: "brook", Name: "Brook", Side: debate.SideNo, Stance: debate.No, Confidence: floatPointer(0.4), Position: "I say no.",
	}}
	if diff := cmp.Diff(want, v.Dissent); diff != "" {
		t.Errorf("dissent (-want +got):\n%s", diff)
	}
	for _, cells := range []string{"yes 1|no 1", "?|?", "yes 1|yes 1"} {
		if got := concludeByAda(t, scriptedSession(t, cells)).Dissent; got != nil {
			t.Errorf("%s: dissent %+v", cells, got)
		}
	}
}

func TestSources_listWhoCitesEachAnswerAndFlagTheUnknown(t *testing.T) {
	s := scriptedSession(t, "yes 1 see [C1]|no 1|no 1") // Ada only waits for C1
	s.Rounds = 2
	for _, query := range []string{"How many?", "Who?", "When?"} {
		s = addQuestion(t, s, "ada", query)
	}
	s = addAnswer(t, s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12", Source: "the books"})
	s = addAnswer(t, s, ledger.Submission{Request: "C2", Outcome: ledger.Unavailable, Content: "nobody knows"})
	s = addAnswer(t, s, ledger.Submission{Request: "C3", Outcome: ledger.Answered, Content: "in May"})
	s = addRound(t, s, "yes 1|no 1 by [C1] and [C1] and [C7]|no 1")
	last := s.History[1].Responses
	last[2].Statement.ContextUsed = []string{"C2", "C1"}
	last[0].Statement.Citations = []string{"[C2]", "C8", "see [C6] of RFC 1"}
	s = addAnswer(t, s, ledger.Submission{Request: "C3", Outcome: ledger.Answered, Content: "in June", Correct: true}) // never delivered
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
	v, err := chairProvider{"z": "By [C3], and [C9]."}.judge().Conclude(t.Context(), s, ignoreEvents)
	if err != nil {
		t.Fatal(err)
	}
	want := []debate.SourceLine{
		{ID: "C1", Text: "12", Source: "the books", CitedBy: []agents.ID{"brook", "cy"}},
		{ID: "C2", Text: "unavailable: nobody knows", CitedBy: []agents.ID{"ada", "cy"}},
		{ID: "C3", Text: "in May"},
	}
	if diff := cmp.Diff(want, v.Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"C8", "C6", "C7", "C9"}, v.UnknownCitations); diff != "" {
		t.Errorf("unknown citations (-want +got):\n%s", diff)
	}
}
