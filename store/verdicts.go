package store

import (
	"context"
	"database/sql"
	"time"

	"roundtable/debate"
)

// SaveVerdict stores the verdict of a session, which ends it: open requests expire.
// An earlier verdict is kept as superseded.
func (s *Store) SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error) {
	return s.updateSession(ctx, "verdict", session, func(ctx context.Context, tx *sql.Tx) error {
		if err := supersede(ctx, tx, session, s.now()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO verdicts (session, at, outcome, body) VALUES (?, ?, ?, ?)`, session, timestamp(s.now()),
			v.Outcome, jsonColumn{v})
		if err != nil {
			return err
		}
		if v.Stopped != debate.NotStopped {
			if _, err := tx.ExecContext(ctx, `UPDATE sessions SET stopped = ? WHERE id = ?`, v.Stopped, session); err != nil {
				return err
			}
		}
		if err := addSearchText(ctx, tx, searchText{Session: session, Kind: InVerdict, Text: v.Text}); err != nil {
			return err
		}
		l, err := loadLedger(ctx, tx, session)
		if err != nil {
			return err
		}
		_, err = appendEvents(ctx, tx, s.now(), session, l, l.Expire())
		return err
	})
}

// supersede marks the verdict of a session as superseded since a time.
func supersede(ctx context.Context, tx *sql.Tx, session string, at time.Time) error {
	_, err := tx.ExecContext(
		ctx,
		`UPDATE verdicts SET superseded = ? WHERE session = ? AND superseded IS NULL`,
		timestamp(at),
		session,
	)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind = ?`, session, InVerdict)
	return err
}

// Note stores notices.
func (s *Store) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	return s.write(ctx, "note", func(ctx context.Context, tx *sql.Tx) error {
		if err := touch(ctx, tx, session, s.now()); err != nil {
			return err
		}
		for _, n := range ns {
			if n.At.IsZero() {
				n.At = s.now()
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO notices (session, at, code, agent, round, text) VALUES (?, ?, ?, ?, ?, ?)`,
				session, timestamp(n.At), n.Code, n.Agent, n.Round, n.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}
