package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/testing/must"
)

// recordingDisk keeps what a journal writes, and when.
type recordingDisk struct {
	mu     sync.Mutex
	parts  []debate.Text
	writes []time.Time
	err    error
	slow   time.Duration
}

func (d *recordingDisk) write(_ context.Context, parts []debate.Text) error {
	time.Sleep(d.slow) // of a synctest bubble
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err
	}
	d.parts = append(d.parts, slices.Clone(parts)...)
	d.writes = append(d.writes, time.Now())
	return nil
}

func (d *recordingDisk) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	for _, p := range d.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func newPartial(agent agents.ID, text string) debate.Text {
	return debate.Text{Turn: agents.Turn{Round: 1, Attempt: 1, Agent: agent}, Text: text}
}

func TestJournal_writesInOrderAndAtMostAQuarterOfASecondLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &recordingDisk{}
		j := engine.NewJournal(d.write)
		stop := j.Start(t.Context())
		want := ""
		for i := range 50 {
			piece := fmt.Sprint("<", i, ">")
			want += piece
			must.Do(t, j.Add(newPartial(agents.ID(fmt.Sprint("seat-", i%3)), piece)))
			soFar := want
			time.AfterFunc(250*time.Millisecond, func() {
				if !strings.HasPrefix(d.text(), soFar) {
					t.Errorf("250 ms after %s there stands %q", piece, d.text())
				}
			})
			time.Sleep(time.Duration(7*i%60) * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := d.text(); got != want {
			t.Errorf("written: %q, want %q", got, want)
		}
		if n := len(d.writes); n > 10 {
			t.Errorf("%d writes for 50 pieces within 1.5 s: they are not gathered", n)
		}
		begun, much := time.Now(), strings.Repeat("x", engine.JournalSize) // for which it does not wait
		must.Do(t, j.Add(newPartial("ada", "a little")))
		time.Sleep(10 * time.Millisecond)
		must.Do(t, j.Add(newPartial("ada", much)))
		synctest.Wait()
		if last := d.writes[len(d.writes)-1]; last.Sub(begun) != 10*time.Millisecond {
			t.Errorf("much is written %s after it begins", last.Sub(begun))
		}
		want += "a little" + much
		must.Do(t, j.Add(newPartial("ada", "last words")))
		if err := stop(); err != nil || d.text() != want+"last words" {
			t.Errorf("after the end: %q, %v", d.text(), err)
		}
	})
}

func TestJournal_joinsPiecesOfOnePassageAndLeavesOutWhatWasDropped(t *testing.T) {
	t.Parallel()
	d := &recordingDisk{}
	j := engine.NewJournal(d.write)
	ada := newPartial("ada", "")
	thought, later := ada, ada
	thought.Reasoning, later.Passage = true, 1
	var want []debate.Text
	for _, p := range []debate.Text{ada, thought, ada, later, newPartial("brook", "")} {
		p.Text = "ab"
		want = append(want, p)
		for _, letter := range []string{"a", "b"} {
			p.Text = letter
			must.Do(t, j.Add(p))
		}
		must.Do(t, j.Add(newPartial("cy", "dropped")))
	}
	j.Drop(newPartial("cy", "").Turn)
	kept := newPartial("cy", "kept")
	want = append(want, kept)
	must.Do(t, j.Add(kept))
	must.Do(t, j.Flush(t.Context()))
	if diff := cmp.Diff(want, d.parts); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

func TestJournal_afterAnErrorNothingIsTakenAnyMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		d := &recordingDisk{err: full}
		j := engine.NewJournal(d.write)
		stop := j.Start(t.Context())
		must.Do(t, j.Add(newPartial("ada", "lost")))
		time.Sleep(250 * time.Millisecond)
		synctest.Wait()
		d.mu.Lock()
		d.err = nil // room again: still nothing may follow what is lost
		d.mu.Unlock()
		for _, agent := range []agents.ID{"ada", "brook"} {
			if err := j.Add(newPartial(agent, "more")); !errors.Is(err, full) {
				t.Errorf("add for %s: %v, want the error of the write", agent, err)
			}
		}
		if err := j.Flush(t.Context()); !errors.Is(err, full) {
			t.Errorf("flush: %v", err)
		}
		if err := stop(); !errors.Is(err, full) || len(d.parts) > 0 {
			t.Errorf("stop: %v after %d parts", err, len(d.parts))
		}
	})
}

func TestJournal_dropWaitsForAWriteUnderWay(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan bool), make(chan bool)
	var written atomic.Bool
	j := engine.NewJournal(func(context.Context, []debate.Text) error {
		close(begun)
		<-goOn
		written.Store(true)
		return nil
	})
	must.Do(t, j.Add(newPartial("ada", "under way")))
	flushed, dropped := make(chan error), make(chan bool)
	go func() { flushed <- j.Flush(t.Context()) }()
	<-begun
	go func() {
		j.Drop(newPartial("ada", "").Turn)
		dropped <- written.Load()
	}()
	for range 1000 { // time enough for a drop that does not wait
		runtime.Gosched()
	}
	close(goOn)
	if !<-dropped {
		t.Error("the turn's whole text could be stored before a piece of it, which would then stay")
	}
	if err := <-flushed; err != nil {
		t.Error(err)
	}
}
