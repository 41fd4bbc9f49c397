package engine_test

import (
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// interject tells somebody something between rounds.
func (tb *table) interject(s debate.Session, to agents.ID, text string) debate.Session {
	tb.Helper()
	if _, err := tb.store.Interject(tb.Context(), s.ID, to, text); err != nil {
		tb.Fatal(err)
	}
	s, err := tb.store.Session(tb.Context(), s.ID)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// userText returns the user message of each request of a model in a round, in order.
func (tb *table) userTexts(model, round string) []string {
	var out []string
	for _, r := range tb.models.requests(model) {
		if strings.Contains(r.Messages[1].Text, "This is round "+round+" of ") {
			out = append(out, r.Messages[1].Text)
		}
	}
	return out
}

func TestI11_anInterjectionReachesItsSeatsUntilATurnWithItIsDone(t *testing.T) {
	down := func(rounds string) line {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			if strings.Contains(req.Messages[1].Text, "This is round "+rounds+" of ") {
				return fails("down")(n, req)
			}
			return says("b speaks")(n, req)
		}
	}
	tb := newTable(t, map[string]line{"a": says("a speaks"), "b": down("2")})
	_, s := tb.start(tb.session("collaborative", 4, "a", "b"))
	s = tb.interject(s, "", "Mind the cost.")
	s = tb.interject(s, "a", "You alone.")
	_, s = tb.rounds(s, 4)
	has := func(model, round, text string) bool { return strings.Contains(tb.userTexts(model, round)[0], text) }
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
	first := true
	moody := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if first && strings.Contains(req.Messages[1].Text, "This is round 2 of ") {
			first = false
			return fails("down")(n, req)
		}
		return says("b speaks")(n, req)
	}
	tb := newTable(t, map[string]line{"a": asks("How many?", says("a speaks")), "b": moody})
	_, s := tb.start(tb.session("collaborative", 4, "a", "b"))
	s = tb.interject(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), "b", "Mind the cost.")
	if err := tb.store.SetFocus(t.Context(), s.ID, "What of risk?"); err != nil {
		t.Fatal(err)
	}
	_, s = tb.start(s)
	if s.History[1].AttemptsOf("b")[0].State != debate.TurnFailed {
		t.Fatal("b did not fail")
	}
	_, s, err := play(tb.engine.Retry(t.Context(), s, "b"))
	if err != nil {
		t.Fatal(err)
	}
	texts := tb.userTexts("b", "2")
	if len(texts) < 2 || texts[0] != texts[len(texts)-1] {
		t.Fatalf("%d requests of b in round 2, or not the same", len(texts))
	}
	for _, want := range []string{"Mind the cost.", "What of risk?", "forty-two"} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("round 2 of b lacks %q:\n%s", want, texts[0])
		}
	}
	tb.start(s)
	text := tb.userTexts("b", "3")[0]
	if strings.Contains(text, "Mind the cost.") || strings.Contains(text, "What of risk?") || !strings.Contains(text, "forty-two") {
		t.Errorf("round 3 of b:\n%s", text)
	}
}

func TestI11_whatIsSaidDuringARoundWaitsForTheNext(t *testing.T) {
	var tb *table
	var s debate.Session
	meddle := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			if _, err := tb.store.Interject(t.Context(), s.ID, "", "Mind the cost."); err != nil {
				return nil, err
			}
		}
		return says("a speaks")(n, req)
	}
	tb = newTable(t, map[string]line{"a": meddle, "b": says("b speaks")})
	s = tb.session("adversarial", 3, "a", "b")
	tb.rounds(s, 2)
	if strings.Contains(tb.userTexts("b", "1")[0], "Mind the cost.") || !strings.Contains(tb.userTexts("b", "2")[0], "Mind the cost.") {
		t.Error("an interjection during round 1 belongs to round 2")
	}
}

func TestNotAddressed_namesTheAnswersThatTheirAskerPassesOver(t *testing.T) {
	cites := `Forty-two it is.` + "\n```json\n" + `{"position": "yes", "context_used": ["C1"]}` + "\n```"
	later := func(round, text string) line {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			if strings.Contains(req.Messages[1].Text, "This is round "+round+" of ") {
				return says(text)(n, req)
			}
			return says("I say nothing of it.")(n, req)
		}
	}
	tb := newTable(t, map[string]line{"a": asks("How many?", later("2", cites)), "b": asks("How often?", later("9", "")), "c": says("c speaks")})
	_, s := tb.start(tb.session("adversarial", 3, "a", "b", "c"))
	s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"},
		ledger.Submission{Request: "C2", Outcome: ledger.Unavailable, Content: "nobody counts"})
	_, s = tb.rounds(s, 3)
	want := map[string]string{"r2.s1.b.a1": "C2"} // a names C1, c never asked, and round 3 is not the first with it
	for _, r := range s.History {
		for _, x := range r.Responses {
			if got := strings.Join(s.UnaddressedAnswers(x), ","); got != want[x.ID()] {
				t.Errorf("%s passes over %q, want %q", x.ID(), got, want[x.ID()])
			}
		}
	}
}
