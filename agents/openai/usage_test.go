package openai_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// Usage may come in every chunk, or with an answer that fails.
const (
	refusal  = `{"choices":[{"delta":{"refusal":"I will not."},"finish_reason":"stop"}],"usage":{"prompt_tokens":30,"completion_tokens":4}}`
	counting = `{"choices":[{"delta":{"content":"Hello"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`
	thinking = `{"choices":[{"delta":{"content":""}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`
	atFault  = `{"error":{"message":"bad thing","type":"invalid_request_error"}}`
)

func TestUsage_ofAFailureIsKept(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		kind agents.Kind
		want *agents.Usage
	}{
		"a refusal":              {stream(refusal, done), agents.KindFilter, &agents.Usage{Input: 30, Output: 4}},
		"an error amid it":       {stream(counting, atFault), agents.KindRequest, &agents.Usage{Input: 3, Output: 1}},
		"damage":                 {stream(counting, "{"), agents.KindMalformed, &agents.Usage{Input: 3, Output: 1}},
		"an error that is first": {stream(atFault), agents.KindRequest, nil},
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { events(w, tt.body) })
		got := ask(t, t.Context(), c, hello("m")).Failure
		if got == nil || got.Kind != tt.kind {
			t.Fatalf("%s: %+v", name, got)
		}
		if diff := cmp.Diff(tt.want, got.Usage); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUsage_ofATryThatIsRepeatedComesWithTheRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		got := c.play(t, status(503), streamHead+stream(thinking), streamHead+helloThere)
		if got.Failure != nil || len(got.Retries) != 2 {
			t.Fatalf("got %+v", got)
		}
		want := []*agents.Usage{nil, {Input: 3, Output: 1}}
		if diff := cmp.Diff(want, []*agents.Usage{got.Retries[0].Failed.Usage, got.Retries[1].Failed.Usage}); diff != "" {
			t.Errorf("usage of the tries (-want +got):\n%s", diff)
		}
	})
}

func TestRetry_saysWhenTheWaitIsOver(t *testing.T) {
	for name, response := range map[string]string{"asked to wait": status(429, "Retry-After: 90"), "backing off": status(500)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []time.Time
				cl := piped(t, openai.Config{}, openai.Options{Rand: func() float64 { return 0.9 }}, func(conn net.Conn, _ *http.Request) {
					asked = append(asked, time.Now())
					if len(asked) == 1 {
						io.WriteString(conn, response)
						return
					}
					time.Sleep(time.Minute) // the model thinks
					io.WriteString(conn, streamHead+helloThere)
				})
				var seen []string
				for chunk, err := range cl.Stream(t.Context(), hello("m")) {
					must.Do(t, err)
					switch p := chunk.Event.(type) {
					case agents.Retry:
						seen = append(seen, fmt.Sprintf("retry in %s", p.In))
					case agents.Queued:
						seen = append(seen, fmt.Sprintf("queued after %s", time.Since(asked[0])))
					}
				}
				wait := asked[1].Sub(asked[0])
				if diff := cmp.Diff([]string{fmt.Sprintf("retry in %s", wait), fmt.Sprintf("queued after %s", wait)}, seen); diff != "" {
					t.Errorf("seen (-want +got):\n%s", diff)
				}
			})
		})
	}
}
