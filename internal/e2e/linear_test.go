//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/e2e/endpoint"
)

// lineTerminal is the program line by line in a pseudo-terminal.
type lineTerminal struct {
	*terminal
	heard int // bytes of the output that were awaited
}

// openLines starts the program line by line.
func openLines(t *testing.T, env []string, args ...string) *lineTerminal {
	t.Helper()
	return &lineTerminal{terminal: open(t, env, 80, 24, args...)}
}

// hear waits until the texts are written, in order, after what was heard before.
func (l *lineTerminal) hear(texts ...string) {
	l.Helper()
	deadline := time.After(patience)
	for _, want := range texts {
		for {
			out := l.written()
			if i := strings.Index(out[l.heard:], want); i >= 0 {
				l.heard += i + len(want)
				break
			}
			select {
			case <-l.changed:
			case <-l.exited:
				l.Fatalf("the program exited (%v) without writing %q:\n%s", l.cmd.ProcessState, want, l.written())
			case <-deadline:
				l.Fatalf("%q was not written:\n%s", want, l.written())
			}
		}
	}
}

// enters types a line and waits for what is written then.
func (l *lineTerminal) enters(line string, brings ...string) {
	l.Helper()
	l.send(line + "\n")
	l.hear(brings...)
}

// checkPlain fails if anything was written that a screen reader cannot read.
func (l *lineTerminal) checkPlain() {
	l.Helper()
	for i, r := range l.written() {
		if r == '\x1b' || r >= 0x80 && r <= 0x9f || r >= 0x2500 && r <= 0x25ff || r >= 0x2800 && r <= 0x28ff {
			l.Errorf("byte %d is %U:\n%.300s", i, r, l.written()[max(i-150, 0):])
		}
	}
}

// dumb returns an environment whose terminal cannot move its cursor.
func dumb(t *testing.T) []string { return append(home(t), "TERM=dumb") }

// repository makes a git repository with one commit, and returns its folder.
func repository(t *testing.T) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	for _, args := range []string{"init -q", "-c user.name=A -c user.email=a@example.com commit -q --allow-empty -m first"} {
		cmd := exec.Command("git", append([]string{"-C", dir}, strings.Fields(args)...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}

// A debate with commands to approve, a message to the seats, the gate and the verdict: nothing
// but the word approves, and nothing that is written draws.
func TestLinear_aWholeDebate(t *testing.T) {
	skipShort(t)
	t.Parallel()
	const hostile = "Yes. \x1b[31mRed\x1b[0m \u256d\u2500\u256e \u2588\u2596 \u28ff\u280b \x9b31m"
	repo := repository(t)
	var asked atomic.Int32
	answers := make(cue)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m2" {
			answers.wait(t)
			return endpoint.Reply{Text: hostile}
		}
		switch asked.Add(1) {
		case 1:
			return endpoint.Reply{Tool: "run_command", Call: `{"argv":["git","log","--oneline"]}`}
		case 2, 3:
			return endpoint.Reply{Tool: "run_command", Call: fmt.Sprintf(`{"argv":["git","log","-%d"]}`, asked.Load())}
		case 4:
			return endpoint.Reply{Call: `{"query":"How many writes \u256d\u28ff a second?","reason":"It decides. \u2588","priority":"required"}`}
		default:
			return endpoint.Reply{Text: hostile}
		}
	})
	config := seated(t, srv.URL, fmt.Sprintf("[ui]\nlinear = true\n[tools]\nworkspace = %q\nmode = \"clone\"\ncommands = true\n", repo), 2)
	env := home(t)
	l := openLines(t, env, "new", "Is it so?", "--config", config, "--rounds", "2")

	l.hear("1 M1, m1, here", "Start this debate?", "[yes]")
	l.enters("", "Round 1 of 2 started", "1 M1 asks to run in ", ": git log --oneline", "/approvals")

	l.enters("/tell M2 Mind the cost.", "To M2 in round 2: Mind the cost.")
	l.enters("approve", "Commands begin with a slash.")
	for _, nothing := range []string{"", "a", "y", "yes", "Approve", "approved"} {
		l.enters("/approvals", "1 M1 asks to run in", "git log --oneline", "Type approve to run it once")
		l.enters(nothing, "Nothing was decided")
	}
	if strings.Contains(l.written(), "Allowed: ") {
		t.Fatalf("a command was approved:\n%s", l.written())
	}
	l.enters("/approvals", "Type approve to run it once")
	l.enters("approve", "Allowed: the command of M1.", "1 M1 asks to run in ", ": git log -2")
	const pattern = "approve git log to run all commands of this debate that begin with these words"
	l.enters("/approvals", pattern)
	l.enters("approve git diff", "The command does not begin with these words; it was not approved.")
	l.enters("/approvals", pattern)
	const allowed = "Allowed: the command of M1."
	l.enters("approve git log", allowed, allowed, "asks C1, required.")
	close(answers)

	l.hear("Round 2 waits for C1 (M1).", "Answers go to: ", "C1, required, asked by 1 M1, round 1:",
		"How many writes", "Why, 1 M1: It decides.", "C1> ")
	l.enters("/help", "/skip: leave it open", "/continue: ask the open questions", "C1> ")
	l.enters("42 writes", "C1> ")
	l.enters("at month end", "C1> ")
	l.enters(".", "Source, or an empty line for none:")
	l.enters("the dashboard", "C1 saved.", "/continue: start round 2.")
	l.enters("/continue", "Round 2 of 2 started with C1", "To 2 M2: Mind the cost.", "Verdict ready")

	l.enters("/back", "Is it so?", "help lists commands.")
	l.enters("sessions --search month", "42 writes at >month< end", "help lists commands.")
	l.enters("roundtable keys --help", "Usage:", "help lists commands.", "> ") // it may begin as in a shell
	l.leaves("quit\n")
	l.checkPlain()
	if all := sessions(t, env); len(all) != 1 || all[0].Status != "complete" {
		t.Errorf("the sessions are %+v", all)
	}
}

