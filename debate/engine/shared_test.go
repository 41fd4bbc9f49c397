package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

// smallSession creates a session whose models have small windows, changed as a test wants it.
func (h *harness) smallSession(mode string, rounds int, change func(*debate.Session), models ...string) debate.Session {
	h.Helper()
	s := h.session(mode, rounds, models...)
	s.ID = ""
	for i := range s.Seats {
		s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = 6300, 500
	}
	if change != nil {
		change(&s)
	}
	s, err := h.store.Create(h.Context(), s)
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// longStatement is a whole statement of n characters of prose.
func longStatement(who string, round, n int) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\": \"%s holds it in round %d.\", \"confidence\": 0.6, \"vote\": "+
		"\"yes\", \"citations\": [\"a book\"]}\n```",
		debatetest.Prose(fmt.Sprintf("%s in round %d", who, round), n), who, round)
}

// replyLong speaks as long as n characters, and tells the rounds apart.
func replyLong(who string, n int) replyFunc {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		round := 0
		if _, err := fmt.Sscanf(textAfter(req.Messages[1].Text, "This is round "), "%d", &round); err != nil {
			return nil, err
		}
		return replyText(longStatement(who, round, n))(0, req)
	}
}

func textAfter(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// replySummary answers like a light model: with a summary of a part of what it was given.
func replySummary(percent int) replyFunc {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		text := req.Messages[1].Text
		text = text[strings.Index(text, "This is what"):]
		n := strings.LastIndex(text, ".\n") * percent / 100
		return replyText("Summary of "+strings.Join(strings.Fields(text)[3:7], " ")+": "+debatetest.Prose("it", max(n-40, 2)))(0, req)
	}
}

func isSummary(req agents.Request) bool {
	return strings.Contains(req.Messages[0].Text, "You shorten one statement")
}

// replyAlsoSummaries answers requests for summaries by light, and all others by speak.
func replyAlsoSummaries(light, speak replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if isSummary(req) {
			return light(n, req)
		}
		return speak(n, req)
	}
}

// runRounds plays a session until n rounds are played.
func (h *harness) runRounds(s debate.Session, n int) ([]debate.Event, debate.Session) {
	h.Helper()
	var all []debate.Event
	for len(s.History) < n {
		var evs []debate.Event
		evs, s = h.run(s)
		all = append(all, evs...)
	}
	return all, s
}

// userPrompt returns what a model was first sent in a round, summaries apart.
func (h *harness) userPrompt(model string, round int) string {
	h.Helper()
	for _, r := range h.provider.requests(model) {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, fmt.Sprintf("This is round %d of ", round)) {
			return r.Messages[1].Text
		}
	}
	h.Fatalf("%s was not asked in round %d", model, round)
	return ""
}

func (h *harness) summaryRequests() []agents.Request {
	var out []agents.Request
	for _, model := range []string{"a", "b", "c", "light"} {
		for _, r := range h.provider.requests(model) {
			if isSummary(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func addLight(s *debate.Session) {
	s.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light"}
}

func noticesByCode(evs []debate.Event) map[string][]debate.Notice {
	out := map[string][]debate.Notice{}
	for _, e := range eventsOf[debate.Noticed](evs) {
		out[e.Notice.Code] = append(out[e.Notice.Code], e.Notice)
	}
	return out
}

func TestBudget1_contextStandsBetweenTheQuestionAndTheInstructionsInTheOrderOfItsMaking(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many?", replyLong("a", 300)), "b": replyLong("b", 300),
		"c": replyLong("c", 300),
	})
	_, s := h.run(h.session("adversarial", 3, "a", "b", "c"))
	_, s = h.run(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	h.run(s)
	text := h.userPrompt("c", 3)
	at := -1
	for _, want := range []string{
		"Is it so?", "a in round 1", "b in round 1", "c in round 1", "forty-two", "a in round 2", "b in round 2", "c in round 2",
		"a in round 3", "b in round 3", "This is round 3 of 3",
	} {
		next := strings.Index(text, want)
		if next <= at {
			t.Errorf("%q stands at %d, what comes before it at %d:\n%s", want, next, at, text)
		}
		at = next
	}
}

func TestBudget2_whoAnsweredIsPassedOnAndOfOthersOneLineSaysSo(t *testing.T) {
	t.Parallel()
	blank := replyText("```json\n{\"confidence\": 0.5}\n```")
	h := newHarness(t, map[string]replyFunc{"a": replyText("I am here."), "b": replyFailing("exploded"), "c": blank})
	_, s := h.runRounds(h.session("collaborative", 2, "a", "b", "c"), 2)
	text := h.userPrompt("a", 2)
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
	t.Parallel()
	for _, mode := range []string{"collaborative", "adversarial"} {
		lines := map[string]replyFunc{"a": replyText("x"), "b": replyText("y")}
		h := newHarness(t, lines)
		s := h.session(mode, 2, "a", "b")
		_, played := h.run(s)
		s.History = []debate.Round{{Number: 1, Manifest: played.History[0].Manifest}}
		bare, err := prompt.NewSnapshot(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, seat := range []string{"a", "b"} {
			want := mustJSON(t, prompt.Member(s.Mode, bare, debate.Step{}, s.Seats[i]).Messages())
			got := mustJSON(t, h.provider.requests(seat)[0].Messages)
			if first := mode == "collaborative" || i == 0; (got == want) != first {
				t.Errorf("%s, %s: the same as without context is %v, want %v:\n%s", mode, seat, got == want, first, got)
			}
		}
	}
}

func TestBudget5_whatFitsIsPassedAsItStandsAndNobodySummarises(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 900), "b": replyLong("b", 900)})
	evs, s := h.runRounds(h.smallSession("collaborative", 3, addLight, "a", "b"), 3)
	if n := len(h.summaryRequests()); n != 0 {
		t.Errorf("%d summaries were asked for", n)
	}
	for _, who := range []string{"a", "b"} {
		for round := 1; round <= 2; round++ {
			if whole := debatetest.Prose(fmt.Sprintf("%s in round %d", who, round), 900); !strings.Contains(h.userPrompt("a", 3), whole) {
				t.Errorf("what %s said in round %d is not passed on whole", who, round)
			}
		}
	}
	if s.History[2].Responses[0].ContextFit != nil || len(noticesByCode(evs)) != 0 {
		t.Errorf("something was shortened: %+v, %v", s.History[2].Responses[0].ContextFit, noticesByCode(evs))
	}
}

// useProvider makes the table's engine speak to a provider.
func (h *harness) useProvider(p agents.Provider) {
	provider := func(agents.Profile) (agents.Provider, error) { return p, nil }
	h.engine = engine.New(engine.Options{Recorder: h.store, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
}
