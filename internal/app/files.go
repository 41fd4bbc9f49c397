package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/config"
	"roundtable/internal/file"
	"roundtable/store"
)

// WriteFileAtomic writes a file completely or not at all, readable by the user only. An
// existing file is an error that is fs.ErrExist, unless replace is true and it is a
// regular file; links and folders are never replaced.
func WriteFileAtomic(path string, replace bool, write func(*os.File) error) error {
	if err := checkTarget(path, replace); err != nil {
		return err
	}
	return WithoutPath(file.WriteAtomic(path, replace, write))
}

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

// toNewFile writes to a path, with a number in its name if there is a file, and returns it.
func toNewFile(first string, write func(path string) error) (path string, err error) {
	const mostCopies = 999
	path, ext := first, filepath.Ext(first)
	for n := 2; ; n++ {
		if err = write(path); !errors.Is(err, fs.ErrExist) || n > mostCopies {
			return path, err
		}
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(first, ext), n, ext)
	}
}

// exporter exports the stored session while a round runs: streamed text is not part of one yet.
func exporter(st *store.Store) func(context.Context, debate.Session, bool, report.Format) (string, error) {
	return func(ctx context.Context, s debate.Session, running bool, f report.Format) (string, error) {
		if running {
			stored, err := st.Session(ctx, s.ID)
			if err != nil {
				return "", fmt.Errorf("read the saved debate: %w. Nothing was exported; export it again once the round is done", err)
			}
			s = stored
		}
		return exportToFolder(s, running, f)
	}
}

func exportToFolder(s debate.Session, running bool, format report.Format) (string, error) {
	doc := report.Of(s, report.Options{Live: running})
	first, err := filepath.Abs(report.FileName(s.ID, format))
	if err != nil {
		return "", fmt.Errorf("the current folder does not exist: %w", err)
	}
	path, err := toNewFile(first, func(path string) error {
		return WriteFileAtomic(path, false, func(f *os.File) error { return doc.Write(f, format) })
	})
	if err != nil {
		return "", fmt.Errorf("write %s: %w. Nothing was written; `roundtable export %s -o FILE` writes it elsewhere", path, err, s.ID)
	}
	return path, nil
}

// databaseCopier copies the database to the current, the home or the temporary folder.
func databaseCopier(st *store.Store) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		var errs []error
		for _, dir := range []string{".", xdg.Home, os.TempDir()} {
			path, err := copyToFolder(ctx, st, dir)
			if err == nil {
				return path, nil
			}
			errs = append(errs, err)
		}
		return "", errors.Join(errs...)
	}
}

// CopyDatabase copies the database to a new file. The error says why it cannot.
func CopyDatabase(ctx context.Context, st *store.Store, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return WriteFileAtomic(path, false, func(f *os.File) error { return st.SaveCopy(ctx, f.Name()) })
}

// copyToFolder copies the database to a new file in a folder and returns its path.
func copyToFolder(ctx context.Context, st *store.Store, dir string) (string, error) {
	first, err := filepath.Abs(filepath.Join(dir, "roundtable-copy.db"))
	if err != nil {
		return "", err
	}
	path, err := toNewFile(first, func(path string) error { return CopyDatabase(ctx, st, path) })
	if save := (*store.SaveError)(nil); err != nil && !errors.As(err, &save) {
		err = &store.SaveError{Folder: dir, Cause: err.Error(), Err: err}
	}
	return path, err
}

// InitConfig writes a configuration: with the agents that are found without one as its panel,
// and the example as comments, or else the example. It returns the agents. It never touches an
// existing file.
func (a *App) InitConfig(ctx context.Context) (path string, found []agents.Profile, err error) {
	path, _, err = a.ConfigPath()
	if err != nil {
		return path, nil, err
	}
	b, err := a.Look(ctx, NewBuilder(config.Default().WithLists(a.lists()), false))
	if err != nil {
		return path, nil, err
	}
	content := a.Example
	if len(b.Found) > 0 {
		if content, err = a.foundConfig(path, b.Found); err != nil {
			return path, nil, err
		}
	}
	if err := writeConfig(path, content, false); errors.Is(err, fs.ErrExist) {
		return path, nil, Usagef("%s already exists; it was not changed", path)
	} else if err != nil {
		return path, nil, fmt.Errorf("write %s: %w. Nothing was written; --config selects another file", path, err)
	}
	return path, b.Found, nil
}

// foundConfig returns a config with a panel of agents, and the example as comments.
func (a *App) foundConfig(path string, found []agents.Profile) ([]byte, error) {
	own, err := config.AddPanel(path, nil, debate.Panel{Name: defaultPanel, Seats: found})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(own)
	b.WriteString("\n# What follows is the whole example, as comments: what else can be set, and what it means.\n\n")
	for line := range strings.Lines(string(a.Example)) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			line = "# " + line
		}
		b.WriteString(line)
	}
	return b.Bytes(), nil
}

// writeConfig writes the config file, or the one that it is a link to. One that is there is an
// error that is fs.ErrExist unless it may be replaced; then its permissions stay.
func writeConfig(path string, content []byte, replace bool) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return WithoutPath(err)
	}
	return WriteFileAtomic(path, replace && info != nil, func(f *os.File) error {
		if info != nil {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		_, err := f.Write(content)
		return err
	})
}
