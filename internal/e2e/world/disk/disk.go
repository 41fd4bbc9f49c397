//go:build cgo && linux

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"roundtable/internal/file"
)

// Op is an operation on a file or folder. Its paths are relative to the watched folder.
type Op = file.Op

// Disk records what is written below a folder. Its methods are safe for concurrent use.
type Disk struct {
	dir string

	mu      sync.Mutex
	closed  bool
	names   map[string]*node // as programs see them, by path below dir; unknown until it is used
	durable map[string]*node // as they are after the power was lost and no entry survived
	entries []entry          // what is between the two, in order
	nodes   []*node          // all that a name or an entry refers to
	graves  string           // folder of files that no program sees any more and a restart may bring back
	buried  int
	handles int // files that SQLite has open
	ops     int
	left    int // operations until the machine dies; 0: it does not
	dead    bool
	last    *last
	fail    func(Op) error
}

// node is a file, or a folder below the watched one.
type node struct {
	at      string // where the file is now; "": nowhere
	folder  bool
	durable []byte
	pending []change // since the last sync, in order
	log     []byte   // the data of pending
}

// change is an unsynced write or truncation. A truncation has no data.
type change struct {
	truncates bool
	offset    int64 // of a truncation: the new size
	from, to  int   // in the log of the node
}

// entry is an unsynced change of a folder.
type entry struct {
	kind     file.Kind
	path, to string
	node     *node
}

// last is the operation at which the machine died. The entry or the change is the last one of
// its list. A program did not see it done.
type last struct {
	node *node // whose change it is; nil: an entry
}

var watched struct {
	sync.RWMutex
	disks []*Disk
}

// Watch records everything that is written below a folder through SQLite or Files. What
// is there now is durable. No file of it is open.
func Watch(dir string) *Disk {
	if err := install(); err != nil {
		panic(err)
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		panic(err)
	}
	d := &Disk{dir: abs, names: map[string]*node{}, durable: map[string]*node{}}
	watched.Lock()
	defer watched.Unlock()
	watched.disks = append(watched.disks, d)
	return d
}

// Close stops recording.
func (d *Disk) Close() {
	watched.Lock()
	watched.disks = slices.DeleteFunc(watched.disks, func(x *Disk) bool { return x == d })
	watched.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.graves != "" {
		_ = os.RemoveAll(d.graves) // of a test
	}
}

// find returns the disk of a path, or nil.
func find(path string) *Disk {
	watched.RLock()
	defer watched.RUnlock()
	for _, d := range watched.disks {
		if _, ok := d.rel(path); ok {
			return d
		}
	}
	return nil
}

// rel returns a path below the folder.
func (d *Disk) rel(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, d.dir)
	switch {
	case ok && rest == "":
		return ".", true
	case ok && rest[0] == filepath.Separator:
		return rest[1:], true
	}
	return "", false
}

// Ops returns how many operations there were.
func (d *Disk) Ops() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ops
}

// DieAfter makes the machine die with the n-th operation from now, of which a part may be
// done; with 0 it dies now. From then on operations succeed and change nothing, so that
// programs can close their files. No file can be opened until the restart.
func (d *Disk) DieAfter(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = n
	d.dead = d.dead || n <= 0
}

// Dead reports whether the machine has died.
func (d *Disk) Dead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// Fail sets a function that is asked before each operation; with an error the operation fails.
// SQLite understands syscall.ENOSPC and takes other errors for syscall.EIO.
func (d *Disk) Fail(f func(Op) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = f
}

// errDead is the error of a file that is opened on a dead machine.
var errDead = &fs.PathError{Op: "open", Err: syscall.EIO}

// open returns the node of a file that SQLite opens, or nil if there is none.
func (d *Disk) open(path string, creates bool) (*node, error) {
	rel, _ := d.rel(path)
	n, err := d.opened(rel)
	if n != nil || err != nil || !creates {
		return n, err
	}
	if _, err := d.record(nil, Op{Kind: file.Create, Path: path}, nil); err != nil {
		return nil, err
	}
	return d.opened(rel) // another thread may have created it as well
}

// opened counts the handle that is made for the file at a path.
func (d *Disk) opened(rel string) (*node, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return nil, errDead
	}
	n := d.at(rel)
	if n != nil {
		d.handles++
	}
	return n, nil
}

func (d *Disk) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handles--
}

// at returns the file or folder at a path, or nil. One that is not known is durable.
func (d *Disk) at(rel string) *node {
	if n := d.names[rel]; n != nil {
		return n
	}
	path := filepath.Join(d.dir, rel)
	content, err := os.ReadFile(path)
	n := &node{at: path, folder: errors.Is(err, syscall.EISDIR), durable: content}
	if err != nil && !n.folder {
		return nil
	}
	d.names[rel], d.durable[rel] = n, n
	d.nodes = append(d.nodes, n)
	return n
}

// Files returns the file system for files that a program writes without SQLite.
func (d *Disk) Files() file.System { return file.System{Recorder: d} }

// Record implements file.Recorder.
func (d *Disk) Record(op Op, data []byte) (done bool, err error) { return d.record(nil, op, data) }

