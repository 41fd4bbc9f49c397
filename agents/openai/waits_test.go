package openai_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
)

// A limit in the body of a 200 is one. The wait is what a body says anywhere; a test begins with the year 2000.
func TestRetry_readsLimitsAndWaitsInBodies(t *testing.T) {
	const json = "Content-Type: application/json"
	const day = `{"error":{"message":"Rate limit exceeded: free-models-per-day.","code":429,` +
		`"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Reset":"946717200000"},"provider_name":null}}}`
	const minute = `{"error":{"message":"Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 3000. ` +
		`Please try again in 1m4.5s. Visit a page.","type":"tokens","code":"rate_limit_exceeded"}}`
	for _, tt := range []struct {
		name     string
		response string
		wait     time.Duration // 0: as long as a retry without one
	}{
		{"the day in a 429", response(429, day), 9 * time.Hour},
		{"words in a 429", response(429, minute), 64500 * time.Millisecond},
		{"an event, its reset", streamHead + stream(`{"error":{"code":429,"message":"no","metadata":{"headers":{"X-RateLimit-Reset":"946684840000"}}}}`), 40 * time.Second},
		{"a document with a code", response(200, `{"error":{"message":"slow down","code":429}}`, json, "Retry-After: 7"), 7 * time.Second},
		{"a code in words", response(200, `{"error":{"message":"slow down","code":"rate_limit_exceeded","retry_after":12}}`, json), 12 * time.Second},
		{"words with a unit", response(200, `{"error":{"message":"Rate limit reached for m. Please try again in 4 seconds."}}`, json), 4 * time.Second},
		{"words alone", response(200, `{"error":{"message":"Rate limit reached for m. Please try again in 20s."}}`, json), 20 * time.Second},
		{"a message alone", response(200, `{"message":"Too many requests, please try again in 3s"}`, json), 3 * time.Second},
		{"an error that is a string", response(200, `{"error":"rate limited"}`, json), 0},
		{"an event", streamHead + stream(`{"error":{"message":"rate limited","code":"rate_limit_exceeded"}}`), 0},
		{"an event that is named", streamHead + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"no\"}}\n\n", 0},
		{"an event after a comment", streamHead + ": OPENROUTER PROCESSING\n\n" + stream(`{"error":{"code":"429","message":"no","metadata":{"raw":"{\"error\":{\"message\":\"try again in 9s\"}}"}}}`), 9 * time.Second},
		{"plain words", response(200, "429 Too Many Requests\n", "Content-Type: text/plain", "Retry-After: 5"), 5 * time.Second},
		{"a page", response(200, "<html><title>Too Many Requests</title></html>", "Content-Type: text/html"), 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var c clock
			got := c.play(t, tt.response, streamHead+helloThere)
			if got.Failure != nil || len(c.at) != 2 || len(got.Retries) != 1 {
				t.Fatalf("%s: %d requests, %v", tt.name, len(c.at), got.Failure)
			}
			r, waited := got.Retries[0], c.at[1].Sub(c.at[0])
			if over := waited - tt.wait; over < 0 || over > 2*time.Second || tt.wait > 0 && over > 500*time.Millisecond {
				t.Errorf("%s: waited %s, want %s", tt.name, waited, tt.wait)
			}
			if tt.wait > time.Minute && r.Until.Sub(c.at[0]) != tt.wait {
				t.Errorf("%s: until %s, want %s after %s", tt.name, r.Until, tt.wait, c.at[0])
			}
			if !strings.HasPrefix(r.Cause, "mock/m rate-limited us") || r.Failed.Kind != agents.KindBusy {
				t.Errorf("%s: said %q", tt.name, r.Cause)
			}
		})
	}
}

