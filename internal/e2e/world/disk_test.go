//go:build cgo && linux

package world_test

import (
	"sync"
	"syscall"

	"roundtable/internal/e2e/world/disk"
	"roundtable/internal/file"
	"roundtable/store"
)

// machine is the disk of a world, whose writes can fail for a while.
type machine struct {
	*disk.Disk
	mu  sync.Mutex
	why error // that writes fail; nil: they do not
}

// watch returns the disk of what is below a folder.
func watch(dir string) *machine {
	m := &machine{Disk: disk.Watch(dir)}
	m.Fail(m.fails)
	return m
}

func (m *machine) fails(op file.Op) error {
	if op.Kind != file.Write && op.Kind != file.Sync && op.Kind != file.Create {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why
}

// FailWith lets all writes fail from now on; nil lets none.
func (m *machine) FailWith(why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.why = why
}

// Failing reports whether writes fail.
func (m *machine) Failing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why != nil
}

// Options returns options of a store whose own files are on the disk.
func (m *machine) Options(o store.Options) store.Options {
	o.Files = m.Files()
	return o
}

// The ways in which writes fail.
var (
	errFull   error = syscall.ENOSPC
	errBroken error = syscall.EIO
)
