package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole puts a file in its place whole or not at all, for the user's eyes only.
// What is there already stays and the error is fs.ErrExist, unless a regular file is
// to be replaced. Whatever else is there, such as a link or a folder, always stays.
func writeFileAtomic(path string, raw []byte, replace bool) error {
	if err := checkTarget(path, replace); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".roundtable-*.part")
	if err != nil {
		return withoutPath(err)
	}
	defer os.Remove(temp.Name()) // where it has not become the file
	_, err = temp.Write(raw)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return withoutPath(err)
	}
	if err := commitFile(temp.Name(), path, replace); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// mayWrite reports why a path cannot be written to.
func checkTarget(path string, replace bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return withoutPath(err)
	case info.IsDir():
		return errors.New("it is a folder")
	case !replace:
		return fs.ErrExist
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link; name the file itself")
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	return nil
}

// commitFile gives the finished file its name. A link takes no name that somebody else
// has taken meanwhile; where there are no links the name is taken first.
func commitFile(temp, path string, replace bool) error {
	if replace {
		return withoutPath(os.Rename(temp, path))
	}
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return withoutPath(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return withoutPath(err)
	}
	if err := errors.Join(f.Close(), os.Rename(temp, path)); err != nil {
		return errors.Join(withoutPath(err), os.Remove(path))
	}
	return nil
}

// syncFolder makes a new name in a folder durable, where the system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a folder may be written to and not be read
	}
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// withoutPath returns what the system said, without the path that the message names anyway.
func withoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
