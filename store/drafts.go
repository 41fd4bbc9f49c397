package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// SaveDraft keeps text that is being typed for a request; it answers nothing. A
// draft without any text goes. One that is older than what was saved last, or than
// the answer, has been overtaken: it changes nothing, and that is no error.
func (s *Store) SaveDraft(ctx context.Context, session, request string, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.options.Now()
	}
	s.typed.Lock()
	defer s.typed.Unlock()
	err := s.write(ctx, "draft", func(ctx context.Context, tx *sql.Tx) error {
		l, err := ledgerIn(ctx, tx, session)
		if err != nil {
			return err
		}
		if _, ok := l.Find(request); !ok {
			return fmt.Errorf("keep a draft of %s: %w", request, ledger.ErrUnknown)
		}
		if s.typed.after(session, request, d.At) {
			return nil
		}
		if d.Text == "" && d.Source == "" {
			return dropDraft(ctx, tx, session, request)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO context_drafts (session, request, at, unavailable, source, text) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (session, request) DO UPDATE SET at = excluded.at, unavailable = excluded.unavailable, source = excluded.source, text = excluded.text`,
			session, request, stamp(d.At), d.Unavailable, d.Source, d.Text)
		return err
	})
	if err == nil {
		s.typed.note(session, request, d.At)
	}
	return err
}

func dropDraft(ctx context.Context, tx *sql.Tx, session, request string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM context_drafts WHERE session = ? AND request = ?`, session, request)
	return err
}

// typed says when what was last kept of a request was typed, or answered. Drafts and
// answers of this process may overtake each other on their way; those of others
// cannot come, since a session is open once. Its moments are compared as the process
// measures them, so that a clock that is set loses nothing.
type typed struct {
	sync.Mutex
	last map[[2]string]time.Time // by session and request
}

// after reports whether something newer than a moment was kept.
func (t *typed) after(session, request string, at time.Time) bool {
	return t.last[[2]string{session, request}].After(at)
}

func (t *typed) note(session, request string, at time.Time) {
	if t.after(session, request, at) {
		return
	}
	if t.last == nil {
		t.last = map[[2]string]time.Time{}
	}
	t.last[[2]string{session, request}] = at
}
