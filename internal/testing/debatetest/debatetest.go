// Package debatetest helps tests to build sessions without an engine or a store.
//
// It imports debate, debate/ledger, debate/modes, debate/prompt, agents and internal/testing/must, and is
// imported by tests alone.
package debatetest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/internal/testing/must"
)

// Began is when every round of a Scenario begins.
var Began = time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)

// Scenario is a session that a test plays step by step. What cannot be done fails
// the test.
type Scenario struct {
	testing.TB
	debate.Session
	asked int
}

// New returns a session of a built-in mode with a seat for every name.
func New(t testing.TB, mode string, rounds int, names ...string) *Scenario {
	t.Helper()
	f := &Scenario{TB: t, Session: debate.Session{
		ID: "k7m2", Topic: "Should the service be split?", Mode: Mode(t, mode), Rounds: rounds, Nonce: "a secret", ConfigHash: "cfg",
		Created: Began, Caps: ledger.DefaultCaps,
	}}
	for _, name := range names {
		f.Seats = append(f.Seats, agents.Profile{ID: agents.ID(strings.ToLower(name)), Name: name, Provider: "p", Model: "m-" + name})
	}
	return f
}

// Mode returns the built-in mode of that name.
func Mode(t testing.TB, name string) debate.Mode {
	t.Helper()
	return must.Get(modes.Find(must.Get(modes.Builtin())(t), name))(t)
}

// Clone returns a copy whose rounds can be changed apart from the original's.
func (f *Scenario) Clone() *Scenario {
	c := *f
	c.History = slices.Clone(f.History)
	return &c
}

// BeginRound starts the next round as a store does.
func (f *Scenario) BeginRound(focus string) {
	f.Helper()
	m, release, err := f.Begin(debate.Focus{Text: focus})
	must.Do(f, err)
	f.Requests = ledger.Ledger{Requests: f.Requests}.Apply(release...).Requests
	f.History = append(slices.Clone(f.History), debate.Round{Number: m.Round, Manifest: m, Hash: m.Hash(), Began: Began})
}

// EndRound ends the round under way.
func (f *Scenario) EndRound() { f.Current().Ended = Began.Add(time.Hour) }

// PlayRound plays a whole round in which every seat says the same.
func (f *Scenario) PlayRound(text string) {
	f.Helper()
	f.BeginRound("")
	f.FinishRound(text)
}

// FinishRound has every seat say the same in the round under way, and ends it.
func (f *Scenario) FinishRound(text string) {
	f.Helper()
	for _, p := range f.Seats {
		f.Say(p.ID, text)
	}
	f.EndRound()
}

// StepOf returns the first step of the round in which a seat speaks.
func (f *Scenario) StepOf(seat agents.ID) debate.Step {
	for _, s := range f.Mode.Steps(f.Current().Manifest.Seats, f.Current().Number, f.Rounds) {
		if slices.Contains(s.Seats, seat) {
			return s
		}
	}
	f.Fatalf("%s speaks in no step", seat)
	return debate.Step{}
}

// Response returns a seat's finished turn in the round under way, without adding it.
func (f *Scenario) Response(seat agents.ID) debate.Response {
	step := f.StepOf(seat)
	step.Phase = ""
	x := f.attempt(step, seat, 1)
	x.State, x.Finish, x.Statement.Body = debate.TurnDone, agents.FinishStop, "So."
	return x
}

// Say adds a seat's statement to the round under way.
func (f *Scenario) Say(seat agents.ID, text string) {
	x := f.Response(seat)
	x.Statement = statement.Parse(text)
	f.Current().Responses = append(f.Current().Responses, x)
}

