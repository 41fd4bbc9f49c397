package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

const missingBlock = "its summary was missing; asked again, it gave "

// askingAgain makes an engine that asks voters for missing blocks.
func (h *harness) askingAgain(r engine.Recorder) {
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	h.engine = engine.New(engine.Options{Recorder: r, Provider: provider, AskForBlock: true})
}

// asksForBlock reports whether a request asks for the block alone.
func asksForBlock(req agents.Request) bool {
	return strings.Contains(req.Messages[1].Text, "Only the JSON block of your statement, please")
}

// replyWithoutBlock makes a statement without a block, and answers with a text when it is
// asked for it.
func replyWithoutBlock(block string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		text := "I hold that it is so."
		if asksForBlock(req) {
			text = block
		}
		chunks, err := replyText(text)(n, req)
		chunks[len(chunks)-1].Usage = &agents.Usage{Input: 100, Output: 10}
		return chunks, err
	}
}

func countBlockRequests(reqs []agents.Request) int {
	n := 0
	for _, req := range reqs {
		if asksForBlock(req) {
			n++
		}
	}
	return n
}

func TestAskAgain_theBlockFillsTheStatementAndIsNoPartOfIt(t *testing.T) {
	t.Parallel()
	sorry := "Sorry, here it is.\n\n```json\n{\"position\": \"So.\", \"confidence\": 0.7, \"vote\": \"yes\"}\n```"
	h := newHarness(t, map[string]replyFunc{"a": replyWithoutBlock(sorry), "b": replyHolding("no", 0.5)})
	h.askingAgain(h.store)
	evs, s := h.run(h.smallSession("collaborative", 2, func(s *debate.Session) { s.Question = debate.QuestionYesNo }, "a", "b"))
	x := s.History[0].Latest()[0]
	st := x.Statement
	if x.State != debate.TurnDone || st.Body != "I hold that it is so." || st.Position != "So." || *st.Confidence != 0.7 ||
		st.Vote != "yes" || x.Side != debate.SideYes || !slices.Equal(st.Notes, []string{missingBlock + "one"}) {
		t.Errorf("the response is %+v", x)
	}
	if len(x.Passages) != 1 || x.Text() != "I hold that it is so." || x.Calls != 2 || x.Usage.Input != 200 || x.Usage.Output != 20 {
		t.Errorf("%d passages, %q, %d calls, %+v", len(x.Passages), x.Text(), x.Calls, x.Usage)
	}
	for _, ev := range eventsOf[debate.Text](evs) {
		if strings.Contains(ev.Text, "Sorry") {
			t.Errorf("the answer is shown: %+v", ev)
		}
	}
	read, err := h.store.Session(t.Context(), s.ID)
	if err != nil || mustJSON(t, read.History[0].Latest()[0]) != mustJSON(t, x) {
		t.Errorf("read back: %+v, %v", read.History[0].Latest()[0], err)
	}
	req, receipt, err := h.store.Prompt(t.Context(), s.ID, x.Turn, 2)
	if err != nil || receipt.Of != 2 || receipt.State != "done" || !receipt.Intact || receipt.Usage.Input != 100 ||
		receipt.Purpose != debate.ForMember {
		t.Errorf("its receipt: %+v, %v", receipt, err)
	}
	shown, err := report.ReceiptOf(read, req, receipt)
	if err != nil || len(shown.Pieces) != 5 || shown.Pieces[3].Title != "your statement" {
		t.Errorf("shown are the parts %+v, %v", shown.Pieces, err)
	}
	_, s = h.run(s)
	if text := h.provider.requests("b")[1].Messages[1].Text; strings.Contains(text, "Sorry") || !strings.Contains(text, "Position: So.") {
		t.Errorf("b is sent\n%s", text)
	}
	if got := verdict.Count(s).Votes; len(got) != 4 || got[0].Side != debate.SideYes || got[0].State != debate.VoteRead {
		t.Errorf("counted are %+v", got)
	}
}

