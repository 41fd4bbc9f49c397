package store

import (
	"context"
	"database/sql"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Interject stores a message of the user to one agent, or to all if to is "". Rounds
// that begin later have it in their manifests until it was delivered.
func (s *Store) Interject(ctx context.Context, session string, to agents.ID, text string) (debate.Interjection, error) {
	return update(ctx, s, "interject", func(ctx context.Context, tx *sql.Tx) (debate.Interjection, error) {
		out := debate.Interjection{Agent: to, At: s.now()}
		if err := touch(ctx, tx, session, s.now()); err != nil {
			return out, err
		}
		d := debate.Session{ID: session}
		var n int
		err := tx.QueryRowContext(ctx, `SELECT seats, (SELECT coalesce(max(n), 0) FROM interjections WHERE session = id) FROM sessions
			WHERE id = ?`, session).Scan(jsonColumn{&d.Seats}, &n)
		if err != nil {
			return out, err
		}
		if out.Text, err = d.CheckInterjection(to, text); err != nil {
			return out, err
		}
		out.N = n + 1
		return out, insertInterjection(ctx, tx, session, out)
	})
}

func insertInterjection(ctx context.Context, tx *sql.Tx, session string, i debate.Interjection) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO interjections (session, n, agent, at, text) VALUES (?, ?, ?, ?, ?)`, session, i.N,
		i.Agent, timestamp(i.At), i.Text)
	return err
}

func loadInterjections(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	var err error
	d.Interjections, err = rowsOf(ctx, tx, func(row *sql.Rows) (debate.Interjection, error) {
		var i debate.Interjection
		return i, row.Scan(&i.N, &i.Agent, timeColumn{&i.At}, &i.Text)
	}, `SELECT n, agent, at, text FROM interjections WHERE session = ? ORDER BY n`, d.ID)
	return err
}

// forkInterjections copies the interjections that were delivered in the first rounds
// of a session.
func forkInterjections(ctx context.Context, tx *sql.Tx, parent debate.Session, to string, round int) error {
	told := map[int]bool{}
	for _, r := range parent.History[:round] {
		for _, note := range r.Manifest.Interjections {
			told[note.N] = true
		}
	}
	kept := slices.DeleteFunc(slices.Clone(parent.Interjections), func(i debate.Interjection) bool { return !told[i.N] })
	for _, i := range kept {
		if err := insertInterjection(ctx, tx, to, i); err != nil {
			return err
		}
	}
	return nil
}
