package engine_test

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/verdict"
)

// narrow is a provider whose server reads as much of a prompt as its window holds, and says so.
type narrow struct {
	*scriptedProvider
	window int
	longer atomic.Int64 // prompts that were cut
}

func (n *narrow) Window(context.Context, string) int { return n.window }

func (n *narrow) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		for c, err := range n.scriptedProvider.Stream(ctx, req) {
			if tokens := req.Tokens(); c.Finish != "" && tokens > n.window {
				n.longer.Add(1)
				c.Cut = &agents.PromptCut{Read: n.window, Estimate: tokens, Server: "Ollama", Remedy: "Set OLLAMA_CONTEXT_LENGTH."}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// playNarrow plays a debate of two seats on one server.
func playNarrow(t *testing.T, window int, says, question string) (debate.Session, *narrow) {
	t.Helper()
	h := newHarness(t, map[string]replyFunc{"a": replyText(says), "b": replyText(says)})
	n := &narrow{scriptedProvider: h.provider, window: window}
	h.useProvider(n)
	_, s := h.runToVerdict(h.changed(h.session("collaborative", 2, "a", "b"), func(s *debate.Session) { s.Topic = question }))
	return s, n
}

func TestPromptCut_isOnTheSeatTheNoticesAndTheVerdict(t *testing.T) {
	t.Parallel()
	s, _ := playNarrow(t, 2048, "I hold that it should be done.", strings.Repeat("Which of the two is better, and why? ", 800))
	want := "Ollama read 2,048 of about "
	for _, r := range s.History {
		for _, x := range r.Responses {
			if cut := x.Statement.Cut; cut == nil || cut.Read != 2048 || cut.Estimate < 6000 {
				t.Errorf("round %d: %s is marked with %+v", r.Number, x.Turn.Agent, cut)
			}
			if notes := strings.Join(x.Statement.Notes, "; "); !strings.Contains(notes, want) {
				t.Errorf("round %d: %s has the notes %q", r.Number, x.Turn.Agent, notes)
			}
		}
	}
	told := map[agents.ID]int{}
	for _, n := range s.Notices {
		if n.Code == debate.NoticePromptCut {
			told[n.Agent]++
			if !strings.Contains(n.Text, want) || !strings.Contains(n.Text, "OLLAMA_CONTEXT_LENGTH") {
				t.Errorf("notice: %s", n.Text)
			}
		}
	}
	if len(told) != 2 || told["a"] != 1 || told["b"] != 1 {
		t.Errorf("notices by speaker: %v, want one each", told)
	}
	if v := s.Verdict; v.Cut == nil || v.Cut.Read != 2048 {
		t.Errorf("the report was written on %+v", v.Cut)
	}
	if !verdict.Count(s).Incomplete {
		t.Error("the result is not incomplete")
	}
}

func TestPromptCut_theWindowThatIsInForceShortensPromptsInstead(t *testing.T) {
	t.Parallel()
	s, server := playNarrow(t, 8192, strings.Repeat("I hold that it should be done, since it helps. ", 700), "Should we?")
	if n := server.longer.Load(); n > 0 {
		t.Errorf("%d prompts exceeded the window", n)
	}
	for _, x := range s.History[1].Responses {
		if x.ContextFit == nil || x.ContextFit.Limit > 8192 || x.Statement.Cut != nil {
			t.Errorf("%s is fitted as %+v, cut %+v", x.Turn.Agent, x.ContextFit, x.Statement.Cut)
		}
	}
	if v := s.Verdict; v.Cut != nil {
		t.Errorf("the report was written on %+v", v.Cut)
	}
}

// A comparison whose prompt the server of the light model cut does not count.
func TestPromptCut_aComparisonThatWasCutDoesNotCount(t *testing.T) {
	t.Parallel()
	h := newReview(t, replyComparing)
	light := &narrow{scriptedProvider: h.provider, window: 51}
	h.use(engine.Options{Provider: func(p agents.Profile) (agents.Provider, error) {
		if p.Model == "light" {
			return light, nil
		}
		return h.provider, nil
	}})
	_, s := h.run(h.startReview(addLight))
	if same := s.History[0].Same; len(same.Groups) > 0 || !strings.Contains(same.Ignored, "Ollama read 51 of about ") {
		t.Errorf("compared: %+v", same)
	}
}
