package agents

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind sorts the reasons why a completion did not come about.
type Kind string

// The kinds of failure.
const (
	KindAuth        Kind = "auth"        // the key was refused
	KindCredit      Kind = "credit"      // no credit or quota left
	KindModel       Kind = "model"       // unknown model
	KindRequest     Kind = "request"     // the server says that the request is at fault
	KindTooLong     Kind = "too_long"    // the prompt does not fit the model's window
	KindBusy        Kind = "busy"        // 429, 5xx, overloaded
	KindNetwork     Kind = "network"     // no connection, TLS, proxy
	KindSilence     Kind = "silence"     // a time limit passed without data
	KindTruncated   Kind = "truncated"   // the stream was cut
	KindEmpty       Kind = "empty"       // no statement: nothing, or only reasoning
	KindFilter      Kind = "filter"      // the provider's content filter, or a refusal
	KindMalformed   Kind = "malformed"   // not the protocol
	KindLimit       Kind = "limit"       // a limit of ours was passed
	KindTools       Kind = "tools"       // the tool loop was stopped
	KindBudget      Kind = "budget"      // the budget does not allow the call
	KindConfig      Kind = "config"      // the provider or its key is not set up
	KindCancelled   Kind = "cancelled"   // by the user
	KindInterrupted Kind = "interrupted" // the program ended meanwhile
	KindInternal    Kind = "internal"    // a defect of ours
)

// Failure is why a completion did not come about, in words for the user:
// Cause says what happened, Remedy what to do before trying again. Both are
// whole sentences; neither names a key of the interface. Err, if any, is the
// underlying error and is for logs and errors.As only.
type Failure struct {
	Kind      Kind
	Cause     string
	Remedy    string
	Status    int       // of HTTP, if one came
	Tries     int       // how often it was sent; 0 counts as 1
	Retryable bool      // trying again unchanged may help
	RetryAt   time.Time // not before, if the server said so
	Usage     *Usage    // what the last try used; nil: the server did not say
	Err       error
}

// Error returns cause and next action.
func (f *Failure) Error() string {
	return strings.TrimRight(f.Cause+" "+Next(f.Remedy, f.Retryable), " ")
}

// Next returns what to do about a failure: its remedy, else whether trying again
// may help.
func Next(remedy string, retryable bool) string {
	if remedy == "" && retryable {
		return "Running it again may help."
	}
	return remedy
}

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }

// ErrTruncated reports a stream that ended without a finish reason: what came
// may be a part, so it is never an answer.
var ErrTruncated = errors.New("the stream ended without a finish reason")

// SpeakError says whose turn failed. Its Failure is never nil. Again is set when
// the provider was about to ask once more although text had been shown: the turn
// may be played again as an attempt of its own, after that wait.
type SpeakError struct {
	Speaker Profile
	Failure *Failure
	Again   *Retry
}

// Error names the speaker, its provider and model, the cause and the next action.
func (e *SpeakError) Error() string {
	return fmt.Sprintf("%s (%s/%s): %s", e.Speaker.Name, e.Speaker.Provider, e.Speaker.Model, e.Failure.Error())
}

// Unwrap returns the failure.
func (e *SpeakError) Unwrap() error { return e.Failure }
