package engine_test

import (
	"context"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

const (
	aThought = "Okay, the user wants a vote. I lean to NO-SUCH-THOUGHT."
	anAnswer = "It is so.\n\n```json\n{\"position\": \"It is so.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
)

// newThinkingHarness has m1 think without an opening mark. The rest of its first answer waits until it may go on.
func newThinkingHarness(t *testing.T, goOn <-chan struct{}) *harness {
	h := newHarness(t, map[string]replyFunc{"m1": replyText(anAnswer[2:] + "<|im_end|>"), "m2": replyText(anAnswer)})
	first, thinks := true, asksModel("m1")
	h.useProvider(wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
		if !thinks(req) {
			return true
		}
		for _, piece := range []string{aThought[:20], aThought[20:] + "\n</thi", "nk>\n\nIt"} {
			if !yield(agents.Chunk{Text: piece}, nil) {
				return false
			}
		}
		if first {
			first = false
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return true
	}})
	return h
}

// partOf returns the only attempt of a seat in the first round.
func partOf(t *testing.T, s debate.Session, seat agents.ID) debate.Response {
	t.Helper()
	all := s.History[0].AttemptsOf(seat)
	if len(all) != 1 || len(all[0].Passages) != 1 {
		t.Fatalf("%s has %+v", seat, all)
	}
	return all[0]
}

// reopened returns the session as another process reads it.
func (h *harness) reopened(id string) debate.Session {
	h.Helper()
	other := must.Get(store.Open(h.Context(), h.path, store.Options{}))(h)
	defer func() { must.Do(h, other.Close()) }()
	return must.Get(other.Session(h.Context(), id))(h)
}

func TestStart_whatWasReasoningIsNowhereInTheStatement(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	h := newThinkingHarness(t, goOn)
	s := h.session("collaborative", 2, "m1", "m2")
	run := h.engine.Start(t.Context(), s)
	var shown, thought string
	_, s, err := each(run, func(ev debate.Event) {
		x, ok := ev.(debate.Text)
		if !ok || x.Turn.Agent != "m1" || x.Turn.Round != 1 {
			return
		}
		if x.Moves { // that is stored before it is shown
			if x.Text != shown {
				t.Errorf("%q becomes reasoning after %q was shown", x.Text, shown)
			}
			shown = ""
			half := partOf(t, h.reopened(s.ID), "m1")
			p := half.Passages[0]
			if half.State == debate.TurnDone || p.Text != "" || !strings.HasPrefix(aThought+"\n", p.Reasoning) || p.Reasoning == "" {
				t.Errorf("stored before it is shown: %s %+v", half.State, p)
			}
			close(goOn)
		}
		if x.Reasoning {
			thought += x.Text
		} else {
			shown += x.Text
		}
	})
	must.Do(t, err)
	if shown != anAnswer || thought != aThought+"\n" {
		t.Errorf("shown %q, thought %q", shown, thought)
	}
	for name, s := range map[string]debate.Session{"announced": s, "stored": h.reopened(s.ID)} {
		x := partOf(t, s, "m1")
		if x.Statement.Body != "It is so." || x.Statement.Vote != "yes" || x.Text() != anAnswer || x.Passages[0].Reasoning != aThought+"\n" {
			t.Errorf("%s: %+v with %+v", name, x.Statement, x.Passages)
		}
	}
	_, s = h.run(s)
	if sent := mustJSON(t, h.provider.requests("m2")); strings.Contains(sent, "NO-SUCH-THOUGHT") {
		t.Errorf("m2 reads what m1 thought: %s", sent)
	}
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}

func TestStart_aKillLeavesReasoningReasoning(t *testing.T) {
	t.Parallel()
	h := newThinkingHarness(t, nil)
	s := h.session("collaborative", 1, "m1", "m2")
	run := h.engine.Start(t.Context(), s)
	_, _, _ = each(run, func(ev debate.Event) { // it ends as stopped
		if x, ok := ev.(debate.Text); ok && x.Moves {
			run.Stop()
		}
	})
	x := partOf(t, h.reopened(s.ID), "m1")
	if p := x.Passages[0]; x.State != debate.TurnInterrupted || !strings.HasPrefix("It", p.Text) || p.Reasoning != aThought+"\n" {
		t.Errorf("%s with %+v", x.State, p)
	}
	h.open()
	_, s = h.run(h.reopened(s.ID))
	if s.Status() != debate.Complete {
		t.Errorf("status = %s", s.Status())
	}
}

const aWrittenQuestion = "<tool_call>\n{\"name\": \"request_context\", \"arguments\": " +
	"{\"query\": \"What is the budget?\", \"reason\": \"It decides.\", \"priority\": \"required\"}}\n</tool_call>"

// writing returns a harness whose m1 answers its first requests with these texts.
func writing(t *testing.T, answers ...string) *harness {
	return newHarness(t, map[string]replyFunc{"m2": replyText(anAnswer), "m1": func(n int, req agents.Request) ([]agents.Chunk, error) {
		return replyText(append(answers, anAnswer)[min(n-1, len(answers))])(n, req)
	}})
}

