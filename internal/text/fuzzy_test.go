package text_test

import (
	"strings"
	"testing"

	"roundtable/internal/text"
)

func TestFuzzyScore_finds(t *testing.T) {
	for query, in := range map[string]string{
		"expt": "Export", "EXPORT": "export as JSON", "exjs": "Export as JSON", "json export": "Export as JSON", "": "anything",
		"xport": "Export", "cid": "Copy the debate's ID", "größe": "Die GRÖSSE, die Größe",
	} {
		if _, ok := text.FuzzyScore(query, in); !ok {
			t.Errorf("%q does not find %q", query, in)
		}
	}
	for query, in := range map[string]string{
		"xprt": "Export", "exportt": "Export", "trop": "Export", "export verdict": "Export", "x": "",
	} {
		if _, ok := text.FuzzyScore(query, in); ok {
			t.Errorf("%q finds %q", query, in)
		}
	}
}

// Of two texts, the one with the closer match has the higher score.
func TestFuzzyScore_prefersTheCloserMatch(t *testing.T) {
	for _, c := range []struct{ query, better, worse string }{
		{"ver", "Verdict", "Leave the debate and show every round"},
		{"ver", "Verdict", "Show the verdict"},
		{"ver", "Show the verdict", "Server"},
		{"exp", "Export as JSON", "End the expert panel"},
		{"re", "Rename", "Prompt receipt"},
		{"expt", "Export", "Next part"},
		{"mode", "Choose the mode", "Start the demo: no model"},
		{"add r", "Add a round", "Load the results"},
	} {
		a, ok := text.FuzzyScore(c.query, c.better)
		if b, _ := text.FuzzyScore(c.query, c.worse); !ok || a <= b {
			t.Errorf("%q: %q has %d, %q has %d", c.query, c.better, a, c.worse, b)
		}
	}
}

func FuzzFuzzyScore(f *testing.F) {
	f.Add("expt", "Export")
	f.Add("ö x", "größe\xff x́")
	f.Fuzz(func(t *testing.T, query, in string) {
		if len(query) > 50 || len(in) > 200 {
			return
		}
		score, ok := text.FuzzyScore(query, in)
		if !ok && score != 0 {
			t.Errorf("no match has the score %d", score)
		}
		if _, ok := text.FuzzyScore(in, in); !ok {
			t.Errorf("%q does not find itself", in)
		}
		words := strings.Fields(text.Fold(query))
		for _, w := range words {
			if !ok && len(words) == 1 && strings.Contains(text.Fold(in), w) {
				t.Errorf("%q does not find %q", query, in)
			}
		}
	})
}
