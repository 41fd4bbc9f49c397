package linear_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/engine"
)

// slowStart is a recorder that waits before each round.
type slowStart struct {
	engine.Recorder
	waits, begin chan struct{}
}

func (r slowStart) BeginRound(ctx context.Context, session string, round int) (debate.Session, error) {
	r.waits <- struct{}{}
	<-r.begin
	return r.Recorder.BeginRound(ctx, session, round)
}

// Before a round has started, what is said of it already holds.
func TestLast_meansTheRoundThatIsAboutToStart(t *testing.T) {
	waits, begin := make(chan struct{}), make(chan struct{})
	u := start(t, begun(3), func(o *engine.Options) {
		o.Recorder, o.Tools = slowStart{o.Recorder, waits, begin}, nil
	})
	<-waits
	u.types("/end-after-round\n", "Ends after round 1 with a verdict.")
	u.types("/end-after-round\n", "Continues after this round.")
	begin <- struct{}{}
	<-waits
	begin <- struct{}{}
	<-waits
	u.types("/end-after-round\n", "This is the last round.")
	u.types("/add-rounds 1\n", "The last round is running.")
	begin <- struct{}{}
	u.hear("Round 3 of 3 started", "Verdict ready", "> ")
	u.end()
}

// shortSighted is the demo on a server that reads the beginning of no prompt of the second
// seat.
type shortSighted struct{ demo.Provider }

func (p shortSighted) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		for c, err := range p.Provider.Stream(ctx, req) {
			if c.Finish != "" && req.Model == "scripted-2" {
				c.Cut = &agents.PromptCut{Server: "Ollama", Read: 4096, Estimate: 15_336, Remedy: "Raise OLLAMA_CONTEXT_LENGTH."}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// The debate pauses once for a prompt that a server cut, before the next round.
func TestPlay_pausesOnceForAPromptThatWasCut(t *testing.T) {
	u := start(t, begun(3), func(o *engine.Options) {
		o.Provider, o.Tools = func(agents.Profile) (agents.Provider, error) { return shortSighted{demo.New(0)}, nil }, nil
	})
	const paused = "Paused after round 1. Brook in round 1: Ollama read 4,096 of about 15,336 tokens: the beginning was cut. " +
		"Raise OLLAMA_CONTEXT_LENGTH. /continue: start round 2 all the same."
	u.hear(paused, "> ")
	u.types("/back\n", "help lists commands.")
	u.types("1\n", paused, "> ")
	u.types("/continue\n", "Round 2 of 3 started", "Round 3 of 3 started", "Verdict ready", "> ")
	if n := strings.Count(u.out.text(), "Paused after"); n != 2 {
		t.Errorf("paused %d times", n)
	}
	u.end()
}

// What any front end does in a session is a command of the same name here.
func TestCommands_haveTheNamesOfAllActions(t *testing.T) {
	u := start(t, begun(2))
	u.hear("C1> ")
	u.types("/topic\n", "/continue asks for them.", "> ")
	var typed []string
	for _, a := range control.All() {
		if a.ID != control.EndNow && a.ID != control.Continue && a.ID != control.Answer { // which begin a dialog
			typed = append(typed, "/"+string(a.ID))
		}
	}
	for _, name := range append(typed, "/topic", "/help", "/debate") {
		before := len(u.out.text())
		u.types(name+"\n", "> ")
		unknown := strings.Contains(u.out.text()[before:], "There is no command")
		if want := name == "/debate"; unknown != want {
			t.Errorf("%s: %s", name, u.out.text()[before:])
		}
	}
	u.types("/continue\n", "C1> ")
	u.types("/end-now\n", "End now? The chair writes the verdict without C1.")
	u.types("yes\n", "Verdict ready")
	u.end()
}
