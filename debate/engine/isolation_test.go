package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/store"
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

func TestI2_aRoundOfEightSeatsLeavesItsSnapshotAsItWas(t *testing.T) {
	t.Parallel()
	lines, names := map[string]replyFunc{}, []string{}
	for i := range 8 {
		name := fmt.Sprintf("m%d", i)
		lines[name] = replyAsking("the question of "+name, replyLong(name, 500))
		names = append(names, name)
	}
	h := newHarness(t, lines)
	_, s := h.run(h.session("collaborative", 3, names...))
	var subs []ledger.Submission
	for _, r := range s.Requests {
		subs = append(subs, ledger.Submission{Request: r.ID, Outcome: ledger.Answered, Content: "so"})
	}
	s = h.answer(s, subs...)
	run := h.engine.Start(t.Context(), s)
	begun, ok := (<-run.Events()).(debate.RoundStarted)
	if !ok {
		t.Fatal("the round did not begin")
	}
	before, err := prompt.NewSnapshot(begun.Session, 2)
	if err != nil {
		t.Fatal(err)
	}
	first := mustJSON(t, before)
	_, s, err = drain(run)
	if err != nil {
		t.Fatal(err)
	}
	after, err := prompt.NewSnapshot(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	if mustJSON(t, before) != first || mustJSON(t, after) != first || begun.Hash != s.History[1].Manifest.Hash() {
		t.Error("the snapshot changed while the round was played")
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
		s := h.session("collaborative", 2, "a", "b")
		s.ID, s.Nonce = "", "the same"
		s, err := h.store.Create(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
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

func TestI5I7_roundsAreLabelledAndEverythingStandsInThemOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyLong("a", 200)), "b": replyLong("b", 200)})
	_, s := h.run(h.session("collaborative", 4, "a", "b"))
	h.runRounds(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), 4)
	for _, seat := range []string{"a", "b"} {
		text := h.userPrompt(seat, 4)
		for round := 1; round <= 3; round++ {
			if n := strings.Count(text, fmt.Sprintf("Statements of round %d:", round)); n != 1 {
				t.Errorf("%s: round %d is labelled %d times", seat, round, n)
			}
			for _, who := range []string{"a", "b"} {
				if n := strings.Count(text, fmt.Sprintf("%s in round %d thinks in sentence 1.", who, round)); n != 1 {
					t.Errorf("%s: what %s said in round %d occurs %d times", seat, who, round, n)
				}
				own := fmt.Sprintf(" %s (your own), round %d;", strings.ToUpper(who), round)
				if got, want := strings.Count(text, own), map[bool]int{true: 1}[who == seat]; got != want {
					t.Errorf("%s: the turn of %s in round %d is marked as its own %d times, want %d", seat, who, round, got, want)
				}
			}
		}
		if n := strings.Count(text, "[C1] asked by"); n != 1 {
			t.Errorf("%s: the answer occurs %d times", seat, n)
		}
	}
}

// delayedProvider is a provider whose models answer after a delay each.
type delayedProvider struct {
	*scriptedProvider
	wait map[string]time.Duration
}

func (l delayedProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		time.Sleep(l.wait[req.Model]) // of the test's own clock
		for c, err := range l.scriptedProvider.Stream(ctx, req) {
			if !yield(c, err) {
				return
			}
		}
	}
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
			h.useProvider(delayedProvider{h.provider, waits})
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

func TestI8I9_whatIsLateOrTwiceLeavesNoRow(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("x"), "b": replyText("y")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	before := mustJSON(t, s.History)
	done := s.History[0].Responses[0]
	if err := h.store.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: done.Turn}}); err == nil {
		t.Error("one turn began twice")
	}
	final := agents.Completion{Text: "late", Finish: agents.FinishStop}
	for name, turn := range map[string]agents.Turn{
		"the turn has ended":      done.Turn,
		"of another attempt":      {Session: s.ID, Round: 1, Attempt: 2, Agent: "a"},
		"of another round":        {Session: s.ID, Round: 2, Attempt: 1, Agent: "a"},
		"of somebody not there":   {Session: s.ID, Round: 1, Attempt: 1, Agent: "zed"},
		"of a session not there":  {Session: "zzzzzzzzzz", Round: 1, Attempt: 1, Agent: "a"},
		"of a step that was none": {Session: s.ID, Round: 1, Step: 4, Attempt: 1, Agent: "a"},
	} {
		x := done
		x.Turn, x.Statement = turn, debate.Statement{Body: "late"}
		if _, err := h.store.EndTurn(t.Context(), debate.TurnEnd{Response: x, Purpose: debate.ForMember, Final: &final}); err == nil {
			t.Errorf("%s: a late result was taken", name)
		}
		if err := h.store.Journal(t.Context(), []debate.PartialText{{Turn: turn, Text: "late"}}); err == nil {
			t.Errorf("%s: late text was taken", name)
		}
	}
	if after := mustJSON(t, last(t, h).History); after != before {
		t.Errorf("late results changed the session:\n%s\n%s", before, after)
	}
}

