package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"roundtable/internal/process"
	"roundtable/internal/text"
)

const maxUntracked = 256 << 20

type repository struct {
	top    string // its folder
	prefix string // of the workspace within it, slash-separated; "" if it is the same
}

func findRepository(ctx context.Context, dir string) (repository, error) {
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix")
	switch {
	case err != nil && strings.Contains(err.Error(), "not a git repository (or any"):
		return repository{}, fmt.Errorf("%s is in no git repository to clone; the mode local needs none", dir)
	case err != nil:
		return repository{}, fmt.Errorf("%s is in no git repository to clone (git: %w); the mode local needs none", dir, err)
	}
	top, prefix, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	return repository{top, prefix}, nil
}

// clone clones the repository of source into the empty folder dir: its history, and its
// files as they are now, with uncommitted changes and new files, without ignored ones. It
// returns the folder within the clone that source is, and what the clone lacks.
//
// Objects are copied. Hard links would let a command in the clone change those of the
// repository. Git neither checks out nor compares files, since both may run programs that
// the repository configures; the files are copied instead.
func clone(ctx context.Context, source, dir string) (workDir, note string, err error) {
	from, err := findRepository(ctx, source)
	if err != nil {
		return "", "", err
	}
	commands := [][]string{
		{"clone", "--quiet", "--no-checkout", "--no-hardlinks", "--dissociate", "--", from.top, dir},
		{"remote", "set-url", "origin", "not-available-in-a-clone"}, // which a command could reach by that name
	}
	if _, err := git(ctx, from.top, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil { // there is a commit
		commands = append(commands, []string{"read-tree", "HEAD"})
	}
	for _, args := range commands {
		if _, err := git(ctx, dir, args...); err != nil {
			return "", "", fmt.Errorf("clone %s: git %s: %w", from.top, args[0], err)
		}
	}
	if note, err = copyFiles(ctx, from.top, dir); err != nil {
		return "", "", fmt.Errorf("copy the files of %s: %w", from.top, err)
	}
	workDir = filepath.Join(dir, filepath.FromSlash(from.prefix))
	if err := os.MkdirAll(workDir, 0o700); err != nil {
		return "", "", err
	}
	return workDir, note, nil
}

func copyFiles(ctx context.Context, source, dir string) (note string, err error) {
	from, err := os.OpenRoot(source)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	c := copier{from: from, to: to, left: maxUntracked}
	if err := c.all(ctx, false, "--cached"); err != nil {
		return "", err
	}
	if err := c.all(ctx, true, "--others", "--exclude-standard"); err != nil {
		return "", err
	}
	return c.note(), nil
}

type copier struct {
	from, to *os.Root
	left     int64    // bytes of untracked files that may still be copied
	omitted  []string // paths of what could not be copied
	secrets  []string // paths of what looks like a secret
}

// all copies the files that git lists.
func (c *copier) all(ctx context.Context, untracked bool, listed ...string) error {
	names, err := git(ctx, c.from.Name(), append([]string{"ls-files", "-z"}, listed...)...)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(names, "\x00") {
		if err := errors.Join(ctx.Err(), c.copy(name, untracked)); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) copy(name string, untracked bool) error {
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		return nil
	}
	info, err := c.from.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // deleted in the working tree
	case err != nil:
		c.omitted = append(c.omitted, name)
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return c.link(name)
	case !info.Mode().IsRegular(), untracked && info.Size() > c.left:
		c.omitted = append(c.omitted, name)
		return nil
	}
	if untracked {
		c.left -= info.Size()
	}
	return c.file(name)
}

func (c *copier) link(name string) error {
	target, err := c.from.Readlink(name)
	if err != nil {
		c.omitted = append(c.omitted, name)
		return nil
	}
	if err := c.to.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := c.to.Symlink(target, name); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (c *copier) file(name string) error {
	in, info, err := openReadable(c.from, name, name)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused) && refused.Rule == ruleSecret:
		c.secrets = append(c.secrets, name)
		return nil
	case err != nil:
		c.omitted = append(c.omitted, name)
		return nil
	}
	defer in.Close() //nolint:errcheck // it was only read
	if err := c.to.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // git lists a file with conflicts several times
	case err != nil:
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, info.Size()))
	return errors.Join(err, out.Close())
}

func (c *copier) note() string {
	var said []string
	if n := len(c.omitted); n > 0 {
		said = append(said, fmt.Sprintf("The clone lacks %s that could not be copied, such as %s.",
			text.Count(n, "entry"), quote(c.omitted[0])))
	}
	if n := len(c.secrets); n > 0 {
		said = append(said, fmt.Sprintf("The clone lacks %s of keys or passwords, such as %s.",
			text.Count(n, "file"), quote(c.secrets[0])))
	}
	return strings.Join(said, " ")
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, _, err := process.RunGit(ctx, process.Git(ctx, dir, nil, args...))
	return out, err
}

func inherited(names ...string) []string {
	var env []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
