//go:build cgo && linux

package world_test

import (
	"sync/atomic"
	"syscall"

	"roundtable/internal/e2e/world/disk"
	"roundtable/internal/file"
)

// The ways in which writes fail.
const (
	errFull   = syscall.ENOSPC
	errBroken = syscall.EIO
)

// machine is the disk of a world, whose writes can fail for a while.
type machine struct {
	*disk.Disk
	why atomic.Uintptr // that writes fail, a syscall.Errno; 0: they do not
}

// watch returns the disk of what is below a folder.
func watch(dir string) *machine {
	m := &machine{Disk: disk.Watch(dir)}
	m.Fail(func(op file.Op) error {
		writes := op.Kind == file.Write || op.Kind == file.Sync || op.Kind == file.Create
		if why := syscall.Errno(m.why.Load()); why != 0 && writes {
			return why
		}
		return nil
	})
	return m
}

// FailWith lets all writes fail from now on; 0 lets none.
func (m *machine) FailWith(why syscall.Errno) { m.why.Store(uintptr(why)) }

// Failing reports whether writes fail.
func (m *machine) Failing() bool { return m.why.Load() != 0 }
