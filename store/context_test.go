package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestAsk_ofTheSameCallIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	turn := seat(id, 1, "ada")
	first := ask(t, s, turn, "call", "What is the write rate?", ledger.Required)
	if !first.Fresh || first.Request.Joins("call") || first.Ask.Turn != turn || first.Request.ID != "C1" {
		t.Errorf("first: %+v", first)
	}
	again := ask(t, s, turn, "call", "What is the write rate?", ledger.Required)
	if again.Fresh || again.Reply != first.Reply || len(again.Request.Asks) != 1 {
		t.Errorf("again: %+v", again)
	}
	joined := ask(t, s, seat(id, 1, "cy"), "another", "what is the WRITE rate", ledger.Optional)
	if !joined.Fresh || !joined.Request.Joins("another") || joined.Reply.Status != ledger.StatusDuplicate || len(joined.Request.Asks) != 2 ||
		joined.Request.Priority != ledger.Required {
		t.Errorf("joined: %+v", joined)
	}
	if joined.Request.Seq <= first.Request.Seq {
		t.Errorf("seq %d after %d", joined.Request.Seq, first.Request.Seq)
	}
}

func TestAnswer_isTakenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id, stranger := create(t, s).ID, create(t, s).ID
	for i, query := range []string{"One?", "Two?"} {
		ask(t, s, seat(id, 1, "ada"), fmt.Sprint(i), query, ledger.Required)
	}
	ask(t, s, seat(stranger, 1, "ada"), "x", "Elsewhere 1?", ledger.Required)
	ok := ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "fine"}
	_, err := s.Answer(t.Context(), id, ok, ledger.Submission{Request: "C2", Outcome: ledger.Unavailable})
	if refused := (*ledger.SubmissionError)(nil); !errors.As(err, &refused) || !errors.Is(err, ledger.ErrBlank) {
		t.Fatalf("err = %v", err)
	}
	if n := len(get(t, s, id).Unanswered()); n != 2 {
		t.Errorf("%d are left", n)
	}
	if _, err := s.Answer(t.Context(), "zzzzzzzzzz", ok); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("of no session: %v", err)
	}
	gone := ledger.Submission{Request: "C2", Outcome: ledger.Unavailable, Content: "Finance has not decided."}
	got := must.Get(s.Answer(t.Context(), id, ok, gone))(t)
	if len(got) != 2 || got[0].State != ledger.Resolved || got[1].Answers[0].Outcome != ledger.Unavailable {
		t.Errorf("got %+v", got)
	}
	if n := len(get(t, s, id).Unanswered()); n != 0 {
		t.Errorf("%d are left", n)
	}
	if n := len(get(t, s, stranger).Unanswered()); n != 1 {
		t.Errorf("%d are left in the other session", n)
	}
}

func TestAnswer_aCorrectionIsSentWithTheNextRound(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	answer(t, s, id, "C1", "yes")
	answer(t, s, id, "C1", "no")
	playRound(t, s, id, 1)
	_, err := s.Answer(t.Context(), id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "yes after all"})
	if !errors.Is(err, ledger.ErrFrozen) {
		t.Errorf("after the release: %v", err)
	}
	correct(t, s, id, "C1", "yes after all")
	d := must.Get(s.BeginRound(t.Context(), id, 2))(t)
	if diff := cmp.Diff([]debate.FactRef{{ID: "C1", Revision: 3}}, d.History[1].Manifest.Facts); diff != "" {
		t.Error(diff)
	}
}