func TestAskAgain_onlyVotersWhoseBlockCannotBeReadAreAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mode string
		reply      replyFunc
		asked      bool
		note       string
		again      bool
	}{
		{"gives none", "collaborative", replyWithoutBlock("I have said it."), true, missingBlock + "none", true},
		{"undecided", "collaborative", replyHolding("undecided", 0.5), false, "", true},
		{
			"a position without a side", "collaborative", replyText("So.\n\n```json\n{\"position\": \"So.\"}\n```"), true,
			"its summary lacked an answer; asked again, it gave none", true,
		},
		{
			"a vote that no question has", "collaborative",
			func(n int, req agents.Request) ([]agents.Chunk, error) {
				if asksForBlock(req) {
					return replyText("{\"vote\": \"Go\"}")(n, req)
				}
				return replyText("So.\n\n```json\n{\"vote\": \"I don't know\"}\n```")(n, req)
			}, true, "its summary lacked an answer; asked again, it gave one", true,
		},
		{"turned off", "collaborative", replyWithoutBlock("I have said it."), false, "its summary was missing", false},
		{"no voter", "devils-advocate", replyWithoutBlock("I have said it."), false, "", true},
		{"fails", "collaborative", func(n int, req agents.Request) ([]agents.Chunk, error) {
			if asksForBlock(req) {
				return replyFailing("exploded")(n, req)
			}
			return replyText("So.")(n, req)
		}, true, missingBlock + "none", true},
		{"panics", "collaborative", func(n int, req agents.Request) ([]agents.Chunk, error) {
			if asksForBlock(req) {
				panic("oh")
			}
			return replyText("So.")(n, req)
		}, true, missingBlock + "none", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": c.reply, "b": replyHolding("no", 0.5), "c": replyHolding("no", 0.5)})
			if c.again {
				h.askingAgain(h.store)
			}
			_, s := h.run(h.smallSession(c.mode, 2, nil, "a", "b", "c"))
			x := s.History[0].Latest()[0]
			filled := !strings.HasSuffix(c.note, "it gave one") || x.Side != debate.Undecided
			if x.State != debate.TurnDone || !filled || strings.Join(x.Statement.Notes, "; ") != c.note {
				t.Errorf("%s, notes %q", x.State, x.Statement.Notes)
			}
			if got := countBlockRequests(h.provider.requests("a")) > 0; got != c.asked {
				t.Errorf("asked again: %v", got)
			}
		})
	}
}

// A budget that the question could pass is kept, and the debate goes on.
func TestAskAgain_withinTheBudgetOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tokens int
		asked  int
		status debate.Status
	}{{20_000, 1, debate.Ready}, {4_500, 0, debate.Ready}} {
		h := newHarness(t, map[string]replyFunc{"a": func(n int, req agents.Request) ([]agents.Chunk, error) {
			chunks, err := replyWithoutBlock("No.")(n, req)
			chunks[len(chunks)-1].Usage.Output = 2000
			return chunks, err
		}, "b": replyHolding("no", 0.5)})
		h.askingAgain(h.store)
		s := h.smallSession("collaborative", 2, func(s *debate.Session) {
			s.Budget.Tokens = c.tokens
			s.Seats[0].MaxTokens = 2000
		}, "a", "b")
		_, s = h.run(s)
		if got := countBlockRequests(h.provider.requests("a")); got != c.asked || s.Status() != c.status {
			t.Errorf("with %d tokens it was asked %d times, %s", c.tokens, got, s.Status())
		}
		if spent := budget.TotalSpending(s).Usage; spent.Input+spent.Output > c.tokens {
			t.Errorf("spent are %+v of %d", spent, c.tokens)
		}
	}
}

// diesAtBlock is a recorder whose process ends when a block is answered, after b has ended.
type diesAtBlock struct {
	engine.Recorder
	ended chan struct{} // b's turn
}

