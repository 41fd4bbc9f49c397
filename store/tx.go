package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// transaction is a transaction that keeps its first error. After that it executes nothing, what
// it reads is empty, and it cannot be committed.
type transaction struct {
	sql *sql.Tx
	err error
}

// failed makes the transaction fail if there is an error, and reports whether it has failed by now.
func (tx *transaction) failed(err error) bool {
	tx.err = cmp.Or(tx.err, err)
	return tx.err != nil
}

// exec executes a statement and returns how many rows it changed.
func (tx *transaction) exec(query string, args ...any) (n int64) {
	if tx.err != nil {
		return 0
	}
	res, err := tx.sql.Exec(query, args...)
	if err == nil {
		n, err = res.RowsAffected()
	}
	tx.failed(err)
	return n
}

// change executes a statement that must change exactly one row; if it does not, the transaction
// fails with missing.
func (tx *transaction) change(missing error, query string, args ...any) {
	if tx.exec(query, args...) != 1 {
		tx.failed(missing)
	}
}

func (tx *transaction) each(fn func(row *sql.Rows) error, query string, args ...any) {
	if tx.err != nil {
		return
	}
	rows, err := tx.sql.Query(query, args...)
	if tx.failed(err) {
		return
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			tx.failed(fmt.Errorf("read a row: %w", err))
			return
		}
	}
	tx.failed(rows.Err())
}

func rowsOf[T any](tx *transaction, scan func(row *sql.Rows) (T, error), query string, args ...any) []T {
	var out []T
	tx.each(func(row *sql.Rows) error {
		v, err := scan(row)
		out = append(out, v)
		return err
	}, query, args...)
	if tx.err != nil {
		return nil
	}
	return out
}

// one returns the first row, or the zero value if there is none.
func one[T any](tx *transaction, scan func(row *sql.Rows) (T, error), query string, args ...any) (v T) {
	if all := rowsOf(tx, scan, query, args...); len(all) > 0 {
		v = all[0]
	}
	return v
}

func column[T any](row *sql.Rows) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

func document[T any](row *sql.Rows) (v T, err error) {
	err = row.Scan(jsonColumn{&v})
	return v, err
}

// write runs fn in a transaction that is on disk when it returns. Point names the
// transaction for crash tests. A context that is cancelled before the transaction
// begins stops it; one that is cancelled later does not, so that the error says
// whether it was committed.
func (s *Store) write(ctx context.Context, point string, fn func(tx *transaction)) (err error) {
	if s.writer == nil {
		return &SaveError{Folder: s.file.dir(), Cause: s.readonly}
	}
	defer func() { err = s.file.describe(err) }()
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, conn.Close()) }()
	inner, err := begin(ctx, conn)
	if err != nil {
		return err
	}
	defer inner.Rollback() // after a commit it does nothing
	tx := &transaction{sql: inner}
	if fn(tx); tx.err != nil {
		return tx.err
	}
	crashAt(point, "before")
	if err := s.file.check(); err != nil {
		return err
	}
	if err := inner.Commit(); err != nil {
		return err
	}
	crashAt(point, "after")
	return nil
}

// How long a transaction waits for one of another process, and how often it tries.
// The busy handler of SQLite tries about ten times a second, which can starve a
// process while another one writes all the time.
const (
	writeTimeout = 30 * time.Second
	writeRetry   = time.Millisecond
)

func begin(ctx context.Context, conn *sql.Conn) (*sql.Tx, error) {
	done := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(done, "PRAGMA busy_timeout = 0"); err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(done, nil)
	for began := time.Now(); isBusy(err) && time.Since(began) < writeTimeout; {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(writeRetry):
		}
		tx, err = conn.BeginTx(done, nil)
	}
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(done, "PRAGMA busy_timeout = "+busyTimeout); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// update runs fn as write does and returns its result if it was committed.
func update[T any](ctx context.Context, s *Store, point string, fn func(tx *transaction) T) (out T, err error) {
	var done T
	if err = s.write(ctx, point, func(tx *transaction) { done = fn(tx) }); err == nil {
		out = done
	}
	return out, err
}

// view runs fn in a transaction that sees one state of the database, and returns its result.
func view[T any](ctx context.Context, s *Store, fn func(tx *transaction) T) (none T, err error) {
	inner, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return none, s.file.describe(err)
	}
	defer inner.Rollback() // nothing was written
	tx := &transaction{sql: inner}
	out := fn(tx)
	if tx.err != nil {
		return none, s.file.describe(cmp.Or(ctx.Err(), tx.err))
	}
	return out, nil
}

// jsonColumn reads or writes a column as JSON. V is the value to write or a pointer
// to read into; a nil pointer is NULL.
type jsonColumn struct{ v any }

// Value implements driver.Valuer.
func (d jsonColumn) Value() (driver.Value, error) {
	if v := reflect.ValueOf(d.v); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil
	}
	var out strings.Builder
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false) // as little as can be
	err := w.Encode(d.v)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// Scan implements sql.Scanner. NULL leaves the value unchanged.
func (d jsonColumn) Scan(src any) error {
	var text sql.NullString
	if err := text.Scan(src); err != nil || !text.Valid {
		return err
	}
	return json.Unmarshal([]byte(text.String), d.v)
}

// timestamp returns a time as nanoseconds since 1970, or NULL for the zero time.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

type timeColumn struct{ t *time.Time }

// Scan implements sql.Scanner. NULL is the zero time.
func (m timeColumn) Scan(src any) error {
	var at sql.NullInt64
	err := at.Scan(src)
	if *m.t = (time.Time{}); at.Valid {
		*m.t = time.Unix(0, at.Int64).UTC()
	}
	return err
}
