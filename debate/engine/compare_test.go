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

func TestCompare_isChargedToTheLightModel(t *testing.T) {
	t.Parallel()
	replies := reviewers()
	replies["light"] = replyText(`{"groups": [["H1", "H3"]]}`)
	h := newHarness(t, replies)
	evs, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		price := 1000.0
		s.Light.PriceIn, s.Light.PriceOut = &price, &price
	}))
	if same := s.History[0].Same; same == nil || same.By != "Light" || len(same.Groups) != 1 {
		t.Fatalf("the same findings: %+v", same)
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
		Session: s.ID, Round: 1, Step: debate.CompareStep,
		Attempt: 1, Agent: "light",
	}, 1)
	if err != nil || receipt.Purpose != debate.ForLight || !receipt.Intact {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
}

func TestCompare_thatFailsSaysWhyAndTheRoundCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		light replyFunc
		cause string
	}{
		{"refused", replyFailing("Light is busy."), "Light is busy"},
		{"prose", replyText("They are the same."), "it holds no groups"},
		{"a panic", func(int, agents.Request) ([]agents.Chunk, error) { panic("oh") }, "panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			replies := reviewers()
			replies["light"] = c.light
			h := newHarness(t, replies)
			evs, s := h.run(h.startReview(addLight))
			got := s.History[0].Same
			if got == nil || len(got.Groups) > 0 || !strings.Contains(got.Ignored, c.cause) || s.History[0].Ended.IsZero() {
				t.Fatalf("the same findings: %+v", got)
			}
			if a := eventsOf[debate.RoundCounted](evs); len(a) != 1 || a[0].Same.Ignored != got.Ignored {
				t.Errorf("announced: %+v", a)
			}
			if _, s = h.run(s); s.Status() != debate.Complete {
				t.Errorf("round 2: %s", s.Status())
			}
		})
	}
}

// Nobody is asked about agreement: it is counted.
func TestLightModel_isAskedForSummariesAndComparisonsOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("no", 0.9), "light": replyText("{}")})
	evs, s := h.run(h.smallSession("collaborative", 2, addLight, "a", "b"))
	if n := len(h.provider.requests("light")); n != 0 || s.History[0].Same != nil || len(eventsOf[debate.Assisting](evs)) > 0 {
		t.Errorf("the light model was asked %d times", n)
	}
}

// hangingLight answers its first request when it is cancelled, and not before.
type hangingLight struct {
	*scriptedProvider
	begun chan struct{}
	once  sync.Once
}

func (h *hangingLight) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
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

func TestCompare_thatIsStoppedIsMadeWhenTheRoundIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	replies := reviewers()
	replies["light"] = replyText(`{"groups": [["H1", "H3"]]}`)
	h := newHarness(t, replies)
	light := &hangingLight{scriptedProvider: h.provider, begun: make(chan struct{})}
	h.useProvider(light)
	run := h.engine.Start(t.Context(), h.startReview(addLight))
	go func() {
		<-light.begun
		run.Stop()
	}()
	_, s, err := drain(run)
	if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
		t.Fatalf("%v, %s", err, s.Status())
	}
	_, s = h.run(s)
	if same := s.History[0].Same; same == nil || len(same.Groups) != 1 {
		t.Errorf("the same findings: %+v", same)
	}
	if n := len(h.provider.requests("ann")); n != 1 {
		t.Errorf("a seat was asked %d times", n)
	}
}

func TestCompare_thatTakesTooLongSaysSo(t *testing.T) {
	t.Parallel()
	for loop, limit := range map[bool]time.Duration{false: time.Minute, true: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, reviewers())
			h.useProvider(&hangingLight{scriptedProvider: h.provider, begun: make(chan struct{})})
			began := time.Now()
			evs, s := h.run(h.startReview(func(s *debate.Session) {
				addLight(s)
				s.Light.Loop = loop
			}))
			if same := s.History[0].Same; same == nil || same.Ignored != "Light did not answer within "+limit.String() || time.Since(began) != limit {
				t.Errorf("after %s: %+v", time.Since(began), same)
			}
			if told := eventsOf[debate.Assisting](evs); len(told) != 1 || told[0].Limit != limit ||
				told[0].Description() != "Light is comparing findings" {
				t.Errorf("told: %+v, want a limit of %s", told, limit)
			}
			if s.AuxiliarySpending[0].Calls != 1 || s.Status() != debate.Ready {
				t.Errorf("%+v, %s", s.AuxiliarySpending, s.Status())
			}
		})
	}
}
