package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Latest is the version of the schema.
const Latest = schemaVersion

// SchemaOf returns the version of the schema of a file.
func SchemaOf(ctx context.Context, path string) (int, error) {
	f := databaseFile{path: path}
	return f.inspect(ctx, f.readOptions(false))
}

// Check looks for damage, which is returned as a *DamagedError.
func Check(ctx context.Context, s *Store) error {
	found, err := view(ctx, s, func(tx *transaction) string { return one(tx, column[string], "PRAGMA quick_check(1)") })
	if err == nil && found != "ok" {
		err = &DamagedError{errors.New(found)}
	}
	return err
}

// WithRollback returns options for a file system on which SQLite cannot have a write-ahead log.
func WithRollback(o Options) Options {
	o.journal = "DELETE"
	return o
}

// Pragma returns a setting of the writer's connection and of one reader's.
func Pragma(ctx context.Context, s *Store, name string) []string {
	got := make([]string, 2)
	for i, db := range []*sql.DB{s.writer, s.reader} {
		if err := db.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got[i]); err != nil {
			got[i] = err.Error()
		}
	}
	return got
}

// Rows counts the rows of each table, and the documents of each kind. It is nil if they cannot be read.
func Rows(ctx context.Context, s *Store) map[string]int {
	counts, _ := view(ctx, s, func(tx *transaction) map[string]int {
		out := map[string]int{}
		for _, table := range []string{
			"sessions", "rounds", "turns", "calls", "passages", "tool_calls", "partials", "context_events", "documents", "texts",
			"new_debate", "evidence_texts",
		} {
			out[table] = one(tx, column[int], "SELECT count(*) FROM "+table)
		}
		for _, kind := range rowsOf(tx, column[string], "SELECT kind FROM documents") {
			out[kind]++
		}
		return out
	})
	return counts
}

// LimitPages bounds the size of the database, as a full disk would.
func LimitPages(ctx context.Context, s *Store, n int) error {
	_, err := s.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", n))
	return err
}
