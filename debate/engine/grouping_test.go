package engine_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// chairOf is a provider whose chair writes a report of its own.
type chairOf struct {
	*scriptedProvider
	report string
}

func (c chairOf) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	if !strings.Contains(req.Messages[0].Text, "You are the chair") {
		return c.scriptedProvider.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		chunks, _ := replyText(c.report)(1, req)
		for _, k := range chunks {
			if !yield(k, nil) {
				return
			}
		}
	}
}

// replyChoosing names its answer itself.
func replyChoosing(labels ...string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		label := labels[min(n, len(labels))-1]
		return replyText(fmt.Sprintf("So.\n\n```json\n{\"position\": \"I take it.\", \"confidence\": 0.6, \"choice\": %q}\n```", label))(n, req)
	}
}

func (h *harness) runWhich(rounds int, report string, change func(*debate.Session)) debate.Session {
	h.Helper()
	h.useProvider(chairOf{h.provider, report})
	s := h.smallSession("collaborative", rounds, func(s *debate.Session) {
		s.Question = debate.QuestionOpen
		if change != nil {
			change(s)
		}
	}, "a", "b", "c")
	s, _ = h.runToEnd(s)
	return s
}

const twoGroups = `[["Postgres", "PostgreSQL 17"], ["SQLite"]]`

func TestGrouping_isTheChairsWhereThereIsNoLightModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, groups string
		sides        int
		headline     string
		warning      string
	}{
		{"two groups", twoGroups, 2, "Postgres, 2 of 3 votes", ""},
		{
			"a label is left out", `[["Postgres", "PostgreSQL 17"]]`, 3, "Split: ",
			`Z's grouping of the labels was ignored: "SQLite" is in no group.`,
		},
		{"none", `null`, 3, "Split: ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{
				"a": replyChoosing("Postgres"), "b": replyChoosing("PostgreSQL 17"), "c": replyChoosing("SQLite"),
			})
			report := "## Conclusion\nIt depends.\n\n```json\n{\"position\": \"Take one.\", \"confidence\": 0.7, \"groups\": " + c.groups + "}\n```"
			s := h.runWhich(1, report, func(s *debate.Session) { s.Chair = &agents.Profile{ID: "z", Name: "Z", Provider: "test", Model: "z"} })
			v := s.Verdict
			if len(v.Final.Sides) != c.sides || !strings.HasPrefix(v.Headline, c.headline) || (v.Labels != nil) != (c.sides == 2) {
				t.Errorf("%q: %+v, %+v", v.Headline, v.Final, v.Labels)
			}
			if v.Labels != nil && v.Labels.By != "Z" {
				t.Errorf("grouped by %q", v.Labels.By)
			}
			if got := strings.Join(v.Warnings, " "); strings.Contains(got, "grouping") != (c.warning != "") || !strings.Contains(got, c.warning) {
				t.Errorf("warnings %q", v.Warnings)
			}
			if v.Chair != "z" || v.Text != "## Conclusion\nIt depends." {
				t.Errorf("the report of %s is %q", v.Chair, v.Text)
			}
			if read, err := h.store.Session(t.Context(), s.ID); err != nil || mustJSON(t, read.Verdict) != mustJSON(t, v) {
				t.Errorf("read back: %+v, %v", read.Verdict, err)
			}
		})
	}
}

func TestGrouping_isTheAnalysissWhereThereIsALightModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		groups, headline, cause string
	}{
		{twoGroups, "Postgres, 2 of 3 votes", ""},
		{`[["Postgres", "PostgreSQL 17", "MySQL"], ["SQLite"]]`, "Split: ", "its grouping of the labels was ignored: \"MySQL\" is"},
	} {
		h := newHarness(t, map[string]replyFunc{
			"a": replyChoosing("Postgres"), "b": replyChoosing("PostgreSQL 17"), "c": replyChoosing("SQLite"),
			"light": replyText(`{"level": 0.4, "groups": ` + c.groups + `}`),
		})
		s := h.runWhich(1, "## Conclusion\nSo it is.\n\n```json\n{\"groups\": [[\"Postgres\", \"SQLite\"], [\"PostgreSQL 17\"]]}\n```", addLight)
		got := s.History[0].Consensus
		if !strings.HasPrefix(got.Cause, c.cause) || (got.Labels != nil) != (c.cause == "") || got.Level == nil {
			t.Errorf("%s: %+v", c.groups, got)
		}
		if c.cause == "" && !strings.HasPrefix(s.Verdict.Headline, c.headline) {
			t.Errorf("%s: %q", c.groups, s.Verdict.Headline)
		}
	}
}

