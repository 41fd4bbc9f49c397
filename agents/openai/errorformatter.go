package openai

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

type fault struct {
	*agents.Failure
	retry      bool          // may be retried
	retryOnce  bool          // but only once
	retryAfter time.Duration // how long the server asks to wait
	loads      bool          // the server loads the model
	daily      bool          // a limit of the day is reached
	apiError   apiError
}

type errorFormatter struct {
	*Client
	model    string
	expected string // what the response should have been
	proxy    string // its host, or ""
}

func (c *Client) errorFormatter(model string) errorFormatter {
	t := errorFormatter{Client: c, model: cmp.Or(c.mask.quote(model), "no model"), expected: "an event stream"}
	if u, err := c.proxy(&http.Request{URL: c.settings.base}); err == nil && u != nil {
		t.proxy = u.Host
	}
	return t
}

func (t errorFormatter) subject() string {
	if t.model == modelList {
		return t.name
	}
	return t.name + "/" + t.model
}

// edit returns a sentence about a change of the configuration or the environment, which
// are read at start.
func (t errorFormatter) edit(change string) string {
	return change + "; a change counts when Roundtable starts again."
}

func (f *fault) retries() *fault {
	f.retry = true
	return f
}

func (t errorFormatter) newFault(k agents.Kind, cause, remedy string) *fault {
	return &fault{Failure: &agents.Failure{Kind: k, Cause: cause, Remedy: remedy}}
}

func (t errorFormatter) quoted(s apiError) string {
	words := t.mask.quote(s.Message)
	if words == "" {
		return ", without saying why."
	}
	return ": " + inQuotes(words)
}

func inQuotes(words string) string { return `"` + strings.TrimRight(words, ".") + `".` }

func (t errorFormatter) fault(ctx context.Context, x *exchange, err error) *fault {
	f := t.classify(ctx, x, err)
	f.Err = err
	var wire *wireError
	f.Unprocessed = x.unsent.Load() || errors.As(err, &wire) && wire.status >= http.StatusMultipleChoices
	if ctx.Err() != nil {
		f.Err = ctx.Err()
	}
	return f
}

func (t errorFormatter) classify(ctx context.Context, x *exchange, err error) *fault {
	var wire *wireError
	switch {
	case ctx.Err() != nil:
		return t.cancelled(ctx)
	case !errors.As(err, &wire):
		return t.connectionError(x, err)
	}
	switch wire.kind {
	case exceeded:
		return t.limitExceeded(wire.limit, wire.n)
	case notStream:
		return t.notStream(wire.said.Message)
	case malformed:
		return t.newFault(agents.KindMalformed, fmt.Sprintf("Event %d of the answer from %s cannot be read%s "+
			"The server or a proxy is at fault.", wire.n, t.subject(), t.quoted(wire.said)), "")
	case refused:
		return t.newFault(agents.KindFilter, t.subject()+" refused to answer"+t.quoted(wire.said),
			"Rephrase the topic or use another model.")
	case answered:
	}
	return t.answered(x, wire)
}

func (t errorFormatter) connectionError(x *exchange, err error) *fault {
	switch cause := context.Cause(x.ctx); {
	case errors.Is(cause, errSilence):
		return t.idleTimeout(x.watchdog)
	case errors.Is(cause, errTotal):
		return t.totalTimeout(x.watchdog)
	}
	var outer *url.Error
	switch {
	case errors.Is(err, errTruncated):
		return t.newFault(agents.KindTruncated, fmt.Sprintf("The answer from %s was cut off.", t.subject()), "").retries()
	case errors.As(err, &outer):
		return t.networkError(err)
	}
	return t.newFault(agents.KindInternal, fmt.Sprintf("The request to %s could not be built.", t.subject()),
		"This is a bug in Roundtable; its log has the details.")
}

func (t errorFormatter) cancelled(ctx context.Context) *fault {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return t.newFault(agents.KindSilence, fmt.Sprintf("%s did not answer in time.", t.subject()), "Allow more time.")
	}
	return t.newFault(agents.KindCancelled, fmt.Sprintf("The call to %s was cancelled.", t.subject()), "")
}

func (t errorFormatter) totalTimeout(w *watchdog) *fault {
	total := text.Duration(time.Duration(w.limits.Total))
	return t.newFault(agents.KindSilence, fmt.Sprintf("The answer from %s did not finish within %s.", t.subject(), total),
		t.edit(fmt.Sprintf("Raise timeouts.total of %s or ask for less", t.name)))
}

func (t errorFormatter) idleTimeout(w *watchdog) *fault {
	f := t.newFault(agents.KindSilence, fmt.Sprintf("Nothing came from %s for %s.", t.subject(), text.Duration(w.silence)),
		t.edit(fmt.Sprintf("Raise timeouts.%s of %s if it needs longer", w.key, t.name))).retries()
	f.retryOnce = true
	return f
}