// record does what Record does, for a node that a handle was opened for.
func (d *Disk) record(n *node, op Op, data []byte) (done bool, err error) {
	path, ok := d.rel(op.Path)
	if !ok {
		return false, nil
	}
	op.Path = path
	if op.Kind == file.Rename {
		if op.To, ok = d.rel(op.To); !ok {
			return false, nil
		}
	}
	d.mu.Lock()
	fail, dead, closed := d.fail, d.dead, d.closed
	d.mu.Unlock()
	if closed || dead {
		return !closed, nil
	}
	if fail != nil {
		if err := fail(op); err != nil {
			return false, &fs.PathError{Op: string(op.Kind), Path: filepath.Join(d.dir, op.Path), Err: err}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return true, nil
	}
	if n == nil {
		n = d.at(op.Path)
	}
	switch isThere := n != nil; {
	case isThere && (op.Kind == file.Create || op.Kind == file.Mkdir), !isThere && op.Kind == file.Rename:
		return false, nil // what happens is for the system to say
	case !isThere && op.Kind == file.Remove:
		return true, &fs.PathError{Op: "remove", Path: filepath.Join(d.dir, op.Path), Err: fs.ErrNotExist}
	}
	return d.count(n, op, data)
}

// count records an operation and does it, unless the machine dies with it. Writes,
// truncations and creations are left to the caller.
func (d *Disk) count(n *node, op Op, data []byte) (done bool, err error) {
	d.ops++
	if d.left > 0 {
		d.left--
		d.dead = d.left == 0
	}
	switch op.Kind {
	case file.Write, file.Truncate:
		n.add(op, data)
		if d.dead {
			d.last = &last{node: n}
		}
		return d.dead, nil
	case file.Sync:
		if !d.dead {
			n.sync()
		}
		return true, nil
	case file.SyncFolder:
		if !d.dead {
			d.syncFolder(op.Path)
		}
		return true, nil
	default:
		return d.countEntry(n, op)
	}
}

// countEntry does what count does, for a change of a folder.
func (d *Disk) countEntry(n *node, op Op) (done bool, err error) {
	if n == nil {
		n = &node{folder: op.Kind == file.Mkdir}
		d.nodes = append(d.nodes, n)
	}
	e := entry{op.Kind, op.Path, op.To, n}
	d.entries = append(d.entries, e)
	if d.dead {
		d.last = &last{}
		return true, nil
	}
	return e.kind == file.Remove || e.kind == file.Rename, d.do(e)
}

// do changes the names that programs see. It does not create files.
func (d *Disk) do(e entry) error {
	switch e.kind {
	case file.Create, file.Mkdir:
		e.node.at = filepath.Join(d.dir, e.path)
	case file.Remove:
		if err := d.bury(e.node, os.Rename); err != nil {
			return err
		}
	case file.Rename:
		if old := d.at(e.to); old != nil {
			if err := d.bury(old, os.Link); err != nil {
				return err
			}
		}
		to := filepath.Join(d.dir, e.to)
		if err := os.Rename(e.node.at, to); err != nil {
			return err
		}
		e.node.at = to
	default: // no other kind is an entry
	}
	e.apply(d.names)
	return nil
}

// apply changes names as the entry says.
func (e entry) apply(names map[string]*node) {
	switch e.kind {
	case file.Create, file.Mkdir:
		names[e.path] = e.node
	case file.Remove:
		delete(names, e.path)
	case file.Rename:
		for name, n := range names { // an earlier name, if the renaming to that was lost
			if n == e.node {
				delete(names, name)
			}
		}
		names[e.to] = e.node
	default: // no other kind is an entry
	}
}

// bury keeps a file that gets out of sight, with its inode. Move is os.Rename, or os.Link if
// its name is about to be another file's.
func (d *Disk) bury(n *node, move func(from, to string) error) (err error) {
	if d.graves == "" {
		if d.graves, err = os.MkdirTemp(filepath.Dir(d.dir), ".graves-"); err != nil {
			return err
		}
	}
	d.buried++
	grave := filepath.Join(d.graves, strconv.Itoa(d.buried))
	if err = move(n.at, grave); err == nil {
		n.at = grave
	}
	return err
}

// add adds an unsynced change.
func (n *node) add(op Op, data []byte) {
	c := change{op.Kind == file.Truncate, op.Offset, len(n.log), len(n.log) + len(data)}
	if c.truncates {
		c.offset = op.Size
	}
	n.log = append(n.log, data...)
	n.pending = append(n.pending, c)
}

// sync makes all changes durable.
func (n *node) sync() {
	for _, c := range n.pending {
		n.apply(c, n.log[c.from:c.to])
	}
	n.pending, n.log = n.pending[:0], n.log[:0]
}

// apply changes the durable content.
func (n *node) apply(c change, data []byte) {
	size := int(c.offset) + len(data)
	if had := len(n.durable); had < size {
		n.durable = slices.Grow(n.durable, size-had)[:size]
		clear(n.durable[had:max(had, int(c.offset))])
	} else if c.truncates {
		n.durable = n.durable[:size]
	}
	copy(n.durable[c.offset:], data)
}

// syncFolder makes the names in a folder durable, and forgets what has none any more.
func (d *Disk) syncFolder(rel string) {
	d.entries = slices.DeleteFunc(d.entries, func(e entry) bool {
		if filepath.Dir(e.path) != rel {
			return false
		}
		e.apply(d.durable)
		return true
	})
	used := map[*node]bool{}
	for _, n := range d.names {
		used[n] = true
	}
	for _, n := range d.durable {
		used[n] = true
	}
	for _, e := range d.entries {
		used[e.node] = true
	}
	d.nodes = slices.DeleteFunc(d.nodes, func(n *node) bool {
		if !used[n] && n.at != "" {
			_ = os.Remove(n.at) // it has no name, unless it was removed by others
		}
		return !used[n]
	})
}