// What is no limit stays what it was, whatever it speaks of.
func TestRetry_takesNothingElseForALimit(t *testing.T) {
	const json = "Content-Type: application/json"
	for _, tt := range []struct {
		response string
		kind     agents.Kind // "": an answer
	}{
		{streamHead + stream(content("Their rate limit is 429 Too Many Requests."), stop, done), ""},
		{response(200, `{"error":{"message":"The key is not valid","type":"authentication_error"}}`, json), agents.KindAuth},
		{response(200, "<html><title>Sign in</title></html>", "Content-Type: text/html"), agents.KindMalformed},
	} {
		synctest.Test(t, func(t *testing.T) {
			var c clock
			got := c.play(t, tt.response).Failure
			if kind := kindOf(got); kind != tt.kind || len(c.at) != 1 {
				t.Errorf("%s\n%d requests, %q, want %q", tt.response, len(c.at), kind, tt.kind)
			}
		})
	}
}

func kindOf(f *agents.Failure) agents.Kind {
	if f == nil {
		return ""
	}
	return f.Kind
}

// A limit of a day without a time for its end is not asked again.
func TestRetry_doesNotAskAgainOnTheSameDay(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"Rate limit reached for m on requests per day (RPD): Limit 200, Used 200.","code":"rate_limit_exceeded"}}`,
		`[{"error":{"code":429,"message":"Quota exceeded for GenerateRequestsPerDayPerProjectPerModel-FreeTier","status":"RESOURCE_EXHAUSTED"}}]`,
		`{"error":{"message":"Rate limit exceeded: free-models-per-day"}}`,
	} {
		h, n := answered(http.StatusTooManyRequests, body)
		got := ask(t, t.Context(), serve(t, h), hello("m")).Failure
		if got == nil || got.Kind != agents.KindBusy || n.Load() != 1 || !strings.HasSuffix(got.Error(), "Wait until the limit of the day is renewed, or use another model.") {
			t.Errorf("%s\n%d requests, %v", body, n.Load(), got)
		}
	}
}

// A server that loads the model is asked every five seconds for up to three minutes.
func TestRetry_waitsWhileTheServerLoadsTheModel(t *testing.T) {
	const loading = `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`
	for _, tt := range []struct {
		name string
		code int
		body string
	}{
		{"llama.cpp", 503, loading},
		{"LM Studio", 503, `{"error":"Model is loading. Please wait."}`},
		{"behind a proxy", 500, `{"error":{"message":"Error code: 503 - {'error': {'code': 503, 'message': 'Loading model', 'type': 'unavailable_error'}}"}}`},
		{"Ollama", 500, `{"error":"llm server loading model"}`},
		{"too early", 425, `{"detail":"Loading model"}`},
	} {
		refusal := response(tt.code, tt.body)
		synctest.Test(t, func(t *testing.T) {
			var c clock
			began := time.Now()
			got := c.play(t, append(slices.Repeat([]string{refusal}, 20), streamHead+helloThere)...) // 100 s
			if took := time.Since(began); got.Failure != nil || len(c.at) != 21 || took < 100*time.Second || took > 101*time.Second {
				t.Fatalf("%s: %d requests in %s, %v", tt.name, len(c.at), took, got.Failure)
			}
			for i, r := range got.Retries {
				if !r.Loads || r.Try != i+1 || r.Of != 36 || !strings.HasPrefix(r.Cause, "mock loads the model m") {
					t.Fatalf("%s: said %+v", tt.name, r)
				}
			}
		})
		synctest.Test(t, func(t *testing.T) {
			var c clock
			began := time.Now()
			got := c.play(t, refusal).Failure
			if took := time.Since(began); got == nil || took < 180*time.Second || took > 181*time.Second ||
				!strings.HasSuffix(got.Error(), "Wait until it has, or load it there.") {
				t.Errorf("%s: after %s: %v", tt.name, took, got)
			}
		})
	}
	for _, body := range []string{ // what has failed to load is not waited for
		`{"error":{"message":"error loading model: unable to allocate buffer"}}`, `{"error":"Failed to load model: loading model weights"}`,
	} {
		h, n := answered(http.StatusInternalServerError, body)
		if got := ask(t, t.Context(), serve(t, h), hello("m")); len(got.Retries) == 0 || got.Retries[0].Loads || n.Load() != 4 {
			t.Errorf("%s: %d requests, %+v", body, n.Load(), got.Retries)
		}
	}
}
