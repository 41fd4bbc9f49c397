package verdictview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// turnRound shows the agreement, ballots, votes and scores of an earlier or later round.
func (sc *Screen) turnRound(direction int) screen.Outcome {
	return screen.Tell(screen.Info, sc.step(direction))
}

func (sc *Screen) noRound() string {
	switch {
	case sc.verdict == nil:
		return "The verdict is being written."
	case len(sc.session.History) < 2:
		return "There is only one round."
	}
	return ""
}

// step moves to the round before or after the one that is shown, and says how far
// its members agreed.
func (sc *Screen) step(n int) string {
	last := len(sc.session.History)
	at := min(max(sc.shown()+n, 1), last)
	sc.round, sc.lines = at%last, nil
	content := fmt.Sprintf("Round %d of %d. ", at, last)
	if a := sc.agreed[at-1]; a.Measured {
		return content + text.Line(a.Line)
	}
	return content + "Agreement was not measured."
}

// shown is the round that is shown.
func (sc *Screen) shown() int {
	if sc.round == 0 {
		return len(sc.session.History)
	}
	return sc.round
}

// ShownRound returns the round whose figures are shown.
func (sc *Screen) ShownRound() int { return sc.shown() }

// counted returns the results of the round that is shown; those of the last round
// are in the verdict.
func (ct *content) counted() *debate.Results {
	if ct.round == 0 {
		return ct.verdict.Counted
	}
	return ct.agreed[ct.round-1].Counted
}
