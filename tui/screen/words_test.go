package screen_test

import (
	"errors"
	"testing"

	"roundtable/agents"
	"roundtable/tui/screen"
)

func TestWords_areWrittenAsTheUserReadsThem(t *testing.T) {
	usd := func(f float64) *float64 { return &f }
	for _, c := range []struct{ name, got, want string }{
		{"one", screen.Count(1, "match", "matches"), "1 match"},
		{"many", screen.Count(0, "match", "matches"), "0 matches"},
		{"below a thousand", screen.Grouped(999), "999"},
		{"millions", screen.Grouped(1234567), "1,234,567"},
		{"few tokens", screen.Tokens(agents.Usage{Input: 900, Output: 99}), "999 tok"},
		{"estimated tokens", screen.Tokens(agents.Usage{Input: 2000, Output: 50, Estimated: true}), "~2.0k tok"},
		{"many tokens", screen.Tokens(agents.Usage{Input: 123_456}), "123k tok"},
		{"unknown price", screen.Money(nil), "?"},
		{"no price", screen.Money(usd(0)), "free"},
		{"a large price", screen.Money(usd(123.45)), "$123"},
		{"an error", screen.Sentence(errors.New("öffnen failed")), "Öffnen failed."},
		{"a whole sentence", screen.Sentence(errors.New("No model answered.")), "No model answered."},
		{"an empty error", screen.Sentence(errors.New(" ")), ""},
		{"no names", screen.And(nil), ""},
		{"two names", screen.And([]string{"Ada", "Brook"}), "Ada and Brook"},
		{"three names", screen.And([]string{"Ada", "Brook", "Cy"}), "Ada, Brook and Cy"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestTooSmall_isBelowFortyByTen(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want bool
	}{{40, 10, false}, {39, 10, true}, {40, 9, true}} {
		if got := screen.TooSmall(c.w, c.h); got != c.want {
			t.Errorf("%dx%d: got %v, want %v", c.w, c.h, got, c.want)
		}
	}
}
