// Package file writes the program's own files so that they outlast a crash: each file that it
// makes is for the user only, and it follows no symbolic link. It imports the standard library
// only, and knows nothing of what is in a file.
package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const mode = 0o600

// System changes files. The zero value is the operating system's.
type System struct {
	Recorder Recorder // nil: nothing is recorded
}

// WriteAtomic writes a file completely or not at all. When it returns, the content is durable.
// Without replace a file that is there is the error fs.ErrExist, even if it has appeared this moment.
func WriteAtomic(path string, replace bool, write func(*os.File) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".roundtable-*.part") // which only the user may read
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) //nolint:errcheck // it was renamed
	if err := errors.Join(write(temp), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if replace {
		return System{}.Rename(temp.Name(), path)
	}
	return place(temp.Name(), path)
}

// Replace is WriteAtomic of a content, which replaces a file that is there.
func Replace(path string, content []byte) error {
	return WriteAtomic(path, true, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// place renames a file in its folder and makes that durable. It replaces nothing.
func place(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case err == nil:
		err = os.Remove(temp)
	case !errors.Is(err, fs.ErrExist): // the file system has no links
		err = reserve(temp, path)
	}
	if err != nil {
		return err
	}
	return System{}.SyncFolder(filepath.Dir(path))
}

// reserve makes an empty file, which it replaces.
func reserve(temp, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), os.Rename(temp, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Create makes an empty file. One that is there is an error.
func (s System) Create(path string) error { return s.open(path, os.O_EXCL) }

// Ensure makes an empty file unless there is one.
func (s System) Ensure(path string) error { return s.open(path, 0) }

func (s System) open(path string, flag int) error {
	return s.do(Op{Kind: Create, Path: path}, nil, func() error {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|NoFollow|flag, mode)
		if err != nil {
			return err
		}
		return f.Close()
	})
}

// Mkdir makes a folder unless there is one.
func (s System) Mkdir(path string) error {
	err := s.do(Op{Kind: Mkdir, Path: path}, nil, func() error { return os.Mkdir(path, 0o700) })
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Rename renames a file in its folder and makes that durable. It replaces a file of that name.
func (s System) Rename(from, to string) error {
	if err := s.do(Op{Kind: Rename, Path: from, To: to}, nil, func() error { return os.Rename(from, to) }); err != nil {
		return err
	}
	return s.SyncFolder(filepath.Dir(to))
}

// Remove removes a file if there is one.
func (s System) Remove(path string) error {
	err := s.do(Op{Kind: Remove, Path: path}, nil, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SyncFolder makes the names in a folder durable, if the system can. A folder may be writable
// and not readable.
func (s System) SyncFolder(dir string) error {
	err := s.do(Op{Kind: SyncFolder, Path: dir}, nil, func() error {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		return errors.Join(d.Sync(), d.Close())
	})
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
