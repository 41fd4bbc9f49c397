//go:build unix

package acp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/internal/testing/must"
)

// ada is the speaker of the tests.
var ada = agents.Profile{ID: "ada", Name: "Ada", Provider: "fake", Model: agents.DefaultModel}

// configOf returns how to run the fake agent of a kind.
func configOf(t *testing.T, kind string) acp.Config {
	t.Helper()
	program := must.Get(os.Executable())(t)
	set := map[string]string{"FAKE_AGENT": kind, "PIDS": filepath.Join(t.TempDir(), "pids")}
	return acp.Config{Preset: acp.Preset{Command: []string{program}, SignIn: "fake login", Set: set}, Env: []string{"PATH", "TMPDIR"}}
}

func optionsOf(t *testing.T) acp.Options {
	t.Helper()
	return acp.Options{Env: os.LookupEnv, Version: "test"}
}

func newProvider(t *testing.T, c acp.Config, o acp.Options) *acp.Provider {
	t.Helper()
	p := must.Get(acp.New("fake", c, o))(t)
	t.Cleanup(func() { must.Do(t, p.Close()) })
	return p
}

// turnOf returns the n-th turn of Ada.
func turnOf(n int) agents.Turn {
	return agents.Turn{Session: "k7m2", Round: n, Attempt: 1, Agent: ada.ID}
}

// ground is the tools of the tests, the folder that the agent works in, and the user.
type ground struct {
	folder  agents.Folder
	allowed bool

	mu    sync.Mutex
	asked []string
	calls []string
}

func (g *ground) Specs() []agents.ToolSpec {
	return []agents.ToolSpec{{Name: agents.RequestContextName, Description: "ask", Schema: []byte(`{"type":"object","properties":{` +
		`"query":{"type":"string","minLength":1},"reason":{"type":"string"},"priority":{"type":"string","enum":["required","optional"]},` +
		`"id":{"type":"integer"}},"required":[]}`)}}
}

func (g *ground) Execute(_ context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = append(g.calls, fmt.Sprintf("%s by %s in round %d: %s", id, turn.Agent, turn.Round, call.Args))
	return agents.ToolResult{Status: agents.ToolOK, Text: "asked", Summary: "asked"}
}

func (g *ground) Folder(context.Context, agents.Turn) (agents.Folder, error) { return g.folder, nil }

func (g *ground) Approve(_ context.Context, _ agents.Turn, call agents.OwnCall, argv []string) (bool, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, call.ID+" "+strings.Join(argv, " | "))
	return g.allowed, ""
}

// workspaceOf returns a folder with a file, and a link that leads out of it.
func workspaceOf(t *testing.T) agents.Folder {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\n"), 0o600))
	if err := os.Symlink(os.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	return agents.Folder{Dir: dir, Open: func() (*os.Root, error) { return os.OpenRoot(dir) }}
}

// spoken is what was observed of a turn.
type spoken struct {
	reply agents.Reply
	err   error
	lines []string // text, reasoning and calls in their order
	sent  agents.Request
	usage agents.Usage
	last  agents.Completion

	starting []string // what starts, each time that the turn waits
}

func (s spoken) all() string { return strings.Join(s.lines, "\n") }

// wants checks what the reply is.
func (s spoken) wants(t *testing.T, text string) {
	t.Helper()
	if s.err != nil || s.reply.Text != text {
		t.Errorf("got %q, %v, want %q", s.reply.Text, s.err, text)
	}
}

// failure returns why the turn failed.
func (s spoken) failure(t *testing.T) *agents.Failure {
	t.Helper()
	var f *agents.Failure
	if !errors.As(s.err, &f) {
		t.Fatalf("got %v, want a failure; observed:\n%s", s.err, s.all())
	}
	return f
}

// onText is the key of a context's function that is called at the first text.
type onText struct{}

// speak runs a turn whose prompt is a script.
func speak(ctx context.Context, p *acp.Provider, who agents.Profile, turn agents.Turn, kit agents.Toolkit, script ...string) spoken {
	var s spoken
	add := func(kind, words string) {
		if n := len(s.lines); n > 0 && strings.HasPrefix(s.lines[n-1], kind+": ") && kind != "call" {
			s.lines[n-1] += words
			return
		}
		s.lines = append(s.lines, kind+": "+words)
	}
	observe := func(e agents.Progress) error {
		switch e := e.(type) {
		case agents.Queued:
			s.starting = append(s.starting, e.Starting)
		case agents.Sending:
			s.sent = e.Request
		case agents.Text:
			if e.Reasoning {
				add("thought", e.Text)
				break
			}
			add("text", e.Text)
			if cancel, ok := ctx.Value(onText{}).(context.CancelFunc); ok {
				cancel()
			}
		case agents.Called:
			add("call", fmt.Sprintf("%s %s %s own=%v", e.ID, e.Call.Name, e.Call.Args, e.Own))
		case agents.ToolDone:
			add("result", fmt.Sprintf("%s %s %s %s", e.ID, e.Result.Status, e.Result.Text, e.Call.Args))
		case agents.Completed:
			s.last, s.usage = e.Completion, e.Completion.Usage
		case agents.Broken:
			s.usage = e.Usage
		}
		return nil
	}
	messages := []agents.Message{{Role: agents.System, Text: "think as told"}, {Role: agents.User, Text: strings.Join(script, "\n")}}
	s.reply, s.err = agents.Agent{Profile: who, Client: p}.Speak(ctx, turn, messages, kit, observe)
	return s
}

// atOnce is a clock on which one wait is over as soon as it begins, and no other ever.
func atOnce(d time.Duration) func(time.Duration, func()) func() bool {
	return func(wait time.Duration, f func()) func() bool {
		if wait == d {
			go f()
		}
		return func() bool { return false }
	}
}
