package changes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"roundtable/internal/text"
)

// uncommitted lists what has changed since a commit, with all that is not committed: the files
// are added to a copy of the index, whose objects are written to a folder of their own. So git
// makes its own conversions, and the repository stays as it is.
func (r *repo) uncommitted(ctx context.Context, from string) ([]change, error) {
	filters, err := r.withoutFilters(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.copyIndex(ctx); err != nil {
		return nil, err
	}
	// What git was told to assume unchanged is compared as well. The exit code says whether
	// something has changed.
	if _, err := r.git(ctx, "", "update-index", "-q", "--really-refresh"); ctx.Err() != nil {
		return nil, err
	}
	w := worktree{repo: r, filters: filters}
	if err := w.list(ctx); err != nil {
		return nil, err
	}
	if err := w.add(ctx); err != nil {
		return nil, err
	}
	if err := w.submodules(ctx); err != nil {
		return nil, err
	}
	out, err := r.git(ctx, "", rawArgs("diff-index", "--cached", from)...)
	if err != nil {
		return nil, fmt.Errorf("git diff-index: %w", err)
	}
	all, err := parseRaw(out)
	return append(all, w.odd...), err
}

// copyIndex copies the index and the name of the objects, for all commands that follow.
func (r *repo) copyIndex(ctx context.Context) error {
	var paths [2]string
	for i, name := range []string{"index", "objects"} {
		var err error
		if paths[i], err = r.line(ctx, "rev-parse", "--git-path", name); err != nil {
			return err
		}
		if !filepath.IsAbs(paths[i]) {
			paths[i] = filepath.Join(r.root, paths[i])
		}
	}
	index, objects := filepath.Join(r.tmp, "index"), filepath.Join(r.tmp, "objects")
	raw, err := os.ReadFile(paths[0])
	if err == nil {
		err = os.WriteFile(index, raw, 0o600)
	}
	if info, statErr := os.Stat(paths[0]); err == nil && statErr == nil { // git looks into files that are not older than the index
		err = os.Chtimes(index, info.ModTime(), info.ModTime())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without an index no file is tracked
		return err
	}
	if err := os.Mkdir(objects, 0o700); err != nil {
		return err
	}
	r.env = append(r.env, fmt.Sprintf("GIT_INDEX_FILE=%s", index), fmt.Sprintf("GIT_OBJECT_DIRECTORY=%s", objects),
		fmt.Sprintf("GIT_ALTERNATE_OBJECT_DIRECTORIES=%q", paths[1]))
	return nil
}

type worktree struct {
	*repo
	filters []string // that are configured
	removed []string
	changed []version // with the modes and ids of the index; "" of new files
	odd     []change  // what is not shown
}

func (w *worktree) list(ctx context.Context) error {
	out, err := w.git(ctx, "", "diff-files", "--raw", "-z", "--no-abbrev", "--ignore-submodules=dirty", "--no-ext-diff", "-O/dev/null")
	if err != nil {
		return fmt.Errorf("git diff-files: %w", err)
	}
	all, err := parseRaw(out)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.new.path] { // a file with conflicts is listed twice, first without modes
			continue
		}
		seen[c.new.path] = true
		if _, err := os.Lstat(filepath.Join(w.root, c.new.path)); err != nil || c.new.mode == "" && c.old.mode != "" {
			w.removed = append(w.removed, c.new.path)
		} else {
			w.changed = append(w.changed, c.old)
		}
	}
	if out, err = w.git(ctx, "", "ls-files", "--others", "--exclude-standard", "-z"); err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if path != "" {
			w.changed = append(w.changed, version{path: path})
		}
	}
	return nil
}

// add adds the files to the copy of the index, but for those that are not shown.
func (w *worktree) add(ctx context.Context) error {
	filtered, err := w.filterOf(ctx)
	if err != nil {
		return err
	}
	var paths []string
	for _, v := range w.changed {
		if nested, ok := strings.CutSuffix(v.path, "/"); ok {
			w.leave(nested, "the files of a git repository within this one")
			continue
		}
		why, unchanged := w.unshown(ctx, v, filtered[v.path])
		switch {
		case why != "":
			w.leave(v.path, why)
		case !unchanged:
			paths = append(paths, v.path)
		}
	}
	if len(w.removed) > 0 {
		if _, err := w.git(ctx, zeros(w.removed), "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return fmt.Errorf("git update-index: %w", err)
		}
	}
	return w.addAll(ctx, paths)
}

