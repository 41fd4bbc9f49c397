package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// run is what this process plays of a session without a pause: a round, the verdict or a
// follow-up. It outlives the call that began it, has the session locked, and unlocks it at
// its end.
type run struct {
	session  string                         // its id
	estimate string                         // what it is likely to cost, as a sentence; "": nothing
	do       chan func(*control.Controller) // is sent what calls do with the session meanwhile
	ended    chan struct{}                  // closed at the end, when the fields below it are set

	result   Result
	err      error
	returned atomic.Bool // by a call
}

func (s *Server) begin(c *control.Controller, estimate string) *run {
	r := &run{session: c.Session().ID, estimate: estimate, do: make(chan func(*control.Controller)), ended: make(chan struct{})}
	s.playing.Go(func() {
		result, err := s.play(r, c)
		r.result, r.err = result, errors.Join(err, s.debates.Close(r.session))
		close(r.ended)
	})
	return r
}

// play reads a run to its end. One of which only waits for providers are left ends.
func (s *Server) play(r *run, c *control.Controller) (Result, error) {
	again := "continue_roundtable"
	if c.Answering() != "" {
		again = "ask_roundtable"
	}
	for {
		wait, err := r.follow(c)
		result := resultOf(c.Session(), report.Options{})
		var blocked *debate.BlockedError
		switch next := c.Next(); {
		case err != nil && wait != nil && s.ctx.Err() == nil:
			result.WaitUntil = wait.Retry.Until.UTC().Format(time.RFC3339)
			result.Message = fmt.Sprintf("%s waits until %s: %s. Nothing is lost: call again then.",
				c.Session().NameOf(wait.Turn.Agent), result.WaitUntil, strings.TrimSuffix(text.Label(wait.Retry.Cause), "."))
			return result, nil
		case errors.Is(err, debate.ErrStopped):
			result.Message = "Paused. What was answered is kept. " + result.Message
			return result, nil
		case err != nil && !errors.As(err, &blocked): // the result lists what is open
			return Result{}, fmt.Errorf("%s.\nNothing is lost: %s with sessionId %s goes on", sentence(err), again, c.Session().ID)
		case next.Kind == control.Play && next.Action == control.EndNow: // it was asked for during the round
			if _, err := c.Act(s.ctx, next.Action, control.Values{}); err == nil && c.Running() {
				continue
			}
		}
		return result, nil
	}
}

// follow applies the events of a run until it ends, and does what calls ask for.
func (r *run) follow(c *control.Controller) (wait *debate.TurnRetrying, err error) {
	events := c.Run().Events()
	for {
		select {
		case do := <-r.do:
			do(c)
		case ev, ok := <-events:
			if !ok {
				c.RunEnded()
				return wait, err
			}
			c.Apply(ev)
			if next := c.Next(); next.Kind == control.WaitUntil && wait == nil {
				wait = next.Wait
				c.Run().Stop()
			}
			switch ev := ev.(type) {
			case debate.ApprovalAsked:
				c.Decide(ev.CallID, debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it"})
			case debate.RunEnded:
				err = ev.Err
			default: // it is applied
			}
		}
	}
}

// within has do called on the goroutine of the run; it reports false if that has ended.
func (r *run) within(do func(*control.Controller)) bool {
	done := make(chan struct{})
	select {
	case r.do <- func(c *control.Controller) { defer close(done); do(c) }:
		<-done
		return true
	case <-r.ended:
		return false
	}
}

// poll is how often a call that waits looks how far the session is.
const poll = time.Second

// await waits up to atMost for a run, and sends progress. It never stops the run.
func (s *Server) await(ctx context.Context, req *mcp.CallToolRequest, r *run, atMost time.Duration) (Result, error) {
	over, look := time.After(atMost), time.NewTicker(poll)
	defer look.Stop()
	notify := notifier(ctx, req)
	notify(fmt.Sprintf("Debate %s is being played. If this call ends first, wait_roundtable goes on waiting.", r.session))
	for {
		var now Result
		if !r.within(func(c *control.Controller) { now = runningResult(c, r.estimate) }) {
			r.returned.Store(true)
			return r.result, r.err
		}
		notify(now.progress)
		select {
		case <-r.ended:
		case <-look.C:
		case <-ctx.Done():
			return Result{}, ctx.Err()
		case <-over:
			return now, nil
		}
	}
}

// notifier returns what tells the client of a call how far it is, each message once.
func notifier(ctx context.Context, req *mcp.CallToolRequest) func(message string) {
	n, last := 0.0, ""
	return func(message string) {
		token := req.Params.GetProgressToken()
		if token == nil || message == last {
			return
		}
		n, last = n+1, message
		// A client that has gone is noticed by the call itself.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: n, Message: text.Line(message),
		})
	}
}
