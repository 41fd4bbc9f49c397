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
	mu   sync.Mutex
	left int // writes that fail
	why  error
}

// watch returns the disk of what is below a folder.
func watch(dir string) *machine {
	m := &machine{Disk: disk.Watch(dir)}
	m.Fail(m.fails)
	return m
}

func (m *machine) fails(op file.Op) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 || op.Kind != file.Write && op.Kind != file.Sync && op.Kind != file.Create {
		return nil
	}
	m.left--
	return m.why
}

// FailNext lets so many writes fail.
func (m *machine) FailNext(n int, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left, m.why = n, why
}

// Failing reports whether writes fail.
func (m *machine) Failing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left > 0
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
