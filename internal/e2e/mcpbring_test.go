//go:build unix

package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/internal/e2e/endpoint"
)

// yesServer is a server whose models all say yes.
func yesServer(t testing.TB) *endpoint.Server {
	return endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Yes, it is.\n```json\n{\"position\":\"yes\",\"vote\":\"yes\",\"confidence\":0.8}\n```"}
	})
}

// brings makes a folder with what a client may bring, and a file beside it.
func brings(t testing.TB) (folder string) {
	t.Helper()
	dir := t.TempDir()
	folder = filepath.Join(dir, "work")
	for name, content := range map[string]string{
		"work/plan.md": "We plan to ship.\n", "work/.env": "API_KEY=abc\n", "work/src/a.go": "package a\n", "canary": "CANARY\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../canary", filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// connect starts the server in a folder.
func connect(t testing.TB, env []string, version, folder string, args ...string) *panelClient {
	t.Helper()
	c := &panelClient{TB: t, told: make(chan string, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cmd := program(t, env, append([]string{"mcp"}, args...)...)
	cmd.Dir = folder
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	c.ClientSession = session
	return c
}

// sessionsOf lists the debates that are stored.
func (c *panelClient) sessionsOf() []struct{ SessionID string } {
	c.Helper()
	var list struct{ Sessions []struct{ SessionID string } }
	if err := json.Unmarshal([]byte(c.text("list_sessions", map[string]any{})), &list); err != nil {
		c.Fatal(err)
	}
	return list.Sessions
}

// What an assistant names is read in the folders that it may read: those of the config,
// or the one of the server, and in no other.
func TestMCP_filesAreReadInTheFoldersThatAreAllowed(t *testing.T) {
	t.Parallel()
	folder, elsewhere := brings(t), t.TempDir()
	for name, test := range map[string]struct {
		version, start string
		config         string
		refused        string // "": plan.md is read
	}{
		"of the server":         {version: "2026-07-28", start: folder},
		"of the config":         {version: "2025-11-25", start: elsewhere, config: folder},
		"the config wins":       {version: "2026-07-28", start: folder, config: elsewhere, refused: "does not exist"},
		"the root of the files": {version: "2025-06-18", start: "/", refused: "There are none. A person allows folders: roots in [mcp]"},
		"the home folder":       {version: "2025-06-18", start: "HOME", refused: "There are none."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, srv := home(t), yesServer(t)
			if test.start == "HOME" {
				test.start = strings.TrimPrefix(env[1], "HOME=")
			}
			more := "[tools]\nmode = \"clone\"\ncommands = true\n" // which is not for assistants
			if test.config != "" {
				more += fmt.Sprintf("[mcp]\nroots = [%q]\n", test.config)
			}
			c := connect(t, env, test.version, test.start, "--config", seated(t, srv.URL, more, 2))
			args := map[string]any{"topic": "Is it so?", "rounds": 1, "files": []string{"plan.md"}, "workspace": "."}
			if test.refused != "" {
				_, refused := c.call("start_roundtable", args)
				if delete(args, "workspace"); !strings.Contains(refused, test.refused) && test.refused != "does not exist" {
					t.Errorf("%q", refused)
				}
				if _, refused = c.call("start_roundtable", args); !strings.Contains(refused, test.refused) || !strings.Contains(refused, "files: ") {
					t.Errorf("%q", refused)
				}
				if n := len(c.sessionsOf()); n != 0 || len(srv.Requests("")) != 0 {
					t.Errorf("%d debates are stored, and %d requests were sent", n, len(srv.Requests("")))
				}
				return
			}
			if _, refused := c.call("start_roundtable", args); refused != "" {
				t.Fatal(refused)
			}
			sent := srv.Requests("m1")[0].Raw
			if !strings.Contains(sent, "We plan to ship.") || !strings.Contains(sent, `"read_file"`) || strings.Contains(sent, `"run_command"`) {
				t.Errorf("the first request is %s", sent)
			}
		})
	}
}

// What cannot be brought is refused by the name of its argument, before anything is stored.
func TestMCP_whatCannotBeBroughtIsRefused(t *testing.T) {
	t.Parallel()
	folder, srv := brings(t), yesServer(t)
	c := connect(t, home(t), "2025-11-25", folder, "--config",
		seated(t, srv.URL, "[budget]\nusd = 1.5\ntokens = 50000\n", 2))
	many := make([]string, 101)
	for name, test := range map[string]struct {
		args map[string]any
		want []string
	}{
		"outside":   {map[string]any{"files": []string{"../canary"}}, []string{"files: ../canary is outside of the folders", folder}},
		"link":      {map[string]any{"files": []string{"link"}}, []string{"files: link leads out"}},
		"secret":    {map[string]any{"files": []string{".env"}}, []string{"files: .env is a file of keys", "`roundtable continue ID --file " + folder + "/.env`"}},
		"no name":   {map[string]any{"evidence": []any{map[string]any{"name": "", "text": "x"}}}, []string{"name"}},
		"binary":    {map[string]any{"evidence": []any{map[string]any{"name": "b", "text": "x\x00"}}}, []string{"evidence: b is binary"}},
		"empty":     {map[string]any{"files": []string{""}}, []string{"files"}},
		"too many":  {map[string]any{"files": many}, []string{"validating files", "array length 101"}},
		"workspace": {map[string]any{"workspace": ".."}, []string{"workspace: .. is outside"}},
		"no folder": {map[string]any{"workspace": "plan.md"}, []string{"workspace: plan.md is not a folder"}},
		"dollars":   {map[string]any{"budgetUsd": 2}, []string{"budgetUsd and budgetTokens cannot raise", "$1.50"}},
		"tokens":    {map[string]any{"budgetTokens": 60000}, []string{"cannot raise", "50000 tokens"}},
		"negative":  {map[string]any{"budgetUsd": -1}, []string{"validating budgetUsd", "is less than 0"}},
		"agents":    {map[string]any{"agents": []string{"m1", "m9"}}, []string{"agents: there is no seat \"m9\""}},
		"options":   {map[string]any{"question": "choice"}, []string{"question choice", "options"}},
		"long":      {map[string]any{"mode": strings.Repeat("long words ", 500)}, []string{"mode"}},
		"kind":      {map[string]any{"question": strings.Repeat("long words ", 500)}, []string{"question", "yes-no"}},
	} {
		args := map[string]any{"topic": "Is it so?", "rounds": 1}
		for k, v := range test.args {
			args[k] = v
		}
		for _, tool := range []string{"start_roundtable", "estimate_roundtable"} {
			_, refused := c.call(tool, args)
			for _, want := range append(test.want, tool) {
				if !strings.Contains(refused, want) {
					t.Errorf("%s: no %q in %q", name, want, refused)
				}
			}
			if strings.Contains(refused, "CANARY") || strings.Contains(refused, "--question") || len(refused) > 1500 {
				t.Errorf("%s: %q", name, refused)
			}
		}
	}
	if n := len(c.sessionsOf()); n != 0 || len(srv.Requests("")) != 0 {
		t.Errorf("%d debates are stored, and %d requests were sent", n, len(srv.Requests("")))
	}
	for tool, args := range map[string]map[string]any{
		"get_consensus": {"sessionId": "zzzz"}, "ask_roundtable": {"sessionId": "zzzz", "question": "Why?"},
		"export_session": {"sessionId": strings.Repeat("z ", 900)},
	} {
		if _, refused := c.call(tool, args); !strings.HasPrefix(refused, "sessionId: ") || !strings.Contains(refused, "list_sessions") || len(refused) > 600 {
			t.Errorf("%s: %q", tool, refused)
		}
	}
}

// A debate goes on with more evidence and less budget, and an estimate asks nobody.
func TestMCP_evidenceAndBudgetOfALaterRound(t *testing.T) {
	t.Parallel()
	folder, srv := brings(t), yesServer(t)
	c := connect(t, home(t), "2026-07-28", folder, "--config", seated(t, srv.URL, "", 2))
	plan := map[string]any{
		"topic": "Is it so?", "rounds": 2, "question": "yes-no", "evidence": []any{map[string]any{"name": "the diff", "text": "+ one line\n"}},
	}
	estimate := c.text("estimate_roundtable", plan)
	for _, want := range []string{`"calls":{"low":5`, `"usd":{"low":0`, `"seconds":{`, `"seats":["M1","M2"]`, `"budget":"$2.00"`, `"recipients":"nobody`} {
		if !strings.Contains(estimate, want) {
			t.Errorf("no %s in %s", want, estimate)
		}
	}
	if n := len(c.sessionsOf()); n != 0 || len(srv.Requests("")) != 0 {
		t.Errorf("an estimate stores %d debates, and sends %d requests", n, len(srv.Requests("")))
	}
	begun, refused := c.call("start_roundtable", plan)
	if refused != "" {
		t.Fatal(refused)
	}
	more := map[string]any{"sessionId": begun.SessionID, "files": []string{"plan.md"}, "budgetTokens": 200_000, "focusQuestion": "What if not?"}
	for argument, value := range map[string]any{
		"budgetUsd": 3, "workspace": ".", "files": []string{".env"},
	} {
		args := map[string]any{"sessionId": begun.SessionID, "evidence": []any{map[string]any{"name": "other", "text": "y"}}, argument: value}
		if _, refused := c.call("continue_roundtable", args); !strings.Contains(refused, argument) {
			t.Errorf("%s: %q", argument, refused)
		}
	}
	args := map[string]any{"sessionId": begun.SessionID, "action": "change-model", "arguments": "m2 m1"}
	if _, refused := c.call("control_session", args); refused != "" {
		t.Fatal(refused)
	}
	end, refused := c.call("continue_roundtable", more)
	if refused != "" || end.Status != "completed" || end.Budget != "$2.00 or 200000 tokens" {
		t.Fatalf("%s %+v", refused, end)
	}
	if one, two := len(srv.Requests("m1")), len(srv.Requests("m2")); one != 4 || two != 1 {
		t.Errorf("m1 was asked %d times, m2 %d times, of which one is for the report", one, two)
	}
	second := srv.Requests("m1")[1].Raw
	if !strings.Contains(second, "F1") || !strings.Contains(second, "F2") || !strings.Contains(second, "We plan to ship.") {
		t.Errorf("the second round is asked %s", second)
	}
	// No round is left for anything.
	for argument, value := range map[string]any{
		"focusQuestion": "Why?", "files": []string{"plan.md"}, "evidence": []any{map[string]any{"name": "other", "text": "y"}},
	} {
		_, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, argument: value})
		if !strings.Contains(refused, argument) || !strings.Contains(refused, "No round follows round 2. control_session with the action add-rounds") {
			t.Errorf("%s: %q", argument, refused)
		}
	}
	for action, arguments := range map[string]string{"tell": "Be brief.", "focus": "Why?", "set-budget": "3"} {
		_, refused := c.call("control_session", map[string]any{"sessionId": begun.SessionID, "action": action, "arguments": arguments})
		if !strings.Contains(refused, "No round follows round 2.") && !strings.Contains(refused, "only a person can raise it") {
			t.Errorf("%s: %q", action, refused)
		}
	}
}

// Without prices a budget in dollars cannot hold, which the result says.
func TestMCP_withoutPricesTheBudgetIsInTokens(t *testing.T) {
	t.Parallel()
	srv := yesServer(t)
	c := callPanels(t, home(t), "--config", panelOf(t, srv.URL, 2))
	r, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1})
	if refused != "" || r.Budget != "" || !slices.ContainsFunc(r.Notices, func(n string) bool { return strings.Contains(n, "budgetTokens sets one") }) {
		t.Errorf("%s %q, %q", refused, r.Budget, r.Notices)
	}
	if _, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1, "budgetUsd": 1}); !strings.Contains(refused, "needs prices") {
		t.Errorf("%q", refused)
	}
	r, refused = c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 1, "budgetTokens": 90_000})
	if refused != "" || r.Budget != "$2.00 or 90000 tokens" {
		t.Errorf("%s %q", refused, r.Budget)
	}
}

