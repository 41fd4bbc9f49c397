package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Lines returns how many lines a file of the folder has, and its hash as read_file says it.
func (m *Manager) Lines(ctx context.Context, name string) (n int, hash string, err error) {
	root, err := os.OpenRoot(m.options.Dir)
	if err != nil {
		return 0, "", fmt.Errorf("open the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	at, _, err := resolve(root, name)
	if err != nil {
		return 0, "", err
	}
	f, info, err := openReadable(root, at, name)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	content := newContent(f, info.Size())
	for ; ; n++ {
		switch _, _, err := content.line(0); {
		case ctx.Err() != nil:
			return 0, "", ctx.Err()
		case errors.Is(err, io.EOF):
			hash, err = hashOf(f, info.Size())
			return n, hash, err
		case err != nil:
			return 0, "", err
		}
	}
}
