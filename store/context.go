package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Ask puts an agent's question into the ledger, which decides what becomes of
// it. The error is one for the agent, unless the store failed.
func (s *Store) Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error) {
	var out debate.AskResult
	var refused error
	err := s.write(ctx, "ask", func(ctx context.Context, tx *sql.Tx) error {
		before, err := ledgerIn(ctx, tx, t.Session)
		if err != nil {
			return err
		}
		reply, events, err := before.Ask(t, call, q, caps)
		refused = err
		after, err := s.append(ctx, tx, t.Session, before, events)
		if err != nil {
			return err
		}
		if refused != nil {
			return nil // what the ledger keeps of a refusal is kept
		}
		out = debate.AskResult{Reply: reply, Fresh: len(events) > 0}
		out.Request, _ = after.Find(reply.RequestID)
		_, out.Joined = before.Find(reply.RequestID)
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
		return debate.AskResult{}, err // what was not committed is not handed out
	}
	return out, nil
}

// append numbers and writes events that follow on a ledger, brings the columns of
// lists up to date, and returns the ledger as it stands then.
func (s *Store) append(ctx context.Context, tx *sql.Tx, session string, l ledger.Ledger, events []ledger.Event) (ledger.Ledger, error) {
	if len(events) == 0 {
		return l, nil
	}
	var seq int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM context_events WHERE session = ?`, session).Scan(&seq); err != nil {
		return l, err
	}
	at := s.now()
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
	if err := s.touch(ctx, tx, session); err != nil {
		return l, err
	}
	return l, countRequests(ctx, tx, session, l)
}

// countRequests writes what lists show of open requests.
func countRequests(ctx context.Context, tx *sql.Tx, session string, l ledger.Ledger) error {
	required, optional, asking := l.Blocking(), 0, ""
	for _, r := range l.Requests {
		if r.Open() && !r.Blocks() {
			optional++
		}
	}
	if len(required) > 0 {
		asking = strings.Join(strings.Fields(required[0].Query), " ")
	}
	_, err := tx.ExecContext(ctx, `UPDATE sessions SET required = ?, optional = ?, asking = ? WHERE id = ?`, len(required), optional, asking, session)
	return err
}

func insertEvent(ctx context.Context, tx *sql.Tx, e ledger.Event) error {
	var round, step, attempt, call any
	if e.Turn != (agents.Turn{}) {
		round, step, attempt, call = e.Turn.Round, e.Turn.Step, e.Turn.Attempt, e.Call
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO context_events (session, seq, request, type, actor, round, step, attempt, call, at, payload)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.Session, e.Seq, e.Request, e.Type, e.Actor, round, step, attempt, call, stamp(e.At), document{e.Payload})
	if err != nil || e.Type != ledger.Replied {
		return err
	}
	return index(ctx, tx, entry{Session: e.Session, Kind: InAnswer, Request: e.Request, Text: e.Payload.Content})
}

// touched returns the requests that the events are about, each once.
func touched(l ledger.Ledger, events []ledger.Event) []ledger.Request {
	var out []ledger.Request
	for _, e := range events {
		r, ok := l.Find(e.Request)
		if ok && !slices.ContainsFunc(out, func(q ledger.Request) bool { return q.ID == r.ID }) {
			out = append(out, r)
		}
	}
	return out
}

// Answer records what the user says to requests, all or nothing, and returns
// them as they stand then. The drafts of what is answered go, but for what was typed
// after the call. The error of a submission that is refused is a *ledger.SubmissionError.
func (s *Store) Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error) {
	at := s.options.Now()
	s.typed.Lock()
	defer s.typed.Unlock()
	var out []ledger.Request
	err := s.write(ctx, "answer", func(ctx context.Context, tx *sql.Tx) error {
		l, err := ledgerIn(ctx, tx, session)
		if err != nil {
			return err
		}
		events, err := l.Answer(subs...)
		if err != nil {
			return err
		}
		if l, err = s.append(ctx, tx, session, l, events); err != nil {
			return err
		}
		for _, sub := range subs {
			if !s.typed.after(session, sub.Request, at) {
				if err := dropDraft(ctx, tx, session, sub.Request); err != nil {
					return err
				}
			}
			r, _ := l.Find(sub.Request)
			out = append(out, r)
		}
		return nil
	})
	if err != nil {
		return nil, err // what was not committed is not handed out
	}
	for _, sub := range subs {
		s.typed.note(session, sub.Request, at)
	}
	return out, nil
}

// Reopen takes an answer back before it is released, and returns its request.
func (s *Store) Reopen(ctx context.Context, session, request string) (ledger.Request, error) {
	var out ledger.Request
	err := s.write(ctx, "reopen", func(ctx context.Context, tx *sql.Tx) error {
		l, err := ledgerIn(ctx, tx, session)
		if err != nil {
			return err
		}
		events, err := l.Reopen(request)
		if err != nil {
			return err
		}
		if l, err = s.append(ctx, tx, session, l, events); err != nil {
			return err
		}
		out, _ = l.Find(request)
		return nil
	})
	if err != nil {
		return ledger.Request{}, err // what was not committed is not handed out
	}
	return out, nil
}

// Requests returns all context requests of a session, or of a prefix that is
// like no other, in the order of their numbers.
func (s *Store) Requests(ctx context.Context, session string) ([]ledger.Request, error) {
	var out []ledger.Request
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id, err := resolve(ctx, tx, session)
		if err != nil {
			return err
		}
		l, err := ledgerOf(ctx, tx, id)
		out = l.Requests
		return err
	})
	if err != nil {
		return nil, err // what was not committed is not handed out
	}
	return out, nil
}

// ledgerIn returns the ledger of a session that is there.
func ledgerIn(ctx context.Context, tx *sql.Tx, session string) (ledger.Ledger, error) {
	if _, err := focusOf(ctx, tx, session); err != nil {
		return ledger.Ledger{}, err
	}
	return ledgerOf(ctx, tx, session)
}
