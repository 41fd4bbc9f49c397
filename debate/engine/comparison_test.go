package engine_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// asksToCompare reports whether a model is asked which findings of a review are the same.
func asksToCompare(r agents.Request) bool {
	return strings.Contains(r.Messages[0].Text, "which reports of a review are about the same defect")
}

// replyComparing takes two findings of reviewers to be the same.
var replyComparing = replyText(`{"groups": [["H1", "H3"]]}`)

// newReview returns a harness with three reviewers and a light model.
func newReview(t *testing.T, light replyFunc) *harness {
	t.Helper()
	h := newHarness(t, reviewers())
	h.provider.replies["light"] = light
	return h
}

func TestComparison_isChargedToTheLightModelAndNotMadeAnew(t *testing.T) {
	t.Parallel()
	h := newReview(t, replyComparing)
	evs, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		price := 1000.0
		s.Light.PriceIn, s.Light.PriceOut = &price, &price
	}))
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Purpose != debate.ForLight ||
		s.AuxiliarySpending[0].Calls != 1 || *s.AuxiliarySpending[0].Cost <= 0 {
		t.Errorf("it took %+v", s.AuxiliarySpending)
	}
	for _, ev := range eventsOf[debate.TurnStarted](evs) {
		if ev.Turn.Step < 0 {
			t.Errorf("the light model is shown as a seat: %+v", ev.Turn)
		}
	}
	turn := agents.Turn{Session: s.ID, Round: 1, Step: debate.CompareStep, Attempt: 1, Agent: "light"}
	if _, receipt, err := h.store.Prompt(t.Context(), s.ID, turn, 1); err != nil || receipt.Purpose != debate.ForLight || !receipt.Intact {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
	if read := h.read(s); len(read.History[0].Same.Groups) != 1 || len(h.provider.requests("light")) != 1 {
		t.Errorf("read back: %+v", read.History[0].Same)
	}
}

func TestComparison_thatFailsSaysWhyAndTheRoundCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		light replyFunc
		cause string
	}{
		{"refused", replyFailing("Light is busy."), "Light is busy"},
		{"prose", replyText("They agree."), "holds no groups"},
		{"a panic", func(int, agents.Request) ([]agents.Chunk, error) { panic("oh") }, "panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newReview(t, c.light)
			_, s := h.run(h.startReview(addLight))
			if same := h.read(s).History[0].Same; same == nil || same.By != "Light" || len(same.Groups) > 0 ||
				!strings.Contains(same.Ignored, c.cause) || s.Status() != debate.Ready {
				t.Fatalf("compared: %+v", same)
			}
			if _, s = h.run(s); s.Status() != debate.Complete {
				t.Errorf("round 2: %s", s.Status())
			}
		})
	}
}

func TestComparison_aBudgetThatItCouldPassIsKept(t *testing.T) {
	t.Parallel()
	h := newReview(t, replyComparing)
	_, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		s.Light.MaxTokens = 50_000
		s.Budget.Tokens = 20_000
	}))
	if same := s.History[0].Same; !strings.Contains(same.Ignored, "The budget of 20000 tokens does not allow this call") ||
		len(h.provider.requests("light")) != 0 || s.Status() != debate.Ready {
		t.Errorf("compared: %+v, %s", same, s.Status())
	}
}

func TestComparison_thatIsStoppedIsMadeWhenTheRoundIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newReview(t, replyComparing)
		p := h.holding(asksModel("light"))
		run := h.engine.Start(t.Context(), h.startReview(addLight))
		_, s, err := follow(run, func(ev debate.Event) {
			if _, ok := ev.(debate.Assisting); ok {
				run.Stop()
			}
		})
		if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
			t.Fatalf("%v, %s", err, s.Status())
		}
		p.free.Store(true)
		if _, s = h.run(s); len(s.History[0].Same.Groups) != 1 || len(h.provider.requests("ann")) != 1 {
			t.Errorf("compared: %+v; a seat was asked %d times", s.History[0].Same, len(h.provider.requests("ann")))
		}
	})
}

func TestComparison_thatTakesTooLongIsIgnored(t *testing.T) {
	t.Parallel()
	for loop, limit := range map[bool]time.Duration{false: time.Minute, true: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			h := newReview(t, replyComparing)
			h.holding(asksModel("light"))
			began := time.Now()
			evs, s := h.run(h.startReview(func(s *debate.Session) {
				addLight(s)
				s.Light.Loop = loop
			}))
			said := eventsOf[debate.Assisting](evs) // what the round waits for, before it is there
			if len(said) != 1 || said[0].Profile.Name != "Light" || said[0].Limit != limit || !said[0].At.Equal(began) {
				t.Errorf("said %+v", said)
			}
			if same := s.History[0].Same; same.Ignored != "Light did not answer within "+limit.String() || time.Since(began) != limit {
				t.Errorf("after %s: %+v", time.Since(began), same)
			}
			if s.AuxiliarySpending[0].Calls != 1 || s.Status() != debate.Ready {
				t.Errorf("%+v, %s", s.AuxiliarySpending, s.Status())
			}
		})
	}
}
