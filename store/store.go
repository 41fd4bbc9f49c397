// Package store keeps debates in one SQLite file. It implements engine.Recorder for
// the engine, and lists, opens, answers, forks and deletes debates for front ends.
//
// Each exported method is one transaction, which is on disk when the method returns.
// The package decides nothing about a debate: inside the transaction it asks debate
// and debate/ledger what to write. It knows no screen, no provider and no
// configuration, and is the only importer of go-sqlite3.
package store

import (
	"cmp"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"roundtable/debate"
	"roundtable/internal/file"
)

// Options configure a store. The zero value is ready to use.
type Options struct {
	Now      func() time.Time // nil: the system's clock
	NewID    func() string    // of a session; nil: random
	NewNonce func() string    // secret of a session's fences; nil: random
	Host     string           // that lock files name; "": the name of this one
	Door     string           // what this process is to others, see debate.Holder
	Files    file.System      // that everything but SQLite goes through

	// Line returns what lists show of a session with a verdict, and its cautions; nil: nothing.
	// It is asked when a verdict is stored, and when an answer changes one.
	Line func(debate.Session) (line string, side debate.Side, cautions []string)

	journal string // mode of the journal; "": WAL
}

// Store is an open database. Its methods are safe for concurrent use.
type Store struct {
	file     databaseFile
	options  Options
	holder   debate.Holder // of the locks of this process
	locks    sync.Map      // of this process, each a *lock by session
	writer   *sql.DB       // one connection; nil: read-only
	reader   *sql.DB
	turns    turnCache
	marker   *openMarker // nil: read-only
	opened   time.Time
	readonly string // see ReadOnly
	notices  []string
}

// Notices returns what the user should know about how the database was opened.
func (s *Store) Notices() []string { return slices.Clone(s.notices) }

// ReadOnly returns why nothing can be saved, or "" if it can.
func (s *Store) ReadOnly() string { return s.readonly }

// Close closes the database and unlocks its sessions.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	s.locks.Range(func(id, _ any) bool {
		errs = append(errs, s.Unlock(id.(string)))
		return true
	})
	err := errors.Join(errs...)
	if s.marker != nil {
		err = errors.Join(err, s.marker.lock.Unlock())
	}
	return err
}

// now returns the time as it is stored.
func (s *Store) now() time.Time { return s.options.Now().UTC().Round(0) }

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
	o.journal = cmp.Or(o.journal, "WAL")
	return o
}

// alphabet is that of Crockford's base 32 in lower case, which has no i, l, o and u.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength gives ids 50 random bits: short enough to type, long enough to be unique.
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
