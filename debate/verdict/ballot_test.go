package verdict_test

import (
	"slices"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// An entry of a ranking counts for the one seat that it names, and for none if it names two.
func TestReadBallot_countsWhatNamesOneSeat(t *testing.T) {
	s := debate.Session{Mode: debate.Mode{Label: "Speaker"}}
	for _, name := range []string{"Ada", "Bob", "Cleo"} {
		s.Seats = append(s.Seats, agents.Profile{ID: agents.ID(name), Name: name})
	}
	for entry, want := range map[string]agents.ID{
		"Speaker 2": "Bob", "1. Speaker 2": "Bob", "[Speaker 3]": "Cleo", "Speaker 2: the best by far": "Bob", "Bob": "Bob", "2": "Bob",
		"Speaker 2 or Speaker 3": "", "Speaker 2's answer is worse than Speaker 3's": "", "Speaker 23": "", "nobody": "", "Speaker 1": "",
	} {
		x := debate.Response{Turn: agents.Turn{Agent: "Ada"}, Statement: debate.Statement{Ranking: []string{entry}}}
		order, notes := verdict.ReadBallot(s, x, []agents.ID{"Ada", "Bob", "Cleo"})
		if want == "" && (len(order) > 0 || len(notes) < 2) || want != "" && !slices.Equal(order, []agents.ID{want}) {
			t.Errorf("%q counts for %v, with the notes %q", entry, order, notes)
		}
	}
}
