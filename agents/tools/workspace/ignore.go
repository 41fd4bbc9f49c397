package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"

	"github.com/git-pkgs/gitignore"
)

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

// readIgnoreFile returns the rules of a file, none if it cannot be read.
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

// match reports whether the rules leave out what is at a path below their folder.
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

// isIgnored reports whether a path without links is left out, itself or by a folder on
// the way to it.
func isIgnored(ctx context.Context, root *os.Root, p string, isDir bool) (bool, error) {
	_, ignored, err := rulesTo(ctx, root, p, isDir)
	return ignored, err
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
