package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// command is what the user asks of a run.
type command struct {
	do   func(*runner, context.Context) error
	late bool // nothing is to be said where it comes too late
}

func (r *Run) send(c command) {
	r.mu.Lock()
	r.commands = append(r.commands, c)
	r.mu.Unlock()
	signal(r.wake)
}

func (r *Run) takeCommands() []command {
	r.mu.Lock()
	defer r.mu.Unlock()
	cs := r.commands
	r.commands = nil
	return cs
}

// The causes for which a turn or a phase ends before its time.
var (
	errCancelled  = &agents.Failure{Kind: agents.KindCancelled, Cause: "Cancelled by request."}
	errEnded      = &agents.Failure{Kind: agents.KindCancelled, Cause: debate.CauseCutOff}
	errSuperseded = errors.New("something else is due first")
)

// retryNower is implemented by providers whose back-off can be cut short.
type retryNower interface{ RetryNow() }

// handleCommands carries out commands until stop is called, which refuses the rest.
func (r *runner) handleCommands(ctx context.Context) (stop func() error) {
	var (
		done = make(chan struct{})
		wait sync.WaitGroup
		err  error
	)
	wait.Go(func() {
		defer crash.Catch(&err)
		for {
			select {
			case <-r.run.wake:
			case <-done:
				return
			}
			for _, c := range r.run.takeCommands() {
				r.handle(ctx, c)
			}
		}
	})
	return func() error {
		close(done)
		wait.Wait()
		for _, c := range r.run.takeCommands() {
			if !c.late {
				r.refuse("The round has just ended.")
			}
		}
		return err
	}
}

// handle carries out a command. An error of the store ends the run, as a panic does.
func (r *runner) handle(ctx context.Context, c command) {
	err := r.carryOut(ctx, c)
	signal(r.changed)
	var refused *debate.RefusedError
	switch {
	case errors.As(err, &refused):
		r.refuse(refused.Text)
	case err != nil && ctx.Err() == nil:
		r.run.cancel(err)
	}
}

// carryOut carries out a command. A panic is an error, so that the run ends instead of
// waiting for a lock that is no longer held.
func (r *runner) carryOut(ctx context.Context, c command) (err error) {
	defer crash.Catch(&err)
	r.turns.Lock()
	defer r.turns.Unlock()
	return c.do(r, ctx)
}

func (r *runner) refuse(why string) { r.emit(debate.Refused{Text: why, At: r.Now()}) }

// cancelTurn ends a turn that runs, or skips one that is due. The caller holds turns.
func (r *runner) cancelTurn(ctx context.Context, t agents.Turn) error {
	if cancel, active := r.active[t]; active && t.Step == debate.FollowUpStep {
		cancel(errCancelled)
		return nil
	}
	s := r.current()
	open, ok := s.OpenTurn(t.Agent, t)
	if !ok {
		return &debate.RefusedError{Text: fmt.Sprintf("%s has already finished; there is nothing to cancel.", s.NameOf(t.Agent))}
	}
	if cancel, active := r.active[open]; active {
		cancel(errCancelled)
		return nil
	}
	x := debate.Response{Turn: open, State: debate.TurnCancelled, Ended: r.Now()}
	x.Failure = &debate.TurnFailure{Kind: errCancelled.Kind, Cause: errCancelled.Cause}
	_, n := s.Seat(open.Agent)
	role, _ := s.Mode.RoleOf(n, len(s.Seats))
	x.Role, x.Phase = role.Name, s.PhaseOf(open)
	if _, err := r.Recorder.EndTurn(context.WithoutCancel(ctx), debate.TurnEnd{Response: x, Purpose: debate.ForMember}); err != nil {
		return fmt.Errorf("skip %s: %w", s.NameOf(open.Agent), err)
	}
	r.update(func(s debate.Session) debate.Session { return s.WithResponse(x) })
	r.emit(debate.TurnEnded{Response: x, At: x.Ended})
	return nil
}

// askAgain makes a seat's next attempt due. What the round waits for begins again
// afterwards. The caller holds turns.
func (r *runner) askAgain(ctx context.Context, seat agents.ID) error {
	if r.followUp {
		return &debate.RefusedError{Text: "Not while a follow-up question is being answered."}
	}
	t, err := r.current().AskAgain(seat)
	if err != nil {
		return err
	}
	return r.setDue(ctx, debate.DueTurn{Turn: t, At: r.Now()})
}

// skipWait ends the waits of a seat and of its provider. The caller holds turns.
func (r *runner) skipWait(ctx context.Context, seat agents.ID) error {
	s := r.current()
	for _, who := range s.Speakers() {
		client, err := r.Provider(who)
		if h, ok := client.(retryNower); ok && err == nil && who.ID == seat {
			h.RetryNow()
		}
	}
	for _, w := range s.Due(r.Now()).Waiting {
		if w.Turn.Agent == seat {
			return r.setDue(ctx, debate.DueTurn{Turn: w.Turn, At: r.Now()})
		}
	}
	return nil
}

func (r *runner) setDue(ctx context.Context, turns ...debate.DueTurn) error {
	if len(turns) == 0 {
		return nil
	}
	s := r.current()
	if err := r.Recorder.SetDue(context.WithoutCancel(ctx), s.ID, turns...); err != nil {
		return fmt.Errorf("ask %s again: %w", s.NameOf(turns[0].Turn.Agent), err)
	}
	r.update(func(s debate.Session) debate.Session { return s.WithDue(turns...) })
	r.endPhase()
	return nil
}

// decide decides on a command that waits for approval. The caller holds turns.
func (r *runner) decide(call string, a debate.Approval) error {
	err := r.run.approvals.decide(call, a)
	if err == nil && a.Choice == debate.ApprovalPattern {
		r.kept.allow(a.Pattern)
	}
	return err
}

