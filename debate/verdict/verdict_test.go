package verdict_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func TestConclude_triesChairsInTurnAndSaysWhoWroteIt(t *testing.T) {
	zed := &agents.Profile{ID: "zed", Name: "Zed", Provider: "p", Model: "z"}
	down := &agents.Failure{Kind: agents.KindBusy, Cause: "Overloaded.", Remedy: "Try later."}
	for _, c := range []struct {
		name     string
		chair    *agents.Profile
		rounds   []string
		chairs   chairProvider
		outcome  debate.Outcome
		writer   string
		member   bool
		cause    string
		warnings []string
		attempts string // agent and attempt of every turn
	}{
		{
			"the configured one", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": "So.", "a-1": "Not asked."},
			debate.OutcomeFull, "Zed", false, "", nil, "zed 3",
		},
		{
			"without one, the first member", nil,
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "Not asked."},
			debate.OutcomeFull, "Ada", true, "",
			nil,
			"ada 3",
		},
		{
			"the first member that answered in the last round", nil,
			[]string{"yes 1|no 1|no 1", "-|no 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "So.", "c-3": "So."},
			debate.OutcomeDegraded, "Brook", true, "",
			nil,
			"brook 3",
		},
		{
			"a member although a round was stopped before anybody answered", nil,
			[]string{"yes 1|no 1", "-|-"},
			chairProvider{"a-1": "So."},
			debate.OutcomeDegraded, "Ada", true, "",
			nil,
			"ada 3",
		},
		{
			"a member that is configured", &agents.Profile{ID: "brook", Name: "Brook", Provider: "p", Model: "b-2"},
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "So."},
			debate.OutcomeFull, "Brook", true, "",
			nil,
			"brook 3",
		},
		{
			"the next one after a failure", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": down, "a-1": "So."},
			debate.OutcomeFull, "Ada", true, "",
			[]string{"Written by another chair: Zed failed: Overloaded."},
			"zed 3, ada 4",
		},
		{
			"the next one where a provider is missing", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So."},
			debate.OutcomeFull, "Ada", true, "",
			[]string{"Written by another chair: Zed cannot be reached: no such provider."},
			"ada 3",
		},
		{
			"a cut report is no report", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": agents.Chunk{Text: "## Concl"}, "a-1": "So."},
			debate.OutcomeFull, "Ada", true, "",
			[]string{"Written by another chair: Zed failed: The answer was cut off. What arrived is kept but not used."},
			"zed 3, ada 4",
		},
		{
			"nobody", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": down, "a-1": down},
			debate.OutcomeNoSynthesis, "", false, "Zed and Ada failed: Overloaded; Brook cannot be reached: no " +
				"such provider", nil, "zed 3, ada 4",
		},
		{
			"nobody is there", nil,
			[]string{"-|-"},
			chairProvider{"a-1": "So."},
			debate.OutcomeNoSynthesis, "", false, "no seat answered", nil, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scriptedSession(t, c.rounds...)
			s.Chair, s.ChairTurns = c.chair, 2
			var turns []string
			v, err := c.chairs.judge().Conclude(t.Context(), s, func(turn agents.Turn, who agents.Profile, _ agents.Progress) error {
				if turn.Session != "s1" || turn.Round != len(s.History) || turn.Step != debate.VerdictStep || turn.Agent != who.ID {
					t.Errorf("%s speaks under %+v", who.Name, turn)
				}
				turns = append(turns, fmt.Sprint(turn.Agent, " ", turn.Attempt))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome != c.outcome || v.ChairName != c.writer || v.ChairIsMember != c.member || v.Cause != c.cause {
				t.Errorf("outcome %s by %q, member %v, cause %q", v.Outcome, v.ChairName, v.ChairIsMember, v.Cause)
			}
			if diff := cmp.Diff(c.warnings, v.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if got := strings.Join(slices.Compact(turns), ", "); got != c.attempts {
				t.Errorf("turns: %s; want %s", got, c.attempts)
			}
			if (v.Text == "So.") != (c.writer != "") || v.Text == "" {
				t.Errorf("text = %q", v.Text)
			}
		})
	}
}

func TestConclude_computesTheReportWhereNoChairSucceeds(t *testing.T) {
	s := scriptedSession(t, "yes 0.9|~|-")
	v, err := chairProvider{}.judge().Conclude(t.Context(), s, ignoreEvents)
	if err != nil {
		t.Fatal(err)
	}
	const want = "No synthesis: Ada and Brook cannot be reached: no such provider. What " +
		"follows is counted without a model.\n\n" +
		"## Positions\n\n- **Ada**: I say yes. (yes)\n- **Brook**: not stated\n- **Cy**: no statement in round 1"
	if diff := cmp.Diff(want, v.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if v.Chair != "" || v.Confidence != nil {
		t.Errorf("chair %q, confidence %v", v.Chair, v.Confidence)
	}
}

func TestConclude_takesTheReportApart(t *testing.T) {
	for _, c := range []struct {
		name       string
		line       any
		text       string
		confidence *float64
		warning    string
	}{
		{
			"prose and a block", "## Conclusion\nSo.\n```json\n{\"position\": \"So.\", \"confidence\": 0.7}\n```", "## Conclusion\nSo.",
			floatPointer(0.7), "",
		},
		{"prose alone", "So.", "So.", nil, ""},
		{"a block alone", "```json\n{\"position\": \"Just so.\", \"confidence\": 0}\n```", "Just so.", floatPointer(0), ""},
		{
			"cut at the limit",
			agents.Chunk{Text: "So and", Finish: agents.FinishLength},
			"So and", nil,
			"The report was cut at the chair's length limit.",
		},
	} {
		s := scriptedSession(t, "yes 1|no 1")
		s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
		v, err := chairProvider{"z": c.line}.judge().Conclude(t.Context(), s, ignoreEvents)
		if err != nil {
			t.Fatal(err)
		}
		if v.Text != c.text || !cmp.Equal(v.Confidence, c.confidence) || strings.Join(v.Warnings, " ") != c.warning {
			t.Errorf("%s: text %q, confidence %v, warnings %q", c.name, v.Text, v.Confidence, v.Warnings)
		}
	}
}

func TestConclude_endsWithTheContextOrTheObserver(t *testing.T) {
	s := scriptedSession(t, "yes 1|no 1")
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	_, err := chairProvider{"a-1": "So.", "b-2": "So."}.judge().Conclude(ctx, s, func(_ agents.Turn, _ agents.Profile, p agents.Progress) error {
		if _, ok := p.(agents.Sending); ok {
			sent++
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || sent != 1 {
		t.Errorf("cancelled: err = %v after %d chairs", err, sent)
	}
	full := errors.New("disk full")
	_, err = chairProvider{"a-1": "So.", "b-2": "So."}.judge().Conclude(t.Context(), s, func(_ agents.Turn, _ agents.Profile,
		p agents.Progress,
	) error {
		if _, ok := p.(agents.Completed); ok {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("observer: err = %v", err)
	}
}

func TestConclude_countsWhatWasSpentOnFailedChairsToo(t *testing.T) {
	s := scriptedSession(t, "yes 1|no 1", "yes 1|-")
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Provider: "p", Model: "z", PriceIn: s.Seats[0].PriceIn, PriceOut: s.Seats[0].PriceOut}
	empty := agents.Chunk{Finish: agents.FinishStop, Usage: &agents.Usage{Input: 40}}
	v, err := chairProvider{"z": empty, "a-1": "So."}.judge().Conclude(t.Context(), s, ignoreEvents)
	if err != nil {
		t.Fatal(err)
	}
	round := func(c *float64) float64 { return float64(int(*c*1000+0.5)) / 1000 }
	for i, want := range []struct {
		purpose debate.Purpose
		calls   int
		tokens  int
	}{{debate.ForMember, 4, 40}, {debate.ForChair, 2, 150}, {"", 6, 190}} {
		got := v.Spending[i]
		if got.Purpose != want.purpose || got.Calls != want.calls || got.Usage.Input+got.Usage.Output != want.tokens ||
			round(got.Cost) != float64(want.tokens)/1000 {
			t.Errorf("spent %q: %d calls, %+v, %v; want %+v", got.Purpose, got.Calls, got.Usage, *got.Cost, want)
		}
	}
	if v.ExtraSpending.Calls != 4 || round(v.ExtraSpending.Cost) != 0.17 { // two of members and two of chairs
		t.Errorf("extra = %+v", v.ExtraSpending)
	}
	s.Seats[1].PriceIn = nil
	s.History[1].Responses[1].Cost = nil
	if v := concludeByAda(t, s); v.Spending[0].Cost != nil || v.ExtraSpending.Cost != nil || v.Spending[len(v.Spending)-1].Cost != nil {
		t.Errorf("a sum with an unknown cost is known: %+v", v.Spending)
	}
}

func TestHeader_isTheOutcomeAndNothingSofter(t *testing.T) {
	for _, c := range []struct {
		name    string
		stopped debate.StopReason
		chair   any
		rounds  []string
		want    string
	}{
		{"full", "", "So.", []string{"yes 1|yes 1|no 1"}, "Yes, 2 of 3 votes · the narrowest majority"},
		{"full, all agree", "", "So.", []string{"yes 1|yes 1"}, "Yes, 2 of 2 votes"},
		{"full, split", "", "So.", []string{"yes 1|no 1"}, "Split: yes 1, no 1"},
		{"full, no side", "", "So.", []string{"neutral 1|neutral 1"}, "Undecided: none of 2 votes took a side"},
		{"full, nothing to read", "", "So.", []string{"?|?"}, "No vote: none of 2 votes of round 1 could be read"},
		{
			"nobody states a position", "", "So.",
			[]string{"~|~"},
			"No vote: none of 2 votes of round 1 could be read · incomplete: the answers of Ada and Brook in round 1 could not be read",
		},
		{
			"one states no position in the end", "", "So.",
			[]string{"~|yes 1", "yes 1|~"},
			"No majority: yes 1; 1 could not be read · incomplete: the answer of Brook in round 2 could not be read",
		},
		{
			"incomplete although all agree", "", "So.",
			[]string{"yes 1|yes 1|yes 1", "yes 1|yes 1|-"},
			"Yes, 2 of 3 votes; 1 missing · incomplete: 1 of 3 seats missed a turn (Cy in round 2) · the 2 who voted both times did not move (yes 2)",
		},
		{
			"incomplete twice", "", "So.",
			[]string{"-|yes 1|yes 1", "-|yes 1|-"},
			"No majority: yes 1; 2 missing · incomplete: 2 of 3 seats missed a turn (Ada and Cy, in rounds 1 and 2)",
		},
		{"no synthesis", "", errors.New("x"), []string{"yes 1|yes 1"}, "Yes, 2 of 2 votes · incomplete: no report by a chair"},
		{
			"no synthesis, and a member is missing", "", errors.New("x"),
			[]string{"yes 1|-"},
			"No majority: yes 1; 1 missing · incomplete: no report by a chair, 1 of 2 seats missed a turn (Brook)",
		},
		{"stopped by you", debate.StoppedByUser, "So.", []string{"yes 1|yes 1"}, "Yes, 2 of 2 votes · stopped by you"},
		{
			"stopped by budget, a member missing", debate.StoppedByBudget, "So.",
			[]string{"yes 1|-"},
			"No majority: yes 1; 1 missing · stopped by the budget; 1 of 2 seats missed a turn (Brook)",
		},
		{
			"stopped, without a synthesis", debate.StoppedByUser, errors.New("x"),
			[]string{"yes 1|no 1"},
			"Split: yes 1, no 1 · stopped by you; no report by a chair",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scriptedSession(t, c.rounds...)
			s.Stopped, s.Chair = c.stopped, &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
			v, err := chairProvider{"z": c.chair}.judge().Conclude(t.Context(), s, ignoreEvents)
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Headline(v, s); got != c.want {
				t.Errorf("Header() =\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
