package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"roundtable/debate"
)

// SetDue records that turns of the newest round are due, in place of an earlier time
// for the same turns. A round that has ended is open again, and a verdict becomes
// superseded, to be written again without another round. For a turn of a chair or of the
// light model that waits only the time changes.
func (s *Store) SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error {
	return s.write(ctx, "due", func(ctx context.Context, tx *sql.Tx) error {
		if len(turns) == 1 && turns[0].Turn.Step < 0 {
			return setWait(ctx, tx, turns[0])
		}
		for _, d := range turns {
			if err := mayBegin(ctx, tx, d.Turn); err != nil {
				return err
			}
			if err := insertDue(ctx, tx, d); err != nil {
				return err
			}
		}
		var concluded bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM verdicts WHERE session = ? AND superseded IS NULL)`,
			session).Scan(&concluded)
		if err != nil {
			return err
		}
		const newest = `(SELECT max(number) FROM rounds WHERE session = ?1)`
		if concluded {
			_, err = tx.ExecContext(ctx, `UPDATE sessions SET rounds = `+newest+` WHERE id = ?1`, session)
			if err = errors.Join(err, supersede(ctx, tx, session, s.now())); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `UPDATE rounds SET ended = NULL WHERE session = ?1 AND number = `+newest, session); err != nil {
			return err
		}
		return errors.Join(touch(ctx, tx, session, s.now()), refreshSummary(ctx, tx, session))
	})
}

// setWait stores from when a turn may begin again that was cut off.
func setWait(ctx context.Context, tx *sql.Tx, d debate.DueTurn) error {
	t := d.Turn
	missing := fmt.Errorf("ask %s again: it was not cut off: %w", debate.TurnID(t), debate.ErrNotReady)
	return execOne(ctx, tx, missing, `UPDATE turns SET due = ? WHERE session = ? AND round = ? AND step = ? AND agent = ? AND attempt = ?
		AND state = 'interrupted'`, timestamp(d.At), t.Session, t.Round, t.Step, t.Agent, t.Attempt)
}

// insertDue stores a turn that is due.
func insertDue(ctx context.Context, tx *sql.Tx, d debate.DueTurn) error {
	t := d.Turn
	exists := fmt.Errorf("ask %s again: it was asked: %w", debate.TurnID(t), debate.ErrNotReady)
	return execOne(ctx, tx, exists, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot,
		state, saw, due) VALUES (?, ?, ?, ?, ?, ?, '', '', '', 'due', 'null', ?)`+overDue,
		t.Session, t.Round, t.Step, t.Agent, t.Attempt, debate.ForMember, timestamp(d.At))
}

// insertSkipped stores a turn that the user cancelled before it began.
func insertSkipped(ctx context.Context, tx *sql.Tx, r debate.Response) error {
	if err := mayBegin(ctx, tx, r.Turn); err != nil {
		return err
	}
	t := r.Turn
	begun := fmt.Errorf("skip %s: it has begun: %w", r.ID(), debate.ErrNotReady)
	return execOne(ctx, tx, begun, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot,
		state, ended, saw, failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, 'null', ?)`+overDue,
		t.Session, t.Round, t.Step, t.Agent, t.Attempt, debate.ForMember, r.Role, r.Phase, r.State,
		timestamp(r.Ended), jsonColumn{r.Failure})
}

// loadDue adds the turns that are due to their rounds, by step, seat and attempt.
func loadDue(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	due, err := rowsOf(ctx, tx, func(row *sql.Rows) (debate.DueTurn, error) {
		var t debate.DueTurn
		t.Turn.Session = d.ID
		return t, row.Scan(&t.Turn.Round, &t.Turn.Step, &t.Turn.Agent, &t.Turn.Attempt, timeColumn{&t.At})
	}, `SELECT round, step, agent, attempt, due FROM turns WHERE session = ? AND state = 'due' ORDER BY id`, d.ID)
	for _, t := range due {
		if n := t.Turn.Round; n >= 1 && n <= len(d.History) {
			d.History[n-1].Due = append(d.History[n-1].Due, t)
		}
	}
	return err
}
