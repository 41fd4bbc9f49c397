package debateview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// firstCut returns a prompt that a server cut in the newest round, if another round
// follows and no earlier round had one: the debate pauses then. If an earlier one had,
// the user went on, and is not asked again.
func (v *sessionView) firstCut() (debate.CutPrompt, bool) {
	cuts := debate.CutPromptsOf(v.session)
	if len(cuts) == 0 || cuts[0].Round < len(v.session.History) || v.session.Next() == 0 {
		return debate.CutPrompt{}, false
	}
	return cuts[0], true
}

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
