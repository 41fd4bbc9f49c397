package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/store"
)

// line is what a scripted model answers to its n-th request, from 1.
type line func(n int, req agents.Request) ([]agents.Chunk, error)

// scripted is the network's edge of these tests: models by name, and what each was sent.
type scripted struct {
	lines map[string]line
	mu    sync.Mutex
	sent  map[string][]agents.Request
}

func (s *scripted) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		s.mu.Lock()
		s.sent[req.Model] = append(s.sent[req.Model], req)
		n := len(s.sent[req.Model])
		s.mu.Unlock()
		play := s.lines[req.Model]
		if strings.Contains(req.Messages[0].Text, "You are the chair") {
			play = says("## Conclusion\nSo it is.")
		}
		chunks, err := play(n, req)
		for _, c := range chunks {
			if ctx.Err() != nil {
				yield(agents.Chunk{}, ctx.Err())
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(agents.Chunk{}, err)
		}
	}
}

func (s *scripted) requests(model string) []agents.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent[model])
}

func (s *scripted) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.sent {
		n += len(r)
	}
	return n
}

// says answers with a text.
func says(text string) line {
	return func(int, agents.Request) ([]agents.Chunk, error) {
		return []agents.Chunk{{Text: text}, {Finish: agents.FinishStop}}, nil
	}
}

// asks calls request_context in a turn's first completion where it is offered.
func asks(query string, then line) line {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		last := req.Messages[len(req.Messages)-1]
		if len(req.Tools) == 0 || last.Role == agents.ToolRole {
			return then(n, req)
		}
		args, err := json.Marshal(map[string]string{"query": query, "reason": "it decides"})
		if err != nil {
			return nil, err
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: []agents.ToolCall{{ID: "x", Name: tools.RequestContextName, Args: string(args)}}}}, nil
	}
}

// fails refuses every request.
func fails(text string) line {
	return func(int, agents.Request) ([]agents.Chunk, error) {
		return nil, &agents.Failure{Kind: agents.KindBusy, Cause: text, Retryable: true}
	}
}

// table is a debate's whole set-up with a real store.
type table struct {
	*testing.T
	path   string
	store  *store.Store
	models *scripted
	engine *engine.Engine
}

func newTable(t *testing.T, lines map[string]line) *table {
	t.Helper()
	tb := &table{T: t, path: filepath.Join(t.TempDir(), "r.db"), models: &scripted{lines: lines, sent: map[string][]agents.Request{}}}
	tb.open()
	return tb
}

