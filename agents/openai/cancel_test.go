package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents"
)

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

func TestCancel_leavesNothingBehind(t *testing.T) {
	var n atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if n.Add(1)%2 == 0 {
			events(w, stream(content("Hello")))
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	once := func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(time.Millisecond, cancel)
		for _, err := range c.Stream(ctx, hello("m")) {
			if err == nil {
				cancel()
			}
		}
	}
	once()
	goroutines, files := settled(runtime.NumGoroutine, 0), settled(openFiles, 0)
	times := 1000
	if testing.Short() {
		times = 100
	}
	for range times {
		once()
	}
	if got := settled(runtime.NumGoroutine, goroutines+5); got > goroutines+5 {
		t.Errorf("%d goroutines, %d at the start", got, goroutines)
	}
	if got := settled(openFiles, files+5); got > files+5 {
		t.Errorf("%d open files, %d at the start", got, files)
	}
}

// settled waits until a count is at most enough, or for a while, and returns it.
func settled(count func() int, enough int) int {
	deadline := time.Now().Add(2 * time.Second)
	if enough == 0 {
		deadline = time.Now().Add(200 * time.Millisecond)
	}
	for count() > enough && time.Now().Before(deadline) {
		<-time.After(time.Millisecond)
	}
	return count()
}
