package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

func TestResults_everyReaderHasAnOrderOfItsOwnThatTheSeedDecides(t *testing.T) {
	order := func(nonce string) []string {
		f := debatetest.New(t, "council", 1, "Adams", "Brook", "Clara", "Diego", "Elena", "Farid")
		f.Nonce = nonce
		f.BeginRound("")
		steps := f.Mode.Steps(f.Current().Manifest.Seats, 1, 1)
		for _, seat := range steps[0].Seats {
			f.SayInStep(steps[0], seat)
		}
		var out []string
		for _, p := range f.Seats {
			var seats []string
			blocks, _ := debatetest.ReadBlocks(t, prompt.Member(f.Mode, f.SnapshotBefore(steps[1]), steps[1], p).Messages()[1].Text)
			for _, b := range blocks {
				seats = append(seats, strings.Fields(b.Label)[2])
			}
			out = append(out, strings.Join(seats, ""))
			if len(seats) != 6 {
				t.Errorf("%s reads %d answers", p.Name, len(seats))
			}
		}
		return out
	}
	one, again, other := order("a secret"), order("a secret"), order("another")
	if diff := cmp.Diff(one, again); diff != "" {
		t.Errorf("the same seed gives other orders:\n%s", diff)
	}
	if cmp.Equal(one, other) {
		t.Error("another seed gives the same orders")
	}
	different := map[string]bool{}
	for _, o := range one {
		different[o] = true
	}
	if len(different) < 4 {
		t.Errorf("the readers' orders are %v", one)
	}
}