func (t errorFormatter) limitExceeded(key string, n int) *fault {
	cause := fmt.Sprintf("The answer from %s exceeded limits.%s (%d).", t.subject(), key, n)
	return t.newFault(agents.KindLimit, cause, t.edit(fmt.Sprintf("Raise limits.%s of %s to allow such answers", key, t.name)))
}

func (t errorFormatter) notStream(body string) *fault {
	words := "nothing."
	expected := t.expected
	if title := t.mask.quote(titleOf([]byte(body))); title != "" {
		expected, words = expected+" but a web page", inQuotes(title)
	} else if head := t.mask.quote(body); head != "" {
		words = inQuotes(head)
	}
	return t.newFault(agents.KindMalformed, fmt.Sprintf("%s did not send %s: %s", t.subject(), expected, words), t.pathRemedy())
}

func (t errorFormatter) networkError(err error) *fault {
	var op *net.OpError
	f := t.tlsError(err)
	if t.proxy != "" && (errors.As(err, &op) && op.Op == "proxyconnect" || f == nil) {
		return t.retryableNetwork(
			fmt.Sprintf("The proxy %s could not connect to %s for %s: %s.", t.proxy, t.settings.base.Host, t.model, t.innermost(err)),
			"Check HTTPS_PROXY and NO_PROXY, or start the proxy.",
		)
	}
	if f != nil {
		return f
	}
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		f := t.newFault(agents.KindNetwork, fmt.Sprintf("Cannot resolve %s.", t.settings.base.Host),
			fmt.Sprintf("Are you online? If so, check %s.", t.settings.addressKey))
		f.retry = !dns.IsNotFound
		return f
	case errors.Is(err, errConnectTimeout):
		return t.retryableNetwork(fmt.Sprintf("%s at %s did not accept the connection in time.", t.subject(), t.settings.base.Host),
			fmt.Sprintf("Check your network connection, or raise timeouts.connect of %s.", t.name))
	case errors.Is(err, syscall.ECONNREFUSED):
		return t.retryableNetwork(fmt.Sprintf("%s at %s refused the connection.", t.subject(), t.settings.base.Host),
			fmt.Sprintf("Start the server, or check %s.", t.settings.addressKey))
	}
	return t.retryableNetwork(fmt.Sprintf("Cannot connect to %s at %s: %s.", t.subject(), t.settings.base.Host, t.innermost(err)),
		"Check your network connection.")
}

func (t errorFormatter) retryableNetwork(cause, remedy string) *fault {
	return t.newFault(agents.KindNetwork, cause, remedy).retries()
}

// tlsError returns the fault of an error of TLS, nil for another one.
func (t errorFormatter) tlsError(err error) *fault {
	var (
		verify *tls.CertificateVerificationError
		record tls.RecordHeaderError
	)
	at := fmt.Sprintf("%s at %s", t.subject(), t.settings.base.Host)
	switch {
	case errors.As(err, &verify):
		return t.newFault(agents.KindNetwork,
			fmt.Sprintf("The certificate of %s is refused: %s.", at, strings.TrimPrefix(t.mask.quote(verify.Err.Error()), "x509: ")),
			t.edit("Check "+t.settings.addressKey+", the clock of this machine, or install the authority's certificate in the system"))
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"): // it has no type
		return t.newFault(agents.KindNetwork, fmt.Sprintf("%s does not speak https.", at),
			t.edit(fmt.Sprintf("Use http:// in %s if the server is on this machine", t.settings.addressKey)))
	}
	return nil
}

// innermost returns the words of the innermost error. Those around it repeat the
// address, which the sentence names already.
func (t errorFormatter) innermost(err error) string {
	var (
		outer *url.Error
		op    *net.OpError
		errno syscall.Errno
	)
	switch {
	case errors.As(err, &errno):
		err = errno
	case errors.As(err, &op):
		err = op.Err
	case errors.As(err, &outer):
		err = outer.Err
	}
	return strings.TrimRight(t.mask.quote(err.Error()), ".")
}

var errStopped = errors.New("the reader stopped")

// wireError is what a server sends in place of a completion.
type wireError struct {
	kind   wireKind
	said   apiError
	status int    // of HTTP; 0: it was within a response of status 200
	target string // of a redirect
	limit  string // that is exceeded
	n      int    // that limit, or the number of the event
}

type wireKind int

const (
	answered  wireKind = iota // with an error
	exceeded                  // one of our limits
	notStream                 // neither a stream nor a whole answer
	malformed
	refused // by the model
)

// Error returns no words of the server.
func (e *wireError) Error() string {
	return fmt.Sprintf("answer of kind %d, status %d, %s %d", e.kind, e.status, e.limit, e.n)
}

func overLimit(key string, n int) error { return &wireError{kind: exceeded, limit: key, n: n} }

func noStream(body string) error { return &wireError{kind: notStream, said: apiError{Message: body}} }
