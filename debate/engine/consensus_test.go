package engine_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

func TestConsensus_isMeasuredAndChargedByTheLightModel(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": replyLevel(0.4)})
	evs, s := h.run(h.smallSession("collaborative", 2, func(s *debate.Session) {
		addLight(s)
		price := 1000.0
		s.Light.PriceIn, s.Light.PriceOut = &price, &price
	}, "a", "b"))
	c := s.History[0].Consensus
	if c == nil || c.Level == nil || *c.Level != 0.4 || c.Method != debate.ConsensusByModel || c.Model != "light" || !c.Opposed {
		t.Fatalf("consensus %+v", c)
	}
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Purpose != debate.ForLight ||
		s.AuxiliarySpending[0].Calls != 1 || *s.AuxiliarySpending[0].Cost <= 0 {
		t.Errorf("it took %+v", s.AuxiliarySpending)
	}
	for _, ev := range eventsOf[debate.TurnStarted](evs) {
		if ev.Turn.Step < 0 {
			t.Errorf("the light model is shown as a seat: %+v", ev.Turn)
		}
	}
	_, receipt, err := h.store.Prompt(t.Context(), s.ID, agents.Turn{
		Session: s.ID, Round: 1, Step: debate.AnalysisStep,
		Attempt: 1, Agent: "light",
	}, 1)
	if err != nil || receipt.Purpose != debate.ForLight || !receipt.Intact {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
	asked := len(h.provider.requests("light"))
	if read, err := h.store.Session(t.Context(), s.ID); err != nil || *read.History[0].Consensus.Level != 0.4 ||
		len(h.provider.requests("light")) != asked {
		t.Errorf("reading measures anew: %v", err)
	}
	_, s = h.run(s)
	if spent := s.Verdict.Spending; len(spent) != 4 || spent[2].Purpose != debate.ForLight || spent[2].Calls != 2 {
		t.Errorf("the verdict says %+v", spent)
	}
}

func TestConsensus_thatFailsIsUnavailableAndTheRoundCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		light replyFunc
		cause string
	}{
		{"refused", replyFailing("Light is busy."), "Light failed: Light is busy"},
		{"prose", replyText("They agree."), "Light gave an unreadable analysis: it holds no JSON object"},
		{"a panic", func(int, agents.Request) ([]agents.Chunk, error) { panic("oh") }, "panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": c.light})
			evs, s := h.run(h.smallSession("collaborative", 2, addLight, "a", "b"))
			got := s.History[0].Consensus
			if got == nil || got.Method != debate.ConsensusUnavailable || got.Level != nil || !strings.Contains(got.Cause,
				c.cause) || s.History[0].Ended.IsZero() {
				t.Fatalf("consensus %+v", got)
			}
			if a := eventsOf[debate.Assessed](evs); len(a) != 1 || a[0].Consensus.Cause != got.Cause {
				t.Errorf("announced: %+v", a)
			}
			if _, s = h.run(s); s.Status() != debate.Complete {
				t.Errorf("round 2: %s", s.Status())
			}
		})
	}
}

func TestConsensus_aBudgetThatTheAnalysisCouldPassIsKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": replyLevel(1)})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) {
		addLight(s)
		s.Light.MaxTokens = 50_000
		s.Budget.Tokens = 12_000
	}, "a", "b")
	_, s = h.run(s)
	if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable || !strings.Contains(c.Cause,
		"The budget of 12000 tokens does not allow this call") || len(h.provider.requests("light")) != 0 {
		t.Errorf("consensus %+v", c)
	}
	if s.Status() != debate.Ready {
		t.Errorf("the session is %s", s.Status())
	}
}

// hangingAnalysis answers its first analysis when it is cancelled, and not before.
type hangingAnalysis struct {
	*scriptedProvider
	begun chan struct{}
	once  sync.Once
}

func (h *hangingAnalysis) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	first := false
	if req.Model == "light" {
		h.once.Do(func() { first = true })
	}
	if !first {
		return h.scriptedProvider.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		close(h.begun)
		<-ctx.Done()
		yield(agents.Chunk{}, ctx.Err())
	}
}

func TestConsensus_thatIsStoppedIsMeasuredWhenTheRoundIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": replyLevel(0.3)})
	light := &hangingAnalysis{scriptedProvider: h.provider, begun: make(chan struct{})}
	h.useProvider(light)
	run := h.engine.Start(t.Context(), h.smallSession("collaborative", 2, addLight, "a", "b"))
	go func() {
		<-light.begun
		run.Stop()
	}()
	_, s, err := drain(run)
	if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
		t.Fatalf("%v, %s", err, s.Status())
	}
	_, s = h.run(s)
	if c := s.History[0].Consensus; c == nil || c.Level == nil || *c.Level != 0.3 {
		t.Errorf("consensus %+v", c)
	}
	if n := len(h.provider.requests("a")); n != 1 {
		t.Errorf("a was asked %d times", n)
	}
}

func TestConsensus_thatTakesTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	for loop, limit := range map[bool]time.Duration{false: time.Minute, true: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": replyLevel(0.3)})
			h.useProvider(&hangingAnalysis{scriptedProvider: h.provider, begun: make(chan struct{})})
			began := time.Now()
			evs, s := h.run(h.smallSession("collaborative", 2, func(s *debate.Session) {
				addLight(s)
				s.Light.Loop = loop
			}, "a", "b"))
			if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable ||
				c.Cause != "Light did not answer within "+limit.String() || time.Since(began) != limit {
				t.Errorf("after %s: %+v", time.Since(began), c)
			}
			if told := eventsOf[debate.Assisting](evs); len(told) != 1 || told[0].Limit != limit {
				t.Errorf("told: %+v, want a limit of %s", told, limit)
			}
			if s.AuxiliarySpending[0].Calls != 1 || s.Status() != debate.Ready {
				t.Errorf("%+v, %s", s.AuxiliarySpending, s.Status())
			}
		})
	}
}
