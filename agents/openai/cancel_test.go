package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
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
