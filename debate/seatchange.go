package debate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// SeatChange gives a seat another model from a round on. Changes are only ever appended:
// the last one for a round counts, and earlier rounds keep the model that they had.
type SeatChange struct {
	Round int            `json:"round"` // the first one with the new model
	Agent agents.ID      `json:"agent"`
	Was   agents.Profile `json:"was"`
	Now   agents.Profile `json:"now"`
	At    time.Time      `json:"at"`
}

// String says what changed, such as "Ada: gpt-x from round 2 (before gpt-y)". Providers
// are named where the models have the same name.
func (c SeatChange) String() string {
	was, now := c.Was.ModelName(), c.Now.ModelName()
	if was == now {
		was, now = c.Was.Provider+"/"+was, c.Now.Provider+"/"+now
	}
	return fmt.Sprintf("%s: %s from round %d (before %s)", text.Line(c.Now.Name), text.Line(now), c.Round, text.Line(was))
}

func sameModel(a, b agents.Profile) bool { return a.Provider == b.Provider && a.Model == b.Model }

// ModelChanges lists the changes of models that hold, by round and then by seat: for each
// seat and round the last one, and none that was taken back before its round began.
func (s Session) ModelChanges() []SeatChange {
	var out []SeatChange
	for _, c := range s.SeatChanges {
		i := slices.IndexFunc(out, func(o SeatChange) bool { return o.Agent == c.Agent && o.Round == c.Round })
		if i < 0 {
			out = append(out, c)
		} else {
			out[i].Now, out[i].At = c.Now, c.At
		}
	}
	out = slices.DeleteFunc(out, func(c SeatChange) bool { return sameModel(c.Was, c.Now) })
	slices.SortStableFunc(out, func(a, b SeatChange) int {
		_, x := s.Seat(a.Agent)
		_, y := s.Seat(b.Agent)
		return cmp.Or(a.Round-b.Round, x-y)
	})
	return out
}

// ChangedModel returns the last change of a seat's model after one round and up to another; false if none.
func (s Session) ChangedModel(seat agents.ID, after, upTo int) (SeatChange, bool) {
	for _, c := range slices.Backward(s.ModelChanges()) {
		if c.Agent == seat && c.Round > after && c.Round <= upTo {
			return c, true
		}
	}
	return SeatChange{}, false
}

// PricedOn returns the session with the prices that its speakers have at a time.
func (s Session) PricedOn(now time.Time) Session {
	s = s.WithSpeakers(func(p agents.Profile) agents.Profile { return p.PricedOn(now) })
	s.SeatChanges = slices.Clone(s.SeatChanges)
	for i, c := range s.SeatChanges {
		s.SeatChanges[i].Now = c.Now.PricedOn(now)
	}
	return s
}

// WithSpeakers returns the session with what f returns of each of its speakers.
func (s Session) WithSpeakers(f func(agents.Profile) agents.Profile) Session {
	s.Seats = text.Each(s.Seats, f)
	for _, p := range []**agents.Profile{&s.Chair, &s.Light} {
		if *p != nil {
			speaker := f(**p)
			*p = &speaker
		}
	}
	return s
}

// AsOf returns the session with the models of a round, and without the changes after it.
func (s Session) AsOf(round int) Session {
	if len(s.SeatChanges) == 0 {
		return s
	}
	s.Seats = text.Each(s.Seats, func(p agents.Profile) agents.Profile { return s.seatIn(p, max(round, 1)) })
	s.SeatChanges = slices.DeleteFunc(slices.Clone(s.SeatChanges), func(c SeatChange) bool { return c.Round > max(round, 1) })
	return s
}

// seatIn returns the profile that a seat has in a round; the present one if it is the same model.
func (s Session) seatIn(now agents.Profile, round int) agents.Profile {
	out, known := now, false
	for _, c := range s.SeatChanges {
		switch {
		case c.Agent != now.ID:
		case c.Round <= round:
			out, known = c.Now, true
		case !known:
			out, known = c.Was, true
		}
	}
	if sameModel(out, now) {
		return now
	}
	return out
}

// Upcoming returns the session as the next round will find it, and as it is if none follows.
func (s Session) Upcoming() Session { return s.AsOf(s.Playing()) }

// TakesModel returns the first round in which a seat can have another model: the one that has
// not ended, if the seat has said nothing in it that counts, or else the next one; 0: none.
func (s Session) TakesModel(seat agents.ID) int {
	c := s.Current()
	if c == nil || !c.Ended.IsZero() {
		return s.Next()
	}
	if slices.ContainsFunc(c.Responses, func(x Response) bool { return x.Turn.Agent == seat && x.State == TurnDone }) {
		return 0
	}
	return len(s.History)
}

// ChangeSeat returns the change that gives a seat another model, see TakesModel, or why that is
// not possible. Of the new profile its name, id and persona are the seat's.
func (s Session) ChangeSeat(seat agents.ID, model agents.Profile) (SeatChange, error) {
	was, n := s.Upcoming().Seat(seat)
	switch {
	case n == 0:
		return SeatChange{}, refusal("%s has no seat in this debate; the seats are: %s.", text.Label(string(seat)), joinIDs(s.SeatIDs()))
	case s.TakesModel(seat) == 0 && s.HasRoundsLeft():
		return SeatChange{}, refusal("%s has a statement in round %d, which has not ended; its model can change then.",
			text.Line(was.Name), len(s.History))
	case s.TakesModel(seat) == 0:
		return SeatChange{}, refusal("No round is left for another model.")
	case sameModel(was, model):
		return SeatChange{}, refusal("%s has the model %s already.", text.Line(was.Name), text.Line(was.ModelName()))
	}
	model.ID, model.Name, model.Persona = was.ID, was.Name, was.Persona
	c := SeatChange{Round: s.TakesModel(seat), Agent: seat, Was: was, Now: model}
	if model.Priced() {
		return c, nil
	}
	return c, s.WithSeatChange(c).CheckBudget()
}

// WithSeatChange returns the session with a change of a seat. The first round has it at once.
func (s Session) WithSeatChange(c SeatChange) Session {
	s.SeatChanges = append(slices.Clip(s.SeatChanges), c)
	changes := s.SeatChanges
	s = s.AsOf(len(s.History))
	s.SeatChanges = changes
	return s
}

// FindModel returns the profile that a word names: an agent by its id, or a model with or
// without its provider. Where several providers have it, that of the seat comes first.
func FindModel(seat agents.Profile, word string, known []agents.Profile) (agents.Profile, error) {
	names := text.Each(known, func(p agents.Profile) string { return p.Provider + "/" + p.Model })
	fit := slices.DeleteFunc(slices.Clone(known), func(p agents.Profile) bool {
		return word != p.Model && word != p.Provider+"/"+p.Model && word != string(p.ID)
	})
	if word == "" || len(fit) == 0 {
		return seat, refusal("there is no model %q%s", text.Label(word), text.DidYouMean(word, names))
	}
	at := max(slices.IndexFunc(fit, func(p agents.Profile) bool { return p.Provider == seat.Provider }), 0)
	found := fit[at]
	found.ID, found.Name, found.Persona = seat.ID, seat.Name, seat.Persona
	return found, nil
}
