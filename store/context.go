package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
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
	return addSearchText(ctx, tx, searchText{
		Session: e.Session, Kind: debate.InAnswer, Request: e.Request, Source: e.Seq, Text: e.Payload.Content,
	})
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
		subs = slices.Clone(subs)
		for i, sub := range subs {
			if subs[i].By, err = acceptedBy(ctx, tx, session, sub); err != nil {
				return nil, err
			}
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
			if err := deleteDocument(ctx, tx, session, draftDocument, sub.Request); err != nil {
				return nil, err
			}
			r, _ := l.Find(sub.Request)
			out = append(out, r)
		}
		return out, s.setLine(ctx, tx, session)
	})
}

// acceptedBy returns the author of an answer, who may have accepted the words that an assistant
// proposed as a draft.
func acceptedBy(ctx context.Context, tx *sql.Tx, session string, sub ledger.Submission) (ledger.Author, error) {
	d, err := loadDraft(ctx, tx, session, sub.Request)
	if d.ProposedBy == "" || d.Unavailable != (sub.Outcome == ledger.Unavailable) {
		return sub.By, err
	}
	return sub.By.Accepted(d.ProposedBy, d.Text, sub.Content), err
}

func loadDraft(ctx context.Context, tx *sql.Tx, session, request string) (d debate.Draft, err error) {
	err = tx.QueryRowContext(ctx, `SELECT body FROM documents WHERE session = ? AND kind = ? AND key = ?`, session, draftDocument, request).
		Scan(jsonColumn{&d})
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, err
}

// ledgerOfExisting returns the ledger of a session, or an error if there is no such
// session.
func ledgerOfExisting(ctx context.Context, tx *sql.Tx, session string) (ledger.Ledger, error) {
	if err := exists(ctx, tx, session); err != nil {
		return ledger.Ledger{}, err
	}
	return loadLedger(ctx, tx, session)
}

// SaveDraft stores text that is being typed for a request; it answers nothing. An
// empty draft, or one that says what the request's answer says, removes what is
// stored. Answer removes it too: callers save drafts and answers in the order in
// which they were typed.
func (s *Store) SaveDraft(ctx context.Context, session, request string, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.now()
	}
	return s.write(ctx, "draft", func(ctx context.Context, tx *sql.Tx) error {
		l, err := ledgerOfExisting(ctx, tx, session)
		if err != nil {
			return err
		}
		r, ok := l.Find(request)
		if !ok {
			return fmt.Errorf("save a draft of %s: %w", request, ledger.ErrUnknown)
		}
		if d.Text == "" && d.Source == "" && d.Other == "" || repeatsAnswer(r, d) {
			return deleteDocument(ctx, tx, session, draftDocument, request)
		}
		before, err := loadDraft(ctx, tx, session, request)
		if err != nil {
			return err
		}
		if d.Text == before.Text {
			d.ProposedBy = cmp.Or(d.ProposedBy, before.ProposedBy)
		}
		return replaceDocument(ctx, tx, session, draftDocument, request, storedDraft{request, d})
	})
}

// repeatsAnswer reports whether a draft says what the answer to its request says.
func repeatsAnswer(r ledger.Request, d debate.Draft) bool {
	a, ok := r.Answer()
	return ok && a.Content == strings.TrimSpace(d.Text) && a.Source == strings.TrimSpace(d.Source) &&
		(a.Outcome == ledger.Unavailable) == d.Unavailable && d.Other == ""
}

// KeepNew stores what is being typed for a new debate; there is one such draft. Its
// text is opaque to the store. An empty text removes it.
func (s *Store) KeepNew(ctx context.Context, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.now()
	}
	return s.write(ctx, "new", func(ctx context.Context, tx *sql.Tx) error {
		if d.Text == "" {
			_, err := tx.ExecContext(ctx, `DELETE FROM new_debate`)
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO new_debate (id, at, text) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET at = excluded.at, text = excluded.text`, timestamp(d.At), d.Text)
		return err
	})
}

// KeptNew returns the draft of a new debate, or the zero value if there is none.
func (s *Store) KeptNew(ctx context.Context) (debate.Draft, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (d debate.Draft, err error) {
		err = tx.QueryRowContext(ctx, `SELECT text, at FROM new_debate`).Scan(&d.Text, timeColumn{&d.At})
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return d, err
	})
}

// Interject stores a message to one agent, or to all, and returns it with its number and
// time. Rounds that begin later have it in their manifests until it was delivered.
func (s *Store) Interject(ctx context.Context, session string, out debate.Interjection) (debate.Interjection, error) {
	return update(ctx, s, "interject", func(ctx context.Context, tx *sql.Tx) (debate.Interjection, error) {
		out.At = s.now()
		if err := touch(ctx, tx, session, s.now()); err != nil {
			return out, err
		}
		d, err := loadHead(ctx, tx, session)
		if err != nil {
			return out, err
		}
		if out.Text, err = d.CheckInterjection(out.Agent, out.Text); err != nil {
			return out, err
		}
		sent, err := documentsOf[debate.Interjection](ctx, tx, session, interjectionDocument)
		if err != nil {
			return out, err
		}
		if out.N = 1; len(sent) > 0 {
			out.N += sent[len(sent)-1].N
		}
		_, err = insertDocument(ctx, tx, session, interjectionDocument, "", 0, out)
		return out, err
	})
}
