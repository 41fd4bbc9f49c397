package engine_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/e2e/endpoint"
)

// useEndpoint makes the table's engine speak through a client.
func (h *harness) useEndpoint(cfg openai.Config, opts openai.Options) {
	h.Helper()
	client, err := openai.New("test", cfg, opts)
	if err != nil {
		h.Fatal(err)
	}
	provider := func(agents.Profile) (agents.Provider, error) { return client, nil }
	h.engine = engine.New(engine.Options{Recorder: h.store, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
}

// fixedRandom is a random number that makes the n-th backoff that share of 2^n seconds.
func fixedRandom(share float64) openai.Options {
	return openai.Options{Rand: func() float64 { return share }}
}

func writeBody(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body)
		http.NewResponseController(w).Flush()
	}
}

// piece is the beginning of an answer.
const piece = "data: {\"choices\":[{\"delta\":{\"content\":\"I would say\"}}],\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":3}}\n\n"

var (
	breaksOff = endpoint.Reply{Serve: writeBody(piece)}
	pauses    = endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}}
	hangs = endpoint.Reply{Serve: func(w http.ResponseWriter, r *http.Request) {
		writeBody(piece)(w, r)
		<-r.Context().Done()
	}}
)

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

// statesOf lists how the attempts of a seat in round 1 ended.
func statesOf(s debate.Session, id agents.ID) []debate.TurnState {
	var out []debate.TurnState
	for _, x := range s.History[0].AttemptsOf(id) {
		out = append(out, x.State)
	}
	return out
}

func TestStart_overHTTPAnAnswerThatIsCutAmidItsTextIsPlayedAgainOnce(t *testing.T) {
	t.Parallel()
	good := endpoint.Reply{Text: "So it is."}
	for _, c := range sampled([]struct {
		name     string
		replies  []endpoint.Reply
		states   []debate.TurnState
		requests int
	}{
		{"well", []endpoint.Reply{breaksOff, good}, []debate.TurnState{debate.TurnFailed, debate.TurnDone}, 2},
		{"cut again", []endpoint.Reply{breaksOff, breaksOff, good}, []debate.TurnState{debate.TurnFailed, debate.TurnFailed}, 2},
		{"refused then", []endpoint.Reply{breaksOff, {Status: 400}, good}, []debate.TurnState{debate.TurnFailed, debate.TurnFailed}, 2},
		{"busy before", []endpoint.Reply{{Status: 503}, breaksOff, good}, []debate.TurnState{debate.TurnFailed, debate.TurnDone}, 3},
	}, 2) {
		t.Run(c.name, func(t *testing.T) {
			srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{"m1": c.replies}))
			h := newHarness(t, nil)
			h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1"}, fixedRandom(0.02))
			began := time.Now()
			evs, s := h.run(h.session("collaborative", 3, "m1", "m2"))
			if got := statesOf(s, "m1"); !slices.Equal(got, c.states) || len(srv.Requests("m1")) != c.requests {
				t.Fatalf("%v after %d requests, want %v", got, len(srv.Requests("m1")), c.states)
			}
			first := s.History[0].AttemptsOf("m1")[0]
			if first.Text() != "I would say" || first.Failure.Kind != agents.KindTruncated || first.Usage.Input != 50 ||
				first.Calls != c.requests-1 {
				t.Errorf("the part: %+v, %+v", first, first.Failure)
			}
			var wait time.Duration
			for _, r := range eventsOf[debate.TurnRetrying](evs) {
				wait += r.Retry.In
			}
			if wait < 40*time.Millisecond || time.Since(began) < wait {
				t.Errorf("announced to wait %s, took %s", wait, time.Since(began))
			}
			h.run(s)
			for _, r := range srv.Requests("m2") {
				if strings.Contains(r.Raw, "I would say") {
					t.Errorf("m2 reads the part:\n%s", r.Raw)
				}
			}
		})
	}
}

