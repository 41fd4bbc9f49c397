package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"roundtable/store"
)

// databaseCopier returns the interface's function that copies the database. The copy is
// in the first of the current, the home and the temporary folder that takes it.
func databaseCopier(st *store.Store) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		var errs []error
		for _, folder := range []func() (string, error){os.Getwd, os.UserHomeDir, func() (string, error) { return os.TempDir(), nil }} {
			dir, err := folder()
			if err == nil {
				var path string
				if path, err = copyToFolder(ctx, st, dir); err == nil {
					return path, nil
				}
			}
			errs = append(errs, err)
		}
		return "", errors.Join(errs...)
	}
}

// copyToFolder copies the database to a new file in a folder and returns its path.
func copyToFolder(ctx context.Context, st *store.Store, dir string) (string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, "roundtable-copy.db")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("roundtable-copy-%d.db", n))
		}
		if err := st.SaveCopy(ctx, path); !errors.Is(err, fs.ErrExist) || n > maxCopies {
			return path, err
		}
	}
}
