package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

func TestStream_letsGoWhereverTheReaderStops(t *testing.T) {
	for name, tt := range map[string]struct {
		serve pipes
		stop  func(agents.Chunk) bool
	}{
		"while it waits for a place":        {silent(""), isQueued},
		"while the server keeps it waiting": {silent(streamHead + ": hm\n\n"), isQueued},
		"before a retry":                    {new(clock).answers(status(500)), isRetry},
		"before a pause":                    {new(clock).answers(status(429, "Retry-After: 600")), isRetry},
		"at the end of the text":            {new(clock).answers(streamHead + stream(content("<"), stop)), func(c agents.Chunk) bool { return c.Text == "<" }},
		"at the finish":                     {new(clock).answers(streamHead + helloThere), func(c agents.Chunk) bool { return c.Finish != "" }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := piped(t, openai.Config{MaxConcurrent: 1}, openai.Options{}, tt.serve)
				ctx, cancel := context.WithCancel(t.Context())
				var first sync.WaitGroup
				first.Go(func() { ask(t, ctx, c, hello("m")) }) // takes the place, or begins the pause
				synctest.Wait()
				stopped := false
				for chunk := range c.Stream(context.WithoutCancel(t.Context()), hello("m")) { // only the stop closes it
					if stopped = tt.stop(chunk); stopped {
						break
					}
				}
				if !stopped {
					t.Error("the moment did not come")
				}
				cancel()
				first.Wait()
			})
		})
	}
}

func TestCancel_endsAWaitAtOnce(t *testing.T) {
	for name, response := range map[string]string{
		"for a place": "", "paused": status(429, "Retry-After: 3600"), "backing off": status(500),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := piped(t, openai.Config{MaxConcurrent: 1}, openai.Options{Rand: func() float64 { return 0.9 }}, silent(response))
				var cancels []context.CancelFunc
				ended := make(chan *agents.Failure)
				for range 2 {
					ctx, cancel := context.WithCancel(t.Context())
					cancels = append(cancels, cancel)
					go func() { ended <- ask(t, ctx, c, hello("m")).Failure }()
					synctest.Wait()
				}
				began := time.Now()
				for _, cancel := range slices.Backward(cancels) {
					cancel()
					got := <-ended
					if got == nil || got.Kind != agents.KindCancelled || !errors.Is(got, context.Canceled) || time.Since(began) > 0 {
						t.Errorf("after %s: %+v", time.Since(began), got)
					}
				}
			})
		})
	}
}

func TestStream_whoseContextHasEndedSendsNothing(t *testing.T) {
	var n clock
	c := serve(t, func(http.ResponseWriter, *http.Request) { n.tick() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := ask(t, ctx, c, hello("m")).Failure; got == nil || got.Kind != agents.KindCancelled || len(n.at) != 0 {
		t.Errorf("%d requests, %+v", len(n.at), got)
	}
}

func TestStream_namesAModelThatIsMissing(t *testing.T) {
	h, _ := answered(400, "which?")
	if got := ask(t, t.Context(), serve(t, h), hello("")).Failure; got == nil || !strings.HasPrefix(got.Cause, "mock/no model refused") {
		t.Errorf("got %+v", got)
	}
}

func TestCancel_closesTheSocketAtOnce(t *testing.T) {
	for name, beginning := range map[string]string{
		"before the headers":  "",
		"before the payload":  ": hm\n\n",
		"amid the answer":     stream(content("Hello")),
		"while usage is held": stream(content("Hello"), stop),
	} {
		t.Run(name, func(t *testing.T) {
			arrived, closed := make(chan struct{}), make(chan time.Time, 1)
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body) // only then does the server notice that we leave
				if beginning != "" {
					events(w, beginning)
					w.(http.Flusher).Flush()
				}
				close(arrived)
				<-r.Context().Done()
				closed <- time.Now()
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			left := make(chan time.Time, 1)
			go func() {
				<-arrived
				left <- time.Now()
				cancel()
			}()
			got := ask(t, ctx, c, hello("m")).Failure
			if got == nil || got.Kind != agents.KindCancelled || !errors.Is(got, context.Canceled) {
				t.Errorf("got %+v", got)
			}
			if took := (<-closed).Sub(<-left); took > 200*time.Millisecond {
				t.Errorf("the socket was closed after %s", took)
			}
		})
	}
}
