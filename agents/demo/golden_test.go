package demo_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate/ledger"
)

// transcript is the demo's provider. It keeps what it answers.
type transcript struct{ strings.Builder }

func (t *transcript) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		fmt.Fprintf(t, "==== %s\n", req.Model)
		for chunk, err := range (demo.Provider{}).Stream(ctx, req) {
			t.WriteString(chunk.Text)
			for _, call := range chunk.Calls {
				fmt.Fprintf(t, "\n%s %s", call.Name, call.Args)
			}
			if chunk.Finish != "" {
				fmt.Fprintf(t, "\n%s, %d tokens\n\n", chunk.Finish, chunk.Usage.Output)
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

func TestStream_answersAsScripted(t *testing.T) {
	answered := ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "About a week.\nWe notice at once."}
	unknown := ledger.Submission{Request: "C1", Outcome: ledger.Unavailable, Content: "nobody has counted"}
	for _, tt := range []struct {
		name, mode, topic string
		seats             int
		sub               ledger.Submission
	}{
		{"collaborative", "collaborative", "Should we move?", 8, answered},
		{"socratic", "socratic", "Should we move?", 2, answered},
		{"expert-panel", "expert-panel", "How long will the move take?", 3, answered},
		{"its own question", "collaborative", demo.Question(), 3, answered},
		{"its own question, without an answer", "devils-advocate", demo.Question(), 3, unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var all transcript
			s := newHarness(t, tt.mode, tt.seats, 2)
			s.Topic, s.client = tt.topic, &all
			s.round()
			s.answer(tt.sub)
			s.round()
			s.conclude()
			golden.RequireEqual(t, []byte(all.String()))
		})
	}
	t.Run("light", func(t *testing.T) {
		var all transcript
		for _, messages := range [][]agents.Message{
			{{Role: agents.System, Text: "You shorten one statement of a debate."}, {Role: agents.User, Text: "Nothing."}},
			{{Role: agents.System, Text: "You read which reports of a review are about the same defect."}},
			{{Role: agents.System, Text: "Hello."}},
		} {
			for _, err := range all.Stream(t.Context(), agents.Request{Model: "light", Messages: messages}) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		golden.RequireEqual(t, []byte(all.String()))
	})
}
