package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-pkgs/gitignore"

	"roundtable/debate"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Limits of a folder. What is beyond them is left out with a notice.
const (
	maxEntries = 5_000  // files in the tree
	maxFiles   = 200    // files that become evidence
	maxNames   = 50_000 // names of one folder that are looked at
)

type entry struct {
	path string // from the folder, with slashes
	info fs.FileInfo
	why  string // why it is not included, as a clause about "it"; "" if it is
}

func (r *Reader) readFolder(ctx context.Context, src Source, tree *os.Root, rel string) (Found, error) {
	name := strings.TrimSuffix(src.Name, "/") + "/"
	w := &walker{tree: tree, rel: rel, ignored: &gitignore.Matcher{}}
	w.prefix = addIgnored(w.ignored, src.Path)
	if err := w.walk(ctx, ""); err != nil {
		if ctx.Err() != nil {
			return Found{}, ctx.Err()
		}
		return Found{}, unreadable(name, err)
	}
	if len(w.entries) == 0 {
		return Found{}, &Refusal{Name: name, Reason: "holds no files that git does not ignore", Advice: "Name the files themselves."}
	}
	files, err := r.readFiles(ctx, w, name)
	if err != nil {
		return Found{}, err
	}
	listing, left := w.listing(name)
	note := ""
	if left > 0 {
		note = fmt.Sprintf("%d of %d files are not included; the tree says why.", left, len(w.entries))
	}
	if w.cut != "" {
		note = strings.TrimSpace(note + " " + w.cut)
	}
	folder, err := r.count(read{Evidence: debate.NewEvidence(name, debate.EvidenceFolder, listing, note)})
	if err != nil {
		return Found{}, err
	}
	found := Found{Evidence: []debate.Evidence{folder.Evidence}}
	if left > 0 || w.cut != "" {
		found.Notices = []string{w.notice(name, left)}
	}
	for _, file := range files {
		one := foundOf(file)
		found.Evidence, found.Notices = append(found.Evidence, one.Evidence...), append(found.Notices, one.Notices...)
	}
	return found, nil
}

func (r *Reader) readFiles(ctx context.Context, w *walker, name string) ([]read, error) {
	room := 0 // for the tree, which is evidence as well
	for _, e := range w.entries {
		room += len(e.path) + 150
	}
	r.total += room
	defer func() { r.total -= room }()
	var files []read
	for i := range w.entries {
		e := &w.entries[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case e.why != "":
			continue
		case len(files) == maxFiles:
			e.why = fmt.Sprintf("is beyond the first %d files", maxFiles)
			continue
		}
		file, err := readFile(ctx, w.tree, filepath.Join(w.rel, filepath.FromSlash(e.path)), nameOf(path.Join(name, e.path)), e.info)
		if err == nil && file.keys && secret.File(path.Join(name, e.path)) {
			e.why = "is a file of keys or passwords"
			continue
		}
		if err == nil {
			file, err = r.count(file)
		}
		var refused *Refusal
		switch {
		case errors.As(err, &refused):
			e.why = refused.Reason
		case err != nil:
			return nil, err
		default:
			files = append(files, file)
		}
	}
	return files, nil
}

type walker struct {
	tree    *os.Root
	rel     string // the folder in the tree
	ignored *gitignore.Matcher
	prefix  string // the folder as the matcher knows it; "" or with a slash at its end
	entries []entry
	cut     string // sentence about what the walk did not list; "" if it listed all
}

func (w *walker) walk(ctx context.Context, dir string) error {
	inTree := filepath.Join(w.rel, filepath.FromSlash(dir))
	w.addIgnoreFile(inTree, dir)
	names, err := w.names(ctx, inTree)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := path.Join(dir, name)
		info, err := w.tree.Lstat(filepath.Join(inTree, name))
		if err != nil || w.ignored.MatchPath(w.prefix+at, info.IsDir()) {
			continue // removed meanwhile, or ignored
		}
		switch {
		case len(w.entries) == maxEntries:
			w.cut = fmt.Sprintf("The tree ends after %s files.", text.Number(maxEntries))
			return nil
		case !info.IsDir():
			w.entries = append(w.entries, newEntry(at, info))
		default:
			if err := w.walk(ctx, at); err != nil {
				if ctx.Err() != nil {
					return err
				}
				w.entries = append(w.entries, entry{at + "/", info, "cannot be read"})
			}
		}
	}
	return nil
}

func newEntry(at string, info fs.FileInfo) entry {
	e := entry{path: at, info: info}
	if info.Mode()&fs.ModeSymlink != 0 {
		e.why = "is a symbolic link, which is not followed"
	}
	return e
}

// names returns the names in a folder but .git, sorted.
func (w *walker) names(ctx context.Context, dir string) ([]string, error) {
	f, err := w.tree.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	entries, err := entriesOf(ctx, f, maxNames)
	if err != nil {
		return nil, err
	}
	if len(entries) >= maxNames {
		w.cut = fmt.Sprintf("A folder has more than %s files; the others are not in the tree.", text.Number(maxNames))
	}
	var names []string
	for _, e := range entries {
		if e.Name() != ".git" {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func (w *walker) addIgnoreFile(inTree, dir string) {
	info, err := w.tree.Lstat(filepath.Join(inTree, ".gitignore"))
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFile {
		return
	}
	if rules, err := w.tree.ReadFile(filepath.Join(inTree, ".gitignore")); err == nil {
		w.ignored.AddPatterns(rules, strings.TrimSuffix(w.prefix+dir, "/"))
	}
}

// addIgnored adds the rules of the folders above one, up to that of its git repository,
// and returns the path from there.
func addIgnored(m *gitignore.Matcher, folder string) (prefix string) {
	var above []string
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if at == filepath.Dir(at) {
			return "" // no repository: only the rules in the folder itself apply
		}
		above = append(above, filepath.Dir(at))
	}
	if len(above) == 0 {
		return ""
	}
	slices.Reverse(above)
	base := above[0]
	slash := func(dir string) string {
		rel, err := filepath.Rel(base, dir)
		if err != nil || rel == "." {
			return ""
		}
		return filepath.ToSlash(rel)
	}
	for _, dir := range above {
		file := filepath.Join(dir, ".gitignore")
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || info.Size() > MaxFile {
			continue
		}
		if rules, err := os.ReadFile(file); err == nil {
			m.AddPatterns(rules, slash(dir))
		}
	}
	return slash(folder) + "/"
}

// listing returns the tree as text, a line for each file, and how many are left out.
func (w *walker) listing(name string) (content string, left int) {
	var b strings.Builder
	b.WriteString(name + "\n")
	for _, e := range w.entries {
		b.WriteString(text.Line(e.path))
		if size := int(e.info.Size()); e.info.Mode().IsRegular() {
			fmt.Fprintf(&b, " (%s %s)", text.Number(size), text.Plural(size, "byte"))
		}
		if e.why != "" {
			left++
			b.WriteString(", not included: it " + e.why)
		}
		b.WriteByte('\n')
	}
	return b.String(), left
}

func (w *walker) notice(name string, left int) string {
	const named = 3
	var some []string
	for _, e := range w.entries {
		if e.why != "" && len(some) < named {
			some = append(some, text.Line(e.path)+" "+e.why)
		}
	}
	if left > named {
		some = append(some, "and so on")
	}
	if left == 0 {
		return name + ": " + w.cut
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %d of %d files are not included: %s. %s",
		name, left, len(w.entries), strings.Join(some, ", "), w.cut))
}
