package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"roundtable/agents/tools"
)

// cache is a folder in which a package manager keeps what it has downloaded.
type cache struct {
	name     string
	variable string   // that tells the package manager where it is
	usual    string   // below the user's home, or folder of caches; if the variable is not set
	parts    []string // folders of it that are shared; no other one is, since it may hold keys
}

func caches() []cache {
	return []cache{
		{"go", "GOMODCACHE", "go/pkg/mod", []string{"."}},
		{"npm", "npm_config_cache", ".npm", []string{"_cacache"}},
		{"pip", "PIP_CACHE_DIR", "pip", []string{"."}},
		{"cargo", "CARGO_HOME", ".cargo", []string{"registry", "git"}},
	}
}

// Caches returns the names that Options.Share can have.
func Caches() (names []string) {
	for _, c := range caches() {
		names = append(names, c.name)
	}
	return names
}

// dir returns the user's folder of the cache, which may not exist; "" if it is not known.
func (c cache) dir() string {
	if dir := os.Getenv(c.variable); filepath.IsAbs(dir) {
		return dir
	}
	if gopath := filepath.SplitList(os.Getenv("GOPATH")); c.name == "go" && len(gopath) > 0 && filepath.IsAbs(gopath[0]) {
		return filepath.Join(gopath[0], "pkg", "mod")
	}
	parent := os.UserHomeDir
	if c.name == "pip" {
		parent = os.UserCacheDir
	}
	dir, err := parent()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(c.usual))
}

// mounts returns the folders of the cache that the user has, and where below a folder they
// belong.
func (c cache) mounts(below string) (out []mount) {
	dir := c.dir()
	for _, part := range c.parts {
		from, err := filepath.EvalSymlinks(filepath.Join(dir, part))
		if err != nil || dir == "" {
			continue
		}
		if info, err := os.Stat(from); err == nil && info.IsDir() {
			out = append(out, mount{from, filepath.Join(below, c.name, part)})
		}
	}
	return out
}

// mount is a folder that a command sees: itself, or below a layer that takes what the command
// writes and is thrown away.
type mount struct{ from, to string } // the same path: itself

// shared are the caches that commands of a session share. No command writes to the user's:
// a container has layers over them, and where it cannot have, or in a clone, commands work
// with copies, which are made when the first one runs.
type shared struct {
	caches []cache
	dir    string        // of the copies
	lock   chan struct{} // of what follows
	made   bool
	layers bool
}

func newShared(names []string, dir string) *shared {
	s := &shared{dir: dir, lock: make(chan struct{}, 1)}
	for _, name := range names {
		for _, c := range caches() {
			if c.name == name {
				s.caches = append(s.caches, c)
			}
		}
	}
	return s
}

// give makes the caches ready and gives a job their folders and variables.
func (s *shared) give(ctx context.Context, sandbox sandbox, j job) (job, error) {
	if len(s.caches) == 0 {
		return j, nil
	}
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
	case <-ctx.Done():
		return j, context.Cause(ctx)
	}
	if !s.made {
		if err := s.make(ctx, sandbox, j); err != nil {
			return j, err
		}
		s.made = true
	}
	return s.with(j, s.layers), nil
}

// make finds out whether containers can have layers here, and copies the caches if not.
func (s *shared) make(ctx context.Context, sandbox sandbox, j job) error {
	if _, ok := sandbox.(unconfined); !ok && j.Home != "" {
		probe := s.with(j, true)
		probe.Argv, probe.keep = []string{"true"}, io.Discard
		r, err := sandbox.run(ctx, probe)
		if s.layers = err == nil && r.Exit == 0; s.layers {
			return nil
		}
	}
	for _, c := range s.caches {
		if err := os.MkdirAll(filepath.Join(s.dir, c.name), 0o700); err != nil {
			return fmt.Errorf("make a cache of the debate: %w", err)
		}
		for _, m := range c.mounts(s.dir) {
			if err := copyTree(ctx, m.from, m.to); err != nil {
				return errors.Join(fmt.Errorf("copy the cache %s: %w", c.name, err), removeAll(s.dir))
			}
		}
	}
	return nil
}

func (s *shared) with(j job, layers bool) job {
	base := s.dir
	if layers {
		base = filepath.Join(j.Home, ".shared")
	}
	j.Env = append([]string{}, j.Env...)
	for _, c := range s.caches {
		to := filepath.Join(base, c.name)
		j.Env = append(j.Env, c.variable+"="+to) // the last value of a variable counts
		if !layers {
			j.mounts = append(j.mounts, mount{to, to})
			continue
		}
		j.mounts = append(j.mounts, c.mounts(base)...)
	}
	return j
}

// copyTree copies the folders and files of a folder, but no links, so that a write to a copy
// changes nothing else. Where the file system can, copies share their blocks. What cannot be
// read or is gone by then is left out.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, p)
		switch err = cmp.Or(context.Cause(ctx), relErr, unlessMissing(err)); {
		case err != nil || e == nil:
			return err
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case e.Type().IsRegular():
			return copyFile(p, filepath.Join(to, rel))
		}
		return nil
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return unlessMissing(err)
	}
	defer in.Close() //nolint:errcheck // it was only read
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// job is a command with where it runs and what it sees.
type job struct {
	tools.Command
	dir    string
	keep   io.Writer // gets the output as well
	mounts []mount
}