func TestCancel_overHTTPEndsTheWaitForAnotherAttempt(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{"m1": {breaksOff}}))
	h := newHarness(t, nil)
	h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1"}, fixedRandom(0.99))
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "m1", "m2", "m3"))
	var began time.Time
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			began = time.Now()
			run.Cancel(ev.Turn)
		case debate.RunEnded:
			if took := time.Since(began); ev.Err != nil || took > time.Second || !slices.Equal(statesOf(ev.Session, "m1"),
				[]debate.TurnState{debate.TurnFailed, debate.TurnCancelled}) {
				t.Errorf("after %s: %v, %v", took, ev.Err, statesOf(ev.Session, "m1"))
			}
		}
	}
	if n := len(srv.Requests("m1")); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestRetryNow_endsTheWaitForAProvider(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]endpoint.Reply{"that asks for an hour": pauses, "after a part": breaksOff} {
		t.Run(name, func(t *testing.T) {
			srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{"m1": {first, {Text: "So it is."}}}))
			h := newHarness(t, nil)
			h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1", MaxConcurrent: 1}, fixedRandom(0.99))
			began := time.Now()
			run := h.engine.Start(t.Context(), h.session("collaborative", 2, "m1"))
			paused := false
			for ev := range run.Events() {
				switch ev := ev.(type) {
				case debate.TurnRetrying:
					paused = !ev.Retry.Until.IsZero()
					if paused && (ev.Retry.In < 59*time.Minute || time.Until(ev.Retry.Until) < 59*time.Minute) {
						t.Errorf("paused for %s until %s", ev.Retry.In, ev.Retry.Until)
					}
					run.RetryNow("m1")
				case debate.RunEnded:
					if last := ev.Session.History[0].Latest()[0]; ev.Err != nil || last.State != debate.TurnDone {
						t.Errorf("%v, %+v", ev.Err, last)
					}
				}
			}
			if paused != (name == "that asks for an hour") || time.Since(began) > 1500*time.Millisecond {
				t.Errorf("paused %v, took %s", paused, time.Since(began))
			}
		})
	}
}

func TestRetryNow_reachesTheChairToo(t *testing.T) {
	t.Parallel()
	replies := map[string][]endpoint.Reply{"chair": {pauses, {Text: "## Conclusion\nSo it is."}}}
	srv := endpoint.New(t, scriptedReplies(replies))
	h := newHarness(t, nil)
	h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{})
	s := h.session("collaborative", 2, "m1", "m2")
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Provider: "test", Model: "chair"}
	s.ID = ""
	s, err := h.store.Create(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	run := h.engine.Start(t.Context(), s)
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			run.RetryNow("nobody")
			run.RetryNow(ev.Turn.Agent)
		case debate.RunEnded:
			if v := ev.Session.Verdict; ev.Err != nil || v == nil || v.Chair != "zed" {
				t.Errorf("%v, %+v", ev.Err, v)
			}
		}
	}
}

func TestCancel_ofAPausedSeatLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{"m2": {pauses}}))
	h := newHarness(t, nil)
	h.useEndpoints(srv)
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "m1", "m2", "m3"))
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			run.Cancel(ev.Turn)
		case debate.RunEnded:
			if ev.Err != nil || ev.Session.Status() != debate.Ready {
				t.Errorf("%v, %s", ev.Err, ev.Session.Status())
			}
			for id, want := range map[agents.ID]debate.TurnState{"m1": debate.TurnDone, "m2": debate.TurnCancelled, "m3": debate.TurnDone} {
				if got := statesOf(ev.Session, id); !slices.Equal(got, []debate.TurnState{want}) {
					t.Errorf("%s: %v", id, got)
				}
			}
		}
	}
}

// useEndpoints gives every seat a provider of its own.
func (h *harness) useEndpoints(srv *endpoint.Server) {
	h.Helper()
	clients := map[string]*openai.Client{}
	for _, model := range []string{"m1", "m2", "m3"} {
		c, err := openai.New(model, openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{})
		if err != nil {
			h.Fatal(err)
		}
		clients[model] = c
	}
	provider := func(p agents.Profile) (agents.Provider, error) { return clients[p.Model], nil }
	h.engine = engine.New(engine.Options{Recorder: h.store, Provider: provider})
}