// A question about the verdict is answered by the chair or a seat.
func TestMCP_asksAboutTheVerdict(t *testing.T) {
	t.Parallel()
	srv := yesServer(t)
	c := callPanels(t, home(t), "--config", seated(t, srv.URL, "", 2))
	begun, refused := c.call("start_roundtable", map[string]any{"topic": "Is it so?", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	question := map[string]any{"sessionId": begun.SessionID, "question": "What would change your mind?", "agent": "M2"}
	if _, refused := c.call("ask_roundtable", question); !strings.Contains(refused, "Follow-up questions come after the verdict.") {
		t.Errorf("%q", refused)
	}
	if end, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID}); refused != "" || end.Status != "completed" {
		t.Fatalf("%s %+v", refused, end)
	}
	before := len(srv.Requests(""))
	r, refused := c.call("ask_roundtable", question)
	if refused != "" || r.FollowUp == nil || r.FollowUp.AgentID != "m2" || !strings.HasPrefix(r.FollowUp.Answer, "Yes, it is.") ||
		r.Status != "completed" {
		t.Errorf("%s %+v", refused, r)
	}
	if n := len(srv.Requests("")) - before; n != 1 {
		t.Errorf("%d requests were sent", n)
	}
	question["agent"] = "nobody"
	if _, refused := c.call("ask_roundtable", question); !strings.Contains(refused, `"nobody" is neither the chair nor a seat: m1, m2`) {
		t.Errorf("%q", refused)
	}
}

