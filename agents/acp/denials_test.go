//go:build unix

package acp_test

import (
	"errors"
	"strings"
	"testing"

	"roundtable/agents"
)

func TestStreamTurn_takesNoTurnThatEndedOnADenialForAStatement(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	const denied = `ask {"toolCallId":"p","kind":"execute","title":"T","rawInput":{"command":"ls"}}`
	for i, c := range []struct {
		name   string
		script []string
		fails  bool
	}{
		{"nothing after it", []string{"say Let me look first.", "mute", denied}, true},
		{"a notice after it", []string{"say Let me look.", "mute", denied, "say Info: Operation cancelled by user"}, true},
		{"a statement after it", []string{"mute", denied, "say I hold that it is fine."}, false},
		{"a block before it", []string{"say I hold it. ```json {} ```", "mute", denied}, false},
		{"a notice without a denial", []string{"say Info: it is so."}, false},
	} {
		for attempt := 1; attempt <= 2; attempt++ {
			turn := turnOf(i + 1)
			turn.Attempt = attempt
			s := speak(t.Context(), p, ada, turn, &ground{folder: workspaceOf(t)}, c.script...)
			var failed *agents.SpeakError
			if got := errors.As(s.err, &failed); got != c.fails {
				t.Errorf("%s, attempt %d: got %v", c.name, attempt, s.err)
			} else if got && (failed.Again != nil) != (attempt == 1) {
				t.Errorf("%s, attempt %d: Again = %v", c.name, attempt, failed.Again)
			} else if got && !strings.Contains(failed.Failure.Cause, "when a call was denied") {
				t.Errorf("%s: the cause is %q", c.name, failed.Failure.Cause)
			}
		}
	}
}
