package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"roundtable/debate"
)

const (
	minPrefix     = 4
	maxCandidates = 10
)

// Resolve returns the session id that has the given prefix of at least 4 characters.
// The letters o, i and l are read as 0, 1 and 1. The error is a *NoSessionError or
// an *AmbiguousError.
func (s *Store) Resolve(ctx context.Context, prefix string) (string, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (string, error) { return resolve(ctx, tx, prefix) })
}

// Last returns the id of the session that changed last.
func (s *Store) Last(ctx context.Context) (string, error) {
	return view(ctx, s, func(ctx context.Context, tx *sql.Tx) (id string, err error) {
		err = tx.QueryRowContext(ctx, `SELECT id FROM sessions WHERE deleted IS NULL ORDER BY updated DESC, id LIMIT 1`).Scan(&id)
		if err == sql.ErrNoRows {
			err = &NoSessionError{Text: "There is no debate yet. Start one with `roundtable new`."}
		}
		return id, err
	})
}

func resolve(ctx context.Context, tx *sql.Tx, typed string) (string, error) {
	prefix, err := normalizePrefix(typed)
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
		return "", noMatch(typed, prefix)
	case len(found) == 1:
		return found[0].ID, nil
	}
	shown := found[:min(len(found), maxCandidates)]
	return "", &AmbiguousError{Prefix: prefix, Candidates: shown, More: len(found) - len(shown)}
}

// normalizePrefix returns a typed prefix in the alphabet of ids, or an error if it
// cannot be one.
func normalizePrefix(typed string) (string, error) {
	if len(typed) > 100 {
		return "", notAnID(typed[:100] + "…")
	}
	prefix := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(typed)))
	if len(prefix) > idLength || strings.Trim(prefix, alphabet) != "" {
		return "", notAnID(typed)
	}
	if len(prefix) < minPrefix {
		return "", &NoSessionError{
			ID: typed,
			Text: fmt.Sprintf(
				"%q is too short for a session id. Type at least %d characters of it; `roundtable sessions` lists them.",
				typed,
				minPrefix,
			),
		}
	}
	return prefix, nil
}

// checkID returns an error unless id is a whole id. It guards ids that become file
// names.
func checkID(id string) error {
	prefix, err := normalizePrefix(id)
	if err == nil && (prefix != id || len(id) != idLength) {
		err = notAnID(id)
	}
	return err
}

func notAnID(typed string) error {
	return &NoSessionError{
		ID: typed,
		Text: fmt.Sprintf("%q is not a session id. Ids are %d letters and digits, such as k7m2x9qd4t; `roundtable sessions` lists them.",
			typed, idLength),
	}
}

// noMatch reports that no session has a prefix, and how the prefix was read.
func noMatch(typed, prefix string) error {
	if typed = strings.TrimSpace(typed); strings.ToLower(typed) == prefix {
		return sessionNotFound(prefix)
	}
	return &NoSessionError{
		ID: typed,
		Text: fmt.Sprintf(
			"No session %q, read as %s: ids have 0 and 1, and no o, i or l. `roundtable sessions` lists them.",
			typed,
			prefix,
		),
	}
}

func sessionNotFound(id string) error {
	return &NoSessionError{ID: id, Text: fmt.Sprintf("No session %q. `roundtable sessions` lists them.", id)}
}