func TestCancelAndRetry_overHTTPCloseTheSocketAndRunOneSeatAgain(t *testing.T) {
	t.Parallel()
	closed := make(chan time.Time, 1)
	goOn := make(chan struct{}) // m1 streams until m2 has run again
	first := endpoint.Reply{Serve: func(w http.ResponseWriter, r *http.Request) {
		hangs.Serve(w, r)
		closed <- time.Now()
	}}
	slow := endpoint.Reply{Serve: func(w http.ResponseWriter, r *http.Request) {
		writeBody(piece)(w, r)
		<-goOn
		writeBody("data: {\"choices\":[{\"delta\":{\"content\":\" yes.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")(w, r)
	}}
	srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{"m1": {slow}, "m2": {first, {Text: "So it is."}}}))
	h := newHarness(t, nil)
	h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "m1", "m2"))
	var left time.Time
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.Text:
			if ev.Turn.Agent == "m2" && ev.Turn.Attempt == 1 {
				left = time.Now()
				run.Cancel(ev.Turn)
			}
		case debate.TurnEnded:
			switch x := ev.Response; {
			case x.Turn.Agent != "m2":
			case x.State == debate.TurnCancelled:
				if took := (<-closed).Sub(left); took > 200*time.Millisecond {
					t.Errorf("the socket was closed after %s", took)
				}
				if x.Text() != "I would say" || x.Usage.Output == 0 {
					t.Errorf("the cancelled attempt: %+v", x)
				}
				run.Retry("m2")
			default:
				close(goOn)
			}
		case debate.RunEnded:
			want := []debate.TurnState{debate.TurnCancelled, debate.TurnDone}
			if got := statesOf(ev.Session, "m2"); ev.Err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %v", ev.Err, got)
			}
			if x := ev.Session.History[0].AttemptsOf("m1")[0]; x.State != debate.TurnDone || x.Text() != "I would say yes." {
				t.Errorf("m1: %+v", x)
			}
		}
	}
}

// pipeListener is a listener in memory: loopback sockets do not move the clock of a bubble.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipeListener) Close() error   { close(p.done); return nil }
func (p *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours, nil
}

func TestStart_sixSeatsAgainstABusyServerAskTwentyFourTimesApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		respond func(n int, w http.ResponseWriter)
		most    int
		fails   bool
		apart   time.Duration // between any two requests after the first six
	}{
		{"busy for ever", func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, 24, true, 1},
		{"asking to wait once", func(n int, w http.ResponseWriter) {
			if n <= 6 {
				w.Header().Set("Retry-After", "2")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fmt.Fprint(w, `{"choices":[{"message":{"content":"So it is."},"finish_reason":"stop"}]}`)
		}, 12, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var at []time.Time
				all := make(chan struct{}) // closed when all six have asked: nobody is held back by what another was told
				l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
				srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					io.Copy(io.Discard, r.Body)
					mu.Lock()
					at = append(at, time.Now())
					n := len(at)
					mu.Unlock()
					if n == 6 {
						close(all)
					}
					<-all
					c.respond(n, w)
				})}
				var served sync.WaitGroup
				served.Go(func() { srv.Serve(l) })
				defer served.Wait()
				defer srv.Close()
				h := newHarness(t, nil)
				h.useEndpoint(openai.Config{BaseURL: "http://localhost/v1"}, openai.Options{Dial: l.dial})
				_, s, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 3, "m1", "m2", "m3", "m4", "m5", "m6")))
				if (err != nil) != c.fails || len(at) != c.most {
					t.Fatalf("%d requests, %v", len(at), err)
				}
				sent := 0
				for _, x := range s.History[0].Latest() {
					sent += x.Calls
					if c.fails && (x.Calls != 4 || x.Failure.Tries != 4) {
						t.Errorf("%s: %d requests, %+v", x.Turn.Agent, x.Calls, x.Failure)
					}
				}
				if sent != len(at) {
					t.Errorf("%d requests are accounted for, of %d", sent, len(at))
				}
				slices.SortFunc(at, time.Time.Compare)
				for i := 7; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap < c.apart {
						t.Errorf("only %s between two requests", gap)
					}
				}
			})
		})
	}
}
