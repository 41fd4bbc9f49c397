package openai_test

import (
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
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
	"roundtable/internal/testing/must"
)

// clock records when requests arrive.
type clock struct {
	mu sync.Mutex
	at []time.Time
}

func (c *clock) tick() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = append(c.at, time.Now())
	return len(c.at)
}

// answers returns a network on which the n-th request gets the n-th response. Later
// requests get the last one.
func (c *clock) answers(responses ...string) pipes {
	return func(conn net.Conn, _ *http.Request) {
		n := c.tick()
		io.WriteString(conn, responses[min(n, len(responses))-1])
	}
}

// play runs a completion on that network.
func (c *clock) play(t *testing.T, responses ...string) result {
	t.Helper()
	return ask(t, t.Context(), piped(t, openai.Config{}, openai.Options{}, c.answers(responses...)), hello("m"))
}

// century is the longest wait; a longer one is that long.
const century = 100 * 365 * 24 * time.Hour

func TestRetry_obeysWhatTheServerAsksFor(t *testing.T) {
	for _, tt := range []struct {
		name        string
		header      string
		least, most time.Duration
		paused      bool
	}{
		{"seconds", "Retry-After: 2", 2 * time.Second, 2200 * time.Millisecond, false},
		{"a fraction", "Retry-After: 1.5", 1500 * time.Millisecond, 1650 * time.Millisecond, false},
		{"milliseconds", "retry-after-ms: 1500\r\nRetry-After: 9", 1500 * time.Millisecond, 1650 * time.Millisecond, false},
		{"a date", "Retry-After: Sat, 01 Jan 2000 00:00:20 GMT", 19 * time.Second, 22 * time.Second, false}, // the bubble begins that year
		{"a date long ago", "Retry-After: Fri, 02 Jan 1998 15:04:05 GMT", 0, 2 * time.Second, false},
		{"an hour", "Retry-After: 3600", time.Hour, time.Hour, true},
		{"nothing", "X-None: 1", 0, 2 * time.Second, false},
		{"zero", "Retry-After: 0", 0, 2 * time.Second, false},
		{"less than zero", "Retry-After: -1", 0, 2 * time.Second, false},
		{"infinity", "Retry-After: inf", 0, 2 * time.Second, false},
		{"not a number", "Retry-After: NaN", 0, 2 * time.Second, false},
		{"ages", "Retry-After: 99999999999", century, century, true},
		{"21 digits", "Retry-After: 100000000000000000000", century, century, true},
		{"a date of another millennium", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", century, century, true},
		{"words", "Retry-After: soon", 0, 2 * time.Second, false},
	} {
		words := map[int]string{429: "mock/m rate-limited us", 503: "mock/m is busy"}
		for _, code := range []int{429, 503} {
			t.Run(tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var c clock
					got := c.play(t, status(code, tt.header), streamHead+helloThere)
					if got.Failure != nil || len(c.at) != 2 || len(got.Retries) != 1 {
						t.Fatalf("%d requests, %+v", len(c.at), got)
					}
					r, waited := got.Retries[0], c.at[1].Sub(c.at[0])
					if waited < tt.least || waited > tt.most || r.In < tt.least || r.In > tt.most {
						t.Errorf("waited %s, said %s, want %s to %s", waited, r.In, tt.least, tt.most)
					}
					if r.Try != 1 || r.Of != 3 || !strings.Contains(r.Cause, words[code]) || r.Until.IsZero() == tt.paused {
						t.Errorf("said %+v", r)
					}
					if tt.paused && r.Until.Sub(c.at[0]) != r.In {
						t.Errorf("paused until %s, want %s after %s", r.Until, r.In, c.at[0])
					}
				})
			})
		}
	}
}

func TestRetry_saysAtTheEndWhenItMayBeTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		got := c.play(t, status(429, "Retry-After: 172800")).Failure
		if got == nil || got.Kind != agents.KindBusy || len(c.at) != 4 || got.RetryAt.Sub(c.at[3]) != 48*time.Hour {
			t.Fatalf("%d requests, %+v", len(c.at), got)
		}
		if want := "Wait until " + got.RetryAt.Local().Format("2 Jan 15:04") + "."; got.Remedy != want {
			t.Errorf("remedy %q, want %q", got.Remedy, want)
		}
		for n := 1; n < 4; n++ {
			if waited := c.at[n].Sub(c.at[n-1]); waited < 48*time.Hour {
				t.Errorf("waited %s", waited)
			}
		}
	})
}

func TestRetry_spreadsAgentsAndGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		random := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		opts := openai.Options{Rand: func() float64 { mu.Lock(); defer mu.Unlock(); return random.Float64() }}
		cl := piped(t, openai.Config{}, opts, c.answers(status(503)))
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				got := ask(t, t.Context(), cl, hello("m"))
				if got.Failure == nil || got.Failure.Kind != agents.KindBusy || got.Failure.Tries != 4 || len(got.Retries) != 3 {
					t.Errorf("got %+v", got)
				}
			})
		}
		all.Wait()
		if len(c.at) != 24 {
			t.Errorf("%d requests, want 24", len(c.at))
		}
		slices.SortFunc(c.at, time.Time.Compare)
		for i := 7; i < len(c.at); i++ { // the first six start together
			if c.at[i].Equal(c.at[i-1]) {
				t.Errorf("two retries in the same instant %s", c.at[i])
			}
		}
	})
}

