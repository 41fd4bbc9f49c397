package debate_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/debate"
	"roundtable/debate/cite"
)

// The excerpts of a text are its lines, however it is divided.
func TestEvidence_excerptsAreItsLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOf(rapid.SampledFrom([]rune("ab ü|\t\r")))
		lines := rapid.SliceOfN(line, 1, 30).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		if rapid.Bool().Draw(t, "ended") || lines[len(lines)-1] == "" {
			text += "\n"
		}
		e := debate.NewEvidence("f", debate.EvidenceFile, text, "")
		if e.Lines() != len(lines) {
			t.Fatalf("%q has %d lines, want %d", text, e.Lines(), len(lines))
		}
		from := rapid.IntRange(-1, len(lines)+2).Draw(t, "from")
		to := rapid.IntRange(-1, len(lines)+2).Draw(t, "to")
		got, ok := e.Excerpt(from, to)
		if want := 1 <= from && from <= to && to <= len(lines); ok != want {
			t.Fatalf("lines %d to %d of %d: %v", from, to, len(lines), ok)
		}
		if ok && got != strings.Join(lines[from-1:to], "\n") {
			t.Fatalf("lines %d to %d of %q are %q", from, to, text, got)
		}
	})
}

func TestAddEvidence_numbersInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) debate.Evidence {
			return debate.NewEvidence(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), debate.EvidenceFile,
				rapid.SampledFrom([]string{"", "x\n", "y\n"}).Draw(t, "text"), "")
		})
		var all []debate.Evidence
		for range 3 {
			before := all
			var err error
			if all, err = debate.AddEvidence(before, rapid.SliceOf(one).Draw(t, "added")); err != nil {
				t.Fatal(err)
			}
			for i, e := range before {
				if all[i] != e {
					t.Fatalf("%s became %+v", e.ID, all[i])
				}
			}
		}
		for i, e := range all {
			found, ok := cite.FindEvidence(all, debate.Citation{ID: e.ID}.String())
			if !ok || found != e || cite.In("[" + e.ID + "]").Evidence[0].ID != e.ID {
				t.Fatalf("%s is not found", e.ID)
			}
			for _, f := range all[:i] {
				if f.ID == e.ID || f.Name == e.Name && f.Text == e.Text {
					t.Fatalf("%+v and %+v", f, e)
				}
			}
		}
	})
}
