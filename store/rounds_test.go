package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestBegin_takesTheNextRoundAndTurnsOfTheNewest(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	again := seat(id, 1, "ada")
	start := func() error { return s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: again}}) }
	if err := start(); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("a turn before the round: %v", err)
	}
	for _, n := range []int{0, 2, 3} {
		if _, err := s.BeginRound(ctx, id, n); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("round %d: %v", n, err)
		}
	}
	beginRound(t, s, id, 1)
	for _, n := range []int{1, 2} {
		if _, err := s.BeginRound(ctx, id, n); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("round %d while round 1 runs: %v", n, err)
		}
	}
	if n := len(get(t, s, id).History); n != 1 {
		t.Errorf("%d rounds", n)
	}
	for _, who := range []agents.ID{"ada", "brook"} {
		speak(t, s, seat(id, 1, who), "Yes.")
	}
	must.Get(s.EndRound(ctx, id, 1, nil, debate.NotStopped))(t)
	again.Attempt = 2
	if err := start(); err != nil {
		t.Errorf("a retry in the round that has ended: %v", err)
	}
	if err := start(); err == nil {
		t.Error("the same attempt twice")
	}
	beginRound(t, s, id, 2)
	again.Attempt = 3
	if err := start(); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("a turn in a round that is past: %v", err)
	}
}

func TestTurns_resultsThatComeLateAreRefused(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	e := speak(t, s, turn, "All of it.")
	before := get(t, s, id)
	for name, late := range map[string]func() error{
		"journal":    func() error { return s.Journal(ctx, []debate.Text{{Turn: turn, Text: "x"}}) },
		"call":       func() error { return s.BeginCall(ctx, turn, debate.ForMember, 2, agents.Request{}) },
		"call end":   func() error { return s.EndCall(ctx, turn, 1, agents.Completion{}, nil, nil) },
		"call break": func() error { return s.BreakCall(ctx, turn, 1, nil, agents.Usage{}, nil) },
		"tool start": func() error { return s.StartTool(ctx, turn, turn.ToolCall(1), panelLater()) },
		"tool end":   func() error { return s.EndTool(ctx, turn, debate.ToolRecord{ID: turn.ToolCall(1)}) },
		"turn end": func() error {
			_, err := s.EndTurn(ctx, e)
			return err
		},
		"another seat's": func() error { return s.Journal(ctx, []debate.Text{{Turn: seat(id, 1, "cy"), Text: "x"}}) },
	} {
		if err := late(); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, get(t, s, id)); diff != "" {
		t.Error(diff)
	}
}

func TestEndTurn_keepsAPartAsAPart(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	beginCall(t, s, turn)
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: turn, Text: "Let me look."}}))
	tools := []debate.ToolRecord{
		{ID: turn.ToolCall(1), Name: "search", Args: `{"q":1}`},
		{ID: turn.ToolCall(2), Name: "search"},
		{ID: turn.ToolCall(3), Name: "search"},
	}
	must.Do(t, s.EndCall(ctx, turn, 1, agents.Completion{Text: "Let me look.", Finish: agents.FinishToolCalls}, tools, nil))
	must.Do(t, s.StartTool(ctx, turn, turn.ToolCall(1), panelLater()))
	found := agents.ToolResult{Status: agents.ToolOK, Text: "found", Summary: "1 match"}
	must.Do(t, s.EndTool(ctx, turn, debate.ToolRecord{ID: turn.ToolCall(1), Took: 42, Result: found}))
	must.Do(t, s.StartTool(ctx, turn, turn.ToolCall(2), panelLater()))
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 2, agents.Request{}))
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: turn, Passage: 1, Text: "Hm. ", Reasoning: true}, {Turn: turn, Passage: 1, Text: "I ho"}}))
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: turn, Passage: 1, Text: "ld"}}))
	must.Do(t, s.BreakCall(ctx, turn, 2, &agents.Failure{Kind: agents.KindTruncated, Cause: "It broke off."},
		agents.Usage{}, nil))
	failed := &debate.TurnFailure{Kind: agents.KindTruncated, Cause: "It broke off.", Tries: 2}
	must.Get(s.EndTurn(ctx, debate.TurnEnd{Response: debate.Response{
		Turn: turn, State: debate.TurnFailed, Failure: failed, Calls: 2, Statement: debate.Statement{Vote: "yes"}, // which is not taken
	}}))(t)

	r := get(t, s, id).History[0].Responses[0]
	aborted := func(text string) agents.ToolResult {
		return agents.ToolResult{Status: agents.ToolAborted, Text: text, Summary: text}
	}
	want := []debate.Passage{{Text: "Let me look.", Tools: []debate.ToolRecord{
		{
			ID: turn.ToolCall(1), Name: "search", Args: `{"q":1}`, State: debate.ToolDone, Began: panelLater(), Took: 42, Result: found,
		},
		{ID: turn.ToolCall(2), Name: "search", State: debate.ToolDone, Began: panelLater(), Result: aborted("interrupted, effect unknown")},
		{ID: turn.ToolCall(3), Name: "search", State: debate.ToolDone, Result: aborted("not run: the turn ended first")},
	}}, {Text: "I hold", Reasoning: "Hm. "}}
	if diff := cmp.Diff(want, r.Passages); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(failed, r.Failure); diff != "" || r.State != debate.TurnFailed || r.Statement.Vote != "" {
		t.Error(r.State, r.Statement.Vote, diff)
	}
	if n := store.Rows(ctx, s); n["partials"] != 0 {
		t.Errorf("%d pieces are left in the journal", n["partials"])
	}
	if found, err := s.Matches(ctx, store.Query{Text: "I hold"}); err != nil || len(found) != 0 {
		t.Errorf("a part is found as a statement: %v, %v", found, err)
	}
}

