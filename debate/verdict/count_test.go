package verdict_test

import (
	"fmt"
	"slices"
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
		name, cells string
		answer      string
		weighted    debate.Stance
	}{
		{"majority", "yes 0.5|yes 0.5|no 0.5", "yes", "yes"},
		{"majority and weight differ", "yes 0.3|yes 0.3|no 0.9", "yes", "no"},
		{"tie", "yes 0.9|no 0.2", "split", "yes"},
		{"tie of three", "yes 0.5|no 0.5|neutral 0.5", "split", ""},
		{"tie for the second place", "yes 0.5|yes 0.5|no 0.5|neutral 0.5", "yes", "yes"},
		{"weights tie although they are sums of fractions", "yes 0.1|yes 0.2|no 0.3", "yes", ""},
		{"no confidence weighs a half", "yes|yes 0.1|no 0.59", "yes", "yes"},
		{"half of the seats state one", "yes 1|?|?|yes 1", "yes", "yes"},
		{"less than half state one", "yes 1|?|?|?", "", ""},
		{"an open question", "?|?", "", ""},
		{"a seat that failed states nothing", "yes 1|-|-", "", ""},
		{"neutral counts", "neutral 1|neutral 1|yes 1", "neutral", "neutral"},
	} {
		v := concludeByAda(t, scriptedSession(t, c.cells, "?"+strings.Repeat("|?", strings.Count(c.cells, "|"))))
		if got := verdict.TallyAnswer(v.Baseline); got != c.answer || v.Baseline.Weighted != debate.Side(c.weighted) {
			t.Errorf("%s: baseline %q, weighted %q; want %q and %q", c.name, got, v.Baseline.Weighted, c.answer, c.weighted)
		}
		if v.Baseline.None != (c.answer == "") || v.Baseline.Split != (c.answer == "split") {
			t.Errorf("%s: %+v", c.name, v.Baseline)
		}
	}
}

func TestChanged_comparesTheSameCountInTheLastRound(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name   string
		rounds []string
		want   *bool
		line   string
	}{
		{"a flip", []string{"yes 1|yes 1|no 1", "no 1|yes 1|no 1"}, &yes, "The debate changed the answer: yes → no."},
		{"a flip and back", []string{"yes 1|yes 1", "no 1|no 1", "yes 1|yes 1"}, &no, "The debate did not change the answer: yes."},
		{"other votes, the same answer", []string{"yes 1|yes 1|no 1", "no 1|yes 1|yes 1"}, &no, "The debate did not change the answer: yes."},
		{"from a split", []string{"yes 1|no 1", "yes 1|yes 1"}, &yes, "The debate changed the answer: split → yes."},
		{"still a split", []string{"yes 1|no 1", "no 1|yes 1"}, &no, "The debate did not change the answer: split."},
		{"no baseline", []string{"?|?", "yes 1|yes 1"}, nil, "No baseline: open question."},
		{"nothing to compare with", []string{"yes 1|yes 1", "?|?"}, nil, "Without the debate: yes. The last round states no side to compare."},
		{"a single round", []string{"yes 1|yes 1"}, &no, "The debate did not change the answer: yes."},
	} {
		v := concludeByAda(t, scriptedSession(t, c.rounds...))
		if diff := cmp.Diff(c.want, v.Changed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if got := report.BaselineLine(v); got != c.line {
			t.Errorf("%s: %q, want %q", c.name, got, c.line)
		}
	}
}

