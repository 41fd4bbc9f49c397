package tools_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/testing/must"
)

// An agent's command is asked about each time unless only a description, a timeout and the
// folder of the workspace come with it.
func TestApprove_showsAndCoversAllThatComesWithACommand(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "clone")
	must.Do(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	r := &decider{Approval: tools.Approval{Allowed: true}}
	e := must.Get(tools.NewExecutor(tools.Sources{Workspaces: &folders{dir: base}, Approver: r}))(t)
	words := []any{"rm", "-rf", "build"}
	hashes := map[string]string{}
	for _, c := range []struct {
		name    string
		input   map[string]any
		argv    []string
		each    string // a part of the reason; "" if it can be allowed for longer
		same    bool   // the hash is that of the plain command
		dir     string // in which it is said to run
		outside bool
	}{
		{name: "plain", input: map[string]any{"command": words}, dir: dir, same: true},
		{name: "description", input: map[string]any{"command": words, "description": "tidy"}, dir: dir, same: true},
		{name: "timeout", input: map[string]any{"command": words, "timeout": 9.0}, dir: dir},
		{name: "folder", input: map[string]any{"command": words, "cwd": dir + "/sub/.."}, dir: dir},
		{name: "subfolder", input: map[string]any{"command": words, "cwd": "sub"}, each: "another folder", dir: filepath.Join(dir, "sub")},
		{name: "outside", input: map[string]any{"command": words, "workdir": "/"}, each: "another folder", dir: "/", outside: true},
		{name: "home", input: map[string]any{"command": words, "cwd": "~"}, each: "cwd"},
		{name: "two folders", input: map[string]any{"command": words, "cwd": dir, "workdir": "/"}, each: "cwd"},
		{name: "a list as folder", input: map[string]any{"command": words, "cwd": []any{"/"}}, each: "cwd"},
		{name: "environment", input: map[string]any{"command": words, "env": map[string]any{"LD_PRELOAD": "/x.so"}}, each: "env.LD_PRELOAD", dir: dir},
		{name: "background", input: map[string]any{"command": words, "run_in_background": true}, each: "run_in_background", dir: dir},
		{name: "sandbox", input: map[string]any{"command": words, "dangerouslyDisableSandbox": true}, each: "Sandbox", dir: dir},
		{name: "unknown", input: map[string]any{"command": words, "x": nil}, each: "x comes", dir: dir},
		{name: "description as object", input: map[string]any{"command": words, "description": map[string]any{"a": 1.0}}, each: "description.a", dir: dir},
		{name: "as Copilot says it", input: map[string]any{"command": "rm -rf build", "commands": []any{"rm -rf build"}}, dir: dir, same: true},
		{name: "another in commands", input: map[string]any{"command": "rm -rf build", "commands": []any{"ls"}}, each: "commands", dir: dir},
		{name: "more in commands", input: map[string]any{"command": "rm x", "commands": []any{"rm x", "ls"}}, each: "commands", dir: dir},
		{name: "an id, which no agent sends", input: map[string]any{"command": words, "call_id": "1"}, each: "call_id", dir: dir},
		{name: "shell", input: map[string]any{}, argv: []string{"/bin/bash", "--rcfile", "x", "-lc", "ls"}, each: "bash is given a line", dir: dir},
		{name: "timeout sh", input: map[string]any{}, argv: []string{"timeout", "5", "sh", "-c", "ls"}, each: "sh is given a line", dir: dir},
		{name: "env", input: map[string]any{}, argv: []string{"env", "A=b", "ls"}, each: "env sets", dir: dir},
		{name: "line", input: map[string]any{"command": "ls; rm x"}, argv: []string{"ls; rm x"}, each: "a shell reads", dir: dir},
	} {
		if c.argv == nil {
			c.argv = []string{"rm", "-rf", "build"}
		}
		if ok, reason := e.Approve(t.Context(), agents.Turn{}, agents.OwnCall{ID: "c", Input: c.input}, c.argv); !ok {
			t.Fatalf("%s: %s", c.name, reason)
		}
		asked := r.asked
		each := asked.EachTime(r.in)
		if (each == "") != (c.each == "") || !strings.Contains(each, c.each) {
			t.Errorf("%s: asked each time: %q, want %q", c.name, each, c.each)
		}
		if asked.Dir(r.in) != c.dir || asked.Outside(r.in) != c.outside {
			t.Errorf("%s: in %q, outside %t", c.name, asked.Dir(r.in), asked.Outside(r.in))
		}
		hashes[c.name] = asked.Hash(r.in)
		if same := hashes[c.name] == hashes["plain"]; same != c.same {
			t.Errorf("%s: has the hash of the plain command: %t", c.name, same)
		}
	}
}

