package changes

import (
	"context"
	"fmt"
	"path"
	"strings"

	"roundtable/debate"
)

// lockOf returns the manifest that a file is the lock file of; "" if it is none.
func (w *writer) lockOf(ctx context.Context, name string) (manifest string, err error) {
	all := debate.ManifestsOf(name)
	for _, manifest := range all {
		if ok, err := w.exists(ctx, path.Join(path.Dir(name), manifest)); err != nil || ok {
			return manifest, err
		}
	}
	if len(all) > 0 && path.Dir(name) == "." {
		return all[0], nil
	}
	return "", nil
}

func (w *writer) exists(ctx context.Context, name string) (bool, error) {
	if w.tracked == nil {
		args := []string{"ls-files", "-z", "--cached"}
		if w.options.Committed {
			args = []string{"ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"}
		}
		out, err := w.git(ctx, "", args...)
		if err != nil {
			return false, fmt.Errorf("git %s: %w", args[0], err)
		}
		w.tracked = map[string]bool{}
		for p := range strings.SplitSeq(out, "\x00") {
			w.tracked[p] = true
		}
	}
	return w.tracked[name], nil
}
