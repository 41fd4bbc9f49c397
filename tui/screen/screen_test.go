package screen_test

import (
	"testing"

	"roundtable/tui/screen"
)

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
