package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"roundtable/agents"
)

type exchange struct {
	client   *Client
	ctx      context.Context // of this exchange alone; the watchdog cancels it
	watchdog *watchdog
	frames   *frameReader // of the response; nil until there is one
	header   http.Header  // of the response
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

func (x *exchange) close() {
	if x.frames != nil {
		x.frames.body.Close() //nolint:errcheck // the rest is not needed
	}
	x.watchdog.close()
}

func (x *exchange) complete(req agents.Request, q quirkSet) error {
	body, err := json.Marshal(newRequest(req, q))
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	if len(req.ExtraBody) > len("{}") { // no field of it is one of ours
		body = slices.Concat(body[:len(body)-1], []byte(","), req.ExtraBody[1:])
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
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		resp.Body.Close() //nolint:errcheck // it is not read
		return noStream("compressed as " + enc)
	}
	x.header = resp.Header
	x.frames = newFrameReader(resp, x.watchdog, x.client.settings.limits)
	return nil
}

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

func (c *Client) authorize(req *http.Request) {
	req.Header.Set("User-Agent", userAgent)
	if k := c.key.value(); k != "" {
		req.Header.Set("Authorization", "Bearer "+k)
	}
	for name, values := range c.settings.header() {
		req.Header[name] = values
	}
}

const maxErrorBody = 64 << 10 // bytes that are read

func (x *exchange) statusError(resp *http.Response) error {
	defer resp.Body.Close()
	x.watchdog.end(errorGrace)
	// A body that breaks off or takes too long is used as it is.
	text, _ := io.ReadAll(io.LimitReader(timedReader{resp.Body, x.watchdog}, maxErrorBody))
	x.header = resp.Header
	if resp.StatusCode == http.StatusForbidden && bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) { // of a proxy, not of the API
		return &wireError{kind: notStream, status: resp.StatusCode, said: apiError{Message: string(text)}}
	}
	return &wireError{status: resp.StatusCode, said: parseAPIError(text), target: redirectTarget(resp)}
}

// waitOf returns how long a server asks to wait, wherever it says so; 0: it does not.
func (x *exchange) waitOf(said apiError) time.Duration {
	now := x.client.now()
	wait := max(retryAfter(x.header, now), said.Retry)
	if wait == 0 && !said.Reset.IsZero() {
		wait = min(max(0, said.Reset.Sub(now)), maxRetryAfter)
	}
	return wait
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

const (
	finishGrace = time.Second     // for the usage after the finish reason
	errorGrace  = 5 * time.Second // for the body of an error response
)

var (
	errSilence        = errors.New("no data within the time limit")
	errTotal          = errors.New("not done within the total time limit")
	errConnectTimeout = errors.New("no connection within the time limit")
)

// watchdog cancels an exchange that waits too long for the server. Its timer runs only
// during reads, so that a slow consumer does not count as silence. It is not safe for
// concurrent use.
type watchdog struct {
	limits    Timeouts
	cancel    context.CancelCauseFunc
	key       string        // of the limit of silence that is in force
	silence   time.Duration // that limit
	ending    bool          // data does not prolong the time any more
	remaining time.Duration
	started   time.Time
	timer     *time.Timer
	total     *time.Timer
}

func newWatchdog(t Timeouts, cancel context.CancelCauseFunc) *watchdog {
	first := time.Duration(t.FirstPayload)
	w := &watchdog{limits: t, cancel: cancel, key: "first_payload", silence: first, remaining: first}
	w.timer = time.AfterFunc(time.Hour, func() { cancel(errSilence) })
	w.timer.Stop()
	w.total = time.AfterFunc(time.Duration(t.Total), func() { cancel(errTotal) })
	return w
}

func (w *watchdog) start() {
	w.started = time.Now()
	w.timer.Reset(w.remaining)
}

func (w *watchdog) stop() {
	w.timer.Stop()
	w.remaining -= time.Since(w.started)
}

func (w *watchdog) dataReceived() {
	if !w.ending {
		w.key, w.silence, w.remaining = "idle", time.Duration(w.limits.Idle), time.Duration(w.limits.Idle)
	}
}

// end begins the last part, which data does not prolong: what follows the finish reason, or the
// body of an error. Not even a server that sends without pause can prolong it beyond twice its time.
func (w *watchdog) end(d time.Duration) {
	if !w.ending {
		w.ending, w.remaining = true, min(d, w.remaining)
		w.total.Reset(2 * d)
	}
}

func (w *watchdog) close() {
	w.timer.Stop()
	w.total.Stop()
	w.cancel(nil)
}

type timedReader struct {
	io.Reader
	watchdog *watchdog
}

// Read implements io.Reader.
func (r timedReader) Read(p []byte) (int, error) {
	r.watchdog.start()
	defer r.watchdog.stop()
	return r.Reader.Read(p)
}

// retryAfter returns how long a server asks to wait: in milliseconds, in seconds or until a
// date. It returns 0 if the server says no positive time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := parseDelay(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := parseDelay(value, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), maxRetryAfter)
}

// maxRetryAfter bounds a wait, so that its end is a date.
const maxRetryAfter = 100 * 365 * 24 * time.Hour

func parseDelay(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f > 0) || math.IsInf(f, 0) { // the words inf and NaN
		return 0, false
	}
	return time.Duration(min(f, float64(maxRetryAfter/unit)) * float64(unit)), true
}
