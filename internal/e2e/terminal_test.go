//go:build unix

package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"roundtable/internal/cli"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/must"
)

// asProgram is set to the module's root to make the test binary run as the
// program: the same code, with the race detector, and nothing to build.
const asProgram = "ROUNDTABLE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if root := os.Getenv(asProgram); root != "" {
		example, err := os.ReadFile(filepath.Join(root, "config.example.toml"))
		if err != nil {
			panic(err)
		}
		os.Exit(cli.Main(context.Background(), cli.Process{
			Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.LookupEnv, Example: example,
		}))
	}
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen && runtime.GOMAXPROCS(0) < atOnce {
		if err := flag.Set("test.parallel", strconv.Itoa(atOnce)); err != nil {
			panic(err)
		}
	}
	for _, sig := range ending { // what the tests start would inherit that they are ignored, as under nohup
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	code := m.Run()
	os.RemoveAll(build.dir)
	os.Exit(code)
}

// build is the program as main makes it, with its crash points. The mode of
// docs/extending.md is one of its modes.
var build struct {
	sync.Once
	dir string
	err error
}

// built builds the program, once for all tests, and returns its path.
func built(t *testing.T) string {
	t.Helper()
	build.Do(func() {
		name, file := modeOfTheDocs(t)
		root, err := filepath.Abs(moduleRoot)
		must.Do(t, err)
		if build.dir, build.err = os.MkdirTemp("", "roundtable"); build.err != nil {
			return
		}
		toml, overlay := filepath.Join(build.dir, "mode.toml"), filepath.Join(build.dir, "overlay.json")
		replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "debate/modes", name+".toml"): toml}})
		build.err = errors.Join(err, os.WriteFile(toml, []byte(file), 0o600), os.WriteFile(overlay, replace, 0o600))
		cmd := exec.Command("go", "build", "-tags", "crashpoints", "-overlay", overlay, "-o", filepath.Join(build.dir, "program"), ".")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			build.err = errors.Join(build.err, fmt.Errorf("build with crash points: %w\n%s", err, out))
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return filepath.Join(build.dir, "program")
}

// atOnce is how many of these tests run at the same time at least: most of their
// time they wait for the pace of the demo, for a backoff or for the disk.
const atOnce = 8

// skipShort skips a test that builds the program, or takes seconds, in a short run.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("not in a short run")
	}
}

// inFull reports whether the tests that take a sample by default are to do all
// that they can.
func inFull() bool { return os.Getenv("ROUNDTABLE_LONG") != "" }

// count returns how often to try something, by default and in full.
func count(sample, full int) int {
	if inFull() {
		return full
	}
	return sample
}

// patience is how long a screen may take; it is only ever used up by a failing test.
const patience = 60 * time.Second

// terminal runs the program in a pseudo-terminal and keeps the screen it draws.
type terminal struct {
	testing.TB
	cmd     *exec.Cmd
	pty     *os.File
	exited  chan struct{}
	drained chan struct{} // all output is read
	changed chan struct{}
	mu      sync.Mutex
	screen  *vt.Emulator
	w, h    int
	raw     bytes.Buffer
	deaf    sync.Mutex // held while nothing is read
}

// home returns an environment of its own for the program.
func home(t testing.TB) []string {
	t.Helper()
	root := must.Get(filepath.Abs(moduleRoot))(t)
	dir := t.TempDir()
	return []string{
		asProgram + "=" + root, "HOME=" + dir, "XDG_CONFIG_HOME=" + dir + "/config", "XDG_DATA_HOME=" + dir + "/data", "XDG_STATE_HOME=" + dir + "/state",
		"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "GORACE=halt_on_error=1 atexit_sleep_ms=0",
		"HTTPS_PROXY=http://127.0.0.1:1", // nothing is sent to another machine
	}
}

// variable returns the value of a variable in an environment.
func variable(env []string, name string) string {
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	return env[i][len(name)+1:]
}

// program returns a command of the program that needs no terminal.
func program(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	cmd := exec.Command(exe, args...)
	cmd.Env = env
	return cmd
}

