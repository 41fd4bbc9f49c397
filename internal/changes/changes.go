// Package changes reads what a git repository has changed, as a diff for a review.
//
// What is in the diff is what changed, not what git shows: two versions of a file are compared
// as git stores them, and no attribute, filter, driver or setting of the repository has a say.
// Of files that are not committed, git's own conversions are made (line ends, encodings,
// idents), and no program is run. What is not shown has a line that says so and why.
//
// It imports debate for the form of a diff, internal/process, internal/secret and
// internal/text. It must not know commands, the store or how a diff is sent to models.
package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roundtable/internal/text"
)

// Options say what is compared.
type Options struct {
	Base      string   // a branch or commit; "": the default branch
	Committed bool     // leave out all that is not committed
	Exclude   []string // patterns of debate.MatchPath: files that are left out
	Include   []string // paths of key files that are shown, with their values masked
}

// Changes are what a repository has changed since a commit.
type Changes struct {
	Root  string   // of the repository
	Base  string   // the commit, as an abbreviated hash
	Diff  string   // "" if nothing has changed
	Notes []string // sentences about what git says, and what is not there to be shown
}

// Since returns what the repository of a folder has changed since it left a branch or commit.
// Nothing that the repository configures is run, and nothing is fetched.
func Since(ctx context.Context, dir string, o Options) (c Changes, err error) {
	r, from, err := open(ctx, dir, o.Base)
	if err != nil {
		return c, err
	}
	c.Root = r.root
	if c.Base, err = r.line(ctx, "rev-parse", "--short", from); err != nil {
		return c, err
	}
	if r.tmp, err = os.MkdirTemp("", "roundtable-changes-"); err != nil {
		return c, err
	}
	defer func() {
		err = errors.Join(err, r.close())
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		} else if errors.Is(err, errMissing) {
			err = fmt.Errorf("this checkout is partial and lacks files of the change; `git diff %s HEAD >/dev/null` fetches them", c.Base)
		}
	}()
	var all []change
	if o.Committed {
		all, err = r.committed(ctx, from)
	} else {
		all, err = r.uncommitted(ctx, from)
	}
	if err != nil {
		return c, err
	}
	w := writer{repo: r, options: o}
	if c.Diff, err = w.write(ctx, all); err != nil {
		return c, err
	}
	for _, path := range o.Include {
		if !slices.ContainsFunc(all, func(one change) bool { return one.isNamed(path) }) {
			c.Notes = append(c.Notes, fmt.Sprintf("--include %s names no file of the change.", text.Line(path)))
		}
	}
	for _, line := range r.said {
		c.Notes = append(c.Notes, "git says: "+text.Sentence(line))
	}
	return c, nil
}

// open returns the repository of a folder and the commit at which HEAD left a base.
func open(ctx context.Context, dir, base string) (r *repo, from string, err error) {
	r = &repo{root: dir}
	if r.root, err = r.line(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return nil, "", fmt.Errorf("git cannot read the repository of %q: %w", text.Label(dir), err)
	}
	has := func(name string) bool {
		_, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		return err == nil
	}
	bases := []string{base}
	if base == "" { // the default branch
		bases = []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"}
	}
	at := slices.IndexFunc(bases, has)
	switch {
	case !has("HEAD"):
		return nil, "", errors.New("the repository has no commit yet")
	case at < 0 && base == "":
		return nil, "", errors.New("the default branch is not known; name a branch or commit to compare with")
	case at < 0:
		return nil, "", fmt.Errorf("there is no branch or commit %q in this checkout", text.Label(base))
	}
	base = bases[at]
	from, err = r.line(ctx, "merge-base", "--end-of-options", base, "HEAD")
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil || from == "" {
		return nil, "", fmt.Errorf("no commit that %s and HEAD have in common is in this checkout; a shallow one needs "+
			"`git fetch --deepen=1000`, or fetch-depth: 0 where a pipeline checks it out", text.Label(base))
	}
	r.root = filepath.Clean(r.root)
	return r, from, nil
}

type change struct {
	old, new version
	unshown  string // why a part of it is not shown, as a clause; "" if that is not known yet
}

type version struct {
	path string // of the other version if there is no such file
	mode string // as git writes it; "" if there is no such file
	id   string // of the object
}

const modeSubmodule = "160000"

// rawArgs are the arguments of commands that list what changed. Nothing that is configured
// changes the list.
func rawArgs(command ...string) []string {
	return append(command, "--raw", "-z", "--no-abbrev", "-M", "-l1000", "--ignore-submodules=none", "--no-ext-diff", "-O/dev/null")
}

func (r *repo) committed(ctx context.Context, from string) ([]change, error) {
	out, err := r.git(ctx, "", rawArgs("diff-tree", "-r", from, "HEAD")...)
	if err != nil {
		return nil, fmt.Errorf("git diff-tree: %w", err)
	}
	return parseRaw(out)
}

// parseRaw reads ":OLDMODE MODE OLDID ID STATUS\x00PATH\x00", with a second path for renames.
func parseRaw(out string) (all []change, err error) {
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i < len(fields) && fields[i] != ""; {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		paths := 1
		if len(head) == 5 && (head[4][0] == 'R' || head[4][0] == 'C') {
			paths = 2
		}
		if len(head) != 5 || i+paths >= len(fields) {
			return nil, fmt.Errorf("git lists changes in a form that is not known: %q", text.Label(fields[i]))
		}
		c := change{old: version{fields[i+1], head[0], head[2]}, new: version{fields[i+paths], head[1], head[3]}}
		for _, v := range []*version{&c.old, &c.new} {
			if strings.Trim(v.mode, "0") == "" {
				*v = version{path: v.path}
			}
		}
		all = append(all, c)
		i += 1 + paths
	}
	return all, nil
}
