package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"roundtable/agents/tools"
)

// Lines returns how many lines a file of the folder has, and its hash as read_file says it.
func (m *Manager) Lines(ctx context.Context, name string) (n int, hash string, err error) {
	root, err := os.OpenRoot(m.options.Dir)
	if err != nil {
		return 0, "", fmt.Errorf("open the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	at, _, err := resolve(ctx, root, name)
	if err != nil {
		return 0, "", err
	}
	f, info, err := openReadable(root, at, at, name)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	content := newContent(f, info.Size())
	for ; ; n++ {
		switch _, _, err := content.line(0); {
		case errors.Is(err, io.EOF):
			hash, err = hashOf(f, info.Size())
			return n, hash, err
		case err != nil:
			return 0, "", err
		}
	}
}

// versions are the hashes of the files that an agent read last, by path. It is safe for
// concurrent use.
type versions struct {
	mu     sync.Mutex
	hashes map[string]string
}

func (v *versions) add(path, hash string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.hashes == nil {
		v.hashes = map[string]string{}
	}
	v.hashes[path] = hash
}

// changed returns the files that the agent had read and that are other ones now, once.
func (f folder) changed(ctx context.Context) (out []tools.FileVersion) {
	root, err := f.Open()
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // it was only read
	f.read.mu.Lock()
	defer f.read.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(f.read.hashes)) {
		now, err := fileHash(ctx, root, name)
		if err != nil {
			now = ""
		}
		if now != f.read.hashes[name] {
			f.read.hashes[name] = now
			out = append(out, tools.FileVersion{Path: name, Hash: now})
		}
	}
	return out
}

func fileHash(ctx context.Context, root *os.Root, name string) (hash string, err error) {
	at, _, err := resolve(ctx, root, name)
	if err != nil {
		return "", err
	}
	f, info, err := openReadable(root, at, at, name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return hashOf(f, info.Size())
}
