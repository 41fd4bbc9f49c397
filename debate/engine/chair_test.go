package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/verdict"
)

// replyAsChair answers as a chair with one line and as a member with another.
func replyAsChair(chair, member replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if strings.Contains(req.Messages[0].Text, "You are the chair") {
			return chair(n, req)
		}
		return member(n, req)
	}
}

func TestConclude_triesChairsInTurnAndSaysWhoWroteIt(t *testing.T) {
	t.Parallel()
	zed, so, down := &agents.Profile{ID: "zed", Name: "Zed", Model: "z"}, replyText("So."), replyFailing("Overloaded.")
	cut := func(int, agents.Request) ([]agents.Chunk, error) { return []agents.Chunk{{Text: "## Concl"}}, nil }
	for _, c := range []struct {
		name   string
		chair  *agents.Profile
		chairs map[string]replyFunc // by model; one that has none has no provider
		fails  bool                 // a, in round 1
		writer agents.ID
		says   string
		turns  string // agent and attempt of every chair
	}{
		{"the configured one", zed, map[string]replyFunc{"z": so, "a": so}, false, "zed", "", "zed 1"},
		{"without one, the first member", nil, map[string]replyFunc{"a": so, "b": so}, false, "a", "", "a 1"},
		{"the first member that answered", nil, map[string]replyFunc{"a": so, "b": so}, true, "b", "", "b 1"},
		{
			"a member that is configured", &agents.Profile{ID: "b", Name: "b", Provider: "test", Model: "b"},
			map[string]replyFunc{"a": so, "b": so},
			false, "b", "", "b 1",
		},
		{
			"the next one after a failure", zed,
			map[string]replyFunc{"z": down, "a": so},
			false, "a",
			"Written by another chair: Zed failed: Overloaded.", "zed 1, a 2",
		},
		{
			"the next one where a provider is missing", zed,
			map[string]replyFunc{"a": so},
			false, "a",
			"Written by another chair: Zed failed: no such provider.", "zed 1, a 2",
		},
		{
			"a cut report is no report", zed,
			map[string]replyFunc{"z": cut, "a": so},
			false, "a",
			"Written by another chair: Zed failed: The answer was cut off. What arrived is kept but not used.", "zed 1, a 2",
		},
		{
			"nobody", zed,
			map[string]replyFunc{"z": down, "a": down, "b": cut, "c": down},
			false, "",
			"Zed and A failed: Overloaded; B failed: The answer was cut off. What arrived is kept but not used; C failed: Overloaded",
			"zed 1, a 2, b 3, c 4",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, nil)
			member := func(model string) replyFunc {
				if model == "a" && c.fails {
					return down
				}
				return so
			}
			h.use(engine.Options{Provider: func(p agents.Profile) (agents.Provider, error) {
				chair, ok := c.chairs[p.Model]
				if !ok && p.Model == "z" {
					return nil, errors.New("no such provider")
				}
				return perModelProvider{p.Model: replyAsChair(chair, member(p.Model))}, nil
			}})
			evs, s := h.run(h.smallSession("collaborative", 1, func(s *debate.Session) { s.Chair = c.chair }, "a", "b", "c"))
			var turns []string
			for _, ev := range eventsOf[debate.Concluding](evs) {
				turns = append(turns, fmt.Sprint(ev.Turn.Agent, " ", ev.Turn.Attempt))
			}
			v := s.Verdict
			if v == nil || v.Chair != c.writer || !slices.Equal(turns, strings.Split(c.turns, ", ")) {
				t.Fatalf("by %+v after %q", v, turns)
			}
			if said := v.Cause + strings.Join(v.Notes, " "); said != c.says || (v.Text == "So.") != (c.writer != "") {
				t.Errorf("it says %q, with the text %q", said, v.Text)
			}
		})
	}
	if v := verdict.WithoutReport(debate.Session{}, nil); v.Cause != "no seat answered" {
		t.Errorf("nobody is there: %q", v.Cause)
	}
}
