//go:build cgo && linux

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roundtable/internal/file"
)

// Restart puts into place what the machine finds when it comes up again, and returns in one
// line what that is. Without lost only programs were killed: all that was written is there. If
// power was lost, each write, truncation and name that was not synced is there, or not, or
// in part, independently. Files that survive keep their inodes. All files are closed.
func (d *Disk) Restart(r *rand.Rand, lost bool) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.handles > 0 {
		return "", fmt.Errorf("restart: %d files are still open", d.handles)
	}
	d.forget()
	said, err := &report{what: "killed", changes: map[string]int{}}, error(nil)
	if lost {
		said.what = "power lost"
		err = d.losePower(r, said)
	} else if d.last != nil {
		err = d.finish(r, said)
	}
	if err != nil {
		return "", fmt.Errorf("restart: %w", err)
	}
	for name := range d.names {
		if err := os.Remove(filepath.Join(d.dir, name) + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("restart: %w", err)
		}
	}
	d.dead, d.left, d.last = false, 0, nil
	return said.String(), nil
}

// forget drops the names of files that were removed unrecorded. The last entry was not done.
func (d *Disk) forget() {
	for name, n := range d.names {
		if _, err := os.Lstat(n.at); err == nil {
			continue
		}
		delete(d.names, name)
		maps.DeleteFunc(d.durable, func(_ string, x *node) bool { return x == n })
		d.nodes = slices.DeleteFunc(d.nodes, func(x *node) bool { return x == n })
		if d.last != nil && (d.last.node == n || d.last.node == nil && d.entries[len(d.entries)-1].node == n) {
			d.last = nil
		}
		d.entries = slices.DeleteFunc(d.entries, func(e entry) bool { return e.node == n })
	}
}

// fate is what becomes of an unsynced change.
type fate string

const (
	dropped fate = "dropped"
	kept    fate = "kept"
	torn    fate = "torn"
)

// fates draws the fates of the changes of one file or folder: all are lost, or all kept, or some.
type fates struct {
	*rand.Rand
	keep float64
}

func newFates(r *rand.Rand) fates { return fates{r, r.Float64()*1.5 - 0.25} }

func (f fates) next() fate {
	if f.Float64() < f.keep {
		return kept
	}
	return dropped
}

// part returns what there is of a change: all of it, nothing, or what is on one side of a
// boundary of sectors.
func (f fates) part(c change, log []byte) (change, []byte, fate) {
	data := log[c.from:c.to]
	what := f.next()
	if what == kept || c.truncates || f.IntN(3) > 0 {
		return c, data, what
	}
	for _, sector := range []int64{4096, 512}[f.IntN(2):] {
		first := (c.offset/sector + 1) * sector
		inside := (c.offset + int64(len(data)) - 1 - first + sector) / sector
		if first >= c.offset+int64(len(data)) {
			continue
		}
		cut := first + f.Int64N(inside)*sector - c.offset
		if f.IntN(2) == 0 {
			return c, data[:cut], torn
		}
		c.offset += cut
		return c, data[cut:], torn
	}
	return c, data, dropped
}

// losePower draws a state and puts it into place.
func (d *Disk) losePower(r *rand.Rand, said *report) error {
	names, f := maps.Clone(d.durable), newFates(r)
	for _, e := range d.entries {
		what := f.next()
		if what == kept {
			e.apply(names)
		}
		said.entry(e, what)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !isReachable(names, d.names, name) {
			delete(names, name)
		}
	}
	changed := map[*node]bool{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n, f := names[name], newFates(r)
		changed[n] = len(n.pending) > 0 || n.at == ""
		for _, c := range n.pending {
			c, data, what := f.part(c, n.log)
			if what != dropped {
				n.apply(c, data)
			}
			said.change(name, what)
		}
		n.pending, n.log = nil, nil
	}
	return d.place(names, changed)
}

// isReachable reports whether the folders of a name survived, of those that are known.
func isReachable(names, before map[string]*node, name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if before[dir] != nil && names[dir] == nil {
			return false
		}
	}
	return true
}

// place makes the files those of names, with the durable content of their nodes.
func (d *Disk) place(names map[string]*node, changed map[*node]bool) error {
	target := map[*node]string{}
	for name, n := range names {
		target[n] = filepath.Join(d.dir, name)
	}
	for _, n := range slices.Backward(d.nodes) { // what is in a folder is newer than it
		var err error
		switch {
		case n.at == "" || n.at == target[n]:
		case n.folder:
			err = os.RemoveAll(n.at)
		default:
			err = d.bury(n, os.Rename)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n := names[name]
		if err := n.put(target[n], changed[n]); err != nil {
			return err
		}
	}
	d.nodes = slices.DeleteFunc(d.nodes, func(n *node) bool { return target[n] == "" })
	if d.graves != "" {
		_ = os.RemoveAll(d.graves) // all that is of use has its name again
		d.graves = ""
	}
	d.names, d.durable, d.entries = names, maps.Clone(names), nil
	return nil
}

// put gives a file its path, and the durable content if it has another one.
func (n *node) put(path string, changed bool) error {
	at := n.at
	n.at = path
	switch {
	case at == "" && n.folder:
		return os.Mkdir(path, 0o700)
	case at != "" && at != path:
		if err := os.Rename(at, path); err != nil {
			return err
		}
	}
	if !changed || n.folder {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(n.durable, 0)
	return errors.Join(err, f.Truncate(int64(len(n.durable))), f.Close())
}

// finish does the last operation, or a part of it, as if the program had been killed in it.
func (d *Disk) finish(r *rand.Rand, said *report) error {
	f := newFates(r)
	if n := d.last.node; n != nil {
		c := n.pending[len(n.pending)-1]
		n.pending = n.pending[:len(n.pending)-1]
		c, data, what := f.part(c, n.log)
		said.change(filepath.Base(n.at), what)
		if what == dropped {
			return nil
		}
		c.from = len(n.log)
		n.log = append(n.log, data...)
		c.to = len(n.log)
		n.pending = append(n.pending, c)
		return write(n.at, c, data)
	}
	e := d.entries[len(d.entries)-1]
	what := f.next()
	said.entry(e, what)
	if what == dropped {
		d.entries = d.entries[:len(d.entries)-1]
		return nil
	}
	if err := d.do(e); err != nil {
		return err
	}
	if e.kind == file.Create || e.kind == file.Mkdir {
		n := e.node
		n.at = ""
		return n.put(filepath.Join(d.dir, e.path), true)
	}
	return nil
}

// write changes a file as a program would have done.
func write(path string, c change, data []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if c.truncates {
		err = f.Truncate(c.offset)
	} else {
		_, err = f.WriteAt(data, c.offset)
	}
	return errors.Join(err, f.Close())
}

// report words what became of unsynced changes.
type report struct {
	what    string
	entries []string
	changes map[string]int // how many of a file have a fate
}

func (s *report) entry(e entry, what fate) {
	line := string(e.kind) + " " + e.path
	if e.to != "" {
		line += " to " + e.to
	}
	if what == dropped {
		line = "not " + line
	}
	s.entries = append(s.entries, line)
}

func (s *report) change(name string, what fate) { s.changes[name+" "+string(what)]++ }

// String returns the line of the report.
func (s *report) String() string {
	return fmt.Sprint(s.what, ": ", strings.Join(s.entries, "; "), " ", s.changes)
}
