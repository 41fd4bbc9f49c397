package ledger_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// history drives a ledger at random and holds what must never change.
type history struct {
	*rapid.T
	ledger  ledger.Ledger
	events  []ledger.Event
	round   int
	calls   int
	frozen  map[string]ledger.Answer // by request and revision
	answers map[string][]ledger.Answer
}

// write numbers the events of an accepted step, applies them and folds all anew.
func (h *history) write(events []ledger.Event) {
	for _, e := range events {
		e.Seq = int64(len(h.events) + 1)
		h.events = append(h.events, e)
		h.ledger = h.ledger.Apply(e)
	}
	h.check()
}

func (h *history) turn() agents.Turn {
	return agents.Turn{
		Session: "s", Round: h.round, Step: rapid.IntRange(0, 1).Draw(h.T, "step"), Attempt: rapid.IntRange(1, 3).Draw(h.T, "attempt"),
		Agent: rapid.SampledFrom([]agents.ID{"ada", "brook", "cy"}).Draw(h.T, "agent"),
	}
}

func (h *history) id() string {
	return fmt.Sprint("C", rapid.IntRange(1, len(h.ledger.Requests)+1).Draw(h.T, "request"))
}

func (h *history) ask(*rapid.T) {
	h.calls++
	q := ledger.Question{
		Query:    rapid.SampledFrom([]string{"How many?", "how MANY", "Who?", "When?", "Where?", "Why?", ""}).Draw(h.T, "query"),
		Reason:   "r",
		Priority: rapid.SampledFrom([]ledger.Priority{ledger.Required, ledger.Optional, ""}).Draw(h.T, "priority"),
		Refresh:  rapid.Bool().Draw(h.T, "refresh"),
	}
	call := fmt.Sprint("t", rapid.IntRange(max(1, h.calls-3), h.calls).Draw(h.T, "call"))
	turn, before := h.turn(), len(h.ledger.Requests)
	reply, events, err := h.ledger.Ask(turn, call, q, ledger.Caps{PerRound: 2, PerSession: 6})
	h.write(events)
	if err != nil {
		if len(h.ledger.Requests) != before {
			h.Fatalf("a refused question was queued: %v", err)
		}
		return
	}
	again, more, err := h.ledger.Ask(turn, call, q, ledger.Caps{PerRound: 1, PerSession: 1})
	if len(events) > 0 && (err != nil || len(more) > 0 || again != reply) {
		h.Fatalf("the same call is told %+v, then %+v, %v with %d events", reply, again, err, len(more))
	}
	if r, ok := h.ledger.Find(reply.RequestID); !ok || len(events) > 0 && ledger.Key(q.Query) != ledger.Key(r.Query) {
		h.Fatalf("the reply %+v is to another question than %q", reply, q.Query)
	}
}

func (h *history) answer(*rapid.T) {
	var subs []ledger.Submission
	for range rapid.IntRange(1, 3).Draw(h.T, "submissions") {
		subs = append(subs, ledger.Submission{
			Request: h.id(),
			Outcome: rapid.SampledFrom([]ledger.Outcome{ledger.Answered, ledger.Unavailable}).Draw(h.T, "outcome"),
			Content: rapid.SampledFrom([]string{"1", "2", "3", " "}).Draw(h.T, "content"),
			Correct: rapid.Bool().Draw(h.T, "correct"),
		})
	}
	events, err := h.ledger.Answer(subs...)
	if err != nil {
		if len(events) > 0 {
			h.Fatalf("a refused submission leaves %d events", len(events))
		}
		return
	}
	h.write(events)
	for _, s := range subs {
		r, _ := h.ledger.Find(s.Request)
		if a, ok := r.Answer(); !ok || a.Content != s.Content || a.Outcome != s.Outcome || r.Blocks() {
			h.Fatalf("%s was answered %q and holds %+v", s.Request, s.Content, a)
		}
	}
}

func (h *history) reopen(*rapid.T) {
	if r, ok := h.ledger.Find(h.id()); ok {
		h.write([]ledger.Event{{Request: r.ID, Type: ledger.EventReopen, Actor: ledger.User}})
	}
}

