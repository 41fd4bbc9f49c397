package screen_test

import (
	"errors"
	"testing"

	"roundtable/tui/screen"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"an error", screen.Sentence(errors.New("öffnen failed")), "Öffnen failed."},
		{"a whole sentence", screen.Sentence(errors.New("No model answered.")), "No model answered."},
		{"an empty error", screen.Sentence(errors.New(" ")), ""},
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
