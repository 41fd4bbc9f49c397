package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Changes are what a repository has changed since a commit.
type Changes struct {
	Root string   // of the repository
	Base string   // the commit, as an abbreviated hash
	Diff string   // "" if nothing has changed
	Left []string // new files that are left out, since they look like secrets
}

// NoBaseError reports that two branches have no commit in common here, as in a shallow
// checkout.
type NoBaseError struct{ Base string }

// Error says what to fetch.
func (e *NoBaseError) Error() string {
	return fmt.Sprintf("no commit that %s and HEAD have in common is in this checkout; a shallow one needs `git fetch --deepen=1000`, "+
		"or fetch-depth: 0 where a pipeline checks it out", text.Label(e.Base))
}

// ChangesSince returns what the repository of a folder has changed since it left a branch or
// commit; "" is the default branch. New files count unless git ignores them; committed
// leaves out all that is not committed. Nothing that the repository configures is run.
func ChangesSince(ctx context.Context, dir, base string, committed bool) (c Changes, err error) {
	root, err := gitLine(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			return c, fmt.Errorf("%s is in no git repository", quote(dir))
		}
		return c, fmt.Errorf("git cannot read the repository of %s: %w", quote(dir), err)
	}
	c.Root = root
	if _, err := gitLine(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return c, errors.New("the repository has no commit yet")
	}
	if base == "" {
		if base = defaultBranch(ctx, root); base == "" {
			return c, errors.New("the default branch is not known; name a branch or commit to compare with")
		}
	} else if _, err := gitLine(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}"); err != nil {
		return c, fmt.Errorf("there is no branch or commit %q in this checkout", text.Label(base))
	}
	from, err := gitLine(ctx, root, "merge-base", "--end-of-options", base, "HEAD")
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	if err != nil || from == "" {
		return c, &NoBaseError{base}
	}
	if c.Base, err = gitLine(ctx, root, "rev-parse", "--short", from); err != nil {
		return c, err
	}
	args := append(diffArgs(), from)
	if committed {
		args = append(args, "HEAD")
	}
	diff, err := git(ctx, root, append(args, "--")...)
	if err != nil {
		return c, fmt.Errorf("git diff: %w", err)
	}
	c.Diff = string(diff)
	if !committed {
		err = c.addUntracked(ctx)
	}
	return c, err
}

// diffArgs returns the arguments of a diff that looks the same however git is configured.
func diffArgs() []string {
	return []string{
		"-c", "core.quotepath=off", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--src-prefix=a/", "--dst-prefix=b/",
	}
}

// addUntracked adds new files that git does not ignore.
func (c *Changes) addUntracked(ctx context.Context) error {
	list, err := git(ctx, c.Root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	slices.Sort(names)
	for _, name := range names {
		switch {
		case name == "":
			continue
		case secret.File(name):
			c.Left = append(c.Left, name)
			continue
		}
		diff, err := git(ctx, c.Root, append(diffArgs(), "--no-index", "--", os.DevNull, name)...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && len(diff) == 0 { // it reports a difference as a failure
			return fmt.Errorf("git diff of %s: %w", quote(name), err)
		}
		c.Diff += string(diff)
	}
	return nil
}

// defaultBranch returns the branch that others leave from; "" if it is not known.
func defaultBranch(ctx context.Context, root string) string {
	if name, err := gitLine(ctx, root, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil && name != "" {
		return name
	}
	for _, name := range []string{"origin/main", "origin/master", "main", "master"} {
		if _, err := gitLine(ctx, root, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err == nil {
			return name
		}
	}
	return ""
}

// Branches returns the names of the branches of a folder's repository, also of those elsewhere;
// nil if it has none.
func Branches(ctx context.Context, dir string) []string {
	out, err := git(ctx, dir, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// gitLine returns the line that git writes.
func gitLine(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := git(ctx, dir, args...)
	return strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"), err
}
