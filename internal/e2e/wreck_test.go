//go:build unix

package e2e_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // reads the file without the program's help

	"roundtable/internal/testing/must"
)

// wreck is the database as a crash has left it: a copy, so that looking at it
// changes nothing.
type wreck struct {
	*trial
	db *sql.DB
}

// open copies the database and opens it; nil if there is none yet.
func (tr *trial) open() *wreck {
	tr.Helper()
	dir := tr.TempDir()
	for _, tail := range []string{"", "-wal"} {
		raw, err := os.ReadFile(databaseOf(tr.env) + tail)
		switch {
		case errors.Is(err, fs.ErrNotExist) && tail == "":
			return nil
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			tr.Fatal(err)
		}
		must.Do(tr, os.WriteFile(filepath.Join(dir, "copy.db"+tail), raw, 0o600))
	}
	db := must.Get(sql.Open("sqlite3", "file:"+filepath.Join(dir, "copy.db")))(tr)
	tr.Cleanup(func() { db.Close() })
	return &wreck{tr, db}
}

// databaseOf returns the path of the database in an environment.
func databaseOf(env []string) string {
	return filepath.Join(variable(env, "XDG_DATA_HOME"), "roundtable", "roundtable.db")
}

// column returns the first column of a query's rows.
func (w *wreck) column(query string, args ...any) []string {
	w.Helper()
	rows, err := w.db.Query(query, args...)
	if err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var v sql.NullString
		if err := rows.Scan(&v); err != nil {
			w.Fatalf("%s: %v", query, err)
		}
		out = append(out, v.String)
	}
	if err := rows.Err(); err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	return out
}

// tables returns the names of all tables.
func (w *wreck) tables() []string {
	return w.column("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
}

// rows returns the rows of a table as text; of some columns only whether they have a value.
func (w *wreck) rows(table string, differ ...string) []string {
	w.Helper()
	var columns []string
	for _, name := range w.column("SELECT name FROM pragma_table_info(?)", table) {
		if slices.Contains(differ, name) {
			columns = append(columns, "iif("+name+" IS NULL, 'NULL', 'set')")
		} else {
			columns = append(columns, "quote("+name+")")
		}
	}
	return w.column("SELECT " + strings.Join(columns, " || ' ' || ") + " FROM " + table)
}

// inspect looks at the database right after a crash.
func (tr *trial) inspect() {
	tr.Helper()
	w := tr.open()
	first := tr.kills == 0
	tr.kills++
	tr.immediate.Store(true)
	if w == nil {
		if tr.before = len(tr.server.Requests("")); first && tr.before > 0 {
			tr.Error("requests were sent before there was a database")
		}
		return
	}
	if got := w.column("PRAGMA integrity_check"); !slices.Equal(got, []string{"ok"}) {
		tr.Errorf("integrity_check after the crash: %q", got)
	}
	if got := w.column("PRAGMA foreign_key_check"); len(got) > 0 {
		tr.Errorf("foreign_key_check after the crash: %q", got)
	}
	if first {
		tr.before = len(tr.server.Requests(""))
		tr.finished = w.column("SELECT agent || ' ' || round FROM turns WHERE state = 'done' AND step >= 0")
	}
}
