package e2e_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/sys/unix"
)

// fullDisk lets no file of the program grow any more. Where a file system can be
// mounted the disk is really full, else the system limits the size of files.
var fullDisk = &fault{
	start: (*trial).ownDisk,
	begin: func(tr *trial, pid int) bool {
		if tr.hasOwnDisk() {
			tr.fillDisk()
		} else if err := limitFiles(pid, 4096); err != nil && !errors.Is(err, unix.ESRCH) {
			tr.Error(err)
		}
		return true
	},
	stops: regexp.MustCompile("(?i)Cannot save|the disk is full|size limit"),
	room:  true,
	wrap: func(tr *trial) []string {
		if tr.hasOwnDisk() {
			return nil
		}
		return []string{"sh", "-c", `ulimit -f 4; exec "$0" "$@"`}
	},
	end: func(tr *trial) {
		if err := os.Remove(tr.filler()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			tr.Error(err)
		}
	},
}

// filler is the file that fills the disk of a trial.
func (tr *trial) filler() string { return filepath.Join(filepath.Dir(tr.database()), "filler") }

// ownDisk puts the data of a trial on a small disk of its own, if it may.
func (tr *trial) ownDisk() {
	dir := filepath.Dir(tr.database())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		tr.Fatal(err)
	}
	if unix.Mount("tmpfs", dir, "tmpfs", 0, "size=16m,mode=700") == nil {
		tr.Cleanup(func() {
			if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
				tr.Error(err)
			}
		})
	}
}

// hasOwnDisk reports whether the data of a trial are on a disk of their own.
func (tr *trial) hasOwnDisk() bool {
	var of, above unix.Stat_t
	dir := filepath.Dir(tr.database())
	return unix.Stat(dir, &of) == nil && unix.Stat(filepath.Dir(dir), &above) == nil && of.Dev != above.Dev
}

// fillDisk fills the disk of a trial.
func (tr *trial) fillDisk() {
	f, err := os.OpenFile(tr.filler(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		tr.Error(err)
		return
	}
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
	if !errors.Is(err, unix.ENOSPC) {
		tr.Error(err)
	}
}

// limitFiles sets how large a process may make files.
func limitFiles(pid int, bytes uint64) error {
	var was unix.Rlimit
	err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &was)
	if err == nil {
		was.Cur = bytes
		err = unix.Prlimit(pid, unix.RLIMIT_FSIZE, &was, nil)
	}
	return err
}

func TestCrash_withAFullDisk(t *testing.T) { killAtRandom(t, fullDisk, count(3, 150)) }
