// Package replay plays a stored session again: as the events of the runs that made it,
// at the pace that its times tell, without any model and without a change of anything.
//
// It imports the values of package debate only. It must not know where sessions are
// stored, nor who shows the events.
package replay

import (
	"cmp"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Recording is a stored session as what can be played of it. It is divided into parts: a
// round each, and at last the verdict. Parts count from 1.
type Recording struct{ session debate.Session }

// New returns the recording of a session.
func New(s debate.Session) *Recording {
	s.CachedReplies, s.Drafts, s.Workspace = nil, nil, debate.Workspace{}
	s.Requests = slices.Clone(s.Requests)
	for i := range s.Requests { // newer than any state of before
		s.Requests[i].Seq = 1 << 40
	}
	return &Recording{s}
}

// Parts returns how many parts there are; 0 if no round has begun.
func (r *Recording) Parts() int {
	n := len(r.session.History)
	if r.session.Verdict != nil && n > 0 {
		n++
	}
	return n
}

// Rounds returns how many rounds have begun.
func (r *Recording) Rounds() int { return len(r.session.History) }

// PartAfter returns the part that follows a state of the session; 0 if none does.
func (r *Recording) PartAfter(s debate.Session) int {
	n := len(s.History) + 1
	if s.Verdict != nil || n > r.Parts() || n > 1 && s.History[n-2].Ended.IsZero() {
		return 0
	}
	return n
}

// Before returns the session as it was before a part; after the last one it is whole.
func (r *Recording) Before(part int) debate.Session {
	s := r.session
	if part > r.Parts() {
		return s
	}
	n := min(max(part-1, 0), len(s.History))
	s.History = s.History[:n:n]
	s.Verdict, s.Stopped, s.AuxiliarySpending = nil, debate.NotStopped, nil
	at := s.Created
	switch {
	case n > 0:
		at = s.History[n-1].Ended
	case len(r.session.History) > 0 && r.session.History[0].Began.Before(at): // rounds of a fork are older than it is
		at = r.session.History[0].Began
	}
	s.Requests = r.requests(at, n)
	s.Notices = slices.DeleteFunc(slices.Clone(s.Notices), func(n debate.Notice) bool { return n.At.After(at) })
	s.Interjections = slices.DeleteFunc(slices.Clone(s.Interjections), func(i debate.Interjection) bool { return i.At.After(at) })
	return s
}

// requests returns the requests as they were at a time, when a number of rounds had begun.
func (r *Recording) requests(at time.Time, round int) []ledger.Request {
	var out []ledger.Request
	for _, q := range r.session.Requests {
		if q, ok := requestAt(q, at, round); ok {
			out = append(out, q)
		}
	}
	return out
}

// requestAt returns a request as it was at a time, when a number of rounds had begun; ok
// is false if it had not been asked yet.
func requestAt(q ledger.Request, at time.Time, round int) (_ ledger.Request, ok bool) {
	q = q.Clone()
	if q.Asked.After(at) {
		return q, false
	}
	q.Asks = slices.DeleteFunc(q.Asks, func(a ledger.Ask) bool { return a.At.After(at) })
	q.Answers = slices.DeleteFunc(q.Answers, func(a ledger.Answer) bool { return a.At.After(at) })
	q.Delivered = slices.DeleteFunc(q.Delivered, func(d ledger.Delivery) bool { return d.Round > round })
	q.Seq = int64(len(q.Asks) + len(q.Answers) + len(q.Delivered))
	switch {
	case q.State == ledger.Withdrawn && round > q.Round:
		q.Seq++
	case len(q.Delivered) > 0:
		q.State = ledger.Released
	case len(q.Answers) > 0:
		q.State = ledger.Resolved
	default:
		q.State, q.JoinedTo = ledger.Pending, ""
	}
	return q, true
}

// answered returns the states of requests right after each answer that was given after
// one time and not after another one, in order.
func (r *Recording) answered(after, until time.Time, round int) []change {
	var out []change
	for _, q := range r.session.Requests {
		for _, a := range q.Answers {
			if a.At.After(after) && !a.At.After(until) {
				now, _ := requestAt(q, a.At, round)
				out = append(out, change{a.At, debate.ContextChanged{Request: now, At: a.At}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b change) int { return a.at.Compare(b.at) })
	return out
}

// change is an event with its stored time.
type change struct {
	at time.Time
	ev debate.Event
}

// asksOf returns the events of what an attempt asked the user, by request.
func asksOf(s debate.Session, t agents.Turn) []debate.ContextRequested {
	var out []debate.ContextRequested
	for _, q := range s.Requests {
		for i, a := range q.Asks {
			if a.Turn == t {
				now, _ := requestAt(q, a.At, t.Round)
				out = append(out, debate.ContextRequested{Turn: t, Request: now, Ask: a, Joined: i > 0, At: a.At})
			}
		}
	}
	return out
}

// chair returns the profile of who wrote the verdict.
func (r *Recording) chair() agents.Profile {
	v := r.session.Verdict
	for _, p := range r.session.Speakers() {
		if p.ID == v.Chair {
			return p
		}
	}
	return agents.Profile{ID: v.Chair, Name: cmp.Or(v.ChairName, string(v.Chair)), Model: v.ChairModel}
}
