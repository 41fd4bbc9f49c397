//go:build cgo && linux

package world_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

// recorder is the store as the engine of a process writes to it: every write waits at the
// gate, and what is acknowledged becomes a fact that has to last.
type recorder struct {
	*store.Store
	p *process
}

// where names a turn, apart from those of other sessions.
func where(t agents.Turn) string { return t.Session + " " + debate.TurnID(t) }

// do lets a write of the engine through.
func (r recorder) do(name string, f fact, write func() error) error {
	if err := r.p.gate.pass(context.Background(), name); err != nil { // a write that has begun is not cancelled
		return err
	}
	return r.p.w.record(r.p, name, f, write)
}

func (r recorder) Repair(ctx context.Context, session string) (s debate.Session, err error) {
	err = r.do("repair "+session, fact{}, func() error { s, err = r.Store.Repair(ctx, session); return err })
	return s, err
}

func (r recorder) BeginRound(ctx context.Context, session string, round int) (s debate.Session, err error) {
	f := fact{
		session: session, key: fmt.Sprintf("round %d begun", round), voids: []string{"focus"},
		holds: func(s debate.Session) bool {
			return len(s.History) >= round && s.History[round-1].Hash == s.History[round-1].Manifest.Hash()
		},
	}
	err = r.do(f.key+" of "+session, f, func() error {
		before, unread := r.Store.Session(ctx, session)
		s, err = r.Store.BeginRound(ctx, session, round)
		if unread == nil && err == nil && len(openRequired(before)) > 0 {
			r.p.w.violate("gate", "round %d began while %s had no answer", round, openRequired(before))
		}
		for _, q := range s.Requests {
			if _, undelivered := q.Undelivered(); undelivered && err == nil {
				r.p.w.violate("gate", "round %d of %s began without the newest answer to %s", round, session, q.ID)
			}
		}
		return err
	})
	return s, err
}

// openRequired lists the requests of a session that block its next round, counted apart from
// the product's own gate: required by an ask that stands, without an answer, not joined.
func openRequired(s debate.Session) (open []string) {
	for _, q := range s.Requests {
		required := false
		for _, a := range q.Asks {
			required = required || !a.Withdrawn && a.Priority == ledger.Required
		}
		unanswered := len(q.Answers) == 0 && q.State != ledger.AfterVerdict && q.State != ledger.Unanswered || q.State == ledger.Pending
		if required && q.JoinedTo == "" && unanswered {
			open = append(open, q.ID)
		}
	}
	return open
}

func (r recorder) SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error {
	f := fact{session: session, voids: []string{"verdict", "ended", "rounds"}}
	return r.do("due "+session, f, func() error {
		err := r.Store.SetDue(ctx, session, turns...)
		if err == nil {
			r.p.w.asksAgain(turns...)
		}
		return err
	})
}

func (r recorder) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	id := where(t.Turn)
	f := fact{session: t.Turn.Session, key: "turn " + id, holds: func(s debate.Session) bool {
		_, found := responseOf(s, t.Turn)
		return found || t.Turn.Step < 0 // those of chairs and light models are not in the history
	}}
	return r.do("turn "+id, f, func() error {
		r.p.w.begins(t.Turn)
		return r.Store.BeginTurn(ctx, t)
	})
}

func responseOf(s debate.Session, t agents.Turn) (debate.Response, bool) {
	for _, round := range s.History {
		for _, x := range round.Responses {
			if x.Turn == t {
				return x, true
			}
		}
	}
	return debate.Response{}, false
}

func (r recorder) BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error {
	return r.p.now(fmt.Sprintf("call %s.%d", where(t), n), fact{session: t.Session}, func() error {
		err := r.Store.BeginCall(ctx, t, purpose, n, req)
		if err == nil || r.p.w.disk.Dead() {
			r.p.w.prepared(t, n, req)
		}
		return err
	})
}

func (r recorder) RetryCall(ctx context.Context, t agents.Turn, n int, retry debate.CallRetry) error {
	return r.do(fmt.Sprintf("retry %s.%d", where(t), n), fact{session: t.Session}, func() error {
		return r.counted(t, r.Store.RetryCall(ctx, t, n, retry))
	})
}

func (r recorder) ResendCall(ctx context.Context, t agents.Turn, n int) error {
	return r.do(fmt.Sprintf("resend %s.%d", where(t), n), fact{session: t.Session}, func() error {
		return r.Store.ResendCall(ctx, t, n)
	})
}

func (r recorder) Journal(ctx context.Context, parts []debate.Text) error {
	session := ""
	if len(parts) > 0 {
		session = parts[0].Turn.Session
	}
	return r.p.now("journal", fact{session: session}, func() error { return r.Store.Journal(ctx, parts) })
}