// release ignores the gate: what is open must stay open all the same.
func (h *history) release(*rapid.T) {
	open := h.ledger.Blocking()
	h.round++
	events := h.ledger.Release(h.round)
	for _, e := range events {
		r, _ := h.ledger.Find(e.Request)
		if a, ok := r.Answer(); !ok || a.Revision != e.Payload.Revision {
			h.Fatalf("%s is released without its newest answer: %+v", e.Request, r)
		}
	}
	h.write(events)
	if now := h.ledger.Blocking(); !reflect.DeepEqual(open, now) {
		h.Fatalf("a release has changed what is open:\n%s", cmp.Diff(open, now))
	}
	if again := h.ledger.Release(h.round); len(again) > 0 {
		h.Fatalf("%d answers are released twice", len(again))
	}
}

func (h *history) supersede(*rapid.T) {
	events := h.ledger.Supersede(h.turn())
	for _, e := range events {
		if r, _ := h.ledger.Find(e.Request); r.State != ledger.Pending {
			h.Fatalf("an ask of %s is taken back, which is %s", e.Request, r.State)
		}
	}
	h.write(events)
}

func (h *history) expire(*rapid.T) {
	h.write(h.ledger.Expire())
	if open := h.ledger.Blocking(); len(open) > 0 {
		h.Fatalf("after the end there is still open: %+v", open)
	}
	if rapid.Bool().Draw(h.T, "more rounds") {
		h.write(h.ledger.Revive())
	}
}

// check holds what is true after every step.
func (h *history) check() {
	if folded := ledger.Fold(h.events); len(h.events) > 0 && !reflect.DeepEqual(folded, h.ledger) {
		h.Fatalf("all events at once and one by one differ:\n%s", cmp.Diff(folded, h.ledger))
	}
	for i, r := range h.ledger.Requests {
		if want := fmt.Sprint("C", i+1); r.ID != want {
			h.Fatalf("request %d is called %s, want %s", i+1, r.ID, want)
		}
		h.request(r)
	}
}

func (h *history) request(r ledger.Request) {
	live := slices.ContainsFunc(r.Asks, func(a ledger.Ask) bool { return !a.Withdrawn })
	required := slices.ContainsFunc(r.Asks, func(a ledger.Ask) bool { return !a.Withdrawn && a.Priority == ledger.Required })
	if required != (r.Priority == ledger.Required) {
		h.Fatalf("%s is %s, with the asks %+v", r.ID, r.Priority, r.Asks)
	}
	if (r.State == ledger.Withdrawn) == live && (r.State == ledger.Withdrawn || r.State == ledger.Pending) {
		h.Fatalf("%s is %s, with a live ask: %v", r.ID, r.State, live)
	}
	if (r.State == ledger.Released) != (len(r.Delivered) > 0) {
		h.Fatalf("%s is %s and was delivered %+v", r.ID, r.State, r.Delivered)
	}
	for _, d := range r.Delivered {
		a, ok := r.Revision(d.Revision)
		key := fmt.Sprint(r.ID, " revision ", d.Revision)
		was, known := h.frozen[key]
		if !ok || known && was != a {
			h.Fatalf("%s was released as %+v and is now %+v", key, was, a)
		}
		h.frozen[key] = a
	}
	if old := h.answers[r.ID]; len(r.Answers) < len(old) || !slices.Equal(old, r.Answers[:len(old)]) {
		h.Fatalf("the revisions of %s were %+v and are %+v", r.ID, old, r.Answers)
	}
	h.answers[r.ID] = slices.Clone(r.Answers)
}

func TestLedger_holdsItsPromisesWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{T: rt, round: 1, frozen: map[string]ledger.Answer{}, answers: map[string][]ledger.Answer{}}
		rt.Repeat(map[string]func(*rapid.T){
			"ask": h.ask, "ask more": h.ask, "answer": h.answer, "reopen": h.reopen, "release": h.release, "supersede": h.supersede,
			"expire": h.expire,
		})
	})
}
