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
// can, from its folder. It returns why the database can only be read, or "", and what
// the user should know.
func protect(path string) (readonly string, notices []string, err error) {
	dir := filepath.Dir(path)
	info, err := os.Lstat(path)
	folder, err2 := os.Stat(dir)
	if err := errors.Join(err, err2); err != nil {
		return "", nil, &OpenError{Path: path, Cause: systemReason(err), Remedy: "Check the file and its folder.", Err: err}
	}
	switch {
	case !writable(path, info):
		return "the database is read-only", nil, nil
	case !writable(dir, folder):
		return "the folder of the database is read-only", nil, nil
	case openToOthers(info) && !isOwner(info):
		return "", nil, &OpenError{
			Path: path, Cause: "it belongs to another user, and others can read or write it",
			Remedy: "Copy it to a folder of your own and open the copy.",
		}
	}
	for _, suffix := range databaseFiles {
		if err := restrict(path+suffix, 0o600); err != nil {
			return "", nil, &OpenError{
				Path: path, Cause: "other users can read it, and its permissions cannot be changed (" + systemReason(err) + ")",
				Remedy: "Run chmod 600 on it.", Err: err,
			}
		}
	}
	return "", protectFolder(path), nil
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
// the database in it, it returns a notice. In a sticky folder like /tmp they cannot.
func protectFolder(path string) (notices []string) {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil || !openToOthers(info) || info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	if isOwner(info) && aloneInFolder(path) && os.Chmod(dir, 0o700) == nil {
		return nil
	}
	if info.Mode().Perm()&0o022 != 0 {
		notices = append(notices, fmt.Sprintf("Other users can write to the folder of the database. Run: chmod 700 %s", dir))
	}
	return notices
}

// aloneInFolder reports whether the folder has no files but those of the database.
func aloneInFolder(path string) bool {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Readdirnames(50)
	if err != nil || len(names) == 50 {
		return false
	}
	for _, name := range names {
		if name != locksFolder && !strings.HasPrefix(strings.TrimPrefix(name, "."), filepath.Base(path)) {
			return false
		}
	}
	return true
}