func TestEndTurn_stateAndCompletionGoTogether(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, e := range []debate.TurnEnd{
		{Response: debate.Response{State: debate.TurnDone}},
		{Response: debate.Response{State: debate.TurnFailed}, Final: &agents.Completion{}},
		{Response: debate.Response{State: debate.TurnRunning}},
		{},
	} {
		if _, err := s.EndTurn(t.Context(), e); err == nil {
			t.Errorf("%v ended", e.Response.State)
		}
	}
}

func TestFocus_isForTheNextRoundOnly(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	focus := debate.Focus{Text: "What does it cost?", Author: ledger.Author{Kind: ledger.Assistant, Door: "claude-code"}}
	must.Do(t, s.SetFocus(ctx, id, focus))
	if f, err := s.Focus(ctx, id); err != nil || f != focus {
		t.Errorf("%v, %v", f, err)
	}
	d := playRound(t, s, id, 1)
	if f, err := s.Focus(ctx, id); err != nil || f != (debate.Focus{}) ||
		d.History[0].Manifest.Focus != focus.Text || d.History[0].Manifest.FocusAuthor != focus.Author {
		t.Errorf("%v, %v, %+v", f, err, d.History[0].Manifest)
	}
	if d = playRound(t, s, id, 2); d.History[1].Manifest.Focus != "" {
		t.Errorf("again %q", d.History[1].Manifest.Focus)
	}
	if err := s.SetFocus(ctx, "zzzzzzzzzz", debate.Focus{Text: "x"}); !errors.Is(err, debate.ErrNoSession) {
		t.Error(err)
	}
}

func TestVerdict_expiresWhatIsOpenAndRoundsReviveIt(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	playRound(t, s, id, 1)
	playRound(t, s, id, 2)
	ask(t, s, seat(id, 2, "ada"), "late", "Too late?", ledger.Required)
	must.Do(t, s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "half"}))
	verdict := debate.Verdict{
		Chair: "ada", ChairName: "Ada", Text: "Move.", Pick: &debate.Pick{Agent: "brook", Reason: "whole"}, Round: 2,
		Notes: []string{"Cited twice."},
	}
	d := must.Get(s.SaveVerdict(ctx, id, verdict))(t)
	if diff := cmp.Diff(&verdict, d.Verdict); diff != "" || d.Status() != debate.Complete {
		t.Error(d.Status(), diff)
	}
	if d.Requests[0].State != ledger.AfterVerdict || d.Drafts["C1"].Text != "half" {
		t.Errorf("C1 is %s, drafts %v", d.Requests[0].State, d.Drafts)
	}

	d = must.Get(s.AddRounds(ctx, id, 1))(t)
	if d.Verdict != nil || d.Rounds != 3 || d.Requests[0].State != ledger.Pending || d.Status() != debate.NeedsContext {
		t.Errorf("verdict %v, %d rounds, C1 %s, %s", d.Verdict, d.Rounds, d.Requests[0].State, d.Status())
	}
	answer(t, s, id, "C1", "now")
	playRound(t, s, id, 3)
	d = must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Cause: "Nobody could be asked."}))(t)
	if diff := cmp.Diff(&verdict, d.Written); diff != "" || d.Verdict.Text != "" {
		t.Errorf("what was written before round 3: %s", diff)
	}
	d = must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Do not move."}))(t)
	if d.Verdict.Text != "Do not move." || d.Written.Text != "Do not move." {
		t.Errorf("%v", d.Verdict)
	}
	if n := store.Rows(ctx, s); n["verdict"] != 1 || n["superseded"] != 2 {
		t.Errorf("verdicts are kept: %v", n)
	}
}

