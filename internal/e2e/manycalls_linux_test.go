package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/testing/must"
)

// readers is a server whose models read 16 files of 64 KB in each of their turns, all
// in one completion, before they speak.
func readers(t *testing.T) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || err != nil {
			http.NotFound(w, r)
			return
		}
		sent := string(body)
		w.Header().Set("Content-Type", "text/event-stream")
		if strings.Contains(sent, `"read_file"`) && !strings.Contains(sent, `"role":"tool"`) {
			for i := range 16 {
				args := fmt.Sprintf(`{"path":"log%d.txt"}`, i)
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"c%d\",\"type\":\"function\","+
					"\"function\":{\"name\":\"read_file\",\"arguments\":%s}}]}}]}\n\n", i, i, quoted(args))
			}
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n")
		} else {
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I read it.\"},\"finish_reason\":\"stop\"}]}\n\n")
		}
		fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(srv.Close)
	return srv
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
	config := seated(t, readers(t).URL, "", 8)
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