// headless runs a command and returns its exit code and what it printed.
func headless(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	cmd := program(t, env, args...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// runs runs a command that ends with an exit code, and returns what it printed.
func runs(t *testing.T, env []string, code int, args ...string) string {
	t.Helper()
	got, out := headless(t, env, args...)
	if got != code {
		t.Fatalf("%q: exit code %d, want %d: %s", args, got, code, out)
	}
	return out
}

// open starts the program in a pseudo-terminal of its own.
func open(t testing.TB, env []string, w, h int, args ...string) *terminal {
	t.Helper()
	return openCommand(t, program(t, env, args...), w, h)
}

// openCommand starts a command in a pseudo-terminal of its own.
func openCommand(t testing.TB, cmd *exec.Cmd, w, h int) *terminal {
	t.Helper()
	master, tty, err := pty.Open()
	must.Do(t, err)
	defer tty.Close() // the program has it by then
	return startOn(t, cmd, master, tty, w, h)
}

// startOn starts a command in a pseudo-terminal.
func startOn(t testing.TB, cmd *exec.Cmd, master, tty *os.File, w, h int) *terminal {
	t.Helper()
	tm := &terminal{
		TB: t, cmd: cmd, pty: master, screen: vt.NewEmulator(w, h), w: w, h: h,
		exited: make(chan struct{}), drained: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	must.Do(t, pty.Setsize(master, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}))
	tm.cmd.Stdin, tm.cmd.Stdout, tm.cmd.Stderr = tty, tty, tty
	tm.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must.Do(t, tm.cmd.Start())
	go tm.answerQueries()
	go tm.read()
	go tm.reap()
	t.Cleanup(func() {
		tm.cmd.Process.Kill()
		<-tm.exited
		master.Close()
	})
	return tm
}

// answerQueries hands the emulator's replies to the program, as a terminal does.
func (tm *terminal) answerQueries() {
	buf := make([]byte, 4096)
	for {
		n, err := tm.screen.Read(buf)
		if n > 0 {
			tm.pty.Write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (tm *terminal) read() {
	defer close(tm.drained)
	buf := make([]byte, 64<<10)
	for {
		tm.deaf.Lock()
		n, err := tm.pty.Read(buf)
		tm.deaf.Unlock()
		tm.mu.Lock()
		tm.raw.Write(buf[:n])
		tm.screen.Write(buf[:n])
		tm.mu.Unlock()
		select {
		case tm.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// reap waits for the program's end, and for what it has written last.
func (tm *terminal) reap() {
	tm.cmd.Wait()
	select {
	case <-tm.drained:
	case <-time.After(time.Second): // what the program has started may still hold the terminal, or nobody reads
	}
	if p, ok := tm.screen.InputPipe().(io.Closer); ok {
		p.Close()
	}
	close(tm.exited)
}

// written returns all that the program has written.
func (tm *terminal) written() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.raw.String()
}

// text returns the screen, a line per row.
func (tm *terminal) text() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.rows()
}

// rows is text for those who hold the lock.
func (tm *terminal) rows() string {
	var b strings.Builder
	for y := range tm.h {
		var row strings.Builder
		for x := 0; x < tm.w; {
			c := tm.screen.CellAt(x, y)
			if c == nil || c.Width == 0 || c.Content == "" {
				row.WriteByte(' ')
				x++
				continue
			}
			row.WriteString(c.Content)
			x += c.Width
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return b.String()
}

// await waits until the screen shows all of want, and returns it.
func (tm *terminal) await(want ...string) string {
	tm.Helper()
	deadline := time.After(patience)
	for {
		text := tm.text()
		missing := ""
		for _, w := range want {
			if !strings.Contains(text, w) {
				missing = w
			}
		}
		if missing == "" {
			return text
		}
		select {
		case <-tm.changed:
		case <-tm.exited:
			tm.Fatalf("the program exited (%v) without showing %q; the screen:\n%s", tm.cmd.ProcessState, missing, tm.text())
		case <-deadline:
			tm.Fatalf("the screen never showed %q:\n%s\n%s", missing, text, tm.goroutines())
		}
	}
}

// goroutines ends the program and returns what its goroutines were doing.
func (tm *terminal) goroutines() string {
	before := len(tm.written())
	tm.cmd.Process.Signal(syscall.SIGABRT)
	select {
	case <-tm.exited:
	case <-time.After(patience):
	}
	return tm.written()[before:]
}

// send types.
func (tm *terminal) send(keys string) {
	tm.Helper()
	if _, err := tm.pty.WriteString(keys); err != nil {
		tm.Fatalf("type %q: %v", keys, err)
	}
}

// press types a key and waits for what it brings.
func (tm *terminal) press(key string, brings ...string) {
	tm.Helper()
	tm.send(key)
	tm.await(brings...)
}

// gone waits until the screen does not show a text any more.
func (tm *terminal) gone(text string) {
	tm.Helper()
	deadline := time.After(patience)
	for strings.Contains(tm.text(), text) {
		select {
		case <-tm.changed:
		case <-deadline:
			tm.Fatalf("the screen still shows %q:\n%s", text, tm.text())
		}
	}
}

// kill ends the program as a crash of the machine would.
func (tm *terminal) kill() {
	tm.Helper()
	must.Do(tm, tm.cmd.Process.Signal(syscall.SIGKILL))
	<-tm.exited
}

// end waits for the program to exit by itself and returns its code.
func (tm *terminal) end() int {
	tm.Helper()
	select {
	case <-tm.exited:
	case <-time.After(patience):
		tm.Fatalf("the program did not exit; the screen:\n%s", tm.text())
	}
	return tm.cmd.ProcessState.ExitCode()
}

// leaves types keys by which the program exits well.
func (tm *terminal) leaves(keys ...string) {
	tm.Helper()
	for _, key := range keys {
		tm.send(key)
	}
	if code := tm.end(); code != 0 {
		tm.Errorf("exit code %d", code)
	}
}

// Keys as a terminal sends them.
const (
	enter = "\r"
	esc   = "\x1b"
	right = "\x1b[C"
	left  = "\x1b[D"
	ctrlC = "\x03"
	ctrlS = "\x13"
)

// cue is what a model of a script waits for.
type cue chan struct{}

// wait returns when the cue is given, or when the test ends.
func (c cue) wait(t *testing.T) {
	select {
	case <-c:
	case <-t.Context().Done():
	}
}
