package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

// run is what this process plays of a session without a pause: a round, the verdict or a
// follow-up. It outlives the call that began it, has the session locked, and unlocks it at
// its end.
type run struct {
	estimate string // what it is likely to cost, as a sentence; "": nothing
	seen     int    // updates of the session that waiting calls were told

	do    chan func(*control.Controller) // is sent what calls do with the session meanwhile
	ended chan struct{}                  // closed at the end, when the fields below it are set

	result Result
	err    error
	cursor int // of the session at the end

	mu      sync.Mutex
	told    []string      // how far it is, in sentences
	changed chan struct{} // closed when told grows
}

func (s *Server) begin(c *control.Controller, estimate string) *run {
	r := &run{
		estimate: estimate,
		do:       make(chan func(*control.Controller)), ended: make(chan struct{}), changed: make(chan struct{}),
	}
	r.seen = len(updatesOf(c.Session()))
	r.tell(fmt.Sprintf("Debate %s is being played. If this call ends first, wait_roundtable goes on waiting.", c.Session().ID))
	s.playing.Go(func() {
		result, err := s.play(r, c)
		id := c.Session().ID
		r.cursor = len(updatesOf(c.Session()))
		r.result, r.err = result, errors.Join(err, s.debates.Close(id))
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
		var blocked *debate.BlockedError
		switch next := c.Next(); {
		case err != nil && wait != nil && s.ctx.Err() == nil:
			result := resultOf(c.Session())
			result.WaitUntil = wait.Until.UTC().Format(time.RFC3339)
			result.Message = waitText(c.Session(), wait.Turn.Agent, wait.Until, wait.Cause) + ". Nothing is lost: call again then."
			return result, nil
		case errors.Is(err, debate.ErrStopped):
			result := resultOf(c.Session())
			result.Message = "Paused. What was answered is kept. " + result.Message
			return result, nil
		case err != nil && !errors.As(err, &blocked): // the result lists what is open
			return Result{}, fmt.Errorf("%s.\nNothing is lost: %s with sessionId %s goes on", sentence(err), again, c.Session().ID)
		case next.Kind == control.Play && next.Action == control.EndNow: // it was asked for during the round
			if _, err := c.Act(s.ctx, next.Action, control.Values{}); err == nil && c.Running() {
				continue
			}
		}
		return resultOf(c.Session()), nil
	}
}

// follow applies the events of a run until it ends, and does what calls ask for.
func (r *run) follow(c *control.Controller) (wait *debate.Wait, err error) {
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
			case debate.RoundEnded:
				err = ev.Err
			case debate.Text: // it is not complete
			default:
				all := updatesOf(c.Session())
				for _, u := range all[min(r.seen, len(all)):] {
					r.tell(u.text)
				}
				r.seen = len(all)
			}
		}
	}
}

func (r *run) tell(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, words)
	close(r.changed)
	r.changed = make(chan struct{})
}

// news returns what was told after n sentences, and a channel that is closed when there is more.
func (r *run) news(n int) ([]string, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.told[n:]), r.changed
}

func (r *run) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
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

// await waits up to atMost for a run, and sends progress. It never stops the run.
func (s *Server) await(ctx context.Context, req *mcp.CallToolRequest, r *run, atMost time.Duration) (Result, error) {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	for told := 0; ; {
		news, changed := r.news(told)
		told += len(news)
		for i, words := range news {
			notify(ctx, req, told-len(news)+i+1, words)
		}
		select {
		case <-r.ended:
			return r.result, r.err
		case <-changed:
		case <-ctx.Done():
			return Result{}, ctx.Err()
		case <-timer.C:
			var result Result
			if !r.within(func(c *control.Controller) { result = runningResult(c, r.estimate) }) {
				return r.result, r.err
			}
			return result, nil
		}
	}
}

func notify(ctx context.Context, req *mcp.CallToolRequest, n int, message string) {
	if token := req.Params.GetProgressToken(); token != nil {
		// A client that has gone is noticed by the call itself.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(n), Message: text.Line(message),
		})
	}
}

// waitText says until when a provider lets an agent wait, without a last period.
func waitText(s debate.Session, agent agents.ID, until time.Time, cause string) string {
	cause = strings.TrimSuffix(text.Label(cause), ".")
	return fmt.Sprintf("%s waits until %s: %s", s.NameOf(agent), until.UTC().Format(time.RFC3339), cause)
}

func turnText(s debate.Session, x debate.Response) string {
	name := s.NameOf(x.Turn.Agent)
	switch {
	case x.Failure != nil:
		return fmt.Sprintf("%s failed in round %d: %s", name, x.Turn.Round, text.Label(x.Failure.Cause))
	case x.State == debate.TurnDone:
		return fmt.Sprintf("%s has answered in round %d", name, x.Turn.Round)
	}
	return fmt.Sprintf("%s: %s in round %d", name, x.State, x.Turn.Round)
}
