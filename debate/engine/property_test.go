package engine_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// debateMachine plays a debate at random: seats that ask, fail or speak, and a user who
// answers, takes back, corrects, retries, adds rounds and stops.
type debateMachine struct {
	*harness
	t       *rapid.T
	s       debate.Session
	mood    map[string]string // what each model does in the next turn
	names   []string
	blocked int
}

func (m *debateMachine) line(n int, req agents.Request) ([]agents.Chunk, error) {
	switch what, text, _ := strings.Cut(m.mood[req.Model], " "); what {
	case "fail":
		return replyFailing("down")(n, req)
	case "ask":
		return replyAsking(text, replyText("I asked."))(n, req)
	}
	return replyText("I speak.")(n, req)
}

// moods draws what every seat will do; they are read by the seats of the round only.
func (m *debateMachine) moods() {
	for _, name := range m.names {
		m.mood[name] = rapid.SampledFrom([]string{
			"speak", "speak", "fail", "ask What is it?", "ask what is IT",
			"ask Who is " + name + "?",
		}).Draw(m.t, name)
	}
}

// refresh reads the session back, twice: reading changes nothing.
func (m *debateMachine) refresh() {
	first, err := m.store.Session(m.t.Context(), m.s.ID)
	if err != nil {
		m.t.Fatal(err)
	}
	second, err := m.store.Session(m.t.Context(), m.s.ID)
	if err != nil {
		m.t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		m.t.Fatalf("two readings differ:\n%s", diff)
	}
	m.s = first
}

// Start plays what is next and holds the gate against what happened.
func (m *debateMachine) Start(t *rapid.T) {
	m.t = t
	m.moods()
	open := m.s.Unanswered()
	next := m.s.Next()
	sent := m.provider.count()
	_, _, err := drain(m.engine.Start(t.Context(), m.s))
	var blocked *debate.BlockedError
	var failed *debate.RoundFailedError
	switch {
	case next > 0 && len(open) > 0:
		if !errors.As(err, &blocked) || len(blocked.Requests) != len(open) {
			t.Fatalf("round %d began with %d required requests open: %v", next, len(open), err)
		}
		if m.provider.count() != sent {
			t.Fatal("a provider was called behind the gate")
		}
		m.blocked++
	case errors.As(err, &failed), err == nil:
	case errors.Is(err, debate.ErrNotReady) && m.s.Verdict != nil:
	default:
		t.Fatalf("play: %v", err)
	}
	m.refresh()
}

// Answer settles one request, in one way or another.
func (m *debateMachine) Answer(t *rapid.T) {
	if len(m.s.Requests) == 0 {
		t.Skip("nothing was asked")
	}
	r := rapid.SampledFrom(m.s.Requests).Draw(t, "request")
	sub := ledger.Submission{
		Request: r.ID,
		Outcome: rapid.SampledFrom([]ledger.Outcome{ledger.Answered, ledger.Unavailable}).Draw(t, "outcome"),
		Content: rapid.SampledFrom([]string{"", "  ", "an answer", "another"}).Draw(t, "content"),
		Correct: rapid.Bool().Draw(t, "correct"),
	}
	_, err := m.store.Answer(t.Context(), m.s.ID, sub)
	blank := strings.TrimSpace(sub.Content) == ""
	frozen := r.State == ledger.Released && !sub.Correct
	if refused := err != nil; refused != (blank || frozen || r.State == ledger.Withdrawn) {
		t.Fatalf("%+v of a %s request: %v", sub, r.State, err)
	}
	before := m.s
	m.refresh()
	if err != nil {
		if diff := cmp.Diff(before.Requests, m.s.Requests); diff != "" {
			t.Fatalf("a refused submission changed something:\n%s", diff)
		}
	}
}

