package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
)

// shared creates a session whose models have small windows, changed as a test wants it.
func (tb *table) shared(mode string, rounds int, change func(*debate.Session), models ...string) debate.Session {
	tb.Helper()
	s := tb.session(mode, rounds, models...)
	s.ID = ""
	for i := range s.Seats {
		s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = 6000, 500
	}
	if change != nil {
		change(&s)
	}
	s, err := tb.store.Create(tb.Context(), s)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// states is a whole statement of n characters of prose.
func states(who string, round, n int) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\": \"%s holds it in round %d.\", \"confidence\": 0.6, \"stance\": \"yes\", \"citations\": [\"a book\"]}\n```",
		debatetest.Prose(fmt.Sprintf("%s in round %d", who, round), n), who, round)
}

// long speaks as long as n characters, and tells the rounds apart.
func long(who string, n int) line {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		round := 0
		if _, err := fmt.Sscanf(after(req.Messages[1].Text, "This is round "), "%d", &round); err != nil {
			return nil, err
		}
		return says(states(who, round, n))(0, req)
	}
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// shortens answers like a light model: with a summary of a part of what it was given.
func shortens(percent int) line {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		text := req.Messages[1].Text
		text = text[strings.Index(text, "This is what"):]
		n := strings.LastIndex(text, ".\n") * percent / 100
		return says("Summary of "+strings.Join(strings.Fields(text)[3:7], " ")+": "+debatetest.Prose("it", max(n-40, 2)))(0, req)
	}
}

func isSummary(req agents.Request) bool {
	return strings.Contains(req.Messages[0].Text, "You shorten one statement")
}

// with answers requests for summaries by light, and all others by speak.
func with(light, speak line) line {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if isSummary(req) {
			return light(n, req)
		}
		return speak(n, req)
	}
}

// rounds plays a session until n rounds are played.
func (tb *table) rounds(s debate.Session, n int) ([]debate.Event, debate.Session) {
	tb.Helper()
	var all []debate.Event
	for len(s.History) < n {
		var evs []debate.Event
		evs, s = tb.start(s)
		all = append(all, evs...)
	}
	return all, s
}

// prompt returns what a model was first sent in a round, summaries apart.
func (tb *table) prompt(model string, round int) string {
	tb.Helper()
	for _, r := range tb.models.requests(model) {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, fmt.Sprintf("This is round %d of ", round)) {
			return r.Messages[1].Text
		}
	}
	tb.Fatalf("%s was not asked in round %d", model, round)
	return ""
}

func (tb *table) summaries() []agents.Request {
	var out []agents.Request
	for _, model := range []string{"a", "b", "c", "light"} {
		for _, r := range tb.models.requests(model) {
			if isSummary(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func light(s *debate.Session) {
	s.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light"}
}

func codes(evs []debate.Event) map[string][]debate.Notice {
	out := map[string][]debate.Notice{}
	for _, e := range of[debate.Noticed](evs) {
		out[e.Notice.Code] = append(out[e.Notice.Code], e.Notice)
	}
	return out
}

func TestBudget1_contextStandsBetweenTheRulesAndTheQuestionInTheOrderOfItsMaking(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", long("a", 300)), "b": long("b", 300), "c": long("c", 300)})
	_, s := tb.start(tb.session("adversarial", 3, "a", "b", "c"))
	_, s = tb.start(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	tb.start(s)
	text := tb.prompt("c", 3)
	at := -1
	for _, want := range []string{
		"a in round 1", "b in round 1", "c in round 1", "a in round 2", "b in round 2", "c in round 2", "a in round 3", "b in round 3", "forty-two", "Is it so?",
	} {
		next := strings.Index(text, want)
		if next <= at {
			t.Errorf("%q stands at %d, what comes before it at %d:\n%s", want, next, at, text)
		}
		at = next
	}
}

func TestBudget2_whoAnsweredIsPassedOnAndOfOthersOneLineSaysSo(t *testing.T) {
	blank := says("```json\n{\"confidence\": 0.5}\n```")
	tb := newTable(t, map[string]line{"a": says("I am here."), "b": fails("exploded"), "c": blank})
	_, s := tb.rounds(tb.session("collaborative", 2, "a", "b", "c"), 2)
	text := tb.prompt("a", 2)
	for _, want := range []string{"I am here.", "\nB gave no response in round 1.", "\nC gave no response in round 1."} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q occurs %d times:\n%s", want, strings.Count(text, want), text)
		}
	}
	if strings.Contains(text, "exploded") || strings.Contains(text, "statement: seat 3") || len(s.History[1].Responses) != 3 {
		t.Errorf("what is no statement was passed on:\n%s", text)
	}
}

func TestBudget3_aPromptWithoutContextHasNoTraceOfIt(t *testing.T) {
	for _, mode := range []string{"collaborative", "adversarial"} {
		lines := map[string]line{"a": says("x"), "b": says("y")}
		tb := newTable(t, lines)
		s := tb.session(mode, 2, "a", "b")
		tb.start(s)
		bare := prompt.Snapshot{Session: s.ID, Topic: s.Topic, Mode: s.Mode, Round: 1, Rounds: 2, Seats: s.Seats}
		for i, seat := range []string{"a", "b"} {
			want := mustJSON(t, prompt.Messages(s.Mode, bare, debate.Step{}, agents.Agent{Profile: s.Seats[i]}))
			got := mustJSON(t, tb.models.requests(seat)[0].Messages)
			if first := mode == "collaborative" || i == 0; (got == want) != first {
				t.Errorf("%s, %s: the same as without context is %v, want %v:\n%s", mode, seat, got == want, first, got)
			}
		}
	}
}

func TestBudget5_whatFitsIsPassedAsItStandsAndNobodySummarises(t *testing.T) {
	tb := newTable(t, map[string]line{"a": long("a", 900), "b": long("b", 900)})
	evs, s := tb.rounds(tb.shared("collaborative", 3, light, "a", "b"), 3)
	if n := len(tb.summaries()); n != 0 {
		t.Errorf("%d summaries were asked for", n)
	}
	for _, who := range []string{"a", "b"} {
		for round := 1; round <= 2; round++ {
			if whole := debatetest.Prose(fmt.Sprintf("%s in round %d", who, round), 900); !strings.Contains(tb.prompt("a", 3), whole) {
				t.Errorf("what %s said in round %d is not passed on whole", who, round)
			}
		}
	}
	if s.History[2].Responses[0].ContextFit != nil || len(codes(evs)) != 0 {
		t.Errorf("something was shortened: %+v, %v", s.History[2].Responses[0].ContextFit, codes(evs))
	}
}

// speakThrough makes the table's engine speak to a provider.
func (tb *table) speakThrough(p agents.Provider) {
	provider := func(agents.Profile) (agents.Provider, error) { return p, nil }
	tb.engine = engine.New(engine.Options{Recorder: tb.store, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
}
