package debate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// ForkPlan says after which round a session is forked, and what the fork changes.
type ForkPlan struct {
	Round   int                 // the last one to copy; 0 copies none
	Facts   []string            // requests whose answers are copied although they were sent with a later round
	Omitted []string            // requests whose answers are left out on purpose
	Answers []ledger.Submission // other answers than those of the session
	Models  []agents.Profile    // seats whose model changes, by their ids
	Mode    *Mode               // round 0 only; nil: that of the session
	Panel   *Panel              // round 0 only; nil: that of the session
}

// Panel is a named group of members, with those who assist them.
type Panel struct {
	Name         string
	Seats        []agents.Profile
	Chair, Light *agents.Profile // nil: none
}

// ForkError reports that a session cannot be forked as it was asked for. It wraps ErrNotReady.
type ForkError struct {
	Text  string
	Round int // after which the fork is possible; -1: that would not help
}

// Error returns a sentence or two for the user.
func (e *ForkError) Error() string { return e.Text }

// Unwrap returns ErrNotReady.
func (e *ForkError) Unwrap() error { return ErrNotReady }

func refuseFork(format string, args ...any) error {
	return &ForkError{fmt.Sprintf(format, args...), -1}
}

// PlanFork returns the plan of a fork after a round that changes nothing: the answers that
// were sent with the next round are sent with it again, but for that to one request.
func (s Session) PlanFork(round int, without string) ForkPlan {
	p := ForkPlan{Round: round}
	for _, r := range s.Requests {
		if r.ID != without && r.Round <= round && r.FirstDelivery() == round+1 {
			p.Facts = append(p.Facts, r.ID)
		}
	}
	return p
}

// Ended returns the number of the last round that has ended.
func (s Session) Ended() int {
	n := len(s.History)
	if n > 0 && s.History[n-1].Ended.IsZero() {
		n--
	}
	return n
}

// Fork returns the session that a plan makes of s, without its rounds, and the events of
// its ledger. It has no id, nonce and times yet. Requests asked by the round are copied
// with the answers sent by then; facts are sent with the first new round. The error is
// a *ForkError.
func (s Session) Fork(p ForkPlan) (Session, []ledger.Event, error) {
	if n := s.Ended(); p.Round < 0 || p.Round > n {
		return s, nil, refuseFork("Session %s has no finished round %d; the last one is %d. Round 0 starts over.", s.ID, p.Round, n)
	}
	fork := s
	fork.ID, fork.Nonce, fork.Stopped, fork.Created, fork.Updated = "", "", NotStopped, time.Time{}, time.Time{}
	fork.ForkedFrom, fork.ForkRound, fork.Imported = s.ID, p.Round, nil
	if p.Round == 0 {
		fork.Mode = fork.Mode.Unfilled()
	}
	fork, err := p.seat(fork)
	if err != nil {
		return s, nil, err
	}
	events, err := p.ledgerOf(s)
	if err != nil {
		return s, nil, err
	}
	fork.ForkChanges = p.changes(s)
	return fork, events, nil
}

// seat puts the mode, panel and models of the plan into a fork.
func (p ForkPlan) seat(fork Session) (Session, error) {
	if p.Round > 0 && (p.Mode != nil || p.Panel != nil) {
		return fork, &ForkError{"The mode and the panel can change only before round 1: fork from round 0.", 0}
	}
	if p.Panel != nil {
		fork.Seats, fork.Chair, fork.Light = p.Panel.Seats, p.Panel.Chair, p.Panel.Light
	}
	if p.Mode != nil {
		fork.Mode = *p.Mode
		if _, err := fork.Mode.QuestionFor(fork.Question); err != nil {
			return fork, refuseFork("The mode %s cannot debate this question: %v.", fork.Mode.Name, err)
		}
	}
	fork.Seats = slices.Clone(fork.Seats)
	for _, m := range p.Models {
		_, seat := fork.Seat(m.ID)
		if seat == 0 {
			return fork, refuseFork("There is no seat %s; the seats are %s.", m.ID, joinIDs(seatIDs(fork.Seats)))
		}
		if old := fork.Seats[seat-1]; old.Provider == m.Provider && old.Model == m.Model {
			return fork, refuseFork("%s has the model %s already.", old.Name, m.Model)
		}
		fork.Seats[seat-1] = m
	}
	if p.Mode == nil && p.Panel == nil && len(p.Models) == 0 {
		return fork, nil
	}
	err := fork.Mode.CheckPanel(fork.Seats)
	if err == nil {
		err = fork.CheckBudget()
	}
	if err != nil {
		return fork, refuseFork("%v", err)
	}
	return fork, nil
}

func seatIDs(seats []agents.Profile) []agents.ID {
	ids := make([]agents.ID, len(seats))
	for i, p := range seats {
		ids[i] = p.ID
	}
	return ids
}

