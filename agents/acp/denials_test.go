//go:build unix

package acp_test

import (
	"errors"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/acp"
)

// noticing returns a provider whose agent is known to say two lines of its own.
func noticing(t *testing.T) *acp.Provider {
	t.Helper()
	return newProvider(t, with(configOf(t, ""), func(c *acp.Config) {
		c.Notices = []acp.Notice{{Line: "Info: Operation cancelled"}, {Line: "Warning: Model "}}
	}), optionsOf(t))
}

func TestStreamTurn_takesNoTurnThatEndedOnADenialForAStatement(t *testing.T) {
	t.Parallel()
	known, unknown := noticing(t), newProvider(t, configOf(t, ""), optionsOf(t))
	preset, _ := acp.PresetNamed("copilot")
	copilot := newProvider(t, with(configOf(t, ""), func(c *acp.Config) { c.Notices = preset.Notices }), optionsOf(t))
	const denied = `ask {"toolCallId":"p","kind":"execute","title":"T","rawInput":{"command":"ls"}}`
	for i, c := range []struct {
		name   string
		on     *acp.Provider
		script []string
		fails  bool
	}{
		{"the notice of Copilot", copilot, []string{"mute", denied, "say Info: Operation cancelled by user"}, true},
		{"nothing after it", unknown, []string{"say Let me look first.", "mute", denied}, true},
		{"nothing after it, and cancelled", unknown, []string{"say Let me look first.", "mute", denied, "stop cancelled"}, true},
		{"a notice after it", known, []string{"say Let me look.", "mute", denied, "say Info: Operation cancelled by user"}, true},
		{"two notices after it", known, []string{"mute", denied, `message a Warning: Model x\n\n`, "message b Info: Operation cancelled"}, true},
		{"a notice of another agent", unknown, []string{"mute", denied, "say Info: Operation cancelled by user"}, false},
		{"a notice that is not known", known, []string{"mute", denied, "say Info: it is so."}, false},
		{"two lines", known, []string{"mute", denied, `message a Info: Operation cancelled\nYes.`}, false},
		{"a notice and a statement", known, []string{"mute", denied, "message a Info: Operation cancelled", "message b Yes."}, false},
		{"a statement after it", known, []string{"mute", denied, "say I hold that it is fine."}, false},
		{"a block before it", known, []string{"say I hold it. ```json {} ```", "mute", denied}, false},
		{"a notice without a denial", known, []string{"say Info: Operation cancelled by user"}, false},
	} {
		for attempt := 1; attempt <= 2; attempt++ {
			turn := turnOf(i + 1)
			turn.Attempt = attempt
			s := speak(t.Context(), c.on, ada, turn, &ground{folder: workspaceOf(t)}, c.script...)
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

func TestStreamTurn_leavesNoticesOfTheAgentOutOfItsStatement(t *testing.T) {
	t.Parallel()
	known, unknown := noticing(t), newProvider(t, configOf(t, ""), optionsOf(t))
	const denied = `ask {"toolCallId":"p","kind":"execute","title":"T","rawInput":{"command":"ls"}}`
	for i, c := range []struct {
		name       string
		on         *acp.Provider
		script     []string
		want, left string
	}{
		{"another message follows", known, []string{`say Warning: Model x not found.`, "message a So", "message a  it is."}, "So it is.", "Model x not found"},
		{"in pieces", known, []string{"message a Warn", "message a ing: Model", `message a  x.\n\n`, "message b Yes."}, "Yes.", "Warning: Model x."},
		{"between two", known, []string{"message a One.", "message b Warning: Model x.", "message c Two."}, "One.\n\nTwo.", "Warning: Model x."},
		{"after a denial", known, []string{"mute", "message a I hold. ```json {} ```", denied, "message b Info: Operation cancelled"}, "I hold. ```json {} ```", "Info"},
		{"of another agent", unknown, []string{"message a Warning: Model x.", "message b Yes."}, "Warning: Model x.\n\nYes.", ""},
		{"not known", known, []string{"message a Warning: it burns.", "message b Yes."}, "Warning: it burns.\n\nYes.", ""},
		{"two lines", known, []string{`message a Warning: Model x.\nIt is so.`, "message b Yes."}, "Warning: Model x.\nIt is so.\n\nYes.", ""},
		{"the same message goes on", known, []string{"message a Warning: Model x.", `message a \nIt is so.`}, "Warning: Model x.\nIt is so.", ""},
		{"nothing follows", known, []string{"message a Yes.", "message b Warning: Model x."}, "Yes.\n\nWarning: Model x.", ""},
	} {
		s := speak(t.Context(), c.on, ada, turnOf(i+1), &ground{folder: workspaceOf(t)}, c.script...)
		if got := strings.Join(append(s.reply.Earlier, s.reply.Text), ""); s.err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, s.err, c.want)
		}
		patched := strings.Join(s.last.Patched, "; ")
		if told := strings.Contains(patched, "said this of its own"); told != (c.left != "") || !strings.Contains(patched, c.left) {
			t.Errorf("%s: the receipt says %q", c.name, patched)
		}
	}
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
