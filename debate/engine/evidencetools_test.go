package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/engine"
	"roundtable/debate/modes"
	"roundtable/internal/testing/debatetest"
)

// replyCalling calls tools in a turn's first completions, one after the other.
func replyCalling(then replyFunc, calls ...agents.ToolCall) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		done := 0
		for _, m := range req.Messages {
			if m.Role == agents.ToolRole {
				done++
			}
		}
		if len(req.Tools) == 0 || done == len(calls) {
			return then(n, req)
		}
		calls[done].ID = fmt.Sprint("x", done)
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: calls[done : done+1]}}, nil
	}
}

// newReadingHarness is a table whose agents can read evidence.
func newReadingHarness(t *testing.T, lines map[string]replyFunc) *harness {
	h := newHarness(t, lines)
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	h.engine = engine.New(engine.Options{
		Recorder: h.store, Provider: provider,
		Tools: []tools.Tool{tools.RequestContext{}, tools.SearchEvidence{}, tools.ReadEvidence{}, tools.ListEvidence{}},
	})
	return h
}

func evidenceFile(name string, lines int) debate.Evidence {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "Seat%d of m1 says %d.\n", i%3+1, i+1)
	}
	return debate.NewEvidence(name, debate.EvidenceFile, b.String(), "")
}

// offered returns the evidence tools among those that a request offers.
func offered(req agents.Request) []string {
	var out []string
	for _, spec := range req.Tools {
		if strings.HasSuffix(spec.Name, "_evidence") {
			out = append(out, spec.Name)
		}
	}
	return out
}

func TestEvidenceTools_areOfferedInEveryModeOnceThereIsEvidence(t *testing.T) {
	t.Parallel()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyText("So.")
	}
	for _, m := range all {
		h := newReadingHarness(t, lines)
		s := h.seatedSession("delphi", 3, 3)
		s.ID, s.Mode = "", m
		if s, err = h.store.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		_, s = h.runRounds(s, 1)
		before := len(h.provider.requests("m1"))
		if s, err = h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 3)); err != nil {
			t.Fatal(err)
		}
		h.runRounds(s, 2)
		requests := h.provider.requests("m1")
		for i, req := range requests {
			want := []string{"read_evidence"} // three rounds are planned
			if i >= before {
				want = []string{"list_evidence", "read_evidence", "search_evidence"}
			}
			if got := offered(req); !slices.Equal(got, want) && len(req.Tools) > 0 {
				t.Errorf("%s: request %d, of which %d were in round 1, offers %v, want %v", m.Name, i+1, before, got, want)
			}
		}
		if before == 0 || len(requests) == before || len(requests[before].Tools) < 3 {
			t.Errorf("%s: %d requests in round 1, %d in all", m.Name, before, len(requests))
		}
	}
}

func TestEvidenceTools_readWhatTheRoundBeganWith(t *testing.T) {
	t.Parallel()
	var h *harness
	var id string
	adds := func(n int, req agents.Request) ([]agents.Chunk, error) { // while the round runs
		_, err := h.store.AddEvidence(t.Context(), id, evidenceFile("late.log", 3))
		if err != nil {
			t.Error(err)
		}
		return replyText("See [F1:2500].")(n, req)
	}
	calls := func() []agents.ToolCall {
		return []agents.ToolCall{
			{Name: tools.ListEvidenceName, Args: "{}"},
			{Name: agents.ReadEvidenceName, Args: `{"id": "F1", "offset": 2499, "limit": 2}`},
			{Name: tools.SearchEvidenceName, Args: `{"pattern": "says 77\\."}`},
			{Name: agents.ReadEvidenceName, Args: `{"id": "F2"}`},
		}
	}
	h = newReadingHarness(t, map[string]replyFunc{"m1": adds, "m2": replyCalling(replyText("So."), calls()...), "m3": replyText("So.")})
	s := h.seatedSession("adversarial", 2, 3) // m2 speaks after m1
	id = s.ID
	s, err := h.store.AddEvidence(t.Context(), id, evidenceFile("a.log", 3000))
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.runRounds(s, 1)
	told := h.toolResults("m2")
	if len(told) < len(calls()) {
		t.Fatalf("m2 is told %q", told)
	}
	for i, want := range []string{
		"[F1] a.log, file, 3000 lines", "2499| Seat3 of m1 says 2499.\n2500| Seat1 of m1 says 2500.", "F1:77| Seat2 of m1 says 77.",
		`there is no evidence "F2"; there is: F1`,
	} {
		blocks, outside := debatetest.ReadBlocks(t, told[i])
		text := outside
		if len(blocks) > 0 {
			text = blocks[0].Text
		}
		if !strings.Contains(text, want) || (len(blocks) == 0) != (i == 3) {
			t.Errorf("call %d: %d blocks, %q is missing in\n%s", i+1, len(blocks), want, told[i])
		}
		if i < 3 && (strings.Contains(told[i], "late.log") || strings.Contains(outside, "Seat")) {
			t.Errorf("call %d:\n%s", i+1, told[i])
		}
	}
	if len(s.Evidence) != 2 || cite.EvidenceRound(s, "F2") != 0 {
		t.Errorf("the session has %d pieces of evidence, F2 came with round %d", len(s.Evidence), cite.EvidenceRound(s, "F2"))
	}
}

