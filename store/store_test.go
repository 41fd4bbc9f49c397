package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// clock is a source of times that differ.
func clock() func() time.Time {
	var ticks atomic.Int64
	return func() time.Time { return noon.Add(time.Duration(ticks.Add(1)) * time.Second) }
}

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// lineOf is the line of a list: a side that everybody holds, and how many answers there are.
func lineOf(s debate.Session) (string, debate.Side, []string) {
	answers := 0
	for _, q := range s.Requests {
		answers += len(q.Answers)
	}
	return fmt.Sprintf("No, 3 of 3 · %d answers", answers), debate.SideNo, []string{fmt.Sprintf("prompt cut after %d replies", answers)}
}

// openAt opens a store that closes with the test.
func openAt(t *testing.T, path string) *store.Store {
	t.Helper()
	return openWith(t, path, store.Options{Now: clock(), Line: lineOf})
}

func openWith(t *testing.T, path string, o store.Options) *store.Store {
	t.Helper()
	s := must.Get(store.Open(t.Context(), path, o))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	return s
}

func openNew(t *testing.T) *store.Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "roundtable.db"))
}

// panel is a session of three seats that nobody has stored yet.
func panel() debate.Session {
	price := 1.5
	return debate.Session{
		Topic: "Should billing move to SQLite?", Question: debate.QuestionYesNo,
		Mode: debate.Mode{
			Name: "expert-panel", Summary: "each seat in one perspective", MinSeats: 2, MaxSeats: 8, Rounds: 2,
			Order: debate.Parallel, Rules: "r", First: "f", Later: "l", Last: "z",
		},
		Seats: []agents.Profile{
			{ID: "ada", Name: "Ada", Provider: "openai", Model: "m1", Persona: "Careful.", PriceIn: &price, PriceOut: &price},
			{ID: "brook", Name: "Brook", Provider: "anthropic", Model: "m2"},
			{ID: "cy", Name: "Cy", Provider: "ollama", Model: "m3"},
		},
		Rounds: 2, Caps: ledger.DefaultCaps, Budget: debate.Budget{USD: 0.5}, ConfigHash: "c0ffee",
	}
}

func create(t *testing.T, s *store.Store) debate.Session {
	t.Helper()
	return must.Get(s.Create(t.Context(), panel()))(t)
}

// newDebate opens a new store and creates a session in it.
func newDebate(t *testing.T) (s *store.Store, id string) {
	t.Helper()
	s = openNew(t)
	return s, create(t, s).ID
}

// refused reports whether an error says that a database cannot be opened, and what to do.
func refused(err error, path string) bool {
	return err != nil && strings.HasPrefix(err.Error(), "Cannot open "+path+": ") &&
		strings.Contains(err.Error(), ". Nothing was changed. ") && strings.HasSuffix(err.Error(), ".")
}

func seat(session string, round int, id agents.ID) agents.Turn {
	return agents.Turn{Session: session, Round: round, Attempt: 1, Agent: id}
}

func beginRound(t testing.TB, s *store.Store, session string, round int) {
	t.Helper()
	must.Get(s.BeginRound(t.Context(), session, round))(t)
}

// beginCall begins a member's turn with its first request.
func beginCall(t testing.TB, s *store.Store, turn agents.Turn) {
	t.Helper()
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForMember}))
	must.Do(t, s.BeginCall(t.Context(), turn, debate.ForMember, 1, agents.Request{}))
}

// speak plays a whole turn of one completion.
func speak(t *testing.T, s *store.Store, turn agents.Turn, text string) debate.TurnEnd {
	t.Helper()
	ctx := t.Context()
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn, SnapshotHash: "h"}, Purpose: debate.ForMember}))
	request := agents.Request{Model: "m", Messages: []agents.Message{{Role: agents.User, Text: "go"}}}
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 1, request))
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: turn, Text: text[:len(text)/2]}}))
	cost := 0.25
	final := agents.Completion{Text: text, Finish: agents.FinishStop, Usage: agents.Usage{Input: 10, Output: 5}}
	e := debate.TurnEnd{Purpose: debate.ForMember, Final: &final, FinalCost: &cost, Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: text, Vote: "yes"},
		Finish: agents.FinishStop, Usage: final.Usage, Cost: &cost, Calls: 1,
	}}
	must.Get(s.EndTurn(ctx, e))(t)
	return e
}

func ask(t *testing.T, s *store.Store, turn agents.Turn, call, query string, p ledger.Priority) debate.AskResult {
	t.Helper()
	return must.Get(s.Ask(t.Context(), turn, call, ledger.Question{Query: query, Reason: "it decides", Priority: p}, ledger.DefaultCaps))(t)
}

