package store

import (
	"cmp"
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
	err := s.write(ctx, "ask", func(tx *transaction) {
		exists(tx, t.Session)
		before := loadLedger(tx, t.Session)
		var events []ledger.Event
		out.Reply, events, refused = before.Ask(t, call, q, caps)
		after := appendEvents(tx, s.now(), t.Session, before, events)
		if refused != nil {
			return // events that record the refusal are committed
		}
		out.Fresh = len(events) > 0
		id := out.Reply.RequestID
		if out.Fresh { // a reply of before can name a request that was joined to another
			id = events[0].Request
		}
		out.Request, _ = after.Find(id)
		i := slices.IndexFunc(out.Request.Asks, func(a ledger.Ask) bool { return a.Turn == t && a.Call == call })
		if i >= 0 {
			out.Ask = out.Request.Asks[i]
		}
	})
	if err = cmp.Or(err, refused); err != nil {
		return debate.AskResult{}, err
	}
	return out, nil
}

// appendEvents numbers and stores events, updates the summary of the session and returns
// the ledger with the events applied.
func appendEvents(tx *transaction, at time.Time, session string, l ledger.Ledger, events []ledger.Event) ledger.Ledger {
	if len(events) == 0 {
		return l
	}
	seq := one(tx, column[int64], `SELECT coalesce(max(seq), 0) FROM context_events WHERE session = ?`, session)
	numbered := slices.Clone(events)
	for i := range numbered {
		e := &numbered[i]
		e.Seq, e.Session = seq+int64(i)+1, session
		if e.Turn != (agents.Turn{}) {
			e.Turn.Session = session
		}
		e.At = cmp.Or(e.At, at)
		insertEvent(tx, *e)
	}
	l = l.Apply(numbered...)
	touch(tx, session, at)
	required, optional, asking := l.Blocking(), 0, ""
	for _, r := range l.Requests {
		if r.State == ledger.Pending && !r.Blocks() {
			optional++
		}
	}
	if len(required) > 0 {
		asking = strings.Join(strings.Fields(required[0].Query), " ")
	}
	tx.exec(`UPDATE sessions SET required = ?, optional = ?, asking = ? WHERE id = ?`, len(required), optional, asking, session)
	return l
}

func insertEvent(tx *transaction, e ledger.Event) {
	var round, step, attempt, call any
	if e.Turn != (agents.Turn{}) {
		round, step, attempt, call = e.Turn.Round, e.Turn.Step, e.Turn.Attempt, e.Call
	}
	tx.exec(`INSERT INTO context_events (session, seq, request, type, actor, round, step, attempt, call, at, payload)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.Session, e.Seq, e.Request, e.Type, e.Actor, round, step, attempt, call,
		timestamp(e.At), jsonColumn{e.Payload})
	if e.Type == ledger.EventAnswer {
		addSearchText(tx, searchText{
			Session: e.Session, Kind: debate.InAnswer, Request: e.Request, Source: e.Seq, Text: e.Payload.Content,
		})
	}
}

// Answer records what the user says to requests, all or nothing, removes their
// drafts, and returns the changed requests. The error of a refused submission is a
// *ledger.SubmissionError.
func (s *Store) Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error) {
	return update(ctx, s, "answer", func(tx *transaction) []ledger.Request {
		exists(tx, session)
		l := loadLedger(tx, session)
		subs := slices.Clone(subs)
		for i, sub := range subs {
			subs[i].By = acceptedBy(tx, session, sub)
		}
		events, err := l.Answer(subs...)
		tx.failed(err)
		l = appendEvents(tx, s.now(), session, l, events)
		var out []ledger.Request
		for _, sub := range subs {
			deleteDocument(tx, session, draftDocument, sub.Request)
			r, _ := l.Find(sub.Request)
			out = append(out, r)
		}
		s.setLine(tx, session)
		return out
	})
}

// acceptedBy returns the author of an answer, who may have accepted the words that an assistant
// proposed as a draft.
func acceptedBy(tx *transaction, session string, sub ledger.Submission) ledger.Author {
	d := documentOf[debate.Draft](tx, session, draftDocument, sub.Request)
	if d.ProposedBy == "" || d.Unavailable != (sub.Outcome == ledger.Unavailable) {
		return sub.By
	}
	return sub.By.Accepted(d.ProposedBy, d.Text, sub.Content)
}

// SaveDraft stores text that is being typed for a request; it answers nothing. An
// empty draft, or one that says what the request's answer says, removes what is
// stored. Answer removes it too: callers save drafts and answers in the order in
// which they were typed.
func (s *Store) SaveDraft(ctx context.Context, session, request string, d debate.Draft) error {
	d.At = cmp.Or(d.At, s.now())
	return s.write(ctx, "draft", func(tx *transaction) {
		exists(tx, session)
		r, ok := loadLedger(tx, session).Find(request)
		if !ok {
			tx.failed(fmt.Errorf("save a draft of %s: %w", request, ledger.ErrUnknown))
		}
		if d.Text == "" && d.Source == "" && d.Other == "" || repeatsAnswer(r, d) {
			deleteDocument(tx, session, draftDocument, request)
			return
		}
		if before := documentOf[debate.Draft](tx, session, draftDocument, request); d.Text == before.Text {
			d.ProposedBy = cmp.Or(d.ProposedBy, before.ProposedBy)
		}
		replaceDocument(tx, session, draftDocument, request, d)
	})
}

func repeatsAnswer(r ledger.Request, d debate.Draft) bool {
	a, ok := r.Answer()
	return ok && a.Content == strings.TrimSpace(d.Text) && a.Source == strings.TrimSpace(d.Source) &&
		(a.Outcome == ledger.Unavailable) == d.Unavailable && d.Other == ""
}

// KeepNew stores what is being typed for a new debate; there is one such draft. Its
// text is opaque to the store. An empty text removes it.
func (s *Store) KeepNew(ctx context.Context, d debate.Draft) error {
	d.At = cmp.Or(d.At, s.now())
	return s.write(ctx, "new", func(tx *transaction) {
		tx.exec(`DELETE FROM new_debate`)
		if d.Text != "" {
			tx.exec(`INSERT INTO new_debate (id, at, text) VALUES (1, ?, ?)`, timestamp(d.At), d.Text)
		}
	})
}

// KeptNew returns the draft of a new debate, or the zero value if there is none.
func (s *Store) KeptNew(ctx context.Context) (debate.Draft, error) {
	return view(ctx, s, func(tx *transaction) debate.Draft {
		return one(tx, func(row *sql.Rows) (d debate.Draft, err error) {
			err = row.Scan(&d.Text, timeColumn{&d.At})
			return d, err
		}, `SELECT text, at FROM new_debate`)
	})
}

// Interject stores a message to one agent, or to all, and returns it with its number and
// time. Rounds that begin later have it in their manifests until it was delivered.
func (s *Store) Interject(ctx context.Context, session string, out debate.Interjection) (debate.Interjection, error) {
	return update(ctx, s, "interject", func(tx *transaction) debate.Interjection {
		out.At = s.now()
		touch(tx, session, s.now())
		var err error
		if out.Text, err = loadHead(tx, session).CheckInterjection(out.Agent, out.Text); tx.failed(err) {
			return out
		}
		out.N = 1
		for _, sent := range documentsOf[debate.Interjection](tx, session, interjectionDocument) {
			out.N = sent.N + 1
		}
		insertDocument(tx, session, interjectionDocument, "", 0, out)
		return out
	})
}
