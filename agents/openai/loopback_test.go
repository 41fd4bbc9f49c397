package openai_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// Timeouts are tested on a virtual clock. This test repeats those of silence on real sockets.
// It checks what must not happen too early and allows for a slow machine.
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
		"headless": "No answer from mock/headless for 300 ms.", "mute": "No answer from mock/mute for 300 ms.",
		"comments": "No answer from mock/comments for 300 ms.", "midway": "No answer from mock/midway for 200 ms.",
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
