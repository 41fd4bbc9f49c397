package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"roundtable/agents"
)

// fault is a failure of one try, and whether and when to retry.
type fault struct {
	*agents.Failure
	retry      bool          // may be retried
	retryOnce  bool          // but only once
	retryAfter time.Duration // how long the server asks to wait
	apiError   apiError
}

// errorFormatter turns errors into sentences for the user.
type errorFormatter struct {
	provider   string
	server     string // what kind it is; "" if unknown
	model      string
	expected   string // what the response should have been
	keySource  string
	host       string // of base
	base       string
	addressKey string // names where base comes from
	proxy      string // host of the proxy; "" if there is none
	mask       masker
}

func (c *Client) errorFormatter(model string) errorFormatter {
	t := errorFormatter{
		provider: c.name, server: c.serverKind(), model: c.mask.quote(model),
		expected: "an event stream", keySource: c.settings.keySource,
		addressKey: c.settings.addressKey,
		host:       c.settings.base.Host, base: c.settings.base.String(), mask: c.mask,
	}
	if t.model == "" {
		t.model = "no model"
	}
	if u, err := c.proxy(&http.Request{URL: c.settings.base}); err == nil && u != nil {
		t.proxy = u.Host
	}
	return t
}

// subject names provider and model.
func (t errorFormatter) subject() string {
	if t.model == modelList {
		return t.provider
	}
	return t.provider + "/" + t.model
}

// edit returns a sentence about a change of the configuration or the environment, which
// the program reads when it starts.
func (t errorFormatter) edit(change string) string {
	if t.model == modelList { // nothing goes on after a list
		return change + "."
	}
	return change + "; a change counts when Roundtable starts again."
}

func (t errorFormatter) newFault(k agents.Kind, cause, remedy string) *fault {
	return &fault{Failure: &agents.Failure{Kind: k, Cause: cause, Remedy: remedy}}
}

// quoted returns what the server said as the end of a sentence.
func (t errorFormatter) quoted(s apiError) string {
	words := t.mask.quote(s.Message)
	if words == "" {
		return ", without saying why."
	}
	return ": " + inQuotes(words)
}

// inQuotes returns a server's words as the end of a sentence, so that nobody takes
// them for ours.
func inQuotes(words string) string { return `"` + strings.TrimRight(words, ".") + `".` }

// fault returns the fault of an error that ended an exchange.
func (t errorFormatter) fault(ctx context.Context, x *exchange, err error) *fault {
	f := t.classify(ctx, x, err)
	f.Err = err
	var status *statusError
	f.Unprocessed = x.unsent.Load() || errors.As(err, &status) && status.status >= http.StatusMultipleChoices
	if ctx.Err() != nil {
		f.Err = ctx.Err()
	}
	return f
}

func (t errorFormatter) classify(ctx context.Context, x *exchange, err error) *fault {
	var (
		status    *statusError
		inBand    *inBandError
		limit     limitError
		notStream *notStreamError
		malformed *malformedError
		refused   *refusalError
	)
	switch {
	case ctx.Err() != nil:
		return t.cancelled(ctx)
	case errors.As(err, &status):
		return t.status(status)
	case errors.As(err, &inBand):
		return t.inBand(inBand.apiError)
	case errors.As(err, &limit):
		return t.limitExceeded(limit)
	case errors.As(err, &notStream):
		return t.notStream(notStream)
	case errors.As(err, &malformed):
		return t.malformed(malformed)
	case errors.As(err, &refused):
		return t.newFault(agents.KindFilter, t.subject()+" refused to answer"+t.quoted(apiError{Message: refused.text}),
			"Rephrase the topic or use another model.")
	}
	return t.connectionError(x, err)
}

