package engine_test

import (
	"testing"
	"testing/synctest"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// A seat that is cancelled while others speak before it is asked nothing, and the
// round ends without it.
func TestCancel_skipsASeatWhoseStepIsToCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("Fine."), "b": replyText("Fine."), "c": replyText("Fine.")})
		until := make(chan struct{})
		provider := func(p agents.Profile) (agents.Provider, error) { return waitingProvider{h.provider, until}, nil }
		h.engine = engine.New(engine.Options{Recorder: h.store, Provider: provider})
		run := h.engine.Start(t.Context(), h.session("adversarial", 2, "a", "b", "c"))
		var events []debate.Event
		for ev := range run.Events() {
			events = append(events, ev)
			if x, ok := ev.(debate.TurnStarted); ok && x.Turn.Agent == "a" {
				run.Cancel(agents.Turn{Session: x.Turn.Session, Round: 1, Step: x.Turn.Step + 1, Agent: "b"})
				synctest.Wait()
				close(until)
			}
		}
		ended := map[agents.ID]debate.Response{}
		for _, ev := range eventsOf[debate.TurnEnded](events) {
			ended[ev.Response.Turn.Agent] = ev.Response
		}
		if b := ended["b"]; b.State != debate.TurnCancelled || b.Calls != 0 || len(h.provider.requests("b")) != 0 {
			t.Errorf("b: %+v", b)
		}
		if ended["a"].State != debate.TurnDone || ended["c"].State != debate.TurnDone {
			t.Errorf("a %s, c %s", ended["a"].State, ended["c"].State)
		}
		s, err := h.store.Session(t.Context(), ended["a"].Turn.Session)
		if err != nil || s.Status() != debate.Ready {
			t.Errorf("afterwards it is %s, %v", s.Status(), err)
		}
	})
}
