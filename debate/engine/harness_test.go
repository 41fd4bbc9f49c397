package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// replyFunc is what a scripted model answers to its n-th request, from 1.
type replyFunc func(n int, req agents.Request) ([]agents.Chunk, error)

// scriptedProvider is the network's edge of these tests: models by name, and what each was sent.
type scriptedProvider struct {
	replies map[string]replyFunc
	chairs  bool // are models by name, too
	mu      sync.Mutex
	sent    map[string][]agents.Request
}

func (s *scriptedProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		s.mu.Lock()
		s.sent[req.Model] = append(s.sent[req.Model], req)
		n := len(s.sent[req.Model])
		s.mu.Unlock()
		play := s.replies[req.Model]
		if asksChair(req) && !s.chairs {
			play = replyText("## Conclusion\nSo it is.")
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

// perModel returns models of which each has a line of its own, also when it is the chair.
func perModel(replies map[string]replyFunc) *scriptedProvider {
	return &scriptedProvider{replies: replies, sent: map[string][]agents.Request{}, chairs: true}
}

func (s *scriptedProvider) requests(model string) []agents.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent[model])
}

func (s *scriptedProvider) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.sent {
		n += len(r)
	}
	return n
}

// wrapped is a provider with a hook that runs before each answer and can replace it.
type wrapped struct {
	agents.Provider
	before func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) (goesOn bool)
}

func (w wrapped) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		if w.before(ctx, req, yield) {
			w.Provider.Stream(ctx, req)(yield)
		}
	}
}

// replyText answers with a text.
func replyText(text string) replyFunc {
	return func(int, agents.Request) ([]agents.Chunk, error) {
		return []agents.Chunk{{Text: text}, {Finish: agents.FinishStop}}, nil
	}
}

// replyAsking calls request_context in a turn's first completion where it is offered.
func replyAsking(query string, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		last, text := req.Messages[len(req.Messages)-1], req.Messages[1].Text
		if len(req.Tools) == 0 || last.Role == agents.ToolRole || strings.Contains(text, "answered only if the user wants another round") {
			return then(n, req) // also in the last round
		}
		args, err := json.Marshal(map[string]string{"query": query, "reason": "it decides", "priority": "required"})
		if err != nil {
			return nil, err
		}
		call := agents.ToolCall{ID: "x", Name: agents.RequestContextName, Args: string(args)}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: []agents.ToolCall{call}}}, nil
	}
}

// replyFailing refuses every request.
func replyFailing(text string) replyFunc {
	return func(int, agents.Request) ([]agents.Chunk, error) {
		return nil, &agents.Failure{Kind: agents.KindBusy, Cause: text}
	}
}

func replyPanicking(int, agents.Request) ([]agents.Chunk, error) { panic("oh") }

// harness is a debate's whole set-up with a real store.
type harness struct {
	*testing.T
	path     string
	store    *store.Store
	provider *scriptedProvider
	engine   *engine.Engine
}

func newHarness(t *testing.T, lines map[string]replyFunc) *harness {
	t.Helper()
	h := &harness{T: t, path: filepath.Join(t.TempDir(), "r.db"), provider: &scriptedProvider{
		replies: lines,
		sent:    map[string][]agents.Request{},
	}}
	must.Do(t, os.WriteFile(h.path, must.Get(emptyDatabase())(t), 0o600))
	h.open()
	return h
}

// emptyDatabase returns a database without sessions. To make one takes longer than most
// debates of these tests.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "r.db")
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func (h *harness) open() {
	h.Helper()
	s := must.Get(store.Open(h.Context(), h.path, store.Options{}))(h)
	h.Cleanup(func() { must.Do(h, s.Close()) })
	h.store = s
	h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext()}})
}

// use makes the engine. It speaks to the scripted models and writes to the store unless the
// options say otherwise.
func (h *harness) use(o engine.Options) {
	if o.Recorder == nil {
		o.Recorder = h.store
	}
	if o.Provider == nil {
		o.Provider = func(p agents.Profile) (agents.Provider, error) {
			if p.Provider == demo.Name {
				return demo.Provider{}, nil
			}
			return h.provider, nil
		}
	}
	h.engine = engine.New(o)
}

// useProvider makes the engine speak to one provider.
func (h *harness) useProvider(p agents.Provider) {
	h.use(engine.Options{
		Provider: func(agents.Profile) (agents.Provider, error) { return p, nil }, Tools: []tools.Tool{tools.RequestContext()},
	})
}

// session creates a session of the given mode with a seat per model.
func (h *harness) session(mode string, rounds int, models ...string) debate.Session {
	h.Helper()
	m := debatetest.Mode(h.T, mode)
	var seats []agents.Profile
	for _, name := range models {
		seats = append(seats, agents.Profile{ID: agents.ID(name), Name: strings.ToUpper(name), Provider: "test", Model: name})
	}
	return h.create(debate.Session{Topic: "Is it so?", Mode: m, Seats: seats, Rounds: rounds, Caps: ledger.DefaultCaps})
}

// create creates a session like another one.
func (h *harness) create(s debate.Session) debate.Session {
	h.Helper()
	s.ID = ""
	return must.Get(h.store.Create(h.Context(), s))(h)
}

// changed creates a session as another one is, with a change.
func (h *harness) changed(s debate.Session, change func(*debate.Session)) debate.Session {
	h.Helper()
	change(&s)
	return h.create(s)
}

