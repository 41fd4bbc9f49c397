package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// failureOf returns why a completion came to nothing; nil where it is the
// observer's doing.
func failureOf(ctx context.Context, err error, c Completion) *Failure {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return &Failure{Kind: KindCancelled, Cause: "The call was cancelled.", Retryable: true, Tries: c.Tries, Err: err}
	}
	return nil
}

// stream takes one completion off the provider and judges whether it is whole.
// What it used is known also of one that is not.
func (t *talk) stream(ctx context.Context, req Request) (Completion, error) {
	r := reading{}
	err := t.read(ctx, req, &r)
	c := r.Completion
	c.Text, c.Reasoning = r.text.String(), r.reasoning.String()
	c.Tries = max(1, c.Tries)
	c.Usage = measured(r.last, req, c).Add(r.before)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		if f := t.judge(c); f != nil {
			f.Tries = c.Tries
			err = t.fail(f)
		}
	}
	return c, err
}

// reading is a completion as far as it has come.
type reading struct {
	Completion
	text, reasoning strings.Builder
	last            *Usage // of the last try; nil: the server did not say
	before          Usage  // of the tries before it, as far as the server said
}

// read gathers the chunks of a completion.
func (t *talk) read(ctx context.Context, req Request, r *reading) error {
	for chunk, err := range t.agent.Client.Stream(ctx, req) {
		if err != nil {
			return t.broken(ctx, req, r, err)
		}
		if retry := chunk.Retry; retry != nil {
			if r.text.Len()+r.reasoning.Len() > 0 {
				return t.void(r, retry)
			}
			if f := retry.Failed; f != nil && f.Usage != nil {
				r.before = r.before.Add(*f.Usage)
			}
		}
		r.text.WriteString(chunk.Text)
		r.reasoning.WriteString(chunk.Reasoning)
		if chunk.Finish != "" {
			r.Finish, r.Calls, r.last, r.Tries, r.Message.Extra = chunk.Finish, chunk.Calls, chunk.Usage, chunk.Tries, chunk.Extra
			r.Patched = chunk.Patched
		}
		if err := t.show(chunk); err != nil {
			return err
		}
	}
	return nil
}

// void ends the turn where the provider would ask again although text was shown.
func (t *talk) void(r *reading, retry *Retry) error {
	f := Failure{Kind: KindTruncated, Cause: retry.Cause, Retryable: true, Err: ErrTruncated}
	if retry.Failed != nil {
		f = *retry.Failed
	}
	r.last, r.Tries, f.Tries = f.Usage, retry.Try, retry.Try
	return &SpeakError{Speaker: t.agent.Profile, Failure: &f, Again: retry}
}

// show passes a chunk on to the observer.
func (t *talk) show(chunk Chunk) error {
	var seen []Progress
	if chunk.Queued {
		seen = append(seen, Queued{})
	}
	if chunk.Retry != nil {
		seen = append(seen, Retrying{*chunk.Retry})
	}
	if chunk.Reasoning != "" {
		seen = append(seen, Reasoning{chunk.Reasoning})
	}
	if chunk.Text != "" {
		seen = append(seen, Text{chunk.Text})
	}
	for _, p := range seen {
		if err := t.observe(p); err != nil {
			return err
		}
	}
	return nil
}

// broken turns a provider's error into one that names the speaker. A cancelled
// context stays what it is.
func (t *talk) broken(ctx context.Context, req Request, r *reading, err error) error {
	var f *Failure
	known := errors.As(err, &f)
	if known {
		r.last, r.Tries = f.Usage, f.Tries
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	switch {
	case known && f.Kind == KindTooLong:
		f = sized(*f, req, t.agent.ContextWindow)
	case known:
	case errors.Is(err, ErrTruncated):
		f = truncated()
	default:
		f = &Failure{Kind: KindInternal, Cause: "The provider failed: " + err.Error() + ".", Retryable: true, Err: err}
	}
	return t.fail(f)
}

// sized adds to a prompt that is too long how long it is, and what was known of
// the window.
func sized(f Failure, req Request, window int) *Failure {
	f.Cause += fmt.Sprintf(" About %d tokens were sent", req.Tokens())
	if window > 0 {
		f.Cause += fmt.Sprintf("; context_window of the seat is %d.", window)
	} else {
		f.Cause += "; context_window of the seat is not set."
	}
	return &f
}

func truncated() *Failure {
	return &Failure{Kind: KindTruncated, Cause: "The answer broke off: kept, marked, not used.", Retryable: true, Err: ErrTruncated}
}

// judge returns why a completion is no answer, or nil.
func (t *talk) judge(c Completion) *Failure {
	const roomier = "Raise max_tokens of this agent."
	from := "The answer from " + t.who()
	blank := strings.TrimSpace(c.Text) == ""
	switch {
	case c.Finish == "":
		return truncated()
	case c.Finish == FinishFilter:
		return &Failure{Kind: KindFilter, Cause: from + " was stopped by the provider's content filter.", Remedy: "Word the question differently, or take another model."}
	case c.Finish == FinishError:
		return &Failure{Kind: KindBusy, Cause: from + " was ended by the server with an error.", Retryable: true}
	case c.Finish == FinishLength && len(c.Calls) > 0:
		return &Failure{Kind: KindLimit, Cause: from + " was cut at max_tokens in the middle of a tool call.", Remedy: roomier}
	case len(c.Calls) > 0 || !blank:
		return nil
	case c.Finish == FinishLength:
		return &Failure{Kind: KindEmpty, Cause: from + " was cut at max_tokens before any text of it came.", Remedy: roomier}
	case c.Reasoning != "":
		return &Failure{Kind: KindEmpty, Cause: "Only reasoning came from " + t.who() + ", no answer.", Retryable: true}
	default:
		return &Failure{Kind: KindEmpty, Cause: from + " was empty.", Retryable: true}
	}
}

// measured is what a completion took: as the server says, and estimated where it
// says nothing. Zero is nothing: no model reads or writes no tokens at all.
func measured(said *Usage, req Request, c Completion) Usage {
	var u Usage
	if said != nil {
		u = *said
	}
	written := c.Text != "" || c.Reasoning != "" || len(c.Calls) > 0
	came := written || c.Finish != ""
	if u.Input == 0 && came {
		u.Input, u.Estimated = req.Tokens(), true
	}
	if u.Output == 0 && written {
		u.Reasoning = Tokens(c.Reasoning)
		u.Output, u.Estimated = u.Reasoning+Tokens(c.Text), true
		for _, call := range c.Calls {
			u.Output += perTool + Tokens(call.Name) + Tokens(call.Args)
		}
	}
	return u
}
