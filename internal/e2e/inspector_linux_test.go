package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inspectorVariable is set to have npm install the public MCP inspector.
const inspectorVariable = "ROUNDTABLE_NPX_INSPECTOR"

// A client that is not ours can play a debate: start, be refused, answer, go on. It can call
// every tool that is listed.
func TestInspector_playsADebate(t *testing.T) {
	if os.Getenv(inspectorVariable) == "" {
		t.Skipf("set %s=1 to play a debate with @modelcontextprotocol/inspector from npm", inspectorVariable)
	}
	inspector := filepath.Join(installed(t, "npm", "install", "-g", "@modelcontextprotocol/inspector"), "mcp-inspector")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := home(t)
	ask := func(into any, words ...string) {
		t.Helper()
		cmd := exec.Command(inspector, append([]string{"--cli", exe, "mcp", "--method"}, words...)...)
		cmd.Env = env
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, into)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	type answer struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		panelResult       `json:"-"`
		IsError           bool
	}
	call := func(tool string, args ...string) (r answer) {
		t.Helper()
		words := []string{"tools/call", "--tool-name", tool}
		for _, arg := range args {
			words = append(words, "--tool-arg", arg)
		}
		ask(&r, words...)
		if strings.HasSuffix(tool, "_roundtable") && len(r.StructuredContent) > 0 {
			if err := json.Unmarshal(r.StructuredContent, &r.panelResult); err != nil {
				t.Fatalf("%s: %v\n%s", tool, err, r.StructuredContent)
			}
		}
		return r
	}
	begun := call("start_roundtable", "topic=Should we ship?", "panel=demo", "rounds=2")
	if begun.Status != "needs_context" || len(begun.ContextRequests) == 0 {
		t.Fatalf("%+v", begun)
	}
	id, asked := "sessionId="+begun.SessionID, begun.ContextRequests[0]
	refused := call("continue_roundtable", id)
	if !refused.IsError || !strings.Contains(refused.Content[0].Text, "- [C1] ("+asked.AgentID+"): "+asked.Query) {
		t.Errorf("%+v", refused)
	}
	end := call("continue_roundtable", id, `contextResults=[{"requestId":"C1","success":true,"result":"Two days.","source":"the log"}]`)
	if end.IsError || end.Status != "completed" || end.CurrentRound != 2 {
		t.Errorf("%+v", end)
	}
	var listed struct{ Tools []struct{ Name string } }
	ask(&listed, "tools/list")
	if len(listed.Tools) == 0 {
		t.Error("no tools are listed")
	}
	for _, tool := range listed.Tools {
		args := []string{id}
		switch tool.Name {
		case "start_roundtable", "estimate_roundtable":
			args = []string{"topic=Should we wait?", "panel=demo", "rounds=1"}
		case "ask_roundtable":
			args = append(args, "question=What would change your mind?")
		case "control_session":
			args = append(args, "action=pause")
		case "get_agents", "list_sessions":
			args = nil
		}
		if r := call(tool.Name, args...); r.IsError {
			t.Errorf("%s %q: %+v", tool.Name, args, r.Content)
		}
	}
}
