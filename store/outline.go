package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
)

// Outline returns a session as Session does, with outlines of its ended responses: however
// much was said, it is small. Response reads the texts one by one.
func (s *Store) Outline(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return s.session(ctx, idOrPrefix, outlineTurns)
}

// outlineTurns returns all turns of a session, reading one after the other. Running turns
// are whole, and so are those of which a kept reply is made.
func outlineTurns(ctx context.Context, tx *sql.Tx, session string) ([]debate.Response, error) {
	type row struct {
		id    int64
		whole bool
	}
	rows, err := rowsOf(ctx, tx, func(rows *sql.Rows) (row, error) {
		var r row
		return r, rows.Scan(&r.id, &r.whole)
	}, `SELECT id, state = 'running' OR step < 0 AND step <> ?2 AND round = (SELECT max(number) FROM rounds WHERE session = ?1)
		FROM turns WHERE session = ?1 AND state <> 'due' ORDER BY id`, session, debate.SummaryStep)
	if err != nil {
		return nil, err
	}
	turns := make([]debate.Response, len(rows))
	for i, r := range rows {
		read, err := readTurns(ctx, tx, session, []int64{r.id})
		if err != nil {
			return nil, err
		}
		if turns[i] = *read[r.id]; !r.whole {
			turns[i] = turns[i].Outline()
		}
	}
	return turns, nil
}

// Response returns the response to a turn, with its texts.
func (s *Store) Response(ctx context.Context, t agents.Turn) (debate.Response, error) {
	var r debate.Response
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, `SELECT t.id FROM turns t JOIN sessions s ON s.id = t.session AND s.deleted IS NULL
			WHERE t.session = ? AND t.round = ? AND t.step = ? AND t.agent = ? AND t.attempt = ?`,
			t.Session, t.Round, t.Step, t.Agent, t.Attempt).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			err = cmp.Or(exists(ctx, tx, t.Session), fmt.Errorf("read %s: there is no such turn", debate.TurnID(t)))
		}
		if err != nil {
			return err
		}
		read, err := readTurns(ctx, tx, t.Session, []int64{id})
		if err == nil {
			r = *read[id]
		}
		return err
	})
	return r, err
}