func TestDrafts_outliveTheProcessAndAnswerNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	id := create(t, s).ID
	for i, q := range []string{"One?", "Two?", "Three?"} {
		ask(t, s, seat(id, 1, "ada"), fmt.Sprint(i), q, ledger.Required)
	}
	ctx := t.Context()
	must.Do(t, s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "42 wri"}))
	must.Do(t, s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "42 writes", Source: "dashboard"}))
	must.Do(t, s.SaveDraft(ctx, id, "C2", debate.Draft{Text: "not decided", Unavailable: true, Other: "42"}))
	must.Do(t, s.SaveDraft(ctx, id, "C3", debate.Draft{Text: "gone"}))
	must.Do(t, s.SaveDraft(ctx, id, "C3", debate.Draft{}))
	must.Do(t, s.SaveDraft(ctx, id, "C3", debate.Draft{Unavailable: true, Other: "typed before ctrl+x"}))
	if err := s.SaveDraft(ctx, id, "C9", debate.Draft{Text: "x"}); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("of no request: %v", err)
	}
	must.Do(t, s.Close())

	s = openAt(t, path)
	d := get(t, s, id)
	want := map[string]debate.Draft{
		"C1": {Text: "42 writes", Source: "dashboard"}, "C2": {Text: "not decided", Unavailable: true, Other: "42"},
		"C3": {Unavailable: true, Other: "typed before ctrl+x"},
	}
	for k, v := range d.Drafts {
		if v.At.IsZero() {
			t.Errorf("%s has no time", k)
		}
		w := want[k]
		w.At = v.At
		want[k] = w
	}
	if diff := cmp.Diff(want, d.Drafts); diff != "" {
		t.Error(diff)
	}
	if len(d.Unanswered()) != 3 {
		t.Errorf("%d are left", len(d.Unanswered()))
	}
	answer(t, s, id, "C1", "42 writes a second")
	must.Do(t, s.SaveDraft(ctx, id, "C2", debate.Draft{}))
	must.Do(t, s.SaveDraft(ctx, id, "C3", debate.Draft{}))
	if d = get(t, s, id); len(d.Drafts) != 0 {
		t.Errorf("left: %v", d.Drafts)
	}
	if a, ok := d.Requests[0].Answer(); !ok || a.Content != "42 writes a second" {
		t.Errorf("answer %+v", a)
	}
}

func TestEndTurn_ofANewAttemptTakesBackOldAsks(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	first := seat(id, 1, "ada")
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: first}}))
	ask(t, s, first, first.ToolCall(1), "Asked again?", ledger.Required)
	ask(t, s, first, first.ToolCall(2), "Dropped?", ledger.Required)
	failed := debate.Response{Turn: first, State: debate.TurnFailed, Failure: &debate.TurnFailure{Kind: agents.KindBusy, Cause: "Busy."}}
	changed := must.Get(s.EndTurn(ctx, debate.TurnEnd{Response: failed}))(t)
	if len(changed) != 0 || len(get(t, s, id).Unanswered()) != 2 {
		t.Errorf("a failed turn changed %v", changed)
	}
	second := first
	second.Attempt = 2
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: second}}))
	again := ask(t, s, second, second.ToolCall(1), "Asked again?", ledger.Required)
	if again.Reply.Status != ledger.StatusQueued {
		t.Errorf("the second attempt is told %+v", again.Reply)
	}
	must.Do(t, s.BeginCall(ctx, second, debate.ForMember, 1, agents.Request{}))
	done := debate.Response{Turn: second, State: debate.TurnDone}
	changed = must.Get(s.EndTurn(ctx, debate.TurnEnd{Final: &agents.Completion{Text: "Done."}, Response: done}))(t)
	if len(changed) != 1 || changed[0].ID != "C2" || changed[0].State != ledger.Withdrawn {
		t.Errorf("changed %+v", changed)
	}
	if left := get(t, s, id).Unanswered(); len(left) != 1 || left[0].ID != "C1" {
		t.Errorf("left %+v", left)
	}
}

