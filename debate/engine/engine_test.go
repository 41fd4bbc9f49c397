package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

func TestStart_playsADebateToItsVerdict(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyText(debatetest.Statement("first", "So.", "yes", 0.6)),
		"b": replyText(debatetest.Statement("second", "Not so.", "no", 0.6)),
	})
	s := h.session("collaborative", 2, "a", "b")
	_, s = h.run(s)
	if got := s.Status(); got != debate.Ready {
		t.Fatalf("after round 1 the session is %s, want ready", got)
	}
	evs, s := h.run(s)
	if got := s.Status(); got != debate.Complete {
		t.Fatalf("after round 2 the session is %s, want complete", got)
	}
	if n := len(eventsOf[debate.Concluded](evs)); n != 1 {
		t.Errorf("%d verdicts announced, want 1", n)
	}
	if !strings.Contains(s.Verdict.Text, "So it is.") || verdict.Count(s).Incomplete {
		t.Errorf("verdict = %+v", s.Verdict)
	}
	read, err := h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(read.History), 2; got != want {
		t.Fatalf("%d rounds stored, want %d", got, want)
	}
	if got := read.History[0].Responses[1].Statement.Body; got != "second" {
		t.Errorf("stored statement = %q", got)
	}
}

func TestStart_parallelSeatsAllBeginBeforeAnyEnds(t *testing.T) {
	t.Parallel()
	var begun sync.WaitGroup
	begun.Add(3)
	together := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			begun.Done()
			begun.Wait() // passes only when all three are open at once
		}
		return replyText("x")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": together, "b": together, "c": together})
	h.run(h.session("collaborative", 2, "a", "b", "c"))
}

func TestStart_sequentialSeatsSeeTheSeatsBeforeThem(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("from a"), "b": replyText("from b"), "c": replyText("from c")})
	h.run(h.session("adversarial", 2, "a", "b", "c"))
	prompt := func(m string) string { return h.provider.requests(m)[0].Messages[1].Text }
	if p := prompt("a"); strings.Contains(p, "from b") || strings.Contains(p, "statement:") {
		t.Errorf("the first seat sees others:\n%s", p)
	}
	if p := prompt("c"); !strings.Contains(p, "from a") || !strings.Contains(p, "from b") {
		t.Errorf("the third seat misses others:\n%s", p)
	}
}

func TestStart_refusesWhileRequiredIsOpenAndCallsNobody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyText("I wait")), "b": replyText("go")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	if got := s.Status(); got != debate.NeedsContext {
		t.Fatalf("status = %s", got)
	}
	sent := h.provider.count()
	_, s2, err := drain(h.engine.Start(t.Context(), s))
	var blocked *debate.BlockedError
	if !errors.As(err, &blocked) || len(blocked.Requests) != 1 || blocked.Requests[0].ID != "C1" {
		t.Fatalf("err = %v, want a BlockedError for C1", err)
	}
	for _, want := range []string{"C1", "(a)", "How many?"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal %q does not name %q", err, want)
		}
	}
	if h.provider.count() != sent {
		t.Error("a provider was called after the refusal")
	}
	s2.Requests = nil // even a front end that lost its requests is refused, by the store
	if _, _, err := drain(h.engine.Start(t.Context(), s2)); !errors.As(err, &blocked) {
		t.Errorf("the store let a round begin: %v", err)
	}
}