func (tb *table) open() {
	tb.Helper()
	s, err := store.Open(tb.Context(), tb.path, store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	provider := func(p agents.Profile) (agents.Provider, error) {
		if p.Provider == demo.Name {
			return demo.Provider{}, nil
		}
		return tb.models, nil
	}
	tb.store = s
	tb.engine = engine.New(engine.Options{Recorder: s, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
}

// session creates a session of the given mode with a seat per model.
func (tb *table) session(mode string, rounds int, models ...string) debate.Session {
	tb.Helper()
	all, err := modes.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	m, err := modes.Find(all, mode)
	if err != nil {
		tb.Fatal(err)
	}
	var seats []agents.Profile
	for _, name := range models {
		seats = append(seats, agents.Profile{ID: agents.ID(name), Name: strings.ToUpper(name), Provider: "test", Model: name})
	}
	s, err := tb.store.Create(tb.Context(), debate.Session{Topic: "Is it so?", Mode: m, Seats: seats, Rounds: rounds, Caps: ledger.DefaultCaps})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// play runs to the end and returns all events and the session.
func play(r *engine.Run) ([]debate.Event, debate.Session, error) {
	var all []debate.Event
	for ev := range r.Events() {
		all = append(all, ev)
	}
	end, ok := all[len(all)-1].(debate.RoundEnded)
	if !ok {
		return all, debate.Session{}, fmt.Errorf("the last event is %T", all[len(all)-1])
	}
	return all, end.Session, end.Err
}

func (tb *table) start(s debate.Session) ([]debate.Event, debate.Session) {
	tb.Helper()
	evs, next, err := play(tb.engine.Start(tb.Context(), s))
	if err != nil {
		tb.Fatal(err)
	}
	return evs, next
}

func (tb *table) answer(s debate.Session, subs ...ledger.Submission) debate.Session {
	tb.Helper()
	if _, err := tb.store.Answer(tb.Context(), s.ID, subs...); err != nil {
		tb.Fatal(err)
	}
	next, err := tb.store.Session(tb.Context(), s.ID)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

func of[E debate.Event](evs []debate.Event) []E {
	var out []E
	for _, ev := range evs {
		if e, ok := ev.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

func TestStart_playsADebateToItsVerdict(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says(debatetest.Statement("first", "So.", "yes", 0.6)), "b": says(debatetest.Statement("second", "Not so.", "no", 0.6))})
	s := tb.session("collaborative", 2, "a", "b")
	_, s = tb.start(s)
	if got := s.Status(); got != debate.Ready {
		t.Fatalf("after round 1 the session is %s, want ready", got)
	}
	evs, s := tb.start(s)
	if got := s.Status(); got != debate.Complete {
		t.Fatalf("after round 2 the session is %s, want complete", got)
	}
	if n := len(of[debate.Concluded](evs)); n != 1 {
		t.Errorf("%d verdicts announced, want 1", n)
	}
	if !strings.Contains(s.Verdict.Text, "So it is.") || s.Verdict.Outcome != debate.OutcomeFull {
		t.Errorf("verdict = %+v", s.Verdict)
	}
	read, err := tb.store.Session(t.Context(), s.ID)
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
	var begun sync.WaitGroup
	begun.Add(3)
	together := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			begun.Done()
			begun.Wait() // passes only when all three are open at once
		}
		return says("x")(n, req)
	}
	tb := newTable(t, map[string]line{"a": together, "b": together, "c": together})
	tb.start(tb.session("collaborative", 2, "a", "b", "c"))
}

func TestStart_sequentialSeatsSeeTheSeatsBeforeThem(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("from a"), "b": says("from b"), "c": says("from c")})
	tb.start(tb.session("adversarial", 2, "a", "b", "c"))
	prompt := func(m string) string { return tb.models.requests(m)[0].Messages[1].Text }
	if p := prompt("a"); strings.Contains(p, "from b") || strings.Contains(p, "statement:") {
		t.Errorf("the first seat sees others:\n%s", p)
	}
	if p := prompt("c"); !strings.Contains(p, "from a") || !strings.Contains(p, "from b") {
		t.Errorf("the third seat misses others:\n%s", p)
	}
}

func TestStart_refusesWhileRequiredIsOpenAndCallsNobody(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", says("I wait")), "b": says("go")})
	_, s := tb.start(tb.session("collaborative", 2, "a", "b"))
	if got := s.Status(); got != debate.NeedsContext {
		t.Fatalf("status = %s", got)
	}
	sent := tb.models.count()
	_, s2, err := play(tb.engine.Start(t.Context(), s))
	var blocked *debate.BlockedError
	if !errors.As(err, &blocked) || len(blocked.Requests) != 1 || blocked.Requests[0].ID != "C1" {
		t.Fatalf("err = %v, want a BlockedError for C1", err)
	}
	for _, want := range []string{"C1", "(a)", "How many?"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal %q does not name %q", err, want)
		}
	}
	if tb.models.count() != sent {
		t.Error("a provider was called after the refusal")
	}
	s2.Requests = nil // even a front end that lost its requests is refused, by the store
	if _, _, err := play(tb.engine.Start(t.Context(), s2)); !errors.As(err, &blocked) {
		t.Errorf("the store let a round begin: %v", err)
	}
}

func TestStart_deliversAnswersOnceToEverybody(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", says("I wait")), "b": asks("how MANY", says("me too")), "c": says("go")})
	_, s := tb.start(tb.session("collaborative", 2, "a", "b", "c"))
	if len(s.Requests) != 1 || len(s.Requests[0].Askers()) != 2 {
		t.Fatalf("requests = %+v, want one with two askers", s.Requests)
	}
	s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	evs, s := tb.start(s)
	if got := of[debate.RoundStarted](evs)[0].Facts; !slices.Equal(got, []string{"C1"}) {
		t.Errorf("released %v", got)
	}
	for _, m := range []string{"a", "b", "c"} {
		reqs := tb.models.requests(m)
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
		if len(req.Tools) != 0 || strings.Contains(req.Messages[0].Text, "request_context") {
			t.Errorf("%s is offered request_context in the last round", m)
		}
	}
	if s.Status() != debate.Complete || s.Verdict.Sources[0].Text != "forty-two" {
		t.Errorf("status %s, sources %+v", s.Status(), s.Verdict.Sources)
	}
}

func TestStart_aFailedSeatIsAVisibleResultAndInNoPrompt(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("fine"), "b": fails("server exploded 500"), "c": says("fine too")})
	evs, s := tb.start(tb.session("collaborative", 2, "a", "b", "c"))
	var failed debate.Response
	for _, e := range of[debate.TurnEnded](evs) {
		if e.Response.State == debate.TurnFailed {
			failed = e.Response
		}
	}
	if failed.Turn.Agent != "b" || failed.Failure.Cause != "server exploded 500" || !failed.Failure.Retryable {
		t.Fatalf("failed response = %+v", failed)
	}
	_, s = tb.start(s)
	for _, m := range []string{"a", "c"} {
		for _, r := range tb.models.requests(m) {
			for _, msg := range r.Messages {
				if strings.Contains(msg.Text, "exploded") {
					t.Fatalf("%s is told the error:\n%s", m, msg.Text)
				}
			}
		}
	}
	second := tb.models.requests("c")[1].Messages[1].Text
	if !strings.Contains(second, "B gave no response in round 1.") {
		t.Errorf("round 2 does not say that B is missing:\n%s", second)
	}
	if s.Verdict.Outcome != debate.OutcomeDegraded {
		t.Errorf("outcome = %s, want degraded", s.Verdict.Outcome)
	}
}

