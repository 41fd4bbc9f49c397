package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// assistantsVariable names the assistants from npm that are driven, or all.
const assistantsVariable = "ROUNDTABLE_ASSISTANTS"

// assistant is an agent from npm that calls panels over MCP.
type assistant struct {
	realAgent
	section string   // of docs/mcp.md, whose commands set it up and start it; "": see below
	printed string   // the client of `roundtable mcp --print`
	args    []string // before the prompt
	client  string   // the name that it gives the server
}

func assistants() (all []assistant) {
	ways := map[string]assistant{
		"opencode": {printed: "opencode", args: []string{"run"}, client: "opencode"},
		"codex":    {section: "Codex", client: "codex-mcp-client"},
		"gemini":   {printed: "json", args: []string{"--yolo", "--skip-trust", "-p"}, client: "gemini-cli-mcp-client"},
		"qwen":     {printed: "json", args: []string{"--yolo", "-p"}, client: "qwen-cli-mcp-client-roundtable"},
		"claude":   {section: "Claude Code", client: "claude-code"},
	}
	for _, agent := range realAgents() {
		if a, ok := ways[agent.preset]; ok {
			a.realAgent = agent
			all = append(all, a)
		}
	}
	return all
}

var (
	toldStatus  = regexp.MustCompile(`status\\*":\s*\\*"(completed|needs_context|running|in_progress)\b`)
	toldSession = regexp.MustCompile(`sessionId\\*":\s*\\*"(\w+)`)
)

// lastTold returns what a request says last of something, apart from the tools on offer; ""
// if it says nothing.
func lastTold(what *regexp.Regexp, r endpoint.Request) string {
	said := r.Raw
	for _, tool := range r.Tools {
		said = strings.Replace(said, string(tool), "", 1)
	}
	if all := what.FindAllStringSubmatch(said, -1); len(all) > 0 {
		return all[len(all)-1][1]
	}
	return ""
}

// assistantModel plays the models of the panel, and the one of an assistant that calls it,
// brings it the answer of the person and tells the verdict.
func assistantModel(r endpoint.Request) endpoint.Reply {
	const block = "\n```json\n{\"position\": \"One server is enough.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
	const searched = "select:mcp__roundtable__start_roundtable,mcp__roundtable__continue_roundtable,mcp__roundtable__wait_roundtable"
	if r.Model == "m1" || r.Model == "m2" {
		if r.Model == "m1" && r.Tool("request_context") != "" && !strings.Contains(r.Raw, "How many a second?") {
			return endpoint.Reply{Call: `{"query":"How many a second?","reason":"it decides","priority":"required"}`}
		}
		return endpoint.Reply{Text: "So says " + r.Model + "." + block}
	}
	session, start := lastTold(toldSession, r), r.Tool("start_roundtable")
	switch status := lastTold(toldStatus, r); {
	case len(r.Tools) == 0:
		return endpoint.Reply{Text: "A title"}
	case status == "completed":
		return endpoint.Reply{Text: "The panel has decided."}
	case status == "needs_context":
		return endpoint.Reply{Tool: r.Tool("continue_roundtable"), Call: `{"sessionId":"` + session + `","contextResults":[` +
			`{"requestId":"C1","success":true,"result":"42 a second","source":"the person"}]}`}
	case status == "running":
		return endpoint.Reply{Tool: r.Tool("wait_roundtable"), Call: `{"sessionId":"` + session + `"}`}
	case status == "in_progress":
		return endpoint.Reply{Tool: r.Tool("continue_roundtable"), Call: `{"sessionId":"` + session + `"}`}
	case start != "":
		return endpoint.Reply{Tool: start, Call: `{"topic":"Is one server enough?","rounds":2}`}
	case r.Tool("tool_search", "ToolSearch") != "" && !strings.Contains(r.Raw, searched):
		return endpoint.Reply{Tool: r.Tool("tool_search", "ToolSearch"), Call: `{"query":"` + searched + `"}`}
	}
	return endpoint.Reply{Text: "There is no panel to call."}
}

