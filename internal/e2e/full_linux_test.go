package e2e_test

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// roomForFiles sets how long the program may let a file grow, as a disk that is
// full does for all of them.
func (tm *terminal) roomForFiles(bytes uint64) {
	tm.Helper()
	var was unix.Rlimit
	err := unix.Prlimit(tm.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &was)
	if err == nil {
		was.Cur = bytes
		err = unix.Prlimit(tm.cmd.Process.Pid, unix.RLIMIT_FSIZE, &was, nil)
	}
	must.Do(tm, err)
}

// When nothing can be written any more amid a round, what has come stays on the
// screen, and once there is room again the round goes on in the same process.
func TestFullDisk_pausesTheRoundAndItGoesOn(t *testing.T) {
	full, end := make(cue), make(cue)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if !strings.Contains(r.Messages[1].Content, "round 1 of 2") {
			return endpoint.Reply{Text: "Later says " + r.Model + "."}
		}
		if r.Model == "m2" {
			full.wait(t)
		}
		return endpoint.Reply{Text: "The words of " + r.Model + " have come.", Sent: func(word string) {
			if r.Model == "m1" && word == "come." {
				end.wait(t)
			}
		}}
	})
	tm := open(t, home(t), 80, 24, "--config", panelOf(t, srv.URL, 2), "new", "Is it so?", "--rounds", "2", "--start")
	tm.await("The words of m1 have come.")
	tm.roomForFiles(4096)
	close(full)
	tm.await("Paused. Saving failed at", "All text is still here.", "File too large", "Cannot save: ", "space: try again", "The words of m1 have come.")
	tm.roomForFiles(unix.RLIM_INFINITY)
	close(end)
	tm.send(" ")
	tm.await("Verdict ready.")
	tm.leaves("q", "q")
}
