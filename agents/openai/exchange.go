package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"roundtable/agents"
)

// exchange is one HTTP request to the provider and its response.
type exchange struct {
	client   *Client
	ctx      context.Context // of this exchange alone; the watchdog cancels it
	watchdog *watchdog
	frames   *frameReader // of the response; nil until there is one
	unsent   atomic.Bool  // there is no connection yet, or nothing was written to it
}

func (c *Client) newExchange(ctx context.Context, t Timeouts) *exchange {
	ctx, cancel := context.WithCancelCause(ctx)
	x := &exchange{client: c, watchdog: newWatchdog(t, cancel)}
	x.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { x.unsent.Store(true) },
		WroteHeaders: func() { x.unsent.Store(false) },
	})
	return x
}

// close ends the exchange and frees its connection.
func (x *exchange) close() {
	if x.frames != nil {
		x.frames.close()
	}
	x.watchdog.close()
}

// complete sends a completion request and begins to read its response.
func (x *exchange) complete(req agents.Request, q Quirks) error {
	body, err := json.Marshal(newRequest(req, q))
	if err == nil {
		body, err = req.AppendExtra(body)
	}
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	r, err := http.NewRequestWithContext(x.ctx, http.MethodPost, x.client.settings.base.String()+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json")
	r.Header.Set("Cache-Control", "no-cache")
	x.client.authorize(r)
	resp, err := x.send(r)
	if err != nil {
		return err
	}
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "gzip") && !strings.EqualFold(enc, "identity") {
		resp.Body.Close() //nolint:errcheck // nothing is wanted of it
		return &notStreamError{head: "compressed as " + enc}
	}
	server := resp.Header.Get("Server")
	x.client.windows.server.Store(&server)
	x.frames = newFrameReader(resp, x.watchdog, x.client.settings.limits)
	return nil
}

// send sends a request and returns the response. A status other than 200 is an
// error.
func (x *exchange) send(req *http.Request) (*http.Response, error) {
	x.watchdog.start()
	resp, err := x.client.http.Do(req)
	x.watchdog.stop()
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, x.statusError(resp)
	}
	return resp, nil
}

// authorize sets the key and the configured headers.
func (c *Client) authorize(req *http.Request) {
	req.Header.Set("User-Agent", userAgent)
	if k := c.key.value(); k != "" {
		req.Header.Set("Authorization", "Bearer "+k)
	}
	for name, values := range c.settings.header() {
		req.Header[name] = values
	}
}

// statusError reads what a response other than 200 says.
func (x *exchange) statusError(resp *http.Response) error {
	defer resp.Body.Close()
	x.watchdog.setPhase(phaseError, errorGrace)
	var body io.Reader = timedReader{resp.Body, x.watchdog}
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		body = &lazyGzip{src: body}
	}
	// A body that breaks off or takes too long is used as far as it came.
	text, _ := io.ReadAll(io.LimitReader(body, int64(x.client.settings.limits.Error)))
	said, now := parseAPIError(text), x.client.now()
	wait := retryAfter(resp.Header, now)
	if wait == 0 && !said.Reset.IsZero() {
		wait = min(max(0, said.Reset.Sub(now)), maxRetryAfter)
	}
	if wait == 0 && resp.StatusCode == http.StatusTooManyRequests {
		wait = delayInWords(said.Message)
	}
	return &statusError{
		status:     resp.StatusCode,
		apiError:   said,
		retryAfter: wait,
		target:     redirectTarget(resp),
	}
}

// redirectTarget returns the address that a response redirects to, without its
// query, which may hold a key.
func redirectTarget(resp *http.Response) string {
	loc, err := resp.Location()
	if err != nil || resp.StatusCode/100 != 3 {
		return ""
	}
	loc.RawQuery, loc.Fragment, loc.User = "", "", nil
	return loc.String()
}