func TestLinear_endsWithItsInputAndBySignals(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for code, end := range map[int]func(*lineTerminal){
		0:                         func(l *lineTerminal) { l.send("\x04") }, // ctrl+d
		128 + int(syscall.SIGHUP): func(l *lineTerminal) { l.cmd.Process.Signal(syscall.SIGHUP) },
	} {
		env := dumb(t)
		l := openLines(t, env, "new", "Should we?", "--panel", "demo", "--start")
		l.hear("C1> ")
		end(l)
		if got := l.end(); got != code {
			t.Errorf("exit code %d, want %d:\n%s", got, code, l.written())
		}
		l.checkPlain()
		if all := sessions(t, env); len(all) != 1 || all[0].Status != "needs_context" {
			t.Errorf("the sessions are %+v", all)
		}
	}
}

// ctrl+c during a round asks once, and quits when it is pressed again.
func TestLinear_ctrlCAsksWhileARoundRuns(t *testing.T) {
	skipShort(t)
	t.Parallel()
	srv := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		cue(nil).wait(t)
		return endpoint.Reply{Text: "Yes."}
	})
	env := home(t)
	l := openLines(t, env, "new", "Is it so?", "--start", "--linear", "--config", seated(t, srv.URL, "", 2))
	l.hear("Round 1 of 2 started")
	l.send(ctrlC)
	l.hear("Finished answers are saved", "ctrl+c again quits")
	l.enters("/pause", "Pauses after round 1. /pause: keep going.")
	l.send(ctrlC)
	l.hear("Finished answers are saved")
	l.send(ctrlC)
	l.hear("Continue: roundtable --config ", " resume ")
	l.leaves()
	l.checkPlain()
	if all := sessions(t, env); len(all) != 1 || all[0].Status != "interrupted" {
		t.Errorf("the sessions are %+v", all)
	}
}

// At a terminal `run` is a conversation: what the seats say is laid out, and what
// they ask is asked there. Where nobody answers it ends as it does in a pipe.
func TestRun_atATerminalIsAConversation(t *testing.T) {
	skipShort(t)
	t.Parallel()
	const topic = "Should a small team use SQLite in production?"
	for _, c := range []struct {
		name, variable string
		plays          func(l *lineTerminal)
		code           int
	}{
		{"answered", "", func(l *lineTerminal) {
			l.hear("C1, required, asked by 3 Cleo", "Your answer (enter alone: later)> ")
			l.enters("...", "The answer to C1 is blank", "Your answer (enter alone: later)> ")
			l.enters("One server writes.\nLosing an hour is fine.", "C1 answered.", "(enter alone: go on without it)> ")
			l.enters("", "Round 2 of 2 started with C1.", "is writing the verdict.", "Demo · Yes, 2 of 3; no 1", "Done: ")
		}, 0},
		{"left", "", func(l *lineTerminal) {
			l.hear("Your answer (enter alone: later)> ")
			l.enters("", "Round 2 waits for C1 (Cleo).", "Answer: roundtable ", "Then:   roundtable ")
		}, 3},
		{"ctrl+c", "", func(l *lineTerminal) {
			l.hear("Your answer (enter alone: later)> ")
			l.send(ctrlC)
			l.hear("Paused: Stopped by signal interrupt. `roundtable continue ")
		}, 128 + int(syscall.SIGINT)},
		{"of an assistant", "CLAUDECODE=1", func(l *lineTerminal) { l.hear("Round 2 waits for C1 (Cleo).") }, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := home(t)
			if c.variable != "" {
				env = append(env, c.variable)
			}
			l := openLines(t, env, "run", topic, "--panel", "demo")
			c.plays(l)
			if code := l.end(); code != c.code {
				t.Errorf("exit code %d, want %d:\n%s", code, c.code, l.written())
			}
			asks := strings.Contains(l.written(), "Your answer")
			if asks != (c.variable == "") {
				t.Errorf("it asks: %t\n%s", asks, l.written())
			}
			listed := openLines(t, env, "sessions")
			listed.hear("Should a small team use SQLite")
			listed.end()
			for line := range strings.SplitSeq(ansi.Strip(listed.written()+l.written()), "\n") {
				if asks && ansi.StringWidth(strings.TrimRight(line, "\r")) > 80 {
					t.Errorf("wider than the terminal: %q", line)
				}
			}
		})
	}
}
