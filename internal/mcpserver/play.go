package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

// play carries out an action that starts a run, reads the run to its end, tells the client
// how far it is, and returns what came of it. A call that the client cancels ends the run;
// what its agents had finished is kept. So does a run of which only waits for providers are
// left: the client need not wait.
func (s *Server) play(
	ctx context.Context, req *mcp.CallToolRequest, c *control.Controller, id control.ID, v control.Values,
) (Result, error) {
	told, err := c.Act(ctx, id, v)
	if err != nil {
		return Result{}, refusal(err)
	}
	if !c.Running() {
		r := resultOf(c.Session())
		r.Message = strings.TrimSpace(told.Text + " " + r.Message)
		return r, nil
	}
	run := c.Run()
	session := c.Session()
	s.setRun(session.ID, run)
	defer s.setRun(session.ID, nil)
	p := progress{request: req}
	var wait *debate.Wait
	for ev := range run.Events() {
		c.Apply(ev)
		if next := c.Next(); next.Kind == control.WaitUntil && wait == nil {
			wait = next.Wait
			run.Stop()
		}
		switch ev := ev.(type) {
		case debate.TurnEnded:
			p.tell(ctx, turnText(session, ev.Response))
		case debate.ContextRequested:
			p.tell(ctx, fmt.Sprintf("%s asked %s: %s", session.NameOf(ev.Turn.Agent), ev.Request.ID, text.Label(ev.Request.Query)))
		case debate.TurnRetrying:
			p.tell(ctx, retryText(session, ev))
		case debate.ApprovalAsked:
			c.Decide(ev.CallID, debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it"})
		case debate.Concluding:
			p.tell(ctx, ev.Profile.Name+" writes the verdict")
		case debate.RoundEnded:
			err = ev.Err
		default: // not worth a line
		}
	}
	c.RunEnded()
	var blocked *debate.BlockedError
	switch {
	case err != nil && wait != nil && ctx.Err() == nil:
		r := resultOf(c.Session())
		r.WaitUntil = wait.Until.UTC().Format(time.RFC3339)
		r.Message = waitText(session, wait.Turn.Agent, wait.Until, wait.Cause) + ". Nothing is lost: call again then."
		return r, nil
	case err == nil, errors.As(err, &blocked): // the result lists what is open
		return resultOf(c.Session()), nil
	}
	return Result{}, err
}

// conduct returns the controller of a session that a call has locked.
func (s *Server) conduct(session debate.Session) *control.Controller {
	return control.New(session, control.Options{Player: s.debates, Writer: s.debates})
}

// refusal returns why an action is not possible, with the action that is.
func refusal(err error) error {
	var reason *control.Reason
	if errors.As(err, &reason) && reason.Instead != "" {
		return fmt.Errorf("%s control_session with the action %s: %s", reason.Text, reason.Instead, reason.Verb)
	}
	return err
}

// progress sends progress notifications for a call whose client asks for them.
type progress struct {
	request *mcp.CallToolRequest
	told    float64
}

func (p *progress) tell(ctx context.Context, message string) {
	token := p.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	p.told++
	// A client that has gone is noticed by the call itself.
	_ = p.request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: p.told, Message: text.Line(message),
	})
}

// retryText says that an agent is asked again, and when if that is not soon.
func retryText(s debate.Session, ev debate.TurnRetrying) string {
	if ev.Retry.Until.IsZero() {
		return fmt.Sprintf("%s is asked again: %s", s.NameOf(ev.Turn.Agent), text.Label(ev.Retry.Cause))
	}
	return waitText(s, ev.Turn.Agent, ev.Retry.Until, ev.Retry.Cause)
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