func TestStart_deliversAnswersOnceToEverybody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many?", replyText("I wait")),
		"b": replyAsking("how MANY", replyText("me too")), "c": replyText("go"),
	})
	_, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
	if len(s.Requests) != 1 || len(s.Requests[0].Askers()) != 2 {
		t.Fatalf("requests = %+v, want one with two askers", s.Requests)
	}
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	evs, s := h.run(s)
	if got := eventsOf[debate.RoundStarted](evs)[0].Facts; !slices.Equal(got, []string{"C1"}) {
		t.Errorf("released %v", got)
	}
	for _, m := range []string{"a", "b", "c"} {
		reqs := h.provider.requests(m)
		req := reqs[len(reqs)-1]
		if m == "a" {
			req = reqs[len(reqs)-2] // the last one is the chair's
		}
		if len(req.Messages) != 2 {
			t.Errorf("%s: %d messages, want system and user", m, len(req.Messages))
		}
		text := req.Messages[1].Text
		if strings.Count(text, "forty-two") != 1 || strings.Count(text, s.Requests[0].Query) != 1 {
			t.Errorf("%s does not see question and answer once each:\n%s", m, text)
		}
		if len(req.Tools) != 1 || !strings.Contains(text, "request_context") {
			t.Errorf("%s is offered %d tools, or not told of them in the last round", m, len(req.Tools))
		}
	}
	if s.Status() != debate.Complete {
		t.Errorf("status %s", s.Status())
	}
}

func TestStart_aFailedSeatIsAVisibleResultAndInNoPrompt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("fine"), "b": replyFailing("server exploded 500"), "c": replyText("fine too")})
	evs, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
	var failed debate.Response
	for _, e := range eventsOf[debate.TurnEnded](evs) {
		if e.Response.State == debate.TurnFailed {
			failed = e.Response
		}
	}
	if failed.Turn.Agent != "b" || failed.Failure.Cause != "server exploded 500" {
		t.Fatalf("failed response = %+v", failed)
	}
	_, s = h.run(s)
	for _, m := range []string{"a", "c"} {
		for _, r := range h.provider.requests(m) {
			for _, msg := range r.Messages {
				if strings.Contains(msg.Text, "exploded") {
					t.Fatalf("%s is told the error:\n%s", m, msg.Text)
				}
			}
		}
	}
	second := h.provider.requests("c")[1].Messages[1].Text
	if !strings.Contains(second, "B gave no response in round 1.") {
		t.Errorf("round 2 does not say that B is missing:\n%s", second)
	}
	if !verdict.Count(s).Incomplete {
		t.Error("the result is not incomplete")
	}
}

func TestStart_aRoundNobodyAnsweredKeepsItsNumberAndIsPlayedAgain(t *testing.T) {
	t.Parallel()
	bad := true
	var mu sync.Mutex
	flaky := func(n int, req agents.Request) ([]agents.Chunk, error) {
		mu.Lock()
		defer mu.Unlock()
		if bad {
			return replyFailing("down")(n, req)
		}
		return replyText("up")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": flaky, "b": flaky})
	_, s, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")))
	var failed *debate.RoundFailedError
	if !errors.As(err, &failed) || len(failed.Causes) != 2 {
		t.Fatalf("err = %v", err)
	}
	if s.Status() != debate.Interrupted {
		t.Errorf("status = %s", s.Status())
	}
	mu.Lock()
	bad = false
	mu.Unlock()
	s, err = h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	if len(s.History) != 1 || s.History[0].Latest()[0].Turn.Attempt != 2 {
		t.Errorf("round 1 was not played again: %+v", s.History)
	}
}

func TestStop_interruptsAndAResumedRoundCallsOnlyWhoIsNotDone(t *testing.T) {
	t.Parallel()
	begun, hang := make(chan struct{}), make(chan struct{})
	slow := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			close(begun)
			<-hang
		}
		return replyText("at last")(n, req)
	}
	quick := func(n int, req agents.Request) ([]agents.Chunk, error) {
		<-begun
		return replyText("quick")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": quick, "b": slow})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
	var end debate.RunEnded
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				run.Stop()
				close(hang)
			}
		case debate.RunEnded:
			end = ev
		}
	}
	if !errors.Is(end.Err, debate.ErrStopped) {
		t.Fatalf("err = %v", end.Err)
	}
	if end.Session.Status() != debate.Interrupted {
		t.Fatalf("status = %s", end.Session.Status())
	}
	before := h.provider.requests("b")[0]
	s, err := h.store.Session(t.Context(), end.Session.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	if n := len(h.provider.requests("a")); n != 1 {
		t.Errorf("a had finished and was called %d times", n)
	}
	after := h.provider.requests("b")[1]
	if a, b := mustJSON(t, before), mustJSON(t, after); a != b {
		t.Errorf("the resumed request differs:\n%s\n%s", a, b)
	}
	if got := s.History[0].AttemptsOf("b"); len(got) != 2 || got[0].State != debate.TurnInterrupted || got[1].State != debate.TurnDone {
		t.Errorf("attempts of b = %+v", got)
	}
}

