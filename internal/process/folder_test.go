package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"roundtable/internal/process"
	"roundtable/internal/testing/must"
)

// TestMain runs the tests, or this program as one that has a folder and is killed.
func TestMain(m *testing.M) {
	if os.Getenv("FOLDER_OWNER") == "" {
		os.Exit(m.Run())
	}
	f, err := process.NewFolder("", "owned-")
	if err != nil {
		panic(err)
	}
	fmt.Println(f.Dir)
	time.Sleep(time.Hour)
	runtime.KeepAlive(f) // else its lock may be given up before
}

// What a program that was killed has left is removed, and nothing else.
func TestNewFolder_removesWhatKilledProgramsLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b") // not a pattern
	must.Do(t, os.Mkdir(dir, 0o700))
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	foreign := filepath.Join(dir, "owned-foreign") // has no lock
	must.Do(t, os.Mkdir(foreign, 0o700))
	program, err := os.Executable()
	must.Do(t, err)
	owner := exec.Command(program)
	owner.Env = append(os.Environ(), "FOLDER_OWNER=yes")
	out, err := owner.StdoutPipe()
	must.Do(t, err)
	must.Do(t, owner.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Error(err)
	}
	owned := strings.TrimSpace(line)
	if err := os.WriteFile(filepath.Join(owned, "file"), nil, 0o600); err != nil {
		t.Error(err)
	}
	newFolder := func() *process.Folder {
		t.Helper()
		f := must.Get(process.NewFolder("", "owned-"))(t)
		return f
	}
	before := time.Now().Add(-time.Minute) // a new lock may not be held yet
	if err := os.Chtimes(owned+".lock", before, before); err != nil {
		t.Error(err)
	}
	first := newFolder()
	if _, err := os.Stat(owned); err != nil {
		t.Errorf("the folder of a program that runs: %v", err)
	}
	owner.Process.Kill() //nolint:errcheck // it may be gone
	owner.Wait()         //nolint:errcheck // it was killed
	second := newFolder()
	if _, err := os.Stat(owned); !os.IsNotExist(err) {
		t.Errorf("the folder of a program that was killed: %v", err)
	}
	for _, d := range []string{foreign, first.Dir, second.Dir} {
		if _, err := os.Stat(d); err != nil {
			t.Error(err)
		}
	}
	for _, f := range []*process.Folder{first, second} {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v is left", left, err)
	}
}