func TestStart_aRoundNobodyAnsweredKeepsItsNumberAndIsPlayedAgain(t *testing.T) {
	bad := true
	var mu sync.Mutex
	flaky := func(n int, req agents.Request) ([]agents.Chunk, error) {
		mu.Lock()
		defer mu.Unlock()
		if bad {
			return fails("down")(n, req)
		}
		return says("up")(n, req)
	}
	tb := newTable(t, map[string]line{"a": flaky, "b": flaky})
	_, s, err := play(tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b")))
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
	s, err = tb.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = tb.start(s)
	if len(s.History) != 1 || s.History[0].Latest()[0].Turn.Attempt != 2 {
		t.Errorf("round 1 was not played again: %+v", s.History)
	}
}

func TestStop_interruptsAndAResumedRoundCallsOnlyWhoIsNotDone(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	slow := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			close(begun)
			<-hang
		}
		return says("at last")(n, req)
	}
	quick := func(n int, req agents.Request) ([]agents.Chunk, error) {
		<-begun
		return says("quick")(n, req)
	}
	tb := newTable(t, map[string]line{"a": quick, "b": slow})
	run := tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b"))
	var end debate.RoundEnded
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				run.Stop()
				close(hang)
			}
		case debate.RoundEnded:
			end = ev
		}
	}
	if !errors.Is(end.Err, debate.ErrStopped) {
		t.Fatalf("err = %v", end.Err)
	}
	if end.Session.Status() != debate.Interrupted {
		t.Fatalf("status = %s", end.Session.Status())
	}
	before := tb.models.requests("b")[0]
	s, err := tb.store.Session(t.Context(), end.Session.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = tb.start(s)
	if n := len(tb.models.requests("a")); n != 1 {
		t.Errorf("a had finished and was called %d times", n)
	}
	after := tb.models.requests("b")[1]
	if a, b := mustJSON(t, before), mustJSON(t, after); a != b {
		t.Errorf("the resumed request differs:\n%s\n%s", a, b)
	}
	if got := s.History[0].AttemptsOf("b"); len(got) != 2 || got[0].State != debate.TurnInterrupted || got[1].State != debate.TurnDone {
		t.Errorf("attempts of b = %+v", got)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestCancelAndRetry_reachOneSeat(t *testing.T) {
	waits := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			var many []agents.Chunk
			for range 1 << 20 {
				many = append(many, agents.Chunk{Text: "x"})
			}
			return many, nil
		}
		return says("again")(n, req)
	}
	tb := newTable(t, map[string]line{"a": waits, "b": says("done")})
	run := tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b"))
	var states []debate.TurnState
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.Text:
			if ev.Turn.Agent == "a" && ev.Turn.Attempt == 1 {
				run.Cancel("a")
			}
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				states = append(states, ev.Response.State)
			}
		}
	}
	if !slices.Equal(states, []debate.TurnState{debate.TurnCancelled}) {
		t.Fatalf("states of a = %v", states)
	}
	s := last(t, tb)
	if len(s.History[0].Latest()[0].Text()) == 0 {
		t.Error("the cancelled text was not kept")
	}
	_, s, err := play(tb.engine.Retry(t.Context(), s, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if x := s.History[0].Latest()[0]; x.State != debate.TurnDone || x.Turn.Attempt != 2 {
		t.Errorf("after the retry: %+v", x)
	}
	if n := len(tb.models.requests("b")); n != 1 {
		t.Errorf("b was called %d times", n)
	}
}

func last(t *testing.T, tb *table) debate.Session {
	t.Helper()
	id, err := tb.store.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := tb.store.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStart_demoPanelChangesOnePositionBecauseOfTheAnswer(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for _, mode := range []string{"collaborative", "adversarial"} {
			t.Run(fmt.Sprintf("%s/%d", mode, n), func(t *testing.T) {
				tb := newTable(t, nil)
				s := tb.session(mode, 2)
				s.Seats, s.ID = demo.Panel(n), ""
				s, err := tb.store.Create(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				_, s = tb.start(s)
				if len(s.Requests) != 2 || s.Requests[0].Priority != ledger.Required || s.Requests[1].Priority != ledger.Optional {
					t.Fatalf("requests = %+v", s.Requests)
				}
				s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "a day of work", Source: "me"})
				_, s = tb.start(s)
				asker := s.Requests[0].Asks[0].Turn.Agent
				for _, m := range s.Verdict.Moves {
					want := m.Agent == asker && m.Round == 2
					if got := m.Change == debate.Revised; got != want {
						t.Errorf("%s in round %d: %s", m.Agent, m.Round, m.Change)
					}
				}
			})
		}
	}
}

