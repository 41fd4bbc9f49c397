package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"roundtable/internal/testing/must"
)

// A terminal that nobody reads from any more does not keep the program.
func TestExit_whereNobodyReads(t *testing.T) {
	env := home(t)
	x := newExit(t, env, program(t, env))
	x.begins()
	x.deaf.Lock()
	x.fill()
	begun := time.Now()
	signalled(syscall.SIGTERM)(x)
	code := x.end()
	took := time.Since(begun)
	x.deaf.Unlock()
	if code != 128+15 || took > 3*time.Second {
		t.Errorf("exit code %d after %s", code, took)
	}
	for !strings.Contains(x.written(), mainScreen) {
		select {
		case <-x.changed:
		case <-time.After(patience):
			t.Fatal("what it wrote last was lost")
		}
	}
	x.restored()
	x.saved("interrupted", "needs_context")
}

// fill has the program draw whole frames until the terminal takes no more.
func (x *exit) fill() {
	x.Helper()
	const enough = 25 // steps without a byte more
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	waiting, same := 0, 0
	for i := 0; same < enough; i++ {
		must.Do(x, pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(100 + i%2), Rows: 30}))
		<-tick.C
		n, err := unix.IoctlGetInt(int(x.pty.Fd()), unix.TIOCINQ)
		if err != nil {
			x.Skipf("the system does not say what waits in a terminal: %v", err)
		}
		if same++; n != waiting {
			waiting, same = n, 0
		}
	}
}