// maxTools is how long the list of tools may be, in bytes: every client sends it to its model.
const maxTools = 16 << 10

func TestMCP_theListOfTools(t *testing.T) {
	t.Parallel()
	cmd := program(t, home(t), "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	answers, sent := bufio.NewReader(out), ""
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if sent, err = answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if len(sent) > maxTools {
		t.Errorf("the list has %d bytes", len(sent))
	}
	t.Logf("the list has %d bytes", len(sent))
	var answer struct{ Result mcp.ListToolsResult }
	if err := json.Unmarshal([]byte(sent), &answer); err != nil {
		t.Fatal(err)
	}
	hints := map[string][]string{}
	for _, tool := range answer.Result.Tools {
		a := tool.Annotations
		for name, on := range map[string]bool{
			"read": a.ReadOnlyHint, "open": *a.OpenWorldHint, "destructive": !a.ReadOnlyHint && *a.DestructiveHint,
		} {
			if on {
				hints[name] = append(hints[name], tool.Name)
			}
		}
	}
	for name, want := range map[string]string{
		"read": "estimate_roundtable export_session get_agents get_citations get_consensus get_response_detail get_round_details " +
			"get_thoughts list_sessions wait_roundtable",
		"open":        "ask_roundtable continue_roundtable start_roundtable synthesize_debate",
		"destructive": "control_session",
	} {
		if slices.Sort(hints[name]); strings.Join(hints[name], " ") != want {
			t.Errorf("%s: %q, want %q", name, hints[name], want)
		}
	}
}

// A call that is repeated, with folders and with the answers of a form, brings its evidence
// once, and the result says what was left out.
func TestMCP_aRepeatedCallBringsItsEvidenceOnce(t *testing.T) {
	t.Parallel()
	folder, person := brings(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
	env := home(t)
	c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"}, env,
		"--config", seated(t, "http://127.0.0.1:1", fmt.Sprintf("[mcp]\nroots = [%q]\n", folder), 2))
	person.answers <- &mcp.ElicitResult{Action: "decline"}
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2, "files": []string{"."}})
	if refused != "" || begun.Status != "needs_context" || !slices.ContainsFunc(begun.Notices, func(n string) bool { return strings.Contains(n, ".env is a file of keys") }) {
		t.Fatalf("%s %+v", refused, begun)
	}
	person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": "Two days."}}
	end, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "evidence": []any{
		map[string]any{"name": "log", "text": "all is well, ghp_" + strings.Repeat("a1", 18) + "\n"},
	}, "focusQuestion": "What if not?"})
	masked := func(n string) bool {
		return strings.Contains(n, "log: values that look like secrets are masked in 1 line")
	}
	if refused != "" || end.Status != "completed" || !slices.ContainsFunc(end.Notices, masked) {
		t.Fatalf("%s %+v", refused, end)
	}
	out, err := program(t, env, "show", begun.SessionID).CombinedOutput()
	if n := strings.Count(c.text("export_session", map[string]any{"sessionId": begun.SessionID, "format": "json"}), `"name": "log"`); n != 1 || err != nil {
		t.Errorf("%v: the log is there %d times: %s", err, n, out)
	}
}