// withoutCall checks that nothing of a call is in what is stored as the statement of a turn.
func withoutCall(t *testing.T, x debate.Response) {
	t.Helper()
	last := x.Passages[len(x.Passages)-1].Text
	for _, text := range []string{x.Statement.Body, x.Statement.Position, x.Text(), last} {
		if strings.Contains(text, "tool_call") || strings.Contains(text, "budget") {
			t.Errorf("%q is in the statement", text)
		}
	}
	if x.State != debate.TurnDone || x.Statement.Vote != "yes" {
		t.Errorf("%s: %+v", x.State, x.Statement)
	}
}

func TestStart_aQuestionWrittenAsTextIsAskedOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answers  []string
		requests int
	}{
		"beside the second answer": {[]string{aWrittenQuestion, anAnswer + "\n" + aWrittenQuestion}, 2},
		"and nothing else":         {[]string{aWrittenQuestion, aWrittenQuestion}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := writing(t, tt.answers...)
			evs, s := h.run(h.session("collaborative", 2, "m1", "m2"))
			if n := len(h.provider.requests("m1")); n != tt.requests {
				t.Errorf("%d requests", n)
			}
			ended := eventsOf[debate.ToolEnded](evs)
			if len(ended) != 1 || ended[0].Tool.Result.Summary != "C1 required, written as text" {
				t.Errorf("shown is %+v", ended)
			}
			for _, s := range []debate.Session{s, h.reopened(s.ID)} {
				if len(s.Requests) != 1 || s.Requests[0].Query != "What is the budget?" || len(s.Unanswered()) != 1 {
					t.Errorf("asked is %+v", s.Requests)
				}
				withoutCall(t, s.History[0].AttemptsOf("m1")[0])
			}
			calls := h.toolsOf(s, "m1")
			if len(calls) != 1 || calls[0].Name != agents.RequestContextName || calls[0].Result.Summary != "C1 required, written as text" {
				t.Errorf("stored is %+v", calls)
			}
			s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "ten-thousand"})
			if _, s = h.run(s); s.Status() != debate.Complete {
				t.Errorf("status = %s", s.Status())
			}
		})
	}
}

func TestStart_aQuestionThatCannotBeReadIsANotice(t *testing.T) {
	t.Parallel()
	broken := strings.Replace(aWrittenQuestion, "the budget", "the \"budget\"", 1)
	h := writing(t, broken, anAnswer+"\n"+broken)
	_, s := h.run(h.session("collaborative", 1, "m1", "m2"))
	for _, s := range []debate.Session{s, h.reopened(s.ID)} {
		withoutCall(t, s.History[0].AttemptsOf("m1")[0])
		told := noticesOf(s, "question_unread")
		if len(told) != 1 || !strings.HasPrefix(told[0], "M1 asked you something in round 1 that could not be read: ") || !strings.Contains(told[0], `What is the "budget"?`) {
			t.Errorf("told is %q", told)
		}
	}
}

// replyThenAsking makes a statement and asks the user in the same completion, and ends
// the turn with another text.
func replyThenAsking(statement, end string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := replyAsking("How many writes?", replyText(end))(n, req)
		if err != nil || len(chunks[0].Calls) == 0 {
			return chunks, err
		}
		half := len(statement) / 2
		return append([]agents.Chunk{
			{Text: statement[:half]}, {Reasoning: "Is that so?"}, {Text: statement[half:]},
		}, chunks...), nil
	}
}

// A statement that a model makes before it asks the user is its statement: it is stored,
// read back and passed on to the others.
func TestStatement_beforeAToolCallIsKept(t *testing.T) {
	t.Parallel()
	const said = "We should split it, since the two halves are released apart, by different people and on different days.\n\n" +
		"```json\n{\"position\": \"Split it.\", \"confidence\": 0.8, \"vote\": \"yes\"}\n```"
	for _, end := range []string{"", "My statement stands as above."} {
		h := newHarness(t, map[string]replyFunc{"a": replyThenAsking(said, end), "b": replyHolding("no", 0.5)})
		_, s := h.run(h.session("collaborative", 2, "a", "b"))
		x := s.History[0].Latest()[0]
		st := x.Statement
		if x.State != debate.TurnDone || st.Position != "Split it." || st.Vote != "yes" || !strings.HasPrefix(st.Body, "We should split it") {
			t.Fatalf("ending with %q: %+v", end, x)
		}
		if read := h.read(s).History[0].Latest()[0]; mustJSON(t, read) != mustJSON(t, x) {
			t.Errorf("read back: %+v", read)
		}
		h.run(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A hundred."}))
		reqs := h.provider.requests("b")
		if sent := reqs[len(reqs)-1].Messages[1].Text; !strings.Contains(sent, "the two halves are released apart") {
			t.Errorf("b is sent\n%s", sent)
		}
	}
}
