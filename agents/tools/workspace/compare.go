package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Compare returns how many files of a folder have the hashes that read_file returned, by
// path.
func Compare(ctx context.Context, dir string, hashes map[string]string) (same int, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, fmt.Errorf("open the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for name, hash := range hashes {
		now, err := fileHash(ctx, root, name)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err == nil && now == hash { // one that cannot be read is another one
			same++
		}
	}
	return same, nil
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
