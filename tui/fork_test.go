package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// answered is a concluded debate in which C1 was asked in round 1 and answered for round 2.
func answered() debate.Session {
	s := concluded()
	r := request("C1", "ada", 1, ledger.Required, "What does a mistake cost?", "It decides how careful to be.")
	r.State, r.Delivered = ledger.Released, []ledger.Delivery{{Revision: 1, Round: 2}}
	r.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "A week.", Author: ledger.Author{Kind: ledger.Person}}}
	s.Requests = []ledger.Request{r}
	return s
}

// forked returns what the script was asked to fork.
func forked(s *scripted) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.calls, func(call string) bool { return strings.HasPrefix(call, "fork ") })
	if i < 0 {
		return ""
	}
	return s.calls[i]
}

// The text of another answer is full of keys; none of them is a command. It forks from before
// the round that saw the old answer.
func TestFork_typesAnotherAnswer(t *testing.T) {
	bubbleAt(t, [2]int{80, 24}, answered, func(h *harness, script *scripted) {
		h.press("F")
		h.sees("change one thing", "C1 answer", "Now: A week.")
		h.press("enter")
		h.sees("C1 answer > A week.")
		h.press("ctrl+u", "quit S E n = F [ ]")
		h.sees("quit S E n = F [ ]", "enter fork")
		h.press("enter")
		h.sees("Fork: ", "Paused", "from round 1")
		if got := forked(script); !strings.HasPrefix(got, "fork "+billing+" after 1: C1 answered \"quit S E n = F [ ]\"") {
			t.Errorf("%q", got)
		}
	})
}

func TestFork_changesModelsAndFacts(t *testing.T) {
	for _, c := range []struct {
		name string
		keys string
		sees string
		note string
	}{
		{"a model", "down down down enter enter", "Fork: Ada model", "ada on claude-sonnet, with C1"},
		{"a fact left out", "down down enter", "C1 left out", "without C1"},
		{"a fact from the start", "s t a r t enter enter", "C1 earlier", "with C1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ofTwo := func() debate.Session {
				s := answered()
				s.Rounds = 2
				return s
			}
			bubbleAt(t, [2]int{80, 24}, ofTwo, func(h *harness, script *scripted) {
				h.press("F")
				h.sees("Fork after round 1")
				keys := strings.Fields(c.keys)
				h.press(keys[:len(keys)-1]...)
				h.sees(c.sees)
				h.press(keys[len(keys)-1])
				if got := forked(script); !strings.HasSuffix(got, ": "+c.note) {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

// What is refused is said, and is there to be changed.
func TestFork_saysWhatAnAnswerNeeds(t *testing.T) {
	bubbleAt(t, [2]int{80, 24}, answered, func(h *harness, script *scripted) {
		h.press("F", "enter", "enter")
		h.sees("C1 has this answer already")
		h.press("F", "down", "enter", "Nobody knows.", "esc", "F", "down", "enter", "enter")
		if got := forked(script); !strings.HasSuffix(got, `C1 unavailable "Nobody knows."`) {
			t.Errorf("%q", got)
		}
	})
}

// An answer of several lines is changed and sent as it is; what was typed is kept when the list
// is looked at.
func TestFork_keepsTheLinesOfAnAnswer(t *testing.T) {
	ofTwoLines := func() debate.Session {
		s := answered()
		s.Requests[0].Answers[0].Content = "A week.\nOr two."
		return s
	}
	bubbleAt(t, [2]int{40, 12}, ofTwoLines, func(h *harness, script *scripted) {
		h.press("F", "enter")
		h.sees("A week.", "Or two.", "ctrl+s fork")
		h.paste("\nAnd a 👩‍🚀.")
		h.press("esc", "F", "enter")
		h.sees("Or two.", "And a ")
		h.press("ctrl+u", "backspace", " Or 👩‍🚀.", "ctrl+s")
		if got := forked(script); !strings.HasSuffix(got, fmt.Sprintf("%q", "A week.\nOr two. Or 👩🚀.")) {
			t.Errorf("%q", got)
		}
	})
}

// Where there is no answer, none stands in the field. What a session from elsewhere says is
// text, also where the question says nothing.
func TestFork_answersWhatHadNoAnswer(t *testing.T) {
	unknown := func() debate.Session {
		s := answered()
		s.Requests[0].Query = "\x00"
		s.Requests[0].Answers[0].Outcome, s.Requests[0].Answers[0].Content = ledger.Unavailable, "Nobody\x1b[2J knows.\xed\xa0"
		return s
	}
	bubbleAt(t, [2]int{80, 24}, unknown, func(h *harness, script *scripted) {
		h.press("F")
		h.sees("unavailable: Nobody knows.")
		if raw := h.last.Load().Content; strings.Contains(raw, "\x1b[2J") || strings.Contains(raw, "\xed\xa0") {
			t.Errorf("%q", raw)
		}
		h.press("enter", "Two days.", "enter")
		if got := forked(script); !strings.HasSuffix(got, `C1 answered "Two days."`) {
			t.Errorf("%q", got)
		}
	})
}