func TestAssess_measuresAgreementWithoutAModel(t *testing.T) {
	for _, c := range []struct {
		cells string
		want  *float64
		cause string
	}{
		{"yes 1|yes 0.4|yes 0.7", floatPointer(1), ""},
		{"yes 0.9|no 0.9", floatPointer(0.5), ""},
		{"yes 0.6|yes 0.6|no 0.4", floatPointer(0.75), ""},
		{"yes 1|yes 1|?|?", floatPointer(0.5), ""},
		{"yes 1|yes 1|-", floatPointer(2.0 / 3), "only 2 of 3 members answered"},
		{"yes 0|yes 0", floatPointer(0), ""},
		{"yes 0.2|-|-", floatPointer(1), "only 1 of 3 members answered"},
		{"yes 1|?|?|?", nil, "too few seats state a side"},
		{"-|-", nil, "nothing to analyse"},
	} {
		got, err := chairProvider{}.judge().Assess(t.Context(), scriptedSession(t, c.cells), ignoreEvents)
		if err != nil {
			t.Fatal(err)
		}
		if (got.Level == nil) != (c.want == nil) || got.Level != nil && (*got.Level-*c.want > 1e-9 ||
			*c.want-*got.Level > 1e-9) || got.Cause != c.cause {
			t.Errorf("%s: level %v, cause %q; want %v, %q", c.cells, got.Level, got.Cause, c.want, c.cause)
		}
		if wantMethod := map[bool]debate.ConsensusMethod{
			true:  debate.ConsensusUnavailable,
			false: debate.ConsensusComputed,
		}[c.cells == "-|-"]; got.Method != wantMethod {
			t.Errorf("%s: method %s", c.cells, got.Method)
		}
	}
}

func TestAssess_listsWhoHoldsWhat(t *testing.T) {
	got, err := chairProvider{}.judge().Assess(t.Context(), scriptedSession(t, "no 1|yes 1|no 1|?"), ignoreEvents)
	if err != nil {
		t.Fatal(err)
	}
	want := []debate.Cluster{{Theme: "yes", Agents: []agents.ID{"brook"}}, {Theme: "no", Agents: []agents.ID{"ada", "cy"}}}
	if diff := cmp.Diff(want, got.Clusters); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
}

func TestAssess_sureButOpposedIsNeverAConsensus(t *testing.T) {
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		for against := 1; against < seats; against++ {
			cells := append(slices.Repeat([]string{"no 0.95"}, against), slices.Repeat([]string{"yes 0.95"}, seats-against)...)
			c, err := chairProvider{}.judge().Assess(t.Context(), scriptedSession(t, strings.Join(cells, "|")), ignoreEvents)
			if err != nil {
				t.Fatal(err)
			}
			if *c.Level >= 0.9 {
				t.Errorf("%d against %d is a level of %.2f", against, seats-against, *c.Level)
			}
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
			[]debate.Change{debate.Opening, debate.Held, debate.Conformed},
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

func TestMoves_aCorrectionAndASourceOfItsOwnAreNewEvidence(t *testing.T) {
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
	if diff := cmp.Diff([]string{"opening[]", "held[C1]", "revised[C1]", "revised[RFC 1]"}, got); diff != "" {
		t.Errorf("ada's changes (-want +got):\n%s", diff)
	}
}

func TestDissent_namesWhoDoesNotShareTheMajority(t *testing.T) {
	v := concludeByAda(t, scriptedSession(t, "no 1|no 1|no 1|no 1", "yes 0.9|no 0.4|yes 0.9|?"))
	want := []debate.Dissent{{Agent: "brook", Name: "Brook", Stance: debate.No, Confidence: floatPointer(0.4), Position: "I say no."}}
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

func TestTally_lineIsNeverSofterThanTheCount(t *testing.T) {
	for _, c := range []struct {
		yes, no, neutral, seats int
		want                    string
	}{
		{2, 1, 0, 3, "yes 2, no 1: a majority, not a consensus"},
		{3, 0, 0, 3, "yes 3: all agree"},
		{0, 2, 0, 3, "no 2, 1 not stated"},
		{1, 1, 0, 2, "yes 1, no 1: split"},
		{3, 2, 2, 7, "yes 3, no 2, neutral 2: the largest group, not a majority"},
		{2, 1, 1, 4, "yes 2, no 1, neutral 1: the largest group, not a majority"},
	} {
		tally := debate.Tally{
			Votes: map[debate.Side]int{debate.SideYes: c.yes, debate.SideNo: c.no, "neutral": c.neutral},
			Split: c.yes == c.no,
		}
		if got := report.TallyLine(tally, c.seats); got != c.want {
			t.Errorf("Line() = %q, want %q", got, c.want)
		}
	}
	if got := report.TallyLine((debate.Tally{None: true}), 3); got != "" {
		t.Errorf("without a count: %q", got)
	}
}
