package engine_test

import (
	"slices"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// A run has begun before its first event, and has ended before its last one.
func TestOnRun_framesTheEvents(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("So.")})
	s := h.smallSession("collaborative", 1, func(*debate.Session) {}, "a", "b")
	var told []bool
	e := engine.New(engine.Options{
		Recorder: h.store, Provider: func(agents.Profile) (agents.Provider, error) { return h.provider, nil },
		OnRun: func(id string, runs bool) { told = append(told, runs && id == s.ID) },
	})
	if _, _, err := drain(e.Start(t.Context(), s)); err != nil || !slices.Equal(told, []bool{true, false}) {
		t.Errorf("told %v, %v", told, err)
	}
}
