package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/testing/must"
)

// folders are workspaces below a folder of the test.
type folders struct {
	dir  string
	fail error
	made []agents.ID
}

func (f *folders) Workspace(_ context.Context, agent agents.ID) (tools.Workspace, error) {
	f.made = append(f.made, agent)
	return folder{filepath.Join(f.dir, "clone", string(agent))}, f.fail
}

func (f *folders) Home(agent agents.ID) (string, error) {
	dir := filepath.Join(f.dir, "home", string(agent))
	return dir, os.MkdirAll(dir, 0o700)
}

func (f *folders) TempDir(call string) (string, error) {
	dir := filepath.Join(f.dir, "tmp", call)
	return dir, os.MkdirAll(dir, 0o700)
}

// folder is a workspace with scripted results of commands.
type folder struct{ dir string }

func (f folder) Info() tools.WorkspaceInfo { return tools.WorkspaceInfo{Mode: "clone", Dir: f.dir} }
func (f folder) Open() (*os.Root, error)   { return os.OpenRoot(f.dir) }

func (f folder) Run(ctx context.Context, c tools.Command) (tools.CommandResult, error) {
	switch c.Argv[0] {
	case "hang":
		<-ctx.Done()
		return tools.CommandResult{Output: "half of it"}, ctx.Err()
	case "env":
		return tools.CommandResult{Output: strings.Join(c.Env, " ")}, nil
	case "long":
		return tools.CommandResult{Output: "head\ntail", Cut: 990}, nil
	default:
		return tools.CommandResult{Output: strings.Join(c.Argv, " "), Exit: 3}, nil
	}
}

// decider decides on all commands alike, after a while, and keeps what it was asked last.
type decider struct {
	tools.Approval
	after time.Duration
	asked *tools.Command // nil: nothing
	in    tools.WorkspaceInfo
}

func (d *decider) Approve(ctx context.Context, _ agents.Turn, _ string, c tools.Command, in tools.WorkspaceInfo) (tools.Approval, error) {
	d.asked, d.in = &c, in
	select {
	case <-time.After(d.after):
	case <-ctx.Done():
		return tools.Approval{}, nil
	}
	return d.Approval, nil
}

func TestExecute_makesTheContextOfEachCall(t *testing.T) {
	f := &folders{dir: t.TempDir()}
	var got []tools.Context
	look := running("look", func(_ context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
		if got = append(got, tc); string(args) != "{}" {
			t.Errorf("the arguments are %q", args)
		}
		return tools.Output{}, os.WriteFile(filepath.Join(tc.TempDir, "note"), nil, 0o600)
	})
	look.NeedsWorkspace = true
	e := must.Get(tools.NewExecutor(tools.Sources{Workspaces: f, Env: []string{"PATH=/bin", "LANG=C"}}, look, named("other")))(t)
	brook := agents.Turn{Session: "s", Round: 2, Step: 1, Attempt: 1, Agent: "brook"}
	for _, c := range []struct {
		turn agents.Turn
		name string
		args string
	}{{ada, "other", "{}"}, {ada, "look", "{}"}, {brook, "look", " \n"}} {
		r := e.Execute(t.Context(), c.turn, c.turn.ToolCall(1), agents.ToolCall{ID: "../../x", Name: c.name, Args: c.args})
		if r.Status != agents.ToolOK {
			t.Fatalf("%+v", r)
		}
	}
	if diff := cmp.Diff([]agents.ID{"ada", "brook"}, f.made); diff != "" {
		t.Errorf("workspaces were made for (-want +got):\n%s", diff)
	}
	for i, turn := range []agents.Turn{ada, brook} {
		tc, temp := got[i], filepath.Join(f.dir, "tmp", turn.ToolCall(1))
		clone := filepath.Join(f.dir, "clone", string(turn.Agent))
		if tc.Turn != turn || tc.CallID != turn.ToolCall(1) || tc.TempDir != temp || tc.Workspace.Info().Dir != clone {
			t.Errorf("the context is %+v", tc)
		}
		home := filepath.Join(f.dir, "home", string(turn.Agent))
		if diff := cmp.Diff([]string{"PATH=/bin", "LANG=C", "HOME=" + home, "TMPDIR=" + temp}, tc.Env); diff != "" {
			t.Errorf("environment (-want +got):\n%s", diff)
		}
	}
	var files []string
	if err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			files = append(files, path)
		}
		return err
	}); err != nil || len(files) != 2 {
		t.Errorf("files: %v, %v", files, err)
	}
}

