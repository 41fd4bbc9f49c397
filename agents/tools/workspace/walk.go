package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/git-pkgs/gitignore"
	"roundtable/internal/secret"
)

// Bounds are the most that one call of a tool looks at and returns.
type Bounds struct {
	Entries int           // files and folders that are visited
	Bytes   int64         // of file contents that are searched
	Time    time.Duration // for visiting and searching
	Results int           // paths or matches
	Text    int           // bytes of a result
}

// DefaultBounds returns the bounds that tools have.
func DefaultBounds() Bounds {
	return Bounds{Entries: 300_000, Bytes: 1 << 30, Time: 20 * time.Second, Results: 1000, Text: 64 << 10}
}

// maxDepth is how deep folders are visited; every level holds a folder open.
const maxDepth = 64

// errStop ends a walk early; the walk itself has said why.
var errStop = errors.New("stop")

// walk visits the files below a folder in the order of their names. It follows no link.
type walk struct {
	ctx     context.Context
	bounds  Bounds
	visit   func(at *os.Root, name, path string) error // of every regular file; at is the root at its folder
	visited int
	until   time.Time
	notes   notes
}

// notes say why a result is not all there is, each once, and the first few of many.
type notes []string

func (n *notes) add(format string, args ...any) {
	const most = 10
	switch s := fmt.Sprintf(format, args...); {
	case slices.Contains(*n, s):
	case len(*n) < most:
		*n = append(*n, s)
	case len(*n) == most:
		*n = append(*n, "And more of this kind.")
	}
}

// run visits the files below dir, a path without links.
func (w *walk) run(root *os.Root, dir string) error {
	w.until = time.Now().Add(w.bounds.Time)
	rules, _, err := rulesTo(w.ctx, root, dir, true)
	if err != nil {
		return err
	}
	at, err := root.OpenRoot(dir)
	if err != nil {
		return reason(dir, err)
	}
	err = errors.Join(w.folder(at, dir, rules, 0), at.Close())
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func (w *walk) folder(at *os.Root, dir string, rules *ignore, depth int) error {
	entries, err := w.entries(at, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.inTime(); err != nil {
			return err
		}
		p := path.Join(dir, e.Name())
		if isGit(e.Name()) || rules.match(p, e.IsDir()) {
			continue
		}
		switch {
		case e.Type().IsRegular() && secret.File(p):
		case e.Type().IsRegular():
			err = w.visit(at, e.Name(), p)
		case e.IsDir() && depth == maxDepth:
			w.notes.add("Folders more than %d levels deep are left out.", maxDepth)
		case e.IsDir():
			err = w.subfolder(at, e.Name(), p, rules, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) subfolder(at *os.Root, name, p string, rules *ignore, depth int) error {
	sub, err := at.OpenRoot(name)
	if err != nil {
		w.notes.add("%s could not be opened.", quote(p))
		return nil
	}
	return errors.Join(w.folder(sub, p, rules.with(sub, p), depth+1), sub.Close())
}

func (w *walk) entries(at *os.Root, dir string) ([]fs.DirEntry, error) {
	entries, more, err := readDir(w.ctx, at, ".", w.bounds.Entries-w.visited)
	if ctxErr := w.ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	w.visited += len(entries)
	if err != nil {
		w.notes.add("%s could not be read in full.", quote(dir))
	}
	if more {
		w.notes.add("Stopped after %d files and folders; the rest was not looked at.", w.bounds.Entries)
	}
	return entries, nil
}

func (w *walk) inTime() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if time.Now().After(w.until) {
		w.notes.add("Stopped after %s; the rest was not looked at.", w.bounds.Time)
		return errStop
	}
	return nil
}

// readDir returns at most the given number of entries of a folder by name, and whether
// there are more.
func readDir(ctx context.Context, at *os.Root, dir string, most int) (entries []fs.DirEntry, more bool, err error) {
	f, err := at.Open(dir)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for ctx.Err() == nil {
		part, err := f.ReadDir(1000)
		entries = append(entries, part...)
		if len(entries) > most {
			entries, more = entries[:max(most, 0)], true
			break
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			sortByName(entries)
			return entries, false, err
		}
	}
	sortByName(entries)
	return entries, more, nil
}

func sortByName(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
}

// maxIgnoreFile is the size of the largest .gitignore that is read in full.
const maxIgnoreFile = 256 << 10

// foldsCase says that names that differ in case name the same file. Git then ignores it by
// all of them.
const foldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// ignore has the rules of the .gitignore files from the workspace's folder down to one
// folder. The rules of a deeper folder come first.
type ignore struct {
	parent *ignore
	dir    string // "." or slash-separated, relative to the workspace
	rules  gitignore.Matcher
}

// with returns the rules within dir, whose files are read from the root at dir itself.
func (g *ignore) with(at *os.Root, dir string) *ignore {
	files := []string{".gitignore"}
	if dir == "." {
		files = []string{".git/info/exclude", ".gitignore"}
	}
	next := &ignore{parent: g, dir: dir}
	found := false
	for _, name := range files {
		if data := readIgnoreFile(at, name); len(data) > 0 {
			if foldsCase {
				data = bytes.ToLower(data)
			}
			next.rules.AddPatterns(data, "")
			found = true
		}
	}
	if !found && g != nil {
		return g
	}
	return next
}

func readIgnoreFile(at *os.Root, name string) []byte {
	f, _, err := openRegular(at, name, name)
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil
	}
	return data
}

func (g *ignore) match(p string, isDir bool) bool {
	for ; g != nil; g = g.parent {
		rel := p
		if g.dir != "." {
			rel = strings.TrimPrefix(p, g.dir+"/")
		}
		if isDir {
			rel += "/"
		}
		if foldsCase {
			rel = strings.ToLower(rel)
		}
		if m := g.rules.MatchDetail(rel); m.Matched {
			return m.Ignored
		}
	}
	return false
}

// rulesTo returns the rules within the folder p, or those for the file p, and whether
// they leave p out.
func rulesTo(ctx context.Context, root *os.Root, p string, isDir bool) (*ignore, bool, error) {
	var rules *ignore
	rules = rules.with(root, ".")
	if p == "." {
		return rules, false, nil
	}
	elements := strings.Split(p, "/")
	for i := range elements {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		at, last := path.Join(elements[:i+1]...), i == len(elements)-1
		if rules.match(at, isDir || !last) {
			return rules, true, nil
		}
		if last && !isDir {
			break
		}
		sub, err := root.OpenRoot(at)
		if err != nil {
			return nil, false, reason(p, err)
		}
		rules = rules.with(sub, at)
		if err := sub.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
			return nil, false, reason(p, err)
		}
	}
	return rules, false, nil
}
