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

// do writes unless the hook takes the place of that.
func (h hooked) do(name string, write func() error) error {
	if err := h.before(name); err != nil {
		return err
	}
	return write()
}

// instead is do for a write with a result.
func instead[T any](h hooked, name string, write func() (T, error)) (out T, err error) {
	err = h.do(name, func() error {
		out, err = write()
		return err
	})
	return out, err
}

func ofTurn(write string, t agents.Turn) string {
	return fmt.Sprintf("%s %s %d", write, t.Agent, t.Round)
}

func (h hooked) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	return h.do(ofTurn("turn-begin", t.Turn), func() error { return h.Store.BeginTurn(ctx, t) })
}

func (h hooked) BeginCall(ctx context.Context, t agents.Turn, p debate.Purpose, n int, req agents.Request) error {
	return h.do(ofTurn("call-begin", t), func() error { return h.Store.BeginCall(ctx, t, p, n, req) })
}

func (h hooked) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return h.do(ofTurn("call-retry", t), func() error { return h.Store.RetryCall(ctx, t, n, r) })
}

func (h hooked) Journal(ctx context.Context, parts []debate.Text) error {
	return h.do("journal", func() error { return h.Store.Journal(ctx, parts) })
}

func (h hooked) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	return h.do(ofTurn("call-end", t), func() error { return h.Store.EndCall(ctx, t, n, c, tools, cost) })
}

func (h hooked) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	return h.do(ofTurn("call-break", t), func() error { return h.Store.BreakCall(ctx, t, n, f, u, cost) })
}

func (h hooked) Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error) {
	return instead(h, ofTurn("ask", t), func() (debate.AskResult, error) { return h.Store.Ask(ctx, t, call, q, caps) })
}

func (h hooked) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	return instead(h, ofTurn("turn-end", e.Response.Turn), func() ([]ledger.Request, error) { return h.Store.EndTurn(ctx, e) })
}

func (h hooked) EndRound(ctx context.Context, id string, n int, f *debate.SameFindings, why debate.StopReason) (debate.Session, error) {
	return instead(h, fmt.Sprint("round-end ", n), func() (debate.Session, error) { return h.Store.EndRound(ctx, id, n, f, why) })
}

func (h hooked) Stop(ctx context.Context, id string, why debate.StopReason) (debate.Session, error) {
	return instead(h, "stop", func() (debate.Session, error) { return h.Store.Stop(ctx, id, why) })
}

func (h hooked) SaveVerdict(ctx context.Context, id string, v debate.Verdict) (debate.Session, error) {
	return instead(h, "verdict", func() (debate.Session, error) { return h.Store.SaveVerdict(ctx, id, v) })
}

func (h hooked) Note(ctx context.Context, id string, ns ...debate.Notice) error {
	return h.do("note "+ns[0].Code, func() error { return h.Store.Note(ctx, id, ns...) })
}
