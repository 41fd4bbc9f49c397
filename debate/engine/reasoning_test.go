package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

const (
	aThought = "Okay, the user wants a vote. I lean to NO-SUCH-THOUGHT."
	anAnswer = "It is so.\n\n```json\n{\"position\": \"It is so.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
)

// streamPieces writes each piece as an event, and calls sent after it.
func streamPieces(w http.ResponseWriter, sent func(i int), pieces ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for i, piece := range pieces {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
		_ = http.NewResponseController(w).Flush()
		sent(i)
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// thinkingServer has m1 think without an opening mark. The rest of its first answer waits until
// it may go on.
func thinkingServer(t *testing.T, goOn <-chan struct{}) *endpoint.Server {
	first := true
	return endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model != "m1" {
			return endpoint.Reply{Text: anAnswer}
		}
		wait := first
		first = false
		return endpoint.Reply{Serve: func(w http.ResponseWriter, hr *http.Request) {
			streamPieces(w, func(i int) {
				if wait && i == 2 {
					select {
					case <-goOn:
					case <-hr.Context().Done():
					}
				}
			}, aThought[:20], aThought[20:]+"\n</thi", "nk>\n\nIt", anAnswer[2:]+"<|im_end|>")
		}}
	})
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
	other, err := store.Open(h.Context(), h.path, store.Options{})
	must.Do(h, err)
	defer func() {
		if err := other.Close(); err != nil {
			h.Error(err)
		}
	}()
	s, err := other.Session(h.Context(), id)
	must.Do(h, err)
	return s
}

func TestStart_overHTTPWhatWasReasoningIsNowhereInTheStatement(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	srv := thinkingServer(t, goOn)
	h := newHarness(t, nil)
	h.useServer(srv)
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
	for _, r := range srv.Requests("m2") {
		if strings.Contains(r.Raw, "NO-SUCH-THOUGHT") {
			t.Errorf("m2 reads what m1 thought: %s", r.Raw)
		}
	}
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}

func TestStart_overHTTPAKillLeavesReasoningReasoning(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	h := newHarness(t, nil)
	h.useServer(thinkingServer(t, never))
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
	h.useServer(endpoint.New(t, func(endpoint.Request) endpoint.Reply { return endpoint.Reply{Text: anAnswer} }))
	_, s = h.run(h.reopened(s.ID))
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}
