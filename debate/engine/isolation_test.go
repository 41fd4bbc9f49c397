package engine_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

func TestI1_whatIsStoredDuringARoundEntersNoneOfItsPrompts(t *testing.T) {
	t.Parallel()
	var h *harness
	var s debate.Session
	meddle := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 2 { // in round 2, before the other seats have spoken
			if _, err := h.store.Answer(t.Context(), s.ID, ledger.Submission{
				Request: "C1", Outcome: ledger.Answered,
				Content: "CORRECTED", Correct: true,
			}); err != nil {
				return nil, err
			}
			if err := h.store.SetFocus(t.Context(), s.ID, debate.Focus{Text: "FOCUSED"}); err != nil {
				return nil, err
			}
		}
		return replyText("a speaks")(n, req)
	}
	h = newHarness(t, map[string]replyFunc{"a": meddle, "b": replyAsking("How many?", replyText("b speaks")), "c": replyText("c speaks")})
	_, s = h.run(h.session("adversarial", 3, "a", "b", "c"))
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	_, s = h.run(s)
	for _, seat := range []string{"a", "b", "c"} {
		if text := h.userPrompt(seat, 2); strings.Contains(text, "CORRECTED") || strings.Contains(text, "FOCUSED") ||
			!strings.Contains(text, "forty-two") {
			t.Errorf("round 2, %s:\n%s", seat, text)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.SnapshotHash != r.Hash || r.Hash != r.Manifest.Hash() || len(r.Hash) != 64 {
				t.Errorf("round %d, %s: snapshot %q, want %q", r.Number, x.Turn.Agent, x.SnapshotHash, r.Manifest.Hash())
			}
		}
	}
	h.run(s)
	if text := h.userPrompt("a", 3); !strings.Contains(text, "CORRECTED") || !strings.Contains(text, "FOCUSED") {
		t.Errorf("round 3 lacks what was stored before it:\n%s", text)
	}
}

func TestI3_aTurnStoresWhatItSaw(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("x"), "b": replyFailing("down"), "c": replyText("z")})
	_, s := h.runRounds(h.session("adversarial", 3, "a", "b", "c"), 2)
	want := map[string][]string{
		"r1.s0.a.a1": {}, "r1.s1.b.a1": {"r1.s0.a.a1"}, "r1.s2.c.a1": {"r1.s0.a.a1"},
		"r2.s0.a.a1": {"r1.s0.a.a1", "r1.s2.c.a1"}, "r2.s1.b.a1": {"r1.s0.a.a1", "r1.s2.c.a1", "r2.s0.a.a1"},
		"r2.s2.c.a1": {"r1.s0.a.a1", "r1.s2.c.a1", "r2.s0.a.a1"},
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if !slices.Equal(x.SeenResponses, want[x.ID()]) {
				t.Errorf("%s saw %v, want %v", x.ID(), x.SeenResponses, want[x.ID()])
			}
		}
	}
}

func TestI4_nothingOfAnotherSessionReachesAPrompt(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{"a": replyAsking("How many?", replyText("a in the end")), "b": replyText("b speaks")}
	used, fresh := newHarness(t, lines), newHarness(t, lines)
	_, other := used.run(used.session("collaborative", 3, "a", "b"))
	used.run(used.answer(other, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "leaked?"}))
	from := map[string]int{"a": len(used.provider.requests("a")), "b": len(used.provider.requests("b"))}
	for _, h := range []*harness{used, fresh} {
		s := h.changed(h.session("collaborative", 2, "a", "b"), func(s *debate.Session) { s.Nonce = "the same" })
		_, s = h.run(s)
		h.run(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	}
	for _, seat := range []string{"a", "b"} {
		got, want := used.provider.requests(seat)[from[seat]:], fresh.provider.requests(seat)
		if mustJSON(t, got) != mustJSON(t, want) {
			t.Errorf("%s is sent something else after another session", seat)
		}
		for _, r := range want {
			if last := r.Messages[len(r.Messages)-1]; r.Messages[0].Role != agents.System ||
				r.Messages[1].Role != agents.User || len(r.Messages) > 2 && last.Role != agents.ToolRole {
				t.Errorf("%s is sent %+v", seat, r.Messages)
			}
		}
	}
}

// delayed makes each answer take some time of the test's own clock.
func (h *harness) delayed(takes func(agents.Request) time.Duration) {
	h.useProvider(wrapped{h.provider, func(_ context.Context, req agents.Request, _ func(agents.Chunk, error) bool) bool {
		time.Sleep(takes(req))
		return true
	}})
}

