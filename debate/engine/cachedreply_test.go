package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
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

func (c *interruptedStore) EndRound(ctx context.Context, session string, round int, x *debate.SameFindings,
	ending debate.StopReason,
) (debate.Session, error) {
	if c.at == "analysis" {
		return debate.Session{}, errInterrupted
	}
	return c.Store.EndRound(ctx, session, round, x, ending)
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

// countAuxiliary counts the requests that are for a report.
func countAuxiliary(asked map[string]int) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		switch system := req.Messages[0].Text; {
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
	for _, at := range []string{"verdict"} {
		t.Run(at, func(t *testing.T) {
			h := newHarness(t, nil)
			asked := map[string]int{}
			speak := countAuxiliary(asked)
			c := &interruptedStore{Store: h.store, at: at}
			h.useRecorder(c, perModelProvider{"light": speak, "boss": speak, "m1": replyText("So."), "m2": replyText("So.")})
			s := h.seatedSession("expert-panel", 1, 2)
			s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss"}
			s = h.sessionWithLight(s)
			_, s, err := drain(h.engine.Start(t.Context(), s))
			if !errors.Is(err, errInterrupted) {
				t.Fatalf("the run was not cut short: %v", err)
			}
			c.at = ""
			_, s = h.run(s)
			if asked["verdict"] != 1 {
				t.Errorf("asked %v", asked)
			}
			v := s.Verdict
			if v == nil || v.Chair != "boss" || !strings.Contains(v.Text, "The law decides.") ||
				strings.Contains(strings.Join(v.Warnings, " "), "another chair") {
				t.Fatalf("verdict %+v", v)
			}
			for _, sp := range v.Spending {
				calls := map[debate.Purpose]int{debate.ForMember: 2, debate.ForChair: 1, "": 3}
				if want := calls[sp.Purpose]; sp.Calls != want {
					t.Errorf("%q took %d calls, want %d", sp.Purpose, sp.Calls, want)
				}
			}
			if s.ChairTurns != 1 {
				t.Errorf("%d turns of chairs", s.ChairTurns)
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
	if v := s.Verdict; v == nil || v.Chair != s.Seats[0].ID || len(v.Warnings) == 0 ||
		v.Warnings[len(v.Warnings)-1] != "Written by another chair: Boss failed: The server is down." {
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

// sessionWithLight gives a session a light model.
func (h *harness) sessionWithLight(s debate.Session) debate.Session {
	h.Helper()
	s.ID, s.Light = "", &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light"}
	s, err := h.store.Create(h.Context(), s)
	if err != nil {
		h.Fatal(err)
	}
	return s
}