func (r recorder) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	return r.do(fmt.Sprintf("call-end %s.%d", where(t), n), fact{session: t.Session}, func() error {
		return r.counted(t, r.Store.EndCall(ctx, t, n, c, tools, cost))
	})
}

func (r recorder) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	return r.do(fmt.Sprintf("call-broken %s.%d", where(t), n), fact{session: t.Session}, func() error {
		return r.counted(t, r.Store.BreakCall(ctx, t, n, f, u, cost))
	})
}

// counted notes that what the requests of a turn used is stored, and returns the error.
func (r recorder) counted(t agents.Turn, err error) error {
	if err == nil {
		r.p.w.counts(t)
	}
	return err
}

func (r recorder) AddTool(ctx context.Context, t agents.Turn, passage int, text debate.Passage, tool debate.ToolRecord) error {
	return r.do("tool "+t.Session+" "+tool.ID, fact{session: t.Session}, func() error { return r.Store.AddTool(ctx, t, passage, text, tool) })
}

func (r recorder) StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error {
	return r.do("tool-start "+t.Session+" "+id, fact{session: t.Session}, func() error { return r.Store.StartTool(ctx, t, id, at) })
}

func (r recorder) EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error {
	f := fact{session: t.Session, key: "tool " + tool.ID, holds: func(s debate.Session) bool {
		x, _ := responseOf(s, t)
		for _, p := range x.Passages {
			for _, one := range p.Tools {
				if one.ID == tool.ID {
					return one.Result.Text == tool.Result.Text && one.State == debate.ToolDone
				}
			}
		}
		return t.Step < 0
	}}
	return r.do("tool-end "+t.Session+" "+tool.ID, f, func() error { return r.Store.EndTool(ctx, t, tool) })
}

func (r recorder) Ask(
	ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps,
) (out debate.AskResult, err error) {
	f := fact{session: t.Session, key: "ask " + call, holds: func(s debate.Session) bool {
		return !out.Fresh || slices.ContainsFunc(s.Requests, func(q ledger.Request) bool { // another one has it once they are joined
			return slices.ContainsFunc(q.Asks, func(a ledger.Ask) bool { return a.Turn == t && a.Call == call })
		})
	}}
	err = r.do("ask "+t.Session+" "+call, f, func() error { out, err = r.Store.Ask(ctx, t, call, q, caps); return err })
	return out, err
}

func (r recorder) EndTurn(ctx context.Context, e debate.TurnEnd) (changed []ledger.Request, err error) {
	t, text := e.Response.Turn, ""
	if e.Final != nil {
		text = e.Final.Text
	}
	f := fact{session: t.Session, key: "turn " + where(t), holds: func(s debate.Session) bool {
		x, found := responseOf(s, t)
		if t.Step < 0 {
			return true
		}
		return found && x.State == e.Response.State && (text == "" || len(x.Passages) > 0 && x.Passages[len(x.Passages)-1].Text == text)
	}}
	err = r.do("turn-end "+where(t), f, func() error {
		changed, err = r.Store.EndTurn(ctx, e)
		return r.counted(t, err)
	})
	if err == nil {
		r.p.w.answered(e)
	}
	return changed, err
}

func (r recorder) EndRound(
	ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason,
) (s debate.Session, err error) {
	f := fact{session: session, key: "ended", holds: func(s debate.Session) bool {
		return len(s.History) >= round && !s.History[round-1].Ended.IsZero()
	}}
	err = r.do(fmt.Sprintf("round-end %d of %s", round, session), f, func() error {
		s, err = r.Store.EndRound(ctx, session, round, same, ending)
		return err
	})
	return s, err
}

func (r recorder) Stop(ctx context.Context, session string, reason debate.StopReason) (s debate.Session, err error) {
	f := fact{session: session, voids: []string{"rounds"}}
	err = r.do("stop "+session, f, func() error { s, err = r.Store.Stop(ctx, session, reason); return err })
	return s, err
}

func (r recorder) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (s debate.Session, err error) {
	f := fact{session: session, key: "verdict", holds: func(s debate.Session) bool { return s.Verdict != nil && s.Verdict.Text == v.Text }}
	err = r.do("verdict "+session, f, func() error { s, err = r.Store.SaveVerdict(ctx, session, v); return err })
	return s, err
}

func (r recorder) Note(ctx context.Context, session string, n ...debate.Notice) error {
	return r.p.now("note", fact{session: session}, func() error { return r.Store.Note(ctx, session, n...) })
}
