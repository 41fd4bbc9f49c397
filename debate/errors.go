package debate

import "errors"

// ErrStopped is the error of a run that was stopped by Run.Stop.
var ErrStopped = errors.New("stopped")

// Errors of opening or changing a session.
var (
	ErrNoSession = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session id")
	ErrLocked    = errors.New("session is open elsewhere")
	ErrNewer     = errors.New("made by a newer version")
	ErrNotReady  = errors.New("not possible now")
	ErrMoved     = errors.New("the database is not where it was opened")
)
