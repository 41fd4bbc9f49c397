package engine_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

func TestBudget11_aSummaryIsMadeOnceForAllAgentsAndAfterAResume(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyLong("a", 5000), "b": replyLong("b", 5000), "c": replyLong("c", 5000), "light": replySummary(25),
	})
	_, s := h.runRounds(h.smallSession("collaborative", 6, withLight(12000), "a", "b", "c"), 4)
	made := len(h.summaryRequests())
	if made == 0 {
		t.Fatal("nothing was summarised")
	}
	read := h.read(s)
	h.open() // another process goes on
	h.runRounds(read, 6)
	seen := map[string]int{}
	for _, r := range h.summaryRequests() {
		seen[textAfter(r.Messages[1].Text, "This is what ")[:len("a in round 1")]]++
	}
	if len(seen) <= made/2 {
		t.Errorf("after the resume nothing more was summarised: %v", seen)
	}
	for what, n := range seen {
		if n != 1 {
			t.Errorf("what %s said was summarised %d times", what, n)
		}
	}
}

func TestBudget11_anotherTextModelOrPromptIsAnotherSummary(t *testing.T) {
	t.Parallel()
	x := debate.Response{Turn: agents.Turn{Round: 1, Agent: "a", Attempt: 1}}
	keys := map[string]bool{}
	for _, d := range []debate.StatementSummary{
		{Response: x.ID(), Hash: "h", Model: "m", Version: 1, Text: "t"},
		{Response: "r2.s0.a.a1", Hash: "h", Model: "m", Version: 1, Text: "t"},
		{Response: x.ID(), Hash: "i", Model: "m", Version: 1, Text: "t"},
		{Response: x.ID(), Hash: "h", Model: "n", Version: 1, Text: "t"},
		{Response: x.ID(), Hash: "h", Model: "m", Version: 2, Text: "t"},
	} {
		keys[d.Key()] = true
	}
	if len(keys) != 5 {
		t.Errorf("%d keys for 5 summaries", len(keys))
	}
}

func TestBudget14_eachShorteningIsToldOnceWithItsSizes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyLong("b", 5000), "light": replySummary(25)})
	evs, s := h.runRounds(h.smallSession("collaborative", 5, addLight, "a", "b"), 5)
	told := map[string]int{}
	for _, ns := range noticesByCode(evs) {
		for _, n := range ns {
			told[string(n.Agent)+n.Code+n.Text]++
			if n.Agent == "" || n.Round < 2 || !strings.Contains(n.Text, "5000 characters") {
				t.Errorf("notice = %+v", n)
			}
		}
	}
	if len(told) < 4 {
		t.Errorf("notices = %v", told)
	}
	for n, times := range told {
		if times != 1 {
			t.Errorf("told %d times: %s", times, n)
		}
	}
	if got := len(s.Notices); got != len(told) {
		t.Errorf("%d notices are kept, %d were told", got, len(told))
	}
	marked := false
	for _, e := range eventsOf[debate.TurnEnded](evs) {
		marked = marked || e.Response.ContextFit != nil
	}
	if !marked {
		t.Error("no turn says that its prompt was shortened")
	}
}

func TestFit_theChairsPromptFitsToo(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyLong("a", 5000), "b": replyLong("b", 5000),
		"light": replySummary(25), "chair": replyText("## Conclusion\nYes."),
	})
	chaired := func(s *debate.Session) {
		addLight(s)
		s.Chair = &agents.Profile{ID: "chair", Name: "Chair", Provider: "test", Model: "chair", ContextWindow: 6000, MaxTokens: 500}
	}
	_, s := h.runRounds(h.smallSession("collaborative", 3, chaired, "a", "b"), 3)
	req := h.provider.requests("chair")[0]
	if n := req.Tokens(); n > 6000*9/10-500 {
		t.Errorf("the chair reads %d tokens", n)
	}
	if text := req.Messages[1].Text; !strings.Contains(text, "[summary of ") || !strings.Contains(text,
		debatetest.Prose("b in round 3", 5000)) {
		t.Errorf("the chair reads:\n%s", text)
	}
	if s.Verdict.Chair != "chair" {
		t.Errorf("verdict = %+v", s.Verdict)
	}
}

func TestFit_aPromptThatTheServerRefusesIsSentShorter(t *testing.T) {
	t.Parallel()
	tooLong := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if (agents.Request{Messages: req.Messages}).Tokens() > 3000 {
			return nil, &agents.Failure{Kind: agents.KindTooLong, Cause: "5000 of 4000 tokens."}
		}
		return replyLong("a", 5000)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": tooLong, "b": replyLong("b", 5000), "light": replySummary(25)})
	_, s := h.runRounds(h.smallSession("collaborative", 4,
		func(s *debate.Session) { addLight(s); s.Seats[0].ContextWindow = 20000 }, "a", "b"), 3)
	if x := s.History[2].Responses[0]; x.State != debate.TurnFailed || x.Failure.Kind != agents.KindTooLong {
		t.Fatalf("a is %s: %+v", x.State, x.Failure)
	}
	for range 3 {
		_, next, err := drain(h.engine.Retry(t.Context(), s, "a"))
		must.Do(t, err)
		s = next
		if x := s.History[2].Latest()[0]; x.State == debate.TurnDone {
			if x.ContextFit == nil || x.ContextFit.Overflows() {
				t.Errorf("fitting = %+v", x.ContextFit)
			}
			return
		}
	}
	t.Error("trying again did not send less")
}

func TestFit_learnsHowManyTokensAModelReads(t *testing.T) {
	t.Parallel()
	greedy := func(who string) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			chunks, err := replyLong(who, 2500)(n, req)
			if err == nil {
				chunks[1].Usage = &agents.Usage{Input: 2 * req.Tokens(), Output: 500}
			}
			return chunks, err
		}
	}
	h := newHarness(t, map[string]replyFunc{"a": greedy("a"), "b": greedy("b"), "light": replySummary(25)})
	_, s := h.runRounds(h.smallSession("collaborative", 4, addLight, "a", "b"), 4)
	for _, x := range s.History[3].Responses {
		if x.Usage.Input > 6000*9/10 {
			t.Errorf("%s read %d tokens in a window of 6000", x.Turn.Agent, x.Usage.Input)
		}
	}
}
