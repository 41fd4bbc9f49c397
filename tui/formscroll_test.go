package tui_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// crowded waits for the user with many requests, the first of them with a long reason.
func crowded() debate.Session {
	s := held(3, 2, 4)
	for i := range 12 {
		who := []agents.ID{"ada", "brook", "cy"}[i%3]
		s.Requests = append(s.Requests, request(fmt.Sprintf("C%d", i+1), who, 2, ledger.Required, fmt.Sprintf("Question number %d?", i+1), "because"))
	}
	return s
}

// Where there is no pane beside the form the pages scroll the form, and typing
// goes back to the field.
func TestForm_pagesScrollItInASmallTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := storing(crowded()).deps()
		deps.Start.Session = billing
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.wait(2 * time.Second)
		r.sees("Question number 1?")
		r.misses("Question number 12?")
		r.press("pgdown", "pgdown", "pgdown", "pgdown")
		r.sees("Question number 12?")
		r.misses("Question number 1?")
		if r.last.Load().Cursor != nil {
			t.Error("the cursor is shown although its field is out of sight")
		}
		r.press("pgup", "pgup", "pgup", "pgup", "pgup")
		r.sees("Question number 1?")
		r.press("pgdown", "pgdown", "4")
		r.sees("Question number 1?", "4")
		if r.last.Load().Cursor == nil {
			t.Error("typing does not go back to the field")
		}
	})
}