// playRound begins a round, lets everybody speak and ends it.
func playRound(t *testing.T, s *store.Store, id string, round int) debate.Session {
	t.Helper()
	beginRound(t, s, id, round)
	for _, who := range []agents.ID{"ada", "brook", "cy"} {
		speak(t, s, seat(id, round, who), "I hold that "+string(who)+" is right.")
	}
	return must.Get(s.EndRound(t.Context(), id, round, nil, debate.NotStopped))(t)
}

func get(t *testing.T, s *store.Store, id string) debate.Session {
	t.Helper()
	return must.Get(s.Session(t.Context(), id))(t)
}

func answer(t *testing.T, s *store.Store, id, request, text string) {
	t.Helper()
	must.Get(s.Answer(t.Context(), id, ledger.Submission{Request: request, Outcome: ledger.Answered, Content: text}))(t)
}

// correct corrects an answer that was released.
func correct(t *testing.T, s *store.Store, id, request, text string) {
	t.Helper()
	must.Get(s.Answer(t.Context(), id, ledger.Submission{Request: request, Outcome: ledger.Answered, Content: text, Correct: true}))(t)
}

func TestCreate_returnsWhatIsReadBack(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := panel()
	in.Chair, in.Light = &agents.Profile{ID: "chair", Name: "Chair"}, nil
	got := must.Get(s.Create(t.Context(), in))(t)
	if len(got.ID) != 10 || len(got.Nonce) < 32 || got.Created.IsZero() {
		t.Errorf("id %q, nonce %q, created %v", got.ID, got.Nonce, got.Created)
	}
	want := in
	want.ID, want.Nonce, want.Created, want.Updated = got.ID, got.Nonce, got.Created, got.Updated
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(got, get(t, s, got.ID)); diff != "" {
		t.Error(diff)
	}
	if got.Status() != debate.Drafted {
		t.Error(got.Status())
	}
}

func TestBeginRound_passesTheGate(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	a := ask(t, s, turn, turn.ToolCall(1), "What is the write rate?", ledger.Required)
	ask(t, s, turn, turn.ToolCall(2), "Who reads it?", ledger.Optional)
	speak(t, s, turn, "It depends.")
	must.Get(s.EndRound(t.Context(), id, 1, nil, debate.NotStopped))(t)

	var blocked *debate.BlockedError
	_, err := s.BeginRound(t.Context(), id, 2)
	if !errors.As(err, &blocked) || len(blocked.Requests) != 1 || blocked.Requests[0].ID != "C1" {
		t.Fatalf("err = %v", err)
	}
	d := get(t, s, id)
	if len(d.History) != 1 || d.Status() != debate.NeedsContext {
		t.Errorf("after the refusal: %d rounds, %s", len(d.History), d.Status())
	}

	answer(t, s, id, a.Request.ID, "1,900 a day")
	d = must.Get(s.BeginRound(t.Context(), id, 2))(t)
	m := d.History[1].Manifest
	if diff := cmp.Diff([]debate.FactRef{{ID: "C1", Revision: 1}}, m.Facts); diff != "" {
		t.Error(diff)
	}
	if d.History[1].Hash != m.Hash() {
		t.Error("the hash is not the manifest's")
	}
	if r, _ := d.Request("C1"); r.State != ledger.Released {
		t.Errorf("C1 is %s", r.State)
	}
	if r, _ := d.Request("C2"); r.State != ledger.Pending {
		t.Errorf("C2 is %s", r.State)
	}
}

func TestEndTurn_keepsTheStatementAndDropsTheJournal(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	e := speak(t, s, seat(id, 1, "ada"), "Move, behind a single writer.")
	got := get(t, s, id).History[0].Responses
	want := e.Response
	want.SnapshotHash, want.Passages = "h", []debate.Passage{{Text: "Move, behind a single writer."}}
	if diff := cmp.Diff([]debate.Response{want}, got, cmpopts.IgnoreFields(debate.Response{}, "Began", "Ended")); diff != "" {
		t.Error(diff)
	}
}

// panelLater is a clock that goes after every other one of these tests.
func panelLater() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func light(session string, round, attempt int) agents.Turn {
	return agents.Turn{Session: session, Round: round, Step: debate.SummaryStep, Attempt: attempt, Agent: "ada"}
}

// digest plays a turn of the light model that makes a summary.
func digest(t *testing.T, s *store.Store, turn agents.Turn, d debate.StatementSummary) error {
	t.Helper()
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForLight}))
	must.Do(t, s.BeginCall(t.Context(), turn, debate.ForLight, 1, agents.Request{Model: "small"}))
	cost := 0.01
	final := agents.Completion{Text: d.Text, Finish: agents.FinishStop, Usage: agents.Usage{Input: 40, Output: 10}}
	_, err := s.EndTurn(t.Context(), debate.TurnEnd{
		Purpose: debate.ForLight, Final: &final, FinalCost: &cost, Summary: &d,
		Response: debate.Response{Turn: turn, State: debate.TurnDone, Usage: final.Usage, Cost: &cost, Calls: 1, Ended: noon},
	})
	return err
}

