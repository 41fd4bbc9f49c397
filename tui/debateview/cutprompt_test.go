package debateview_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/screen"
)

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
	if e.starts > 0 || !told || notice.Text != "Brook in round 1: Ollama read 4,096 of about 15,300 tokens: the beginning was cut." {
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
