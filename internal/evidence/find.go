package evidence

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roundtable/internal/text"
)

// Mention is an @path in a text that the user types.
type Mention struct {
	From, To int    // bytes of the text, with the @
	Path     string // without the @ and without quotation marks
}

// Mentions returns what could be paths in a text: a word after an @ that begins a word,
// without the punctuation at its end, or what is quoted after it as in @"my file.txt".
// Whether there is such a file is for [Finder.Find] to say.
func Mentions(content string) []Mention {
	var all []Mention
	before := ' '
	for at, r := range content {
		if r == '@' && (before == ' ' || before == '\n' || before == '\t' || before == '(') {
			if m, ok := mentionAt(content, at); ok {
				all = append(all, m)
			}
		}
		before = r
	}
	return all
}

func mentionAt(content string, at int) (Mention, bool) {
	rest := content[at+1:]
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		end := strings.IndexAny(quoted, "\"\n")
		if end <= 0 || quoted[end] != '"' {
			return Mention{}, false
		}
		return Mention{at, at + 1 + 1 + end + 1, quoted[:end]}, true
	}
	if end := strings.IndexAny(rest, " \t\n"); end >= 0 {
		rest = rest[:end]
	}
	if short := strings.TrimRight(rest, ".,;:!?)]}'\""); short != "" {
		rest = short
	}
	return Mention{at, at + 1 + len(rest), rest}, rest != ""
}

// Finder finds what the user types as @path. What is in one of its folders needs no
// question; anything else does.
type Finder struct {
	Dir       string // the working directory, where relative paths start
	Workspace string // "": none. Relative paths that are not in Dir are looked for here
	Home      string // for ~/; "": unknown
}

// Match is a file or folder that was found.
type Match struct {
	Source
	Folder bool
	Size   int64
	Secret bool // its name is one of those that files with keys have
}

// Outside reports whether the user has to be asked first: the file is neither in the
// working directory nor in the workspace.
func (m Match) Outside() bool { return m.Root == "" }

// Find returns what a path names. It opens nothing but folders; what is no file is
// refused when it is read.
func (f Finder) Find(path string) (Match, error) {
	src := Source{Path: path, Name: nameOf(path)}
	if err := checkPath(src); err != nil {
		return Match{}, err
	}
	src.Path = f.absolute(path)
	m, err := f.findIn(src)
	if errors.Is(err, fs.ErrNotExist) && f.Workspace != "" && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
		inWorkspace := src
		inWorkspace.Path = filepath.Join(f.Workspace, path)
		if w, err := f.findIn(inWorkspace); err == nil {
			return w, nil
		}
	}
	if err != nil {
		return Match{}, unreadable(src.Name, err)
	}
	return m, nil
}

// absolute returns a typed path as an absolute one.
func (f Finder) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && f.Home != "" && (rest == "" || strings.HasPrefix(rest, "/")) {
		return filepath.Join(f.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(f.Dir, path)
}

// findIn looks for a source in the folders, then anywhere.
func (f Finder) findIn(src Source) (Match, error) {
	for _, root := range []string{f.Dir, f.Workspace} {
		rel, err := filepath.Rel(root, src.Path)
		if root == "" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		info, err := statIn(root, rel)
		if err == nil {
			src.Root = root
			return match(src, info), nil
		}
		if !isEscape(err) && !isLoop(err) {
			return Match{}, err
		}
	}
	info, err := os.Stat(src.Path)
	if err != nil {
		return Match{}, err
	}
	return match(src, info), nil
}

func match(src Source, info fs.FileInfo) Match {
	return Match{src, info.IsDir(), info.Size(), secretName(filepath.ToSlash(src.Path))}
}

// statIn describes a file of a folder, and fails if links lead out of it.
func statIn(root, rel string) (fs.FileInfo, error) {
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer tree.Close() //nolint:errcheck // it was only read
	return tree.Stat(rel)
}

// maxListed bounds how many names Complete looks at.
const maxListed = 10_000

// Complete returns the paths that begin as a typed one does, sorted, at most limit of
// them. Folders end in a slash. Names that begin with a dot have to be typed as far as it.
func (f Finder) Complete(ctx context.Context, typed string, limit int) ([]string, error) {
	if err := checkPath(Source{Path: typed, Name: nameOf(typed)}); err != nil {
		return nil, err
	}
	dir, begin := "", typed
	if at := strings.LastIndexByte(filepath.ToSlash(typed), '/'); at >= 0 {
		dir, begin = typed[:at+1], typed[at+1:]
	}
	if typed == "~" {
		dir, begin = "~/", ""
	}
	names, err := listed(ctx, f.absolute(dir))
	if err != nil && f.Workspace != "" && !filepath.IsAbs(dir) && !strings.HasPrefix(dir, "~") {
		names, err = listed(ctx, filepath.Join(f.Workspace, dir))
	}
	if err != nil {
		return nil, unreadable(nameOf(typed), err)
	}
	exact := beginning(names, dir, begin, limit, strings.HasPrefix)
	if len(exact) > 0 {
		return exact, nil
	}
	return beginning(names, dir, begin, limit, func(name, begin string) bool {
		return len(name) >= len(begin) && strings.EqualFold(name[:len(begin)], begin)
	}), nil
}

// listed returns the names of a folder; those of folders end in a slash.
func listed(ctx context.Context, dir string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fs.ErrNotExist
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	var names []string
	for len(names) < maxListed {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some, err := f.ReadDir(500)
		for _, e := range some {
			name := e.Name()
			folder := e.IsDir()
			if e.Type()&fs.ModeSymlink != 0 {
				info, err := os.Stat(filepath.Join(dir, name))
				folder = err == nil && info.IsDir()
			}
			if folder {
				name += "/"
			}
			names = append(names, name)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return names, nil
}

// beginning returns the names that begin in a way, behind the path of their folder.
// Names that cannot be shown as they are cannot be completed.
func beginning(names []string, dir, begin string, limit int, begins func(name, begin string) bool) []string {
	var out []string
	for _, name := range names {
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
		if hidden || name == ".git/" || !begins(name, begin) || text.Line(name) != name {
			continue
		}
		if len(out) == limit {
			break
		}
		out = append(out, dir+name)
	}
	return out
}
