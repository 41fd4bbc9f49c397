package store_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestProcesses_shareADatabaseWithoutAWord(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	type peer struct {
		cmd   *exec.Cmd
		lines *bufio.Scanner
		stdin io.Closer
	}
	var peers []peer
	for range 4 {
		c := child(t, "share", path)
		lines, stdin := starting(t, c)
		peers = append(peers, peer{c, lines, stdin})
	}
	const each = 3 // rounds that every process plays beside the others
	played, ready := make(chan int), make(chan bool, len(peers))
	for _, p := range peers {
		go func() { played <- follow(p.lines, each, ready) }()
	}
	for range peers {
		<-ready
	}
	for _, p := range peers {
		must.Do(t, p.stdin.Close())
	}
	total := 0
	for range peers {
		n := <-played
		if n < each {
			t.Errorf("one of them played %d rounds", n)
		}
		total += n
	}
	for _, p := range peers {
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("one of them ended with %v", err)
		}
	}
	s := openAt(t, path)
	must.Do(t, store.Check(t.Context(), s))
	all := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	sum := 0
	for _, v := range all {
		sum += v.Round
	}
	if len(all) != 4 || sum != total {
		t.Errorf("%d sessions, %d rounds of %d", len(all), sum, total)
	}
}

// follow reads what a process that shares the database prints and returns how many
// rounds it has played. It sends to ready when it has played so many, or has ended.
func follow(lines *bufio.Scanner, rounds int, ready chan<- bool) (played int) {
	ended := 0
	for lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "ended %d", &ended); err == nil && ended == rounds {
			ready <- true
		}
		if _, err := fmt.Sscanf(lines.Text(), "played %d", &played); err != nil {
			continue // a line about a step
		}
	}
	if ended < rounds {
		ready <- false
	}
	return played
}

func TestKill_losesNothingThatWasAcknowledged(t *testing.T) {
	path, id := closedDatabase(t)
	t.Parallel()
	for range 8 {
		c := child(t, "record", path, id)
		lines, _ := starting(t, c)
		said := []string{}
		for range 1 + rand.IntN(40) {
			if !lines.Scan() {
				t.Fatalf("it ended by itself after %q", said)
			}
			said = append(said, lines.Text())
		}
		<-time.After(time.Duration(rand.IntN(2000)) * time.Microsecond)
		must.Do(t, c.Process.Kill())
		for lines.Scan() { // what it had printed before
			said = append(said, lines.Text())
		}
		killed(t, c)
		s := openAt(t, path)
		must.Do(t, store.Check(t.Context(), s))
		shown := get(t, s, id)
		for _, line := range said {
			confirm(t, shown, line)
		}
		d := must.Get(s.Repair(t.Context(), id))(t)
		if n := len(d.History); n > 0 && d.History[n-1].Ended.IsZero() {
			must.Get(s.EndRound(t.Context(), id, n, nil, debate.NotStopped))(t)
		}
		must.Do(t, s.Close())
		if t.Failed() {
			return
		}
	}
}

// confirm checks that what a process said it had saved is there.
func confirm(t *testing.T, d debate.Session, line string) {
	t.Helper()
	what, name, _ := strings.Cut(line, " ")
	if what == "round" || what == "ended" {
		var n int
		if _, err := fmt.Sscan(name, &n); err != nil || len(d.History) < n || what == "ended" && d.History[n-1].Ended.IsZero() {
			t.Errorf("%q is lost", line)
		}
		return
	}
	for _, round := range d.History {
		for _, r := range round.Responses {
			if r.ID() != name {
				continue
			}
			text, done := r.Text(), r.State == debate.TurnDone
			if what == "journal" && !done && text != "half of "+name || what == "done" && !done || done && text != "all of "+name ||
				what == "call" && r.Calls == 0 {
				t.Errorf("%q: the turn is %s with %q", line, r.State, text)
			}
			return
		}
	}
	t.Errorf("%q is lost", line)
}
