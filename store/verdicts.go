package store

import (
	"context"
	"database/sql"

	"roundtable/debate"
)

// SaveVerdict ends a session: what is still open expires. An earlier verdict is
// kept as superseded.
func (s *Store) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	return s.change(ctx, "verdict", session, func(ctx context.Context, tx *sql.Tx) error {
		if err := s.supersede(ctx, tx, session); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO verdicts (session, at, outcome, body) VALUES (?, ?, ?, ?)`, session, stamp(s.now()), v.Outcome, document{v})
		if err != nil {
			return err
		}
		if v.Stopped != debate.NotStopped {
			if _, err := tx.ExecContext(ctx, `UPDATE sessions SET stopped = ? WHERE id = ?`, v.Stopped, session); err != nil {
				return err
			}
		}
		if err := index(ctx, tx, entry{Session: session, Kind: InVerdict, Text: v.Text}); err != nil {
			return err
		}
		l, err := ledgerOf(ctx, tx, session)
		if err != nil {
			return err
		}
		_, err = s.append(ctx, tx, session, l, l.Expire())
		return err
	})
}

// supersede takes the verdict of a session out of force.
func (s *Store) supersede(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `UPDATE verdicts SET superseded = ? WHERE session = ? AND superseded IS NULL`, stamp(s.now()), session)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind = ?`, session, InVerdict)
	return err
}

// Note keeps notices.
func (s *Store) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	return s.write(ctx, "note", func(ctx context.Context, tx *sql.Tx) error {
		if err := s.touch(ctx, tx, session); err != nil {
			return err
		}
		for _, n := range ns {
			if n.At.IsZero() {
				n.At = s.now()
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO notices (session, at, code, agent, round, text) VALUES (?, ?, ?, ?, ?, ?)`,
				session, stamp(n.At), n.Code, n.Agent, n.Round, n.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}