// addAll adds files, in halves if git cannot read one of them.
func (w *worktree) addAll(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := w.git(ctx, zeros(paths), "update-index", "--add", "--replace", "-z", "--stdin")
	switch half := len(paths) / 2; {
	case err == nil:
		return nil
	case ctx.Err() != nil || errors.Is(err, errMissing):
		return fmt.Errorf("git update-index: %w", err)
	case half > 0:
		return errors.Join(w.addAll(ctx, paths[:half]), w.addAll(ctx, paths[half:]))
	}
	w.leave(paths[0], "git cannot read it: "+text.Clip(err.Error(), 200))
	return nil
}

func zeros(paths []string) string { return strings.Join(paths, "\x00") + "\x00" }

func (w *worktree) leave(path, why string) {
	w.odd = append(w.odd, change{old: version{path: path}, new: version{path: path}, unshown: why})
}

func (w *worktree) filterOf(ctx context.Context) (map[string]string, error) {
	if len(w.filters) == 0 || len(w.changed) == 0 {
		return nil, nil
	}
	paths := text.Each(w.changed, func(v version) string { return v.path })
	out, err := w.git(ctx, zeros(paths), "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return nil, fmt.Errorf("git check-attr: %w", err)
	}
	found := map[string]string{}
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		if slices.Contains(w.filters, fields[i+2]) {
			found[fields[i]] = fields[i+2]
		}
	}
	return found, nil
}

const maxBlob = 32 << 20

// unshown says why a file of the working tree is not shown, as a clause, or whether it is
// unchanged although git takes it for changed.
func (w *worktree) unshown(ctx context.Context, v version, filter string) (why string, unchanged bool) {
	info, err := os.Lstat(filepath.Join(w.root, filepath.FromSlash(v.path)))
	switch {
	case err != nil || !info.Mode().IsRegular(): // git says what is wrong with it
		return "", false
	case filter != "" && (w.isAsWritten(ctx, v.path, info) || w.isPointedTo(ctx, v)):
		return "", true
	case filter != "":
		return fmt.Sprintf("its uncommitted form, %s, since it has the filter %s; if nothing changed in it, `git status` settles that",
			text.Bytes(info.Size()), text.Label(filter)), false
	case info.Size() > maxBlob:
		return tooLarge(info.Size()), false
	}
	return "", false
}

func tooLarge(size int64) string { return text.Bytes(size) + ", more than can be compared" }

// isAsWritten reports whether a file with a filter has the time and the size that the index has.
func (w *worktree) isAsWritten(ctx context.Context, path string, info fs.FileInfo) bool {
	out, err := w.git(ctx, "", "ls-files", "--debug", "--", path)
	m := indexTimes().FindStringSubmatch(out)
	if err != nil || m == nil {
		return false
	}
	// Git writes the size 0 where the time alone does not tell that a file is unchanged.
	changed := fmt.Sprintf("%d:%d", info.ModTime().Unix(), info.ModTime().Nanosecond())
	return m[1] == changed && (m[2] == strconv.FormatInt(info.Size(), 10) || m[2] == "0")
}

// isPointedTo reports whether a file is the one that a pointer of Git LFS in the index names by its SHA-256.
func (w *worktree) isPointedTo(ctx context.Context, v version) bool {
	stored, err := w.git(ctx, "", "cat-file", "blob", v.id)
	pointer := lfsPointer().FindStringSubmatch(stored)
	if err != nil || pointer == nil {
		return false
	}
	f, err := os.Open(filepath.Join(w.root, filepath.FromSlash(v.path)))
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == pointer[1]
}

var lfsPointer = text.Regexp(`\Aversion https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize \d+\n?\z`)

var indexTimes = text.Regexp(`(?s)\bmtime: (\d+:\d+)\b.*\bsize: (\d+)\b`)

// submodules notes which submodules have changes that are not committed there.
func (w *worktree) submodules(ctx context.Context) error {
	out, err := w.git(ctx, "", "ls-files", "--stage", "-z")
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		head, path, _ := strings.Cut(entry, "\t")
		if !strings.HasPrefix(head, modeSubmodule) {
			continue
		}
		sub := &repo{root: filepath.Join(w.root, filepath.FromSlash(path))}
		if _, err := os.Lstat(filepath.Join(sub.root, ".git")); err != nil {
			continue // it is not checked out
		}
		if _, err := sub.withoutFilters(ctx); err != nil {
			return err
		}
		status, err := sub.git(ctx, "", "status", "--porcelain", "--ignore-submodules=dirty", "--untracked-files=normal")
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil:
			w.leave(path, "git cannot read the submodule: "+err.Error())
		case status != "" && !slices.ContainsFunc(w.odd, func(c change) bool { return c.new.path == path }):
			w.leave(path, "changes that are not committed in the submodule")
		}
	}
	return nil
}