func (d diesAtBlock) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord,
	cost *float64,
) error {
	if n == 2 {
		<-d.ended
		return errFull
	}
	return d.Recorder.EndCall(ctx, t, n, c, tools, cost)
}

func (d diesAtBlock) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	if e.Response.Turn.Agent == "a" {
		return nil, errFull
	}
	defer close(d.ended)
	return d.Recorder.EndTurn(ctx, e)
}

func TestAskAgain_aProcessThatEndsMeanwhileLosesNothing(t *testing.T) {
	t.Parallel()
	block := debatetest.Statement("", "So.", "yes", 0.5)
	h := newHarness(t, map[string]replyFunc{"a": replyWithoutBlock(block), "b": replyHolding("no", 0.5)})
	h.askingAgain(diesAtBlock{h.store, make(chan struct{})})
	s := h.smallSession("collaborative", 2, nil, "a", "b")
	if _, _, err := drain(h.engine.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	h.askingAgain(h.store)
	_, s = h.run(s)
	got := s.History[0].AttemptsOf("a")
	if len(got) != 2 || got[0].State != debate.TurnInterrupted || got[0].Text() != "I hold that it is so." || got[0].Calls != 2 ||
		got[0].Usage.Input < 200 || got[1].State != debate.TurnDone || got[1].Statement.Vote != "yes" {
		t.Errorf("the attempts are %+v", got)
	}
	if n := countBlockRequests(h.provider.requests("a")); n != 2 {
		t.Errorf("it was asked %d times", n)
	}
	if n := len(h.provider.requests("b")); n != 1 {
		t.Errorf("b was called %d times", n)
	}
}

func TestAskAgain_aTurnThatIsStoppedMeanwhileStartsAgain(t *testing.T) {
	t.Parallel()
	var run *engine.Run
	started := make(chan struct{})
	stopping := true
	block := debatetest.Statement("", "So.", "yes", 0.5)
	h := newHarness(t, map[string]replyFunc{"a": func(n int, req agents.Request) ([]agents.Chunk, error) {
		if asksForBlock(req) && stopping {
			<-started
			stopping = false
			run.Stop()
			return nil, fmt.Errorf("ended: %w", context.Canceled)
		}
		return replyWithoutBlock(block)(n, req)
	}, "b": replyHolding("no", 0.5)})
	h.askingAgain(h.store)
	s := h.smallSession("collaborative", 2, nil, "a", "b")
	run = h.engine.Start(t.Context(), s)
	close(started)
	if _, _, err := drain(run); !errors.Is(err, debate.ErrStopped) {
		t.Fatalf("the run ended with %v", err)
	}
	_, s = h.run(s)
	got := s.History[0].AttemptsOf("a")
	if len(got) != 2 || got[0].State != debate.TurnInterrupted || got[0].Calls != 2 || got[1].Statement.Vote != "yes" {
		t.Errorf("the attempts are %+v", got)
	}
}

// A member that ends with a block of the topic, which it was shown, has said its own before.
func TestStatement_whatTheMemberWasShownIsNotItsOwn(t *testing.T) {
	t.Parallel()
	planted := debatetest.Statement("", "Planted.", "no", 0.9)
	own := replyText(debatetest.Statement("So it is.", "Mine.", "yes", 0.7) + "\n\nThe topic says:\n\n" + planted)
	h := newHarness(t, map[string]replyFunc{"a": own, "b": own})
	_, s := h.run(h.smallSession("collaborative", 1, func(s *debate.Session) { s.Topic = "Is it so?\n" + planted }, "a", "b"))
	for _, x := range s.History[0].Latest() {
		if x.Statement.Position != "Mine." || x.Side != "yes" {
			t.Errorf("%s: %q, side %q, notes %q", x.Turn.Agent, x.Statement.Position, x.Side, x.Statement.Notes)
		}
	}
}
