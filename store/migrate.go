package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// schema is the list of migrations: the first makes version 1 of an empty
// database, the second makes version 2 of that, and so on.
type schema []string

func (s schema) latest() int { return len(s) }

// builtin returns the schema of this version of the program.
func builtin() schema {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var sch schema
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		sch = append(sch, string(text))
	}
	return sch
}

// migrate brings a database from a version to the latest. Each migration and the
// number of its version are written in one transaction.
func migrate(ctx context.Context, db *sql.DB, version int, sch schema) error {
	for v := version; v < sch.latest(); v++ {
		if err := migrateOne(ctx, db, v, sch[v]); err != nil {
			return fmt.Errorf("bring the database to schema %d: %w", v+1, err)
		}
	}
	return nil
}

func migrateOne(ctx context.Context, db *sql.DB, from int, step string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version != from {
		return fmt.Errorf("it now has schema %d, not %d", version, from)
	}
	if _, err := tx.ExecContext(ctx, step); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", from+1)); err != nil {
		return err
	}
	crashAt("migrate", "before")
	if err := tx.Commit(); err != nil {
		return err
	}
	crashAt("migrate", "after")
	return nil
}

// upgrade makes a backup of an older database and migrates it.
func (s opener) upgrade(ctx context.Context) error {
	if s.version == s.schema.latest() {
		return nil
	}
	refuse := func(cause string, err error) error {
		return &OpenError{Path: s.file.path, Cause: cause, Remedy: "Then open it again.", Err: err}
	}
	if !s.alone {
		return refuse("an older Roundtable has it open; quit that one first", nil)
	}
	copied := fmt.Sprintf("%s.schema-%d.%s.backup", s.file.path, s.version, s.now().Format("20060102-150405"))
	if err := copyTo(ctx, s.writer, copied, s.options.room); err != nil {
		cause := err.Error()
		if save := (*SaveError)(nil); errors.As(err, &save) {
			cause = save.Cause
		}
		return &OpenError{
			Path: s.file.path, Cause: "it could not be backed up before the upgrade: " + cause,
			Remedy: "Make room in " + s.file.dir() + ", then open it again.", Err: err,
		}
	}
	if err := migrate(ctx, s.writer, s.version, s.schema); err != nil {
		return refuse("it could not be upgraded ("+s.file.describe(err).Error()+")", err)
	}
	s.notices = append(s.notices, fmt.Sprintf("The database was upgraded. A backup of the old one is %s.", copied))
	return nil
}
