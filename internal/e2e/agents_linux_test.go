package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"roundtable/agents/acp"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// realAgent is an agent from npm, and what it needs so that its model is the server of the
// test. Each word of its settings that is URL stands for the address of that server.
type realAgent struct {
	preset   string
	packages []string // besides its adapter; each is installed in a prefix of its own
	env      []string
	file     string // of its settings, in its home folder
	settings string
	model    string // that is set, where the agent offers a choice; "default" where it does not
	asked    string // stands in the name of the model that its endpoint is asked for
}

func realAgents() []realAgent {
	return []realAgent{
		{
			preset: "claude", packages: []string{"@anthropic-ai/claude-code"},
			env:   []string{"ANTHROPIC_BASE_URL=SERVER", "ANTHROPIC_AUTH_TOKEN=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
			model: "haiku", asked: "haiku",
		},
		{
			preset: "codex", packages: []string{"@openai/codex"}, file: ".codex/config.toml",
			settings: "model = \"m3\"\nmodel_provider = \"here\"\n[model_providers.here]\nname = \"here\"\n" +
				"base_url = \"SERVER/v1\"\nwire_api = \"responses\"\n",
			model: "gpt-5.5", asked: "gpt-5.5",
		},
		{
			preset: "gemini", packages: []string{"@google/gemini-cli"},
			env:      []string{"GEMINI_API_KEY=none", "GEMINI_MODEL=gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL=SERVER"},
			file:     ".gemini/settings.json",
			settings: `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}`,
			model:    "gemini-2.5-pro", asked: "gemini-2.5-pro",
		},
		{
			preset: "qwen", packages: []string{"@qwen-code/qwen-code"},
			env:  []string{"OPENAI_API_KEY=none", "OPENAI_BASE_URL=SERVER/v1", "OPENAI_MODEL=m3"},
			file: ".qwen/settings.json",
			settings: `{"security":{"auth":{"selectedType":"openai"}},"privacy":{"usageStatisticsEnabled":false},
				"modelProviders":{"openai":[{"id":"m4","name":"m4","baseUrl":"SERVER/v1","envKey":"OPENAI_API_KEY"}]}}`,
			model: "m4(openai)", asked: "m4",
		},
		{
			preset: "opencode", packages: []string{"opencode-ai"}, env: []string{"OPENCODE_DISABLE_MODELS_FETCH=1"},
			file: "config/opencode/opencode.json",
			settings: `{"model":"mock/m3","small_model":"mock/m3","autoupdate":false,"provider":{"mock":{"npm":"@ai-sdk/openai-compatible",
				"options":{"baseURL":"SERVER/v1","apiKey":"none"},"models":{"m3":{"limit":{"context":100000,"output":4000}},"m4":{"limit":{"context":100000,"output":4000}}}}}}`,
			model: "mock/m4", asked: "m4",
		},
		{
			preset: "copilot", packages: []string{"@github/copilot"}, env: []string{"COPILOT_PROVIDER_BASE_URL=SERVER/v1", "COPILOT_MODEL=m3"},
			model: "default", asked: "m3",
		},
	}
}

// agentDebate is a debate of two seats over HTTP and one of an agent, whose models are all
// played by one server.
type agentDebate struct {
	*testing.T
	realAgent
	env    []string
	home   string // stands in the environment of each process of the agent
	config string
	server *endpoint.Server
	began  chan struct{} // has an element when the agent's model begins to answer slowly
}

// eachAgent runs a test with each of the agents that ROUNDTABLE_ACP names.
func eachAgent(t *testing.T, test func(*agentDebate)) {
	wanted := os.Getenv("ROUNDTABLE_ACP")
	if wanted == "" {
		t.Skip("ROUNDTABLE_ACP=all, or names of presets with commas, drives agents from npm")
	}
	for _, a := range realAgents() {
		if wanted != "all" && !slices.Contains(strings.Split(wanted, ","), a.preset) {
			continue
		}
		t.Run(a.preset, func(t *testing.T) { test(newAgentDebate(t, a)) })
	}
}

// installed runs a command of npm in a folder of its own, and returns where the programs are.
// What npm has installed once is kept.
func installed(t *testing.T, command ...string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(cache, "roundtable-agents", strings.NewReplacer("/", "+", " ", "+").Replace(strings.Join(command[2:], " ")))
	bin := filepath.Join(dir, "bin")
	if _, err := os.Stat(bin); err != nil {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		npm := exec.CommandContext(ctx, command[0], append(command[1:], "--no-audit", "--no-fund", "--prefix", dir)...)
		if out, err := npm.CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", command, err, out)
		}
	}
	all, _ := filepath.Glob(filepath.Join(dir, "lib", "node_modules", "*", "package.json"))
	scoped, _ := filepath.Glob(filepath.Join(dir, "lib", "node_modules", "@*", "*", "package.json"))
	for _, path := range append(all, scoped...) {
		var about struct{ Name, Version string }
		if raw, err := os.ReadFile(path); err == nil && json.Unmarshal(raw, &about) == nil {
			t.Logf("%s %s", about.Name, about.Version)
		}
	}
	return bin
}

