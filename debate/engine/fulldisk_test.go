package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/store"
)

var errFull = errors.New("the disk is full")

// fullDisk is a store whose disk fills up when it comes to a step, and stays so until
// there is room again.
type fullDisk struct {
	*store.Store
	step string
	none atomic.Bool
}

// write refuses what comes after the disk has filled up at the step.
func (f *fullDisk) write(step string) error {
	if step == f.step {
		f.none.Store(true)
	}
	if f.none.Load() {
		return errFull
	}
	return nil
}

func (f *fullDisk) Repair(ctx context.Context, id string) (debate.Session, error) {
	if err := f.write("repair"); err != nil {
		return debate.Session{}, err
	}
	return f.Store.Repair(ctx, id)
}

func (f *fullDisk) BeginTurn(ctx context.Context, t debate.TurnStart) error {
	if err := f.write(fmt.Sprintf("begin %s %d", t.Turn.Agent, t.Turn.Round)); err != nil {
		return err
	}
	return f.Store.BeginTurn(ctx, t)
}

func (f *fullDisk) BeginCall(ctx context.Context, t agents.Turn, p debate.Purpose, n int, req agents.Request) error {
	if err := f.write(fmt.Sprintf("call %s %d", t.Agent, t.Round)); err != nil {
		return err
	}
	return f.Store.BeginCall(ctx, t, p, n, req)
}

func (f *fullDisk) EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, ts []debate.ToolRecord, cost *float64) error {
	if err := f.write("tools"); err != nil {
		return err
	}
	return f.Store.EndCall(ctx, t, n, c, ts, cost)
}

func (f *fullDisk) Journal(ctx context.Context, parts []debate.PartialText) error {
	if err := f.write("journal"); err != nil {
		return err
	}
	return f.Store.Journal(ctx, parts)
}

func (f *fullDisk) EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error) {
	if err := f.write(fmt.Sprintf("end %s %d", e.Response.Turn.Agent, e.Response.Turn.Round)); err != nil {
		return nil, err
	}
	return f.Store.EndTurn(ctx, e)
}

func (f *fullDisk) EndRound(ctx context.Context, id string, n int, same *debate.SameFindings, ending debate.StopReason,
) (debate.Session, error) {
	if err := f.write(fmt.Sprint("round ", n)); err != nil {
		return debate.Session{}, err
	}
	return f.Store.EndRound(ctx, id, n, same, ending)
}

func (f *fullDisk) SaveVerdict(ctx context.Context, id string, v debate.Verdict) (debate.Session, error) {
	if err := f.write("verdict"); err != nil {
		return debate.Session{}, err
	}
	return f.Store.SaveVerdict(ctx, id, v)
}

// A disk that fills up at any step ends the run. With the session that the run
// left, and once there is room again, the debate goes on to its end.
func TestStart_goesOnAfterAFullDiskWithoutOpeningAnew(t *testing.T) {
	t.Parallel()
	for _, step := range sampled([]string{
		"begin a 1", "call a 1", "tools", "end a 1", "end b 1", "round 1", "begin b 2", "call a 2", "end b 2", "round 2", "begin a 2",
		"verdict", "repair",
	}, 3) {
		t.Run(step, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyText("What a says.")), "b": replyText("What b says.")})
			f := &fullDisk{Store: h.store, step: step}
			provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
			h.engine = engine.New(engine.Options{Recorder: f, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}}})
			s := h.session("collaborative", 2, "a", "b")
			for s.Verdict == nil {
				if s.Status() == debate.NeedsContext {
					s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "ten"})
				}
				_, next, err := drain(h.engine.Start(t.Context(), s))
				switch {
				case errors.Is(err, errFull) && f.step != "":
					if n := strings.Count(err.Error(), errFull.Error()); n != 1 {
						t.Errorf("the cause is said %d times: %v", n, err)
					}
					if _, next, err = drain(h.engine.Start(t.Context(), next)); !errors.Is(err, errFull) {
						t.Fatalf("while the disk is full: %v", err)
					}
					f.step = ""
					f.none.Store(false)
				case err != nil:
					t.Fatal(err)
				}
				s = next
			}
			if f.step != "" {
				t.Fatalf("the debate never came to %q", step)
			}
			stored, err := h.store.Session(t.Context(), s.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := stored.Status(); got != debate.Complete {
				t.Errorf("at the end the session is %s", got)
			}
			for _, r := range stored.History {
				for _, x := range r.Latest() {
					if x.State != debate.TurnDone {
						t.Errorf("at the end %s is %s", x.ID(), x.State)
					}
				}
			}
			if n := len(stored.Requests); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

// What was on the screen when the disk filled up is in the session that the run leaves.
func TestStart_keepsTheTextThatAFullDiskDidNotTake(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"journal", "end a 1"} {
		t.Run(step, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyText("What a says."), "b": replyText("What b says.")})
			f := &fullDisk{Store: h.store, step: step}
			var asked chan struct{}
			if step == "journal" {
				asked = make(chan struct{})
			}
			provider := func(agents.Profile) (agents.Provider, error) { return waitingProvider{h.provider, asked}, nil }
			h.engine = engine.New(engine.Options{Recorder: &droppingJournal{fullDisk: f, asked: asked}, Provider: provider})
			_, s, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")))
			if !errors.Is(err, errFull) {
				t.Fatalf("the run ended with %v", err)
			}
			latest := s.History[0].AttemptsOf("a")
			if len(latest) != 1 || latest[0].State != debate.TurnInterrupted {
				t.Fatalf("what is left of the turn: %+v", latest)
			}
			if p := latest[0].Passages; len(p) != 1 || !strings.Contains(p[0].Text, "What a says.") {
				t.Errorf("the text that came is gone: %+v", latest[0])
			}
		})
	}
}

// droppingJournal is a full disk that says when it was first asked to keep text.
type droppingJournal struct {
	*fullDisk
	asked chan struct{} // closed then; nil: nobody waits for it
	said  atomic.Bool
}

func (d *droppingJournal) Journal(ctx context.Context, parts []debate.PartialText) error {
	err := d.fullDisk.Journal(ctx, parts)
	if d.asked != nil && d.said.CompareAndSwap(false, true) {
		close(d.asked)
	}
	return err
}
