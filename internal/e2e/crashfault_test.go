//go:build unix

package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"
	"time"
)

// fault is what becomes of the database while the program runs, some time before it is
// killed, and until it is over.
type fault struct {
	delay time.Duration   // of each commit, while the program runs
	start func(tr *trial) // before anything runs; may be nil
	begin func(tr *trial, pid int) (began bool)
	stops *regexp.Regexp           // what a command says that cannot save any more; nil: it can
	wrap  func(tr *trial) []string // runs the program that follows as if the fault went on; may be nil
	room  bool                     // there may be room for some more
	shows bool                     // debates can still be shown
	end   func(tr *trial)
}

// The faults that are made by changing files, and slow commits.
var (
	noFault    = &fault{}
	slowCommit = &fault{delay: 200 * time.Millisecond}
	replaced   = &fault{begin: replace, stops: regexp.MustCompile("(?i)Cannot save: (another file is in the place of|the database was removed)|No debate|there is no database|no such file"), end: putBack}
	readOnly   = &fault{begin: forbid, stops: regexp.MustCompile("read-only"), shows: true, end: allow}
)

// besides are the ends of the names of the files that SQLite keeps.
var besides = []string{"", "-wal", "-shm"}

// isThere reports whether the database has been made yet.
func (tr *trial) isThere() bool {
	_, err := os.Lstat(tr.database())
	return err == nil
}

// replace moves the database away, if there is one, and puts a sound one in its place.
func replace(tr *trial, _ int) bool {
	path := tr.database()
	if !tr.isThere() {
		return false
	}
	raw, err := os.ReadFile(tr.other)
	if err == nil {
		err = os.WriteFile(path+".new", raw, 0o600)
	}
	for _, tail := range besides {
		if gone := os.Rename(path+tail, path+".away"+tail); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err = errors.Join(err, os.Rename(path+".new", path)); err != nil {
		tr.Error(err)
	}
	return true
}

// putBack undoes replace.
func putBack(tr *trial) {
	path := tr.database()
	for _, tail := range besides {
		err := os.Remove(path + tail)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(path+".away"+tail, path+tail)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			tr.Error(err)
		}
	}
}

// forbid makes the database and its folder read-only, if there is one.
func forbid(tr *trial, _ int) bool {
	if !tr.isThere() {
		return false
	}
	tr.setModes(0o400, 0o500)
	return true
}

// allow undoes forbid.
func allow(tr *trial) { tr.setModes(0o600, 0o700) }

func (tr *trial) setModes(file, folder fs.FileMode) {
	for _, tail := range besides {
		if err := os.Chmod(tr.database()+tail, file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			tr.Error(err)
		}
	}
	if err := os.Chmod(filepath.Dir(tr.database()), folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		tr.Error(err)
	}
}

// happens makes the database so, and gives the program some more time.
func (f *fault) happens(tr *trial, pid int, more time.Duration, ended <-chan struct{}) {
	if tr.faulty = f != nil && f.begin != nil && f.begin(tr, pid); !tr.faulty {
		return
	}
	select {
	case <-ended:
	case <-time.After(more):
	}
}

// ends reports whether a command has ended by itself since it cannot save.
func (f *fault) ends(code int, complaints string) bool {
	return f != nil && f.stops != nil && (code == 1 || code == 2) && f.stops.MatchString(complaints)
}

var ofSession = regexp.MustCompile(`"session":"([0-9a-z]{10})"`)

// remains tries commands on the database as the fault has left it, and ends the fault.
// What cannot be saved is refused before anybody is asked; where there is room for some
// of it, what is printed is saved too. It returns what was printed.
func (f *fault) remains(tr *trial, printed string) string {
	tr.Helper()
	id, shown := tr.session, ""
	if m := ofSession.FindStringSubmatch(printed); m != nil {
		id = m[1]
	}
	printed = ""
	if id != "" {
		before := len(tr.server.Requests(""))
		out, complaints, code := f.run(tr, "continue", id, "--json")
		asked := len(tr.server.Requests("")) - before
		switch {
		case f.room && (code == 0 || code == 3 || f.ends(code, complaints)):
			printed = out
			if asked > 0 {
				tr.wrecks++
			}
		case !f.ends(code, complaints) || asked > 0:
			tr.Errorf("while the fault lasted continue sent %d requests and ended with %d:\n%s%s", asked, code, out, complaints)
		}
		shown, _, _ = f.run(tr, "show", id, "--json")
	}
	f.end(tr)
	if f.shows && shown != "" {
		if want := tr.output("show", id, "--json"); shown != want {
			tr.Errorf("while the fault lasted it showed\n%s\nand then\n%s", shown, want)
		}
	}
	return printed
}

// run runs the program while the fault lasts.
func (f *fault) run(tr *trial, args ...string) (out, complaints string, code int) {
	args = append([]string{tr.exe, "--config", tr.config}, args...)
	if f.wrap != nil {
		args = append(f.wrap(tr), args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	var o, c bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = tr.env, &o, &c
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		tr.Fatal(err)
	}
	return o.String(), c.String(), cmd.ProcessState.ExitCode()
}

// moment waits for the moment of a strike. It is false if the program has ended before.
func (tr *trial) moment(s strike, ended <-chan struct{}) (at time.Time, ok bool) {
	for wait := s.after; ; wait = 5 * time.Millisecond {
		select {
		case <-ended:
			return at, false
		case <-time.After(wait):
		}
		if len(tr.spoken.due(time.Now())) >= s.due {
			return time.Now(), true
		}
	}
}

// killAtRandom kills debates at random moments, after a fault if there is one.
func killAtRandom(t *testing.T, f *fault, moments int) {
	skipShort(t)
	whole := newTrial(t, 40, 8*time.Millisecond)
	took := whole.play()
	want := whole.sent()
	whole.check(want)
	var struck, killed atomic.Int32
	t.Run("trials", func(t *testing.T) {
		for i := range moments {
			s := strike{command: i % len(took), fault: f, more: time.Duration(rand.Int64N(int64(50 * time.Millisecond)))}
			most := took[s.command] * (1 + f.delay/(40*time.Millisecond)) // most of the time it waits for commits
			s.after = time.Duration(rand.Int64N(int64(most)) + 1)
			t.Run(fmt.Sprintf("command %d after %s and %s", s.command, s.after, s.more), func(t *testing.T) {
				t.Parallel()
				tr := newTrial(t, 40, 8*time.Millisecond)
				if tr.other = whole.database(); f.start != nil {
					f.start(tr)
				}
				tr.play(s)
				tr.check(want)
				struck.Add(int32(tr.wrecks))
				killed.Add(int32(tr.kills))
			})
		}
	})
	if t.Logf("of %d debates %d were struck, %d of them killed", moments, struck.Load(), killed.Load()); struck.Load() == 0 {
		t.Error("no debate was struck")
	}
}

func TestCrash_atRandomMomentsNothingAcknowledgedIsLost(t *testing.T) {
	killAtRandom(t, noFault, count(6, 200))
}

func TestCrash_withAnotherFileInPlaceOfTheDatabase(t *testing.T) {
	killAtRandom(t, replaced, count(3, 120))
}

func TestCrash_withADatabaseThatBecameReadOnly(t *testing.T) {
	killAtRandom(t, readOnly, count(3, 110))
}

func TestCrash_withSlowCommits(t *testing.T) { killAtRandom(t, slowCommit, count(3, 80)) }
