//go:build unix

package e2e_test

import (
	"strings"
	"testing"

	"roundtable/debate"
)

// What another process plays is named with what it does there, and nothing calls it
// interrupted.
func TestMCP_namesWhoHasASessionOpen(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	env, config := home(t), seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2)
	c, other := callPanels(t, env, "--config", config), callPanels(t, env, "--config", config)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 2})
	if refused != "" || begun.Status != "running" {
		t.Fatalf("%s %+v", refused, begun)
	}
	<-asked
	<-asked
	id := map[string]any{"sessionId": begun.SessionID}
	const doing = "Running: round 1 of 2 runs, in another Roundtable (mcp: test, pid "
	if r, refused := other.call("wait_roundtable", id); refused != "" || r.Status != "running" || !strings.HasPrefix(r.Message, doing) ||
		!strings.HasPrefix(r.HeldBy, "mcp: test, pid ") {
		t.Errorf("%s %+v", refused, r)
	}
	for tool, args := range map[string]map[string]any{
		"continue_roundtable": id, "synthesize_debate": id, "control_session": {"sessionId": begun.SessionID, "action": "stop"},
	} {
		if _, refused := other.call(tool, args); !strings.HasPrefix(refused, doing) || !strings.Contains(refused, "wait_roundtable") {
			t.Errorf("%s: %q", tool, refused)
		}
	}
	for tool, want := range map[string]string{
		"list_sessions": `"state":"running","status":"running"`, "get_consensus": `"status":"running"`, "get_round_details": `"state":"running"`,
		"get_response_detail": `"state":"running"`, "export_session": "It was still open (mcp: test, pid ",
	} {
		for who, client := range map[string]*panelClient{"here": c, "elsewhere": other} {
			args := id
			if tool == "list_sessions" {
				args = map[string]any{}
			}
			got := client.text(tool, args)
			if !strings.Contains(got, want) || strings.Contains(strings.ToLower(got), "interrupted") {
				t.Errorf("%s, played %s: no %q in %s", tool, who, want, got)
			}
			if held := strings.Contains(got, `"heldBy":"mcp: test, pid `); tool == "list_sessions" && held != (who == "elsewhere") {
				t.Errorf("played %s: %s", who, got)
			}
		}
	}
	close(gate)
	r := begun
	for range 50 {
		if r, refused = other.call("wait_roundtable", id); refused != "" || r.Status != "running" && r.HeldBy == "" { // between two rounds it is in progress
			break
		}
	}
	if refused != "" || r.Status != "in_progress" || r.HeldBy != "" {
		t.Errorf("when it is closed there: %s %+v", refused, r)
	}
}

// What the assistant writes is the assistant's wherever somebody reads it, the seats too.
func TestMCP_whatTheAssistantWritesIsNotTheUsers(t *testing.T) {
	t.Parallel()
	env := home(t)
	c := callPanels(t, env)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	id := begun.SessionID
	if r, refused := c.call("control_session", map[string]any{"sessionId": id, "action": "tell", "arguments": "Mind the cost."}); refused != "" {
		t.Fatalf("%s %+v", refused, r)
	}
	if out, err := program(t, env, "answer", id, "C1", "--text", "Two days.").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r, refused := c.call("continue_roundtable", map[string]any{"sessionId": id, "focusQuestion": "What of backups?"}); refused != "" ||
		r.Status != "completed" || strings.Contains(r.Verdict.Headline, " by test") {
		t.Fatalf("%s %+v", refused, r)
	}
	read := func(args ...string) string {
		out, err := program(t, env, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	show, prompt, export := read("show", id), read("show", id, "2", "--prompt", begun.Responses[0].AgentID), read("export", id, "-o", "-")
	for _, c := range []struct{ name, text, want string }{
		{"show", show, "\nThe topic is from “test”, not you.\n"},
		{"show", show, "\n“test” to all: Mind the cost.\n"},
		{"show", show, "\nFocus (from “test”, not you): What of backups?\n"},
		{"prompt", prompt, "A program (test) in the user's place, not the user, asks to look at this in particular now:\nWhat of backups?"},
		{"prompt", prompt, "A program (test) in the user's place, not the user, says to all members:\nMind the cost."},
		{"export", export, "- The topic is from “test”, not you\n"},
		{"export", export, "Focus question, from “test”, not you:"},
		{"export", export, "To all seats, from “test”, not you, with round 2, "},
	} {
		if !strings.Contains(strings.ReplaceAll(c.text, "\\", ""), c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, c.text)
		}
	}
	if strings.Contains(prompt, "The user says") || strings.Contains(prompt, "The user asks to look") {
		t.Errorf("the prompt calls it the user's:\n%s", prompt)
	}
	out, err := program(t, env, "continue", id, "--require-person").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "C1 was answered by a command.") {
		t.Errorf("a command without a terminal answered: %v: %s", err, out)
	}
}
