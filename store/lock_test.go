package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestLock_secondProcessIsToldWho(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	if _, held := s.Held(id); held {
		t.Error("held before anybody locked it")
	}
	holder := child(t, "hold", path, id)
	must.Get(holder.StdinPipe())(t) // which keeps it going
	lines := bufio.NewScanner(must.Get(holder.StdoutPipe())(t))
	must.Do(t, holder.Start())
	if !lines.Scan() || lines.Text() != "held" {
		t.Fatal(lines.Text())
	}
	err := s.Lock(t.Context(), id)
	if !errors.Is(err, debate.ErrLocked) {
		t.Errorf("err = %v", err)
	}
	want := fmt.Sprintf("This debate is open in another Roundtable (pid %d). "+
		"Continue there, or quit it first; `roundtable show %s` prints it.", holder.Process.Pid, id)
	if err != nil && err.Error() != want {
		t.Errorf("err = %v", err)
	}
	if by, held := s.Held(id); !held || by.PID != holder.Process.Pid || by.Host != "" {
		t.Errorf("held %v by %s", held, by)
	}

	killed(t, holder)
	if _, held := s.Held(id); held {
		t.Error("held by a process that was killed")
	}
	must.Do(t, s.Lock(t.Context(), id))
	if by, held := s.Held(id); !held || by.PID != os.Getpid() {
		t.Errorf("held %v by %s", held, by)
	}
	must.Do(t, s.Unlock(id))
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(path), "locks", id))
	if !strings.HasPrefix(string(raw), fmt.Sprintf(`{"pid":%d,`, os.Getpid())) {
		t.Errorf("the file holds %q, %v", raw, err)
	}
	must.Do(t, s.Lock(t.Context(), id))
	must.Do(t, s.Unlock(id))
}

// A process of another host, which shares the folder, is named by its host.
func TestLock_tellsHostAndDoor(t *testing.T) {
	path, id := closedDatabase(t)
	there, here := openWith(t, path, store.Options{Host: "box", Door: "run"}), openWith(t, path, store.Options{Host: "desk"})
	must.Do(t, there.Lock(t.Context(), id))
	if by, _ := here.Held(id); by.String() != "run, held on box" {
		t.Errorf("held by %q", by)
	}
	if by, _ := there.Held(id); by.String() != fmt.Sprintf("run, pid %d", os.Getpid()) {
		t.Errorf("held by %q", by)
	}
	file := filepath.Join(filepath.Dir(path), "locks", id)
	must.Do(t, there.SetHolder(id, func(h *debate.Holder) { h.Runs = true }))
	if by, _ := here.Held(id); !by.Runs || by.Door != "run" {
		t.Errorf("held by %+v", by)
	}
	must.Do(t, there.SetHolder(id, func(h *debate.Holder) { h.Door = "mcp: x" }))
	if by, _ := here.Held(id); !by.Runs || by.Door != "mcp: x" {
		t.Errorf("held by %+v", by)
	}
	must.Do(t, there.SetHolder(id, func(h *debate.Holder) { h.Runs = false }))
	if by, _ := here.Held(id); by.Runs || by.Door != "mcp: x" {
		t.Errorf("held by %+v", by)
	}
	must.Do(t, os.WriteFile(file, []byte("4711\n"), 0o600)) // something else wrote it
	if by, held := here.Held(id); !held || by != (debate.Holder{}) {
		t.Errorf("held %v by %q", held, by)
	}
	must.Do(t, there.Unlock(id))
}

func TestLock_lookingDoesNotGetInTheWay(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				s.Held(id)
			}
		}
	}()
	for range 200 {
		if err := s.Lock(t.Context(), id); err != nil {
			t.Error(err)
			break
		}
		must.Do(t, s.Unlock(id))
	}
	close(stop)
	<-done
}

func TestLock_refusesWhatIsNoID(t *testing.T) {
	s := openNew(t)
	for _, id := range []string{"", "../../etc", "k7m2", "k7m2x9qd4tk", "K7M2X9QD4T", strings.Repeat("x", 1<<20)} {
		if err := s.Lock(t.Context(), id); !errors.Is(err, debate.ErrNoSession) {
			t.Errorf("%.20q: %v", id, err)
		}
		if _, held := s.Held(id); held {
			t.Errorf("%.20q is held", id)
		}
	}
}

func TestLock_saysWhatIsWrongWithItsFile(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	locks := filepath.Join(filepath.Dir(path), "locks")
	must.Do(t, os.Mkdir(filepath.Join(locks, id), 0o700))
	err := s.Lock(t.Context(), id)
	if unsaved := (*store.SaveError)(nil); !errors.As(err, &unsaved) || unsaved.Folder != locks {
		t.Errorf("a folder in place of the lock: %v", err)
	}
}

// A purge removes locks that others wait for, with their sessions. Nobody has the lock of a
// session that another one has.
func TestPurge_letsNobodyShareALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	setup := openAt(t, path)
	var ids []string
	for range 60 {
		id := create(t, setup).ID
		must.Do(t, setup.Delete(t.Context(), id))
		ids = append(ids, id)
	}
	must.Do(t, setup.Close())
	later := func() time.Time { return time.Now().Add(2 * store.KeptDeleted) }
	purger := openWith(t, path, store.Options{Now: later})
	holders := make([]atomic.Int32, len(ids))
	var others sync.WaitGroup
	for range 2 {
		s := openAt(t, path)
		others.Go(func() {
			for i, id := range ids {
				err := s.Lock(t.Context(), id)
				if errors.Is(err, debate.ErrLocked) || errors.Is(err, debate.ErrNoSession) {
					continue
				}
				must.Do(t, err)
				if holders[i].Add(1) != 1 && s.Undelete(t.Context(), id) == nil {
					t.Errorf("%s has %d holders", id, holders[i].Load())
				}
				holders[i].Add(-1)
				must.Do(t, s.Unlock(id))
			}
		})
	}
	for range 20 {
		must.Do(t, purger.Purge(t.Context()))
	}
	others.Wait()
	must.Do(t, purger.Purge(t.Context()))
	if n := store.Rows(t.Context(), purger)["sessions"]; n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}
