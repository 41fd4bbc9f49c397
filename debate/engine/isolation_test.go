package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

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
			if x.SnapshotHash != r.Hash || len(r.Hash) != 64 {
				t.Errorf("%s saw the snapshot %q, want %q", x.ID(), x.SnapshotHash, r.Hash)
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

// interject tells somebody something between rounds.
func (h *harness) interject(s debate.Session, to agents.ID, text string) debate.Session {
	h.Helper()
	must.Get(h.store.Interject(h.Context(), s.ID, debate.Interjection{Agent: to, Text: text}))(h)
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
