package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/internal/testing/must"
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
				return perModel(map[string]replyFunc{p.Model: replyAsChair(chair, member(p.Model))}), nil
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
}

// interruptedAt makes an engine whose process ends when it comes to the write by which the
// outcome of an answer is kept.
func (h *harness) interruptedAt(at string, models agents.Provider) {
	h.use(engine.Options{Provider: func(agents.Profile) (agents.Provider, error) { return models, nil }, Recorder: h.dyingAt(at)})
}

// countAuxiliary counts the requests that are for a comparison, and for a report.
func countAuxiliary(asked map[string]int) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		switch system := req.Messages[0].Text; {
		case asksToCompare(req):
			asked["comparison"]++
			return replyComparing(n, req)
		case strings.Contains(system, "You are the chair"):
			asked["verdict"]++
			return replyText("## Conclusion\nThe law decides.")(n, req)
		default:
			return replyText("So.")(n, req)
		}
	}
}

func TestResume_takesAnAnswerThatWasStoredAndAsksNobodyTwice(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"round-end 1", "verdict"} {
		t.Run(at, func(t *testing.T) {
			h := newHarness(t, nil)
			asked := map[string]int{}
			seats, speak := reviewers(), countAuxiliary(asked)
			models := perModel(map[string]replyFunc{"light": speak, "boss": speak, "ann": seats["ann"], "ben": seats["ben"], "cat": seats["cat"]})
			h.interruptedAt(at, models)
			_, s, err := drain(h.engine.Start(t.Context(), h.startReview(func(s *debate.Session) {
				s.Rounds, s.Chair = 1, &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"}
				addLight(s)
			})))
			if !errors.Is(err, errFull) {
				t.Fatalf("the run was not cut short: %v", err)
			}
			h.useProvider(models)
			_, s = h.run(s)
			if asked["comparison"] != 1 || asked["verdict"] != 1 {
				t.Errorf("asked %v", asked)
			}
			if same := s.History[0].Same; same == nil || len(same.Groups) != 1 {
				t.Errorf("compared: %+v", same)
			}
			v := s.Verdict
			if v == nil || v.Chair != "boss" || !strings.Contains(v.Text, "The law decides.") ||
				len(v.Notes) > 0 {
				t.Fatalf("verdict %+v", v)
			}
			if total := budget.TotalSpending(s); total.Calls != 5 {
				t.Errorf("it took %d calls", total.Calls)
			}
			if s.ChairTurns != 1 || s.LightAttempt != 1 {
				t.Errorf("%d turns of chairs, attempt %d of the light model", s.ChairTurns, s.LightAttempt)
			}
		})
	}
}

func TestResume_takesTheReportOfTheChairThatSucceededAndSaysWhoDidNot(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	asked := map[string]int{}
	models := perModel(map[string]replyFunc{
		"boss": replyFailing("The server is down."), "m1": countAuxiliary(asked), "m2": replyText("So."),
	})
	h.interruptedAt("verdict", models)
	s := h.changed(h.seatedSession("expert-panel", 1, 2), func(s *debate.Session) {
		s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"}
	})
	var err error
	if _, s, err = drain(h.engine.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run was not cut short: %v", err)
	}
	h.useProvider(models)
	_, s = h.run(s)
	if down := len(models.requests("boss")); asked["verdict"] != 1 || down != 1 || s.ChairTurns != 2 {
		t.Errorf("asked %v, the other %d times", asked, down)
	}
	if v := s.Verdict; v == nil || v.Chair != s.Seats[0].ID ||
		!slices.Equal(v.Notes, []string{"Written by another chair: Boss failed: The server is down."}) {
		t.Errorf("verdict %+v", v)
	}
}

func TestResume_asksAgainWhereThePromptIsAnotherOne(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	asked := map[string]int{}
	models := perModel(map[string]replyFunc{"m1": countAuxiliary(asked), "m2": replyText("So.")})
	h.interruptedAt("verdict", models)
	_, s, err := drain(h.engine.Start(t.Context(), h.seatedSession("expert-panel", 1, 2)))
	if !errors.Is(err, errFull) {
		t.Fatalf("the run was not cut short: %v", err)
	}
	h.useProvider(models)
	s = must.Get(h.store.AddRounds(t.Context(), s.ID, 1))(t)
	if _, s = h.runToVerdict(s); asked["verdict"] != 2 || len(s.History) != 2 {
		t.Errorf("asked %v", asked)
	}
}
