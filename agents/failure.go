package agents

import (
	"slices"
	"strings"
	"time"
)

// Kind classifies failures.
type Kind string

// The kinds of failure.
const (
	KindAuth        Kind = "auth"        // the key was refused, or the account may not use the model
	KindCredit      Kind = "credit"      // no credit or quota left
	KindModel       Kind = "model"       // unknown model
	KindRequest     Kind = "request"     // the server refused the request as invalid
	KindTooLong     Kind = "too_long"    // the prompt exceeds the context window
	KindBusy        Kind = "busy"        // 429, 5xx or overloaded
	KindNetwork     Kind = "network"     // connection, TLS or proxy
	KindSilence     Kind = "silence"     // a timeout
	KindTruncated   Kind = "truncated"   // the stream broke off
	KindEmpty       Kind = "empty"       // no text, or only reasoning
	KindFilter      Kind = "filter"      // the provider's content filter, or a refusal
	KindMalformed   Kind = "malformed"   // the response violates the protocol
	KindLimit       Kind = "limit"       // the response exceeded one of our limits
	KindTools       Kind = "tools"       // the tool loop was stopped
	KindBudget      Kind = "budget"      // the call would exceed the budget
	KindConfig      Kind = "config"      // the provider or its key is not configured
	KindCancelled   Kind = "cancelled"   // by the user
	KindInterrupted Kind = "interrupted" // the program ended during the call
	KindInternal    Kind = "internal"    // a defect of the program
)

// Failure is why a completion failed, worded for the user: Cause says what
// happened, Remedy what to do before trying again. Both are whole sentences;
// neither names a key of the interface. Err, if any, is the underlying error, for
// logs and errors.As only.
type Failure struct {
	Kind    Kind
	Cause   string
	Remedy  string
	Status  int       // of HTTP; 0: none
	Tries   int       // how often the request was sent; 0 counts as 1
	RetryAt time.Time // the earliest time to try again, if the server said one
	Again   bool      // the turn should be run again as another attempt, once
	Usage   *Usage    // of the last try; nil: the server did not count

	// Unprocessed reports that the last try took no tokens: its request was not
	// sent, or the server refused it by its status, before any stream. Otherwise the
	// request was sent and then cut off, cancelled or timed out, and may have taken
	// its prompt and what arrived of the answer. Earlier tries have a Failure of their
	// own, see Retry.Failed.
	Unprocessed bool

	Err error
}

// Error returns the cause and what to do.
func (f *Failure) Error() string {
	return strings.TrimRight(f.Cause+" "+Next(f.Kind, f.Remedy), " ")
}

// Took returns what the last try used, for a prompt of about so many tokens: nothing if
// it was not processed, or else what the server counted or the prompt as estimated.
func (f *Failure) Took(prompt int) Usage {
	var u Usage
	if f.Usage != nil {
		u = *f.Usage
	}
	if u.Input == 0 && !f.Unprocessed {
		u.Input, u.Estimated = prompt, true
	}
	return u
}

// Next returns what to do about a failure: its remedy, or else that trying again may help
// where the same request may meet something else: a server that was busy or silent, or a
// connection that broke.
func Next(kind Kind, remedy string) string {
	if remedy != "" {
		return remedy
	}
	if slices.Contains([]Kind{KindBusy, KindNetwork, KindSilence, KindTruncated}, kind) {
		return "Trying again may help."
	}
	return ""
}

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }
