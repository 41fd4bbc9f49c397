package debateview

import (
	"fmt"

	"roundtable/tui/screen"
)

// nextSeat moves the focus.
func (sc *Screen) nextSeat(n int) {
	if k := len(sc.panes); k > 0 {
		sc.focusOn((sc.view.focus + n + k) % k)
	}
}

// jump gives the seat of that number the focus.
func (sc *Screen) jump(pressed string) screen.Outcome {
	n := int(pressed[0] - '0')
	if n > len(sc.panes) {
		return screen.Tell(screen.Info, fmt.Sprintf("There are only %d seats.", len(sc.panes)))
	}
	sc.focusOn(n - 1)
	return nil
}

// zoom shows the seat in focus alone, or all.
func (sc *Screen) zoom() screen.Outcome {
	sc.view.zoom = !sc.view.zoom
	sc.arrange()
	return nil
}

// scroll moves the pane in focus by lines.
func (sc *Screen) scroll(lines int) { sc.focused().Scroll(lines) }

// halfPage moves the pane in focus by half a page.
func (sc *Screen) halfPage(direction int) { sc.focused().HalfPage(direction) }

// edge goes to the beginning or to the end.
func (sc *Screen) edge(direction int) {
	if direction < 0 {
		sc.focused().Top()
		return
	}
	sc.focused().Bottom()
}

// ShownRound returns the round at the top of the pane in focus.
func (sc *Screen) ShownRound() int {
	if at := sc.focused(); at != nil {
		return at.NextRound() - 1
	}
	return 0
}

// turnRound shows an earlier or later round: in all panes the same one, or in the
// one that is zoomed.
func (sc *Screen) turnRound(direction int) {
	at := sc.focused()
	if at == nil {
		return
	}
	to := at.NextRound()
	if direction < 0 {
		to = at.PrevRound()
	}
	for _, p := range sc.panes {
		if !sc.view.zoom || p == at {
			p.ShowRound(to)
		}
	}
}

// copyStatement copies the last statement of the seat in focus.
func (sc *Screen) copyStatement() screen.Outcome {
	text, what := sc.lastStatement()
	return screen.Outcome{screen.Copy{Text: text, What: what}}
}