// An agent without a workspace works in an empty folder, another one in each turn.
func TestApprove_namesTheFolderOfASeatWithoutAWorkspace(t *testing.T) {
	own, next := real(t), real(t)
	r := &decider{Approval: tools.Approval{Allowed: true}}
	e := must.Get(tools.NewExecutor(tools.Sources{Approver: r}))(t)
	for _, c := range []struct {
		name    string
		input   map[string]any
		dir     string
		each    string
		outside bool
	}{
		{"a call that is no command", nil, own, "", false},
		{"plain", map[string]any{"command": []any{"ls"}}, own, "", false},
		{"as Codex names it", map[string]any{"command": []any{"ls"}, "cwd": own}, own, "", false},
		{"below it", map[string]any{"command": []any{"ls"}, "cwd": "sub"}, filepath.Join(own, "sub"), "another folder", false},
		{"outside", map[string]any{"command": []any{"ls"}, "cwd": "/"}, "/", "another folder", true},
		{"above it", map[string]any{"command": []any{"ls"}, "workdir": ".."}, filepath.Dir(own), "another folder", true},
		{"not known", map[string]any{"command": []any{"ls"}, "cwd": "$HOME"}, "", "cwd comes", false},
	} {
		call := agents.OwnCall{ID: "c", Input: c.input, Dir: own}
		if ok, reason := e.Approve(t.Context(), agents.Turn{}, call, []string{"ls"}); !ok {
			t.Fatalf("%s: %s", c.name, reason)
		}
		asked := r.asked
		if dir := asked.Dir(r.in); dir != c.dir || !r.in.Own || asked.Outside(r.in) != c.outside {
			t.Errorf("%s: in %q, own %t, outside %t", c.name, dir, r.in.Own, asked.Outside(r.in))
		}
		if each := asked.EachTime(r.in); (each == "") != (c.each == "") || !strings.Contains(each, c.each) {
			t.Errorf("%s: asked each time: %q, want %q", c.name, each, c.each)
		}
		if c.each != "" {
			continue
		}
		hash, call := asked.Hash(r.in), agents.OwnCall{ID: "d", Input: maps.Clone(c.input), Dir: next}
		if call.Input["cwd"] != nil {
			call.Input["cwd"] = next
		}
		if e.Approve(t.Context(), agents.Turn{}, call, []string{"ls"}); r.asked.Hash(r.in) != hash {
			t.Errorf("%s: in the next turn it is another command", c.name)
		}
	}
}

func TestApprove_refusesMoreThanCanBeRead(t *testing.T) {
	r := &decider{Approval: tools.Approval{Allowed: true}}
	e := must.Get(tools.NewExecutor(tools.Sources{Workspaces: &folders{dir: t.TempDir()}, Approver: r}))(t)
	long := agents.OwnCall{ID: "c", Input: map[string]any{"x": strings.Repeat("y", 9000)}}
	if ok, reason := e.Approve(t.Context(), agents.Turn{}, long, []string{"ls"}); ok || !strings.Contains(reason, "8000 is the most") || r.asked != nil {
		t.Errorf("allowed %t, %q", ok, reason)
	}
}

// real returns a new folder without links in its path.
func real(t *testing.T) string {
	t.Helper()
	return must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
}
