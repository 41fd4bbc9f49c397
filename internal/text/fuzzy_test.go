package text_test

import (
	"testing"

	"roundtable/internal/text"
)

func TestMatch(t *testing.T) {
	const none = -1
	for _, tt := range []struct {
		query, in string
		want      int
	}{
		{"", "Export", 0},
		{"exp", "Export", 0},
		{"EXP mark", "Export as Markdown", 0},
		{"mark exp", "Export as Markdown", 0},
		{"id", "Copy the debate's ID", 0},
		{"port", "Export", 1},
		{"expt", "Export", 2},
		{"cid", "Copy the debate's ID", 2},
		{"zürich", "Zürich", 0},
		{"xpt", "Export", none},
		{"tropxe", "Export", none},
		{"export json", "Export as Markdown", none},
	} {
		got, ok := text.Match(tt.query, tt.in)
		if !ok {
			got = none
		}
		if got != tt.want {
			t.Errorf("Match(%q, %q) is %d, want %d", tt.query, tt.in, got, tt.want)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("expt", "Export")
	f.Add("\xff é", "É \xff")
	f.Fuzz(func(t *testing.T, query, in string) {
		text.Match(query, in)
		if rank, ok := text.Match(in, in); !ok || rank > 1 {
			t.Errorf("%q matches itself with %d, %t", in, rank, ok)
		}
	})
}