// Assistants that are set up with the commands of docs/mcp.md, or with what `mcp --print`
// prints, let a panel debate to its verdict. The seats need a key and the database a path, which the server gets only if the
// assistant passes variables on. With -v it prints what the assistant said.
func TestAssistants_driveADebateToItsVerdict(t *testing.T) {
	wanted := os.Getenv(assistantsVariable)
	if wanted == "" {
		t.Skipf("%s=all, or names such as opencode,codex, drives assistants from npm", assistantsVariable)
	}
	for _, a := range assistants() {
		if wanted == "all" || slices.Contains(strings.Split(wanted, ","), a.preset) {
			t.Run(a.preset, func(t *testing.T) { driveAssistant(t, a) })
		}
	}
}

func driveAssistant(t *testing.T, a assistant) {
	bin := programOnPath(t)
	path := strings.Join([]string{bin, installed(t, "npm", "install", "-g", a.packages[0]), os.Getenv("PATH")}, string(filepath.ListSeparator))
	srv, project, env := endpoint.New(t, assistantModel), t.TempDir(), home(t)
	home := variable(env, "HOME")
	env = append(env, "PATH="+path, "NO_PROXY=127.0.0.1", "PANEL_KEY=the-key-of-the-panel", "ROUNDTABLE_DB="+filepath.Join(t.TempDir(), "elsewhere.db"))
	for _, v := range a.env {
		env = append(env, strings.ReplaceAll(v, "SERVER", srv.URL))
	}
	if a.preset == "qwen" { // which asks its model by the proxy
		env = append(env, "HTTPS_PROXY=")
	}
	run := func(dir, name string, args ...string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `"$@"`, "sh", name}, args...)...)
		var out, errs bytes.Buffer
		cmd.WaitDelay = time.Second // what it has started may hold its output
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &errs
		if err := cmd.Run(); err != nil {
			told := errs.String()
			t.Fatalf("%s %q: %v after %d requests\n%s%s", name, args, err, len(srv.Requests("")), out.String(), told[:min(len(told), 2000)])
		}
		return out.String()
	}
	config := must.Get(os.ReadFile(seatedAt(t, srv.URL, "", "", 2)))(t)
	config = bytes.Replace(config, []byte("base_url"), []byte("api_key_env = \"PANEL_KEY\"\nbase_url"), 1)
	writeFile(t, filepath.Join(home, "config", "roundtable", "config.toml"), string(config))

	own := strings.ReplaceAll(a.settings, "SERVER", srv.URL)
	if a.section != "" {
		run(project, "git", "init")
		if a.file != "" {
			writeFile(t, filepath.Join(home, a.file), own)
		}
		for _, command := range documentedCommands(t, a.section) {
			t.Log(run(project, "sh", "-c", command))
		}
	} else {
		settings := run(project, "roundtable", "mcp", "--print", a.printed)
		if strings.Contains(settings, "the-key-of-the-panel") {
			t.Errorf("the settings hold a key: %s", settings)
		}
		writeFile(t, filepath.Join(home, a.file), joined(t, own, settings))
		t.Log(run(project, a.preset, append(slices.Clone(a.args), "Let a panel decide whether one server is enough.")...))
	}

	all := sessions(t, env)
	if len(all) != 1 || all[0].Status != "complete" {
		t.Fatalf("the debates are %+v", all)
	}
	out := run(project, "roundtable", "requests", all[0].ID, "--json")
	for _, want := range []string{"42 a second", `"` + a.client + `"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}

// joined returns two documents in one, both of TOML or both of JSON.
func joined(t *testing.T, a, b string) string {
	t.Helper()
	if !strings.HasPrefix(b, "{") {
		return a + b
	}
	first, second := map[string]any{}, map[string]any{}
	must.Do(t, json.Unmarshal([]byte(b), &second))
	if a != "" {
		must.Do(t, json.Unmarshal([]byte(a), &first))
	}
	maps.Copy(first, second)
	raw := must.Get(json.Marshal(first))(t)
	return string(raw)
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
}