// connectionError returns the fault of one of our timeouts, a stream that broke off
// or a connection that failed.
func (t errorFormatter) connectionError(x *exchange, err error) *fault {
	switch cause := context.Cause(x.ctx); {
	case errors.Is(cause, errSilence):
		return t.idleTimeout(x.watchdog)
	case errors.Is(cause, errTotal):
		return t.totalTimeout(x.watchdog)
	}
	var outer *url.Error
	switch {
	case errors.Is(err, agents.ErrTruncated):
		return t.truncated()
	case errors.As(err, &outer):
		return t.networkError(err)
	}
	return t.newFault(agents.KindInternal, fmt.Sprintf("The request to %s could not be built.", t.subject()),
		"This is a bug in Roundtable; its log has the details.")
}

func (t errorFormatter) cancelled(ctx context.Context) *fault {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f := t.newFault(agents.KindSilence, fmt.Sprintf("%s did not answer in time.", t.subject()), "Allow more time.")
		f.Retryable = true
		return f
	}
	f := t.newFault(agents.KindCancelled, fmt.Sprintf("The call to %s was cancelled.", t.subject()), "")
	f.Retryable = true
	return f
}

func (t errorFormatter) malformed(e *malformedError) *fault {
	cause := fmt.Sprintf("Event %d of the answer from %s cannot be read%s The server or a proxy is at fault.",
		e.event, t.subject(), t.quoted(apiError{Message: e.err.Error()}))
	f := t.newFault(agents.KindMalformed, cause, "")
	f.Retryable = true
	return f
}

func (t errorFormatter) totalTimeout(w *watchdog) *fault {
	total := seconds(time.Duration(w.limits.Total))
	f := t.newFault(agents.KindSilence, fmt.Sprintf("The answer from %s did not finish within %s.", t.subject(), total),
		t.edit(fmt.Sprintf("Raise timeouts.total of %s or ask for less", t.provider)))
	f.Retryable = true
	return f
}

func (t errorFormatter) idleTimeout(w *watchdog) *fault {
	d, key := w.limit()
	f := t.newFault(agents.KindSilence, fmt.Sprintf("No answer from %s for %s.", t.subject(), seconds(d)),
		t.edit(fmt.Sprintf("Raise timeouts.%s of %s if it needs longer", key, t.provider)))
	f.Retryable, f.retry, f.retryOnce = true, true, true
	return f
}

func (t errorFormatter) truncated() *fault {
	f := t.newFault(agents.KindTruncated, fmt.Sprintf("The answer from %s was cut off.", t.subject()), "")
	f.Retryable, f.retry = true, true
	return f
}

func (t errorFormatter) limitExceeded(l limitError) *fault {
	cause := fmt.Sprintf("The answer from %s exceeded limits.%s (%d).", t.subject(), l.key, l.n)
	if l.key == "repeats" {
		cause = fmt.Sprintf("%s sent the same piece of text more than %d times in a row (limits.repeats).", t.subject(), l.n)
	}
	return t.newFault(agents.KindLimit, cause, t.edit(fmt.Sprintf("Raise limits.%s of %s to allow such answers", l.key, t.provider)))
}

func (t errorFormatter) notStream(e *notStreamError) *fault {
	words := "nothing."
	expected := t.expected
	if title := t.mask.quote(titleOf([]byte(e.head))); title != "" {
		expected, words = expected+" but a web page", inQuotes(title)
	} else if head := t.mask.quote(e.head); head != "" {
		words = inQuotes(head)
	}
	remedy := fmt.Sprintf("Check %s (%s)", t.addressKey, t.base)
	switch {
	case !strings.Contains(t.base, "/v1"):
		remedy = fmt.Sprintf("Is the base URL missing /v1? %s is %s", t.addressKey, t.base)
	case t.isRemote():
		remedy += t.orSignIn()
	}
	return t.newFault(agents.KindMalformed, fmt.Sprintf("%s did not send %s: %s", t.subject(), expected, words), t.edit(remedy))
}

// seconds formats a duration for a sentence.
func seconds(d time.Duration) string {
	if d < time.Second {
		return d.String()
	}
	return fmt.Sprintf("%g s", d.Round(100*time.Millisecond).Seconds())
}