// SayInStep adds what a seat says in a step, with the structured part that the step
// asks for.
func (f *Scenario) SayInStep(step debate.Step, seat agents.ID) {
	f.Helper()
	who, n := f.Seat(seat)
	role, _ := f.Mode.RoleOf(n, len(f.Seats))
	side := []string{"yes", "no", "undecided"}[n%3]
	if role.Fixed || f.Mode.Votes != "" && step.Phase == "" && role.Stance != "" {
		side = string(role.Stance)
	}
	text := Statement(fmt.Sprintf("%s speaks in round %d, step %d.", who.Name, f.Current().Number, step.Index),
		"What "+who.Name+" holds.", side, 0.5+float64(n)/10)
	asked := f.Mode.Phase(step.Phase).Asks
	switch asked {
	case debate.AsksRanking:
		text = strings.Replace(text, `"citations"`, fmt.Sprintf(`"ranking": ["%s %d"], "citations"`, f.Mode.Label, n%3+1), 1)
	case debate.AsksFindings:
		where := []string{"F1:7", "F1:6", "F1:900", "all of db", "F1:5"}[n%5] // there is no line 900
		lists := fmt.Sprintf(`"findings": [{"title": "Leak of %s", "where": %q, "severity": "high", "why": "It is not closed."}]`,
			who.Name, where)
		if f.Current().Number > 1 {
			lists = fmt.Sprintf(`"findings": [], "judgements": [{"finding": "H%d", "true": "yes", "why": "Nothing closes it."}]`,
				n%len(f.Seats)+1)
		}
		text = strings.Replace(text, `"citations"`, lists+`, "citations"`, 1)
	case debate.AsksConcerns:
		text = strings.Replace(text, `"citations"`, `"concerns": [{"title": "A figure is missing", "why": "It decides."}], "citations"`, 1)
	case debate.AsksReplies:
		const reply = `"replies": [{"concern": "H1", "does": "accept", "reason": "It is there now."}]`
		text = strings.Replace(text, `"citations"`, reply+`, "citations"`, 1)
	case debate.AsksStance, debate.AsksVote:
	}
	x := f.attempt(step, seat, 1)
	x.State, x.Finish, x.Statement = debate.TurnDone, agents.FinishStop, statement.Parse(text)
	if asked != debate.AsksRanking {
		f.nameSide(&x.Statement, n)
	}
	f.Current().Responses = append(f.Current().Responses, x)
}

// FailInStep adds a seat's failed attempt to a step.
func (f *Scenario) FailInStep(step debate.Step, seat agents.ID, attempt int, cause string) {
	x := f.attempt(step, seat, attempt)
	x.State, x.Failure = debate.TurnFailed, &debate.TurnFailure{Kind: agents.KindBusy, Cause: cause}
	f.Current().Responses = append(f.Current().Responses, x)
}

// attempt returns an attempt of a seat in a step of the round under way.
func (f *Scenario) attempt(step debate.Step, seat agents.ID, attempt int) debate.Response {
	_, n := f.Seat(seat)
	role, _ := f.Mode.RoleOf(n, len(f.Seats))
	return debate.Response{
		Turn: agents.Turn{Session: f.ID, Round: f.Current().Number, Step: step.Index, Attempt: attempt, Agent: seat},
		Role: role.Name, Phase: step.Phase,
	}
}

// nameSide gives a seat's statement a label or an estimate where the question asks for
// one.
func (f *Scenario) nameSide(st *debate.Statement, seat int) {
	switch f.Question {
	case debate.QuestionOpen:
		st.Vote = []string{"yes", "split the billing", "keep it whole"}[seat%3]
	case debate.QuestionChoice:
		st.Vote = f.Mode.Options[seat%len(f.Mode.Options)]
	case debate.QuestionEstimate:
		low := float64(seat)
		st.Vote, st.Low = fmt.Sprint(4*seat), &low
	case debate.QuestionYesNo, debate.QuestionUnset:
	}
}

// FailTurn adds a seat's failed turn to the round under way.
func (f *Scenario) FailTurn(seat agents.ID) {
	f.FailInStep(f.StepOf(seat), seat, 1, "the server exploded")
}

// Ask puts a seat's question into the ledger.
func (f *Scenario) Ask(seat agents.ID, q ledger.Question) {
	f.Helper()
	f.asked++
	l := ledger.Ledger{Requests: f.Requests}
	q.Reason = "It decides."
	_, events, err := l.Ask(f.Response(seat).Turn, fmt.Sprint("t", f.asked), q, ledger.DefaultCaps)
	must.Do(f, err)
	f.Requests = l.Apply(events...).Requests
}

