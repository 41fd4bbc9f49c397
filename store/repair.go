package store

import (
	"context"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Repair ends the turns that a crashed process left running: they become interrupted
// and keep the text that was journaled. The caller holds the lock of the session.
// Repairing again changes nothing.
func (s *Store) Repair(ctx context.Context, session string) (debate.Session, error) {
	return update(ctx, s, "repair", func(tx *transaction) debate.Session {
		turns := runningTurns(tx, session)
		for _, t := range turns {
			r, unfinished := interrupted(tx, t)
			if unfinished.id != 0 {
				updateCall(tx, unfinished)
			}
			closeTurn(tx, t.id, debate.TurnEnd{Response: r})
		}
		if len(turns) > 0 {
			s.refresh(tx, session)
		}
		return s.load(tx, session)
	})
}

func runningTurns(tx *transaction, session string) []turn {
	return readTurns(tx, rowsOf(tx, column[int64], `SELECT id FROM turns WHERE session = ? AND state = 'running'`, session))
}

// interrupted returns the response to a turn that was cut off, and its call that was under way
// with what it is thought to have used; the id of that is 0 if none was.
func interrupted(tx *transaction, t turn) (debate.Response, call) {
	r := t.Response
	r.State, r.Ended = debate.TurnInterrupted, t.Began // or its last sign of life
	r.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Roundtable stopped during this answer."}
	alive := func(at time.Time) {
		if at.After(r.Ended) {
			r.Ended = at
		}
	}
	alive(time.Unix(0, one(tx, column[int64], `SELECT coalesce(max(at), 0) FROM partials WHERE turn = ?`, t.id)).UTC())
	r.Passages = slices.Clone(r.Passages)
	for i, p := range r.Passages {
		r.Passages[i].Tools = nil
		for _, tool := range p.Tools {
			alive(tool.Began.Add(tool.Took))
			r.Passages[i].Tools = append(r.Passages[i].Tools, settled(tool))
		}
	}
	var cut call
	known, sum := true, 0.0
	r.Usage, r.Cost, r.Calls = agents.Usage{}, nil, 0
	for _, c := range callsOf(tx, t.id) {
		alive(c.Sent)
		alive(c.Ended)
		if usage, cost, ok := c.underWay(tx); ok {
			failed := 0
			if c.Usage.Total() > 0 {
				failed = 1
			}
			spent := debate.Spending{Calls: failed, Usage: c.Usage, Cost: c.Cost}.Plus(1, usage, cost)
			c.Usage, c.Cost = spent.Usage, spent.Cost
			cut = c
		}
		r.Calls, r.Usage = r.Calls+c.Tries, r.Usage.Add(c.Usage)
		if c.Cost != nil {
			sum += *c.Cost
			r.Cost = &sum
		} else if c.State == callDone || c.State == callBroken || c.Usage.Total() > 0 {
			known = false
		}
	}
	if !known {
		r.Cost = nil
	}
	return r, cut
}

// underWay reports whether a call of a running turn was under way when the process ended, and what
// it used in addition to its failed tries: an estimate of the prompt of the last try and of the text
// that came.
func (c call) underWay(tx *transaction) (usage agents.Usage, cost *float64, ok bool) {
	if c.State != callSent || c.waits || c.Estimate == 0 {
		return usage, nil, false
	}
	usage = agents.Usage{Estimated: true, Input: c.Estimate}
	for _, p := range rowsOf(tx, scanPassage, journal, jsonColumn{[]int64{c.turn}}) {
		thought := agents.Tokens(p.Reasoning)
		usage.Reasoning += thought
		usage.Output += thought + agents.Tokens(p.Text)
	}
	d := loadHead(tx, c.Turn.Session)
	loadSeatChanges(tx, &d)
	return usage, d.SpeakerOf(c.Purpose, c.Turn).Cost(usage), true
}
