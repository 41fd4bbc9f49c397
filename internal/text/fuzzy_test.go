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

func TestClosest_isOneMistakeAway(t *testing.T) {
	known := []string{"rounds", "budget", "seats"}
	says(t, func(typed string) string { return text.Closest(typed, known) }, map[string]string{
		"ronuds": "rounds", "bugdet": "budget", "seat": "seats", "seatts": "seats", "budgft": "budget", "bud": "budget", "elephants": "", "x": "",
	})
}

func TestDecodeText_refusesHalfACharacter(t *testing.T) {
	for raw, want := range map[string]string{"\xff\xfea\x00": "a", "\xfe\xff\x00a": "a", "\xef\xbb\xbfa": "a"} {
		if got, err := text.DecodeText([]byte(raw)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", raw, got, err)
		}
	}
	for _, raw := range []string{"\xff\xfea\x00b", "a\x00b"} {
		if _, err := text.DecodeText([]byte(raw)); err == nil {
			t.Errorf("%q is text", raw)
		}
	}
}
