package openai_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

func TestUnprocessed_isWhatTookNoTokens(t *testing.T) {
	refusal := func(response string) pipes { return new(clock).answers(response) }
	for _, tt := range []struct {
		name  string
		serve pipes
		kind  agents.Kind
		want  bool
	}{
		{"no key", refusal(status(401)), agents.KindAuth, true},
		{"no such model", refusal(status(404)), agents.KindConfig, true},
		{"rate limit", refusal(status(429)), agents.KindBusy, true},
		{"defect", refusal(status(500)), agents.KindBusy, true},
		{"redirect", refusal(status(307, "Location: http://elsewhere/")), agents.KindConfig, true},
		{"no content", refusal(status(204)), agents.KindMalformed, false},
		{"no stream", refusal("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>"), agents.KindMalformed, false},
		{"an error in the stream", refusal(streamHead + stream(`{"error":{"message":"no","code":400}}`)), agents.KindRequest, false},
		{"cut before the status", refusal(""), agents.KindNetwork, false},
		{"cut before the text", refusal(streamHead), agents.KindTruncated, false},
		{"cut in the text", refusal(streamHead + stream(content("Hel"))), agents.KindTruncated, false},
		{"silence", silent(""), agents.KindSilence, false},
		{"silence after text", silent(streamHead + stream(content("Hel"))), agents.KindSilence, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := ask(t, t.Context(), piped(t, openai.Config{}, openai.Options{Rand: noBackoff}, tt.serve), hello("m"))
				if f := got.Failure; f == nil || f.Kind != tt.kind || f.Unprocessed != tt.want {
					t.Errorf("unprocessed %t, want %t: %+v", f != nil && f.Unprocessed, tt.want, f)
				}
				for _, r := range got.Retries {
					if r.Failed == nil || r.Failed.Unprocessed != tt.want {
						t.Errorf("retry after %+v", r.Failed)
					}
				}
			})
		})
	}
}

func TestUnprocessed_whenItsTimeIsOver(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve pipes
		want  bool
	}{
		{"while it connects", nil, true},
		{"while it waits for a provider", silent(status(429, "Retry-After: 100")), true},
		{"while it waits for the answer", silent(""), false},
		{"while it streams", silent(streamHead + stream(content("Hel"))), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				c := piped(t, openai.Config{}, openai.Options{}, tt.serve)
				if tt.serve == nil {
					c = client(t, local, openai.Options{Dial: untaken})
				}
				f := ask(t, ctx, c, hello("m")).Failure
				if f == nil || f.Unprocessed != tt.want || f.Kind != agents.KindSilence || f.Tries != 1 ||
					!errors.Is(f, context.DeadlineExceeded) {
					t.Errorf("%+v: %v", f, f)
				}
				time.Sleep(time.Minute) // net/http gives up on the connection later
			})
		})
	}
}

// untaken dials an address that takes no connection.
func untaken(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