// Retry runs a failed seat of the last round again.
func (m *debateMachine) Retry(t *rapid.T) {
	c := m.s.Current()
	if c == nil || c.Ended.IsZero() || m.s.Verdict != nil {
		t.Skip("no round has ended")
	}
	for _, x := range c.Latest() {
		if x.State == debate.TurnFailed {
			m.t = t
			m.moods()
			var failed *debate.RoundFailedError
			if _, _, err := drain(m.engine.Retry(t.Context(), m.s, x.Turn.Agent)); err != nil && !errors.As(err, &failed) {
				t.Fatal(err)
			}
			m.refresh()
			return
		}
	}
	t.Skip("nobody failed")
}

// GoOn ends a round that only one seat answered.
func (m *debateMachine) GoOn(t *rapid.T) {
	if !m.s.OpenRound().CanGoOn() {
		t.Skip("the round is not open")
	}
	m.t = t
	if _, _, err := drain(m.engine.GoOn(t.Context(), m.s)); err != nil {
		t.Fatal(err)
	}
	m.refresh()
	if m.s.Current().Ended.IsZero() {
		t.Fatalf("round %d is still open", m.s.Current().Number)
	}
}

// AddRounds plans more.
func (m *debateMachine) AddRounds(t *rapid.T) {
	if m.s.Rounds > 6 {
		t.Skip("enough rounds")
	}
	if _, err := m.store.AddRounds(t.Context(), m.s.ID, 1); err != nil {
		t.Fatal(err)
	}
	m.refresh()
}

// End stops at the gate.
func (m *debateMachine) End(t *rapid.T) {
	if c := m.s.Current(); c == nil || c.Ended.IsZero() || m.s.Verdict != nil {
		t.Skip("cannot end here")
	}
	stopped, err := m.store.Stop(t.Context(), m.s.ID, debate.StoppedByUser)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := drain(m.engine.Conclude(t.Context(), stopped)); err != nil {
		t.Fatal(err)
	}
	m.refresh()
	if m.s.Status() != debate.Stopped {
		t.Fatalf("after ending it is %s", m.s.Status())
	}
}

// Check holds what is true at every moment.
func (m *debateMachine) Check(t *rapid.T) {
	for i, r := range m.s.Requests {
		if want := fmt.Sprintf("C%d", i+1); r.ID != want {
			t.Fatalf("request %d is %s", i+1, r.ID)
		}
		for _, d := range r.Delivered {
			if a, ok := r.Revision(d.Revision); !ok || strings.TrimSpace(a.Content) == "" {
				t.Fatalf("%s was released for round %d without text", r.ID, d.Round)
			}
		}
		// A required request of an earlier round is answered, or the round after it does not exist.
		if r.Priority == ledger.Required && r.State == ledger.Pending && r.Asks[len(r.Asks)-1].Turn.Round < len(m.s.History) {
			t.Fatalf("%s, asked in round %d, is open in round %d", r.ID, r.Asks[len(r.Asks)-1].Turn.Round, len(m.s.History))
		}
	}
	for _, r := range m.s.History {
		if r.Hash != r.Manifest.Hash() {
			t.Fatalf("the manifest of round %d does not fit its hash", r.Number)
		}
	}
}

func TestGate_holdsForRandomDebates(t *testing.T) {
	if testing.Short() {
		t.Skip("random debates take long")
	}
	t.Parallel()
	limitRapidChecks(t)
	reached := 0
	rapid.Check(t, func(rt *rapid.T) {
		m := &debateMachine{t: rt, mood: map[string]string{}, names: []string{"a", "b", "c"}}
		m.harness = newHarness(t, map[string]replyFunc{"a": m.line, "b": m.line, "c": m.line})
		m.s = m.session("collaborative", rapid.IntRange(2, 4).Draw(rt, "rounds"), m.names...)
		rt.Repeat(rapid.StateMachineActions(m))
		reached += m.blocked
	})
	if reached == 0 {
		t.Error("no debate came to the gate")
	}
}

// limitRapidChecks has the default run play fewer random debates: each writes a database.
func limitRapidChecks(t *testing.T) {
	if os.Getenv("ROUNDTABLE_LONG") != "" {
		return
	}
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	if err := checks.Set("12"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := checks.Set(before); err != nil {
			t.Error(err)
		}
	})
}
