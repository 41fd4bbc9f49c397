package engine_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// markingReply says something that no other call says; one model asks a question first.
func markingReply(model string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if model == "m3" && n == 1 {
			return replyAsking("How many?", replyText(""))(n, req)
		}
		return replyText(debatetest.Statement(fmt.Sprintf("<w%s:%02d> is said here.", model[1:], n), "So.", "yes", 0.5))(n, req)
	}
}

// runMarked plays a debate of four seats over three rounds, in which each model
// takes its time, and returns what each was sent.
func runMarked(t *testing.T, m debate.Mode, takes func(seat int) time.Duration) (sent map[string][]agents.Request, s debate.Session) {
	t.Helper()
	sent = map[string][]agents.Request{}
	synctest.Test(t, func(t *testing.T) {
		lines, wait := map[string]replyFunc{}, map[string]time.Duration{}
		s = debate.Session{Topic: "Is it so?", Mode: m, Rounds: 3, Caps: ledger.DefaultCaps, Nonce: "the same"}
		for i := 1; i <= 4; i++ {
			model := fmt.Sprint("m", i)
			lines[model], wait[model] = markingReply(model), takes(i)
			s.Seats = append(s.Seats, agents.Profile{
				ID: agents.ID(fmt.Sprint("one", i)), Name: fmt.Sprint("One", i),
				Provider: "test", Model: model,
			})
		}
		h := newHarness(t, lines)
		h.delayed(func(r agents.Request) time.Duration { return wait[r.Model] })
		s = h.runAnswering(h.create(s), "forty-two")
		for model := range lines {
			sent[model] = h.provider.requests(model)
		}
	})
	return sent, s
}

// checkSteps holds that no step of a round began before the one before it had ended, and that the
// seats of a step began at once.
func checkSteps(t *testing.T, s debate.Session) {
	t.Helper()
	for _, r := range s.History {
		for _, x := range r.Responses {
			for _, y := range r.Responses {
				if x.Turn.Step < y.Turn.Step && y.Began.Before(x.Ended) || x.Turn.Step == y.Turn.Step && !x.Began.Equal(y.Began) {
					t.Errorf("%s is from %s to %s, %s from %s", x.ID(), x.Began, x.Ended, y.ID(), y.Began)
				}
			}
		}
	}
}

func slowest(seat int) time.Duration { return time.Duration(seat) * time.Second }

var (
	markOf   = regexp.MustCompile(`<w(\d):\d\d>`)
	headOf   = regexp.MustCompile(`(?m)^[0-9a-f]{12} statement: seat (\d), .*, round \d.*$`)
	roundsOf = regexp.MustCompile(`(?m)^Statements of round \d.*:$`)
)

// A prompt has each statement once, under its own head, and does not depend on which seat answers first.
func TestEveryMode_everythingStandsOnceAndLabelledInAPrompt(t *testing.T) {
	t.Parallel()
	all := must.Get(modes.Builtin())(t)
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			answered := 0
			sent, s := runMarked(t, m, slowest)
			faster, _ := runMarked(t, m, func(seat int) time.Duration { return slowest(5 - seat) })
			checkSteps(t, s)
			for model, reqs := range sent {
				if len(reqs) != len(faster[model]) {
					t.Fatalf("%s was asked %d and %d times", model, len(reqs), len(faster[model]))
				}
				for n, req := range reqs {
					if req.Hash() != faster[model][n].Hash() {
						t.Errorf("request %d of %s depends on who is faster:\n%s\nand\n%s", n+1, model, req.Messages[1].Text,
							faster[model][n].Messages[1].Text)
					}
					text := req.Messages[1].Text
					for what, re := range map[string]*regexp.Regexp{"statement": markOf, "head of a statement": headOf, "head of a round": roundsOf} {
						seen := map[string]bool{}
						for _, found := range re.FindAllString(text, -1) {
							if seen[found] {
								t.Errorf("request %d of %s: the %s %q is there twice", n+1, model, what, found)
							}
							seen[found] = true
						}
					}
					marks, heads := markOf.FindAllStringSubmatch(text, -1), headOf.FindAllStringSubmatch(text, -1)
					if len(marks) != len(heads) {
						t.Fatalf("request %d of %s: %d statements and %d heads", n+1, model, len(marks), len(heads))
					}
					for i, h := range heads {
						if h[1] != marks[i][1] {
							t.Errorf("request %d of %s: %q stands above what seat %s said", n+1, model, h[0], marks[i][1])
						}
						if own := strings.Contains(h[0], " (your own)"); own != ("m"+h[1] == model) {
							t.Errorf("request %d of %s: marked as its own: %t, %q", n+1, model, own, h[0])
						}
					}
					if k := strings.Count(text, "] asked by "); k > 1 {
						t.Errorf("request %d of %s: the answer is there %d times", n+1, model, k)
					} else {
						answered += k
					}
				}
			}
			least := 8
			if m.Critiques() { // the author alone speaks after the answer
				least = 4
			}
			if answered < least {
				t.Errorf("%d prompts hold the answer", answered)
			}
		})
	}
}
