package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
)

var morning = time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)

// forum is a session that is played by hand, without an engine or a store.
type forum struct {
	testing.TB
	debate.Session
	asked int
}

func newForum(t testing.TB, mode string, rounds int, names ...string) *forum {
	t.Helper()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, mode)
	if err != nil {
		t.Fatal(err)
	}
	f := &forum{TB: t, Session: debate.Session{ID: "k7m2", Topic: "Should the service be split?", Mode: m, Rounds: rounds, Nonce: "a secret", ConfigHash: "cfg"}}
	for _, name := range names {
		f.Seats = append(f.Seats, agents.Profile{ID: agents.ID(strings.ToLower(name)), Name: name, Provider: "p", Model: "m-" + name})
	}
	return f
}

// begin starts the next round as a store does.
func (f *forum) begin(focus string) {
	f.Helper()
	m, release, err := f.Begin(focus)
	if err != nil {
		f.Fatal(err)
	}
	f.Requests = ledger.Ledger{Requests: f.Requests}.Apply(release...).Requests
	f.History = append(slices.Clone(f.History), debate.Round{Number: m.Round, Manifest: m, Hash: m.Hash(), Began: morning})
}

func (f *forum) end() { f.Current().Ended = morning.Add(time.Hour) }

// step is the one in which a seat speaks.
func (f *forum) step(seat agents.ID) debate.Step {
	for _, s := range f.Mode.Steps(f.Current().Manifest.Seats, f.Current().Number, f.Rounds) {
		if slices.Contains(s.Seats, seat) {
			return s
		}
	}
	f.Fatalf("%s speaks in no step", seat)
	return debate.Step{}
}

func (f *forum) turn(seat agents.ID) debate.Response {
	_, n := f.Seat(seat)
	role, _ := f.Mode.RoleOf(n, len(f.Seats))
	return debate.Response{
		Turn: agents.Turn{Session: f.ID, Round: f.Current().Number, Step: f.step(seat).Index, Attempt: 1, Agent: seat},
		Role: role.Name, State: debate.TurnDone, Finish: agents.FinishStop, Statement: debate.Statement{Body: "So."},
	}
}

func (f *forum) say(seat agents.ID, text string) {
	x := f.turn(seat)
	x.Statement = debate.ParseStatement(text)
	f.Current().Responses = append(f.Current().Responses, x)
}

func (f *forum) fail(seat agents.ID) {
	x := f.turn(seat)
	x.State, x.Failure = debate.TurnFailed, &debate.Failed{Kind: agents.KindBusy, Cause: "the server exploded"}
	f.Current().Responses = append(f.Current().Responses, x)
}

// round plays a whole round in which every seat says the same.
func (f *forum) round(text string) {
	f.Helper()
	f.begin("")
	for _, p := range f.Seats {
		f.say(p.ID, text)
	}
	f.end()
}

func (f *forum) ask(seat agents.ID, q ledger.Question) {
	f.Helper()
	f.asked++
	l := ledger.Ledger{Requests: f.Requests}
	q.Reason = "It decides."
	_, events, err := l.Ask(f.turn(seat).Turn, fmt.Sprint("t", f.asked), q, ledger.DefaultCaps)
	if err != nil {
		f.Fatal(err)
	}
	f.Requests = l.Apply(events...).Requests
}

func (f *forum) answer(sub ledger.Submission) {
	f.Helper()
	l := ledger.Ledger{Requests: f.Requests}
	events, err := l.Answer(sub)
	if err != nil {
		f.Fatal(err)
	}
	f.Requests = l.Apply(events...).Requests
}

// snapshot is what a seat sees in the round under way: what the round started
// from, and the earlier steps.
func (f *forum) snapshot(seat agents.ID) prompt.Snapshot {
	f.Helper()
	snap, err := prompt.NewSnapshot(f.Session, f.Current().Number)
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range f.Current().Latest() {
		if x.Turn.Step < f.step(seat).Index {
			snap = snap.With([]debate.Response{x})
		}
	}
	return snap
}

func (f *forum) prompt(seat agents.ID) prompt.Prompt {
	f.Helper()
	who, n := f.Seat(seat)
	if n == 0 {
		f.Fatalf("there is no seat %s", seat)
	}
	return prompt.Member(f.Mode, f.snapshot(seat), f.step(seat), who)
}

// user is the user message that a seat is sent.
func (f *forum) user(seat agents.ID) string {
	f.Helper()
	return f.prompt(seat).Messages()[1].Text
}

// page shows a prompt for a golden file.
func page(p prompt.Prompt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "=== system\n%s\n", p.System)
	for _, part := range p.User {
		fmt.Fprintf(&b, "\n=== user: %s\n%s\n", part.Title, part.Text)
	}
	return b.String()
}

// structured adds a structured part to a text.
func structured(text, position, stance string, confidence float64) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\": %q, \"confidence\": %v, \"stance\": %q, \"citations\": [], \"context_used\": []}\n```", text, position, confidence, stance)
}

func builtinMode(t testing.TB, name string) debate.Mode {
	t.Helper()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
