package openai

import (
	"errors"
	"fmt"
	"time"
)

// errStopped ends a completion whose consumer stopped reading.
var errStopped = errors.New("the reader stopped")

// statusError is a response other than 200.
type statusError struct {
	status     int
	apiError   apiError
	retryAfter time.Duration // how long the server asks to wait; 0: it does not
	target     string        // of a redirect
}

// Error implements error.
func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.status) }

// inBandError is an error within a response of status 200.
type inBandError struct{ apiError apiError }

// Error implements error.
func (e *inBandError) Error() string { return "an error within the answer" }

// limitError is one of our limits that a response exceeds.
type limitError struct {
	key string
	n   int
}

// Error implements error.
func (e limitError) Error() string { return fmt.Sprintf("more than limits.%s = %d", e.key, e.n) }

// notStreamError is a response that is neither a stream nor a whole answer.
type notStreamError struct{ head string }

// Error implements error.
func (e *notStreamError) Error() string { return "not an event stream" }

// malformedError is an event of a stream that cannot be decoded.
type malformedError struct {
	event int // from 1
	err   error
}

// Error implements error.
func (e *malformedError) Error() string { return fmt.Sprintf("event %d: %v", e.event, e.err) }

// Unwrap returns the error of the decoder.
func (e *malformedError) Unwrap() error { return e.err }

// refusalError is an answer in which the model refuses.
type refusalError struct{ text string }

// Error implements error.
func (e *refusalError) Error() string { return "the model refuses" }
