package tui_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/debateview"
	"roundtable/tui/home"
	"roundtable/tui/setup"
)

// lockedSessions is the real store with its locks, as the interface needs it.
type lockedSessions struct{ *store.Store }

func (c *lockedSessions) Sessions(ctx context.Context) ([]debate.SessionSummary, error) {
	return c.Store.Sessions(ctx, store.Query{})
}

func (c *lockedSessions) Search(context.Context, home.Query) ([]home.Hit, error) { return nil, nil }

func (c *lockedSessions) SaveOutcome(context.Context, string, string) (debate.Settlement, error) {
	return debate.Settlement{}, nil
}

func (c *lockedSessions) Open(ctx context.Context, id string) (debate.Session, error) {
	if err := c.Lock(ctx, id); err != nil {
		return debate.Session{}, err
	}
	return c.Repair(ctx, id)
}

func (c *lockedSessions) Read(context.Context, string, time.Time) (s debate.Session, by *debate.Holder, err error) {
	return s, nil, nil
}

func (c *lockedSessions) Create(ctx context.Context, s debate.Session) (debate.Session, error) {
	made, err := c.Store.Create(ctx, s)
	if err != nil {
		return made, err
	}
	return made, c.Lock(ctx, made.ID)
}

func (c *lockedSessions) Close(id string) error { return c.Unlock(id) }

// player makes runs of an engine.
type player struct{ *engine.Engine }

func (player) Models(debate.Session) []agents.Profile { return nil }

func (p player) Start(ctx context.Context, s debate.Session) control.Run {
	return p.Engine.Start(ctx, s)
}

func (p player) GoOn(ctx context.Context, s debate.Session) control.Run {
	return p.Engine.GoOn(ctx, s)
}

func (p player) Retry(ctx context.Context, s debate.Session, seat agents.ID) control.Run {
	return p.Engine.Retry(ctx, s, seat)
}

func (p player) Conclude(ctx context.Context, s debate.Session) control.Run {
	return p.Engine.Conclude(ctx, s)
}

func (p player) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) control.Run {
	return p.Engine.Ask(ctx, s, to, question)
}

// realDeps connects the interface to the engine, the store and the scripted
// panel.
func realDeps(t *testing.T, path string, pace time.Duration) tui.Deps {
	t.Helper()
	st, err := store.Open(t.Context(), path, store.Options{Line: report.LineOf})
	must.Do(t, err)
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	all, err := modes.Builtin()
	must.Do(t, err)
	provider := func(agents.Profile) (agents.Provider, error) { return demo.New(pace), nil }
	engine := engine.New(engine.Options{Recorder: st, Provider: provider, Tools: []tools.Tool{tools.RequestContext()}})
	lib := &lockedSessions{st}
	mode, err := modes.Find(all, "collaborative")
	must.Do(t, err)
	offered := setup.Options{
		FirstStart: true, Modes: all,
		Demo: debate.Session{
			Topic: "Should a small team use SQLite in production?", Mode: mode, Rounds: 2, Seats: demo.Panel(3),
			Caps: ledger.DefaultCaps, Question: debate.QuestionYesNo,
		},
	}
	return tui.Deps{
		Common: debateview.Common{Player: player{engine}, Writer: st}, Sessions: lib, Receipts: st,
		Offer: func(context.Context) (setup.Options, error) { return offered, nil },
	}
}

// Three debates of eight seats run at once, one of them in front. Quitting loses nothing,
// and resuming all of them asks nobody twice.
func TestStory_threeDebatesAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.db")
	answered := map[agents.Turn]string{}
	synctest.Test(t, func(t *testing.T) {
		deps := realDeps(t, path, 50*time.Millisecond)
		offer, _ := deps.Offer(t.Context())
		for range 3 {
			s := offer.Demo
			s.Seats = demo.Panel(8)
			if _, err := deps.Writer.(*store.Store).Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		r := start(t, 140, 40, deps)
		for n := range 3 {
			r.resumeAll(n)
		}
		r.wait(1500 * time.Millisecond)
		r.sees("+2 running", "round 1 of 2")
		r.press("ctrl+c")
		r.quits()
		if said := r.model.Farewell(); strings.Count(said, "Continue: roundtable resume ") != 3 {
			t.Error(said)
		}
		for _, s := range stored(t, deps) {
			for _, x := range s.History[0].Responses {
				if x.HasStatement() {
					answered[x.Turn] = x.Text()
				}
			}
		}
		if len(answered) == 0 || len(answered) == 24 {
			t.Errorf("%d had answered, which tests nothing", len(answered))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		deps := realDeps(t, path, 50*time.Millisecond)
		r := start(t, 140, 40, deps)
		defer r.stop()
		for n := range 3 {
			r.resumeAll(n)
		}
		r.wait(time.Minute)
		for _, s := range stored(t, deps) {
			if n := len(s.History[0].Answered()); n != 8 {
				t.Errorf("%s has %d answers", s.ID, n)
			}
			for _, x := range s.History[0].Responses {
				first := x.Turn
				first.Attempt = 1
				if was, ok := answered[first]; ok && (x.Turn.Attempt > 1 || x.Text() != was) {
					t.Errorf("%s asked %s again", s.ID, x.Turn.Agent)
				}
			}
		}
	})
}

// resumeAll opens the n-th debate of the list, continues it, and leaves it unless it is the
// third.
func (r *harness) resumeAll(n int) {
	r.press("g")
	for range n + 1 {
		r.press("j")
	}
	r.press("enter")
	r.wait(time.Second)
	r.press("space")
	r.wait(10 * time.Millisecond)
	if n < 2 {
		r.press("q")
	}
}

// stored reads all sessions back.
func stored(t *testing.T, deps tui.Deps) []debate.Session {
	t.Helper()
	all := must.Get(deps.Sessions.Sessions(t.Context()))(t)
	var out []debate.Session
	for _, one := range all {
		s := must.Get(deps.Sessions.Session(t.Context(), one.ID))(t)
		out = append(out, s)
	}
	return out
}