func TestStart_attributesConcurrentAsksRightly(t *testing.T) {
	lines := map[string]line{}
	var names []string
	for i := range 8 {
		name := fmt.Sprintf("m%d", i)
		names = append(names, name)
		lines[name] = asks("the question of "+name, says("ok"))
	}
	tb := newTable(t, lines)
	_, s := tb.start(tb.session("collaborative", 2, names...))
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
	release := make(chan struct{})
	pausing := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n > 1 {
			<-release
		}
		return asks("Why?", says("whole"))(n, req)
	}
	tb := newTable(t, map[string]line{"a": pausing, "b": says("x")})
	run := tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b"))
	for ev := range run.Events() {
		if e, ok := ev.(debate.ContextRequested); ok {
			s, err := tb.store.Session(t.Context(), e.Turn.Session)
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

func TestStart_anAnswerThatBrokeOffIsPlayedAgainOnceAsItsOwnAttempt(t *testing.T) {
	broken := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			return []agents.Chunk{{Text: "half an ans"}, {Retry: &agents.Retry{Cause: "The answer broke off.", Try: 1, Of: 1, Void: true}}, {Text: "never joined"}, {Finish: agents.FinishStop}}, nil
		}
		return says("the whole answer")(n, req)
	}
	tb := newTable(t, map[string]line{"a": broken, "b": says("x")})
	_, s := tb.start(tb.session("collaborative", 2, "a", "b"))
	got := s.History[0].AttemptsOf("a")
	if len(got) != 2 || got[0].State != debate.TurnFailed || got[0].Text() != "half an ans" || got[1].Statement.Body != "the whole answer" {
		t.Fatalf("attempts of a = %+v", got)
	}
	if text := tb.models.requests("b")[0].Messages[1].Text; strings.Contains(text, "half") {
		t.Error("the broken text reached a peer")
	}
}

func TestCancel_endsTheWaitForAnotherAttempt(t *testing.T) {
	broken := func(int, agents.Request) ([]agents.Chunk, error) {
		return []agents.Chunk{{Text: "half"}, {Retry: &agents.Retry{Cause: "The answer broke off.", Try: 1, Of: 1, In: time.Hour, Void: true}}}, nil
	}
	tb := newTable(t, map[string]line{"a": broken, "b": says("x")})
	run := tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b"))
	var ended []debate.TurnState
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			run.Cancel("a")
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				ended = append(ended, ev.Response.State)
			}
		case debate.RoundEnded:
			if ev.Err != nil {
				t.Errorf("the round ended with %v", ev.Err)
			}
		}
	}
	if !slices.Equal(ended, []debate.TurnState{debate.TurnFailed, debate.TurnFailed}) {
		t.Errorf("a ended as %v, want failed and, once the wait was over, failed as before", ended)
	}
}

func TestRetry_sendsASeatWhatItWasSentBefore(t *testing.T) {
	bad := true
	tb := newTable(t, map[string]line{"a": says("from a"), "b": says("from b"), "c": func(n int, req agents.Request) ([]agents.Chunk, error) {
		if bad {
			return fails("down")(n, req)
		}
		return says("from c")(n, req)
	}})
	_, s := tb.start(tb.session("collaborative", 2, "a", "b", "c"))
	bad = false
	if _, _, err := play(tb.engine.Retry(t.Context(), s, "c")); err != nil {
		t.Fatal(err)
	}
	sent := tb.models.requests("c")
	if a, b := mustJSON(t, sent[0]), mustJSON(t, sent[1]); a != b {
		t.Errorf("the second attempt is sent something else:\n%s\n%s", a, b)
	}
}

func TestConclude_refusesInTheMiddleOfARound(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	tb := newTable(t, map[string]line{"a": says("x"), "b": func(n int, req agents.Request) ([]agents.Chunk, error) {
		close(begun)
		<-hang
		return says("too late")(n, req)
	}})
	run := tb.engine.Start(t.Context(), tb.session("collaborative", 2, "a", "b"))
	<-begun
	run.Stop()
	close(hang)
	_, s, err := play(run)
	if !errors.Is(err, debate.ErrStopped) || s.Status() != debate.Interrupted {
		t.Fatalf("the round is %s: %v", s.Status(), err)
	}
	if _, _, err := play(tb.engine.Conclude(t.Context(), s)); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("a verdict over half a round: %v", err)
	}
}