// drain runs to the end and returns all events and the session.
func drain(r *engine.Run) ([]debate.Event, debate.Session, error) {
	return each(r, func(debate.Event) {})
}

// each does what drain does, and calls on for each event.
func each(r *engine.Run, on func(debate.Event)) ([]debate.Event, debate.Session, error) {
	var all []debate.Event
	for ev := range r.Events() {
		all = append(all, ev)
		on(ev)
	}
	end, ok := all[len(all)-1].(debate.RunEnded)
	if !ok {
		return all, debate.Session{}, fmt.Errorf("the last event is %T", all[len(all)-1])
	}
	return all, end.Session, end.Err
}

// run plays to the end of a round, and goes on without the seats that did not answer.
func (h *harness) run(s debate.Session) ([]debate.Event, debate.Session) {
	h.Helper()
	evs, next, err := drain(h.engine.Start(h.Context(), s))
	var open *debate.RoundFailedError
	if errors.As(err, &open) && open.CanGoOn() {
		var more []debate.Event
		more, next, err = drain(h.engine.GoOn(h.Context(), next))
		evs = append(evs, more...)
	}
	must.Do(h, err)
	return evs, next
}

func (h *harness) answer(s debate.Session, subs ...ledger.Submission) debate.Session {
	h.Helper()
	for i := range subs {
		subs[i].By = cmp.Or(subs[i].By, ledger.Author{Kind: ledger.Person})
	}
	must.Get(h.store.Answer(h.Context(), s.ID, subs...))(h)
	return h.read(s)
}

// noticesOf returns the texts of a session's notices of a kind.
func noticesOf(s debate.Session, code string) (texts []string) {
	for _, n := range s.Notices {
		if n.Code == code {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func eventsOf[E debate.Event](evs []debate.Event) []E {
	var out []E
	for _, ev := range evs {
		if e, ok := ev.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	return string(must.Get(json.Marshal(v))(t))
}

// read returns a session as it is stored.
func (h *harness) read(s debate.Session) debate.Session {
	h.Helper()
	return must.Get(h.store.Session(h.Context(), s.ID))(h)
}

var errFull = errors.New("the disk is full")

// hooked is a store that calls before with the name of what a run is about to write, such as
// "turn-end a 1" of seat a in round 1. An error takes the place of the write: it has not happened.
type hooked struct {
	*store.Store
	before func(write string) error
}

// dyingAt is the store of a process that ends when it comes to a write.
func (h *harness) dyingAt(last string) hooked {
	var dead atomic.Bool
	return hooked{h.store, func(write string) error {
		if write == last {
			dead.Store(true)
		}
		if dead.Load() {
			return errFull
		}
		return nil
	}}
}

// do writes unless the hook takes the place of that.
func (h hooked) do(name string, write func() error) error {
	if err := h.before(name); err != nil {
		return err
	}
	return write()
}

// instead is do for a write with a result.
func instead[T any](h hooked, name string, write func() (T, error)) (out T, err error) {
	err = h.do(name, func() error {
		out, err = write()
		return err
	})
	return out, err
}

func ofTurn(write string, t agents.Turn) string {
	return fmt.Sprintf("%s %s %d", write, t.Agent, t.Round)
}

func (h hooked) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	return h.do(ofTurn("turn-begin", t.Turn), func() error { return h.Store.BeginTurn(ctx, t) })
}

func (h hooked) BeginCall(ctx context.Context, t agents.Turn, p debate.Purpose, n int, req agents.Request) error {
	return h.do(ofTurn("call-begin", t), func() error { return h.Store.BeginCall(ctx, t, p, n, req) })
}

func (h hooked) RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error {
	return h.do(ofTurn("call-retry", t), func() error { return h.Store.RetryCall(ctx, t, n, r) })
}

func (h hooked) Journal(ctx context.Context, parts []debate.Text) error {
	return h.do("journal", func() error { return h.Store.Journal(ctx, parts) })
}

func (h hooked) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error {
	return h.do(ofTurn("call-end", t), func() error { return h.Store.EndCall(ctx, t, n, c, tools, cost) })
}

func (h hooked) BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error {
	return h.do(ofTurn("call-break", t), func() error { return h.Store.BreakCall(ctx, t, n, f, u, cost) })
}

func (h hooked) Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error) {
	return instead(h, ofTurn("ask", t), func() (debate.AskResult, error) { return h.Store.Ask(ctx, t, call, q, caps) })
}

func (h hooked) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	return instead(h, ofTurn("turn-end", e.Response.Turn), func() ([]ledger.Request, error) { return h.Store.EndTurn(ctx, e) })
}

func (h hooked) EndRound(ctx context.Context, id string, n int, f *debate.SameFindings, why debate.StopReason) (debate.Session, error) {
	return instead(h, fmt.Sprint("round-end ", n), func() (debate.Session, error) { return h.Store.EndRound(ctx, id, n, f, why) })
}

func (h hooked) Stop(ctx context.Context, id string, why debate.StopReason) (debate.Session, error) {
	return instead(h, "stop", func() (debate.Session, error) { return h.Store.Stop(ctx, id, why) })
}

func (h hooked) SaveVerdict(ctx context.Context, id string, v debate.Verdict) (debate.Session, error) {
	return instead(h, "verdict", func() (debate.Session, error) { return h.Store.SaveVerdict(ctx, id, v) })
}

func (h hooked) Note(ctx context.Context, id string, ns ...debate.Notice) error {
	return h.do("note "+ns[0].Code, func() error { return h.Store.Note(ctx, id, ns...) })
}