// Labels that the last analysis has found to be the same are the same for convergence.
func TestGrouping_countsForTheRoundThatItIsMadeIn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyChoosing("Postgres", "PostgreSQL 17"), "b": replyChoosing("PostgreSQL 17"), "c": replyChoosing("SQLite"),
		"light": replyText(`{"level": 0.4, "groups": ` + twoGroups + `}`),
	})
	s := h.runWhich(4, "## Conclusion\nSo it is.", func(s *debate.Session) {
		addLight(s)
		s.EndConditions.Convergence = true
	})
	if s.Stopped != debate.EndedByConvergence || len(s.History) != 2 {
		t.Errorf("stopped %q after %d rounds", s.Stopped, len(s.History))
	}
}

func TestConvergence_aDebateThatCannotConvergeSaysSoOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mode, stance, want string }{
		{"collaborative", "neutral", "Convergence cannot end this debate: nobody takes a side."},
		{"collaborative", "yes", ""},
		{"council", "yes", "Convergence cannot end this debate: this mode counts no sides."},
	} {
		says := replyHolding(c.stance, 0.5)
		h := newHarness(t, map[string]replyFunc{"adams": says, "brook": says, "clara": says})
		s := h.smallSession(c.mode, 3, func(s *debate.Session) { s.EndConditions.Convergence = true }, "adams", "brook", "clara")
		evs, s := h.runToVerdict(s)
		got := noticesByCode(evs)["convergence"]
		if (len(got) == 1) != (c.want != "") || len(got) > 0 && (len(got) != 1 || got[0].Text != c.want) {
			t.Errorf("%s, %s: %+v", c.mode, c.stance, got)
		}
		if c.want != "" && s.Stopped != debate.NotStopped {
			t.Errorf("%s: stopped %q", c.mode, s.Stopped)
		}
	}
}

// What hangs on the reading of a chair that is a member counts with a second member's
// alone, who is asked for the labels and sees nothing else.
func TestGrouping_byAMemberNeedsASecondReader(t *testing.T) {
	t.Parallel()
	const one = `[["Postgres", "PostgreSQL", "PostgreSQL 17"]]`
	for _, c := range []struct {
		name, answer, headline, warning string
		side                            bool
	}{
		{"the same", one, "Postgres, 3 of 3 votes; read as one answer by A and B", "", true},
		{"the same, in another order", `[["PostgreSQL 17", "Postgres", "PostgreSQL"]]`, "Postgres, 3 of 3 votes", "", true},
		{"another", `[["Postgres"], ["PostgreSQL", "PostgreSQL 17"]]`, "Split: ", "B does not read the labels as A does", false},
		{"none", `"I do not know"`, "Split: ", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{
				"a": replyChoosing("Postgres"), "c": replyChoosing("PostgreSQL 17"),
				"b": func(n int, req agents.Request) ([]agents.Chunk, error) {
					if strings.Contains(req.Messages[0].Text, "You read which answers") {
						if whole := req.Messages[1].Text; strings.Contains(whole, "I take it") {
							t.Errorf("it sees the debate:\n%s", whole)
						}
						return replyThinking(2_001, replyText(`{"groups": `+c.answer+`}`))(n, req)
					}
					return replyChoosing("PostgreSQL")(n, req)
				},
			})
			s := h.runWhich(1, "## Answer\nPostgres.\n\n```json\n{\"position\": \"It.\", \"groups\": "+one+"}\n```", nil)
			v := s.Verdict
			if c.side != (v.Side != nil) || !strings.HasPrefix(v.Headline, c.headline) {
				t.Errorf("%q, %+v", v.Headline, v.Final)
			}
			if got := strings.Join(v.Warnings, " "); !strings.Contains(got, c.warning) {
				t.Errorf("warnings %q", v.Warnings)
			}
		})
	}
}
