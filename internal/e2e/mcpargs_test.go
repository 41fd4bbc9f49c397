//go:build unix

package e2e_test

import (
	"encoding/json"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
)

// Clients write null for what they leave out, JSON in texts, and the names of the first server
// of debates.
func TestMCP_takesArgumentsAsClientsWriteThem(t *testing.T) {
	t.Parallel()
	c := callPanels(t, home(t))
	begun, refused := c.call("start_roundtable", map[string]any{
		"topic": "42", "mode": "expert-panel", "panel": "demo", "agents": []any{"null"}, "rounds": "2", "question": "", "options": "[]",
		"perspectives": []any{"Cost: what it takes", "Law"},
		"evidence":     `["{\"name\": \"load\", \"text\": \"{\\\"peak\\\": 42}\"}"]`, "files": "null", "workspace": nil,
		"budgetUsd": "0.5", "budgetTokens": "50000", "new": "true",
	})
	if refused != "" || begun.TotalRounds != 2 || begun.Already {
		t.Fatalf("%s %+v", refused, begun)
	}
	shown := c.text("export_session", map[string]any{"sessionId": begun.SessionID, "format": "md", "redact": "false"})
	for _, want := range []string{"42", "Cost: what it takes", "Law", `{"peak": 42}`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	if begun.Status == "needs_context" {
		var answers []any
		for _, q := range begun.ContextRequests {
			answers = append(answers, map[string]any{"requestId": q.RequestID, "success": "true", "result": "7", "error": nil, "source": nil})
		}
		list, err := json.Marshal(answers)
		if err != nil {
			t.Fatal(err)
		}
		args := map[string]any{"sessionId": begun.SessionID, "contextResults": string(list), "focusQuestion": nil}
		if r, refused := c.call("continue_roundtable", args); refused != "" || r.CurrentRound != 2 {
			t.Errorf("%s %+v", refused, r)
		}
	}
	for tool, args := range map[string]map[string]any{
		"get_round_details": {"roundNumber": 1}, "get_response_detail": {"roundNumber": "1", "agentId": nil},
		"get_thoughts": {"round": nil}, "get_consensus": {"roundNumber": 1}, "get_citations": {"roundNumber": 1, "agentId": begun.Responses[0].AgentID},
		"wait_roundtable": {"seconds": "1"},
	} {
		args["sessionId"] = begun.SessionID
		if got := c.text(tool, args); !strings.Contains(got, begun.SessionID) || strings.Contains(got, `"round":2`) && tool == "get_consensus" {
			t.Errorf("%s: %s", tool, got)
		}
	}
	for _, none := range []any{nil, "{}", map[string]any{}, "null"} {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_agents", Arguments: none})
		if err != nil || res.IsError {
			t.Errorf("%v: %v, %+v", none, err, res)
		}
	}
	if got := c.text("list_sessions", map[string]any{"search": "nowhere", "limit": "5", "status": nil}); !strings.Contains(got, `"sessions":[]`) {
		t.Errorf("%s", got)
	}
}

// What ends a debate early is chosen by name.
func TestMCP_endsADebateEarlyAsAsked(t *testing.T) {
	t.Parallel()
	c := callPanels(t, home(t), "--config", seated(t, yesServer(t).URL, "", 2))
	for name, test := range map[string]struct {
		args map[string]any
		ends bool
	}{
		"neither": {nil, false},
		"agreed":  {map[string]any{"ends": "agreed"}, true},
		"planned": {map[string]any{"ends": "planned"}, false},
	} {
		args := map[string]any{"topic": name + "?", "question": "yes-no", "rounds": 2}
		maps.Copy(args, test.args)
		begun, refused := c.call("start_roundtable", args)
		if refused != "" {
			t.Fatal(name, refused)
		}
		if ended := begun.Status == "completed"; ended != test.ends {
			t.Errorf("%s: after round 1 the debate is %s", name, begun.Status)
		}
	}
}

// An error names what is wrong, and what to call next.
func TestMCP_namesWhatIsWrong(t *testing.T) {
	t.Parallel()
	folder := brings(t)
	c := connect(t, home(t), "2025-11-25", folder, "--config", seated(t, yesServer(t).URL, "[budget]\nusd = 1.5\n", 2))
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	for name, test := range map[string]struct {
		tool string
		args map[string]any
		want []string
	}{
		"a text":    {"start_roundtable", map[string]any{"topic": 5}, []string{"validating topic", "5 has type"}},
		"a number":  {"start_roundtable", map[string]any{"topic": "x", "rounds": "many"}, []string{"validating rounds", "many has type"}},
		"a list":    {"start_roundtable", map[string]any{"topic": "x", "agents": "ada"}, []string{"validating agents", "ada has type"}},
		"whole":     {"start_roundtable", map[string]any{"topic": "x", "budgetTokens": 1.5}, []string{"validating budgetTokens", "1.5"}},
		"a colour":  {"start_roundtable", map[string]any{"topic": "x", "colour": "red"}, []string{`["colour"]`}},
		"true":      {"start_roundtable", map[string]any{"topic": "x", "new": "perhaps"}, []string{"validating new", "perhaps"}},
		"a word":    {"start_roundtable", map[string]any{"topic": "x", "question": "maybe"}, []string{"validating question", "maybe", "yes-no"}},
		"a member":  {"start_roundtable", map[string]any{"topic": "x", "evidence": []any{map[string]any{"name": "x"}}}, []string{"evidence", `["text"]`}},
		"no object": {"start_roundtable", map[string]any{"topic": "x", "evidence": []any{"y"}}, []string{"evidence", "y has type"}},
		"nothing":   {"control_session", map[string]any{"sessionId": "x"}, []string{`"action"`}},
		"null":      {"control_session", map[string]any{"sessionId": nil, "action": "stop"}, []string{"sessionId"}},
		"values": {"start_roundtable", map[string]any{
			"topic": " ", "mode": "colaborative", "rounds": 99, "agents": []any{"m9"}, "budgetUsd": 9, "workspace": "plan.md", "files": []any{"../a--canary", "none"},
		}, []string{
			"topic", "there is no mode", "rounds must be", `agents: there is no seat "m9"`, "budgetUsd and budgetTokens cannot raise",
			"workspace: plan.md is not a folder", "files: ../a--canary is outside",
		}},
		"answers": {"continue_roundtable", map[string]any{
			"sessionId": begun.SessionID, "files": []any{"../canary"}, "contextResults": []any{
				map[string]any{},
				map[string]any{"request": "c1", "result": "x"},
				map[string]any{"request": "C9", "result": "x"},
				map[string]any{"request": "C1", "success": false},
				map[string]any{"request": "C2"},
			},
		}, []string{
			"contextResults[0]: it names no question", `contextResults[1]: there is no question "c1"`, `contextResults[2]: there is no question "C9"`,
			"contextResults[3]: C1 has success false", "contextResults[4]: C2 has no result", "../canary",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, refused := c.call(test.tool, test.args)
			for _, want := range append(test.want, test.tool) {
				if !strings.Contains(refused, want) {
					t.Errorf("no %q in %q", want, refused)
				}
			}
		})
	}
	if n := len(c.sessionsOf()); n != 1 {
		t.Errorf("%d debates are stored", n)
	}
}

// Only the whole id names a debate, a seat or a question.
func TestMCP_idsAreExact(t *testing.T) {
	t.Parallel()
	c := callPanels(t, home(t))
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	id := begun.SessionID
	for _, typed := range []string{id[:4], id[:9], strings.ToUpper(id), " " + id, id + " ", strings.NewReplacer("0", "o", "1", "l").Replace(id)} {
		if typed == id {
			continue
		}
		for tool, args := range map[string]map[string]any{
			"continue_roundtable": {}, "wait_roundtable": {}, "control_session": {"action": "pause"}, "synthesize_debate": {}, "export_session": {},
			"get_consensus": {}, "get_round_details": {}, "get_response_detail": {}, "get_citations": {}, "get_thoughts": {},
			"ask_roundtable": {"question": "Why?"},
		} {
			args["sessionId"] = typed
			if _, refused := c.call(tool, args); !strings.HasPrefix(refused, "sessionId: ") || !strings.Contains(refused, "list_sessions") {
				t.Errorf("%s %q: %q", tool, typed, refused)
			}
		}
	}
	if _, refused := c.call("control_session", map[string]any{"sessionId": id, "action": "stop"}); refused != "" {
		t.Fatal(refused)
	}
	for _, agent := range []string{strings.ToUpper(begun.Responses[0].AgentID), begun.Responses[0].AgentID[:2]} {
		for tool, args := range map[string]map[string]any{
			"get_thoughts": {"agentId": agent}, "get_response_detail": {"agentId": agent}, "ask_roundtable": {"agent": agent, "question": "Why?"},
		} {
			args["sessionId"] = id
			if _, refused := c.call(tool, args); refused == "" {
				t.Errorf("%s took %q", tool, agent)
			}
		}
	}
}

// A call that a client repeats in another process, after its own was killed, finds the debate,
// and what was complete is not asked again. Another client, folder or question begins its own.
func TestMCP_aRepeatedCallInAnotherProcessPaysNothingTwice(t *testing.T) {
	t.Parallel()
	srv, asked, _, gate := gatedServer(t)
	env, folder := home(t), brings(t)
	config := seated(t, srv.URL, "[mcp]\nwait = \"1s\"\n", 2)
	start := map[string]any{"topic": "Is it so?", "rounds": 1, "files": []any{"plan.md"}}
	connectAs := func(name, dir string) (*panelClient, *exec.Cmd) {
		cmd := program(t, env, "mcp", "--config", config)
		cmd.Dir = dir
		client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		return &panelClient{TB: t, ClientSession: session}, cmd
	}
	killed, cmd := connectAs("aide", folder)
	begun, refused := killed.call("start_roundtable", start)
	if refused != "" || begun.Status != "running" || begun.Already {
		t.Fatalf("%s %+v", refused, begun)
	}
	<-asked
	<-asked
	beside, _ := connectAs("aide", folder) // while the first one plays
	if r, refused := beside.call("start_roundtable", start); refused != "" || !r.Already || r.SessionID != begun.SessionID || r.Status != "running" {
		t.Errorf("beside: %s %+v", refused, r)
	}
	gate <- struct{}{} // one seat answers
	for r := begun; len(r.Done) == 0; {
		if r, refused = killed.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID}); refused != "" {
			t.Fatal(refused)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed.Close()
	close(gate)
	c, _ := connectAs("aide", folder)
	r, refused := c.call("start_roundtable", start)
	if refused != "" || !r.Already || r.SessionID != begun.SessionID || r.Status != "in_progress" || !strings.Contains(r.Message, "continue_roundtable") {
		t.Fatalf("%s %+v", refused, r)
	}
	for range 50 {
		if r, refused = c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID}); refused != "" || r.Status == "completed" {
			break
		}
	}
	if n := len(srv.Requests("")); refused != "" || r.Status != "completed" || n != 4 { // two, the one cut off again, and the verdict
		t.Errorf("models were asked %d times: %s %+v", n, refused, r)
	}
	if r, refused = c.call("start_roundtable", start); refused != "" || !r.Already || r.Status != "completed" || len(srv.Requests("")) != 4 {
		t.Errorf("at the end: %s %+v", refused, r)
	}
	other, _ := connectAs("helper", folder)
	elsewhere, _ := connectAs("aide", filepath.Dir(brings(t))+"/work")
	for name, test := range map[string]struct {
		c    *panelClient
		args map[string]any
	}{
		"client": {other, start}, "folder": {elsewhere, start}, "question": {c, map[string]any{"topic": "Is it so!", "rounds": 1, "files": []any{"plan.md"}}},
		"new": {c, map[string]any{"topic": "Is it so?", "rounds": 1, "files": []any{"plan.md"}, "new": true}},
	} {
		if r, refused := test.c.call("start_roundtable", test.args); refused != "" || r.Already || r.SessionID == begun.SessionID {
			t.Errorf("another %s: %s %+v", name, refused, r)
		}
	}
}
