// Package processtest helps to test that no process is left behind. Only tests import it.
package processtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Noted returns the processes whose ids are in a file, none if there is no file.
func Noted(t testing.TB, path string) []int {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []int
	for _, field := range strings.Fields(string(raw)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return all
}

// AwaitEnd waits until processes have ended. One whose parent has ended is removed by init,
// a moment after it was killed.
func AwaitEnd(t testing.TB, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		for n := 0; Runs(pid); n++ {
			if n == 1000 {
				t.Fatalf("process %d is still there", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// Runs reports whether a process runs. One that has ended and that nobody asked for its
// exit code does not.
func Runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(raw), ") Z ")
}
