package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// SaveDraft stores text that is being typed for a request; it answers nothing. An
// empty draft, or one that says what the request's answer says, removes what is
// stored. Answer removes it too: callers save drafts and answers in the order in
// which they were typed.
func (s *Store) SaveDraft(ctx context.Context, session, request string, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.options.Now()
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
		if d.Text == "" && d.Source == "" || repeatsAnswer(r, d) {
			return deleteDraft(ctx, tx, session, request)
		}
		return insertDraft(ctx, tx, session, request, d)
	})
}

func insertDraft(ctx context.Context, tx *sql.Tx, session, request string, d debate.Draft) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO context_drafts (session, request, at, unavailable, source, text) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, request) DO UPDATE SET at = excluded.at, unavailable = excluded.unavailable, source = excluded.source,
			text = excluded.text`,
		session, request, timestamp(d.At), d.Unavailable, d.Source, d.Text)
	return err
}

// repeatsAnswer reports whether a draft says what the answer to its request says.
func repeatsAnswer(r ledger.Request, d debate.Draft) bool {
	a, ok := r.Answer()
	return ok && a.Content == strings.TrimSpace(d.Text) && a.Source == strings.TrimSpace(d.Source) &&
		(a.Outcome == ledger.Unavailable) == d.Unavailable
}

func deleteDraft(ctx context.Context, tx *sql.Tx, session, request string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM context_drafts WHERE session = ? AND request = ?`, session, request)
	return err
}

// KeepNew stores what is being typed for a new debate; there is one such draft. Its
// text is opaque to the store. An empty text removes it.
func (s *Store) KeepNew(ctx context.Context, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.options.Now()
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
