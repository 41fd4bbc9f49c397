package store

import (
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

// write runs fn in a transaction that is on disk when it returns. Point names the
// transaction for crash tests. A context that is cancelled before the transaction
// begins stops it; one that is cancelled later does not, so that the error says
// whether it was committed.
func (s *Store) write(ctx context.Context, point string, fn func(ctx context.Context, tx *sql.Tx) error) (err error) {
	if s.writer == nil {
		return &SaveError{Folder: s.file.dir(), Cause: s.readonly}
	}
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return s.file.describe(err)
	}
	defer func() {
		if back := conn.Close(); err == nil {
			err = back
		}
	}()
	tx, err := begin(ctx, conn)
	if err != nil {
		return s.file.describe(err)
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := fn(context.WithoutCancel(ctx), tx); err != nil {
		return s.file.describe(err)
	}
	crashAt(point, "before")
	if err := s.file.check(); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return s.file.describe(err)
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

// begin begins a transaction with the write lock.
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

// read runs fn in a transaction that sees one state of the database.
func (s *Store) read(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	tx, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return s.file.describe(err)
	}
	defer tx.Rollback() // nothing was written
	return s.file.describe(fn(ctx, tx))
}

// update runs fn as write does and returns its result if it was committed.
func update[T any](ctx context.Context, s *Store, point string, fn func(ctx context.Context, tx *sql.Tx) (T, error)) (T, error) {
	var out, none T
	err := s.write(ctx, point, func(ctx context.Context, tx *sql.Tx) (err error) {
		out, err = fn(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

// view runs fn as read does and returns its result.
func view[T any](ctx context.Context, s *Store, fn func(ctx context.Context, tx *sql.Tx) (T, error)) (T, error) {
	var out, none T
	err := s.read(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		out, err = fn(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

// execOne executes a statement that must change exactly one row, and returns missing
// if it does not.
func execOne(ctx context.Context, tx *sql.Tx, missing error, query string, args ...any) error {
	res, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n != 1 {
		err = missing
	}
	return err
}

func forEach(ctx context.Context, tx *sql.Tx, fn func(row *sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return fmt.Errorf("read a row: %w", err)
		}
	}
	return rows.Err()
}

func rowsOf[T any](ctx context.Context, tx *sql.Tx, scan func(row *sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	var out []T
	err := forEach(ctx, tx, func(row *sql.Rows) error {
		v, err := scan(row)
		out = append(out, v)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func column[T any](row *sql.Rows) (v T, err error) {
	err = row.Scan(&v)
	return v, err
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
	switch src := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(src), d.v)
	case []byte:
		return json.Unmarshal(src, d.v)
	default:
		return fmt.Errorf("a document cannot be read from %T", src)
	}
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
	switch src := src.(type) {
	case nil:
		*m.t = time.Time{}
	case int64:
		*m.t = time.Unix(0, src).UTC()
	default:
		return fmt.Errorf("a time cannot be read from %T", src)
	}
	return nil
}
