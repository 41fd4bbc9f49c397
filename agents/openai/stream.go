package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"time"

	"roundtable/agents"
)

const (
	maxRetries  = 3
	backoffBase = time.Second      // the n-th retry waits up to 2^n of it
	pausedFrom  = 60 * time.Second // a longer wait counts as paused
	longestStay = 24 * time.Hour   // a longer one is not waited for
)

// Stream asks for one completion and yields it as it comes. It holds the
// finish back until the usage, [DONE], the end of the stream or one second.
// Every error it yields is an *agents.Failure. What may succeed on another try
// it sends again by itself, saying so by a chunk's Retry, before which all that
// came is void; an answer of which something was shown is asked for again once
// at most. Waiting for a place yields a Queued chunk, and so does the end of a
// wait that was announced.
func (c *Client) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		r := &run{c: c, ctx: ctx, req: req, tell: c.teller(req.Model), yield: yield}
		r.log = c.log.With("model", r.tell.model)
		r.play()
	}
}

// run is one call of Stream.
type run struct {
	c     *Client
	ctx   context.Context
	req   agents.Request
	tell  teller
	yield func(agents.Chunk, error) bool
	log   *slog.Logger

	quirks  Quirks // that the latest request was made for
	sent    int    // requests so far
	retries int
	stalled bool      // a stall was retried
	shown   bool      // text or reasoning was yielded
	rerun   bool      // and the answer asked for again since
	told    time.Time // the cooldown's end that was yielded last
	waited  bool      // a retry was yielded, and nothing since
}

// stopped is the fault of a reader that wants no more.
var stopped = &fault{}

// play sends until there is an answer or no reason to send again.
func (r *run) play() {
	for {
		last, f := r.try()
		if f == nil {
			last.Tries = r.sent
			r.yield(last, nil)
			return
		}
		if f != stopped {
			r.note(f)
			f = r.again(f)
		}
		switch f {
		case nil:
		case stopped:
			return
		default:
			f.Tries = r.sent
			r.yield(agents.Chunk{}, f.Failure)
			return
		}
	}
}

// try sends the request once and returns the chunk that ends the answer.
func (r *run) try() (agents.Chunk, *fault) {
	if err := r.c.gate.enter(r.ctx, r.waiting); err != nil {
		return agents.Chunk{}, r.unsent(err)
	}
	defer r.c.gate.leave()
	if r.waited && !r.queued() {
		return agents.Chunk{}, stopped
	}
	r.sent++
	r.quirks = r.c.quirks.of(r.req.Model)
	x := r.c.newExchange(r.ctx, r.c.set.timeouts)
	defer x.close()
	err := x.complete(r.req, r.quirks)
	var last agents.Chunk
	if err == nil {
		last, err = r.read(x)
	}
	switch {
	case errors.Is(err, errStopped):
		return agents.Chunk{}, stopped
	case err != nil:
		f := r.tell.fault(r.ctx, x, err)
		f.Usage = last.Usage
		return agents.Chunk{}, f
	}
	x.drain()
	last.Patched = changes(r.req, r.quirks)
	return last, nil
}

// unsent is the fault of a request that ended without the server's doing.
func (r *run) unsent(err error) *fault {
	if errors.Is(err, errStopped) {
		return stopped
	}
	f := r.tell.cancelled(r.ctx)
	f.Err = err
	return f
}

// read reads the answer and shows what comes. With an error it returns what was
// counted all the same.
func (r *run) read(x *exchange) (last agents.Chunk, err error) {
	a := newAnswer(r.c.set.limits, r.c.mask)
	defer func() {
		if err != nil {
			last = agents.Chunk{Usage: a.usage}
		}
	}()
	for !a.complete() && !a.overrun(r.req) {
		piece, err := r.next(x, a)
		if errors.Is(err, agents.ErrTruncated) && a.finished() && r.ctx.Err() == nil {
			break
		}
		if err != nil {
			return agents.Chunk{}, err
		}
		if !r.show(piece) {
			return agents.Chunk{}, errStopped
		}
		if a.finished() {
			x.guard.enter(phaseFinish, finishGrace)
		}
	}
	if !r.show(a.flush()) {
		return agents.Chunk{}, errStopped
	}
	if a.refusal.Len() > 0 {
		return agents.Chunk{}, &refusalError{a.refusal.String()}
	}
	return a.last(r.req), nil
}

