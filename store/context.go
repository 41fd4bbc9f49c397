package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Ask records an agent's question as the ledger decides. The error is meant for the
// agent unless the store failed.
func (s *Store) Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error) {
	var out debate.AskResult
	var refused error
	err := s.write(ctx, "ask", func(ctx context.Context, tx *sql.Tx) error {
		before, err := ledgerOfExisting(ctx, tx, t.Session)
		if err != nil {
			return err
		}
		reply, events, err := before.Ask(t, call, q, caps)
		refused = err
		after, err := appendEvents(ctx, tx, s.now(), t.Session, before, events)
		if err != nil {
			return err
		}
		if refused != nil {
			return nil // events that record the refusal are committed
		}
		out = debate.AskResult{Reply: reply, Fresh: len(events) > 0}
		id := reply.RequestID
		if out.Fresh { // a reply of before can name a request that was joined to another
			id = events[0].Request
		}
		out.Request, _ = after.Find(id)
		_, out.Joined = before.Find(id)
		i := slices.IndexFunc(out.Request.Asks, func(a ledger.Ask) bool { return a.Turn == t && a.Call == call })
		if i >= 0 {
			out.Ask = out.Request.Asks[i]
		}
		return nil
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return debate.AskResult{}, err
	}
	return out, nil
}

// appendEvents numbers and stores events, updates the summary of the session and returns
// the ledger with the events applied.
func appendEvents(
	ctx context.Context, tx *sql.Tx, at time.Time, session string, l ledger.Ledger, events []ledger.Event,
) (ledger.Ledger, error) {
	if len(events) == 0 {
		return l, nil
	}
	var seq int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM context_events WHERE session = ?`, session).Scan(&seq)
	if err != nil {
		return l, err
	}
	numbered := make([]ledger.Event, len(events))
	for i, e := range events {
		e.Seq, e.Session = seq+int64(i)+1, session
		if e.Turn != (agents.Turn{}) {
			e.Turn.Session = session
		}
		if e.At.IsZero() {
			e.At = at
		}
		if err := insertEvent(ctx, tx, e); err != nil {
			return l, fmt.Errorf("write %s of %s: %w", e.Type, e.Request, err)
		}
		numbered[i] = e
	}
	l = l.Apply(numbered...)
	if err := touch(ctx, tx, session, at); err != nil {
		return l, err
	}
	return l, summarizeRequests(ctx, tx, session, l)
}

// summarizeRequests updates what the summary of a session says about its open
// requests.
func summarizeRequests(ctx context.Context, tx *sql.Tx, session string, l ledger.Ledger) error {
	required, optional, asking := l.Blocking(), 0, ""
	for _, r := range l.Requests {
		if r.Open() && !r.Blocks() {
			optional++
		}
	}
	if len(required) > 0 {
		asking = strings.Join(strings.Fields(required[0].Query), " ")
	}
	_, err := tx.ExecContext(ctx, `UPDATE sessions SET required = ?, optional = ?, asking = ? WHERE id = ?`, len(required), optional,
		asking, session)
	return err
}

func insertEvent(ctx context.Context, tx *sql.Tx, e ledger.Event) error {
	var round, step, attempt, call any
	if e.Turn != (agents.Turn{}) {
		round, step, attempt, call = e.Turn.Round, e.Turn.Step, e.Turn.Attempt, e.Call
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO context_events (session, seq, request, type, actor, round, step, attempt, call, at, payload)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.Session, e.Seq, e.Request, e.Type, e.Actor, round, step, attempt, call,
		timestamp(e.At), jsonColumn{e.Payload})
	if err != nil || e.Type != ledger.EventAnswer {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: e.Session, Kind: InAnswer, Request: e.Request, Text: e.Payload.Content})
}

// changedRequests returns the requests that events are about, without duplicates.
func changedRequests(l ledger.Ledger, events []ledger.Event) []ledger.Request {
	var out []ledger.Request
	for _, e := range events {
		r, ok := l.Find(e.Request)
		if ok && !slices.ContainsFunc(out, func(q ledger.Request) bool { return q.ID == r.ID }) {
			out = append(out, r)
		}
	}
	return out
}

// Answer records what the user says to requests, all or nothing, removes their
// drafts, and returns the changed requests. The error of a refused submission is a
// *ledger.SubmissionError.
func (s *Store) Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error) {
	return update(ctx, s, "answer", func(ctx context.Context, tx *sql.Tx) ([]ledger.Request, error) {
		l, err := ledgerOfExisting(ctx, tx, session)
		if err != nil {
			return nil, err
		}
		events, err := l.Answer(subs...)
		if err != nil {
			return nil, err
		}
		if l, err = appendEvents(ctx, tx, s.now(), session, l, events); err != nil {
			return nil, err
		}
		var out []ledger.Request
		for _, sub := range subs {
			if err := deleteDraft(ctx, tx, session, sub.Request); err != nil {
				return nil, err
			}
			r, _ := l.Find(sub.Request)
			out = append(out, r)
		}
		return out, nil
	})
}

// ledgerOfExisting returns the ledger of a session, or an error if there is no such
// session.
func ledgerOfExisting(ctx context.Context, tx *sql.Tx, session string) (ledger.Ledger, error) {
	if _, err := loadFocus(ctx, tx, session); err != nil {
		return ledger.Ledger{}, err
	}
	return loadLedger(ctx, tx, session)
}
