package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/e2e/endpoint"
)

// useServer makes the table's engine speak to the server.
func (h *harness) useServer(s *endpoint.Server) {
	h.Helper()
	client, err := openai.New("test", openai.Config{BaseURL: s.URL + "/v1"}, openai.Options{})
	if err != nil {
		h.Fatal(err)
	}
	provider := func(agents.Profile) (agents.Provider, error) { return client, nil }
	h.engine = engine.New(engine.Options{Recorder: h.store, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
}

func TestStart_overHTTPThreeModelsAskAtOnceAndShareTheAnswer(t *testing.T) {
	t.Parallel()
	var open sync.WaitGroup
	open.Add(3)
	questions := map[string]string{"m1": "What is the budget?", "m2": "what is the BUDGET", "m3": "Who decides?"}
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		switch last := r.Last(); {
		case last.Role == "tool":
			return endpoint.Reply{Text: "I wait for the answer, says " + r.Model + "."}
		case len(r.Tools) > 0 && strings.Contains(r.Last().Content, "This is round 1 of"):
			open.Done()
			open.Wait() // all three requests of round 1 are open at once
			return endpoint.Reply{Call: fmt.Sprintf(`{"query":%q,"reason":"it decides","priority":"required"}`, questions[r.Model])}
		}
		return endpoint.Reply{Text: "Done, says " + r.Model + "."}
	})
	h := newHarness(t, nil)
	h.useServer(srv)
	evs, s := h.run(h.session("collaborative", 2, "m1", "m2", "m3"))
	for _, e := range eventsOf[debate.ToolEnded](evs) {
		if !strings.Contains(e.Tool.Args, questions[string(e.Turn.Agent)]) {
			t.Errorf("the call %s is shown under %s", e.Tool.Args, e.Turn.Agent)
		}
	}
	for _, x := range s.History[0].Responses {
		if got := x.Passages[0].Tools[0].Args; !strings.Contains(got, questions[string(x.Turn.Agent)]) {
			t.Errorf("%s is stored under %s", got, x.Turn.Agent)
		}
	}
	if len(s.Requests) != 2 {
		t.Fatalf("%d requests, want the shared one and the other: %+v", len(s.Requests), s.Requests)
	}
	for _, r := range s.Requests {
		want := 1
		if r.Key == ledger.Key("What is the budget?") {
			want = 2
		}
		if got := len(r.Askers()); got != want {
			t.Errorf("%s has %d askers, want %d", r.Query, got, want)
		}
	}
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "ten-thousand"},
		ledger.Submission{Request: "C2", Outcome: ledger.Answered, Content: "the-board"})
	_, s = h.run(s)
	for _, m := range []string{"m1", "m2", "m3"} {
		second := srv.Requests(m)[2]
		if len(second.Messages) != 2 || second.Messages[0].Role != "system" || second.Messages[1].Role != "user" {
			t.Fatalf("round 2 of %s sends %+v, want a system and a user message", m, second.Messages)
		}
		text := second.Messages[1].Content
		for _, once := range []string{"ten-thousand", "the-board", "Who decides?"} {
			if n := strings.Count(text, once); n != 1 {
				t.Errorf("%s reads %q %d times, want once:\n%s", m, once, n, text)
			}
		}
	}
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}

func TestStart_overHTTPAServerErrorStaysOutOfTheDebate(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m2" {
			return endpoint.Reply{Status: http.StatusBadRequest}
		}
		return endpoint.Reply{Text: "Fine, says " + r.Model + "."}
	})
	h := newHarness(t, nil)
	h.useServer(srv)
	_, s := h.run(h.session("collaborative", 2, "m1", "m2", "m3"))
	x := s.History[0].AttemptsOf("m2")[0]
	if x.State != debate.TurnFailed || !strings.Contains(x.Failure.Cause, "the server exploded") {
		t.Fatalf("m2 = %+v", x.Failure)
	}
	_, s = h.run(s)
	for _, m := range []string{"m1", "m3"} {
		for _, r := range srv.Requests(m) {
			for _, msg := range r.Messages {
				if strings.Contains(msg.Content, "exploded") {
					t.Fatalf("%s reads the error text:\n%s", m, msg.Content)
				}
			}
		}
	}
	if !verdict.Count(s).Incomplete {
		t.Error("the result is not incomplete")
	}
}
