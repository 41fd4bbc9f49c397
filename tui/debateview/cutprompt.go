package debateview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// pauseForCut pauses the debate once, and says what to do about a prompt that was cut.
func (d *Debate) pauseForCut(c debate.CutPrompt) screen.Outcome {
	d.paused, d.cutTold = true, true
	d.Arrange()
	return screen.Advise(screen.Warning, c.Text(), "space: go on")
}

// cutText says why the debate is paused and what to do.
func cutText(c debate.CutPrompt) []string {
	return []string{
		fmt.Sprintf("Paused after round %d. %s", c.Round, c.Text()),
		c.Cut.Remedy + fmt.Sprintf(" space: start round %d all the same.", c.Round+1),
	}
}
