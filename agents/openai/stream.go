package openai

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

const (
	maxRetries     = 3
	loadInterval   = 5 * time.Second  // between requests to a server that loads the model
	maxLoads       = 36               // of them: for three minutes
	backoffBase    = time.Second      // the n-th retry waits up to 2^n times as long
	pauseThreshold = 60 * time.Second // a longer wait is announced with its end
)

// Stream requests one completion and yields it as it arrives. It holds the
// finish back for up to a second, until the usage, [DONE] or the end of the
// stream. Every error it yields is an *agents.Failure.
//
// Stream retries by itself what may succeed on another try. It yields a chunk
// with a Retry first. An answer that was shown in part is not retried: its failure asks
// for another attempt of the turn. Waiting for a slot yields a Queued chunk and
// its end an Alive chunk; the end of another wait that was announced is a Queued chunk.
func (c *Client) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		r := &completion{client: c, ctx: ctx, req: req, errors: c.errorFormatter(req.Model), yield: yield}
		r.log = c.log.With("model", r.errors.model)
		r.run()
	}
}

type completion struct {
	client *Client
	ctx    context.Context
	req    agents.Request
	errors errorFormatter
	yield  func(agents.Chunk, error) bool
	log    *slog.Logger

	quirks        quirkSet // of the latest try
	tries         int      // so far
	retries       int
	loads         int       // retries while the model was being loaded
	stallRetried  bool      // after a timeout, which is done once
	textShown     bool      // some of the answer was yielded
	announcedEnd  time.Time // the end of the cooldown that was yielded last
	waitAnnounced bool      // a retry was yielded, and nothing since it
	placeAwaited  bool      // the wait for a slot was yielded
}

var faultStopped = &fault{}

var errTruncated = errors.New("the stream ended without a finish reason")

func (r *completion) run() {
	for {
		last, f := r.try()
		if f == nil {
			last.Cut = r.client.cutOf(r.ctx, r.req, last.Usage)
			r.yield(last, nil)
			return
		}
		if f != faultStopped {
			r.logFault(f)
			f = r.retry(f)
		}
		switch f {
		case nil:
		case faultStopped:
			return
		default:
			f.Tries = r.tries
			r.yield(agents.Chunk{}, f.Failure)
			return
		}
	}
}

func (r *completion) try() (agents.Chunk, *fault) {
	if err := r.client.limiter.acquire(r.ctx, r.req.Model, r.yieldWait); err != nil {
		return agents.Chunk{}, r.notSent(err)
	}
	defer r.client.limiter.release()
	if r.waitAnnounced {
		r.waitAnnounced = false
		if !r.yield(agents.Chunk{Event: agents.Queued{}}, nil) {
			return agents.Chunk{}, faultStopped
		}
	}
	r.tries++
	r.quirks = r.client.quirks.of(r.req.Model)
	if whole := !r.quirks.streams(r.req); r.placeAwaited || whole {
		r.placeAwaited = false
		if !r.yield(agents.Chunk{Event: agents.Alive{Placed: true, Whole: whole}}, nil) {
			return agents.Chunk{}, faultStopped
		}
	}
	x := r.client.newExchange(r.ctx, r.client.settings.timeouts)
	defer x.close()
	err := x.complete(r.req, r.quirks)
	var last agents.Chunk
	if err == nil {
		last, err = r.read(x)
	}
	switch {
	case errors.Is(err, errStopped):
		return agents.Chunk{}, faultStopped
	case err != nil:
		f := r.errors.fault(r.ctx, x, err)
		f.Usage = last.Usage
		return agents.Chunk{}, f
	}
	last.Patched = changes(r.req, r.quirks)
	return last, nil
}

func (r *completion) notSent(err error) *fault {
	if errors.Is(err, errStopped) {
		return faultStopped
	}
	f := r.errors.cancelled(r.ctx)
	f.Err, f.Unprocessed = err, true
	return f
}

// read reads the answer and yields it as it arrives. The last chunk has the usage,
// if the server sent one, also when there is an error.
func (r *completion) read(x *exchange) (last agents.Chunk, err error) {
	a := &answer{limits: r.client.settings.limits, mask: r.client.mask}
	defer func() {
		if err != nil {
			last = agents.Chunk{Usage: a.usage}
		}
	}()
	for !a.complete() && !a.overrun(r.req) {
		piece, err := r.next(x, a)
		if errors.Is(err, errTruncated) && a.finished() && r.ctx.Err() == nil {
			break
		}
		if err != nil {
			return agents.Chunk{}, err
		}
		if !r.yieldPiece(piece) {
			return agents.Chunk{}, errStopped
		}
		if a.finished() {
			x.watchdog.end(finishGrace)
		}
	}
	if !r.yieldPiece(a.flush()) {
		return agents.Chunk{}, errStopped
	}
	if a.refusal.Len() > 0 {
		return agents.Chunk{}, &wireError{kind: refused, said: apiError{Message: a.refusal.String()}}
	}
	return a.last(r.req), nil
}