// TestRetry_makesOthersWaitToo lets models be refused one after the other, a second
// apart, and then asks one.
func TestRetry_makesOthersWaitToo(t *testing.T) {
	const m = "mock/m rate-limited us (429), without saying why."
	for _, tt := range []struct {
		name    string
		refused map[string]string // Retry-After by model
		order   []string
		ask     string
		wait    time.Duration // from the first refusal
		cause   string        // "": it does not wait
	}{
		{"the same model", map[string]string{"m": "120"}, []string{"m"}, "m", 120 * time.Second, m + " Every request to mock/m is waiting."},
		{"another model", map[string]string{"m": "120"}, []string{"m"}, "other", 0, ""},
		{"two models, one after the other", map[string]string{"n": "0.5", "m": "120"}, []string{"n", "m"}, "other", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				refused := maps.Clone(tt.refused)
				cl := piped(t, openai.Config{}, openai.Options{Rand: noBackoff}, func(conn net.Conn, r *http.Request) {
					var body struct{ Model string }
					json.NewDecoder(r.Body).Decode(&body)
					mu.Lock()
					defer mu.Unlock()
					if wait, ok := refused[body.Model]; ok {
						delete(refused, body.Model)
						io.WriteString(conn, status(429, "Retry-After: "+wait))
						return
					}
					io.WriteString(conn, streamHead+helloThere)
				})
				began := time.Now()
				var all sync.WaitGroup
				for _, model := range tt.order {
					all.Go(func() { ask(t, t.Context(), cl, hello(model)) })
					time.Sleep(time.Second)
				}
				asked := time.Now()
				got := ask(t, t.Context(), cl, hello(tt.ask))
				all.Wait()
				if tt.cause == "" {
					if len(got.Retries) > 0 || got.Failure != nil {
						t.Errorf("it waited: %+v", got)
					}
					return
				}
				if len(got.Retries) != 1 || got.Retries[0].Cause != tt.cause || got.Retries[0].In != tt.wait-asked.Sub(began) {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

func TestRetryNow_endsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		cl := piped(t, openai.Config{}, openai.Options{}, c.answers(status(429, "Retry-After: 3600"), streamHead+helloThere))
		began := time.Now()
		for chunk, err := range cl.Stream(t.Context(), hello("m")) {
			must.Do(t, err)
			if isRetry(chunk) {
				time.AfterFunc(time.Minute, cl.RetryNow)
			}
		}
		if took := time.Since(began); took < time.Minute || took > 61*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestRetry_isNotMovedByAClockThatIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		var jumps int
		now := func() time.Time { // an hour forward, an hour back, and so on
			jumps++
			return time.Now().Add(time.Duration(1-jumps%2*2) * time.Hour)
		}
		script := c.answers(status(429, "Retry-After: 5"), status(500), streamHead+helloThere)
		cl := piped(t, openai.Config{}, openai.Options{Now: now}, script)
		began := time.Now()
		if got := ask(t, t.Context(), cl, hello("m")); got.Failure != nil || time.Since(began) > 10*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), got)
		}
	})
}

func TestRetry_asksForAnotherAttemptOnceSomethingWasShown(t *testing.T) {
	half := streamHead + stream(content("Hello"))
	for _, tt := range []struct {
		name      string
		responses []string
		again     bool
		requests  int
	}{
		{"cut", []string{half, streamHead + helloThere}, true, 1},
		{"busy before", []string{status(503), half, streamHead + helloThere}, true, 2},
		{"reasoning counts as shown", []string{streamHead + stream(one(`{"delta":{"reasoning":"Hm"}}`)), streamHead + helloThere}, true, 1},
		{"nothing shown", []string{streamHead, streamHead, streamHead, streamHead + helloThere}, false, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c clock
				got := c.play(t, tt.responses...)
				if len(c.at) != tt.requests || (got.Failure != nil) != tt.again || !tt.again && got.Text != "Hello there" {
					t.Errorf("%d requests, %+v", len(c.at), got)
				}
				if f := got.Failure; f != nil && (f.Kind != agents.KindTruncated || !f.Again) {
					t.Errorf("failed for %+v", f)
				}
			})
		})
	}
}

func TestPlaces_queueWhoComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, most := 0, 0
		var mu sync.Mutex
		cl := piped(t, openai.Config{MaxConcurrent: 2}, openai.Options{}, func(conn net.Conn, _ *http.Request) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Minute)
			mu.Lock()
			running--
			mu.Unlock()
			io.WriteString(conn, streamHead+helloThere)
		})
		began, queued := time.Now(), 0
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				got := ask(t, t.Context(), cl, hello("m"))
				mu.Lock()
				queued += got.Queued
				mu.Unlock()
				if got.Failure != nil {
					t.Errorf("got %+v", got)
				}
			})
		}
		all.Wait()
		if most != 2 || queued != 3 || time.Since(began) != 3*time.Minute {
			t.Errorf("%d at once, %d queued, %s", most, queued, time.Since(began))
		}
	})
}

func TestPlaces_areFreeWhileARequestWaitsForItsRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		slow := openai.Options{Rand: func() float64 { return 0.99 }}
		cl := piped(t, openai.Config{MaxConcurrent: 1}, slow, c.answers(status(500), streamHead+helloThere))
		var all sync.WaitGroup
		all.Go(func() { ask(t, t.Context(), cl, hello("m")) })
		synctest.Wait()
		began := time.Now()
		if got := ask(t, t.Context(), cl, hello("m")); got.Failure != nil || time.Since(began) > 0 {
			t.Errorf("after %s: %+v", time.Since(began), got)
		}
		all.Wait()
	})
}
