package mcp_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/internal/testing/must"
)

// approvals keeps approved definitions in memory.
type approvals struct {
	mu  sync.Mutex
	all map[string]map[string]string
	err error
}

func (a *approvals) ApprovedTools(_ context.Context, server string) (map[string]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.all[server]), a.err
}

func (a *approvals) ApproveTools(_ context.Context, server string, definitions map[string]string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[string]map[string]string{}
	}
	if a.all[server] == nil {
		a.all[server] = map[string]string{}
	}
	maps.Copy(a.all[server], definitions)
	return a.err
}

// hostile returns the configuration of a server of the test binary that allows the tool
// echo.
func hostile(t testing.TB, kind string) mcp.Config {
	t.Helper()
	program := must.Get(os.Executable())(t)
	dir := t.TempDir()
	return mcp.Config{Command: []string{program}, Allow: []string{"echo"}, Env: map[string]string{
		hostileVariable: kind, "PIDS": filepath.Join(dir, "pids"), "STARTS": filepath.Join(dir, "starts"),
	}}
}

// start returns servers that are closed with the test.
func start(t testing.TB, configs map[string]mcp.Config, o mcp.Options) *mcp.Servers {
	t.Helper()
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	if o.Approvals == nil {
		o.Approvals = &approvals{}
	}
	if o.WithTimeout == nil {
		o.WithTimeout = patient
	}
	s := mcp.New(configs, o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// patient lets servers start slowly, as they do on a busy machine.
func patient(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d == mcp.StartTimeout {
		d = 2 * time.Minute
	}
	return context.WithTimeout(ctx, d)
}

// one starts a single hostile server named x.
func one(t testing.TB, kind string) *mcp.Servers { return started(t, kind, nil) }

// started is one with more of an environment, such as the results of some methods.
func started(t testing.TB, kind string, env map[string]string, allow ...string) *mcp.Servers {
	t.Helper()
	config := hostile(t, kind)
	maps.Copy(config.Env, env)
	config.Allow = append(config.Allow, allow...)
	return start(t, map[string]mcp.Config{"x": config}, mcp.Options{})
}

// long skips a test that takes seconds in a short run, and runs it beside others.
func long(t *testing.T) {
	t.Helper()
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

// toolsOf returns the offered tools and the notices of a round.
func toolsOf(t testing.TB, s *mcp.Servers) ([]tools.Tool, string) {
	t.Helper()
	offered, notices, err := s.Tools(t.Context())
	must.Do(t, err)
	return offered, strings.Join(slices.Concat(notices...), "\n")
}

func names(all []tools.Tool) string {
	var out []string
	for _, t := range all {
		out = append(out, t.Spec.Name)
	}
	return strings.Join(out, " ")
}

// call runs a call as a debate does.
func call(t testing.TB, all []tools.Tool, name, text string) agents.ToolResult {
	t.Helper()
	fence := func(label, text string) string { return "<<" + label + ">>" + text + "<<end>>" }
	e := must.Get(tools.NewExecutor(tools.Sources{Fence: fence}, all...))(t)
	return execute(t, e, name, fmt.Sprintf(`{"text":%q}`, text))
}

func execute(t testing.TB, e *tools.Executor, name, args string) agents.ToolResult {
	t.Helper()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	return e.Execute(t.Context(), turn, turn.ToolCall(1), agents.ToolCall{ID: "1", Name: name, Args: args})
}

func contains(t testing.TB, what, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %q:\n%.2000s", what, want, got)
		}
	}
}
