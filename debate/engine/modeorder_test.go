package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/e2e/endpoint"
)

// stepTracker watches that the members' calls come step by step: all of a step are open
// at once, and none of the next begins before they have ended.
type stepTracker struct {
	*testing.T
	mu    sync.Mutex
	steps []debate.Step
	came  int // of the first step that is left
	open  int
	all   chan struct{} // closed when all of that step are open
	said  []string      // in the order in which it was said
}

func (p *stepTracker) arrive(r endpoint.Request, before bool) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.steps) == 0 {
		p.Errorf("%s is called after the last step", r.Model)
		return nil
	}
	step := p.steps[0]
	if !slices.Contains(step.Seats, agents.ID(r.Model)) {
		p.Errorf("%s is called in a step of %v", r.Model, step.Seats)
	}
	if p.came++; p.came == 1 {
		if p.open > 0 {
			p.Errorf("%s is called while %d calls of the step before are open", r.Model, p.open)
		}
		p.all = make(chan struct{})
	}
	if before && len(p.said) > 0 && !strings.Contains(r.Last().Content, p.said[len(p.said)-1]) {
		p.Errorf("%s does not see %q", r.Model, p.said[len(p.said)-1])
	}
	p.open++
	all := p.all
	if p.came == len(step.Seats) {
		p.steps, p.came = p.steps[1:], 0
		close(all)
	}
	return all
}

func (p *stepTracker) leave(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	p.said = append(p.said, text)
}

func TestEveryMode_callsItsStepsOneAfterTheOtherAndTheSeatsOfOneAtOnce(t *testing.T) {
	t.Parallel()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range sampled(all, 3) {
		t.Run(m.Name, func(t *testing.T) {
			p := &stepTracker{T: t}
			n := 0
			srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
				if strings.Contains(r.Messages[0].Content, "You are the chair") {
					return endpoint.Reply{Text: "So."}
				}
				open := p.arrive(r, m.Order == debate.Sequential && len(m.Phases) == 0)
				select {
				case <-open:
				case <-time.After(30 * time.Second):
					t.Errorf("%s waits for the others of its step", r.Model)
				}
				p.mu.Lock()
				n++
				text := fmt.Sprintf("Statement %d of %s.", n, r.Model)
				p.mu.Unlock()
				p.leave(text)
				return endpoint.Reply{Text: text}
			})
			h := newHarness(t, nil)
			h.useServer(srv)
			s := debate.Session{Topic: "So?", Mode: m, Rounds: 3, Caps: ledger.DefaultCaps}
			var ids []agents.ID
			for _, name := range []string{"seat1", "seat2", "seat3", "seat4"} {
				s.Seats = append(s.Seats, agents.Profile{ID: agents.ID(name), Name: name, Provider: "test", Model: name})
				ids = append(ids, agents.ID(name))
			}
			for round := 1; round <= 3; round++ {
				p.steps = append(p.steps, m.Steps(ids, round, 3)...)
			}
			s, err := h.store.Create(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for s.Verdict == nil {
				_, s = h.run(s)
			}
			if len(p.steps) > 0 {
				t.Errorf("these steps were not played: %v", p.steps)
			}
		})
	}
}

func TestEveryMode_twoSessionsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	for _, mode := range sampled([]string{"expert-panel", "delphi", "devils-advocate", "council"}, 2) {
		t.Run(mode, func(t *testing.T) {
			lines := map[string]replyFunc{}
			for _, of := range []string{"alpha", "beta"} {
				for i := range 3 {
					lines[fmt.Sprint(of, i+1)] = replyAsking("What is "+of+"-fact?", replyText(of+"-text"))
				}
			}
			h := newHarness(t, lines)
			var wait sync.WaitGroup
			for of, seats := range map[string]int{"alpha": 3, "beta": 3} {
				s := h.seatedSession(mode, 2, seats)
				s.ID, s.Nonce, s.Topic, s.Caps = "", "", of+"-topic?", ledger.DefaultCaps
				for i := range s.Seats {
					s.Seats[i].Model = fmt.Sprint(of, i+1)
				}
				for _, l := range s.Mode.Lists() {
					var err error
					if s.Mode, err = s.Mode.WithList(l, []string{of + "-" + string(l), of + "-other"}); err != nil {
						t.Fatal(err)
					}
				}
				s, err := h.store.Create(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				wait.Go(func() {
					for s.Verdict == nil {
						var err error
						if _, s, err = drain(h.engine.Start(t.Context(), s)); err != nil {
							t.Error(err)
							return
						}
						for _, q := range s.Unanswered() {
							if _, err := h.store.Answer(t.Context(), s.ID, ledger.Submission{
								Request: q.ID, Outcome: ledger.Answered,
								Content: of + "-answer",
							}); err != nil {
								t.Error(err)
							}
						}
						if s, err = h.store.Session(t.Context(), s.ID); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			wait.Wait()
			for of, other := range map[string]string{"alpha": "beta", "beta": "alpha"} {
				for i := range 3 {
					reqs := h.provider.requests(fmt.Sprint(of, i+1))
					if len(reqs) < 2 {
						t.Errorf("%s%d was asked %d times", of, i+1, len(reqs))
					}
					for _, r := range reqs {
						for _, msg := range r.Messages {
							if strings.Contains(msg.Text, other+"-") {
								t.Fatalf("a prompt of %s has something of %s:\n%s", of, other, msg.Text)
							}
						}
					}
				}
			}
		})
	}
}
