package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// migrate brings a database from a version to the latest in one transaction, so that it
// is of one or the other whenever the program ends.
func migrate(ctx context.Context, db *sql.DB, from int, sch schema) error {
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
	for v := from; v < sch.latest(); v++ {
		crashAt("migration", "before")
		if _, err := tx.ExecContext(ctx, sch[v]); err != nil {
			return fmt.Errorf("bring the database to schema %d: %w", v+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", sch.latest())); err != nil {
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
	const again = "Then open it again."
	if !s.marker.alone {
		return s.file.refuse("an older Roundtable has it open; quit that one first", again, nil)
	}
	kept, err := s.makeBackup(ctx)
	if err != nil {
		cause := err.Error()
		if save := (*SaveError)(nil); errors.As(err, &save) {
			cause = save.Cause
		}
		return s.file.refuse("it could not be backed up before the upgrade: "+cause,
			"Make room in "+s.file.dir()+", then open it again.", err)
	}
	if err := migrate(ctx, s.writer, s.version, s.schema); err != nil {
		return s.file.refuse("it could not be upgraded ("+s.file.describe(err).Error()+")", again, err)
	}
	s.notices = append(s.notices, fmt.Sprintf("The database was upgraded. The old one is kept as %s; "+
		"to go back to it, open it with the older Roundtable and --db.", kept))
	if err := s.removeBackups(backupsKept); err != nil {
		s.notices = append(s.notices, "An old backup could not be removed: "+systemReason(err)+".")
	}
	return nil
}

const backupsKept = 2

// makeBackup copies the database to a backup in the same folder and returns its path. The
// backup has its name only once it is complete; what an earlier attempt left is removed.
func (s opener) makeBackup(ctx context.Context) (path string, err error) {
	temp := filepath.Join(s.file.dir(), "."+filepath.Base(s.file.path)+".backup")
	if err := s.options.Files.Remove(temp); err != nil {
		return "", err
	}
	if err := s.SaveCopy(ctx, temp); err != nil {
		return "", err
	}
	path = fmt.Sprintf("%s.schema-%d.%s.backup", s.file.path, s.version, s.now().Format("20060102-150405"))
	crashAt("backup-name", "before")
	if err := s.options.Files.Rename(temp, path); err != nil {
		return "", err
	}
	crashAt("backup-name", "after")
	return path, nil
}

// removeBackups removes all backups but the newest ones.
func (s *Store) removeBackups(kept int) error {
	entries, err := os.ReadDir(s.file.dir())
	if err != nil {
		return err
	}
	var backups []string // from the time on, which sorts them
	names := map[string]string{}
	for _, e := range entries {
		name := e.Name()
		version, ok := strings.CutPrefix(name, filepath.Base(s.file.path)+".schema-")
		_, made, dated := strings.Cut(version, ".")
		if ok && dated && strings.HasSuffix(made, ".backup") {
			made += version
			backups, names[made] = append(backups, made), name
		}
	}
	slices.Sort(backups)
	for _, made := range backups[:max(0, len(backups)-kept)] {
		if err := s.options.Files.Remove(filepath.Join(s.file.dir(), names[made])); err != nil {
			return err
		}
	}
	return nil
}