func TestExecute_toolsThatNeedAWorkspaceExistOnlyWithOne(t *testing.T) {
	look := named("look")
	look.NeedsWorkspace = true
	e := executor(t, nil, look, named("other"), tools.RunCommand(0))
	if specs := e.Specs(); len(specs) != 1 || specs[0].Name != "other" {
		t.Errorf("offered: %+v", specs)
	}
	if got := run(t, e, "look", "{}"); got.Status != agents.ToolError || !strings.Contains(got.Text, "Available: other.") {
		t.Errorf("result = %+v", got)
	}
	if got := run(t, executor(t, nil, look), "look", "{}"); !strings.Contains(got.Text, "Available: none.") {
		t.Errorf("result = %+v", got)
	}
	e = must.Get(tools.NewExecutor(tools.Sources{Workspaces: &folders{fail: errors.New("no git here")}}, look))(t)
	if got := run(t, e, "look", "{}"); got.Status != agents.ToolError || !strings.Contains(got.Text, "cannot be used: no git here") {
		t.Errorf("result = %+v", got)
	}
}

func TestExecute_cutsWhatIsTooLong(t *testing.T) {
	long := strings.Repeat("é", tools.MaxResult)
	fence := func(label, text string) string { return "<" + label + ">\n" + text + "\n<end>" }
	for name, foreign := range map[string]bool{"as it is": false, "as foreign text": true} {
		talks := func(_ context.Context, tc tools.Context, _ json.RawMessage) (tools.Output, error) {
			if foreign {
				return tools.Output{Text: tc.Foreign("file", long)}, nil
			}
			return tools.Output{Text: long}, nil
		}
		e := must.Get(tools.NewExecutor(tools.Sources{Fence: fence}, running("a", talks)))(t)
		got := run(t, e, "a", "{}").Text
		if n := len(got); n > tools.MaxResult+(4<<10) || strings.ContainsRune(got, '\ufffd') ||
			!strings.Contains(got, fmt.Sprintf("of %d bytes are shown", len(long))) {
			t.Errorf("%s: %d bytes, the end is %q", name, n, got[max(0, n-90):])
		}
		if foreign && (!strings.HasPrefix(got, "<file>") || !strings.HasSuffix(got, "<end>")) {
			t.Error("the marks are lost")
		}
	}
}

// A user may take hours to decide; what the command takes then is limited.
func TestExecute_waitingForTheUserIsNotCounted(t *testing.T) {
	for _, c := range []struct {
		name, argv string
		allowed    bool
		status     agents.ToolStatus
		text       string
		took       time.Duration
	}{
		{"allowed after three hours", "say", true, agents.ToolOK, "Exit code 3.", 3 * time.Hour},
		{"denied after three hours", "say", false, agents.ToolDenied, "The command was denied.", 3 * time.Hour},
		{"allowed, and it hangs", "hang", true, agents.ToolError, "did not finish within 10m0s", 3*time.Hour + 10*time.Minute},
		{"with a limit", "hang", true, agents.ToolError, "did not finish within 20m0s", 3*time.Hour + 20*time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				e := must.Get(tools.NewExecutor(tools.Sources{
					Workspaces: &folders{dir: dir}, Approver: &decider{Approval: tools.Approval{Allowed: c.allowed}, after: 3 * time.Hour},
				}, tools.RunCommand(map[bool]time.Duration{true: 20 * time.Minute}[c.name == "with a limit"])))(t)
				began := time.Now()
				got := run(t, e, agents.RunCommandName, fmt.Sprintf(`{"argv":[%q]}`, c.argv))
				took := time.Since(began)
				if got.Status != c.status || !strings.Contains(got.Text, c.text) || took != c.took || got.Waited != 3*time.Hour {
					t.Errorf("%+v after %s", got, took)
				}
			})
		})
	}
}

