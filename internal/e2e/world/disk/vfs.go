//go:build cgo && linux

package disk

// #cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-in-object-files
// #include "vfs.h"
import "C"

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/cgo"
	"sync"
	"syscall"
	"unsafe"

	_ "github.com/mattn/go-sqlite3" // links SQLite

	"roundtable/internal/file"
)

// Codes and flags of SQLite.
const (
	codeOK           = 0
	codeFull         = 13
	codeCantOpen     = 14
	codeIOWrite      = 10 | 3<<8
	codeIOSync       = 10 | 4<<8
	codeIOSyncFolder = 10 | 5<<8
	codeIOTruncate   = 10 | 6<<8
	codeIODelete     = 10 | 10<<8
	codeNothingThere = 10 | 23<<8

	notDone = -1 // what the functions below return if the wrapped layer has to do it

	openCreate       = 0x00000004
	openMainJournal  = 0x00000800
	openSuperJournal = 0x00004000
	openLog          = 0x00080000
)

// install makes SQLite use the recording file system for all databases that are opened from
// now on. Files outside of watched folders are passed on.
var install = sync.OnceValue(func() error {
	if rc := C.diskInstall(); rc != codeOK {
		return fmt.Errorf("install the recording file system: SQLite says %d", int(rc))
	}
	return nil
})

// handle is a file that SQLite has open.
type handle struct {
	disk *Disk
	node *node // nil: the one at the path
	path string
	// SQLite makes the name of a new log or journal durable when it first syncs it.
	syncsFolder bool
}

//export diskOpen
func diskOpen(name *C.char, flags C.int, out *C.uintptr_t, code *C.int) C.int {
	path := C.GoString(name)
	d := find(path)
	if d == nil {
		return notDone
	}
	n, err := d.open(path, flags&openCreate != 0)
	if err != nil {
		return failure(file.Create, err, code)
	}
	if n == nil { // there is no file, and the wrapped layer says so
		return notDone
	}
	*out = C.uintptr_t(cgo.NewHandle(&handle{
		disk: d, node: n, path: path,
		syncsFolder: flags&openCreate != 0 && flags&(openMainJournal|openSuperJournal|openLog) != 0,
	}))
	return notDone
}

//export diskClose
func diskClose(h C.uintptr_t) {
	handleOf(h).disk.close()
	cgo.Handle(h).Delete()
}

//export diskWrite
func diskWrite(h C.uintptr_t, p unsafe.Pointer, n C.int, offset C.longlong, code *C.int) C.int {
	f := handleOf(h)
	op := file.Op{Kind: file.Write, Path: f.path, Offset: int64(offset), Size: int64(n)}
	return f.record(op, unsafe.Slice((*byte)(p), int(n)), code)
}

//export diskTruncate
func diskTruncate(h C.uintptr_t, size C.longlong, code *C.int) C.int {
	f := handleOf(h)
	return f.record(file.Op{Kind: file.Truncate, Path: f.path, Size: int64(size)}, nil, code)
}

//export diskSync
func diskSync(h C.uintptr_t, code *C.int) C.int {
	f := handleOf(h)
	rc := f.record(file.Op{Kind: file.Sync, Path: f.path}, nil, code)
	if rc == codeOK && f.syncsFolder {
		f.syncsFolder = false
		_, _ = f.disk.Record(file.Op{Kind: file.SyncFolder, Path: filepath.Dir(f.path)}, nil) // SQLite ignores its error, too
	}
	return rc
}

//export diskDelete
func diskDelete(name *C.char, syncFolder C.int, code *C.int) C.int {
	f := handle{path: C.GoString(name)}
	if f.disk = find(f.path); f.disk == nil {
		return notDone
	}
	rc := f.record(file.Op{Kind: file.Remove, Path: f.path}, nil, code)
	if rc == codeOK && syncFolder != 0 {
		rc = f.record(file.Op{Kind: file.SyncFolder, Path: filepath.Dir(f.path)}, nil, code)
	}
	return rc
}

func handleOf(h C.uintptr_t) *handle { return cgo.Handle(h).Value().(*handle) }

func (f *handle) record(op file.Op, data []byte, code *C.int) C.int {
	done, err := f.disk.record(f.node, op, data)
	switch {
	case err != nil:
		return failure(op.Kind, err, code)
	case done:
		return codeOK
	}
	return notDone
}

// failure returns what SQLite's own layer returns for an error of an operation.
func failure(kind file.Kind, err error, code *C.int) C.int {
	errno := syscall.EIO
	_ = errors.As(err, &errno)
	*code = C.int(errno)
	switch {
	case kind == file.Write && errno == syscall.ENOSPC:
		return codeFull
	case kind == file.Remove && errors.Is(err, fs.ErrNotExist):
		return codeNothingThere
	}
	return C.int(map[file.Kind]int{
		file.Create: codeCantOpen, file.Write: codeIOWrite, file.Truncate: codeIOTruncate,
		file.Sync: codeIOSync, file.SyncFolder: codeIOSyncFolder, file.Remove: codeIODelete,
	}[kind])
}