func newAgentDebate(t *testing.T, a realAgent) *agentDebate {
	t.Helper()
	preset, _ := acp.PresetNamed(a.preset)
	var bins []string
	if preset.Adapter.Of != "" { // with the command that is shown, which leaves the agent out
		bins = append(bins, installed(t, strings.Fields(preset.Install)...))
	}
	for _, name := range a.packages {
		bins = append(bins, installed(t, "npm", "install", "-g", name))
	}
	bin := strings.Join(bins, string(filepath.ListSeparator))
	d := &agentDebate{T: t, realAgent: a, env: home(t), began: make(chan struct{}, 100)}
	d.server = endpoint.New(t, d.answer)
	names := []string{"PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}
	d.home = variable(d.env, "HOME")
	d.env = append(d.env, "PATH="+bin+string(filepath.ListSeparator)+variable(d.env, "PATH"))
	for _, v := range a.env {
		name, _, _ := strings.Cut(v, "=")
		names, d.env = append(names, name), append(d.env, strings.ReplaceAll(v, "SERVER", d.server.URL))
	}
	if a.file != "" {
		writeFile(t, filepath.Join(d.home, a.file), strings.ReplaceAll(a.settings, "SERVER", d.server.URL))
	}
	passed := must.Get(json.Marshal(names))(t)
	d.config = seatedAt(t, d.server.URL, fmt.Sprintf("[defaults]\npanel = \"three\"\n[panels.three]\nagents = [\"m1\", \"m2\", \"olive\"]\n"+
		"[providers.agent]\nkind = \"acp\"\npreset = %q\nenv = %s\n[[agents]]\nid = \"olive\"\nprovider = \"agent\"\nmodel = %q\nincluded = true\n",
		a.preset, passed, a.model), "price_in = 3.0\nprice_out = 15.0\n", 2)
	return d
}

// answer plays the models. In a debate about speed the agent's is slow. Else it asks, runs a
// command if it is offered one that does, and states what it thinks.
func (d *agentDebate) answer(r endpoint.Request) endpoint.Reply {
	const block = "\n```json\n{\"position\": \"One server is enough.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"
	const searched, asks, runs = "select:mcp__roundtable_seat__request_context", "How many a second?", "touch commanded"
	search := searched
	if r.Tool("tool_call") == "" { // Codex searches by words
		search = "request_context"
	}
	const question = `{"query":"` + asks + `","reason":"it decides","priority":"required"}`
	const found = `"name":"request_context"` // in a namespace, by a search
	ask, shell := r.Tool("request_context"), r.Tool("Bash", "bash", "shell", "shell_command", "exec_command", "run_shell_command")
	if ask == "" && strings.Contains(r.Raw, `"tool_search_output"`) && strings.Contains(r.Raw, found) {
		ask = "mcp__roundtable_seat request_context"
	}
	switch {
	case strings.Contains(r.Raw, "You are the chair"):
		return endpoint.Reply{Text: "## Conclusion\nIt is enough: 42 a second, as the agent asked [C1]." + block}
	case r.Model == "m1" || r.Model == "m2":
		if strings.Contains(r.Raw, "42 a second") {
			return endpoint.Reply{Text: "Yes, says " + r.Model + ", since it is 42 a second [C1]." + block}
		}
		return endpoint.Reply{Text: "So says " + r.Model + "." + block}
	case len(r.Tools) == 0:
		return endpoint.Reply{Text: "A title"}
	case strings.Contains(r.Raw, "Is it fast?"):
		d.began <- struct{}{}
		return endpoint.Reply{Text: strings.Repeat("slow ", 600), Pace: 50 * time.Millisecond}
	case strings.Contains(r.Raw, "42 a second"):
		return endpoint.Reply{Text: "Yes, says the agent: 42 a second is enough [C1]." + block}
	case ask == "" && !strings.Contains(r.Raw, `"`+search+`"`) && !strings.Contains(r.Raw, `\"`+search+`\"`) && r.Tool("tool_search") != "":
		return endpoint.Reply{Tool: r.Tool("tool_search"), Call: `{"query":"` + search + `"}`}
	case ask == "" && r.Tool("tool_call") != "" && !strings.Contains(r.Raw, asks):
		return endpoint.Reply{Tool: r.Tool("tool_call"), Call: `{"name":"mcp__roundtable_seat__request_context","arguments":` + question + `}`}
	case ask != "" && !strings.Contains(r.Raw, asks):
		return endpoint.Reply{Tool: ask, Call: question}
	case strings.Contains(r.Raw, "Commands are denied in this turn"):
		return endpoint.Reply{Text: "It went on when asked again. It depends on how many there are." + block}
	case shell != "" && !strings.Contains(r.Raw, runs):
		if shell == "exec_command" { // Codex' own runs what it likes in its sandbox
			return endpoint.Reply{Tool: shell, Call: `{"cmd":"` + runs + `","sandbox_permissions":"require_escalated","justification":"to see"}`}
		}
		return endpoint.Reply{Tool: shell, Call: `{"command":"` + runs + `","description":"make a file"}`}
	default:
		return endpoint.Reply{Text: fmt.Sprintf("It went on after %d calls. It depends on how many there are.", r.Results) + block}
	}
}

// run runs a command, which must end with a code, and returns what it printed.
func (d *agentDebate) run(code int, args ...string) string {
	d.Helper()
	cmd := program(d.T, d.env, append([]string{"--config", d.config}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		d.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		d.Fatalf("%q: exit code %d, want %d:\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String()
}

// alive returns the processes that this debate has started and that still run, with their
// commands.
func (d *agentDebate) alive() []string {
	d.Helper()
	all := must.Get(filepath.Glob("/proc/[0-9]*/environ"))(d)
	var found []string
	for _, path := range all {
		raw, err := os.ReadFile(path)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil && bytes.Contains(raw, []byte("HOME="+d.home)) {
			command := strings.ReplaceAll(string(line[:min(len(line), 150)]), "\x00", " ")
			found = append(found, filepath.Base(filepath.Dir(path))+" "+command)
		}
	}
	return found
}

// requireNoOrphan fails if a process lives on three seconds after the program was ended.
func (d *agentDebate) requireNoOrphan(ended time.Time) {
	d.Helper()
	for len(d.alive()) > 0 {
		if time.Since(ended) > 3*time.Second {
			for _, left := range d.alive() {
				d.Errorf("a process lives on: %s", left)
				pid, _, _ := strings.Cut(left, " ")
				_ = exec.Command("kill", "-KILL", pid).Run() // it may have ended by now
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	d.Logf("all processes were gone %s after the end", time.Since(ended).Round(10*time.Millisecond))
}

func TestAgents_askAreAnsweredAndGoOn(t *testing.T) {
	eachAgent(t, func(d *agentDebate) {
		began := time.Now()
		d.run(3, "run", "Is it enough?", "--rounds", "2")
		d.requireNoOrphan(time.Now())
		id := sessions(d, d.env)[0].ID
		if out := d.run(0, "requests", id); !strings.Contains(out, "How many a second?") || !strings.Contains(out, "Olive") {
			d.Fatalf("the agent's question is not open: %s", out)
		}
		d.run(0, "answer", id, "C1", "--text", "42 a second")
		d.run(0, "continue", id)
		d.requireNoOrphan(time.Now())
		d.Logf("two rounds took %s", time.Since(began).Round(100*time.Millisecond))
		if !slices.ContainsFunc(d.server.Requests(""), func(r endpoint.Request) bool { return strings.Contains(r.Model, d.asked) }) {
			d.Errorf("its model was never asked as %q", d.asked)
		}
		out := d.run(0, "show", id)
		for _, want := range []string{"It went on ", "says the agent: 42 a second is enough", "[C1]"} {
			if !strings.Contains(out, want) {
				d.Errorf("the debate lacks %q:\n%s", want, out)
			}
		}
		if estimated := d.preset == "opencode"; strings.Contains(d.run(0, "show", id, "--json"), `"estimated": true`) != estimated {
			d.Errorf("tokens are estimated: %v, want %v:\n%s", !estimated, estimated, out)
		}
		d.Log(out)
	})
}

func TestAgents_endWithTheProgram(t *testing.T) {
	eachAgent(t, func(d *agentDebate) {
		args := []string{"run", "Is it fast?", "--rounds", "1"}
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGINT} {
			cmd := program(d.T, d.env, append([]string{"--config", d.config}, args...)...)
			must.Do(d, cmd.Start())
			select { // the turn that was cut off is asked again
			case <-d.began:
			case <-time.After(patience):
				d.Error("the agent's model was not asked")
			}
			running := strings.Join(d.alive(), "\n")
			ended := time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				d.Error(err)
			}
			_ = cmd.Wait() // it says that it was ended
			d.requireNoOrphan(ended)
			d.Logf("%v ended:\n%s", signal, running)
			args = []string{"continue", sessions(d, d.env)[0].ID}
		}
	})
}