// Where names are hidden, a tool shows the user's text as it is, as the prompt does, and
// nothing about the seats.
func TestEvidenceTools_showTheUsersTextAsItIsWhereNamesAreHidden(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyCalling(replyText("I, Seat1, hold it [F1:1]."),
			agents.ToolCall{Name: agents.ReadEvidenceName, Args: `{"id": "F1"}`}, agents.ToolCall{Name: tools.ListEvidenceName, Args: "{}"})
	}
	h := newReadingHarness(t, lines)
	s := h.seatedSession("delphi", 2, 3)
	s, err := h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 2),
		debate.NewEvidence("notes", debate.EvidenceFile, "plain\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	h.runRounds(s, 2)
	for i := 1; i <= 3; i++ {
		for _, text := range h.toolResults(fmt.Sprint("m", i)) {
			if rest := strings.NewReplacer("Seat1 of m1 says", "", "Seat2 of m1 says", "").Replace(text); strings.Contains(rest, "Seat") ||
				strings.Contains(rest, "m1") {
				t.Errorf("seat %d reads\n%s", i, text)
			}
		}
		prompt := h.userPrompt(fmt.Sprint("m", i), 1)
		if read := h.toolResults(fmt.Sprint("m", i))[0]; !strings.Contains(read, "1| Seat1 of m1 says 1.") ||
			!strings.Contains(prompt, "1| Seat1 of m1 says 1.") {
			t.Errorf("seat %d reads\n%s\nand the prompt\n%s", i, read, prompt)
		}
	}
}

// Each request begins with the bytes of the round before, evidence among them, and its
// receipt names the parts.
func TestEvidence_standsAtTheSamePlaceInEachRoundAndInReceipts(t *testing.T) {
	t.Parallel()
	h := newReadingHarness(t, map[string]replyFunc{"m1": replyText("So [F1:3]."), "m2": replyText("So.")})
	s := h.seatedSession("collaborative", 3, 2)
	s, err := h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 50))
	for round := 1; round <= 3; round++ {
		if err != nil {
			t.Fatal(err)
		}
		if _, s = h.runRounds(s, round); round == 1 {
			s, err = h.store.AddEvidence(t.Context(), s.ID, evidenceFile("b.log", 5000))
		}
	}
	var before string
	for round := 1; round <= 3; round++ {
		turn := agents.Turn{Session: s.ID, Round: round, Attempt: 1, Agent: "seat1"}
		req, receipt, err := h.store.Prompt(t.Context(), s.ID, turn, 1)
		if err != nil || !receipt.Intact {
			t.Fatalf("round %d: intact: %v, %v", round, receipt.Intact, err)
		}
		var titles []string
		stable := req.Messages[0].Text
		for _, p := range req.Messages[1].Parts {
			if p.Title == "statistics of the earlier rounds" || p.Title == "questions to the user" || p.Title == "form of the statement" {
				break
			}
			titles = append(titles, p.Title)
			stable += "\n\n" + p.Text
		}
		want := []string{
			"the question", "your evidence, sent with round 1", "who you are", "round 1, 2 statements, by seat",
			"your evidence, sent with round 2, 1 of 1 cut",
			"round 2, 2 statements, by seat",
		}[:[]int{0, 3, 5, 6}[round]]
		if !slices.Equal(titles, want) || !strings.HasPrefix(stable, before) {
			t.Errorf("round %d begins with %q, want %q, and as the one before: %v", round, titles, want, strings.HasPrefix(stable, before))
		}
		before = stable
	}
}

// A server whose window is smaller than it was thought to be gets less evidence when its
// seat is asked again, and no more than that from then on.
func TestEvidence_isLessWhereAServerRefusedAPromptAsTooLong(t *testing.T) {
	t.Parallel()
	const window = 4000
	tooLong := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if (agents.Request{Messages: req.Messages}).Tokens() > window {
			return nil, &agents.Failure{Kind: agents.KindTooLong, Cause: "Too long."}
		}
		return replyText("So [F1:3].")(n, req)
	}
	h := newReadingHarness(t, map[string]replyFunc{"m1": tooLong, "m2": replyText("So.")})
	s := h.seatedSession("collaborative", 2, 2)
	s, err := h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 1200))
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.runRounds(s, 1)
	for tries := 0; s.History[0].Latest()[0].State != debate.TurnDone; tries++ {
		if x := s.History[0].Latest()[0]; !x.PromptTooLong() || tries == 4 {
			t.Fatalf("after %d tries seat1 is %s: %+v", tries, x.State, x.Failure)
		}
		if _, s, err = drain(h.engine.Retry(t.Context(), s, "seat1")); err != nil {
			t.Fatal(err)
		}
	}
	_, s = h.runRounds(s, 2)
	x := s.History[1].Latest()[0]
	if x.State != debate.TurnDone || x.ContextFit == nil || x.ContextFit.Evidence == 0 || x.Turn.Attempt != 1 {
		t.Errorf("round 2: seat1 is %s at attempt %d: %+v", x.State, x.Turn.Attempt, x.ContextFit)
	}
	evidence := func(round int) (text string) {
		for _, req := range h.provider.requests("m1") {
			if strings.Contains(req.Messages[1].Text, fmt.Sprintf("This is round %d of", round)) {
				text = req.Messages[1].Parts[1].Text
			}
		}
		return text
	}
	if first, second := evidence(1), evidence(2); first != second || !strings.Contains(first, "are left out]") {
		t.Errorf("the evidence in round 1 is\n%.300s\nand in round 2\n%.300s", first, second)
	}
}
