package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
)

// Limits of an answer, in characters.
const (
	MaxAnswer = 65536
	MaxSource = 500
)

// Submission is what the user says to one request.
type Submission struct {
	Request string
	Outcome Outcome
	Content string // the answer, or the reason why there is none
	Source  string
	Correct bool // change an answer that has been released
	By      Author
}

// Reasons for refusing a submission.
var (
	ErrUnknown  = errors.New("not open in this debate")
	ErrFrozen   = errors.New("already sent")
	ErrRepeated = errors.New("named twice")
	ErrBlank    = errors.New("no text")
	ErrTooLong  = errors.New("text too long")
)

// SubmissionError says why a submission was refused, and for which request.
type SubmissionError struct {
	Request string
	Err     error // one of the reasons above
	Text    string
}

// Error returns a sentence for the user.
func (e *SubmissionError) Error() string { return e.Text }

// Unwrap returns the reason.
func (e *SubmissionError) Unwrap() error { return e.Err }

// Answer returns the events that record submissions. All of them are accepted or
// none; one that repeats the newest revision needs no event.
func (l Ledger) Answer(subs ...Submission) ([]Event, error) {
	var out []Event
	for i, s := range subs {
		if slices.ContainsFunc(subs[:i], func(o Submission) bool { return o.Request == s.Request }) {
			return nil, refuse(s, ErrRepeated, "%s is listed twice. Nothing was saved.", s.Request)
		}
		r, ok := l.Find(s.Request)
		if err := check(s, r, ok); err != nil {
			return nil, err
		}
		s.Content, s.Source = strings.TrimSpace(s.Content), strings.TrimSpace(s.Source)
		if last, ok := r.Answer(); ok && last.Outcome == s.Outcome && last.Content == s.Content && last.Source == s.Source {
			continue
		}
		out = append(out, Event{Request: s.Request, Type: EventAnswer, Actor: User, Payload: Payload{
			Revision: len(r.Answers) + 1, Outcome: s.Outcome, Content: s.Content, Source: s.Source, By: s.By,
		}})
	}
	return out, nil
}

func check(s Submission, r Request, found bool) error {
	switch n := utf8.RuneCountInString(s.Content); {
	case !found:
		return refuse(s, ErrUnknown, "There is no question %s in this debate. Nothing was saved.", s.Request)
	case r.State == Withdrawn:
		return refuse(s, ErrUnknown, "%s is not open in this debate. Nothing was saved.", s.Request)
	case r.State == Released && !s.Correct:
		return refuse(s, ErrFrozen, "The answer to %s was sent with round %d; only a correction can change it. Nothing was saved.",
			s.Request, r.Delivered[len(r.Delivered)-1].Round)
	case s.Outcome == Unavailable && !HasWords(s.Content):
		return refuse(s, ErrBlank, "Say in words why %s is unavailable. The seats read it.", s.Request)
	case !HasWords(s.Content):
		return refuse(s, ErrBlank, "The answer to %s is blank: say it in words, or that it is unavailable, and why.", s.Request)
	case n > MaxAnswer:
		return refuse(s, ErrTooLong, "The answer to %s has %d characters; the limit is %d. Shorten it.", s.Request, n, MaxAnswer)
	case utf8.RuneCountInString(s.Source) > MaxSource:
		return refuse(s, ErrTooLong, "The source of %s has %d characters; the limit is %d. Shorten it.", s.Request,
			utf8.RuneCountInString(s.Source), MaxSource)
	case s.Outcome != Answered && s.Outcome != Unavailable:
		return refuse(s, ErrUnknown, "The outcome of %s is %q; it must be \"answered\" or \"unavailable\".", s.Request, s.Outcome)
	}
	return nil
}

// HasWords reports whether a text can be an answer or a reason: it has a letter, a digit or a
// symbol that can be seen.
func HasWords(content string) bool {
	return strings.ContainsFunc(content, func(r rune) bool { return agents.IsVisible(r) && !unicode.IsPunct(r) })
}

func refuse(s Submission, reason error, format string, args ...any) error {
	return &SubmissionError{Request: s.Request, Err: reason, Text: fmt.Sprintf(format, args...)}
}

// Release returns the events that hand undelivered answers to the agents of a round.
func (l Ledger) Release(round int) []Event {
	var out []Event
	for _, r := range l.Requests {
		if a, ok := r.Undelivered(); ok {
			out = append(out, Event{Request: r.ID, Type: EventRelease, Actor: User, Payload: Payload{Revision: a.Revision, Round: round}})
		}
	}
	return out
}

// Supersede returns the events that withdraw open asks of earlier attempts that a turn has not repeated.
func (l Ledger) Supersede(turn agents.Turn) []Event {
	var out []Event
	for _, r := range l.Requests {
		if r.State != Pending || r.askedIn(turn) {
			continue
		}
		for _, a := range r.Asks {
			if isEarlierAttempt(a.Turn, turn) && !a.Withdrawn {
				out = append(out, Event{Request: r.ID, Type: EventWithdraw, Actor: string(turn.Agent), Turn: a.Turn, Call: a.Call})
			}
		}
	}
	return out
}

// Expire returns the events that make open requests ones after the verdict when the session ends.
func (l Ledger) Expire() []Event { return l.eventsOf(EventExpire, Pending) }

// Close returns the events that close open requests after a verdict.
func (l Ledger) Close() []Event { return l.eventsOf(EventClose, AfterVerdict) }

// Revive returns the events that make requests required again when rounds are added.
func (l Ledger) Revive() []Event { return l.eventsOf(EventRevive, AfterVerdict, Unanswered) }

func (l Ledger) eventsOf(t EventType, in ...State) []Event {
	var out []Event
	for _, r := range l.Requests {
		if slices.Contains(in, r.State) {
			out = append(out, Event{Request: r.ID, Type: t, Actor: User})
		}
	}
	return out
}
