//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"roundtable/internal/testing/must"
)

// exit is a program in a pseudo-terminal whose end is looked at closely.
type exit struct {
	*terminal
	env    []string
	tty    *os.File
	before *term.State
}

// newExit starts a command in a pseudo-terminal that outlives it.
func newExit(t *testing.T, env []string, cmd *exec.Cmd) *exit {
	t.Helper()
	master, tty, err := pty.Open()
	must.Do(t, err)
	t.Cleanup(func() { tty.Close() })
	before, err := term.GetState(tty.Fd())
	must.Do(t, err)
	return &exit{startOn(t, cmd, master, tty, 100, 30), env, tty, before}
}

// restored fails unless the terminal is as it was before the program came.
func (x *exit) restored() {
	x.Helper()
	now := must.Get(term.GetState(x.tty.Fd()))(x)
	if !reflect.DeepEqual(x.before, now) {
		x.Errorf("the terminal's settings are not what they were:\n%+v\n%+v", x.before, now)
	}
	deadline := time.After(patience)
	for { // what it has written last may be on its way still
		left := leftOn(x.written())
		if left == nil {
			return
		}
		select {
		case <-x.changed:
		case <-deadline:
			x.Errorf("left on: %s", strings.Join(left, ", "))
			return
		}
	}
}

const (
	altScreen  = "\x1b[?1049h"
	mainScreen = "\x1b[?1049l"
)

// leftOn lists what a program's output has switched on and not off again.
func leftOn(raw string) (left []string) {
	for _, mode := range []struct{ on, off, name string }{
		{altScreen, mainScreen, "the alternate screen"},
		{"\x1b[?2004h", "\x1b[?2004l", "bracketed paste"},
		{"\x1b[?25l", "\x1b[?25h", "the hidden cursor"},
		{"\x1b[?1000h", "\x1b[?1000l", "the mouse"},
		{"\x1b[?1002h", "\x1b[?1002l", "the mouse's movement"},
		{"\x1b[?1003h", "\x1b[?1003l", "all of the mouse's movement"},
		{"\x1b[?1006h", "\x1b[?1006l", "the mouse's encoding"},
		{"\x1b[?1004h", "\x1b[?1004l", "the report of the focus"},
		{"\x1b[?2026h", "\x1b[?2026l", "a synchronized frame"},
		{"\x1b[>4;2m", "\x1b[>4m", "the encoding of keys"},
	} {
		if strings.LastIndex(raw, mode.on) > strings.LastIndex(raw, mode.off) {
			left = append(left, mode.name)
		}
	}
	if on, off := strings.Count(raw, "\x1b[>1u"), strings.Count(raw, "\x1b[<1u"); on > off {
		left = append(left, fmt.Sprintf("%d of %d keyboard protocols", on-off, on))
	}
	return left
}

// saved fails unless the session is there with one of the states.
func (x *exit) saved(states ...string) {
	x.Helper()
	all := sessions(x.TB, x.env)
	if len(all) != 1 || !strings.Contains(strings.Join(states, " "), all[0].Status) {
		x.Errorf("afterwards: %+v, want one that is %v", all, states)
	}
}

// begins starts the demo and waits until it writes.
func (x *exit) begins() {
	x.Helper()
	x.await("Start the demo debate")
	x.send(enter)
	x.await("writing", "Ada")
}

// quit asks to quit, and answers the question that a running round makes of it.
func (x *exit) quit() {
	x.Helper()
	x.send(ctrlC)
	time.Sleep(500 * time.Millisecond) // no question is answered at once
	x.send(ctrlC)
}

func signalled(sig syscall.Signal) func(*exit) {
	return func(x *exit) {
		must.Do(x, x.cmd.Process.Signal(sig))
	}
}

// Whichever way the program ends in the middle of a round: the terminal is as it
// was, the exit code says how it ended, and the round goes on later.
func TestExit_restoresTheTerminalAndSavesTheSession(t *testing.T) {
	for _, c := range []struct {
		name string
		by   func(*exit)
		code int
	}{
		{"q, confirmed", func(x *exit) {
			x.send("q")
			x.await("New debate", "runs in the background")
			x.send("q")
			x.await("q quit · esc back")
			time.Sleep(500 * time.Millisecond) // no question is answered at once
			x.send("q")
		}, 0},
		{"ctrl+c twice", func(x *exit) { x.send(ctrlC); x.await("ctrl+c quit · esc back"); x.send(ctrlC) }, 0},
		{"TERM", signalled(syscall.SIGTERM), 128 + 15},
		{"HUP", signalled(syscall.SIGHUP), 128 + 1},
		{"INT", signalled(syscall.SIGINT), 128 + 2},
		{"QUIT", signalled(syscall.SIGQUIT), 128 + 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := filepath.Join(t.TempDir(), "config.toml") // the mouse is given back, too
			must.Do(t, os.WriteFile(config, []byte("[ui]\nmouse = true\n"), 0o600))
			env := append(home(t), "ROUNDTABLE_CONFIG="+config)
			x := newExit(t, env, program(t, env))
			x.begins()
			if raw := x.written(); !strings.Contains(raw, "\x1b[?1002h") || !strings.Contains(raw, "\x1b[?1006h") {
				t.Errorf("the mouse is not asked for: %q", raw)
			}
			begun := time.Now()
			c.by(x)
			if code := x.end(); code != c.code {
				t.Errorf("exit code %d, want %d; the screen:\n%s", code, c.code, x.text())
			}
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("it took %s", took)
			}
			x.restored()
			x.saved("interrupted", "needs_context")
			if !strings.Contains(x.written(), "Continue: roundtable resume ") && c.code == 0 {
				t.Error("it does not say how to go on")
			}
		})
	}
}

