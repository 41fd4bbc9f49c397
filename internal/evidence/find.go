package evidence

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Finder finds what the user types as @path. What is in one of its folders needs no
// question; anything else does.
type Finder struct {
	Dir       string // the working directory, where relative paths start
	Workspace string // "": none
	Home      string // for ~/; "": unknown
}

// Match is a file or folder that was found.
type Match struct {
	Source
	Folder bool
	Size   int64
	Secret bool // it looks like a file that holds keys or passwords
}

// Outside reports whether the user has to be asked first: the file is neither in the
// working directory nor in the workspace.
func (m Match) Outside() bool { return m.Root == "" }

// Find returns what a typed path names. If links lead out of its folder they are followed first.
// What cannot be evidence is refused when it is read.
func (f Finder) Find(typed string) (Match, error) {
	path := f.absolute(typed)
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Match{}, unreadable(nameOf(typed), err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return Match{}, unreadable(nameOf(typed), err)
	}
	src := f.Source(path)
	if rel, err := filepath.Rel(realPath(src.Root), real); err != nil || !filepath.IsLocal(rel) {
		src = f.Source(real)
	}
	return Match{Source: src, Folder: info.IsDir(), Size: info.Size(), Secret: secret.File(filepath.ToSlash(src.Path))}, nil
}

func (f Finder) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && f.Home != "" && (rest == "" || strings.HasPrefix(rest, "/")) {
		return filepath.Join(f.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(f.Dir, path)
}

// Source returns the source at the path of a match. If that is in one of the folders,
// nothing outside of the folder is read.
func (f Finder) Source(path string) Source {
	for _, root := range []string{f.Dir, f.Workspace} {
		if rel, err := filepath.Rel(root, path); root != "" && err == nil && filepath.IsLocal(rel) {
			return Source{Path: path, Name: nameOf(rel), Root: root}
		}
	}
	if rel, err := filepath.Rel(f.Home, path); f.Home != "" && err == nil && filepath.IsLocal(rel) {
		return Source{Path: path, Name: "~/" + nameOf(rel)}
	}
	return Source{Path: path, Name: nameOf(path)}
}

// statIn describes a file of a folder, and fails if links lead out of it.
func statIn(src Source) (fs.FileInfo, error) {
	tree, rel, err := openTree(src)
	if err != nil {
		return nil, err
	}
	defer tree.Close() //nolint:errcheck // it was only read
	return tree.Stat(rel)
}

// Complete returns the paths that begin as a typed one does, sorted, at most limit of
// them. Folders end in a slash. Names that begin with a dot are listed once the dot is typed;
// names that cannot be shown unchanged are left out.
func (f Finder) Complete(typed string, limit int) ([]string, error) {
	dir, begin := "", typed
	if at := strings.LastIndexByte(filepath.ToSlash(typed), '/'); at >= 0 {
		dir, begin = typed[:at+1], typed[at+1:]
	}
	if typed == "~" {
		dir, begin = "~/", ""
	}
	entries, err := os.ReadDir(f.absolute(dir))
	if err != nil {
		return nil, unreadable(nameOf(typed), err)
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
		if hidden || name == ".git" || !strings.HasPrefix(name, begin) || text.Line(name) != name || len(out) == limit {
			continue
		}
		if info, err := os.Stat(filepath.Join(f.absolute(dir), name)); err == nil && info.IsDir() {
			name += "/"
		}
		out = append(out, dir+name)
	}
	return out, nil
}
