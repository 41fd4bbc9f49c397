package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/store"
)

// interruptedStore is a store that takes everything until a run comes to a method by
// which the outcome of an answer is kept: there the process could have ended.
type interruptedStore struct {
	*store.Store
	at string
}

var errInterrupted = errors.New("the process ended")

func (c *interruptedStore) EndRound(ctx context.Context, session string, round int, same *debate.SameFindings,
	ending debate.StopReason,
) (debate.Session, error) {
	if c.at == "comparison" {
		return debate.Session{}, errInterrupted
	}
	return c.Store.EndRound(ctx, session, round, same, ending)
}

func (c *interruptedStore) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	if c.at == "verdict" {
		return debate.Session{}, errInterrupted
	}
	return c.Store.SaveVerdict(ctx, session, v)
}

// through makes the table's engine record with a store that is cut short.
func (h *harness) useRecorder(c *interruptedStore, models agents.Provider) {
	provider := func(agents.Profile) (agents.Provider, error) { return models, nil }
	h.engine = engine.New(engine.Options{Recorder: c, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
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
	for _, at := range []string{"comparison", "verdict"} {
		t.Run(at, func(t *testing.T) {
			h := newHarness(t, nil)
			asked := map[string]int{}
			seats, speak := reviewers(), countAuxiliary(asked)
			c := &interruptedStore{Store: h.store, at: at}
			h.useRecorder(c, perModelProvider{"light": speak, "boss": speak, "ann": seats["ann"], "ben": seats["ben"], "cat": seats["cat"]})
			_, s, err := drain(h.engine.Start(t.Context(), h.startReview(func(s *debate.Session) {
				s.Rounds, s.Chair = 1, &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"}
				addLight(s)
			})))
			if !errors.Is(err, errInterrupted) {
				t.Fatalf("the run was not cut short: %v", err)
			}
			c.at = ""
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
	down := 0
	boss := func(n int, req agents.Request) ([]agents.Chunk, error) {
		down++
		return replyFailing("The server is down.")(n, req)
	}
	c := &interruptedStore{Store: h.store, at: "verdict"}
	h.useRecorder(c, perModelProvider{"boss": boss, "m1": countAuxiliary(asked), "m2": replyText("So.")})
	s := h.seatedSession("expert-panel", 1, 2)
	s.ID, s.Chair = "", &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"}
	s, err := h.store.Create(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, s, err = drain(h.engine.Start(t.Context(), s)); !errors.Is(err, errInterrupted) {
		t.Fatalf("the run was not cut short: %v", err)
	}
	c.at = ""
	_, s = h.run(s)
	if asked["verdict"] != 1 || down != 1 || s.ChairTurns != 2 {
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
	c := &interruptedStore{Store: h.store, at: "verdict"}
	h.useRecorder(c, perModelProvider{"m1": countAuxiliary(asked), "m2": replyText("So.")})
	_, s, err := drain(h.engine.Start(t.Context(), h.seatedSession("expert-panel", 1, 2)))
	if !errors.Is(err, errInterrupted) {
		t.Fatalf("the run was not cut short: %v", err)
	}
	c.at = ""
	if s, err = h.store.AddRounds(t.Context(), s.ID, 1); err != nil {
		t.Fatal(err)
	}
	if _, s = h.runToVerdict(s); asked["verdict"] != 2 || len(s.History) != 2 {
		t.Errorf("asked %v", asked)
	}
}
