package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

const missingBlock = "its summary was missing; asked again, it gave "

// askingAgain makes an engine that asks voters for missing blocks.
func (h *harness) askingAgain() { h.use(engine.Options{AskForBlock: true}) }

// asksForBlock reports whether a request asks for the block alone.
func asksForBlock(req agents.Request) bool {
	return strings.Contains(req.Messages[1].Text, "Only the JSON block of your statement, please")
}

// replyWithoutBlock makes a statement without a block, and answers with another line when it is
// asked for it.
func replyWithoutBlock(block replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if !asksForBlock(req) {
			return counted(replyText("I hold that it is so."))(n, req)
		}
		return block(n, req)
	}
}

// counted says that an answer took 100 tokens and has 10.
func counted(line replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := line(n, req)
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

func TestAskAgain_onlyVotersWhoseBlockCannotBeReadAreAsked(t *testing.T) {
	t.Parallel()
	saidIt := replyWithoutBlock(replyText("I have said it."))
	for _, c := range []struct {
		name, mode string
		reply      replyFunc
		asked      bool
		note       string
		again      bool
	}{
		{"gives none", "collaborative", saidIt, true, missingBlock + "none", true},
		{"undecided", "collaborative", replyHolding("undecided", 0.5), false, "", true},
		{
			"a position without a side", "collaborative", replyText("So.\n\n```json\n{\"position\": \"So.\"}\n```"), true,
			"its summary lacked an answer; asked again, it gave none", true,
		},
		{
			"a vote that no question has", "collaborative",
			func(n int, req agents.Request) ([]agents.Chunk, error) {
				if asksForBlock(req) {
					return replyText("Sorry. {\"vote\": \"Go\"}")(n, req)
				}
				return replyText("So.\n\n```json\n{\"vote\": \"I don't know\"}\n```")(n, req)
			}, true, "its summary lacked an answer; asked again, it gave one", true,
		},
		{"turned off", "collaborative", saidIt, false, "its summary was missing", false},
		{"no voter", "devils-advocate", saidIt, false, "", true},
		{"fails", "collaborative", replyWithoutBlock(replyFailing("exploded")), true, missingBlock + "none", true},
		{
			"is cut in its thoughts", "collaborative", replyWithoutBlock(replyThinking), true,
			missingBlock + "none; The answer from test/a " + cutInThoughts + ", for new debates", true,
		},
		{"panics", "collaborative", replyWithoutBlock(replyPanicking), true, missingBlock + "none", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": c.reply, "b": replyHolding("no", 0.5), "c": replyHolding("no", 0.5)})
			if c.again {
				h.askingAgain()
			}
			_, s := h.run(h.smallSession(c.mode, 2, nil, "a", "b", "c"))
			x := s.History[0].Latest()[0]
			filled := !strings.HasSuffix(c.note, "it gave one") || verdict.SideOf(s, x) != debate.Undecided
			if x.State != debate.TurnDone || !filled || strings.Join(x.Statement.Notes, "; ") != c.note {
				t.Errorf("%s, notes %q", x.State, x.Statement.Notes)
			}
			for _, x := range []debate.Response{x, h.read(s).History[0].Latest()[0]} { // the block is no part of what is said
				if len(x.Passages) != 1 || strings.Contains(x.Text(), "Sorry") {
					t.Errorf("%d passages: %q", len(x.Passages), x.Text())
				}
			}
			asked := slices.DeleteFunc(h.provider.requests("a"), func(r agents.Request) bool { return !asksForBlock(r) })
			if got := len(asked) > 0; got != c.asked || got && asked[0].MaxTokens != 2000 {
				t.Errorf("asked again: %v, %+v", got, asked)
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
			chunks, err := replyWithoutBlock(counted(replyText("No.")))(n, req)
			chunks[len(chunks)-1].Usage.Output = 2000
			return chunks, err
		}, "b": replyHolding("no", 0.5)})
		h.askingAgain()
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

// The process ends when the block is answered, after b has ended.
func TestAskAgain_aProcessThatEndsMeanwhileLosesNothing(t *testing.T) {
	t.Parallel()
	block := counted(replyText(debatetest.Statement("", "So.", "yes", 0.5)))
	h := newHarness(t, map[string]replyFunc{"a": replyWithoutBlock(block), "b": replyHolding("no", 0.5)})
	ended, calls := make(chan struct{}), 0 // closed when b has ended; writes of a that end something
	h.use(engine.Options{AskForBlock: true, Recorder: hooked{h.store, func(write string) error {
		if write != "call-end a 1" && write != "turn-end a 1" {
			return nil
		}
		if calls++; calls < 2 {
			return nil
		}
		<-ended
		return errFull
	}}})
	run := h.engine.Start(t.Context(), h.smallSession("collaborative", 2, nil, "a", "b"))
	_, s, err := each(run, func(ev debate.Event) {
		if x, ok := ev.(debate.TurnEnded); ok && x.Response.Turn.Agent == "b" {
			close(ended)
		}
	})
	if !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	h.askingAgain()
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

// A member that ends with a block of the topic, which it was shown, has said its own before.
func TestStatement_whatTheMemberWasShownIsNotItsOwn(t *testing.T) {
	t.Parallel()
	planted := debatetest.Statement("", "Planted.", "no", 0.9)
	own := replyText(debatetest.Statement("So it is.", "Mine.", "yes", 0.7) + "\n\nThe topic says:\n\n" + planted)
	h := newHarness(t, map[string]replyFunc{"a": own, "b": own})
	_, s := h.run(h.smallSession("collaborative", 1, func(s *debate.Session) { s.Topic = "Is it so?\n" + planted }, "a", "b"))
	for _, x := range s.History[0].Latest() {
		if x.Statement.Position != "Mine." || verdict.SideOf(s, x) != "yes" {
			t.Errorf("%s: %q, side %q, notes %q", x.Turn.Agent, x.Statement.Position, verdict.SideOf(s, x), x.Statement.Notes)
		}
	}
}

// A chair whose pick cannot be used is asked once more, for its block alone. Its report stays the first answer.
func TestAskAgain_aChairWhosePickIsUnusable(t *testing.T) {
	t.Parallel()
	report := func(pick string) string { return "## Answer\nSo.\n\n```json\n{\"position\": \"So.\"" + pick + "}\n```" }
	unit := func(s *debate.Session) { s.Question, s.Unit = debate.QuestionEstimate, "weeks" }
	for _, c := range []struct {
		name          string
		first, second string // picks
		vote          string
		change        func(*debate.Session)
		off           bool
		calls         int
		want          agents.ID
	}{
		{"usable", `, "pick": "B"`, `, "pick": "C"`, "no", nil, false, 1, "b"},
		{"none", "", `, "pick": "C"`, "no", nil, false, 2, "c"},
		{"two", `, "pick": "B and C"`, `, "pick": "C"`, "no", nil, false, 2, "c"},
		{"unusable twice", `, "pick": "A"`, `, "pick": "A"`, "no", nil, false, 2, ""},
		{"of an estimate", `, "pick": "Zed"`, `, "pick": "C"`, "4", unit, false, 2, "c"},
		{"nobody to pick", "", `, "pick": "C"`, "unknown", nil, false, 1, ""},
		{"turned off", "", `, "pick": "C"`, "no", nil, true, 1, ""},
		{"past the budget", "", `, "pick": "C"`, "no", func(s *debate.Session) { s.Budget.Tokens = 4500 }, false, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, nil)
			calls := 0
			chair := func(n int, req agents.Request) ([]agents.Chunk, error) {
				if calls++; strings.Contains(req.Messages[1].Text, "Only that block, please") {
					return replyText("Sorry. "+report(c.second))(n, req)
				}
				return replyText(report(c.first))(n, req)
			}
			member := replyText("I stay.\n\n```json\n{\"position\": \"So.\", \"vote\": \"" + c.vote + "\"}\n```")
			h.use(engine.Options{AskForBlock: !c.off, Provider: func(p agents.Profile) (agents.Provider, error) {
				return perModel(map[string]replyFunc{p.Model: replyAsChair(chair, member)}), nil
			}})
			evs, s := h.run(h.smallSession("collaborative", 1, c.change, "a", "b", "c"))
			v := s.Verdict
			if v == nil || v.Text != "## Answer\nSo." || v.Chair != "a" || calls != c.calls || len(eventsOf[debate.Concluding](evs)) != 1 {
				t.Fatalf("%d calls: %+v", calls, v)
			}
			if got, _ := verdict.PickOf(s, verdict.Count(s)); got != c.want || len(v.Notes) > 0 {
				t.Errorf("picked %q, want %q; notes %q", got, c.want, v.Notes)
			}
		})
	}
}
