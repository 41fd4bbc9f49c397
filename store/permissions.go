package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// protect removes the permissions of other users from the database and, where it
// can, from its folder. It returns why the database can only be read, or "".
func (s *Store) protect() (readonly string, err error) {
	info, err := os.Lstat(s.path)
	folder, err2 := os.Stat(s.dir())
	if err := errors.Join(err, err2); err != nil {
		return "", &OpenError{Path: s.path, Cause: systemReason(err), Remedy: "Check the file and its folder.", Err: err}
	}
	switch {
	case !writable(s.path, info):
		return "the database is read-only", nil
	case !writable(s.dir(), folder):
		return "the folder of the database is read-only", nil
	case openToOthers(info) && !isOwner(info):
		return "", &OpenError{
			Path: s.path, Cause: "it belongs to another user, and more than one may read or write it",
			Remedy: "Copy it to a folder of your own and open the copy.",
		}
	}
	for _, suffix := range databaseFiles {
		if err := restrict(s.path+suffix, 0o600); err != nil {
			return "", &OpenError{
				Path: s.path, Cause: "other users may read it, and that cannot be changed (" + systemReason(err) + ")",
				Remedy: "Run chmod 600 on it.", Err: err,
			}
		}
	}
	s.protectFolder()
	return "", nil
}

// databaseFiles are the suffixes of the files that SQLite keeps for one database.
var databaseFiles = []string{"", "-wal", "-shm", "-journal"}

// restrict sets the mode of a file or folder that other users have access to. A
// missing file and a symbolic link are left alone.
func restrict(path string, mode fs.FileMode) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !openToOthers(info) || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	return os.Chmod(path, mode)
}

// protectFolder restricts a folder that holds nothing but the database. Any other
// folder, such as that of a project, keeps its mode; if other users can replace
// the database in it, a notice says so. In a sticky folder like /tmp they cannot.
func (s *Store) protectFolder() {
	info, err := os.Stat(s.dir())
	if err != nil || !openToOthers(info) || info.Mode()&fs.ModeSticky != 0 {
		return
	}
	if isOwner(info) && s.aloneInFolder() && os.Chmod(s.dir(), 0o700) == nil {
		return
	}
	if info.Mode().Perm()&0o022 != 0 {
		s.notices = append(s.notices, fmt.Sprintf("Other users can write to the folder of the database. Run: chmod 700 %s", s.dir()))
	}
}

// aloneInFolder reports whether the folder has no files but those of the database.
func (s *Store) aloneInFolder() bool {
	d, err := os.Open(s.dir())
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Readdirnames(50)
	if err != nil || len(names) == 50 {
		return false
	}
	for _, name := range names {
		if name != locksFolder && !strings.HasPrefix(strings.TrimPrefix(name, "."), filepath.Base(s.path)) {
			return false
		}
	}
	return true
}
