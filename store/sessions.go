package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// Create writes a new session and returns it as it stands. An empty id, nonce
// or time is filled in; history, requests and verdict are not part of it.
func (s *Store) Create(ctx context.Context, d debate.Session) (debate.Session, error) {
	var out debate.Session
	err := s.write(ctx, "create", func(ctx context.Context, tx *sql.Tx) error {
		if err := s.prepare(ctx, tx, &d); err != nil {
			return err
		}
		if err := insertSession(ctx, tx, d); err != nil {
			return fmt.Errorf("write session %s: %w", d.ID, err)
		}
		var err error
		out, err = load(ctx, tx, d.ID)
		return err
	})
	if err != nil {
		return debate.Session{}, err // what was not committed is not handed out
	}
	return out, nil
}

// prepare gives a new session what makes it one of its own.
func (s *Store) prepare(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	if d.Nonce == "" {
		d.Nonce = s.options.NewNonce()
	}
	if d.Created.IsZero() {
		d.Created = s.now()
	}
	if d.Updated.IsZero() {
		d.Updated = d.Created
	}
	if d.ID != "" {
		return checkID(d.ID)
	}
	for range 10 { // a generator that repeats itself ends
		d.ID = s.options.NewID()
		var taken bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?)`, d.ID).Scan(&taken)
		if err != nil || !taken {
			return err
		}
	}
	return fmt.Errorf("make a session id: %s is taken, again and again", d.ID)
}

func insertSession(ctx context.Context, tx *sql.Tx, d debate.Session) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, created, updated, mode_name, rounds, stopped, title, topic, outline,
		forked_from, fork_round, config_hash, nonce, caps, budget, endings, fit, seats, chair, light, mode)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, stamp(d.Created), stamp(d.Updated), d.Mode.Name, d.Rounds, d.Stopped, d.Title, d.Topic, document{outlineOf(d.Seats)},
		d.ForkedFrom, d.ForkRound, d.ConfigHash, d.Nonce, document{d.Caps}, document{d.Budget}, document{d.EndConditions}, document{d.Fit}, document{d.Seats}, document{d.Chair}, document{d.Light}, document{d.Mode})
	if err != nil {
		return err
	}
	if err := index(ctx, tx, entry{Session: d.ID, Kind: InTopic, Text: d.Topic}); err != nil || d.Title == "" {
		return err
	}
	return index(ctx, tx, entry{Session: d.ID, Kind: InTitle, Text: d.Title})
}

// outlineOf returns the seats as lists need them: personas can be long.
func outlineOf(seats []agents.Profile) []agents.Profile {
	out := make([]agents.Profile, len(seats))
	for i, p := range seats {
		p.Persona = ""
		out[i] = p
	}
	return out
}

// Session returns a session by its id, or by a prefix that is like no other.
// Turns that nobody is playing any more are shown as interrupted; nothing is written.
func (s *Store) Session(ctx context.Context, idOrPrefix string) (debate.Session, error) {
	var d debate.Session
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id, err := resolve(ctx, tx, idOrPrefix)
		if err != nil {
			return err
		}
		d, err = load(ctx, tx, id)
		if err != nil || !running(d) {
			return err
		}
		if _, held := s.Held(id); !held {
			d, err = cutOff(ctx, tx, d)
		}
		return err
	})
	return d, err
}

// Rename gives a session a title; an empty one shows the topic again.
func (s *Store) Rename(ctx context.Context, session, title string) error {
	title = strings.TrimSpace(title)
	return s.write(ctx, "rename", func(ctx context.Context, tx *sql.Tx) error {
		err := execOne(ctx, tx, noSession(session), `UPDATE sessions SET title = ?, updated = ? WHERE id = ? AND deleted IS NULL`, title, stamp(s.now()), session)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM texts WHERE session = ? AND kind = ?`, session, InTitle); err != nil || title == "" {
			return err
		}
		return index(ctx, tx, entry{Session: session, Kind: InTitle, Text: title})
	})
}

// Delete hides a session at once. It can be brought back until it is purged.
func (s *Store) Delete(ctx context.Context, session string) error {
	return s.write(ctx, "delete", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(ctx, tx, noSession(session), `UPDATE sessions SET deleted = ? WHERE id = ? AND deleted IS NULL`, stamp(s.now()), session)
	})
}

// Undelete brings a session back that was deleted and not yet purged.
func (s *Store) Undelete(ctx context.Context, session string) error {
	return s.write(ctx, "undelete", func(ctx context.Context, tx *sql.Tx) error {
		return execOne(ctx, tx, noSession(session), `UPDATE sessions SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL`, session)
	})
}

// Purge removes the sessions that were deleted before this store was opened. While
// another process has the database open it removes nothing: the deleting may
// still be undone there.
func (s *Store) Purge(ctx context.Context) error {
	if !s.alone || s.writer == nil {
		return nil
	}
	return s.write(ctx, "purge", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE deleted < ?`, stamp(s.opened))
		return err
	})
}

// touch says that a session has changed now.
func (s *Store) touch(ctx context.Context, tx *sql.Tx, session string) error {
	return execOne(ctx, tx, noSession(session), `UPDATE sessions SET updated = max(updated, ?) WHERE id = ? AND deleted IS NULL`, stamp(s.now()), session)
}