func TestI12_shorteningIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	var texts []string
	for range 2 {
		h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": replyFailing("down")})
		h.runRounds(h.smallSession("collaborative", 4, func(s *debate.Session) { addLight(s); s.Nonce = "the same" }, "a", "b"), 4)
		texts = append(texts, h.userPrompt("a", 4))
	}
	if texts[0] != texts[1] {
		t.Errorf("the same debate was shortened in two ways:\n%.2000s\n\n%.2000s", texts[0], texts[1])
	}
	if !strings.Contains(texts[0], "[shortened]") && !strings.Contains(texts[0], "[left out") {
		t.Errorf("no marker stands where something was shortened:\n%.2000s", texts[0])
	}
}

func TestI13_startingOverTakesNothingAlongThatIsNotTicked(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyLong("a", 5000)), "b": replyLong("b",
		5000), "light": replySummary(25)})
	_, s := h.run(h.smallSession("collaborative", 4, addLight, "a", "b"))
	_, s = h.runRounds(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), 3)
	sent := h.provider.count()
	for _, ticked := range [][]string{nil, {"C1"}} {
		fork, err := h.store.Fork(t.Context(), s.ID, debate.ForkPlan{Round: 0, Facts: ticked})
		if err != nil {
			t.Fatal(err)
		}
		if fork.ID == s.ID || fork.Nonce == s.Nonce || fork.ForkedFrom != s.ID || len(fork.Seats) != 2 ||
			len(fork.History) != 0 || len(fork.Summaries) != 0 || len(fork.Notices) != 0 {
			t.Errorf("the new session is %+v", fork)
		}
		_, fork = h.run(fork)
		for _, seat := range []string{"a", "b"} {
			requests := h.provider.requests(seat)
			text := requests[len(requests)-1].Messages[1].Text
			if strings.Contains(text, "Statements of round") || strings.Contains(text, "forty-two") != (ticked != nil) {
				t.Errorf("with %v ticked, %s reads:\n%s", ticked, seat, text)
			}
		}
		if again := len(fork.Requests) == 1 && fork.Requests[0].State == ledger.Pending; ticked == nil && !again {
			t.Errorf("the old question hides the new one: %+v", fork.Requests)
		}
	}
	if h.provider.count() == sent {
		t.Error("nothing was played")
	}
}

func TestI14_aSessionIsOpenedByWhatNamesItAndByNothingElse(t *testing.T) {
	t.Parallel()
	ids := []string{"k7m2000000", "k7m2100000"}
	h := newHarness(t, nil)
	s := h.session("collaborative", 2, "a", "b")
	for _, id := range ids {
		s.ID = id
		if _, err := h.store.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string]error{
		"zzz": debate.ErrNoSession, "": debate.ErrNoSession,
		"k7m2": debate.ErrAmbiguous, "k7m20": nil,
	} {
		got, err := h.store.Session(t.Context(), prefix)
		if want == nil && (err != nil || got.ID != ids[0]) || want != nil && !errors.Is(err, want) {
			t.Errorf("%q opens %q: %v, want %v", prefix, got.ID, err, want)
		}
	}
	held, err := h.store.Lock(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := store.Open(t.Context(), h.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Lock(t.Context(), ids[0]); !errors.Is(err, debate.ErrLocked) {
		t.Errorf("a session that is open was opened again: %v", err)
	}
	if err := errors.Join(elsewhere.Close(), held.Unlock()); err != nil {
		t.Error(err)
	}
}
