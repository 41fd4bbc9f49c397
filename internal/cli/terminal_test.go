//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen collects what the program sends to its terminal.
type screen struct {
	mu   sync.Mutex
	raw  bytes.Buffer
	more chan struct{}
	end  chan struct{}
}

// watch reads a terminal until it is closed.
func watch(r io.Reader) *screen {
	s := &screen{more: make(chan struct{}, 1), end: make(chan struct{})}
	go func() {
		defer close(s.end)
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			s.mu.Lock()
			s.raw.Write(buf[:n])
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// await waits until the terminal was sent a text.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	limit := time.NewTimer(time.Minute) // only a failing test waits that long
	defer limit.Stop()
	for !strings.Contains(s.text(), text) {
		select {
		case <-s.more:
		case <-s.end:
			t.Fatalf("it ended without sending %q:\n%q", text, s.text())
		case <-limit.C:
			t.Fatalf("it did not send %q:\n%q", text, s.text())
		}
	}
}

const (
	altScreen  = "\x1b[?1049h"
	mainScreen = "\x1b[?1049l"
)

func openTerminal(t *testing.T, env []string, args ...string) (*exec.Cmd, *os.File, *screen) {
	t.Helper()
	cmd := program(t.TempDir(), args...)
	cmd.Env = append(cmd.Env, append([]string{"TERM=xterm-256color", "LANG=C.UTF-8", "OPENAI_API_KEY=", "ANTHROPIC_API_KEY="}, env...)...)
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return cmd, file, watch(file)
}

func TestInterface_givesTheTerminalBackAfterASignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd, _, s := openTerminal(t, nil)
			s.await(t, altScreen)
			s.await(t, "Roundtable")
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(sig) {
				t.Fatalf("got %v, want exit code %d\n%q", err, 128+int(sig), s.text())
			}
			<-s.end
			if out := s.text(); strings.LastIndex(out, mainScreen) < strings.LastIndex(out, altScreen) {
				t.Errorf("the alternate screen was not left: %q", out)
			}
		})
	}
}

func TestInterface_isLineByLineOnADumbTerminal(t *testing.T) {
	for _, kind := range []string{"TERM=dumb", "TERM="} {
		cmd, in, s := openTerminal(t, []string{kind})
		s.await(t, "No debates yet. new starts one.")
		if _, err := in.WriteString("quit\n"); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		<-s.end
		if out := s.text(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: got %q", kind, out)
		}
	}
}

func TestErrors_askTheTerminalForNothing(t *testing.T) {
	for _, args := range [][]string{{"show", "zzzz"}, {"--nonsense"}, {"nonsense"}, {"version"}, {"sessions"}} {
		cmd, _, s := openTerminal(t, nil, args...)
		err := cmd.Wait()
		<-s.end
		if out := s.text(); strings.Contains(out, "\x1b") || out == "" {
			t.Errorf("%v: %v, got %q", args, err, out)
		}
	}
}

func TestInterface_refusesAnUnknownSessionBeforeTheScreenChanges(t *testing.T) {
	for _, args := range [][]string{{"resume", "zzzz"}, {"--resume", "zzzz"}, {"-r", "zzzz"}, {"--last"}} {
		cmd, _, s := openTerminal(t, nil, args...)
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%v: got %v, want exit code 2", args, err)
		}
		<-s.end
		if strings.Contains(s.text(), altScreen) {
			t.Errorf("%v: the screen changed", args)
		}
	}
}
