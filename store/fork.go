package store

import (
	"context"
	"database/sql"
	"slices"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Fork copies a session up to the end of a round into a new session, with what the plan
// changes, and returns it; round 0 keeps the panel alone. See debate.Session.Fork for
// what is copied and for its errors. Evidence is copied with its ids.
func (s *Store) Fork(ctx context.Context, idOrPrefix string, plan debate.ForkPlan) (debate.Session, error) {
	return update(ctx, s, "fork", func(ctx context.Context, tx *sql.Tx) (d debate.Session, err error) {
		id, err := resolve(ctx, tx, idOrPrefix)
		if err != nil {
			return d, err
		}
		parent, err := s.load(ctx, tx, id)
		if err != nil {
			return d, err
		}
		d, events, err := parent.Fork(plan)
		if err != nil {
			return d, err
		}
		if d, err = s.forkSession(ctx, tx, parent, d); err != nil {
			return d, err
		}
		if _, err := appendEvents(ctx, tx, s.now(), d.ID, ledger.Ledger{}, events); err != nil {
			return d, err
		}
		if err := refreshSummary(ctx, tx, d.ID); err != nil {
			return d, err
		}
		return s.load(ctx, tx, d.ID)
	})
}

// forkSession inserts the fork d and copies the rows of its rounds.
func (s *Store) forkSession(ctx context.Context, tx *sql.Tx, parent, d debate.Session) (debate.Session, error) {
	round := d.ForkRound
	if err := s.insertSession(ctx, tx, &d); err != nil {
		return d, err
	}
	for _, copying := range []string{
		`INSERT INTO rounds (session, number, hash, began, ended, manifest, consensus)
			SELECT ?1, number, hash, began, ended, manifest, consensus FROM rounds WHERE session = ?2 AND number <= ?3`,
		`INSERT INTO notices (session, at, code, agent, round, text)
			SELECT ?1, at, code, agent, round, text FROM notices WHERE session = ?2 AND round BETWEEN 1 AND ?3 ORDER BY id`,
		`INSERT INTO texts (session, kind, round, agent, request, body, folded)
			SELECT ?1, kind, round, agent, request, body, folded FROM texts
				WHERE session = ?2 AND (kind = 'statement' AND round <= ?3 OR kind = 'evidence') ORDER BY id`,
		`INSERT INTO digests (session, response, hash, model, version, round, from_size, to_size, at, text)
			SELECT ?1, response, hash, model, version, round, from_size, to_size, at, text FROM digests WHERE session = ?2 AND round <= ?3
				ORDER BY id`,
	} {
		if _, err := tx.ExecContext(ctx, copying, d.ID, parent.ID, round); err != nil {
			return d, err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO evidence (session, n, name, kind, size, hash, note, added, author)
		SELECT ?, n, name, kind, size, hash, note, added, author FROM evidence WHERE session = ? ORDER BY n`, d.ID, parent.ID)
	if err != nil {
		return d, err
	}
	for _, c := range d.SeatChanges {
		if c.At.IsZero() { // it came with the fork
			c.At = d.Created
		}
		if err := insertSeatChange(ctx, tx, d.ID, c); err != nil {
			return d, err
		}
	}
	if err := forkInterjections(ctx, tx, parent, d.ID, round); err != nil {
		return d, err
	}
	return d, forkTurns(ctx, tx, parent.ID, d.ID, round)
}

// forkInterjections copies the interjections that were delivered in the first rounds
// of a session.
func forkInterjections(ctx context.Context, tx *sql.Tx, parent debate.Session, to string, round int) error {
	delivered := map[int]bool{}
	for _, r := range parent.History[:round] {
		for _, note := range r.Manifest.Interjections {
			delivered[note.N] = true
		}
	}
	kept := slices.DeleteFunc(slices.Clone(parent.Interjections), func(i debate.Interjection) bool { return !delivered[i.N] })
	for _, i := range kept {
		if err := insertInterjection(ctx, tx, to, i); err != nil {
			return err
		}
	}
	return nil
}

// forkTurns copies the turns of members in the first rounds, with their passages,
// tool calls and calls.
func forkTurns(ctx context.Context, tx *sql.Tx, from, to string, round int) error {
	ids, err := rowsOf(ctx, tx, column[int64],
		`SELECT id FROM turns WHERE session = ? AND round <= ? AND step >= 0 ORDER BY id`, from, round)
	if err != nil {
		return err
	}
	calls := map[int64]int64{} // ids of copied calls by the ids of the originals
	for _, id := range ids {
		res, err := tx.ExecContext(ctx, `INSERT INTO turns (session, round, step, agent, attempt, purpose, role, phase, snapshot, state,
			began, ended, finish,
			input, output, reasoning, cached, estimated, cost, sent, saw, fitting, prompts, failure, statement, side,
			inherited)
			SELECT ?, round, step, agent, attempt, purpose, role, phase, snapshot, state, began, ended, finish,
			input, output, reasoning, cached, estimated, cost, sent, saw, fitting, prompts, failure, statement, side, 1 FROM turns
				WHERE id = ?`, to, id)
		if err != nil {
			return err
		}
		copied, err := res.LastInsertId()
		if err != nil {
			return err
		}
		for _, copying := range []string{
			`INSERT INTO passages (turn, n, partial, reasoning, text)
				SELECT ?, n, partial, reasoning, text FROM passages WHERE turn = ? ORDER BY n`,
			`INSERT INTO tool_calls (turn, id, passage, place, name, own, state, began, took, status, summary, args, result)
				SELECT ?, id, passage, place, name, own, state, began, took, status, summary, args, result FROM tool_calls WHERE turn = ?`,
		} {
			if _, err := tx.ExecContext(ctx, copying, copied, id); err != nil {
				return err
			}
		}
		if err := forkCalls(ctx, tx, id, copied, calls); err != nil {
			return err
		}
	}
	return nil
}

// forkCalls copies the calls of a turn and adds them to copies, which maps ids to
// those of the copies. A call continues one of the same member in this turn or an
// earlier one, so its copy is already there.
func forkCalls(ctx context.Context, tx *sql.Tx, from, to int64, copies map[int64]int64) error {
	type link struct {
		id        int64
		continues sql.NullInt64
	}
	links, err := rowsOf(ctx, tx, func(row *sql.Rows) (link, error) {
		var l link
		return l, row.Scan(&l.id, &l.continues)
	}, `SELECT id, continues FROM calls WHERE turn = ? ORDER BY id`, from)
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.continues.Valid {
			l.continues.Int64 = copies[l.continues.Int64]
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO calls (turn, n, purpose, state, tries, began, ended, finish,
			input, output, reasoning, cached, estimated, cost, hash, estimate, failure, patched, continues, shared, parts, mark, request)
			SELECT ?, n, purpose, state, tries, began, ended, finish,
			input, output, reasoning, cached, estimated, cost, hash, estimate, failure, patched, ?, shared, parts, mark, request FROM calls
				WHERE id = ?`, to, l.continues, l.id)
		if err != nil {
			return err
		}
		if copies[l.id], err = res.LastInsertId(); err != nil {
			return err
		}
	}
	return nil
}
