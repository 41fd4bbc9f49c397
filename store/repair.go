package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Repair ends the turns that a crashed process left running: they become interrupted
// and keep the text that was journaled. The caller holds the lock of the session.
// Repairing again changes nothing.
func (s *Store) Repair(ctx context.Context, session string) (debate.Session, error) {
	return update(ctx, s, "repair", func(ctx context.Context, tx *sql.Tx) (d debate.Session, err error) {
		turns, err := runningTurns(ctx, tx, session)
		if err != nil {
			return d, err
		}
		for _, t := range turns {
			if err := interrupt(ctx, tx, *t); err != nil {
				return d, err
			}
		}
		if len(turns) > 0 {
			if err := s.refresh(ctx, tx, session); err != nil {
				return d, err
			}
		}
		return s.load(ctx, tx, session)
	})
}

func runningTurns(ctx context.Context, tx *sql.Tx, session string) ([]*turn, error) {
	ids, err := rowsOf(ctx, tx, column[int64], `SELECT id FROM turns WHERE session = ? AND state = 'running' ORDER BY id`, session)
	if err != nil {
		return nil, err
	}
	read, err := readTurns(ctx, tx, ids, nil)
	turns := make([]*turn, len(ids))
	for i, id := range ids {
		turns[i] = read[id]
	}
	return turns, err
}

func interrupt(ctx context.Context, tx *sql.Tx, t turn) error {
	end, err := loadInterruption(ctx, tx, t)
	if err != nil {
		return err
	}
	if end.unfinished.id != 0 {
		if err := updateCall(ctx, tx, end.unfinished.counted()); err != nil {
			return err
		}
	}
	_, err = closeTurn(ctx, tx, t.id, end.apply(debate.Response{Turn: t.Turn}), nil)
	return err
}

// showInterrupted returns the session as Repair would leave it, without writing.
func showInterrupted(ctx context.Context, tx *sql.Tx, d debate.Session) (debate.Session, error) {
	turns, err := runningTurns(ctx, tx, d.ID)
	if err != nil {
		return d, err
	}
	for _, t := range turns {
		end, err := loadInterruption(ctx, tx, *t)
		if err != nil {
			return d, err
		}
		switch shown := end.apply(t.Response); {
		case t.Turn.Step >= 0:
			d = d.WithResponse(shown)
		case t.Turn.Step == debate.FollowUpStep:
			i := slices.IndexFunc(d.FollowUps, func(f debate.FollowUp) bool { return f.Response.Turn == t.Turn })
			d.FollowUps[i].Response = shown
			fallthrough
		default: // loadResponses leaves out what running ones used
			d = d.WithAuxiliaryTurn(t.purpose, shown)
		}
	}
	slices.SortStableFunc(d.AuxiliarySpending, func(a, b debate.Spending) int { return cmp.Compare(a.Purpose, b.Purpose) })
	return d, nil
}

// interruption is what is known of a turn that was cut off.
type interruption struct {
	at         time.Time // last sign of life
	usage      agents.Usage
	cost       *float64
	sent       int
	unfinished unfinishedCall
}

func loadInterruption(ctx context.Context, tx *sql.Tx, t turn) (interruption, error) {
	e := interruption{at: t.Began}
	var journaled time.Time
	err := tx.QueryRowContext(ctx, `SELECT max(at) FROM partials WHERE turn = ?`, t.id).Scan(timeColumn{&journaled})
	if err != nil {
		return e, err
	}
	e.alive(journaled)
	for _, p := range t.Passages {
		for _, tool := range p.Tools {
			e.alive(tool.Began.Add(tool.Took))
		}
	}
	calls, err := callsOf(ctx, tx, t.id)
	if err != nil {
		return e, err
	}
	if e.unfinished, err = loadUnfinished(ctx, tx, t, calls); err != nil {
		return e, err
	}
	known, sum := true, 0.0
	for _, c := range calls {
		e.alive(c.Sent)
		e.alive(c.Ended)
		if c.id == e.unfinished.id {
			c = e.unfinished.counted()
		}
		e.sent, e.usage = e.sent+c.Tries, e.usage.Add(c.Usage)
		if c.Cost != nil {
			sum += *c.Cost
			e.cost = &sum
		} else if c.State == callDone || c.State == callBroken || c.Usage.Total() > 0 {
			known = false
		}
	}
	if !known {
		e.cost = nil
	}
	return e, nil
}

func (e *interruption) alive(at time.Time) {
	if at.After(e.at) {
		e.at = at
	}
}

// unfinishedCall is a completion that was under way when the process ended. Its
// usage is an estimate of the prompt of the last try and of the text that came.
type unfinishedCall struct {
	call               // its id is 0 if none was under way
	usage agents.Usage // in addition to that of its failed tries
	cost  *float64     // of that
}

// counted returns the call with what it is thought to have used.
func (l unfinishedCall) counted() call {
	c := l.call
	calls := 0
	if c.Usage.Total() > 0 {
		calls = 1
	}
	spent := debate.Spending{Calls: calls, Usage: c.Usage, Cost: c.Cost}.Plus(1, l.usage, l.cost)
	c.Usage, c.Cost = spent.Usage, spent.Cost
	return c
}

// loadUnfinished returns the call of a turn that was under way.
func loadUnfinished(ctx context.Context, tx *sql.Tx, t turn, calls []call) (unfinishedCall, error) {
	i := slices.IndexFunc(calls, func(c call) bool { return c.State == callSent && !c.waits && c.Estimate > 0 })
	if i < 0 {
		return unfinishedCall{}, nil
	}
	l := unfinishedCall{call: calls[i], usage: agents.Usage{Estimated: true, Input: calls[i].Estimate}}
	d, err := loadHead(ctx, tx, t.Turn.Session)
	if err == nil {
		err = loadSeatChanges(ctx, tx, &d)
	}
	if err != nil {
		return l, err
	}
	journals, err := loadJournal(ctx, tx, t.id)
	for _, j := range journals {
		thought := agents.Tokens(j.reasoning.String())
		l.usage.Reasoning += thought
		l.usage.Output += thought + agents.Tokens(j.text.String())
	}
	l.cost = d.SpeakerOf(t.purpose, t.Turn).Cost(l.usage)
	return l, err
}

func (e interruption) apply(r debate.Response) debate.Response {
	r.State, r.Ended = debate.TurnInterrupted, e.at
	r.Usage, r.Cost, r.Calls = e.usage, e.cost, e.sent
	r.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Roundtable stopped during this answer."}
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		tools := slices.Clone(r.Passages[i].Tools)
		for k, t := range tools {
			tools[k] = settled(t)
		}
		r.Passages[i].Tools = tools
	}
	return r
}
