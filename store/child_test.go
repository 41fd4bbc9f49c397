package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// roleVariable makes the test binary play a part in another process.
const roleVariable = "STORE_TEST_ROLE"

// roles are what other processes do in these tests.
var roles = map[string]func(ctx context.Context, args []string) error{
	"hold":   holdLock,
	"record": recordForEver,
	"share":  shareDatabase,
}

func TestMain(m *testing.M) {
	role, ok := roles[os.Getenv(roleVariable)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := role(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child prepares another process; it is killed with the test.
func child(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Env = append(os.Environ(), roleVariable+"="+role, "GORACE=atexit_sleep_ms=0")
	c.Stderr = t.Output()
	return c
}

// starting starts a child and returns what it prints and what keeps it going.
func starting(t *testing.T, c *exec.Cmd) (lines *bufio.Scanner, stdin io.Closer) {
	t.Helper()
	out, err := c.StdoutPipe()
	must.Do(t, err)
	in, err := c.StdinPipe()
	must.Do(t, err)
	must.Do(t, c.Start())
	return bufio.NewScanner(out), in
}

// holdLock locks the session args[1] of the database args[0] until its input ends.
func holdLock(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	if err := s.Lock(ctx, args[1]); err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, s.Close())
}

// recordForEver plays rounds of the session args[1] and prints what it has been
// told is saved.
func recordForEver(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	d, err := s.Session(ctx, args[1])
	for err == nil {
		d, err = recordRound(ctx, s, d)
	}
	return err
}

// recordRound plays one more round of a session, and prints a line after each step.
func recordRound(ctx context.Context, s *store.Store, d debate.Session) (debate.Session, error) {
	n := len(d.History) + 1
	if _, err := s.AddRounds(ctx, d.ID, 1); err != nil {
		return d, err
	}
	if _, err := s.BeginRound(ctx, d.ID, n); err != nil {
		return d, err
	}
	fmt.Println("round", n)
	for _, who := range []agents.ID{"ada", "brook"} {
		turn := agents.Turn{Session: d.ID, Round: n, Attempt: 1, Agent: who}
		if err := recordTurn(ctx, s, turn); err != nil {
			return d, err
		}
	}
	d, err := s.EndRound(ctx, d.ID, n, nil, debate.NotStopped)
	fmt.Println("ended", n)
	return d, err
}

func recordTurn(ctx context.Context, s *store.Store, turn agents.Turn) error {
	if err := s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}}); err != nil {
		return err
	}
	fmt.Println("turn", debate.TurnID(turn))
	if err := s.BeginCall(ctx, turn, debate.ForMember, 1, agents.Request{Model: "m"}); err != nil {
		return err
	}
	fmt.Println("call", debate.TurnID(turn))
	if err := s.Journal(ctx, []debate.Text{{Turn: turn, Text: "half of " + debate.TurnID(turn)}}); err != nil {
		return err
	}
	fmt.Println("journal", debate.TurnID(turn))
	_, err := s.EndTurn(ctx, debate.TurnEnd{
		Final:    &agents.Completion{Text: "all of " + debate.TurnID(turn)},
		Response: debate.Response{Turn: turn, State: debate.TurnDone, Calls: 1},
	})
	if err == nil {
		fmt.Println("done", debate.TurnID(turn))
	}
	return err
}

// shareDatabase makes a session in the database args[0] and plays it until its
// input ends, then says how many rounds that were.
func shareDatabase(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	d, err := s.Create(ctx, panel())
	for err == nil {
		select {
		case <-stop:
			fmt.Println("played", len(d.History))
			return s.Close()
		default:
			d, err = recordRound(ctx, s, d)
		}
	}
	return err
}

// killed ends a child as nothing else does.
func killed(t *testing.T, c *exec.Cmd) {
	t.Helper()
	must.Do(t, c.Process.Kill())
	var ended *exec.ExitError
	if err := c.Wait(); !errors.As(err, &ended) || ended.Exited() {
		t.Errorf("it ended with %v", err)
	}
}

// readAll returns the bytes of all files beside a path, by name.
func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = string(raw)
		return err
	}))
	return out
}