// Answer records an answer of the user.
func (f *Scenario) Answer(sub ledger.Submission) {
	f.Helper()
	l := ledger.Ledger{Requests: f.Requests}
	sub.By = cmp.Or(sub.By, ledger.Author{Kind: ledger.Person})
	f.Requests = l.Apply(must.Get(l.Answer(sub))(f)...).Requests
}

// Bring adds evidence of the user, which comes with the next round.
func (f *Scenario) Bring(list ...debate.Evidence) {
	f.Helper()
	f.Evidence = must.Get(debate.AddEvidence(f.Evidence, list))(f)
}

// MustRequest returns the context request with that id.
func (f *Scenario) MustRequest(id string) ledger.Request {
	r, ok := f.Request(id)
	if !ok {
		f.Fatalf("there is no %s", id)
	}
	return r
}

// Snapshot returns what a seat may see in the round under way: what the round
// started from, and the steps before the seat's.
func (f *Scenario) Snapshot(seat agents.ID) prompt.Snapshot {
	f.Helper()
	return f.SnapshotBefore(f.StepOf(seat))
}

// SnapshotBefore returns the snapshot that a step of the round under way starts from.
func (f *Scenario) SnapshotBefore(step debate.Step) prompt.Snapshot {
	f.Helper()
	snap := must.Get(prompt.NewSnapshot(f.Session, f.Current().Number))(f)
	for _, x := range f.Current().Latest() {
		if x.Turn.Step < step.Index {
			snap = snap.With([]debate.Response{x})
		}
	}
	return snap.WithRequests(f.Requests)
}

// Prompt returns the prompt of a seat in the round under way.
func (f *Scenario) Prompt(seat agents.ID) prompt.Prompt {
	f.Helper()
	who, n := f.Seat(seat)
	if n == 0 {
		f.Fatalf("there is no seat %s", seat)
	}
	return prompt.Member(f.Mode, f.Snapshot(seat), f.StepOf(seat), who)
}

// UserMessage returns the user message of a seat's prompt.
func (f *Scenario) UserMessage(seat agents.ID) string {
	f.Helper()
	return f.Prompt(seat).Messages()[1].Text
}

// Statement returns a text that ends with a structured part.
func Statement(text, position, stance string, confidence float64) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\": %q, \"confidence\": %v, \"vote\": %q, \"citations\": [], "+
		"\"context_used\": []}\n```", text, position, confidence, stance)
}

// Prose returns n characters of text in which every sentence names a word.
func Prose(word string, n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, "This is what %s thinks in sentence %d. ", word, i)
	}
	return strings.TrimSpace(b.String()[:n-1]) + "."
}

// RenderPrompt renders a prompt with its parts for a golden file.
func RenderPrompt(p prompt.Prompt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "=== system\n%s\n", p.System)
	for _, part := range p.User {
		fmt.Fprintf(&b, "\n=== user: %s\n%s\n", part.Title, part.Text)
	}
	return b.String()
}

// Block is a fenced block of foreign text in a prompt.
type Block struct{ Marker, Label, Text string }

var opening = regexp.MustCompile(`^([0-9a-f]{12}) (.+)$`)

// ReadBlocks takes a prompt apart as a careful reader does, for whom a block ends at
// the first line with the marker it began with. It returns the blocks and the text
// outside of them.
func ReadBlocks(t testing.TB, text string) (blocks []Block, outside string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := opening.FindStringSubmatch(lines[i])
		if m == nil {
			outside += lines[i] + "\n"
			continue
		}
		var body []string
		for i++; i < len(lines) && lines[i] != m[1]+" end"; i++ {
			body = append(body, lines[i])
		}
		if i == len(lines) {
			t.Fatalf("the block %q does not end:\n%s", m[2], text)
		}
		blocks = append(blocks, Block{Marker: m[1], Label: m[2], Text: strings.Join(body, "\n")})
	}
	return blocks, outside
}
