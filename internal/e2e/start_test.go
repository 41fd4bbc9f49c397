//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the interface cannot begin with is refused before the screen changes, and
// before anything is made.
func TestStart_refusesBeforeTheScreenChanges(t *testing.T) {
	config := panelOf(t, "http://127.0.0.1:1", 2)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"new", "Is it so?", "--panel", "nobody"}, `there is no panel "nobody"`},
		{[]string{"new", "--agents", "m1,m9"}, `there is no seat "m9"`},
		{[]string{"new", "--agents", "m1"}, "takes 2 to 8 seats; this panel has 1"},
		{[]string{"new", "--mode", "nonsense"}, `there is no mode "nonsense"`},
		{[]string{"new", "--rounds", "0"}, "rounds must be 1-50"},
		{[]string{"new", "--panel", "default", "--budget", "1"}, "a budget in USD needs prices"},
		{[]string{"new", "--budget", "nothing", "--start"}, `invalid argument "nothing"`},
		{[]string{"resume", "zzzz"}, "no debates yet"},
		{[]string{"--last"}, "no debates yet"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			env := home(t)
			tm := open(t, env, 80, 24, append([]string{"--config", config}, tt.args...)...)
			code := tm.end()
			deadline := time.After(patience)
			for waiting := true; waiting && !strings.Contains(tm.written(), tt.want); {
				select {
				case <-tm.changed:
				case <-deadline:
					waiting = false
				}
			}
			if said := tm.written(); code != 2 || !strings.Contains(said, tt.want) || strings.Contains(said, altScreen) {
				t.Errorf("exit code %d: %q", code, said)
			}
			for _, v := range env {
				if dir, ok := strings.CutPrefix(v, "XDG_DATA_HOME="); ok {
					if _, err := os.Stat(filepath.Join(dir, "roundtable")); err == nil {
						t.Errorf("%s was made", dir)
					}
				}
			}
		})
	}
}

func TestInterface_isLineByLineOnADumbTerminal(t *testing.T) {
	for _, kind := range []string{"TERM=dumb", "TERM="} {
		l := openLines(t, append(home(t), kind))
		l.hear("No debates yet. `roundtable new` starts one.")
		l.send("quit\n")
		if code := l.end(); code != 0 {
			t.Errorf("%s: exit code %d", kind, code)
		}
		if out := l.written(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: got %q", kind, out)
		}
	}
}

func TestErrors_askTheTerminalForNothing(t *testing.T) {
	for _, args := range [][]string{{"show", "zzzz"}, {"--nonsense"}, {"nonsense"}, {"version"}, {"sessions"}} {
		tm := open(t, home(t), 80, 24, args...)
		code := tm.end()
		if out := tm.written(); strings.Contains(out, "\x1b") || out == "" {
			t.Errorf("%v: exit code %d, got %q", args, code, out)
		}
	}
}

func TestInterface_refusesAnUnknownSessionBeforeTheScreenChanges(t *testing.T) {
	for _, args := range [][]string{{"resume", "zzzz"}, {"--last"}} {
		tm := open(t, home(t), 80, 24, args...)
		if code := tm.end(); code != 2 {
			t.Errorf("%v: got %v, want exit code 2", args, code)
		}
		if strings.Contains(tm.written(), altScreen) {
			t.Errorf("%v: the screen changed", args)
		}
	}
}
