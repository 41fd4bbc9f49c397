package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/agents"
)

// fault is a failure and what the retry loop makes of it.
type fault struct {
	*agents.Failure
	again bool          // the loop may send the request again
	once  bool          // but not more than once
	wait  time.Duration // what the server asks for before that
	said  said
}

// teller puts what went wrong into sentences.
type teller struct {
	provider  string
	preset    string
	model     string
	wanted    string // what the answer should have been
	keySource string
	host      string // of the provider
	base      string
	proxy     string // host of the proxy that the provider is reached through
	mask      masker
}

func (c *Client) teller(model string) teller {
	t := teller{
		provider: c.name, preset: c.set.preset.Name, model: c.mask.quote(model), wanted: "an event stream", keySource: c.set.keySource,
		host: c.set.base.Host, base: c.set.base.String(), mask: c.mask,
	}
	if t.model == "" {
		t.model = "no model"
	}
	if u, err := c.proxy(&http.Request{URL: c.set.base}); err == nil && u != nil {
		t.proxy = u.Host
	}
	return t
}

// who names provider and model.
func (t teller) who() string {
	if t.model == itsModels {
		return t.provider
	}
	return t.provider + "/" + t.model
}

func (t teller) fail(k agents.Kind, cause, remedy string) *fault {
	return &fault{Failure: &agents.Failure{Kind: k, Cause: cause, Remedy: remedy}}
}

// quoted returns what the server said, as the end of a sentence.
func (t teller) quoted(s said) string {
	words := t.mask.quote(s.Message)
	if words == "" {
		return ", without saying why."
	}
	return ": " + sentence(words)
}

// sentence ends words with a full stop if they have no end.
func sentence(words string) string {
	if last, _ := utf8.DecodeLastRuneInString(words); strings.ContainsRune(".!?…", last) {
		return words
	}
	return words + "."
}

// fault sorts an error that ended an exchange. The guard says which limit it
// was if one was passed.
func (t teller) fault(ctx context.Context, x *exchange, err error) *fault {
	f := t.sort(ctx, x, err)
	f.Err = err
	if ctx.Err() != nil {
		f.Err = ctx.Err()
	}
	return f
}

func (t teller) sort(ctx context.Context, x *exchange, err error) *fault {
	var (
		status    *statusError
		inside    *saidError
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
	case errors.As(err, &inside):
		return t.inside(inside.said)
	case errors.As(err, &limit):
		return t.limit(limit)
	case errors.As(err, &notStream):
		return t.notStream(notStream)
	case errors.As(err, &malformed):
		return t.malformed(malformed)
	case errors.As(err, &refused):
		return t.fail(agents.KindFilter, t.who()+" refuses to answer"+t.quoted(said{Message: refused.text}),
			"Word the topic differently, or give the seat another model.")
	}
	return t.broken(x, err)
}

// broken sorts an error of the connection: a limit of time that we set, else
// where it broke.
func (t teller) broken(x *exchange, err error) *fault {
	switch cause := context.Cause(x.ctx); {
	case errors.Is(cause, errSilence):
		return t.silence(x.guard)
	case errors.Is(cause, errTotal):
		return t.endless(x.guard)
	}
	var outer *url.Error
	switch {
	case errors.Is(err, agents.ErrTruncated):
		return t.cut()
	case errors.As(err, &outer):
		return t.network(err)
	}
	return t.fail(agents.KindInternal, fmt.Sprintf("The request to %s could not be built.", t.who()), "This is a defect of the program; its log says more.")
}

func (t teller) cancelled(ctx context.Context) *fault {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f := t.fail(agents.KindSilence, fmt.Sprintf("%s did not answer in the time given.", t.who()), "Give it more time.")
		f.Retryable = true
		return f
	}
	f := t.fail(agents.KindCancelled, fmt.Sprintf("The call of %s was cancelled.", t.who()), "")
	f.Retryable = true
	return f
}

func (t teller) malformed(e *malformedError) *fault {
	f := t.fail(agents.KindMalformed, fmt.Sprintf("Event %d of the answer from %s is damaged%s The server or a proxy before it is at fault.",
		e.event, t.who(), t.quoted(said{Message: e.err.Error()})), "")
	f.Retryable = true
	return f
}

func (t teller) endless(g *guard) *fault {
	f := t.fail(agents.KindSilence, fmt.Sprintf("The answer from %s was not done after %s.", t.who(), seconds(time.Duration(g.limits.Total))),
		fmt.Sprintf("Raise timeouts.total of %s, or ask for less.", t.provider))
	f.Retryable = true
	return f
}

func (t teller) silence(g *guard) *fault {
	d, key := g.limit()
	f := t.fail(agents.KindSilence, fmt.Sprintf("No answer from %s for %s.", t.who(), seconds(d)),
		fmt.Sprintf("Raise timeouts.%s of %s if it needs longer.", key, t.provider))
	f.Retryable, f.again, f.once = true, true, true
	return f
}

func (t teller) cut() *fault {
	f := t.fail(agents.KindTruncated, fmt.Sprintf("The answer from %s broke off before its end.", t.who()), "")
	f.Retryable, f.again = true, true
	return f
}

func (t teller) limit(l limitError) *fault {
	cause := fmt.Sprintf("The answer from %s passed the limit limits.%s (%d).", t.who(), l.key, l.n)
	if l.key == "repeats" {
		cause = fmt.Sprintf("%s sent the same piece of text more than %d times in a row (limits.repeats).", t.who(), l.n)
	}
	return t.fail(agents.KindLimit, cause, fmt.Sprintf("Raise limits.%s of %s if such answers are wanted.", l.key, t.provider))
}

func (t teller) notStream(e *notStreamError) *fault {
	words := t.mask.quote(e.head)
	if words == "" {
		words = "(nothing)"
	}
	remedy := fmt.Sprintf("Check base_url of %s (%s).", t.provider, t.base)
	if !strings.Contains(t.base, "/v1") {
		remedy = fmt.Sprintf("Is the base URL missing /v1? base_url of %s is %s.", t.provider, t.base)
	}
	return t.fail(agents.KindMalformed, fmt.Sprintf("What %s sent is not %s: %s", t.who(), t.wanted, sentence(words)), remedy)
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return d.String()
	}
	return fmt.Sprintf("%g s", d.Round(100*time.Millisecond).Seconds())
}
