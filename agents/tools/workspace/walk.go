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

// errStop ends a walk early; the walk itself has said why.
var errStop = errors.New("stop")

// walk visits the files below a folder in the order of their names. It follows no link.
type walk struct {
	results
	ctx     context.Context
	visit   func(path string) error // of every regular file
	visited int
	until   time.Time
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
	rules, _ := rulesTo(root, dir, true)
	err := fs.WalkDir(root.FS(), dir, func(p string, e fs.DirEntry, err error) error {
		if stop := w.inTime(); stop != nil {
			return stop
		}
		rules = rules.at(p)
		switch w.visited++; {
		case err != nil && p == dir:
			return reason(p, err)
		case err != nil:
			w.notes.add("%s could not be read.", quote(p))
		case w.visited > w.bounds.Entries+1:
			w.notes.add("Stopped after %d files and folders; the rest was not looked at.", w.bounds.Entries)
			return errStop
		case p == dir:
		case (isGit(e.Name()) || rules.match(p, e.IsDir())) && e.IsDir():
			return fs.SkipDir
		case isGit(e.Name()) || rules.match(p, false):
		case e.IsDir():
			rules = rules.with(root, p)
		case e.Type().IsRegular() && !secret.File(p):
			return w.visit(p)
		}
		return nil
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
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

// maxIgnoreFile is the size of the largest .gitignore that is read in full.
const maxIgnoreFile = 256 << 10

// foldsCase says that names that differ in case name the same file, which git ignores by all.
const foldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// ignore has the rules of the .gitignore files from the workspace's folder down to one
// folder. The rules of a deeper folder come first.
type ignore struct {
	parent *ignore
	dir    string // "." or slash-separated, relative to the workspace
	rules  gitignore.Matcher
}

// with returns the rules within dir.
func (g *ignore) with(root *os.Root, dir string) *ignore {
	files := []string{".gitignore"}
	if dir == "." {
		files = []string{".git/info/exclude", ".gitignore"}
	}
	next := &ignore{parent: g, dir: dir}
	found := false
	for _, name := range files {
		if data := readIgnoreFile(root, path.Join(dir, name)); len(data) > 0 {
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

// at returns the rules for a path: without those of folders that it is not in.
func (g *ignore) at(p string) *ignore {
	for g.dir != "." && !strings.HasPrefix(p, g.dir+"/") {
		g = g.parent
	}
	return g
}

func readIgnoreFile(root *os.Root, name string) []byte {
	f, _, err := openRegular(root, name, name)
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
func rulesTo(root *os.Root, p string, isDir bool) (rules *ignore, ignored bool) {
	rules = rules.with(root, ".")
	elements := strings.Split(p, "/")
	for i := range elements {
		at, isFolder := path.Join(elements[:i+1]...), isDir || i < len(elements)-1
		if at == "." {
			break
		}
		if rules.match(at, isFolder) {
			return rules, true
		}
		if isFolder {
			rules = rules.with(root, at)
		}
	}
	return rules, false
}
