package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// roleVariable makes the test binary play a part in another process.
const roleVariable = "STORE_TEST_ROLE"

// roles are what other processes do in these tests.
var roles = map[string]func(ctx context.Context, args []string) error{
	"hold": holdLock,
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