// next adds the next frame to the answer. The end of the stream is errTruncated, which
// read ignores if the answer is finished.
func (r *completion) next(x *exchange, a *answer) (agents.Chunk, error) {
	f, err := x.frames.next()
	if err != nil {
		return agents.Chunk{}, fmt.Errorf("%w: %w", errTruncated, err)
	}
	return a.add(f)
}

func (r *completion) yieldPiece(piece agents.Chunk) bool {
	visible := piece.Text != "" || piece.Reasoning != ""
	if !visible && piece.Event == nil {
		return true
	}
	r.textShown = r.textShown || visible
	return r.yield(piece, nil)
}

// retry decides whether a fault is retried, announces it and waits. It returns
// nil to try again, or the fault that ends the completion.
func (r *completion) retry(f *fault) *fault {
	if f.retryAfter > 0 {
		now := r.client.now()
		f.RetryAt = now.Add(f.retryAfter)
		if f.retryAfter > pauseThreshold {
			f.Remedy = fmt.Sprintf("Wait until %s.", text.TimeOfDay(now.Local(), f.RetryAt))
		}
	}
	again := f.retry && !f.loads && (!f.daily || f.retryAfter > 0)
	if r.textShown {
		f.Again = again
		return f
	}
	if why, ok := r.client.adapt(r.req, r.quirks, r.errors, f); ok {
		return r.yieldRetry(agents.Retry{Cause: why, Try: 1, Of: 1, Failed: f.Failure, Adapts: true})
	}
	if f.loads && r.loads < maxLoads {
		r.loads++
		return r.wait(agents.Retry{Cause: f.Cause, Try: r.loads, Of: maxLoads, In: loadInterval, Failed: f.Failure, Loads: true})
	}
	if !again || r.retries >= maxRetries || f.retryOnce && r.stallRetried {
		return f
	}
	r.retries++
	r.stallRetried = r.stallRetried || f.retryOnce
	retry := agents.Retry{Cause: f.Cause, Try: r.retries, Of: maxRetries, In: f.retryAfter, Failed: f.Failure}
	if f.retryOnce {
		retry.Of = r.retries
	}
	if f.retryAfter == 0 { // by chance, so that requests that failed together are not retried together
		retry.In = time.Duration(r.client.rand() * float64(backoffBase<<r.retries))
		return r.wait(retry)
	}
	if f.retryAfter > pauseThreshold {
		retry.Until = f.RetryAt
	}
	r.announcedEnd = time.Now().Add(f.retryAfter)
	r.client.limiter.startCooldown(r.req.Model, r.announcedEnd, f.Cause) // the next try waits for its end
	return r.yieldRetry(retry)
}

// wait announces a retry and waits for it, until it is wanted at once.
func (r *completion) wait(retry agents.Retry) *fault {
	_, changed := r.client.limiter.cooldown(r.req.Model)
	if f := r.yieldRetry(retry); f != nil {
		return f
	}
	if err := sleep(r.ctx, retry.In, changed); err != nil {
		return r.notSent(err)
	}
	return nil
}

func (r *completion) yieldRetry(retry agents.Retry) *fault {
	if r.waitAnnounced = r.yield(agents.Chunk{Event: retry}, nil); !r.waitAnnounced {
		return faultStopped
	}
	return nil
}

// yieldWait announces that the request waits: for a slot if there is no cooldown,
// else for the end of one that another request caused.
func (r *completion) yieldWait(c cooldown) bool {
	if c.end.IsZero() {
		r.waitAnnounced, r.placeAwaited = false, true
		return r.yield(agents.Chunk{Event: agents.Queued{Waits: true}}, nil)
	}
	if c.end.Sub(r.announcedEnd).Abs() < time.Second { // announced already
		return true
	}
	r.announcedEnd = c.end
	retry := agents.Retry{
		Cause: c.cause + " Every request to " + r.errors.subject() + " is waiting.",
		Try:   max(1, r.retries), Of: maxRetries, In: time.Until(c.end),
	}
	if retry.In > pauseThreshold {
		retry.Until = r.client.now().Add(retry.In)
	}
	return r.yieldRetry(retry) == nil
}

// logFault logs a fault. Its cause quotes the server, which may quote the
// conversation, so it is logged at debug level only.
func (r *completion) logFault(f *fault) {
	r.log.Info("completion failed", "kind", f.Kind, "status", f.Status, "tries", r.tries)
	r.log.Debug("completion failed", "cause", f.Cause)
}
