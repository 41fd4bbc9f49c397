package debateview_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/tui/debateview"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// run is a run that nothing happens in.
type run struct{ cancelled, retried agents.ID }

func (r *run) Events() <-chan debate.Event    { return nil }
func (r *run) Cancel(t agents.Turn)           { r.cancelled = t.Agent }
func (r *run) Pause(bool)                     {}
func (r *run) End()                           {}
func (r *run) Retry(id agents.ID)             { r.retried = id }
func (r *run) RetryNow(agents.ID)             {}
func (r *run) Decide(string, debate.Approval) {}
func (r *run) Stop()                          {}

// engine starts the same run for everything, and counts the starts.
type engine struct {
	run
	starts, goneOn int
}

func (e *engine) Start(context.Context, debate.Session) control.Run {
	e.starts++
	return &e.run
}

func (e *engine) GoOn(context.Context, debate.Session) control.Run {
	e.goneOn++
	return &e.run
}

func (e *engine) Retry(context.Context, debate.Session, agents.ID) control.Run { return &e.run }
func (e *engine) Conclude(context.Context, debate.Session) control.Run         { return &e.run }
func (e *engine) Ask(context.Context, debate.Session, agents.ID, string) control.Run {
	return &e.run
}
func (e *engine) Affords(debate.Session) error           { return nil }
func (e *engine) Models(debate.Session) []agents.Profile { return nil }

// writer saves nothing; what it refuses fails with err.
type writer struct {
	debateview.Writer
	err error
}

func (w writer) Focus(context.Context, string) (debate.Focus, error)           { return debate.Focus{}, nil }
func (w writer) SetFocus(context.Context, string, debate.Focus) error          { return w.err }
func (w writer) SaveDraft(context.Context, string, string, debate.Draft) error { return w.err }

func session() debate.Session {
	done := func(id agents.ID) debate.Response {
		return debate.Response{
			Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: id}, State: debate.TurnDone,
			Statement: debate.Statement{Body: "Yes."},
		}
	}
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	return debate.Session{
		ID: "s", Topic: "Tabs?", Rounds: 3, Seats: []agents.Profile{{ID: "ada", Name: "Ada"}, {ID: "brook", Name: "Brook"}},
		History: []debate.Round{{Number: 1, Began: now, Ended: now, Responses: []debate.Response{done("ada"), done("brook")}}},
	}
}

// gate is a session that cannot go on before C1 is answered.
func gate() debate.Session {
	s := session()
	asked := ledger.Ask{Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}, Call: "t1", Query: "How wide?", Priority: ledger.Required}
	s.Requests = []ledger.Request{{
		ID: "C1", Seq: 1, Query: "How wide?", Round: 1, Priority: ledger.Required, State: ledger.Pending,
		Asks: []ledger.Ask{asked},
	}}
	return s
}

func open(t *testing.T, s debate.Session, w writer) (*debateview.Debate, *engine) {
	e := &engine{}
	d := debateview.New(t.Context(), s, debateview.Config{
		Common: debateview.Common{Player: e, Writer: w, Now: time.Now},
		Theme:  theme.New(theme.Options{Dark: true}), NoEditor: func() string { return "" },
	})
	d.SetSize(100, 27)
	return d, e
}

// press runs the command of a key of the debate screen, if it can run.
func press(t *testing.T, d *debateview.Debate, key string) screen.Outcome {
	t.Helper()
	for _, c := range d.Screen.Commands() {
		if shared, ok := d.Shared()[c.Shared]; ok {
			c = shared
		}
		for _, k := range c.Keys() {
			if k == key {
				if c.Why != nil && c.Why() != "" {
					t.Fatalf("%s cannot run: %s", key, c.Why())
				}
				return c.Run(key)
			}
		}
	}
	t.Fatalf("no command has the key %q", key)
	return nil
}

// find returns the first effect of a kind.
func find[T any](out screen.Outcome) (effect T, ok bool) {
	for _, e := range out {
		if effect, ok = e.(T); ok {
			return effect, true
		}
	}
	return effect, false
}

