package engine_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

// runInterrupted plays three rounds of four with tight windows. The second is stopped
// while seat b speaks, if stop is set, and another engine goes on.
func runInterrupted(t *testing.T, stop bool, summary replyFunc) (*harness, debate.Session) {
	t.Helper()
	begun, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	halting := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if stop && strings.Contains(req.Messages[1].Text, "This is round 2 of ") {
			once.Do(func() {
				close(begun)
				<-release
			})
		}
		return replyLong("b", 5000)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many?", replyLong("a", 5000)), "b": halting,
		"c": replyLong("c", 5000), "light": summary,
	})
	tight := func(s *debate.Session) {
		withLight(4200)(s) // what three seats say is too much
		s.Nonce = "the same"
	}
	_, s := h.run(h.smallSession("collaborative", 4, tight, "a", "b", "c"))
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	if stop {
		run := h.engine.Start(t.Context(), s)
		var stopping sync.WaitGroup
		stopping.Go(func() {
			<-begun
			run.Stop()
			close(release)
		})
		if _, _, err := drain(run); !errors.Is(err, debate.ErrStopped) {
			t.Fatalf("err = %v", err)
		}
		stopping.Wait()
		s = h.read(s)
		h.open() // another process
		_, s = h.run(s)
	}
	_, s = h.runRounds(s, 3)
	return h, s
}

func TestI15_aResumedDebateSendsWhatAnUninterruptedOneSends(t *testing.T) {
	t.Parallel()
	whole, _ := runInterrupted(t, false, replySummary(25))
	again, _ := runInterrupted(t, true, replySummary(25))
	for _, seat := range []string{"a", "b", "c"} {
		for round := 1; round <= 3; round++ {
			if whole.userPrompt(seat, round) != again.userPrompt(seat, round) {
				t.Errorf("round %d of %s differs after a resume", round, seat)
			}
		}
	}
	if !strings.Contains(whole.userPrompt("a", 3), "[summary of ") {
		t.Errorf("nothing was summarised: this test says nothing:\n%.2000s", whole.userPrompt("a", 3))
	}
}

func TestI16_anInterruptedTurnIsSentAgainAsItWas(t *testing.T) {
	t.Parallel()
	moody := func(n int, req agents.Request) ([]agents.Chunk, error) { // it fails before the interruption, and works after it
		if strings.Contains(req.Messages[1].Text, "in round 1 thinks") && n <= 3 {
			return replyFailing("down")(n, req)
		}
		return replySummary(25)(n, req)
	}
	h, s := runInterrupted(t, true, moody)
	var first []string
	for _, r := range h.provider.requests("b") {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, "This is round 2 of ") {
			first = append(first, mustJSON(t, r))
		}
	}
	if len(first) != 2 || first[0] != first[1] {
		t.Fatalf("%d first requests of round 2, or not the same", len(first))
	}
	if !strings.Contains(first[0], "[shortened]") {
		t.Errorf("nothing was shortened: this test says nothing: %.1500s", first[0])
	}
	attempts := s.History[1].AttemptsOf("b")
	if len(attempts) != 2 || attempts[0].State != debate.TurnInterrupted || attempts[1].State != debate.TurnDone ||
		mustJSON(t, attempts[0].ContextFit) != mustJSON(t, attempts[1].ContextFit) {
		t.Errorf("attempts = %+v", attempts)
	}
	for _, seat := range []agents.ID{"a", "c"} {
		for _, x := range s.History[1].AttemptsOf(seat) {
			if x.State == debate.TurnDone && x.Turn.Attempt > 2 {
				t.Errorf("%s had finished and was asked again", seat)
			}
		}
	}
}

func TestI17_whoCannotBeAskedIsNamedAndKeptBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("a speaks"), "c": replyText("c speaks")})
	_, s := h.run(h.session("collaborative", 3, "a", "b", "c"))
	provider := func(p agents.Profile) (agents.Provider, error) {
		if p.ID == "b" {
			return nil, &agents.Failure{Kind: agents.KindConfig, Cause: "The configuration has no provider \"test\".", Remedy: "Add it."}
		}
		return h.provider, nil
	}
	h.use(engine.Options{Provider: provider})
	const text = "B cannot be asked: The configuration has no provider \"test\". Add it."
	for range 2 { // taken up again
		evs, next, err := drain(h.engine.Start(t.Context(), s))
		must.Do(t, err)
		first, ok := evs[0].(debate.Noticed)
		if !ok || first.Notice.Text != text || first.Notice.Agent != "b" {
			t.Errorf("the first event is %+v", evs[0])
		}
		if s = next; len(s.History) > 2 {
			break
		}
	}
	if kept := noticesOf(h.read(s), "cannot_ask"); !slices.Equal(kept, []string{text}) {
		t.Errorf("kept is %q", kept)
	}
}
