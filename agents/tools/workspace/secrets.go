package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// maxChecked is how much of a file is searched for keys, in bytes.
const maxChecked = 2 << 20

// openReadable opens a file of the workspace that may be shown: a regular one that does not
// look as if it held keys or passwords. The path p is that of the file in the workspace.
func openReadable(root *os.Root, name, p, asked string) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(root, name, asked)
	if err != nil {
		return nil, nil, err
	}
	if secret.File(p) || holdsKey(f, info.Size()) {
		return nil, nil, errors.Join(&RefusedError{asked, ruleSecret}, f.Close())
	}
	return f, info, nil
}

// holdsKey reports whether the beginning of a text file holds a key. What cannot be read is
// reported by the read that follows.
func holdsKey(f io.ReaderAt, size int64) bool {
	head := make([]byte, min(size, maxChecked))
	n, _ := f.ReadAt(head, 0) //nolint:errcheck // see above
	head = head[:n]
	return bytes.IndexByte(head[:min(n, sniffed)], 0) < 0 && secret.Holds(string(head))
}

// LeftOut says in sentences which files of the folder no tool shows and no clone has, since
// they look as if they held keys or passwords; "" if there are none. It looks for them for a
// few seconds at most.
func (m *Manager) LeftOut(ctx context.Context) (string, error) {
	const named = 5
	root, err := os.OpenRoot(m.options.Dir)
	if err != nil {
		return "", fmt.Errorf("open the workspace: %w", err)
	}
	var found []string
	w := walk{ctx: ctx, bounds: Bounds{Entries: 100_000, Time: 3 * time.Second}}
	w.secret = func(p string) { found = append(found, p) }
	w.visit = func(at *os.Root, name, p string) error {
		f, _, err := openReadable(at, name, p, p)
		var refused *RefusedError
		switch {
		case err == nil:
			return f.Close()
		case errors.As(err, &refused) && refused.Rule == ruleSecret:
			w.secret(p)
		}
		return nil // one that cannot be read is reported to the seat that tries it
	}
	if err := errors.Join(w.run(root, "."), root.Close()); err != nil || len(found) == 0 {
		return "", err
	}
	return fmt.Sprintf("Seats cannot read %s of the workspace that %s: %s.", text.Count(len(found), "file"),
		text.Inflect(len(found), "looks like it holds keys or passwords", "look like they hold keys or passwords"),
		someOf(found, named)), nil
}

// someOf lists the first few of some paths, and how many more there are.
func someOf(paths []string, most int) string {
	var shown []string
	for _, p := range paths[:min(len(paths), most)] {
		shown = append(shown, text.Clip(text.Line(p), 200))
	}
	if more := len(paths) - most; more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return text.List(shown)
}
