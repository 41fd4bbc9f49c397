package openai

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"roundtable/agents"
)


// exchange is one request and its response. It stands as the HTTP client in
// front of go-openai.
type exchange struct {
	c      *Client
	req    agents.Request
	habits habits
	ctx    context.Context // of this exchange alone; its end is the guard's
	guard  *guard
	stream *goopenai.ChatCompletionStream
}

var _ goopenai.HTTPDoer = (*exchange)(nil)

// exchange sends the request. The caller closes what it returns, also with an
// error.
func (c *Client) exchange(ctx context.Context, req agents.Request, h habits) (*exchange, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	x := &exchange{c: c, req: req, habits: h, ctx: ctx, guard: newGuard(c.set.timeouts, cancel)}
	cfg := goopenai.DefaultConfig("") // the key is set here, so that the library never has it
	cfg.BaseURL = c.set.base.String()
	cfg.HTTPClient = x
	cfg.EmptyMessagesLimit = math.MaxUint
	stream, err := goopenai.NewClientWithConfig(cfg).CreateChatCompletionStream(ctx, build(req))
	if err != nil {
		return x, err
	}
	x.stream = stream
	return x, nil
}

// close ends the exchange and frees its connection.
func (x *exchange) close() {
	if x.stream != nil {
		x.stream.Close() //nolint:errcheck // nothing more is wanted of it
	}
	x.guard.close()
}

// drain reads the end of a complete response, so that its connection can be
// used again. A server that leaves it open is not waited for.
func (x *exchange) drain() {
	x.guard.total.Reset(drainGrace)
	for range 16 {
		if _, err := x.stream.RecvRaw(); err != nil {
			return
		}
	}
}

// Do sends what go-openai built, patched, and returns a response only if it is
// one to read an answer from.
func (x *exchange) Do(built *http.Request) (*http.Response, error) {
	defer built.Body.Close()
	body, err := io.ReadAll(built.Body)
	if err != nil {
		return nil, fmt.Errorf("read the built request: %w", err)
	}
	if body, err = patch(body, x.req, x.c.set.preset.Quirks, x.habits); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(built.Context(), built.Method, built.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("Cache-Control", "no-cache")
	x.c.authorize(req)
	resp, err := x.send(req)
	if err != nil {
		return nil, err
	}
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "gzip") && !strings.EqualFold(enc, "identity") {
		resp.Body.Close() //nolint:errcheck // nothing is wanted of it
		return nil, &notStreamError{head: "compressed as " + enc}
	}
	resp.Body = newWire(resp, x.guard, x.c.set.limits)
	return resp, nil
}

// send sends a request and returns the response if it is not a refusal.
func (x *exchange) send(req *http.Request) (*http.Response, error) {
	x.guard.begin()
	resp, err := x.c.http.Do(req)
	x.guard.pause()
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, x.refusal(resp)
	}
	return resp, nil
}

// authorize sets the key and the configured headers.
func (c *Client) authorize(req *http.Request) {
	req.Header.Set("User-Agent", userAgent)
	if k := c.key.value(); k != "" {
		req.Header.Set("Authorization", "Bearer "+k)
	}
	for name, values := range c.set.header() {
		req.Header[name] = values
	}
}

// refusal reads what a response other than 200 says.
func (x *exchange) refusal(resp *http.Response) error {
	x.guard.enter(phaseError, errorGrace)
	return x.c.refusal(resp, guarded{resp.Body, x.guard})
}

func (c *Client) refusal(resp *http.Response, body io.Reader) error {
	defer resp.Body.Close()
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		body = &lazyGzip{src: body}
	}
	// What came before the body broke off, or took too long, is what there is.
	text, _ := io.ReadAll(io.LimitReader(body, int64(c.set.limits.Error)))
	return &statusError{
		status: resp.StatusCode,
		said:   parseSaid(text),
		retry:  retryAfter(resp.Header, c.now()),
		target: redirectTarget(resp),
	}
}

// redirectTarget returns where a response sends us, without its query.
func redirectTarget(resp *http.Response) string {
	loc, err := resp.Location()
	if err != nil || resp.StatusCode/100 != 3 {
		return ""
	}
	loc.RawQuery, loc.Fragment, loc.User = "", "", nil
	return loc.String()
}