// next takes in the next frame of the answer. However the stream ends, it is
// truncated, unless the answer is finished.
func (r *run) next(x *exchange, a *answer) (agents.Chunk, error) {
	f, err := x.frames.next()
	switch {
	case err == io.EOF:
		return agents.Chunk{}, agents.ErrTruncated
	case err != nil:
		return agents.Chunk{}, fmt.Errorf("%w: %w", agents.ErrTruncated, err)
	}
	return a.add(f)
}

// show yields a piece that has anything in it.
func (r *run) show(piece agents.Chunk) bool {
	if piece.Text == "" && piece.Reasoning == "" && !piece.Queued {
		return true
	}
	r.shown = r.shown || !piece.Queued
	return r.yield(piece, nil)
}

// again decides whether the request is sent once more, says so and waits. It
// returns the fault that ends the run instead, if one does.
func (r *run) again(f *fault) *fault {
	if why, ok := r.learn(f); ok {
		return r.announce(agents.Retry{Cause: why, Try: 1, Of: 1, Failed: f.Failure})
	}
	if f.wait > 0 {
		f.RetryAt = r.c.now().Add(f.wait)
	}
	if !f.again || r.retries >= maxRetries || f.once && r.stalled || r.shown && r.rerun || f.wait > longestStay {
		return f
	}
	r.retries++
	r.stalled, r.rerun = r.stalled || f.once, r.shown
	retry := agents.Retry{Cause: f.Cause, Try: r.retries, Of: maxRetries, In: f.wait, Void: r.shown, Failed: f.Failure}
	if f.once || r.shown {
		retry.Of = r.retries
	}
	if f.wait == 0 {
		return r.backOff(retry)
	}
	if f.wait > pausedFrom {
		retry.Until = f.RetryAt
	}
	r.told = time.Now().Add(f.wait)
	r.c.gate.close(r.told, f.Cause) // the next try waits there
	return r.announce(retry)
}

// learn adapts to a refusal, if nothing of the answer was shown.
func (r *run) learn(f *fault) (string, bool) {
	if r.shown {
		return "", false
	}
	return r.c.adapt(r.req, r.quirks, r.tell, f)
}

// backOff waits for a random time up to a bound that doubles with each retry:
// what failed together does not come back together.
func (r *run) backOff(retry agents.Retry) *fault {
	retry.In = time.Duration(r.c.rand() * float64(backoffBase<<r.retries))
	_, changed := r.c.gate.state()
	if f := r.announce(retry); f != nil {
		return f
	}
	if err := sleep(r.ctx, retry.In, changed); err != nil {
		return r.unsent(err)
	}
	return nil
}

// announce yields a retry.
func (r *run) announce(retry agents.Retry) *fault {
	if r.waited = r.yield(agents.Chunk{Retry: &retry}, nil); !r.waited {
		return stopped
	}
	return nil
}

// waiting tells the reader that the request waits: for a place, or for the end
// of a cooldown that another one of this provider ran into.
func (r *run) waiting(until time.Time) bool {
	if until.IsZero() {
		return r.queued()
	}
	if late := until.Sub(r.told); late < time.Second && late > -time.Second {
		return true
	}
	r.told = until
	retry := agents.Retry{Cause: r.c.gate.reason() + " Another request was told so; all to " + r.tell.provider + " wait.", Try: max(1, r.retries), Of: maxRetries, In: time.Until(until)}
	if retry.In > pausedFrom {
		retry.Until = r.c.now().Add(retry.In)
	}
	return r.announce(retry) == nil
}

// queued tells the reader that no answer has begun yet.
func (r *run) queued() bool {
	r.waited = false
	return r.yield(agents.Chunk{Queued: true}, nil)
}

// note logs a fault. What a server said may hold a piece of the conversation,
// so it is for the closest look only.
func (r *run) note(f *fault) {
	r.log.Info("completion failed", "kind", f.Kind, "status", f.Status, "tries", r.sent)
	r.log.Debug("completion failed", "cause", f.Cause)
}
