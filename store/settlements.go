package store

import (
	"context"
	"database/sql"

	"roundtable/debate"
)

// Settle stores how the verdict of a session turned out, whose lock the caller holds.
func (s *Store) Settle(ctx context.Context, session string, v debate.Settlement) error {
	return s.write(ctx, "settle", func(ctx context.Context, tx *sql.Tx) error {
		if err := exists(ctx, tx, session); err != nil {
			return err
		}
		if v.At.IsZero() {
			v.At = s.now().UTC()
		}
		if err := insertSettlement(ctx, tx, session, v); err != nil {
			return err
		}
		return refreshSummary(ctx, tx, session)
	})
}

func insertSettlement(ctx context.Context, tx *sql.Tx, session string, v debate.Settlement) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO settlements (session, rounds, result, body) VALUES (?, ?, ?, ?)`,
		session, v.Rounds, v.Result, jsonColumn{v})
	return err
}

func loadSettlements(ctx context.Context, tx *sql.Tx, d *debate.Session) (err error) {
	d.Settlements, err = rowsOf(ctx, tx, func(row *sql.Rows) (v debate.Settlement, err error) {
		return v, row.Scan(jsonColumn{&v})
	}, `SELECT body FROM settlements WHERE session = ? ORDER BY id`, d.ID)
	return err
}
