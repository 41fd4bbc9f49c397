package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// readers answers as models that read 16 files of 64 KB in each of their turns, all
// in one completion, before they speak.
func readers(r endpoint.Request) endpoint.Reply {
	if r.Tool("read_file") == "" || r.Results > 0 {
		return endpoint.Reply{Text: "I read it."}
	}
	return endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
		for i := range 16 {
			endpoint.Stream(w, fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","type":"function",`+
				`"function":{"name":"read_file","arguments":%s}}]}}]}`, i, i, quoted(fmt.Sprintf(`{"path":"log%d.txt"}`, i))))
		}
		endpoint.Stream(w, `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]")
	}}
}

// most returns the most memory that a process has had resident, in MB.
func most(t *testing.T, pid int) (mb int) {
	t.Helper()
	raw := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))(t)
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	if _, err := fmt.Sscan(rest, &mb); err != nil {
		t.Fatal(err)
	}
	return mb >> 10
}

// A debate of eight seats that make 1,024 calls, each with a result of 64 KB, is saved and
// shown in less than 256 MB of memory: while it runs, in the tool log, and opened again.
func TestManyCalls_stayWithinTheMemory(t *testing.T) {
	skipShort(t)
	exe := built(t) // main bounds the memory, which the test binary is without
	dir := t.TempDir()
	log := strings.Repeat("a line of a log that is read at once, with some words more\n", 64<<10/59)
	for i := range 16 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("log%d.txt", i)), []byte(log), 0o600))
	}
	config := seated(t, endpoint.New(t, readers).URL, "", 8)
	raw := must.Get(os.ReadFile(config))(t)
	raw = []byte(strings.ReplaceAll(string(raw), "price_in", "context_window = 1000000\nprice_in"))
	must.Do(t, os.WriteFile(config, raw, 0o600))
	env := home(t)
	show := func(args ...string) (mb int) {
		cmd := exec.Command(exe, append([]string{"--config", config}, args...)...)
		cmd.Env = env
		tm := openCommand(t, cmd, 140, 40)
		tm.await("No votes of 8", "Verdict ·")
		tm.press("t", "512 calls")
		for range 40 {
			tm.send("\x1b[5~") // page up
		}
		tm.send(esc)
		tm.gone("512 calls")
		mb = most(t, cmd.Process.Pid)
		tm.send(ctrlC)
		tm.end()
		return mb
	}
	for _, args := range [][]string{
		{"new", "Is it so?", "--mode", "collaborative", "--rounds", "4", "--workspace", dir, "--start"}, {"--last"},
	} {
		mb := show(args...)
		t.Logf("%q: %d MB", args[0], mb)
		if mb >= 256 {
			t.Errorf("%s: %d MB were resident", args[0], mb)
		}
	}
}
