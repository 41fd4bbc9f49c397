package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"roundtable/internal/app"
	"roundtable/internal/testing/must"
)

// partVariable makes the next test write to a file in that folder until it is killed.
const partVariable = "ROUNDTABLE_TEST_PART"

func TestWriteFileAtomic_writesUntilItIsKilled(t *testing.T) {
	dir := os.Getenv(partVariable)
	if dir == "" {
		t.Skip("it is a part of another test")
	}
	err := app.WriteFileAtomic(filepath.Join(dir, "killed.md"), false, func(w *os.File) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		fmt.Println("writing")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	})
	t.Errorf("it came to the end: %v", err)
}

// writing starts a process that writes to a file in a folder.
func writing(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	c := exec.CommandContext(t.Context(), exe, "-test.run", "^TestWriteFileAtomic_writesUntilItIsKilled$")
	c.Env = append(os.Environ(), partVariable+"="+dir)
	in := must.Get(c.StdinPipe())(t)
	t.Cleanup(func() { _ = in.Close() })
	out := must.Get(c.StdoutPipe())(t)
	must.Do(t, c.Start())
	if lines := bufio.NewScanner(out); !lines.Scan() || lines.Text() != "writing" {
		t.Fatalf("%q, %v", lines.Text(), lines.Err())
	}
	return c
}

func TestWriteFileAtomic_leavesNoHalfOfAFileWhenItIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := writing(t, dir)
	must.Do(t, c.Process.Kill())
	_ = c.Wait() // it was killed
	path := filepath.Join(dir, "killed.md")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is something: %v", err)
	}
	must.Do(t, app.WriteFileAtomic(path, false, func(w *os.File) error {
		_, err := io.WriteString(w, "whole")
		return err
	}))
	if raw, err := os.ReadFile(path); string(raw) != "whole" || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
}
