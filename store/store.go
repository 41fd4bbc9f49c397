// Package store keeps debates in one SQLite file: it is the debate.Recorder of
// the engine, and what front ends list, open, answer, fork and delete with.
//
// Each exported method is one transaction, on disk when it returns; helpers take
// the transaction. It imports debate, debate/ledger and agents for their values,
// and go-sqlite3, which nobody else imports. It takes no decision of a debate:
// the gate, the release and what becomes of a question are asked of debate and
// ledger inside the transaction that writes the result. It knows no screen, no
// provider and no configuration.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// Options are what a store is given besides its path. The zero value works.
type Options struct {
	Now      func() time.Time // nil: the system's clock
	NewID    func() string    // of a session; nil: random
	NewNonce func() string    // of a session's fences; nil: random

	network func(dir string) bool // whether a folder is on a network; nil: the system is asked
}

// Store is an open database. Its methods are safe for concurrent use.
type Store struct {
	path     string
	options  Options
	writer   *sql.DB // one connection; nil: read-only
	reader   *sql.DB
	mark     *openMark // nil: read-only
	opened   time.Time
	alone    bool // when it was opened nobody else had it open
	damaged  bool
	readonly string // why nothing can be written; "" when it can
	notices  []string
	typed    typed
}

// Notices returns what the user has to know about how the database was opened.
func (s *Store) Notices() []string { return slices.Clone(s.notices) }

// ReadOnly returns why nothing can be written; "" when it can.
func (s *Store) ReadOnly() string { return s.readonly }

// Path returns the file of the database.
func (s *Store) Path() string { return s.path }

// Damaged reports whether the check at opening found damage. What can be read
// is open; nothing is written.
func (s *Store) Damaged() bool { return s.damaged }

// Close closes the database. The store is of no use afterwards.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	err := errors.Join(errs...)
	if s.mark != nil {
		err = errors.Join(err, s.mark.close(err == nil))
	}
	return err
}

// Check looks for damage. The error, if any, is a *DamagedError.
func (s *Store) Check(ctx context.Context) error {
	return quickCheck(ctx, s.reader, s.path)
}

func (s *Store) dir() string { return filepath.Dir(s.path) }

func (s *Store) now() time.Time { return s.options.Now().UTC().Round(0) }

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = randomID
	}
	if o.NewNonce == nil {
		o.NewNonce = randomNonce
	}
	if o.network == nil {
		o.network = onNetwork
	}
	return o
}

// alphabet is Crockford's, in lower case: no i, l, o or u.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength makes 50 bits: few enough to type, too many to meet twice.
const idLength = 10

func randomID() string {
	raw := make([]byte, idLength)
	rand.Read(raw) // never fails
	for i, b := range raw {
		raw[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(raw)
}

func randomNonce() string {
	raw := make([]byte, 32)
	rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

// write runs fn in a transaction that is on disk when it returns. Point names it
// for tests that crash here. A context that ends before it begins stops it; one
// that ends later does not, so that the answer "saved" or "not saved" is true.
func (s *Store) write(ctx context.Context, point string, fn func(ctx context.Context, tx *sql.Tx) error) (err error) {
	if s.writer == nil {
		return &SaveError{Folder: s.dir(), Cause: s.readonly}
	}
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return s.explain(err)
	}
	defer func() {
		if back := conn.Close(); err == nil {
			err = back
		}
	}()
	tx, err := begin(ctx, conn)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := fn(context.WithoutCancel(ctx), tx); err != nil {
		return s.explain(err)
	}
	crashAt(point, "before")
	if err := tx.Commit(); err != nil {
		return s.explain(err)
	}
	crashAt(point, "after")
	return nil
}

// How long a transaction waits for the one of another process, and how often it
// looks. SQLite itself looks ten times a second: between the transactions of a
// busy process, which is then never over.
const (
	writePatience = 30 * time.Second
	writePause    = time.Millisecond
)

// begin takes the write lock.
func begin(ctx context.Context, conn *sql.Conn) (*sql.Tx, error) {
	done := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(done, "PRAGMA busy_timeout = 0"); err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(done, nil)
	for began := time.Now(); isBusy(err) && time.Since(began) < writePatience; {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(writePause):
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
		return s.explain(err)
	}
	defer tx.Rollback() // nothing was written
	return s.explain(fn(ctx, tx))
}

// execOne runs a statement that must change exactly one row; missing says what is
// wrong when there is none.
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

// rowsOf reads all rows of a query.
func rowsOf[T any](ctx context.Context, tx *sql.Tx, scan func(row *sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
