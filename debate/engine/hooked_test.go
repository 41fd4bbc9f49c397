package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

var errFull = errors.New("the disk is full")

// hooked is a store that calls before with the name of what a run is about to write, such as
// "turn-end a 1" of seat a in round 1. An error takes the place of the write: it has not happened.
type hooked struct {
	*store.Store
	before func(write string) error
}

// dyingAt is the store of a process that ends when it comes to a write.
func (h *harness) dyingAt(last string) hooked {
	var dead atomic.Bool
	return hooked{h.store, func(write string) error {
		if write == last {
			dead.Store(true)
		}
		if dead.Load() {
			return errFull
		}
		return nil
	}}
}

func ofTurn(write string, t agents.Turn) string {
	return fmt.Sprintf("%s %s %d", write, t.Agent, t.Round)
}

func (h hooked) Repair(ctx context.Context, id string) (debate.Session, error) {
	if err := h.before("repair"); err != nil {
		return debate.Session{}, err
	}
	return h.Store.Repair(ctx, id)
}

func (h hooked) BeginRound(ctx context.Context, id string, n int) (debate.Session, error) {
	if err := h.before(fmt.Sprint("round-begin ", n)); err != nil {
		return debate.Session{}, err
	}
	return h.Store.BeginRound(ctx, id, n)
}

func (h hooked) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	if err := h.before(ofTurn("turn-begin", t.Turn)); err != nil {
		return err
	}
	return h.Store.BeginTurn(ctx, t)
}

func (h hooked) BeginCall(ctx context.Context, t agents.Turn, p debate.Purpose, n int, req agents.Request) error {
	if err := h.before(ofTurn("call-begin", t)); err != nil {
		return err
	}
	return h.Store.BeginCall(ctx, t, p, n, req)
}

func (h hooked) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	if err := h.before(ofTurn("call-retry", t)); err != nil {
		return err
	}
	return h.Store.RetryCall(ctx, t, n, r)
}

func (h hooked) ResendCall(ctx context.Context, t agents.Turn, n int) error {
	if err := h.before(ofTurn("call-resend", t)); err != nil {
		return err
	}
	return h.Store.ResendCall(ctx, t, n)
}

func (h hooked) Journal(ctx context.Context, parts []debate.Text) error {
	if err := h.before("journal"); err != nil {
		return err
	}
	return h.Store.Journal(ctx, parts)
}

func (h hooked) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	if err := h.before(ofTurn("call-end", t)); err != nil {
		return err
	}
	return h.Store.EndCall(ctx, t, n, c, tools, cost)
}

func (h hooked) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	if err := h.before(ofTurn("call-break", t)); err != nil {
		return err
	}
	return h.Store.BreakCall(ctx, t, n, f, u, cost)
}

func (h hooked) Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error) {
	if err := h.before(ofTurn("ask", t)); err != nil {
		return debate.AskResult{}, err
	}
	return h.Store.Ask(ctx, t, call, q, caps)
}

func (h hooked) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	if err := h.before(ofTurn("turn-end", e.Response.Turn)); err != nil {
		return nil, err
	}
	return h.Store.EndTurn(ctx, e)
}

func (h hooked) EndRound(ctx context.Context, id string, n int, same *debate.SameFindings, ending debate.StopReason,
) (debate.Session, error) {
	if err := h.before(fmt.Sprint("round-end ", n)); err != nil {
		return debate.Session{}, err
	}
	return h.Store.EndRound(ctx, id, n, same, ending)
}

func (h hooked) Stop(ctx context.Context, id string, why debate.StopReason) (debate.Session, error) {
	if err := h.before("stop"); err != nil {
		return debate.Session{}, err
	}
	return h.Store.Stop(ctx, id, why)
}

func (h hooked) SaveVerdict(ctx context.Context, id string, v debate.Verdict) (debate.Session, error) {
	if err := h.before("verdict"); err != nil {
		return debate.Session{}, err
	}
	return h.Store.SaveVerdict(ctx, id, v)
}

func (h hooked) Note(ctx context.Context, id string, ns ...debate.Notice) error {
	if err := h.before("note " + ns[0].Code); err != nil {
		return err
	}
	return h.Store.Note(ctx, id, ns...)
}
