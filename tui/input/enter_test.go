package input_test

import (
	"testing"

	"roundtable/tui/input"
)

// One table decides for all text fields what enter does.
func TestMeans_oneLineIsSentByEnter(t *testing.T) {
	t.Parallel()
	const types, breaks, sends = input.Types, input.Breaks, input.Sends
	for key, want := range map[string]struct{ one, two, never input.Meaning }{
		"enter":       {sends, breaks, breaks},
		"ctrl+m":      {sends, breaks, breaks},
		"ctrl+s":      {sends, sends, sends},
		"alt+enter":   {breaks, breaks, breaks},
		"shift+enter": {breaks, breaks, breaks},
		"ctrl+j":      {breaks, breaks, breaks},
		"tab":         {types, types, types},
		"e":           {types, types, types},
	} {
		one, two, never := input.Means(key, 1, true), input.Means(key, 2, true), input.Means(key, 1, false)
		if one != want.one || two != want.two || never != want.never {
			t.Errorf("%s means %d in one line, %d in two, %d where enter never sends", key, one, two, never)
		}
	}
	for _, x := range []struct {
		lines        int
		sends        bool
		send, breaks string
	}{{1, true, "enter", "alt+enter"}, {2, true, "ctrl+s", "enter"}, {1, false, "ctrl+s", "enter"}} {
		if send, breaks := input.SendKey(x.lines, x.sends), input.BreakKey(x.lines, x.sends); send != x.send || breaks != x.breaks {
			t.Errorf("%d lines: %s sends, %s begins a line", x.lines, send, breaks)
		}
	}
}
