package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"roundtable/debate"
)

// SaveError says that something could not be written. Nothing of it was: what
// was saved before stands, and the same call may be tried again.
type SaveError struct {
	Folder string
	Cause  string // such as "the disk is full"
	Err    error
}

// Error returns a sentence for the user.
func (e *SaveError) Error() string { return fmt.Sprintf("Cannot save: %s (%s).", e.Cause, e.Folder) }

// Unwrap returns the underlying error.
func (e *SaveError) Unwrap() error { return e.Err }

// OpenError says why a database cannot be opened, and what to do. The file is
// as it was.
type OpenError struct {
	Path   string
	Cause  string
	Remedy string
	Err    error
}

// Error names the file, the cause and the next step.
func (e *OpenError) Error() string {
	return fmt.Sprintf("Cannot open %s: %s. Nothing was changed. %s", e.Path, e.Cause, e.Remedy)
}

// Unwrap returns the underlying error.
func (e *OpenError) Unwrap() error { return e.Err }

// NewerError refuses a database that a later version of the program has written.
// It is a debate.ErrNewer.
type NewerError struct {
	Path   string
	Schema int // of the file
	Mine   int // the newest that is known
}

// Error says which versions meet.
func (e *NewerError) Error() string {
	return fmt.Sprintf("Made by a newer Roundtable (schema %d, this is %d). Nothing was changed. Update Roundtable.", e.Schema, e.Mine)
}

// Unwrap returns debate.ErrNewer.
func (e *NewerError) Unwrap() error { return debate.ErrNewer }

// DamagedError says that a part of the database cannot be read.
type DamagedError struct {
	Path string
	Err  error
}

// Error says what can still be done.
func (e *DamagedError) Error() string {
	return "The database is damaged. What can be read is open; `roundtable show` prints it."
}

// Unwrap returns what the check found.
func (e *DamagedError) Unwrap() error { return e.Err }

// NoSessionError says that no session has that id. It is a debate.ErrNoSession.
type NoSessionError struct {
	ID   string
	Text string
}

// Error returns a sentence for the user.
func (e *NoSessionError) Error() string { return e.Text }

// Unwrap returns debate.ErrNoSession.
func (e *NoSessionError) Unwrap() error { return debate.ErrNoSession }

// AmbiguousError says that several sessions begin alike. It is a debate.ErrAmbiguous.
type AmbiguousError struct {
	Prefix     string
	Candidates []debate.SessionSummary // the newest first
	More       int                     // that are not listed
}

// Error lists the candidates.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is the beginning of several session ids; type more of it:", e.Prefix)
	for _, c := range e.Candidates {
		fmt.Fprintf(&b, "\n  %s  %s", c.ID, c.Name())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\n  and %d more", e.More)
	}
	return b.String()
}

// Unwrap returns debate.ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return debate.ErrAmbiguous }

// LockedError says that another process has the session open. It is a debate.ErrLocked.
type LockedError struct {
	ID  string
	PID int // 0: unknown
}

// Error says who holds the session and what can be done meanwhile.
func (e *LockedError) Error() string {
	who := ""
	if e.PID > 0 {
		who = fmt.Sprintf(" (pid %d)", e.PID)
	}
	return fmt.Sprintf("This session is open in another Roundtable%s. Go on there, or quit it first; `roundtable show %s` prints it.", who, e.ID)
}

// Unwrap returns debate.ErrLocked.
func (e *LockedError) Unwrap() error { return debate.ErrLocked }

// ForkError refuses a fork at a round that has not ended, or with an answer that
// was not released. It is a debate.ErrNotReady.
type ForkError struct{ Text string }

// Error returns a sentence or two for the user.
func (e *ForkError) Error() string { return e.Text }

// Unwrap returns debate.ErrNotReady.
func (e *ForkError) Unwrap() error { return debate.ErrNotReady }

// errNoCgo says how to mend a build that has no SQLite in it, since that is
// written in C.
var errNoCgo = errors.New("this build of Roundtable cannot open a database: it was built without cgo. Build it again with CGO_ENABLED=1 and a C compiler, such as gcc or clang")

// errLate refuses what comes for a turn that has ended or never began.
var errLate = fmt.Errorf("the turn is not running: %w", debate.ErrNotReady)

// explain turns an error of SQLite into one that says what to do.
func (s *Store) explain(err error) error {
	f, ok := faultOf(err)
	if !ok {
		return err
	}
	switch f.kind {
	case faultDamaged:
		return &DamagedError{Path: s.path, Err: err}
	case faultSave:
		return &SaveError{Folder: s.dir(), Cause: f.cause(), Err: err}
	case faultBusy:
		return &SaveError{Folder: s.dir(), Cause: "another program keeps the database busy", Err: err}
	case faultOther:
	}
	return err
}

// fault is an error of SQLite, as far as anybody outside it cares.
type fault struct {
	kind  faultKind
	full  bool
	errno syscall.Errno // 0: none
	text  string
}

type faultKind int

const (
	faultOther faultKind = iota
	faultBusy
	faultSave    // reading or writing the file failed
	faultDamaged // the file is not what it should be
)

// cause says what is wrong with the disk.
func (f fault) cause() string {
	switch {
	case f.full || errors.Is(f.errno, syscall.ENOSPC):
		return "the disk is full"
	case f.errno == syscall.EDQUOT:
		return "the disk quota is used up"
	case f.errno == syscall.EFBIG:
		return "the file may not grow any more, by a limit of this system"
	case errors.Is(f.errno, fs.ErrPermission) || f.errno == syscall.EROFS:
		return "the database is read-only"
	case f.errno != 0:
		return f.errno.Error()
	default:
		return f.text
	}
}

func isBusy(err error) bool {
	f, ok := faultOf(err)
	return ok && f.kind == faultBusy
}
