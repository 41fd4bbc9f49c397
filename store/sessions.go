package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// Create stores a new session and returns it as it was stored. It sets the id, nonce
// and times that are missing, gives evidence the ids F1, F2 and so on, and ignores
// history, requests and verdict. A session
// without a kind of question has that of its mode, or an open question.
func (s *Store) Create(ctx context.Context, d debate.Session) (debate.Session, error) {
	return update(ctx, s, "create", func(ctx context.Context, tx *sql.Tx) (debate.Session, error) {
		if err := s.options.assignID(ctx, tx, &d); err != nil {
			return d, err
		}
		d.Question = cmp.Or(d.Question, d.Mode.Question, debate.QuestionOpen)
		if err := insertSession(ctx, tx, d); err != nil {
			return d, fmt.Errorf("write session %s: %w", d.ID, err)
		}
		if err := storeEvidence(ctx, tx, d.ID, nil, d.Evidence, d.Created); err != nil {
			return d, err
		}
		return s.turns.load(ctx, tx, d.ID)
	})
}

// assignID sets what a new session does not have yet: nonce, times and a unique id.
func (o Options) assignID(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	if d.Nonce == "" {
		d.Nonce = o.NewNonce()
	}
	if d.Created.IsZero() {
		d.Created = o.now()
	}
	if d.Updated.IsZero() {
		d.Updated = d.Created
	}
	if d.ID != "" {
		return checkID(d.ID)
	}
	for range 10 { // Options.NewID may repeat itself
		d.ID = o.NewID()
		var taken bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)`, d.ID).Scan(&taken)
		if err != nil || !taken {
			return err
		}
	}
	return fmt.Errorf("create a session id: %s is taken", d.ID)
}

func insertSession(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, created, updated, mode_name, rounds, stopped, title, topic, question, outline,
		forked_from, fork_round, fork_changes, config_hash, nonce, caps, budget, endings, fit, seats, chair, light, mode, workspace,
		imported)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, timestamp(d.Created), timestamp(d.Updated), d.Mode.Name, d.Rounds, d.Stopped, d.Title, d.Topic, d.Question,
		jsonColumn{withoutPersonas(d.Seats)},
		d.ForkedFrom, d.ForkRound, jsonColumn{d.ForkChanges}, d.ConfigHash, d.Nonce, jsonColumn{d.Caps}, jsonColumn{d.Budget},
		jsonColumn{d.EndConditions},
		jsonColumn{d.Fit}, jsonColumn{d.Seats}, jsonColumn{d.Chair}, jsonColumn{d.Light}, jsonColumn{d.Mode}, jsonColumn{d.Workspace},
		jsonColumn{d.Imported})
	if err != nil {
		return err
	}
	if err := addSearchText(ctx, tx, searchText{Session: d.ID, Kind: InTopic, Text: d.Topic}); err != nil || d.Title == "" {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: d.ID, Kind: InTitle, Text: d.Title})
}

// withoutPersonas returns the seats for summaries, which do not show personas.
func withoutPersonas(seats []agents.Profile) []agents.Profile {
	out := make([]agents.Profile, len(seats))
	for i, p := range seats {
		p.Persona = ""
		out[i] = p
	}
	return out
}

// Session returns a session by its id or a unique prefix of it. Turns that no
// process runs any more are shown as interrupted; nothing is written.
func (s *Store) Session(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	return s.session(ctx, idOrPrefix, s.turns.loadTurns)
}

// session returns a session with the turns that a loader returns.
func (s *Store) session(ctx context.Context, idOrPrefix string, turns turnsLoader) (debate.Session, error) {
	var d debate.Session
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id, err := resolve(ctx, tx, idOrPrefix)
		if err != nil {
			return err
		}
		d, err = s.turns.loadWith(ctx, tx, id, turns)
		if err != nil || !running(d) {
			return err
		}
		if _, held := s.Held(id); !held {
			d, err = showInterrupted(ctx, tx, d)
		}
		return err
	})
	return d, err
}

// Rename sets the title of a session, whose lock the caller holds. With an empty title
// its topic is shown.
func (s *Store) Rename(ctx context.Context, session, title string) error {
	title = strings.TrimSpace(title)
	return s.write(ctx, "rename", func(ctx context.Context, tx *sql.Tx) error {
		err := execOne(ctx, tx, sessionNotFound(session), `UPDATE sessions SET title = ?, updated = ? WHERE id = ? AND deleted IS NULL`,
			title, timestamp(s.now()), session)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind = ?`, session, InTitle); err != nil || title == "" {
			return err
		}
		return addSearchText(ctx, tx, searchText{Session: session, Kind: InTitle, Text: title})
	})
}

// Delete hides a session, whose lock the caller holds. Undelete restores it until it is
// purged.
func (s *Store) Delete(ctx context.Context, session string) error {
	return s.write(ctx, "delete", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(ctx, tx, sessionNotFound(session), `UPDATE sessions SET deleted = ? WHERE id = ? AND deleted IS NULL`,
			timestamp(s.now()), session)
	})
}

// Undelete restores a deleted session.
func (s *Store) Undelete(ctx context.Context, session string) error {
	return s.write(ctx, "undelete", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(
			ctx,
			tx,
			sessionNotFound(session),
			`UPDATE sessions SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL`,
			session,
		)
	})
}

// Purge removes the sessions that were deleted before this store was opened. It
// removes nothing if another process has the database open, since that may still
// restore them, and no session that is locked, since it may be under way.
func (s *Store) Purge(ctx context.Context) error {
	if !s.alone || s.writer == nil {
		return nil
	}
	return s.write(ctx, "purge", func(ctx context.Context, tx *sql.Tx) error {
		ids, err := rowsOf(ctx, tx, func(row *sql.Rows) (id string, err error) {
			err = row.Scan(&id)
			return id, err
		}, `SELECT id FROM sessions WHERE deleted < ?`, timestamp(s.opened))
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool {
			_, held := s.Held(id)
			return held
		})
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE id = ?`, id); err != nil {
				return err
			}
		}
		if len(ids) == 0 {
			return nil
		}
		if err := deleteUnusedParts(ctx, tx); err != nil {
			return err
		}
		return deleteUnusedEvidence(ctx, tx)
	})
}

// touch sets the time of the last change of a session.
func touch(ctx context.Context, tx *sql.Tx, session string, at time.Time) error {
	return execOne(ctx, tx, sessionNotFound(session), `UPDATE sessions SET updated = max(updated, ?) WHERE id = ? AND deleted IS NULL`,
		timestamp(at), session)
}
