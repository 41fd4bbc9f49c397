package app_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"roundtable/internal/app"
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
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe, "-test.run", "^TestWriteFileAtomic_writesUntilItIsKilled$")
	c.Env = append(os.Environ(), partVariable+"="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if lines := bufio.NewScanner(out); !lines.Scan() || lines.Text() != "writing" {
		t.Fatalf("%q, %v", lines.Text(), lines.Err())
	}
	return c
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := app.WriteFileAtomic(path, true, func(w *os.File) error {
		_, err := io.WriteString(w, "whole")
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestWriteFileAtomic_removesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := writing(t, dir)
	write(t, filepath.Join(dir, "next.md"))
	if got := namesIn(t, dir); len(got) != 2 {
		t.Errorf("while the other one writes: %q", got)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	if got := namesIn(t, dir); len(got) != 2 {
		t.Errorf("it left %q", got)
	}
	write(t, filepath.Join(dir, "next.md"))
	if got := namesIn(t, dir); !slices.Equal(got, []string{"next.md"}) {
		t.Errorf("afterwards: %q", got)
	}
}

func TestWriteFileAtomic_removesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := []string{".roundtable-.part", ".roundtable-12.part", ".roundtable-12.part.md", ".roundtable-notes.part", "roundtable-12.part"}
	for _, name := range want {
		if name == ".roundtable-12.part" {
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "x.md"))
	if got := namesIn(t, dir); !slices.Equal(got, append(want, "x.md")) {
		t.Errorf("it left %q", got)
	}
}
