package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// schema is the history of the tables: steps[0] makes version 1 of an empty
// file, steps[1] makes version 2 of that, and so on. hashes are those of what
// each version comes to.
type schema struct {
	steps  []string
	hashes []string
}

func (s schema) latest() int { return len(s.steps) }

// builtinHashes must follow the migrations; a test says what they have to be.
var builtinHashes = []string{
	"aa943ab713bd339d07be7562ac3864444bc83b2e9db14baee902b0a9c85ec0f0",
	"a54462c651dbc1d0ca92e941cdc4044beb7830916ecc84b03111602061534f35",
	"390e3fcc9167ff438f64fe266d344ed7e2de1e0b7c51278f6a7a9f60f1972bbb",
	"35662690d9050d4a468348da1a503bef4288f4946bb32f42610d48968781159e",
}

// builtin returns the schema of this version of the program.
func builtin() schema {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		panic(err) // the pattern is a constant
	}
	sch := schema{hashes: builtinHashes}
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		sch.steps = append(sch.steps, string(text))
	}
	return sch
}

// schemaHash identifies all tables, indexes, triggers and views of a database.
func schemaHash(ctx context.Context, db *sql.DB) (string, error) {
	rows, err := db.QueryContext(ctx, `SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema
		WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name`)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	sum := sha256.New()
	for rows.Next() {
		var kind, name, table, text string
		if err := rows.Scan(&kind, &name, &table, &text); err != nil {
			return "", err
		}
		sum.Write(fmt.Appendf(nil, "%q %q %q %q\n", kind, name, table, text))
	}
	return hex.EncodeToString(sum.Sum(nil)), rows.Err()
}

// migrate takes a database from a version to the newest, each step in one
// transaction with its number.
func migrate(ctx context.Context, db *sql.DB, version int, sch schema) error {
	for v := version; v < sch.latest(); v++ {
		if err := migrateOne(ctx, db, v, sch.steps[v]); err != nil {
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
		return fmt.Errorf("it has schema %d, not %d, by now", version, from)
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

// upgrade brings an older file up to date, after a copy of it has been made.
func (s *Store) upgrade(ctx context.Context, version int, sch schema) error {
	if version == sch.latest() {
		return nil
	}
	refuse := func(cause string, err error) error {
		return &OpenError{Path: s.path, Cause: cause, Remedy: "Then open it again.", Err: err}
	}
	if !s.alone {
		return refuse("an older Roundtable has it open; quit that first", nil)
	}
	copied, err := s.backup(ctx, version)
	if err != nil {
		return refuse("it could not be copied before bringing it up to date ("+s.explain(err).Error()+"); make room for a copy", err)
	}
	if err := migrate(ctx, s.writer, version, sch); err != nil {
		return refuse("it could not be brought up to date ("+s.explain(err).Error()+")", err)
	}
	s.notices = append(s.notices, fmt.Sprintf("The database was brought up to date. A copy of it as it was is %s.", copied))
	return s.verify(ctx, s.writer, sch.latest(), sch)
}

// backup writes a whole copy of the database beside it.
func (s *Store) backup(ctx context.Context, version int) (string, error) {
	name := fmt.Sprintf("%s.schema-%d.%s.backup", s.path, version, s.now().Format("20060102-150405"))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := s.writer.ExecContext(ctx, "VACUUM INTO ?", name); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return name, errors.Join(f.Sync(), syncFolder(s.dir()))
}