// Between rounds the program can be stopped by its key: the shell has its terminal meanwhile, and
// gets it back at the end.
func TestExit_afterHavingBeenStopped(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	env := home(t)
	inner := program(t, env)
	cmd := exec.Command(shell, "-c", `set -m; "$0"; echo "[stopped $?]"; read line; fg >/dev/null; echo "[ended $?]"; read line`, inner.Path)
	cmd.Env = inner.Env
	x := newExit(t, env, cmd)
	x.begins()
	x.send("\x1a")
	x.await("You can suspend once no round runs")
	x.send(">")
	x.entersForm()
	x.send("\x1a")
	x.await("[stopped 147]")
	x.restored()
	x.send("\r")
	x.await("Context for round 2", takesKeys)
	x.send("typed after that")
	x.await("typed after that")
	x.send(ctrlC)
	x.await("[ended 0]", "Continue: roundtable resume")
	x.restored()
	x.saved("needs_context")
	x.send("\r")
	x.end()
}

// The terminal's window may be closed while a round runs.
func TestExit_whenTheTerminalIsGone(t *testing.T) {
	t.Parallel()
	env := home(t)
	master, tty, err := pty.Open()
	must.Do(t, err)
	x := &exit{terminal: startOn(t, program(t, env), master, tty, 100, 30), env: env}
	tty.Close()
	x.begins()
	master.Close()
	if code := x.end(); code != 128+1 {
		t.Errorf("exit code %d", code)
	}
	x.saved("interrupted", "needs_context")
}

const canary = "sk-canary-0123456789"

// A defect takes neither the terminal nor the session along, and what is kept of
// it quotes nothing.
func TestExit_byAPanic(t *testing.T) {
	skipShort(t)
	t.Parallel()
	exe := built(t)
	for _, c := range []struct {
		site string
		code int
		says string
	}{
		{"update", 1, "a defect in Roundtable: panic of type string"},
		{"cmd", 1, "a defect in Roundtable: panic of type string"},
		{"agent", 0, "1 failed"},
		{"store", 0, "Cannot save"},
	} {
		t.Run(c.site, func(t *testing.T) {
			t.Parallel()
			env := append(home(t), "ROUNDTABLE_PANIC="+c.site)
			cmd := exec.Command(exe)
			cmd.Env = env
			x := newExit(t, env, cmd)
			x.await("Start the demo debate")
			x.send(enter)
			if c.code != 0 {
				x.await("writing", "Ada")
				x.send("!")
			} else {
				x.await(c.says)
				x.quit()
			}
			if code := x.end(); code != c.code {
				t.Errorf("exit code %d, want %d; the screen:\n%s", code, c.code, x.text())
			}
			x.restored()
			x.saved("interrupted", "needs_context", "complete")
			if raw := x.written(); strings.Contains(raw, canary) || c.code != 0 && !strings.Contains(raw, c.says) {
				t.Errorf("it says\n%s", x.text())
			}
			if c.site == "agent" {
				x.shows("Internal error in Roundtable: panic of type string.")
			}
			x.reported()
		})
	}
}

// shows fails unless the session, printed, has a text in it.
func (x *exit) shows(text string) {
	x.Helper()
	out, err := program(x.TB, x.env, "show", sessions(x.TB, x.env)[0].ID).Output()
	if err != nil || !strings.Contains(string(out), text) {
		x.Errorf("%v; it lacks %q:\n%s", err, text, out)
	}
}

// reported fails unless the log, for its owner only, tells one defect and quotes nothing.
func (x *exit) reported() {
	x.Helper()
	log := filepath.Join(variable(x.env, "XDG_STATE_HOME"), "roundtable", "roundtable.log")
	text := must.Get(os.ReadFile(log))(x)
	if strings.Contains(string(text), canary) || strings.Count(string(text), "msg=defect") != 1 || !strings.Contains(string(text), "faults_on.go") {
		x.Errorf("the log says\n%s", text)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		x.Errorf("the log has the mode %v, %v", info.Mode(), err)
	}
}
