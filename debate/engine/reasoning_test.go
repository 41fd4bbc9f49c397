package engine_test

import (
	"context"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

const (
	aThought = "Okay, the user wants a vote. I lean to NO-SUCH-THOUGHT."
	anAnswer = "It is so.\n\n```json\n{\"position\": \"It is so.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
)

// newThinkingHarness has m1 think without an opening mark. The rest of its first answer waits until it may go on.
func newThinkingHarness(t *testing.T, goOn <-chan struct{}) *harness {
	h := newHarness(t, map[string]replyFunc{"m1": replyText(anAnswer[2:] + "<|im_end|>"), "m2": replyText(anAnswer)})
	first, thinks := true, asksModel("m1")
	h.useProvider(wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
		if !thinks(req) {
			return true
		}
		for _, piece := range []string{aThought[:20], aThought[20:] + "\n</thi", "nk>\n\nIt"} {
			if !yield(agents.Chunk{Text: piece}, nil) {
				return false
			}
		}
		if first {
			first = false
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return true
	}})
	return h
}

// partOf returns the only attempt of a seat in the first round.
func partOf(t *testing.T, s debate.Session, seat agents.ID) debate.Response {
	t.Helper()
	all := s.History[0].AttemptsOf(seat)
	if len(all) != 1 || len(all[0].Passages) != 1 {
		t.Fatalf("%s has %+v", seat, all)
	}
	return all[0]
}

// reopened returns the session as another process reads it.
func (h *harness) reopened(id string) debate.Session {
	h.Helper()
	other := must.Get(store.Open(h.Context(), h.path, store.Options{}))(h)
	defer func() { must.Do(h, other.Close()) }()
	return must.Get(other.Session(h.Context(), id))(h)
}

func TestStart_whatWasReasoningIsNowhereInTheStatement(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	h := newThinkingHarness(t, goOn)
	s := h.session("collaborative", 2, "m1", "m2")
	run := h.engine.Start(t.Context(), s)
	var shown, thought string
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.Text:
			if ev.Turn.Agent != "m1" || ev.Turn.Round != 1 {
				continue
			}
			if ev.Moves { // that is stored before it is shown
				if ev.Text != shown {
					t.Errorf("%q becomes reasoning after %q was shown", ev.Text, shown)
				}
				shown = ""
				x := partOf(t, h.reopened(s.ID), "m1")
				p := x.Passages[0]
				if x.State == debate.TurnDone || p.Text != "" || !strings.HasPrefix(aThought+"\n", p.Reasoning) || p.Reasoning == "" {
					t.Errorf("stored before it is shown: %s %+v", x.State, p)
				}
				close(goOn)
			}
			if ev.Reasoning {
				thought += ev.Text
			} else {
				shown += ev.Text
			}
		case debate.RunEnded:
			s = ev.Session
		default:
		}
	}
	if shown != anAnswer || thought != aThought+"\n" {
		t.Errorf("shown %q, thought %q", shown, thought)
	}
	for name, s := range map[string]debate.Session{"announced": s, "stored": h.reopened(s.ID)} {
		x := partOf(t, s, "m1")
		if x.Statement.Body != "It is so." || x.Statement.Vote != "yes" || x.Text() != anAnswer || x.Passages[0].Reasoning != aThought+"\n" {
			t.Errorf("%s: %+v with %+v", name, x.Statement, x.Passages)
		}
	}
	_, s = h.run(s)
	if sent := mustJSON(t, h.provider.requests("m2")); strings.Contains(sent, "NO-SUCH-THOUGHT") {
		t.Errorf("m2 reads what m1 thought: %s", sent)
	}
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}

func TestStart_aKillLeavesReasoningReasoning(t *testing.T) {
	t.Parallel()
	h := newThinkingHarness(t, nil)
	s := h.session("collaborative", 1, "m1", "m2")
	run := h.engine.Start(t.Context(), s)
	for ev := range run.Events() {
		if ev, ok := ev.(debate.Text); ok && ev.Moves {
			run.Stop()
		}
	}
	x := partOf(t, h.reopened(s.ID), "m1")
	if p := x.Passages[0]; x.State != debate.TurnInterrupted || !strings.HasPrefix("It", p.Text) || p.Reasoning != aThought+"\n" {
		t.Errorf("%s with %+v", x.State, p)
	}
	h.open()
	_, s = h.run(h.reopened(s.ID))
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}