func TestWrite_afterTheContextEndedDoesNothing(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Ask(ctx, seat(id, 1, "ada"), "c", ledger.Question{Query: "q", Reason: "r"}, ledger.Caps{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if n := len(get(t, s, id).Requests); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// A draft that is saved after the answer does not come back where it says the same:
// the program may end before it knows that the answer was stored.
func TestDrafts_theWordsOfAnAnswerAreNoDraft(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	save := func(d debate.Draft) debate.Draft {
		t.Helper()
		must.Do(t, s.SaveDraft(t.Context(), id, "C1", d))
		return get(t, s, id).Drafts["C1"]
	}
	save(debate.Draft{Text: "42"})
	must.Get(s.Answer(t.Context(), id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42 writes", Source: "the log"}))(t)
	if d := get(t, s, id).Drafts["C1"]; d != (debate.Draft{}) {
		t.Errorf("the answer leaves the draft %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes ", Source: "the log"}); d != (debate.Draft{}) {
		t.Errorf("the words of the answer are the draft %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes", Source: "the log", Unavailable: true}); !d.Unavailable {
		t.Errorf("the draft is %+v", d)
	}
	if d := save(debate.Draft{Text: "43 writes", Source: "the log"}); d.Text != "43 writes" || d.At.IsZero() {
		t.Errorf("the draft of another answer is %+v", d)
	}
	if d := save(debate.Draft{Text: "42 writes", Source: "the log"}); d != (debate.Draft{}) {
		t.Errorf("taken back to the answer, the draft is %+v", d)
	}
}

// What was typed for a new debate outlives the process until it is removed.
func TestNewDebate_isKeptUntilItIsForgotten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	kept := func(want string) {
		t.Helper()
		d, err := s.KeptNew(t.Context())
		if err != nil || d.Text != want || want != "" && !d.At.Equal(noon.Add(time.Second)) {
			t.Fatalf("kept %+v, %v; want %q", d, err, want)
		}
	}
	keep := func(text string, at time.Time) {
		t.Helper()
		must.Do(t, s.KeepNew(t.Context(), debate.Draft{Text: text, At: at}))
	}
	kept("")
	keep("Rust or Go?", noon.Add(time.Second))
	must.Do(t, s.Close())
	s = openAt(t, path)
	kept("Rust or Go?")
	keep("", noon.Add(2*time.Second))
	kept("")
}

func TestInterject_isKeptAndStandsInTheManifestUntilItHasArrived(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	toAda := must.Get(s.Interject(t.Context(), id, debate.Interjection{Agent: "ada", Text: "  Mind the cost.\n"}))(t)
	toAll := must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "Be brief.", Author: ledger.ByPerson("interface")}))(t)
	d := get(t, s, id)
	if diff := cmp.Diff([]debate.Interjection{toAda, toAll}, d.Interjections); diff != "" || toAda.N != 1 ||
		toAda.Text != "Mind the cost." || toAda.At.IsZero() || toAll.N != 2 || toAll.Author != ledger.ByPerson("interface") {
		t.Errorf("%+v, %+v, read back:\n%s", toAda, toAll, diff)
	}
	for _, out := range []debate.Interjection{
		{Text: " \n "}, {Text: strings.Repeat("x", debate.MaxInterjection+1)}, {Agent: "zed", Text: "Hello."},
	} {
		if _, err := s.Interject(t.Context(), id, out); err == nil {
			t.Errorf("%.20q was taken for %q", out.Text, out.Agent)
		}
	}
	if _, err := s.Interject(t.Context(), "zzzzzzzzzz", debate.Interjection{Text: "Hello."}); !errors.Is(err, debate.ErrNoSession) {
		t.Error(err)
	}
	d = must.Get(s.BeginRound(t.Context(), id, 1))(t)
	want := []debate.InterjectionRef{{N: 1, Seats: d.History[0].Manifest.Seats[:1]}, {N: 2, Seats: d.History[0].Manifest.Seats}}
	if diff := cmp.Diff(want, d.History[0].Manifest.Interjections); diff != "" {
		t.Errorf("the manifest has:\n%s", diff)
	}
}

func TestInterject_goesAlongWithAForkAsFarAsItsRoundsWereToldIt(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "One."}))(t)
	playRound(t, s, id, 1)
	must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "Two."}))(t)
	playRound(t, s, id, 2)
	for round, want := range []int{0, 1, 2} {
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: round}))(t)
		if len(fork.Interjections) != want {
			t.Errorf("a fork at %d has %+v", round, fork.Interjections)
		}
		for n := 1; n <= round; n++ {
			if _, err := prompt.NewSnapshot(fork, n); err != nil {
				t.Errorf("round %d of a fork at %d: %v", n, round, err)
			}
		}
	}
}
