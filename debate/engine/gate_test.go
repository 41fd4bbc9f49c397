package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

func TestGate_acceptance4_aQuestionOfThreeIsOneRowWithOneAnswerForAll(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many users?", replyText("I wait")), "b": replyAsking("how many  USERS",
			replyText("me too")), "c": replyAsking("How many users ?!", replyText("and I")),
	})
	_, s := h.run(h.session("collaborative", 3, "a", "b", "c"))
	if len(s.Requests) != 1 || len(s.Requests[0].Askers()) != 3 || len(s.Requests[0].Asks) != 3 {
		t.Fatalf("requests = %+v, want one with three askers", s.Requests)
	}
	told := map[ledger.Status]int{}
	for _, a := range s.Requests[0].Asks {
		told[a.Reply.Status]++
		if want := map[agents.ID]string{
			"a": "How many users?", "b": "how many  USERS",
			"c": "How many users ?!",
		}[a.Turn.Agent]; a.Query != want {
			t.Errorf("%s asked %q, stored is %q", a.Turn.Agent, want, a.Query)
		}
	}
	if told[ledger.StatusQueued] != 1 || told[ledger.StatusDuplicate] != 2 {
		t.Errorf("the askers were told %v, want queued once and duplicate twice", told)
	}
	if open := s.Unanswered(); len(open) != 1 {
		t.Errorf("%d requests block, want 1", len(open))
	}
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two", Source: "the books"})
	evs, s := h.run(s)
	if got := eventsOf[debate.RoundStarted](evs)[0].Sent(); !slices.Equal(got, []string{"C1"}) {
		t.Errorf("released %v", got)
	}
	for _, m := range []string{"a", "b", "c"} {
		text := h.provider.requests(m)[2].Messages[1].Text
		for _, once := range []string{"forty-two", "the books", s.Requests[0].Query, "asked by", "[C1]"} {
			if n := strings.Count(text, once); n != 1 {
				t.Errorf("%s reads %q %d times, want once:\n%s", m, once, n, text)
			}
		}
		if askers := text[strings.Index(text, "asked by"):]; !strings.Contains(askers[:strings.Index(askers, "\n")], "round 1") {
			t.Errorf("%s is not told since when: %s", m, askers)
		}
	}
}

// However many questions of an answer are refused, one notice says so.
func TestAsk_refusedQuestionsAreOneNotice(t *testing.T) {
	t.Parallel()
	var calls []agents.ToolCall
	for i := range 14 {
		args := fmt.Sprintf(`{"query": "What is number %d?", "reason": "it decides", "priority": "optional"}`, i)
		calls = append(calls, agents.ToolCall{ID: fmt.Sprint(i), Name: agents.RequestContextName, Args: args})
	}
	h := newHarness(t, map[string]replyFunc{"a": allAtOnce(calls, "I say yes."), "b": replyText("I say no.")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	told := noticesOf(h.read(s), "context_cap")
	const want = "A question from a in round 1 was refused: "
	if len(told) != 1 || !strings.HasPrefix(told[0], want) {
		t.Errorf("got %q, want one that begins with %q", told, want)
	}
}