func TestRunCommand_saysWhatCameOfIt(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name     string
		args     string
		decision tools.Approval
		status   agents.ToolStatus
		want     []string
	}{
		{"allowed", `{"argv":["say","a b"]}`, tools.Approval{Allowed: true}, agents.ToolOK, []string{"Exit code 3.", "<output of the command>say a b<end>"}},
		{"what it sees", `{"argv":["env"]}`, tools.Approval{Allowed: true}, agents.ToolOK, []string{
			">LANG=C GOFLAGS=-x HOME=" + filepath.Join(dir, "home", "ada") +
				" TMPDIR=" + filepath.Join(dir, "tmp", ada.ToolCall(1)) + "<end>",
		}},
		{"cut", `{"argv":["long"]}`, tools.Approval{Allowed: true}, agents.ToolOK, []string{"head\ntail", "990 bytes of the output were left out"}},
		{"denied", `{"argv":["say"]}`, tools.Approval{}, agents.ToolDenied, []string{"The command was denied."}},
		{"denied with a reason", `{"argv":["say"]}`, tools.Approval{Reason: "use go vet"}, agents.ToolDenied, []string{"The command was denied: use go vet"}},
		{"no program", `{"argv":[""]}`, tools.Approval{Allowed: true}, agents.ToolError, []string{"empty"}},
		{"no arguments", `{"argv":[]}`, tools.Approval{Allowed: true}, agents.ToolError, []string{"argv"}},
		{"a line", `{"argv":"rm -rf /"}`, tools.Approval{Allowed: true}, agents.ToolError, []string{"argv"}},
		{"a NUL", `{"argv":["say","a\u0000"]}`, tools.Approval{Allowed: true}, agents.ToolError, []string{"NUL"}},
		{"too long", `{"argv":["say","` + strings.Repeat("x", 7999) + `"]}`, tools.Approval{Allowed: true}, agents.ToolError, []string{"8002 bytes; 8000 is the most"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := must.Get(tools.NewExecutor(tools.Sources{
				Workspaces: &folders{dir: dir}, Approver: &decider{Approval: c.decision}, Env: []string{"LANG=C", "GOFLAGS=-x"},
				Fence: func(label, text string) string { return "<" + label + ">" + text + "<end>" },
			}, tools.RunCommand(0)))(t)
			got := run(t, e, agents.RunCommandName, c.args)
			for _, want := range c.want {
				if got.Status != c.status || !strings.Contains(got.Text, want) {
					t.Errorf("%s %q, want %s with %q", got.Status, got.Text, c.status, want)
				}
			}
		})
	}
}

func TestRunCommand_keepsWhatCameBeforeItWasStopped(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		e := must.Get(tools.NewExecutor(tools.Sources{
			Workspaces: &folders{dir: dir}, Approver: &decider{Approval: tools.Approval{Allowed: true}},
		}, tools.RunCommand(0)))(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		got := e.Execute(ctx, ada, ada.ToolCall(1), agents.ToolCall{Name: agents.RunCommandName, Args: `{"argv":["hang"]}`})
		if got.Status != agents.ToolAborted || !strings.Contains(got.Text, "The call was stopped.") || !strings.Contains(got.Text, "half of it") {
			t.Errorf("%+v", got)
		}
	})
}

func TestCommand_hashIsOfAllThatAnApprovalIsBoundTo(t *testing.T) {
	in := tools.WorkspaceInfo{Mode: "clone", Dir: "/s/ada"}
	c := tools.Command{Argv: []string{"go", "test"}, Env: []string{"PATH=/bin", "HOME=/s/tmp/1"}, TempDir: "/s/tmp/1"}
	same := c
	same.Env, same.TempDir = []string{"PATH=/bin", "HOME=/s/tmp/2"}, "/s/tmp/2"
	if c.Hash(in) != same.Hash(in) {
		t.Error("the same command in another call has another hash")
	}
	for name, other := range map[string]string{
		"arguments":             tools.Command{Argv: []string{"go test"}, Env: c.Env, TempDir: c.TempDir}.Hash(in),
		"where arguments end":   tools.Command{Argv: []string{"gotest"}, Env: c.Env, TempDir: c.TempDir}.Hash(in),
		"an argument as env":    tools.Command{Argv: []string{"go"}, Env: append([]string{"test"}, c.Env...), TempDir: c.TempDir}.Hash(in),
		"environment":           tools.Command{Argv: c.Argv, Env: []string{"PATH=/evil", "HOME=/s/tmp/1"}, TempDir: c.TempDir}.Hash(in),
		"folder":                c.Hash(tools.WorkspaceInfo{Mode: "clone", Dir: "/s/brook"}),
		"mode":                  c.Hash(tools.WorkspaceInfo{Mode: "container", Dir: "/s/ada"}),
		"what the container is": c.Hash(tools.WorkspaceInfo{Mode: "clone", Dir: "/s/ada", Container: "docker"}),
	} {
		if other == c.Hash(in) {
			t.Errorf("the hash does not depend on: %s", name)
		}
	}
}
