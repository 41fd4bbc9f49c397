package debate

import (
	"errors"
	"fmt"
)

// RoundFailedError is returned for a round in which no seat answered. The round keeps
// its number.
type RoundFailedError struct {
	Round  int
	Causes []MissingResponse
}

// Error lists the causes, one per line.
func (e *RoundFailedError) Error() string {
	text := fmt.Sprintf("round %d failed: no model answered", e.Round)
	for _, c := range e.Causes {
		text += fmt.Sprintf("\n- %s: %s", c.Name, c.Cause)
	}
	return text
}

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
