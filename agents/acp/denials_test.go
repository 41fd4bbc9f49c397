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
		{"the notice of Copilot", []string{"mute", denied, "say Info: Operation cancelled by user"}, true},
		{"nothing after it", []string{"say Let me look first.", "mute", denied}, true},
		{"nothing after it, and cancelled", []string{"say Let me look first.", "mute", denied, "stop cancelled"}, true},
		{"other words", []string{"mute", denied, "say Info: it is so."}, false},
		{"two lines", []string{"mute", denied, `message a Info: Operation cancelled by user\nYes.`}, false},
		{"a notice and a statement", []string{"mute", denied, "message a Info: Operation cancelled by user", "message b Yes."}, false},
		{"a statement after it", []string{"mute", denied, "say I hold that it is fine."}, false},
		{"a block before it", []string{"say I hold it. ```json {} ```", "mute", denied}, false},
		{"a notice without a denial", []string{"say Info: Operation cancelled by user"}, false},
	} {
		for attempt := 1; attempt <= 2; attempt++ {
			turn := turnOf(i + 1)
			turn.Attempt = attempt
			s := speak(t.Context(), p, ada, turn, &ground{folder: workspaceOf(t)}, c.script...)
			failed, got := errors.AsType[*agents.Failure](s.err)
			if got != c.fails {
				t.Errorf("%s, attempt %d: got %v", c.name, attempt, s.err)
			} else if got && failed.Again != (attempt == 1) {
				t.Errorf("%s, attempt %d: Again = %t", c.name, attempt, failed.Again)
			} else if got && !strings.Contains(failed.Cause, "when a call was denied") {
				t.Errorf("%s: the cause is %q", c.name, failed.Cause)
			}
		}
	}
}

func TestStreamTurn_joinsMessages(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	g := &ground{folder: workspaceOf(t)}
	speak(t.Context(), p, ada, turnOf(1), g, "message a One.", "message a  Still.", "message b Two.").wants(t, "One. Still.\n\nTwo.")
	speak(t.Context(), p, ada, turnOf(2), g, "say One.", "say  Two.").wants(t, "One. Two.")
}

// Gemini CLI and Qwen Code never report the end of a call that was denied, and OpenCode
// reports it in words of its own.
func TestRequestPermission_recordsThatACallWasDenied(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for i, c := range []struct{ kind, want string }{
		{"execute", "denied you denied it {"},
		{"edit", "denied agents are not allowed calls of this kind here {"},
	} {
		s := speak(t.Context(), p, ada, turnOf(i+1), &ground{folder: workspaceOf(t)}, "mute",
			`ask {"toolCallId":"p","kind":"`+c.kind+`","status":"pending","title":"touch a","rawInput":{"command":"touch a"}}`,
			`own {"toolCallId":"p","status":"failed","rawOutput":"The user rejected it."}`, "say I hold that it is fine.")
		if s.err != nil || strings.Count(s.all(), "result: ") != 1 || !strings.Contains(s.all(), c.want) {
			t.Errorf("%s: %v, observed:\n%s", c.kind, s.err, s.all())
		}
	}
}
