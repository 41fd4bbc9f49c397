package openai_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// Timeouts are tested on a virtual clock. These tests repeat a few on real sockets.
// They check what must not happen too early and allow for a slow machine.

func TestLoopback_silenceOfOneSeatLeavesTheOthersAlone(t *testing.T) {
	c := serveWith(
		t,
		openai.Config{Timeouts: openai.Timeouts{FirstPayload: seconds(0.3), Idle: seconds(0.2)}},
		func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			for model, beginning := range map[string]string{"headless": "", "mute": "\n", "comments": ": hm\n\n", "midway": stream(content("Hello"))} {
				if !strings.Contains(string(body), `"model":"`+model+`"`) {
					continue
				}
				for beginning != "" && r.Context().Err() == nil {
					events(w, beginning)
					w.(http.Flusher).Flush()
					if model != "comments" {
						break
					}
				}
				<-r.Context().Done()
				return
			}
			events(w, helloThere)
		},
	)
	var all sync.WaitGroup
	for model, says := range map[string]string{
		"headless": "No answer from mock/headless for 300ms.", "mute": "No answer from mock/mute for 300ms.",
		"comments": "No answer from mock/comments for 300ms.", "midway": "No answer from mock/midway for 200ms.",
	} {
		all.Go(func() {
			began := time.Now()
			got := ask(t, t.Context(), c, hello(model)).Failure
			if got == nil || got.Kind != agents.KindSilence || got.Cause != says || time.Since(began) < 400*time.Millisecond {
				t.Errorf("%s after %s: %+v", model, time.Since(began), got)
			}
		})
	}
	all.Go(func() {
		if got := ask(t, t.Context(), c, hello("good")); got.Failure != nil || got.Text != "Hello there" {
			t.Errorf("got %+v", got)
		}
	})
	all.Wait()
}

func TestLoopback_anOpenSocketDoesNotHoldAFinishedAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		body  string
		least time.Duration
	}{
		"finish": {stream(content("Hello there"), stop), time.Second},
		"DONE":   {stream(content("Hello there"), done), 0},
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			events(w, tt.body)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		began := time.Now()
		got := ask(t, t.Context(), c, hello("m"))
		if took := time.Since(began); got.Failure != nil || got.Text != "Hello there" || took < tt.least || took > tt.least+time.Second {
			t.Errorf("%s after %s: %+v", name, took, got)
		}
	}
}

func TestLoopback_waitsAsLongAsItIsAsked(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	var first time.Time
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			first = time.Now()
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
			return
		}
		if waited := time.Since(first); waited < 990*time.Millisecond {
			t.Errorf("waited %s only", waited)
		}
		events(w, helloThere)
	})
	if got := ask(t, t.Context(), c, hello("m")); got.Failure != nil || n.Load() != 2 {
		t.Errorf("%d requests, %+v", n.Load(), got)
	}
}

func TestLoopback_anErrorThatPassesIsNotSeen(t *testing.T) {
	var n atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 4 {
			w.WriteHeader(500)
			return
		}
		events(w, helloThere)
	})
	if got := ask(t, t.Context(), c, hello("m")); got.Failure != nil || len(got.Retries) != 3 || got.Retries[2].Try != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestLoopback_takesAStreamByteByByte(t *testing.T) {
	body := "\uFEFF: hm\r\n\r\n" + strings.ReplaceAll(stream(content("議題 é 👩‍💻"), stop, counted, done), "\n", "\r\n")
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range len(body) {
			io.WriteString(w, body[i:i+1])
			w.(http.Flusher).Flush()
		}
	})
	if got := ask(t, t.Context(), c, hello("m")); got.Failure != nil || got.Text != "議題 é 👩‍💻" || got.Queued != 1 {
		t.Errorf("got %+v", got)
	}
}
