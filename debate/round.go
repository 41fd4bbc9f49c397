package debate

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"roundtable/agents"
)

// Round is a round, complete or not.
type Round struct {
	Number    int           `json:"-"`
	Manifest  Manifest      `json:",omitzero"` // what it starts from
	Hash      string        `json:",omitzero"` // of the manifest
	Began     time.Time     `json:",omitzero"`
	Ended     time.Time     `json:"-"`         // zero while it runs
	Responses []Response    `json:"-"`         // all attempts, ordered by step, seat and attempt
	Due       []DueTurn     `json:"-"`         // attempts that are to be made besides those that follow from the responses
	Same      *SameFindings `json:",omitzero"` // of a review; nil: nobody was asked which findings are the same
}

// Latest returns the newest attempt of every turn, by step and seat.
func (r Round) Latest() []Response {
	var out []Response
	for _, x := range r.Responses {
		if n := len(out); n > 0 && SameTurn(out[n-1].Turn, x.Turn) {
			out[n-1] = x
			continue
		}
		out = append(out, x)
	}
	return out
}

// Said returns the newest attempts of the round that have a statement, by step and seat.
func (r Round) Said() []Response {
	return slices.DeleteFunc(r.Latest(), func(x Response) bool { return !x.HasStatement() })
}

// Said goes through what was said, by round, step and seat.
func (s Session) Said() iter.Seq[Response] {
	return func(yield func(Response) bool) {
		for _, r := range s.History {
			for _, x := range r.Said() {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// Statements returns one response per seat in the order in which they were made: its
// statement, or if it makes none what it said last in another phase.
func (r Round) Statements() []Response {
	var out []Response
	for _, x := range r.Said() {
		i := slices.IndexFunc(out, func(y Response) bool { return y.Turn.Agent == x.Turn.Agent })
		switch {
		case i < 0:
			out = append(out, x)
		case out[i].Phase != "" || x.Phase == "":
			out = append(slices.Delete(out, i, i+1), x)
		}
	}
	return out
}

// AttemptsOf returns the attempts of a seat in the round, in order.
func (r Round) AttemptsOf(id agents.ID) []Response {
	return slices.DeleteFunc(slices.Clone(r.Responses), func(x Response) bool { return x.Turn.Agent != id })
}

// StepsOf returns the steps of a round that has begun.
func (s Session) StepsOf(r Round) []Step {
	seats := r.Manifest.Seats
	if len(seats) == 0 {
		seats = s.SeatIDs()
	}
	return s.Mode.Steps(seats, r.Number, max(r.Manifest.Rounds, r.Number))
}

// Newest returns the newest attempt of a seat in a step; false if none has begun.
func (r Round) Newest(step int, seat agents.ID) (Response, bool) {
	for _, x := range slices.Backward(r.Responses) {
		if x.Turn.Step == step && x.Turn.Agent == seat {
			return x, true
		}
	}
	return Response{}, false
}

// WithoutAttempt returns a turn as all of its attempts have it.
func WithoutAttempt(t agents.Turn) agents.Turn {
	t.Attempt = 0
	return t
}

// SameTurn reports whether two attempts are of one turn.
func SameTurn(a, b agents.Turn) bool { return WithoutAttempt(a) == WithoutAttempt(b) }

// WithResponse returns the session with an attempt at its place in the round.
func (s Session) WithResponse(x Response) Session {
	s.History = slices.Clone(s.History)
	r := &s.History[x.Turn.Round-1]
	r.Responses = slices.Clone(r.Responses)
	r.Due = slices.DeleteFunc(slices.Clone(r.Due), func(d DueTurn) bool { return d.Turn == x.Turn })
	i := slices.IndexFunc(r.Responses, func(y Response) bool { return y.Turn == x.Turn })
	if i >= 0 {
		r.Responses[i] = x
		return s
	}
	r.Responses = append(r.Responses, x)
	s.SortResponses(r.Responses)
	return s
}

// SortResponses sorts the attempts of a round by step, seat and attempt.
func (s Session) SortResponses(all []Response) {
	slices.SortStableFunc(all, func(a, b Response) int {
		_, na := s.Seat(a.Turn.Agent)
		_, nb := s.Seat(b.Turn.Agent)
		return cmp.Or(a.Turn.Step-b.Turn.Step, na-nb, a.Turn.Attempt-b.Turn.Attempt)
	})
}

// SilentSeats lists the seats that took a turn and have no statement in the round, with the cause.
func (s Session) SilentSeats(r Round) []MissingResponse {
	var out []MissingResponse
	listed := r.Answered()
	for _, x := range r.Latest() {
		if slices.Contains(listed, x.Turn.Agent) {
			continue
		}
		listed = append(listed, x.Turn.Agent)
		a := MissingResponse{Agent: x.Turn.Agent, Name: s.NameOf(x.Turn.Agent), Round: r.Number}
		if x.Failure != nil {
			a.Cause = x.Failure.Cause
		}
		out = append(out, a)
	}
	return out
}
