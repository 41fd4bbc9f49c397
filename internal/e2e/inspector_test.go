//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inspectorVariable is set to have the public MCP inspector fetched by npx.
const inspectorVariable = "ROUNDTABLE_NPX_INSPECTOR"

// A client that is not ours can play a debate with all fifteen tools: start, be refused, answer, go on.
func TestInspector_playsADebate(t *testing.T) {
	npx, err := exec.LookPath("npx")
	if os.Getenv(inspectorVariable) == "" || err != nil {
		t.Skipf("set %s=1 where npx is installed to play a debate with @modelcontextprotocol/inspector", inspectorVariable)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(home(t), "npm_config_cache="+t.TempDir(), "npm_config_loglevel=error",
		"HTTPS_PROXY=", "NODE_EXTRA_CA_CERTS="+os.Getenv("NODE_EXTRA_CA_CERTS")) // npx fetches it
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
		var stderr bytes.Buffer
		cmd.Env, cmd.Stderr = env, &stderr
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", tool, err, out, stderr.String())
		}
		return r
	}
	plan := []string{"topic=Should we ship?", "panel=demo", "rounds=2", `evidence=[{"name":"log","text":"all is well"}]`, "budgetUsd=1"}
	used := map[string]bool{}
	good := func(tool, want string, args ...string) (r panelResult) {
		t.Helper()
		used[tool] = true
		res := call(tool, args...)
		if res.IsError || len(res.Content) != 1 || !strings.Contains(res.Content[0].Text, want) {
			t.Fatalf("%s: no %q in %+v", tool, want, res)
		}
		return res.StructuredContent
	}
	good("get_agents", `"agents":[`)
	good("estimate_roundtable", `"calls":{"low":`, plan...)
	good("list_sessions", `"sessions":[]`)
	begun := good("start_roundtable", `"status":"needs_context"`, plan...)
	id, asked := "sessionId="+begun.SessionID, begun.ContextRequests[0]
	refused := call("continue_roundtable", id)
	if !refused.IsError || !strings.Contains(refused.Content[0].Text, "- [C1] ("+asked.AgentID+"): "+asked.Query) {
		t.Errorf("%+v", refused)
	}
	good("wait_roundtable", asked.RequestID, id, "seconds=1")
	end := good("continue_roundtable", `"status":"completed"`, id, "budgetTokens=500000", "focusQuestion=What if not?",
		`contextResults=[{"requestId":"C1","success":true,"result":"Two days.","source":"the log"}]`)
	if end.CurrentRound != 2 || end.Budget != "$1.00 or 500000 tokens" {
		t.Errorf("%+v", end)
	}
	good("ask_roundtable", `"followUp":{`, id, "question=What would change your mind?")
	good("synthesize_debate", `"status":"completed"`, id)
	good("control_session", "Nothing of it is being played here.", id, "action=pause")
	good("get_consensus", `"round":2`, id)
	good("get_round_details", "What if not?", id)
	good("get_response_detail", `"attempts":[`, id, "round=1", "agentId="+asked.AgentID)
	good("get_citations", `"citations":[`, id)
	good("get_thoughts", `"thoughts":[`, id)
	good("export_session", "# Should we ship?", id, "format=md")
	if len(used) != 15 {
		t.Errorf("%d tools were called", len(used))
	}
}
