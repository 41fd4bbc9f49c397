package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Latest returns the version of the built-in schema.
func Latest() int { return builtin().latest() }

// MakeOlder makes a database as the version of the program did that knew so many
// migrations only.
func MakeOlder(ctx context.Context, path string, version int) error {
	sch := builtin()
	db := pool(path, 1, map[string]string{"_txlock": "immediate"})
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	if err == nil {
		err = migrate(ctx, db, 0, sch[:version])
	}
	return errors.Join(err, db.Close())
}

// SchemaOf returns the version of the schema of a file.
func SchemaOf(ctx context.Context, path string) (int, error) {
	return databaseFile{path: path}.inspect(ctx, builtin())
}

// OpenLater opens a database as a later version of the program would, which has
// one more migration.
func OpenLater(ctx context.Context, path string, o Options, step string) (*Store, error) {
	return open(ctx, path, o.withDefaults(), append(builtin(), step))
}

// Check looks for damage, which is returned as a *DamagedError.
func Check(ctx context.Context, s *Store) error { return quickCheck(ctx, s.reader, s.file.path) }

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

// Rows counts the rows of each table.
func Rows(ctx context.Context, s *Store) map[string]int {
	out := map[string]int{}
	for _, table := range []string{
		"sessions", "rounds", "turns", "calls", "passages", "tool_calls", "partials", "context_events",
		"context_drafts", "verdicts", "notices", "texts", "digests", "interjections", "new_debate", "parts",
		"evidence", "evidence_texts",
	} {
		n := -1
		if err := s.reader.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			n = -1
		}
		out[table] = n
	}
	return out
}

// LimitPages bounds the size of the database, as a full disk would.
func LimitPages(ctx context.Context, s *Store, n int) error {
	_, err := s.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", n))
	return err
}
