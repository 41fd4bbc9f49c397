package replay_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/replay"
	"roundtable/store"
)

// stored returns the debates, by title, that the tests of the store have: one in each
// state.
func stored(t *testing.T) map[string]debate.Session {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "store", "testdata", "before", "9ff01fb.db.gz"))
	must(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	must(t, err)
	raw, err := io.ReadAll(r)
	must(t, err)
	path := filepath.Join(t.TempDir(), "roundtable.db")
	must(t, os.WriteFile(path, raw, 0o600))
	st, err := store.Open(t.Context(), path, store.Options{})
	must(t, err)
	defer st.Close()
	all, err := st.Sessions(t.Context(), store.Query{})
	must(t, err)
	out := map[string]debate.Session{}
	for _, s := range all {
		out[s.Title], err = st.Session(t.Context(), s.ID)
		must(t, err)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRecording_isTheWholeDebate plays every debate: each part leads to the state before
// the next one, each attempt begins, streams its texts and ends, and the last state is the
// stored one.
func TestRecording_isTheWholeDebate(t *testing.T) {
	for title, s := range stored(t) {
		r := replay.New(s)
		state, verdict := r.Before(1), false
		if len(state.History) > 0 || state.Verdict != nil || len(state.Requests) > 0 {
			t.Errorf("%s begins with %d rounds and %d requests", title, len(state.History), len(state.Requests))
		}
		ended := 0
		for part := r.PartAfter(state); part > 0; part = r.PartAfter(state) {
			texts := map[string]string{}
			moments := r.Part(part)
			for i, m := range moments {
				if i > 0 && m.At < moments[i-1].At {
					t.Errorf("%s, part %d: %T comes %s before %T", title, part, m.Event, moments[i-1].At-m.At, moments[i-1].Event)
				}
				switch ev := m.Event.(type) {
				case debate.TurnStarted:
					texts[debate.TurnID(ev.Turn)] = ""
				case debate.Text:
					if !ev.Reasoning {
						texts[debate.TurnID(ev.Turn)] += ev.Text
					}
				case debate.TurnEnded:
					var whole strings.Builder
					for _, p := range ev.Response.Passages {
						whole.WriteString(p.Text)
					}
					if got := texts[ev.Response.ID()]; got != whole.String() {
						t.Errorf("%s: %s streams %q, not %q", title, ev.Response.ID(), got, whole.String())
					}
					if ev.Response.Turn.Step >= 0 {
						ended++
					}
				case debate.Concluded:
					verdict = true
				case debate.RoundEnded:
					state = ev.Session
				default:
				}
			}
			if got := len(r.Order(part)); got == 0 || got > len(moments) {
				t.Errorf("%s, part %d has %d events in order", title, part, got)
			}
		}
		want := 0
		for _, round := range s.History {
			want += len(round.Responses)
		}
		if ended != want || verdict != (s.Verdict != nil) || len(state.History) != len(s.History) || state.Status() != s.Status() {
			t.Errorf("%s: %d of %d attempts, verdict %t, ends %s after round %d", title, ended, want, verdict, state.Status(),
				len(state.History))
		}
	}
}

// TestRecording_requestsAreAnsweredWhenTheyWere follows a request through a debate.
func TestRecording_requestsAreAnsweredWhenTheyWere(t *testing.T) {
	r := replay.New(stored(t)["verdict"])
	var states []string
	for part := 1; part <= r.Parts(); part++ {
		for _, ev := range r.Order(part) {
			switch ev := ev.(type) {
			case debate.ContextRequested:
				states = append(states, ev.Request.ID+" asked, "+string(ev.Request.State))
			case debate.ContextChanged:
				states = append(states, ev.Request.ID+" "+string(ev.Request.State))
			case debate.RoundStarted:
				for _, q := range ev.Session.Requests {
					if q.State == ledger.Released {
						states = append(states, q.ID+" sent")
					}
				}
			default:
			}
		}
	}
	want := "C1 asked, pending · C2 asked, pending · C1 resolved"
	if got := strings.Join(states, " · "); !strings.HasPrefix(got, want) || !strings.Contains(got, "C1 sent") {
		t.Errorf("the requests went %s", got)
	}
}

// TestPlayer_keepsThePace plays a round at several speeds, and pauses in it.
func TestPlayer_keepsThePace(t *testing.T) {
	r := replay.New(stored(t)["verdict"])
	part := r.Part(1)
	whole := part[len(part)-1].At
	play := func(t *testing.T, p *replay.Player) time.Duration {
		began := time.Now()
		for range p.Start(t.Context(), r.Before(1)).Events() {
		}
		return time.Since(began)
	}
	synctest.Test(t, func(t *testing.T) {
		if took := play(t, replay.NewPlayer(r, 1, time.Now)); took < whole || took > whole+time.Second {
			t.Errorf("a round of %s took %s", whole, took)
		}
		if took := play(t, replay.NewPlayer(r, 10, time.Now)); took < whole/10 || took > whole/10+time.Second {
			t.Errorf("a round of %s at 10x took %s", whole, took)
		}
		p := replay.NewPlayer(r, 1, time.Now)
		p.TogglePause()
		go func() {
			time.Sleep(time.Hour)
			p.Faster() // 2x
			p.TogglePause()
		}()
		if took := play(t, p); took < time.Hour+whole/2 || took > time.Hour+whole/2+time.Second {
			t.Errorf("a round of %s, paused for an hour and then at 2x, took %s", whole, took)
		}
	})
}

// TestPlayer_stops ends a run in the middle.
func TestPlayer_stops(t *testing.T) {
	r := replay.New(stored(t)["verdict"])
	synctest.Test(t, func(t *testing.T) {
		p := replay.NewPlayer(r, 0, time.Now)
		run := p.Start(context.Background(), r.Before(1))
		<-run.Events()
		run.Stop()
		for range run.Events() {
		}
		for range 10 {
			p.Faster()
		}
		if speed, _ := p.Pace(); speed != replay.MaxSpeed {
			t.Errorf("the highest speed is %d", speed)
		}
		for range 10 {
			p.Slower()
		}
		if speed, paused := p.Pace(); speed != 1 || paused {
			t.Errorf("the lowest speed is %d, paused %t", speed, paused)
		}
	})
}
