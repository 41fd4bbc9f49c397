package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"roundtable/debate"
)

const (
	shortestPrefix = 4
	mostCandidates = 10
)

// Resolve returns the id of the session that begins with the given prefix of 4
// or more characters. Letters that look alike are taken for each other, as
// people read them off a screen. The error is a *NoSessionError or an *AmbiguousError.
func (s *Store) Resolve(ctx context.Context, prefix string) (string, error) {
	var id string
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var err error
		id, err = resolve(ctx, tx, prefix)
		return err
	})
	return id, err
}

// Last returns the session that was changed last.
func (s *Store) Last(ctx context.Context) (string, error) {
	var id string
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT id FROM sessions WHERE deleted IS NULL ORDER BY updated DESC, id LIMIT 1`).Scan(&id)
		if err == sql.ErrNoRows {
			return &NoSessionError{Text: "There is no debate yet. Start one with `roundtable new`."}
		}
		return err
	})
	return id, err
}

func resolve(ctx context.Context, tx *sql.Tx, typed string) (string, error) {
	prefix, err := readPrefix(typed)
	if err != nil {
		return "", err
	}
	found, err := rowsOf(ctx, tx, func(row *sql.Rows) (debate.SessionSummary, error) {
		var c debate.SessionSummary
		return c, row.Scan(&c.ID, &c.Title, &c.Topic)
	}, `SELECT id, title, topic FROM sessions WHERE id >= ? AND id < ? AND deleted IS NULL ORDER BY updated DESC, id`, prefix, prefix+"~")
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", noneLike(typed, prefix)
	case len(found) == 1:
		return found[0].ID, nil
	}
	shown := found[:min(len(found), mostCandidates)]
	return "", &AmbiguousError{Prefix: prefix, Candidates: shown, More: len(found) - len(shown)}
}

// readPrefix returns what was typed in the letters of an id, or why it is none.
func readPrefix(typed string) (string, error) {
	if len(typed) > 100 {
		return "", noID(typed[:100] + "…")
	}
	prefix := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(typed)))
	if len(prefix) > idLength || strings.Trim(prefix, alphabet) != "" {
		return "", noID(typed)
	}
	if len(prefix) < shortestPrefix {
		return "", &NoSessionError{ID: typed, Text: fmt.Sprintf("%q is too short for a session id. Type at least %d characters of it; `roundtable sessions` lists them.", typed, shortestPrefix)}
	}
	return prefix, nil
}

// checkID refuses what is not a whole id, before it becomes a part of a path.
func checkID(id string) error {
	prefix, err := readPrefix(id)
	if err == nil && (prefix != id || len(id) != idLength) {
		err = noID(id)
	}
	return err
}

func noID(typed string) error {
	return &NoSessionError{ID: typed, Text: fmt.Sprintf("%q is not a session id. Ids are %d letters and digits, such as k7m2x9qd4t; `roundtable sessions` lists them.", typed, idLength)}
}

// noneLike says that no session begins with what was typed, and how that was read.
func noneLike(typed, prefix string) error {
	if typed = strings.TrimSpace(typed); strings.ToLower(typed) == prefix {
		return noSession(prefix)
	}
	return &NoSessionError{ID: typed, Text: fmt.Sprintf("No session %q, read as %s: ids have 0 and 1, and no o, i or l. `roundtable sessions` lists them.", typed, prefix)}
}

func noSession(id string) error {
	return &NoSessionError{ID: id, Text: fmt.Sprintf("No session %q. `roundtable sessions` lists them.", id)}
}
