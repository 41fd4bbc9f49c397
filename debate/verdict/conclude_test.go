package verdict_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
)

func TestConclude_triesChairsInTurnAndSaysWhoWroteIt(t *testing.T) {
	zed := &agents.Profile{ID: "zed", Name: "Zed", Provider: "p", Model: "z"}
	down := &agents.Failure{Kind: agents.KindBusy, Cause: "Overloaded.", Remedy: "Try later."}
	for _, c := range []struct {
		name     string
		chair    *agents.Profile
		rounds   []string
		chairs   chairProvider
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
			"Zed", false, "", nil, "zed 3",
		},
		{
			"without one, the first member", nil,
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "Not asked."},
			"Ada", true, "",
			nil,
			"ada 3",
		},
		{
			"the first member that answered in the last round", nil,
			[]string{"yes 1|no 1|no 1", "-|no 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "So.", "c-3": "So."},
			"Brook", true, "",
			nil,
			"brook 3",
		},
		{
			"a member although a round was stopped before anybody answered", nil,
			[]string{"yes 1|no 1", "-|-"},
			chairProvider{"a-1": "So."},
			"Ada", true, "",
			nil,
			"ada 3",
		},
		{
			"a member that is configured", &agents.Profile{ID: "brook", Name: "Brook", Provider: "p", Model: "b-2"},
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So.", "b-2": "So."},
			"Brook", true, "",
			nil,
			"brook 3",
		},
		{
			"the next one after a failure", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": down, "a-1": "So."},
			"Ada", true, "",
			[]string{"Written by another chair: Zed failed: Overloaded."},
			"zed 3, ada 4",
		},
		{
			"the next one where a provider is missing", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"a-1": "So."},
			"Ada", true, "",
			[]string{"Written by another chair: Zed cannot be reached: no such provider."},
			"ada 3",
		},
		{
			"a cut report is no report", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": agents.Chunk{Text: "## Concl"}, "a-1": "So."},
			"Ada", true, "",
			[]string{"Written by another chair: Zed failed: The answer was cut off. What arrived is kept but not used."},
			"zed 3, ada 4",
		},
		{
			"nobody", zed,
			[]string{"yes 1|no 1"},
			chairProvider{"z": down, "a-1": down},
			"", false, "Zed and Ada failed: Overloaded; Brook cannot be reached: no " +
				"such provider", nil, "zed 3, ada 4",
		},
		{
			"nobody is there", nil,
			[]string{"-|-"},
			chairProvider{"a-1": "So."},
			"", false, "no seat answered", nil, "",
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
			if v.ChairName != c.writer || v.ChairIsMember != c.member || v.Cause != c.cause {
				t.Errorf("by %q, member %v, cause %q", v.ChairName, v.ChairIsMember, v.Cause)
			}
			if diff := cmp.Diff(c.warnings, v.Notes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if got := strings.Join(slices.Compact(turns), ", "); got != c.attempts {
				t.Errorf("turns: %s; want %s", got, c.attempts)
			}
			if (v.Text == "So.") != (c.writer != "") || v.Round != len(s.History) {
				t.Errorf("text = %q", v.Text)
			}
		})
	}
}

func TestConclude_takesTheReportApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		line    any
		text    string
		warning string
	}{
		{
			"prose and a block", "## Conclusion\nSo.\n```json\n{\"position\": \"So.\", \"confidence\": 0.7}\n```", "## Conclusion\nSo.", "",
		},
		{"prose alone", "So.", "So.", ""},
		{"a block alone", "```json\n{\"position\": \"Just so.\", \"confidence\": 0}\n```", "Just so.", ""},
		{
			"cut at the limit",
			agents.Chunk{Text: "So and", Finish: agents.FinishLength},
			"So and",
			"The report was cut at the chair's length limit.",
		},
	} {
		s := scriptedSession(t, "yes 1|no 1")
		s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}
		v, err := chairProvider{"z": c.line}.judge().Conclude(t.Context(), s, ignoreEvents)
		if err != nil {
			t.Fatal(err)
		}
		if v.Text != c.text || strings.Join(v.Notes, " ") != c.warning {
			t.Errorf("%s: text %q, notes %q", c.name, v.Text, v.Notes)
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
