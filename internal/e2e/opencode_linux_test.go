package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
)

// openCodeDebate is a debate of two seats over HTTP and one that OpenCode has, whose
// models are all played by one server.
type openCodeDebate struct {
	*testing.T
	env    []string
	config string
	mark   string        // stands in the environment of each process of OpenCode
	began  chan struct{} // has an element when OpenCode's model begins to answer slowly
}

// newOpenCodeDebate skips the test where OpenCode is not to be driven.
func newOpenCodeDebate(t *testing.T) *openCodeDebate {
	t.Helper()
	if os.Getenv("ROUNDTABLE_ACP") != "opencode" {
		t.Skip("ROUNDTABLE_ACP=opencode drives OpenCode, which `npm install -g opencode-ai` installs")
	}
	if _, err := exec.LookPath("opencode"); err != nil {
		t.Skip("opencode is not on PATH")
	}
	d := &openCodeDebate{T: t, env: home(t), began: make(chan struct{}, 100)}
	server := endpoint.New(t, d.answer)
	dir := t.TempDir()
	d.mark, d.config = filepath.Join(dir, "opencode.json"), filepath.Join(dir, "config.toml")
	d.write(d.mark, fmt.Sprintf(`{"model":"mock/m3","small_model":"mock/m3","autoupdate":false,"provider":{"mock":{
		"npm":"@ai-sdk/openai-compatible","options":{"baseURL":%q,"apiKey":"none"},
		"models":{"m3":{"limit":{"context":100000,"output":4000}}}}}}`, server.URL+"/v1"))
	d.env = append(d.env, "OPENCODE_CONFIG="+d.mark, "OPENCODE_DISABLE_MODELS_FETCH=1")
	d.write(d.config, fmt.Sprintf(`[providers.here]
base_url = %q
[providers.opencode]
kind = "acp"
preset = "opencode"
env = ["PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "OPENCODE_CONFIG", "OPENCODE_DISABLE_MODELS_FETCH"]
[[agents]]
id = "ada"
provider = "here"
model = "m1"
price_in = 3.0
price_out = 15.0
[[agents]]
id = "brook"
provider = "here"
model = "m2"
price_in = 3.0
price_out = 15.0
[[agents]]
id = "olive"
provider = "opencode"
model = "mock/m3"
included = true
[panels.default]
agents = ["ada", "brook", "olive"]
`, server.URL+"/v1"))
	return d
}

func (d *openCodeDebate) write(path, content string) {
	d.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		d.Fatal(err)
	}
}

// answer plays the models. In a debate about speed OpenCode's is slow, else it asks first.
func (d *openCodeDebate) answer(r endpoint.Request) endpoint.Reply {
	asked := strings.Contains(r.Raw, `"role":"tool"`)
	const block = "\n```json\n{\"position\": \"One server is enough.\", \"choice\": \"yes\", \"confidence\": 0.8}\n```"
	switch {
	case strings.Contains(r.Raw, "You are the chair"):
		return endpoint.Reply{Text: "## Conclusion\nIt is enough: 42 a second, as OpenCode asked [C1]." + block}
	case r.Model != "m3":
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
		return endpoint.Reply{Text: "Yes, says OpenCode: 42 a second is enough [C1]." + block}
	case asked:
		return endpoint.Reply{Text: "It depends on how many there are." + block}
	default:
		return endpoint.Reply{
			Tool: "roundtable_seat_request_context", Call: `{"query":"How many a second?","reason":"it decides","priority":"required"}`,
		}
	}
}

// run runs a command, which must end with a code, and returns what it printed.
func (d *openCodeDebate) run(code int, args ...string) string {
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

// session returns the id of the newest session.
func (d *openCodeDebate) session() string {
	d.Helper()
	var all []struct{ ID string }
	if err := json.Unmarshal([]byte(d.run(0, "sessions", "--json")), &all); err != nil || len(all) == 0 {
		d.Fatalf("no session: %v", err)
	}
	return all[0].ID
}

// alive returns the processes of OpenCode that this debate has started.
func (d *openCodeDebate) alive() []string {
	d.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		d.Fatal(err)
	}
	var found []string
	for _, path := range all {
		raw, err := os.ReadFile(path)
		if line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); err == nil && bytes.Contains(raw, []byte(d.mark)) &&
			bytes.Contains(line, []byte("opencode")) {
			found = append(found, filepath.Base(filepath.Dir(path)))
		}
	}
	return found
}

// requireNoOrphan fails if a process of OpenCode lives on.
func (d *openCodeDebate) requireNoOrphan() {
	d.Helper()
	for until := time.Now().Add(5 * time.Second); len(d.alive()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			d.Fatalf("processes live on: %v", d.alive())
		}
	}
}

func TestOpenCode_asksIsAnsweredAndGoesOn(t *testing.T) {
	d := newOpenCodeDebate(t)
	d.run(3, "run", "Is it enough?", "--rounds", "2")
	d.requireNoOrphan()
	id := d.session()
	if out := d.run(0, "requests", id); !strings.Contains(out, "How many a second?") || !strings.Contains(out, "Olive") {
		t.Fatalf("OpenCode's question is not open: %s", out)
	}
	d.run(0, "answer", id, "C1", "--text", "42 a second")
	d.run(0, "continue", id)
	d.requireNoOrphan()
	out := d.run(0, "show", id)
	for _, want := range []string{"says OpenCode: 42 a second is enough", "[C1]"} {
		if !strings.Contains(out, want) {
			t.Errorf("the debate lacks %q:\n%s", want, out)
		}
	}
}

// The same by typed keys. With -v it prints the form and the verdict.
func TestOpenCode_isAnsweredByKeys(t *testing.T) {
	d := newOpenCodeDebate(t)
	tm := open(t, d.env, 140, 40, "--config", d.config, "new", "Is it enough?", "--rounds", "2", "--start")
	tm.await("Context for round 2", "How many a second?", "Round 2 is blocked, 1 required left: C1 (Olive)",
		"settings of Olive may let it act without asking", takesKeys)
	tm.send("42 a second")
	tm.awaitCursor("42 a second")
	t.Log("the form:\n" + tm.text())
	tm.send(startRow)
	tm.await("Verdict ready.")
	tm.press("v", "42 a second, as OpenCode asked [C1]")
	t.Log("the verdict:\n" + tm.text())
	tm.send("q")
	tm.send("q")
	if code := tm.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	d.requireNoOrphan()
}

func TestOpenCode_endsWithTheProgram(t *testing.T) {
	d := newOpenCodeDebate(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		cmd := program(t, d.env, "--config", d.config, "run", "Is it fast?", "--rounds", "1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-d.began:
		case <-time.After(patience):
			t.Error("OpenCode was not asked")
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it says that it was ended
		d.requireNoOrphan()
	}
	cmd := program(t, d.env, "--config", d.config, "continue", d.session())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select { // the turn that was cut off is asked again
	case <-d.began:
	case <-time.After(patience):
		t.Error("OpenCode was not asked again")
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
	d.requireNoOrphan()
}