// endDebate ends the debate with what is settled. The caller holds turns.
func (r *runner) endDebate(ctx context.Context) error {
	s := r.current()
	switch {
	case s.Current() == nil:
		return &debate.RefusedError{Text: "No round has begun."}
	case s.Verdict != nil:
		return &debate.RefusedError{Text: "The debate has ended."}
	case s.Due(r.Now()).Action == debate.WriteVerdict:
		return &debate.RefusedError{Text: "The verdict is being written."}
	}
	if _, err := r.Recorder.Stop(context.WithoutCancel(ctx), s.ID, debate.StoppedByUser); err != nil {
		return fmt.Errorf("end the debate: %w", err)
	}
	r.update(func(s debate.Session) debate.Session {
		s.Stopped = debate.StoppedByUser
		return s.WithoutDue()
	})
	for _, cancel := range r.active {
		cancel(errEnded)
	}
	r.endPhase()
	return nil
}

// endPhase ends what the round waits for besides turns, if anything. The caller holds
// turns, or nothing runs yet.
func (r *runner) endPhase() {
	if r.supersede != nil {
		r.supersede(errSuperseded)
	}
}

// inPhase runs a part of the round that is no turn of a seat. It returns nil if a command
// made something else due first.
func (r *runner) inPhase(ctx context.Context, do func(context.Context) error) error {
	phase, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.turns.Lock()
	r.supersede = cancel
	r.turns.Unlock()
	err := do(phase)
	r.turns.Lock()
	r.supersede = nil
	r.turns.Unlock()
	if ctx.Err() == nil && errors.Is(context.Cause(phase), errSuperseded) {
		return nil
	}
	return err
}

// commit runs a transaction that ends a phase, unless a command has ended the phase
// before.
func (r *runner) commit(ctx context.Context, do func(context.Context) (debate.Session, error)) error {
	r.turns.Lock()
	defer r.turns.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	next, err := do(ctx)
	if err == nil {
		r.update(func(debate.Session) debate.Session { return next })
	}
	return err
}

// approvals are the commands of a run that wait for the user.
type approvals struct {
	mu      sync.Mutex
	waiting map[string]waitingCommand // by tool call
}

type waitingCommand struct {
	hash    string
	argv    []string
	pattern bool                 // a pattern may allow it
	decided chan debate.Approval // has room for one
}

// Approve implements tools.Approver. The command is denied when ctx is done.
func (r *runner) Approve(ctx context.Context, t agents.Turn, call string, c tools.Command, in tools.WorkspaceInfo) (
	tools.Approval, error,
) {
	hash, each := c.Hash(in), c.EachTime(in)
	if pattern := r.kept.patternOf(c.Argv); pattern != nil && each == "" {
		allowed := debate.Approval{Choice: debate.ApprovalPattern, Hash: hash, Pattern: pattern}
		r.emit(debate.ApprovalDecided{Turn: t, CallID: call, Approval: allowed, At: r.Now()})
		return tools.Approval{Allowed: true}, nil
	}
	decision := r.run.approvals.add(call, waitingCommand{hash, c.Argv, each == "", make(chan debate.Approval, 1)})
	r.emit(debate.ApprovalAsked{
		Turn: t, CallID: call, Tool: agents.RunCommandName, Argv: slices.Clone(c.Argv), Dir: c.Dir(in), Mode: debate.WorkspaceMode(in.Mode),
		Hash: hash, At: r.Now(), Fields: c.Asked.Fields, Own: in.Own, Outside: c.Outside(in), EachTime: each,
	})
	var a debate.Approval
	select {
	case a = <-decision:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		a = debate.Approval{Choice: debate.ApprovalDenied, Reason: "the turn was ended"}
	}
	r.run.approvals.remove(call)
	r.emit(debate.ApprovalDecided{Turn: t, CallID: call, Approval: a, At: r.Now()})
	return tools.Approval{Allowed: a.Allows(), Reason: a.Reason}, nil
}

func (a *approvals) add(call string, w waitingCommand) <-chan debate.Approval {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting[call] = w
	return w.decided
}

func (a *approvals) remove(call string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, call)
}

// decide passes a decision to the call that waits for it. An approval of another command
// than the one that waits is refused, and so is a pattern that it does not begin with. A
// pattern also decides on the other commands that wait and begin so.
func (a *approvals) decide(call string, d debate.Approval) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, ok := a.waiting[call]
	switch {
	case !ok:
		return &debate.RefusedError{Text: "That command is no longer waiting."}
	case d.Allows() && d.Hash != w.hash:
		return &debate.RefusedError{Text: "That is not the command that is waiting; it was not approved."}
	case d.Choice == debate.ApprovalPattern && !w.pattern:
		return &debate.RefusedError{Text: "That command is asked about each time; it was not approved."}
	case d.Choice == debate.ApprovalPattern && !debate.Begins(w.argv, d.Pattern):
		return &debate.RefusedError{Text: "The command does not begin with these words; it was not approved."}
	}
	delete(a.waiting, call)
	w.decided <- d
	for call, o := range a.waiting { // the order does not matter
		if d.Choice == debate.ApprovalPattern && o.pattern && debate.Begins(o.argv, d.Pattern) {
			delete(a.waiting, call)
			o.decided <- debate.Approval{Choice: d.Choice, Hash: o.hash, Pattern: d.Pattern}
		}
	}
	return nil
}

func (a *approvals) denyAll(reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for call, w := range a.waiting {
		w.decided <- debate.Approval{Choice: debate.ApprovalDenied, Reason: reason}
		delete(a.waiting, call)
	}
}
