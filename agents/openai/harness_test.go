package openai_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// result is all that a completion yielded.
type result struct {
	Text      string
	Reasoning string
	Finish    agents.Finish
	Calls     []agents.ToolCall
	Usage     *agents.Usage
	Extra     string
	Queued    int
	Retries   []agents.Retry
	Failure   *agents.Failure
	Patched   []string
	Cut       *agents.PromptCut
}

// ask runs one completion to its end. It drops what a retry voids.
func ask(t testing.TB, ctx context.Context, c *openai.Client, req agents.Request) result {
	t.Helper()
	var r result
	var text, reasoning strings.Builder
	for chunk, err := range c.Stream(ctx, req) {
		if err != nil {
			if !errors.As(err, &r.Failure) {
				t.Fatalf("an error that is no Failure: %T %v", err, err)
			}
			continue
		}
		if r.Finish != "" || r.Failure != nil {
			t.Fatalf("a chunk came after the end: %+v", chunk)
		}
		if retry, ok := chunk.Event.(agents.Retry); ok {
			r.Retries = append(r.Retries, retry)
			text.Reset()
			reasoning.Reset()
		}
		if isQueued(chunk) {
			r.Queued++
		}
		if chunk.Finish == "" && (chunk.Calls != nil || chunk.Usage != nil || chunk.Extra != nil) {
			t.Fatalf("calls, usage or extra came before the finish: %+v", chunk)
		}
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		r.Finish, r.Calls, r.Usage, r.Extra = chunk.Finish, chunk.Calls, chunk.Usage, string(chunk.Extra)
		r.Patched, r.Cut = chunk.Patched, chunk.Cut
	}
	r.Text, r.Reasoning = text.String(), reasoning.String()
	if (r.Finish == "") == (r.Failure == nil) {
		t.Fatalf("the completion ended with neither or both of finish and failure: %+v", r)
	}
	return r
}

func isQueued(c agents.Chunk) bool {
	_, ok := c.Event.(agents.Queued)
	return ok
}

func isRetry(c agents.Chunk) bool {
	_, ok := c.Event.(agents.Retry)
	return ok
}

// client returns a client that must be valid.
func client(t testing.TB, cfg openai.Config, opts openai.Options) *openai.Client {
	t.Helper()
	return must.Get(openai.New("mock", cfg, opts))(t)
}

// noBackoff is a source of random numbers that makes every backoff zero.
func noBackoff() float64 { return 0 }

// serve starts a server on loopback and returns a client of it without backoff.
func serve(t testing.TB, h http.HandlerFunc) *openai.Client {
	t.Helper()
	return serveWith(t, openai.Config{}, h)
}

// serveWith is serve with a configuration. It sets the base URL.
func serveWith(t testing.TB, cfg openai.Config, h http.HandlerFunc) *openai.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	cfg.BaseURL = srv.URL + "/v1"
	return client(t, cfg, openai.Options{Rand: noBackoff})
}

// inMemory returns a transport that answers without a network.
func inMemory(h http.HandlerFunc) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h(w, r)
		response := w.Result()
		response.Request = r
		return response, nil
	})
}

// events answers with a stream.
func events(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, body)
}

// hijack takes over the connection, writes text to it and closes it.
func hijack(t testing.TB, w http.ResponseWriter, text string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	io.WriteString(conn, text)
}

func hello(model string) agents.Request {
	return agents.Request{Model: model, Messages: []agents.Message{{Role: agents.User, Text: "hi"}}}
}

// stream returns a stream with an event for each text.
func stream(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "data: %s\n\n", e)
	}
	return b.String()
}

// content returns a chunk with a piece of text.
func content(text string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, text)
}

// other returns a chunk of the choice numbered 1.
func other(text string) string { return strings.Replace(content(text), `"index":0`, `"index":1`, 1) }

const (
	otherStop = `{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}`

	stop    = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	counted = `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`
	done    = "[DONE]"
)

var helloThere = stream(content("Hello"), content(" there"), stop, counted, done)

// pipes is an in-memory network for tests within a synctest bubble, whose clock
// loopback sockets do not advance.
type pipes func(conn net.Conn, req *http.Request)

// dial connects to a server that answers one request on each connection.
func (p pipes) dial(servers *sync.WaitGroup) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		servers.Go(func() {
			defer theirs.Close()
			req, err := http.ReadRequest(bufio.NewReader(theirs))
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			req.Body = io.NopCloser(bytes.NewReader(body))
			p(theirs, req)
		})
		return ours, nil
	}
}

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

// response returns a response with a body.
func response(code int, body string, headers ...string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n%s",
		code, http.StatusText(code), len(body), strings.Join(append(headers, ""), "\r\n"), body)
}

// status returns a response without a body.
func status(code int, headers ...string) string { return response(code, "", headers...) }

// piped returns a client on an in-memory network.
func piped(t testing.TB, cfg openai.Config, opts openai.Options, p pipes) *openai.Client {
	t.Helper()
	var servers sync.WaitGroup
	t.Cleanup(servers.Wait)
	cfg.BaseURL = "http://localhost/v1"
	opts.Dial = p.dial(&servers)
	return client(t, cfg, opts)
}

func seconds(n float64) openai.Duration { return openai.Duration(n * float64(time.Second)) }