func TestStart_demoPanelChangesOnePositionBecauseOfTheAnswer(t *testing.T) {
	t.Parallel()
	for _, n := range sampled([]int{2, 3, 4, 5, 6, 7, 8}, 3) {
		for _, mode := range []string{"collaborative", "adversarial"} {
			t.Run(fmt.Sprintf("%s/%d", mode, n), func(t *testing.T) {
				h := newHarness(t, nil)
				s := h.session(mode, 2)
				s.Seats, s.ID, s.Question = demo.Panel(n), "", debate.QuestionYesNo
				s, err := h.store.Create(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				_, s = h.run(s)
				if len(s.Requests) != 2 || s.Requests[0].Priority != ledger.Required || s.Requests[1].Priority != ledger.Optional {
					t.Fatalf("requests = %+v", s.Requests)
				}
				s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "a day of work", Source: "me"})
				_, s = h.run(s)
				asker := s.Requests[0].Asks[0].Turn.Agent
				for _, v := range verdict.Count(s).Votes {
					want := v.Seat == asker && v.Round == 2 && mode == "collaborative" // the other votes once
					if got := v.Arrow == debate.ArrowMoved; got != want || want && v.By != "C1" {
						t.Errorf("%s in round %d: %q by %q", v.Seat, v.Round, v.Arrow, v.By)
					}
				}
			})
		}
	}
}

func TestStart_attributesConcurrentAsksRightly(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	var names []string
	for i := range 8 {
		name := fmt.Sprintf("m%d", i)
		names = append(names, name)
		lines[name] = replyAsking("the question of "+name, replyText("ok"))
	}
	h := newHarness(t, lines)
	_, s := h.run(h.session("collaborative", 2, names...))
	if len(s.Requests) != 8 {
		t.Fatalf("%d requests, want 8", len(s.Requests))
	}
	for _, r := range s.Requests {
		if want := "the question of " + string(r.Asks[0].Turn.Agent); r.Query != want {
			t.Errorf("%s was asked by %s, but says %q", r.ID, r.Asks[0].Turn.Agent, r.Query)
		}
	}
	for _, x := range s.History[0].Responses {
		if tool := x.Passages[0].Tools[0]; !strings.Contains(tool.Args, string(x.Turn.Agent)) || tool.Result.Status != agents.ToolOK {
			t.Errorf("%s owns the call %+v", x.Turn.Agent, tool)
		}
	}
}

func TestRun_textIsNeverFarAheadOfTheStore(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	pausing := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n > 1 {
			<-release
		}
		return replyAsking("Why?", replyText("whole"))(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": pausing, "b": replyText("x")})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
	for ev := range run.Events() {
		if e, ok := ev.(debate.ContextRequested); ok {
			s, err := h.store.Session(t.Context(), e.Turn.Session)
			if err != nil {
				t.Error(err)
			}
			if _, ok := s.Request("C1"); !ok {
				t.Error("the request was announced before it was stored")
			}
			close(release)
		}
	}
}

func TestConclude_refusesInTheMiddleOfARound(t *testing.T) {
	t.Parallel()
	begun, hang := make(chan struct{}), make(chan struct{})
	h := newHarness(t, map[string]replyFunc{"a": replyText("x"), "b": func(n int, req agents.Request) ([]agents.Chunk, error) {
		close(begun)
		<-hang
		return replyText("too late")(n, req)
	}})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
	<-begun
	run.Stop()
	close(hang)
	_, s, err := drain(run)
	if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
		t.Fatalf("the round is %s: %v", s.Status(), err)
	}
	if _, _, err := drain(h.engine.Conclude(t.Context(), s)); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("a verdict over half a round: %v", err)
	}
}
