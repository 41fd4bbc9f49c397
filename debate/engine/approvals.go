package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
)

// approvals are the commands of a run that wait for the user.
type approvals struct {
	mu      sync.Mutex
	waiting map[string]waitingCommand // by tool call
}

// waitingCommand is a command that waits for a decision.
type waitingCommand struct {
	hash    string
	decided chan debate.Approval // has room for one
}

// Approve implements tools.Approver. The command is denied when ctx is done.
func (r *runner) Approve(ctx context.Context, t agents.Turn, call string, c tools.Command, in tools.WorkspaceInfo) (
	tools.Approval, error,
) {
	hash := c.Hash(in)
	if r.kept.allows(t.Agent, hash) {
		return tools.Approval{Allowed: true, Argv: c.Argv}, nil
	}
	decision := r.approvals.add(call, hash)
	r.emit(debate.ApprovalAsked{
		Turn: t, CallID: call, Tool: tools.RunCommandName, Argv: slices.Clone(c.Argv), Dir: in.Dir, Mode: debate.WorkspaceMode(in.Mode),
		Hash: hash, At: r.Now(),
	})
	a := wait(ctx, decision)
	r.approvals.remove(call)
	r.emit(debate.ApprovalDecided{Turn: t, CallID: call, Approval: a, At: r.Now()})
	if len(a.Argv) > 0 {
		c.Argv = slices.Clone(a.Argv)
	}
	if a.Choice == debate.ApprovalSession {
		r.kept.allow(t.Agent, c.Hash(in))
	}
	return tools.Approval{Allowed: a.Allows(), Reason: a.Reason, Argv: c.Argv}, nil
}

// wait returns the decision, or a denial once ctx is done.
func wait(ctx context.Context, decision <-chan debate.Approval) debate.Approval {
	var a debate.Approval
	select {
	case a = <-decision:
	case <-ctx.Done():
	}
	switch cause := context.Cause(ctx); {
	case ctx.Err() == nil:
		return a
	case errors.Is(cause, errCancelled):
		return debate.Approval{Choice: debate.ApprovalDenied, Reason: "your turn was cancelled"}
	case errors.Is(cause, errEnded):
		return debate.Approval{Choice: debate.ApprovalDenied, Reason: "the debate was ended"}
	default:
		return debate.Approval{Choice: debate.ApprovalDenied, Reason: "the debate was stopped"}
	}
}

func (a *approvals) add(call, hash string) <-chan debate.Approval {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting == nil {
		a.waiting = map[string]waitingCommand{}
	}
	w := waitingCommand{hash, make(chan debate.Approval, 1)}
	a.waiting[call] = w
	return w.decided
}

func (a *approvals) remove(call string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, call)
}

// decide passes a decision to the call that waits for it. An approval of another command
// than the one that waits is refused.
func (a *approvals) decide(call string, d debate.Approval) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, ok := a.waiting[call]
	switch {
	case !ok:
		return &debate.RefusedError{Text: "That command is no longer waiting."}
	case d.Allows() && d.Hash != w.hash:
		return &debate.RefusedError{Text: "That is not the command that is waiting; it was not approved."}
	}
	delete(a.waiting, call)
	w.decided <- d
	return nil
}

// denyAll denies everything that waits.
func (a *approvals) denyAll(reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for call, w := range a.waiting {
		w.decided <- debate.Approval{Choice: debate.ApprovalDenied, Reason: reason}
		delete(a.waiting, call)
	}
}
