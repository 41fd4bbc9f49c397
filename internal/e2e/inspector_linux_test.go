//go:build unix

package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inspectorVariable is set to have the public MCP inspector fetched by npx.
const inspectorVariable = "ROUNDTABLE_NPX_INSPECTOR"

// A client that is not ours can play a debate: start, be refused, answer, go on.
func TestInspector_playsADebate(t *testing.T) {
	npx, err := exec.LookPath("npx")
	if os.Getenv(inspectorVariable) == "" || err != nil {
		t.Skipf("set %s=1 where npx is installed to play a debate with @modelcontextprotocol/inspector", inspectorVariable)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(home(t), "npm_config_cache="+t.TempDir(), "npm_config_loglevel=error")
	call := func(tool string, args ...string) (r struct {
		Content           []struct{ Text string }
		StructuredContent panelResult
		IsError           bool
	},
	) {
		t.Helper()
		words := []string{"--yes", "@modelcontextprotocol/inspector", "--cli", exe, "mcp", "--method", "tools/call", "--tool-name", tool}
		for _, arg := range args {
			words = append(words, "--tool-arg", arg)
		}
		cmd := exec.Command(npx, words...)
		cmd.Env = env
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		return r
	}
	begun := call("start_roundtable", "topic=Should we ship?", "panel=demo", "rounds=2").StructuredContent
	if begun.Status != "needs_context" || len(begun.ContextRequests) == 0 {
		t.Fatalf("%+v", begun)
	}
	id, asked := "sessionId="+begun.SessionID, begun.ContextRequests[0]
	refused := call("continue_roundtable", id)
	if !refused.IsError || !strings.Contains(refused.Content[0].Text, "- [C1] ("+asked.AgentID+"): "+asked.Query) {
		t.Errorf("%+v", refused)
	}
	end := call("continue_roundtable", id, `contextResults=[{"requestId":"C1","success":true,"result":"Two days.","source":"the log"}]`)
	if end.IsError || end.StructuredContent.Status != "completed" || end.StructuredContent.CurrentRound != 2 {
		t.Errorf("%+v", end)
	}
}