func TestStop_endsBeforeThePlannedRounds(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := panel()
	in.Rounds = 4
	d := must.Get(s.Create(t.Context(), in))(t)
	id, ctx := d.ID, t.Context()
	playRound(t, s, id, 1)
	ask(t, s, seat(id, 1, "ada"), "c", "Open?", ledger.Required)
	d = must.Get(s.Stop(ctx, id, debate.StoppedByUser))(t)
	if d.Status() != debate.Ready || d.Next() != 0 || d.Requests[0].State != ledger.Pending {
		t.Errorf("%s, next %d, C1 %s", d.Status(), d.Next(), d.Requests[0].State)
	}
	d = must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Move."}))(t)
	if d.Status() != debate.Stopped || d.Requests[0].State != ledger.AfterVerdict {
		t.Errorf("%s, C1 %s", d.Status(), d.Requests[0].State)
	}
	d = must.Get(s.AddRounds(ctx, id, 2))(t)
	if d.Rounds != 3 || d.Stopped != debate.NotStopped || d.Status() != debate.NeedsContext {
		t.Errorf("%d rounds, stopped %q, %s", d.Rounds, d.Stopped, d.Status())
	}
	if d = must.Get(s.AddRounds(ctx, id, 1))(t); d.Rounds != 4 { // before the end: to what is planned
		t.Errorf("%d rounds", d.Rounds)
	}
}

// Rounds that are added to a debate that ended by agreement are played, and a debate that moves
// has its new workspace.
func TestAddRounds_andSetWorkspaceAreKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	in := panel()
	in.Rounds, in.Ends = 3, debate.EndsAgreed
	d := must.Get(s.Create(t.Context(), in))(t)
	playRound(t, s, d.ID, 1)
	must.Get(s.Stop(t.Context(), d.ID, debate.EndedByConsensus))(t)
	must.Get(s.AddRounds(t.Context(), d.ID, 2))(t)
	moved := debate.Workspace{Dir: "/moved", Mode: debate.WorkspaceLocal}
	must.Get(s.SetWorkspace(t.Context(), d.ID, moved))(t)
	if got := get(t, openAt(t, path), d.ID); got.Ends != debate.EndsPlanned || got.Rounds != 3 || got.Workspace != moved {
		t.Errorf("ends %q, %d rounds, in %+v", got.Ends, got.Rounds, got.Workspace)
	}
}

// A new session always has a kind of question: its own, its mode's, or open.
func TestCreate_setsTheKindOfTheQuestion(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, c := range []struct{ own, mode, want debate.QuestionKind }{
		{"", "", debate.QuestionOpen},
		{"", debate.QuestionEstimate, debate.QuestionEstimate},
		{debate.QuestionChoice, "", debate.QuestionChoice},
		{debate.QuestionYesNo, debate.QuestionYesNo, debate.QuestionYesNo},
	} {
		d := panel()
		d.Question, d.Mode.Question = c.own, c.mode
		d = must.Get(s.Create(t.Context(), d))(t)
		if got := get(t, s, d.ID).Question; d.Question != c.want || got != c.want {
			t.Errorf("own %q, mode %q: created with %q, read back %q; want %q", c.own, c.mode, d.Question, got, c.want)
		}
	}
	all := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	count := map[debate.QuestionKind]int{}
	for _, v := range all {
		count[v.Question]++
	}
	for _, kind := range debate.QuestionKinds() {
		if count[kind] != 1 {
			t.Errorf("%d sessions are listed as %s", count[kind], kind)
		}
	}
}

// The body of a statement is read wherever it is: in the text of the answer or not.
func TestSession_hasTheBodiesOfItsStatements(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	id := create(t, s).ID
	beginRound(t, s, id, 1)
	for i, x := range []struct{ text, body string }{
		{"All of it.", "All of it."},
		{"Before.\n\n\"In\\side\" <naïve> 請求.\n```json\n{}\n```", "\"In\\side\" <naïve> 請求."},
		{"One.\n{}\nTwo.", "One.\n\nTwo."},
		{"A zero\x00byte in it.", "A zero\x00byte in it."},
		{"{}", ""},
	} {
		turn := agents.Turn{Session: id, Round: 1, Attempt: i + 1, Agent: "ada"}
		beginCall(t, s, turn)
		must.Do(t, s.EndCall(t.Context(), turn, 1, agents.Completion{Text: "Let me look."}, []debate.ToolRecord{{ID: "1", Name: "list_evidence"}}, nil))
		must.Do(t, s.BeginCall(t.Context(), turn, debate.ForMember, 2, agents.Request{}))
		must.Get(s.EndTurn(t.Context(), debate.TurnEnd{Final: &agents.Completion{Text: x.text}, Response: debate.Response{
			Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: x.body, Vote: "no"},
		}}))(t)
		all := get(t, s, id).History[0].Responses
		got := all[len(all)-1]
		if got.Statement.Body != x.body || got.Statement.Vote != "no" || got.Text() != x.text || len(got.Passages) != 2 {
			t.Errorf("%q comes back as %+v", x.body, got)
		}
	}
	known := get(t, s, id)
	must.Do(t, s.Close())
	if diff := cmp.Diff(known, get(t, openAt(t, path), id)); diff != "" {
		t.Errorf("read again:\n%s", diff)
	}
}
