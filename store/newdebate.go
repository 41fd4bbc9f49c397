package store

import (
	"context"
	"database/sql"
	"errors"

	"roundtable/debate"
)

// KeepNew keeps what is being typed for a new debate, in the words of whoever shows
// the form; there is one such draft. One without any text forgets it, and one that is
// older than what was kept last has been overtaken: it changes nothing.
func (s *Store) KeepNew(ctx context.Context, d debate.Draft) error {
	if d.At.IsZero() {
		d.At = s.options.Now()
	}
	s.typed.Lock()
	defer s.typed.Unlock()
	if s.typed.after("", "", d.At) {
		return nil
	}
	err := s.write(ctx, "new", func(ctx context.Context, tx *sql.Tx) error {
		if d.Text == "" {
			_, err := tx.ExecContext(ctx, `DELETE FROM new_debate`)
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO new_debate (id, at, text) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET at = excluded.at, text = excluded.text`, stamp(d.At), d.Text)
		return err
	})
	if err == nil {
		s.typed.note("", "", d.At)
	}
	return err
}

// KeptNew returns what was kept of a new debate that has not begun; its zero value
// where there is nothing.
func (s *Store) KeptNew(ctx context.Context) (debate.Draft, error) {
	var d debate.Draft
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT text, at FROM new_debate`).Scan(&d.Text, moment{&d.At})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return d, err
}