func TestI6_whoIsFasterChangesNoPrompt(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{
		"a": replyLong("a", 5000), "b": replyAsking("How many?", replyLong("b", 5000)),
		"c": replyLong("c", 5000), "light": replySummary(25),
	}
	var runs [2]map[string]string
	for i, waits := range []map[string]time.Duration{
		{"a": 3 * time.Second, "b": 2 * time.Second, "c": time.Second, "light": time.Second},
		{"a": time.Second, "b": 2 * time.Second, "c": 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, lines)
			h.delayed(func(r agents.Request) time.Duration { return waits[r.Model] })
			_, s := h.run(h.smallSession("collaborative", 4, func(s *debate.Session) { addLight(s); s.Nonce = "the same" }, "a", "b", "c"))
			s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
			_, s = h.runRounds(s, 3)
			var order []agents.ID
			for _, x := range s.History[1].Responses {
				order = append(order, x.Turn.Agent)
			}
			if !slices.Equal(order, []agents.ID{"a", "b", "c"}) {
				t.Errorf("the round is stored in the order %v", order)
			}
			runs[i] = map[string]string{}
			for _, seat := range []string{"a", "b", "c"} {
				for round := 1; round <= 3; round++ {
					runs[i][fmt.Sprintf("%s in round %d", seat, round)] = h.userPrompt(seat, round)
				}
			}
		})
	}
	for _, which := range slices.Sorted(maps.Keys(runs[0])) {
		if runs[0][which] != runs[1][which] {
			t.Errorf("the prompt of %s depends on who is faster", which)
		}
	}
}

// interject tells somebody something between rounds.
func (h *harness) interject(s debate.Session, to agents.ID, text string) debate.Session {
	h.Helper()
	if _, err := h.store.Interject(h.Context(), s.ID, debate.Interjection{Agent: to, Text: text}); err != nil {
		h.Fatal(err)
	}
	return h.read(s)
}

// userText returns the user message of each request of a model in a round, in order.
func (h *harness) userTexts(model, round string) []string {
	var out []string
	for _, r := range h.provider.requests(model) {
		if strings.Contains(r.Messages[1].Text, "This is round "+round+" of ") {
			out = append(out, r.Messages[1].Text)
		}
	}
	return out
}

func TestI11_anInterjectionReachesItsSeatsUntilATurnWithItIsDone(t *testing.T) {
	t.Parallel()
	down := func(rounds string) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			if strings.Contains(req.Messages[1].Text, "This is round "+rounds+" of ") {
				return replyFailing("down")(n, req)
			}
			return replyText("b speaks")(n, req)
		}
	}
	h := newHarness(t, map[string]replyFunc{"a": replyText("a speaks"), "b": down("2")})
	_, s := h.run(h.session("collaborative", 4, "a", "b"))
	s = h.interject(s, "", "Mind the cost.")
	s = h.interject(s, "a", "You alone.")
	_, s = h.runRounds(s, 4)
	has := func(model, round, text string) bool { return strings.Contains(h.userTexts(model, round)[0], text) }
	for _, x := range []struct {
		model, round, text string
		want               bool
	}{
		{"a", "1", "Mind the cost.", false},
		{"a", "2", "The user says to all members:\nMind the cost.", true},
		{"a", "2", "The user says to you:\nYou alone.", true},
		{"b", "2", "Mind the cost.", true},
		{"b", "2", "You alone.", false},
		{"a", "3", "Mind the cost.", false},
		{"a", "3", "You alone.", false},
		{"b", "3", "The user says to all members:\nMind the cost.", true}, // b has failed in round 2
		{"b", "4", "Mind the cost.", false},
	} {
		if got := has(x.model, x.round, x.text); got != x.want {
			t.Errorf("round %s of %s has %q: %t, want %t", x.round, x.model, x.text, got, x.want)
		}
	}
	if notes := s.History[2].Manifest.Interjections; len(notes) != 1 || notes[0].N != 1 || !slices.Equal(notes[0].Seats, []agents.ID{"b"}) {
		t.Errorf("round 3 was given %+v", notes)
	}
	if notes := s.History[3].Manifest.Interjections; len(notes) != 0 {
		t.Errorf("round 4 was given %+v", notes)
	}
}

func TestI11_aFailedTurnThatIsRunAgainSeesAllItsOneShotInputsAgain(t *testing.T) {
	t.Parallel()
	first := true
	moody := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if first && strings.Contains(req.Messages[1].Text, "This is round 2 of ") {
			first = false
			return replyFailing("down")(n, req)
		}
		return replyText("b speaks")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyText("a speaks")), "b": moody})
	_, s := h.run(h.session("collaborative", 4, "a", "b"))
	s = h.interject(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), "b", "Mind the cost.")
	must.Do(t, h.store.SetFocus(t.Context(), s.ID, debate.Focus{Text: "What of risk?"}))
	_, s = h.run(s)
	if s.History[1].AttemptsOf("b")[0].State != debate.TurnFailed {
		t.Fatal("b did not fail")
	}
	_, s, err := drain(h.engine.Retry(t.Context(), s, "b"))
	must.Do(t, err)
	texts := h.userTexts("b", "2")
	if len(texts) < 2 || texts[0] != texts[len(texts)-1] {
		t.Fatalf("%d requests of b in round 2, or not the same", len(texts))
	}
	for _, want := range []string{"Mind the cost.", "What of risk?", "forty-two"} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("round 2 of b lacks %q:\n%s", want, texts[0])
		}
	}
	h.run(s)
	text := h.userTexts("b", "3")[0]
	if strings.Contains(text, "Mind the cost.") || strings.Contains(text, "What of risk?") || !strings.Contains(text, "forty-two") {
		t.Errorf("round 3 of b:\n%s", text)
	}
}
