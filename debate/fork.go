package debate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
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

// Parent is the debate that a fork comes from, as it is now.
type Parent struct {
	Name   string
	Result string // what it came to, in a few words; "": it has no verdict
}

// ForkLine says what a fork comes from, and what both debates came to; "" for other sessions. Line
// is that of the fork's own verdict; "": it has none.
func (s Session) ForkLine(line string) string {
	at := "from the start"
	if s.ForkRound > 0 {
		at = fmt.Sprintf("after round %d", s.ForkRound)
	}
	switch {
	case s.ForkedFrom == "":
		return ""
	case s.Parent == nil:
		return "fork of a debate that is gone, " + at
	}
	const none = "(no verdict)"
	return fmt.Sprintf("fork of “%s”, %s: %s → %s", text.Clip(text.Line(s.Parent.Name), 100), at,
		cmp.Or(text.Line(s.Parent.Result), none), cmp.Or(text.Line(ResultPart(line)), none))
}

// ResultPart returns the result in the line of a verdict, without what follows it.
func ResultPart(line string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(Line(line).String(), "Demo · "), " · ")
	return part
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
// a *RefusedError.
func (s Session) Fork(p ForkPlan) (Session, []ledger.Event, error) {
	if s.Gone != "" {
		return s, nil, s.Gone
	}
	if n := s.Ended(); p.Round < 0 || p.Round > n {
		return s, nil, refusal("Debate %s has no finished round %d; the last one is %d. Round 0 starts over.", s.ID, p.Round, n)
	}
	newest := s.AsOf(math.MaxInt)
	fork := newest
	fork.ID, fork.Nonce, fork.Stopped, fork.Created, fork.Updated = "", "", NotStopped, time.Time{}, time.Time{}
	fork.ForkedFrom, fork.Parent, fork.ForkRound, fork.Eval = s.ID, &Parent{Name: s.Name()}, p.Round, nil
	fork.Settlements = nil
	fork, err := p.seat(fork)
	if err != nil {
		return s, nil, err
	}
	events, err := p.ledgerOf(s)
	if err != nil {
		return s, nil, err
	}
	return fork.keepModels(s.AsOf(p.Round), p.Round), events, nil
}

func (p ForkPlan) seat(fork Session) (Session, error) {
	if p.Round > 0 && (p.Mode != nil || p.Panel != nil) {
		return fork, refusal("The mode and the panel are those of round 1: fork from round 0 to change them.")
	}
	if p.Panel != nil {
		fork.Seats, fork.Chair, fork.Light = p.Panel.Seats, p.Panel.Chair, p.Panel.Light
	}
	if p.Mode != nil {
		fork.Mode = *p.Mode
		if _, err := fork.Mode.QuestionFor(fork.Question); err != nil {
			return fork, refusal("The mode %s cannot debate this question: %v.", fork.Mode.Name, err)
		}
	}
	fork.Seats = slices.Clone(fork.Seats)
	for _, m := range p.Models {
		_, seat := fork.Seat(m.ID)
		if seat == 0 {
			return fork, refusal("There is no seat %s; the seats are %s.", m.ID, joinIDs(fork.SeatIDs()))
		}
		if old := fork.Seats[seat-1]; sameModel(old, m) {
			return fork, refusal("%s has the model %s already.", old.Name, m.Model)
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
		return fork, refusal("%v", err)
	}
	return fork, nil
}

// keepModels gives the copied rounds the parent's models, and later ones those of the fork.
func (s Session) keepModels(parent Session, rounds int) Session {
	seats := s.Seats
	if s.SeatChanges = nil; rounds == 0 {
		return s
	}
	s.Seats, s.SeatChanges = parent.Seats, parent.SeatChanges
	for i, now := range seats {
		if was := s.Seats[i]; !sameModel(was, now) {
			s.SeatChanges = append(slices.Clip(s.SeatChanges), SeatChange{Round: rounds + 1, Agent: now.ID, Was: was, Now: now})
		}
	}
	return s
}

func (p ForkPlan) ledgerOf(s Session) ([]ledger.Event, error) {
	for _, id := range p.Facts {
		if r, ok := s.Request(id); !ok || len(r.Delivered) == 0 {
			return nil, refusal("%s cannot be copied: debate %s has sent no answer to it. What is saved comes along by itself.", id, s.ID)
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
		another := slices.ContainsFunc(p.Answers, func(sub ledger.Submission) bool { return sub.Request == r.ID })
		if !another && !slices.Contains(p.Omitted, r.ID) {
			events = append(events, answers...)
		}
	}
	answers, err := ledger.Fold(events).Answer(p.Answers...)
	if err != nil {
		return nil, refusal("%v", err)
	}
	return append(events, answers...), nil
}

// checkAnswer refuses an answer to a request that the fork does not have, or that the copied rounds have seen.
func (p ForkPlan) checkAnswer(s Session, sub ledger.Submission) error {
	r, ok := s.Request(sub.Request)
	switch {
	case !ok:
		return refusal("There is no question %s in debate %s.", sub.Request, s.ID)
	case r.Round > p.Round && !slices.Contains(p.Facts, r.ID):
		return refusal("%s was asked in round %d: a fork after round %d does not have it, unless it is copied as a fact.",
			r.ID, r.Round, p.Round)
	}
	if err := p.checkUnseen(r); err != nil {
		return err
	}
	if a, known := r.Sent(); known && a.Outcome == sub.Outcome && a.Content == strings.TrimSpace(sub.Content) {
		return refusal("%s has this answer already.", r.ID)
	}
	return nil
}

func (p ForkPlan) checkUnseen(r ledger.Request) error {
	seen := r.FirstDelivery()
	if seen == 0 || seen > p.Round {
		return nil
	}
	return refusal("The answer to %s was sent with round %d, which a fork after round %d copies. To change it, fork from round %d.",
		r.ID, seen, p.Round, seen-1)
}

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
			Request: r.ID, Type: ledger.EventAsk, Actor: string(t.Agent), Turn: t, Call: call, At: a.At,
			Payload: ledger.Payload{Query: a.Query, Reason: a.Reason, Priority: a.Priority, FollowUpOf: r.FollowUpOf, Reply: &a.Reply},
		}
		asks = append(asks, e)
		if a.Withdrawn {
			e.Type, e.Payload = ledger.EventWithdraw, ledger.Payload{}
			asks = append(asks, e)
		}
	}
	sent := slices.DeleteFunc(slices.Clone(r.Delivered), func(d ledger.Delivery) bool { return d.Round > round && !ticked })
	for _, a := range r.Answers {
		later := func(d ledger.Delivery) bool { return d.Revision >= a.Revision }
		if len(r.Delivered) > 0 && !slices.ContainsFunc(sent, later) { // else it was saved, and sent with no round yet
			break
		}
		answers = append(answers, ledger.Event{
			Request: r.ID, Type: ledger.EventAnswer, Actor: ledger.User, At: a.At,
			Payload: ledger.Payload{Revision: a.Revision, Outcome: a.Outcome, Content: a.Content, Source: a.Source, By: a.Author},
		})
		for _, d := range sent {
			if d.Revision == a.Revision {
				answers = append(answers, ledger.Event{
					Request: r.ID, Type: ledger.EventRelease, Actor: ledger.User,
					Payload: ledger.Payload{Revision: d.Revision, Round: min(d.Round, round+1)},
				})
			}
		}
	}
	return asks, answers
}
