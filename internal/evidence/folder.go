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

	"roundtable/debate"
	"roundtable/internal/process"
	"roundtable/internal/text"
)

// Limits of a folder. What is beyond them is left out with a notice.
const (
	maxEntries = 5_000 // files in the tree
	maxFiles   = 200   // files that become evidence
)

type entry struct {
	path string // from the folder, with slashes
	info fs.FileInfo
	why  string // why it is not included, as a clause about "it"; "" if it is
}

func readFolder(ctx context.Context, src Source, tree *os.Root, rel string) (Found, error) {
	name := strings.TrimSuffix(src.Name, "/") + "/"
	w := &walker{tree: tree, rel: rel}
	if err := w.list(ctx, src.Path); err != nil {
		if ctx.Err() != nil {
			return Found{}, ctx.Err()
		}
		return Found{}, unreadable(name, err)
	}
	if len(w.entries) == 0 {
		return Found{}, &Refusal{Name: name, Reason: "holds no files that git does not ignore", Advice: "Name the files themselves."}
	}
	files, err := w.readFiles(ctx, name)
	if err != nil {
		return Found{}, err
	}
	listed := debate.NewEvidence(name, debate.EvidenceFolder, w.listing(name), w.note())
	return Found{Evidence: slices.Insert(files, 0, listed)}, nil
}

func (w *walker) readFiles(ctx context.Context, name string) ([]debate.Evidence, error) {
	total := 0 // with the tree, which is evidence as well
	for _, e := range w.entries {
		total += len(e.path) + 150
	}
	var files []debate.Evidence
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
		full := path.Join(name, e.path)
		file, err := readFile(ctx, w.tree, filepath.Join(w.rel, filepath.FromSlash(e.path)), nameOf(full), full, e.info)
		var refused *Refusal
		switch {
		case errors.As(err, &refused):
			e.why = refused.Reason
		case err != nil:
			return nil, err
		case len(file.Secrets) > 0:
			e.why = "is a file of keys or passwords"
		case total+file.Evidence[0].Size > debate.MaxEvidenceTotal:
			e.why = fmt.Sprintf("is more than the %s that all evidence may have together", megabytes(debate.MaxEvidenceTotal))
		default:
			total += file.Evidence[0].Size
			files = append(files, file.Evidence...)
		}
	}
	return files, nil
}

type walker struct {
	tree    *os.Root
	rel     string // the folder in the tree
	entries []entry
	cut     string // sentence about what the tree does not list as it should; "" if it lists all
}

// list takes the files that git does not ignore, or all where there is no repository. Folder is
// the path of the folder for git, whose names count only if the tree has them.
func (w *walker) list(ctx context.Context, folder string) error {
	cmd := process.Git(ctx, folder, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	out, said, err := process.RunGit(ctx, cmd)
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		refused := err
		if names, err = w.walk(ctx); err != nil {
			return err
		}
		ignores := func(name string) bool { return path.Base(name) == ".gitignore" }
		if slices.ContainsFunc(names, ignores) || !strings.Contains(refused.Error(), "not a git repository") {
			w.cut = "No .gitignore counted, since git reads no repository here."
		}
	case said != "":
		w.cut = text.Sentence("git says: " + text.Clip(text.Line(said), maxName))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) { // git lists a file with conflicts several times
		if len(w.entries) == maxEntries {
			w.cut = strings.TrimSpace(fmt.Sprintf("%s The tree ends after %s files.", w.cut, text.Number(maxEntries)))
			break
		}
		info, err := w.tree.Lstat(filepath.Join(w.rel, filepath.FromSlash(name)))
		switch {
		case name == "" || err != nil: // removed meanwhile
		case info.IsDir():
			w.entries = append(w.entries, entry{name, info, "is a folder that cannot be read, or a git repository of its own"})
		case info.Mode()&fs.ModeSymlink != 0:
			w.entries = append(w.entries, entry{name, info, "is a symbolic link, which is not followed"})
		default:
			w.entries = append(w.entries, entry{path: name, info: info})
		}
	}
	return nil
}

// walk returns the files in the folder, and folders that cannot be read, but for .git.
func (w *walker) walk(ctx context.Context) (names []string, err error) {
	base := filepath.ToSlash(w.rel)
	err = fs.WalkDir(w.tree.FS(), base, func(at string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case at == base:
			return err
		case e.Name() == ".git" && e.IsDir():
			return fs.SkipDir
		case e.Name() == ".git": // of a worktree
		case len(names) > maxEntries: // the tree ends before it
			return fs.SkipAll
		case err != nil || !e.IsDir():
			names = append(names, strings.TrimPrefix(at, base+"/"))
		}
		return nil
	})
	return names, err
}

// listing returns the tree as text, a line for each file.
func (w *walker) listing(name string) string {
	var b strings.Builder
	b.WriteString(name + "\n")
	for _, e := range w.entries {
		b.WriteString(text.Line(e.path))
		if e.info.Mode().IsRegular() {
			fmt.Fprintf(&b, " (%s)", text.LongCount(int(e.info.Size()), "byte"))
		}
		if e.why != "" {
			b.WriteString(", not included: it " + e.why)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// note says what the tree does not list as it should, and names some files that are not included.
func (w *walker) note() string {
	var left []string
	for _, e := range w.entries {
		if e.why != "" {
			left = append(left, text.Line(e.path)+" "+e.why)
		}
	}
	const named = 3
	n := len(left)
	switch {
	case n == 0:
		return w.cut
	case n > named:
		left = append(left[:named], "and so on")
	}
	return strings.TrimSpace(fmt.Sprintf("%d of %d files are not included: %s. %s", n, len(w.entries), strings.Join(left, ", "), w.cut))
}
