package screen

import (
	"slices"
	"strings"
	"time"
)

// Settle is how long no key must be pressed before a question takes an answer. A key
// that repeats, or that was meant for what was shown before, answers nothing.
const Settle = 300 * time.Millisecond

// Question asks on the notice row, before something is done or for a choice. Every
// confirmation of the interface is one. Any key that is not an answer drops it, and
// esc says no.
type Question struct {
	Text string

	Do   func() Outcome // what is asked about; nil: nothing, or one of Others
	Verb string         // what Do does, such as "cancel"
	Key  string         // the key that asked; it answers Do, as enter does; "": enter alone

	Others []Answer

	// Dropped, if set, is called when the question goes without an answer.
	Dropped func() Outcome
	// Renew, if set, returns the question as it stands after new events.
	Renew func() Question
}

// Answer is a key that answers a question.
type Answer struct {
	Key, Verb string
	Do        func() Outcome
}

// Answer returns what a key answers. It reports false for a key that is no answer.
func (q Question) Answer(pressed string) (do func() Outcome, ok bool) {
	if pressed == "enter" && (q.Do != nil || q.Key == "enter") || pressed == q.Key && q.Key != "" {
		return q.Do, true
	}
	i := slices.IndexFunc(q.Others, func(a Answer) bool { return a.Key == pressed })
	if i < 0 {
		return nil, false
	}
	return q.Others[i].Do, true
}

// Keys says what each answer does, such as "x cancel · esc back".
func (q Question) Keys() string {
	var words []string
	if q.Do != nil {
		key := q.Key
		if key == "" {
			key = "enter"
		}
		words = append(words, key+" "+q.Verb)
	}
	for _, a := range q.Others {
		words = append(words, a.Key+" "+a.Verb)
	}
	return strings.Join(append(words, "esc back"), " · ")
}