// ledgerOf returns the ledger events of the fork.
func (p ForkPlan) ledgerOf(s Session) ([]ledger.Event, error) {
	for _, id := range p.Facts {
		if r, ok := s.Request(id); !ok || len(r.Delivered) == 0 {
			return nil, refuseFork("%s cannot be copied: session %s has sent no answer to it.", id, s.ID)
		}
	}
	for _, id := range p.Omitted {
		r, _ := s.Request(id)
		if err := p.checkUnseen(r); err != nil {
			return nil, err
		}
	}
	for _, sub := range p.Answers {
		if err := p.checkAnswer(s, sub); err != nil {
			return nil, err
		}
	}
	var events []ledger.Event
	for _, r := range s.Requests {
		ticked := slices.Contains(p.Facts, r.ID)
		if r.Round > p.Round && !ticked {
			continue
		}
		asks, answers := forkedEvents(r, p.Round, ticked)
		events = append(events, asks...)
		if !slices.ContainsFunc(p.Answers, func(sub ledger.Submission) bool { return sub.Request == r.ID }) {
			events = append(events, answers...)
		}
	}
	answers, err := ledger.Fold(events).Answer(p.Answers...)
	if err != nil {
		return nil, refuseFork("%v", err)
	}
	return append(events, answers...), nil
}

// checkAnswer refuses an answer to a request that the fork does not have, and one that
// the copied rounds have seen already.
func (p ForkPlan) checkAnswer(s Session, sub ledger.Submission) error {
	r, ok := s.Request(sub.Request)
	switch {
	case !ok:
		return refuseFork("There is no request %s in session %s.", sub.Request, s.ID)
	case r.Round > p.Round && !slices.Contains(p.Facts, r.ID):
		return &ForkError{fmt.Sprintf("%s was asked in round %d: a fork after round %d does not have it, unless it is copied as a fact.",
			r.ID, r.Round, p.Round), r.Round}
	}
	if err := p.checkUnseen(r); err != nil {
		return err
	}
	if a, known := r.Sent(); known && a.Outcome == sub.Outcome && a.Content == strings.TrimSpace(sub.Content) {
		return refuseFork("%s has this answer already.", r.ID)
	}
	return nil
}

// checkUnseen refuses to change an answer that the copied rounds have seen.
func (p ForkPlan) checkUnseen(r ledger.Request) error {
	seen := r.FirstDelivery()
	if seen == 0 || seen > p.Round {
		return nil
	}
	return &ForkError{fmt.Sprintf("The answer to %s was sent with round %d, which a fork after round %d copies. "+
		"To change it, fork from round %d.",
		r.ID, seen, p.Round, seen-1), seen - 1}
}

// forkedEvents returns the events that a request has in a fork after a round.
func forkedEvents(r ledger.Request, round int, ticked bool) (asks, answers []ledger.Event) {
	for _, a := range r.Asks {
		late := a.Turn.Round > round
		if late && !ticked {
			continue
		}
		t, call := a.Turn, a.Call
		if late { // the fork has turns of its own in that round
			t.Round, call = round, fmt.Sprintf("r%d of %s: %s", a.Turn.Round, a.Turn.Session, a.Call)
		}
		e := ledger.Event{
			Request: r.ID,
			Type:    ledger.EventAsk,
			Actor:   string(t.Agent),
			Turn:    t,
			Call:    call,
			At:      a.At,
			Payload: ledger.Payload{
				Query: a.Query, Key: r.Key, Reason: a.Reason, Priority: a.Priority, FollowUpOf: r.FollowUpOf, Reply: &a.Reply,
			},
		}
		asks = append(asks, e)
		if a.Withdrawn {
			e.Type, e.Payload = ledger.EventWithdraw, ledger.Payload{}
			asks = append(asks, e)
		}
	}
	known := 0 // last revision that was copied
	for _, d := range r.Delivered {
		if d.Round > round && !ticked {
			continue
		}
		for _, a := range r.Answers {
			if a.Revision <= known || a.Revision > d.Revision {
				continue
			}
			answers = append(
				answers,
				ledger.Event{Request: r.ID, Type: ledger.EventAnswer, Actor: a.Author, At: a.At, Payload: ledger.Payload{
					Revision: a.Revision, Outcome: a.Outcome, Content: a.Content, Source: a.Source, Correction: a.Correction,
				}},
			)
		}
		known = d.Revision
		answers = append(answers, ledger.Event{
			Request: r.ID, Type: ledger.EventRelease, Actor: ledger.User,
			Payload: ledger.Payload{Revision: d.Revision, Round: min(d.Round, round+1)},
		})
	}
	return asks, answers
}