func TestFitting_isReadBackWithItsTurn(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := panel()
	in.Fit = debate.FitOptions{Share: 0.8, EvidenceTokens: 2000}
	d := must.Get(s.Create(t.Context(), in))(t)
	if !cmp.Equal(d.Fit, in.Fit) {
		t.Errorf("fit = %+v", d.Fit)
	}
	beginRound(t, s, d.ID, 1)
	want := &debate.ContextFit{Limit: 4000, Tokens: 3900, Excerpts: []debate.Excerpt{
		{Response: "r1.s0.ada.a1", Form: debate.FormSummary, SummaryKey: "ab", OriginalLength: 900, Length: 200},
	}}
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: seat(d.ID, 1, "ada"), ContextFit: want}}))
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: seat(d.ID, 1, "brook")}}))
	got := get(t, s, d.ID).History[0].Responses
	if diff := cmp.Diff(want, got[0].ContextFit); diff != "" || got[1].ContextFit != nil {
		t.Errorf("fittings: %s, %+v", diff, got[1].ContextFit)
	}
}

func TestDigest_standsWithTheEndOfItsTurnOnceAndGoesAlongWithForks(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	speak(t, s, seat(id, 1, "ada"), "Yes.")
	want := debate.StatementSummary{
		Response: "r1.s0.ada.a1", Hash: "h", Model: "small", Version: 1, Text: "Short.", OriginalLength: 900, Length: 6,
		At: time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC),
	}
	must.Do(t, digest(t, s, light(id, 1, 1), want))
	again := want
	again.Text = "Another."
	must.Do(t, digest(t, s, light(id, 1, 2), again))
	d := get(t, s, id)
	if diff := cmp.Diff([]debate.StatementSummary{want}, d.Summaries); diff != "" {
		t.Errorf("summaries:\n%s", diff)
	}
	spent := 0.02
	auxiliary := []debate.Spending{{Purpose: debate.ForLight, Calls: 2, Usage: agents.Usage{Input: 80, Output: 20}, Cost: &spent}}
	if diff := cmp.Diff(auxiliary, d.AuxiliarySpending); diff != "" || d.LightAttempt != 2 || d.ChairTurns != 0 ||
		len(d.History[0].Responses) != 1 {
		t.Errorf("attempt %d of the light model, auxiliary:\n%s", d.LightAttempt, diff)
	}
	must.Get(s.EndRound(t.Context(), id, 1, nil, debate.NotStopped))(t)
	for round, n := range []int{0, 1} {
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: round}))(t)
		if len(fork.Summaries) != n || len(fork.AuxiliarySpending) != 0 {
			t.Errorf("a fork at %d has the summaries %+v and auxiliary %+v", round, fork.Summaries, fork.AuxiliarySpending)
		}
	}
}

func TestNote_keepsSeveralTogetherInTheirOrderOrNone(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "cut", Text: "One."}, debate.Notice{Code: "cut", Text: "Two.", At: noon}))
	must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "c", Text: "Three.", Agent: "ada", Round: 2}))
	got := get(t, s, id).Notices
	if len(got) != 3 || got[0].Text != "One." || got[0].At.IsZero() || !got[1].At.Equal(noon) || got[2].Agent != "ada" || got[2].Round != 2 {
		t.Errorf("notices = %+v", got)
	}
	if err := s.Note(t.Context(), "zzzzzzzzzz", debate.Notice{Code: "a"}, debate.Notice{Code: "b"}); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("err = %v", err)
	}
}

func TestToolDefinitions_areKeptAsTheyWereApprovedLast(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	write, changed := `{"name":"write"}`, `{"name":"read","description":"and write"}`
	must.Do(t, s.ApproveTools(t.Context(), "files", map[string]string{"write\x1b": write, "read": `{"name":"read"}`}))
	must.Do(t, s.ApproveTools(t.Context(), "other", map[string]string{"read": `{}`}))
	must.Do(t, s.ApproveTools(t.Context(), "files", map[string]string{"read": changed}))
	must.Do(t, s.Close())

	s = openAt(t, path)
	got := must.Get(s.ApprovedTools(t.Context(), "files"))(t)
	if diff := cmp.Diff(map[string]string{"write\x1b": write, "read": changed}, got); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
	if none, err := s.ApprovedTools(t.Context(), "unknown"); err != nil || len(none) != 0 {
		t.Errorf("of an unknown server: %v, %v", none, err)
	}
}
