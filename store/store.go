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
	"path/filepath"
	"slices"
	"time"

	"roundtable/debate"
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
	flag     *openFlag // nil: read-only
	opened   time.Time
	alone    bool // when it was opened nobody else had it open
	damaged  bool
	readonly string // why nothing can be written; "" when it can
	notices  []string
}

var _ debate.Recorder = (*Store)(nil)

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
	if s.flag != nil {
		err = errors.Join(err, s.flag.lower(err == nil))
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
		o.network = isNetworkFolder
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
