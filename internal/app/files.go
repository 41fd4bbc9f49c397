package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFileAtomic writes a file completely or not at all, readable by the user only. An
// existing file is an error that is fs.ErrExist, unless replace is true and it is a
// regular file; links and folders are never replaced.
func WriteFileAtomic(path string, replace bool, write func(io.Writer) error) error {
	if err := checkTarget(path, replace); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".roundtable-*.part")
	if err != nil {
		return WithoutPath(err)
	}
	defer os.Remove(temp.Name()) // fails if it was renamed
	if err := errors.Join(write(temp), temp.Sync(), temp.Close()); err != nil {
		return WithoutPath(err)
	}
	if err := commitFile(temp.Name(), path, replace); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// checkTarget returns why a path cannot be written to.
func checkTarget(path string, replace bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return WithoutPath(err)
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

// commitFile renames temp to path without overwriting a file that appeared meanwhile:
// with link(2), or with O_EXCL and rename on file systems without links.
func commitFile(temp, path string, replace bool) error {
	if replace {
		return WithoutPath(os.Rename(temp, path))
	}
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return WithoutPath(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return WithoutPath(err)
	}
	if err := errors.Join(f.Close(), os.Rename(temp, path)); err != nil {
		return errors.Join(WithoutPath(err), os.Remove(path))
	}
	return nil
}

// syncFolder makes a rename in a folder durable, if the system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a folder may be writable and not readable
	}
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// WithoutPath strips the path from an error, since the message names it anyway.
func WithoutPath(err error) error {
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
