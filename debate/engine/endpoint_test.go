package engine_test

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// useServer makes the engine speak to a server.
func (h *harness) useServer(srv *endpoint.Server) {
	h.Helper()
	client := must.Get(openai.New("test", openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Rand: func() float64 { return 0 }}))(h)
	h.useProvider(client)
}

func writeBody(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body)
		http.NewResponseController(w).Flush()
	}
}

// scriptedReplies answers each model with its replies in turn, the last one for ever, and
// whom it does not know with a statement.
func scriptedReplies(replies map[string][]endpoint.Reply) func(endpoint.Request) endpoint.Reply {
	var mu sync.Mutex
	return func(r endpoint.Request) endpoint.Reply {
		mu.Lock()
		defer mu.Unlock()
		all := replies[r.Model]
		if len(all) == 0 {
			return endpoint.Reply{Text: "Fine, says " + r.Model + "."}
		}
		if len(all) > 1 {
			replies[r.Model] = all[1:]
		}
		return all[0]
	}
}

// A wait that a provider asks for ends when the user says so, that of the chair too.
func TestRetryNow_endsTheWaitForAProvider(t *testing.T) {
	t.Parallel()
	pauses := endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}}
	for _, model := range []string{"a", "chair"} {
		t.Run(model, func(t *testing.T) {
			srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{model: {pauses, {Text: "## Conclusion\nSo it is."}}}))
			h := newHarness(t, nil)
			h.useServer(srv)
			s := h.changed(h.session("collaborative", 1, "a", "b"), func(s *debate.Session) {
				s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Provider: "test", Model: "chair"}
			})
			run := h.engine.Start(t.Context(), s)
			waits := 0
			for ev := range run.Events() {
				switch ev := ev.(type) {
				case debate.TurnRetrying:
					waits++
					if ev.Retry.In < 59*time.Minute || time.Until(ev.Retry.Until) < 59*time.Minute {
						t.Errorf("paused for %s until %s", ev.Retry.In, ev.Retry.Until)
					}
					run.RetryNow("nobody")
					run.RetryNow(ev.Turn.Agent)
				case debate.RunEnded:
					s = ev.Session
				default:
				}
			}
			if waits != 1 || s.Verdict == nil || s.Verdict.Chair != "zed" || len(s.Current().Statements()) != 2 {
				t.Errorf("%d waits, %s, %+v", waits, s.Status(), s.Verdict)
			}
		})
	}
}
