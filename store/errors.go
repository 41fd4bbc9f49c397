package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"roundtable/debate"
)

// SaveError reports that a write failed. The database is unchanged and the call can
// be repeated.
type SaveError struct {
	Folder string
	Cause  string // for example "the disk is full"
	Err    error
}

// Error returns a sentence for the user.
func (e *SaveError) Error() string { return fmt.Sprintf("Cannot save: %s (%s).", e.Cause, e.Folder) }

// Unwrap returns the underlying error.
func (e *SaveError) Unwrap() error { return e.Err }

// DamagedError reports that a part of the database cannot be read.
type DamagedError struct{ Err error }

// Error says what still works.
func (e *DamagedError) Error() string {
	return "The database is damaged. `roundtable show ID` prints what is readable, `roundtable sessions --search WORD` looks for it."
}

// Unwrap returns the underlying error.
func (e *DamagedError) Unwrap() error { return e.Err }

// refusal is an error with a sentence for the user.
type refusal struct {
	text string
	err  error // that callers ask for
}

// Error returns the sentence.
func (e *refusal) Error() string { return e.text }

// Unwrap returns what callers ask for.
func (e *refusal) Unwrap() error { return e.err }

// Locked returns the error, which wraps debate.ErrLocked, for a session that another process has
// open. It names the process and what can be done meanwhile.
func Locked(id string, by debate.Holder) error {
	text := fmt.Sprintf("This debate is open in another Roundtable%s. Continue there, or quit it first; `roundtable show %s` prints it.",
		by.Aside(), id)
	if by.Host == "" && by.PID == os.Getpid() {
		text = "This debate is still being saved here. Try again in a moment."
	}
	return &refusal{text, debate.ErrLocked}
}

// errNoCgo reports a build without cgo, which SQLite needs.
var errNoCgo = errors.New("this build of Roundtable cannot open a database: it was built without cgo. " +
	"Build it again with CGO_ENABLED=1 and a C compiler, such as gcc or clang")

// errNotRunning refuses changes of a turn that has ended or never began.
var errNotRunning = fmt.Errorf("the turn is not running: %w", debate.ErrNotReady)

// describe turns an error of SQLite into one that tells the user what to do. It
// returns other errors as they are.
func (f databaseFile) describe(err error) error {
	found, ok := asFault(err)
	if !ok {
		return err
	}
	switch found.kind {
	case faultDamaged:
		return &DamagedError{err}
	case faultSave:
		return &SaveError{Folder: f.dir(), Cause: found.cause(), Err: err}
	case faultBusy:
		return &SaveError{Folder: f.dir(), Cause: "another program is using the database", Err: err}
	default: // what SQLite says may quote what is stored
		return &refusal{"The database refused a statement (" + found.text + "). This is a bug in Roundtable; its log has the details.", err}
	}
}

// fault is what an error of SQLite means for the rest of the package.
type fault struct {
	kind  faultKind
	errno syscall.Errno // 0: none
	text  string        // names its code
}

type faultKind int

const (
	faultOther faultKind = iota
	faultBusy
	faultSave    // reading or writing the file failed
	faultDamaged // the file is not what it should be
)

func (f fault) cause() string {
	switch f.errno {
	case 0:
		return f.text
	case syscall.ENOSPC:
		return "the disk is full"
	default:
		return f.errno.Error()
	}
}

func isDamaged(err error) bool {
	f, ok := asFault(err)
	return ok && f.kind == faultDamaged
}

func isBusy(err error) bool {
	f, ok := asFault(err)
	return ok && f.kind == faultBusy
}
