package engine_test

import (
	"fmt"
	"regexp"
	"slices"
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

// runAnswering plays a debate to its verdict, and gives the same answer to all that is asked.
func (h *harness) runAnswering(s debate.Session, answer string) debate.Session {
	h.Helper()
	for s.Verdict == nil {
		_, s = h.run(s)
		for _, q := range s.Unanswered() {
			s = h.answer(s, ledger.Submission{Request: q.ID, Outcome: ledger.Answered, Content: answer})
		}
	}
	return s
}

func TestPrompts_holdNoNameIDOrModelWhereTheModeHidesThem(t *testing.T) {
	t.Parallel()
	names := []string{"Adams", "Brook van Dyk", "Clara-Marie Ferré", "Elena Ōkami", "Grace O'Neill"}
	for _, mode := range []string{"delphi", "council"} {
		t.Run(mode, func(t *testing.T) {
			lines := map[string]replyFunc{}
			var seats []agents.Profile
			for i, name := range names {
				seats = append(seats, agents.Profile{
					ID: agents.ID(fmt.Sprint("id-", i+1)), Name: name, Provider: "test",
					Model: fmt.Sprintf("maker/quill-%d", i+1), Persona: "You are " + name + ", who counts.", ContextWindow: 9700,
				})
			}
			chair := &agents.Profile{ID: "id-chair", Name: "Iris Quell", Provider: "test", Model: "maker/quill-9"}
			light := &agents.Profile{ID: "id-light", Name: "Jun Beck", Provider: "test", Model: "other/feather-1"}
			all := append(slices.Clone(seats), *chair, *light)
			for i, p := range seats {
				other := seats[(i+1)%len(seats)]
				text := fmt.Sprintf("I, %s (%s), heard %s'S point; \"%s\" runs on %s, i.e. %s.", p.Name,
					strings.ToUpper(string(p.ID)), strings.ToUpper(other.Name), other.ID, other.Model, strings.ToUpper(other.Model[6:]))
				text += " In short: of the Quill 2 line. Iris Quell (ID-CHAIR) and jun beck, on feather-1, will see."
				text += strings.Repeat(" And so on, as "+other.Name+" knows.", 60)
				block := fmt.Sprintf("\n\n```json\n{\"position\": \"As %s said.\", \"confidence\": 0.5, \"vote\": \"yes\", "+
					"\"citations\": [\"%s, 2024\"], \"ranking\": [\"Participant 1\", \"Member 2\"]}\n```", other.Name, p.Name)
				lines[p.Model] = replyAsking(fmt.Sprintf("Does %s know about %s?", other.Name, p.ID), replyText(text+block))
			}
			lines[chair.Model] = replyText("## Conclusion\nSo it is.")
			lines[light.Model] = replyText(strings.Repeat("Adams and id-3 on quill-2 said it. ", 12))
			h := newHarness(t, lines)
			m := debatetest.Mode(t, mode)
			s := h.create(debate.Session{
				Topic: "Was Adams right?", Mode: m, Seats: seats, Chair: chair, Light: light, Rounds: 3, Caps: ledger.DefaultCaps,
			})
			h.runAnswering(s, "Adams and Brook are two rivers.")
			sent, labels := 0, map[string]agents.ID{}
			for _, p := range all {
				for _, req := range h.provider.requests(p.Model) {
					sent++
					aide := p.ID == chair.ID || p.ID == light.ID
					if !aide && !strings.Contains(req.Messages[1].Text, "You are "+m.Label+" ") {
						t.Fatalf("%s is not told its label:\n%s", p.Name, req.Messages[1].Text)
					}
					_, label, _ := strings.Cut(req.Messages[1].Text, "You are ")
					if label, _, _ = strings.Cut(label, ", seat "); !aide {
						if of, known := labels[label]; known && of != p.ID {
							t.Errorf("%s and %s are both told %q", of, p.ID, label)
						}
						labels[label] = p.ID
					}
					for _, msg := range req.Messages {
						if msg.Role == agents.Assistant {
							continue // its own words
						}
						text := strings.ToLower(
							strings.NewReplacer("Was Adams right?", "", "Adams and Brook are two rivers.", "").Replace(msg.Text),
						)
						for _, q := range all {
							for _, word := range []string{q.Name, string(q.ID), q.Model, q.Model[6:], "quill", "feather"} {
								if strings.Contains(text, strings.ToLower(word)) {
									t.Fatalf("%s reads %q:\n%s", p.Name, word, msg.Text)
								}
							}
						}
					}
					if !aide && !strings.Contains(req.Messages[1].Text, "Was Adams right?") {
						t.Error("the topic was changed")
					}
				}
			}
			if len(labels) != len(seats) { // each the same in all rounds
				t.Errorf("%d members have the labels %v", len(seats), labels)
			}
			for _, p := range []*agents.Profile{light, chair} {
				if len(h.provider.requests(p.Model)) == 0 {
					t.Errorf("%s was not asked", p.Name)
				}
			}
			if sent < 15 {
				t.Errorf("only %d requests were sent", sent)
			}
		})
	}
}

// seatedSession is a session of a built-in mode with seats that can be hidden.
func (h *harness) seatedSession(mode string, rounds, seats int) debate.Session {
	h.Helper()
	m := debatetest.Mode(h.T, mode)
	s := debate.Session{Topic: "Is it so?", Mode: m, Rounds: rounds}
	for i := range seats {
		s.Seats = append(s.Seats, agents.Profile{
			ID: agents.ID(fmt.Sprint("seat", i+1)), Name: fmt.Sprint("Seat", i+1),
			Provider: "test", Model: fmt.Sprint("m", i+1),
		})
	}
	return h.create(s)
}

// structuredPart is a statement with the given members in its structured part.
func structuredPart(members string) string {
	return "So.\n\n```json\n{\"position\": \"So.\", \"confidence\": 0.5, " + members + "}\n```"
}

func TestRole_aWrongStanceIsFlaggedAndStoredAsItIs(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"m1": replyText(structuredPart(`"vote": "no"`)),
		"m2": replyText(structuredPart(`"vote": "no"`)), "m3": replyText(structuredPart(`"vote": "yes"`)),
	})
	evs, s := h.run(h.seatedSession("devils-advocate", 1, 3))
	for i, want := range []string{"as advocate it argues yes, and states no", "", ""} {
		x := s.History[0].Responses[i]
		if x.Statement.RoleBreach != want {
			t.Errorf("%s: %q, want %q", x.ID(), x.Statement.RoleBreach, want)
		}
	}
	if got := s.History[0].Responses[0].Statement.Vote; got != "no" {
		t.Errorf("the stance was made %s", got)
	}
	notices := noticesByCode(evs)["role"]
	if len(notices) != 1 || notices[0].Agent != "seat1" ||
		notices[0].Text != "Seat1 breaks its role in round 1: as advocate it argues yes, and states no. The statement is kept as it is." {
		t.Errorf("notices %+v", notices)
	}
	if again := h.read(s); again.History[0].Responses[0].Statement.RoleBreach == "" {
		t.Error("it is not stored")
	}
	h = newHarness(t, map[string]replyFunc{"m1": replyText(structuredPart(`"vote": "yes"`)), "m2": replyText(structuredPart(`"vote": "yes"`))})
	_, s = h.run(h.seatedSession("socratic", 1, 2))
	if got := s.History[0].Responses[0].Statement.RoleBreach; got != "as questioner it takes no side, and states yes" {
		t.Errorf("the questioner: %q", got)
	}
}

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

// checkSteps holds that no step of a round began before the one before it had ended, that the
// seats of a step began at once, and that all turns are there with their phases and roles.
func checkSteps(t *testing.T, s debate.Session) {
	t.Helper()
	for _, r := range s.History {
		steps, due := s.Mode.Steps(r.Manifest.Seats, r.Number, s.Rounds), 0
		for _, step := range steps {
			due += len(step.Seats)
		}
		if len(r.Responses) != due {
			t.Errorf("round %d: %d responses, want %d", r.Number, len(r.Responses), due)
		}
		for _, x := range r.Responses {
			_, seat := s.Seat(x.Turn.Agent)
			if role, _ := s.Mode.RoleOf(seat, len(s.Seats)); x.Role != role.Name || x.Phase != steps[x.Turn.Step].Phase {
				t.Errorf("%s has the role %q in the phase %q", x.ID(), x.Role, x.Phase)
			}
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
	for _, m := range must.Get(modes.Builtin())(t) {
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