func TestResume_waitsForTheUser(t *testing.T) {
	d, e := open(t, session(), writer{})
	if _, began := find[screen.RunBegan](d.Resume()); began || e.starts > 0 {
		t.Fatal("a saved session goes on by itself")
	}
	if got := ansi.Strip(d.Screen.View(screen.Frame{Now: time.Now()})); !strings.Contains(got, "space: start round 2") {
		t.Errorf("the banner does not say what goes on:\n%s", got)
	}
	if _, began := find[screen.RunBegan](press(t, d, "space")); !began || !d.Running() {
		t.Error("space does not go on")
	}
}

// Before a round has started, what is said of it already holds.
func TestKeys_nameTheRoundThatIsAboutToStart(t *testing.T) {
	d, _ := open(t, session(), writer{})
	press(t, d, "space")
	if told, _ := find[screen.Notice](press(t, d, "space")); !strings.Contains(told.Text, " Pauses after round 2.") {
		t.Errorf("space says %q", told.Text)
	}
	if asked, _ := find[screen.Question](press(t, d, "S")); asked.Text != "End after round 2 with a verdict?" {
		t.Errorf("S asks %q", asked.Text)
	}
}

func TestAdvance_opensTheFormBeforeARoundThatIsBlocked(t *testing.T) {
	d, e := open(t, gate(), writer{})
	d.Advance()
	if !d.Form.IsOpen() || e.starts > 0 {
		t.Errorf("form open %v, %d runs", d.Form.IsOpen(), e.starts)
	}
	if d.Screen.Back(); !d.Form.IsOpen() {
		t.Error("a key of the debate closes the form")
	}
}

func TestTopLine_saysWhatAForkInherited(t *testing.T) {
	for name, inherited := range map[string]bool{"fork": true, "other": false} {
		s := session()
		for i := range s.History[0].Responses {
			x := &s.History[0].Responses[i]
			x.Calls, x.Usage, x.Inherited = 1, agents.Usage{Input: 600, Output: 100}, inherited
		}
		d, _ := open(t, s, writer{})
		_, right := d.Screen.Title(screen.Frame{})
		words := ""
		for _, p := range right {
			words += p.Text
		}
		if got := strings.Contains(words, "inherited 1.4k tok"); got != inherited {
			t.Errorf("%s: %q", name, words)
		}
	}
}

// withCut returns the session after as many rounds, in each of which Brook's prompt was
// cut.
func withCut(rounds int) debate.Session {
	s := session()
	cut := &agents.PromptCut{Server: "Ollama", Read: 4096, Estimate: 15_336, Remedy: "Raise OLLAMA_CONTEXT_LENGTH."}
	first := s.History[0]
	s.History = nil
	for n := 1; n <= rounds; n++ {
		r := first
		r.Number, r.Responses = n, slices.Clone(first.Responses)
		r.Responses[1].Statement.MarkCut(cut)
		s.History = append(s.History, r)
	}
	return s
}

func TestAdvance_pausesOnceForAPromptThatWasCut(t *testing.T) {
	d, e := open(t, withCut(1), writer{})
	notice, told := find[screen.Notice](d.Advance())
	if e.starts > 0 || !told || notice.Text != "Brook in round 1: Ollama read 4,096 of about 15,336 tokens: the beginning was cut." {
		t.Fatalf("%d runs, told %q", e.starts, notice.Text)
	}
	view := ansi.Strip(d.Screen.View(screen.Frame{Now: time.Now()}))
	for _, want := range []string{"Paused after round 1. Brook in round 1", "Raise OLLAMA_CONTEXT_LENGTH. space: start round 2 all the same."} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
	if _, began := find[screen.RunBegan](press(t, d, "space")); !began {
		t.Error("space does not go on")
	}
}

func TestAdvance_goesOnAfterTheUserHasGoneOn(t *testing.T) {
	for rounds, starts := range map[int]int{2: 1, 3: 1} { // the third round is the last one
		d, e := open(t, withCut(rounds), writer{})
		if d.Advance(); e.starts != starts {
			t.Errorf("%d runs after %d rounds, want %d", e.starts, rounds, starts)
		}
	}
	s := withCut(1)
	s.Rounds = 1
	d, e := open(t, s, writer{})
	if d.Advance(); e.starts != 1 {
		t.Errorf("%d runs after the only round, want the verdict's", e.starts)
	}
}
