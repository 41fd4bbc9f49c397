package openai_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
)

// document is a response of status 200 that is no stream.
func document(body string, headers ...string) string {
	return "HTTP/1.1 200 OK\r\nConnection: close\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n" + body
}

// A limit in the body of a 200 is one, with the wait that it says anywhere.
func TestRetry_takesALimitInA200ForALimit(t *testing.T) {
	const json = "Content-Type: application/json"
	synctest.Test(t, func(t *testing.T) {
		reset := fmt.Sprintf(`{"error":{"code":429,"message":"no","metadata":{"headers":{"X-RateLimit-Reset":"%d"}}}}`,
			time.Now().Add(40*time.Second).UnixMilli())
		for _, tt := range []struct {
			name     string
			response string
			wait     time.Duration // 0: as long as a retry without one
		}{
			{"an event, its reset", streamHead + stream(reset), 40 * time.Second},
			{"a document with a code", document(`{"error":{"message":"slow down","code":429}}`, json, "Retry-After: 7"), 7 * time.Second},
			{"a code in words", document(`{"error":{"message":"slow down","code":"rate_limit_exceeded","retry_after":12}}`, json), 12 * time.Second},
			{"words with a unit", document(`{"error":{"message":"Rate limit reached for m. Please try again in 4 seconds."}}`, json), 4 * time.Second},
			{"words alone", document(`{"error":{"message":"Rate limit reached for m. Please try again in 20s."}}`, json), 20 * time.Second},
			{"a message alone", document(`{"message":"Too many requests, please try again in 3s"}`, json), 3 * time.Second},
			{"an error that is a string", document(`{"error":"rate limited"}`, json), 0},
			{"an event", streamHead + stream(`{"error":{"message":"rate limited","code":"rate_limit_exceeded"}}`), 0},
			{"an event that is named", streamHead + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"no\"}}\n\n", 0},
			{"an event after a comment", streamHead + ": OPENROUTER PROCESSING\n\n" + stream(`{"error":{"code":"429","message":"no","metadata":{"raw":"{\"error\":{\"message\":\"try again in 9s\"}}"}}}`), 9 * time.Second},
			{"plain words", document("429 Too Many Requests\n", "Content-Type: text/plain", "Retry-After: 5"), 5 * time.Second},
			{"a page", document("<html><title>Too Many Requests</title></html>", "Content-Type: text/html"), 0},
		} {
			var c clock
			got := c.play(t, tt.response, streamHead+helloThere)
			if got.Failure != nil || len(c.at) != 2 || len(got.Retries) != 1 {
				t.Errorf("%s: %d requests, %v", tt.name, len(c.at), got.Failure)
				continue
			}
			waited := c.at[1].Sub(c.at[0]).Round(time.Second)
			if tt.wait > 0 && waited != tt.wait || waited > 2*time.Second && tt.wait == 0 {
				t.Errorf("%s: waited %s, want %s", tt.name, waited, tt.wait)
			}
			if r := got.Retries[0]; !strings.HasPrefix(r.Cause, "mock/m rate-limited us") || r.Failed.Kind != agents.KindBusy {
				t.Errorf("%s: said %q", tt.name, r.Cause)
			}
		}
	})
}

// What is no limit stays what it was, whatever it speaks of.
func TestRetry_takesNothingElseForALimit(t *testing.T) {
	const json = "Content-Type: application/json"
	for _, tt := range []struct {
		response string
		kind     agents.Kind // "": an answer
	}{
		{streamHead + stream(content("Their rate limit is 429 Too Many Requests."), stop, done), ""},
		{document(`{"error":{"message":"The key is not valid","type":"authentication_error"}}`, json), agents.KindAuth},
		{document("<html><title>Sign in</title></html>", "Content-Type: text/html"), agents.KindMalformed},
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
		refusal := fmt.Sprintf("HTTP/1.1 %d No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", tt.code, len(tt.body), tt.body)
		synctest.Test(t, func(t *testing.T) {
			var c clock
			var responses []string
			for range 20 { // 100 s
				responses = append(responses, refusal)
			}
			began := time.Now()
			got := c.play(t, append(responses, streamHead+helloThere)...)
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
