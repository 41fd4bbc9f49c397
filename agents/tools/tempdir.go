package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// makeTempDir makes the temporary folder of a call, which is named by our id of it. It
// stays until the session is closed, but remove removes it if it is empty.
func (e *Executor) makeTempDir(id string) (path string, remove func(), err error) {
	if e.sources.TempDir == "" {
		return "", func() {}, nil
	}
	if strings.ContainsAny(id, `/\:`) || !filepath.IsLocal(id) {
		return "", nil, fmt.Errorf("the call id %q cannot name a folder", abbreviate(id))
	}
	path = filepath.Join(e.sources.TempDir, id)
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", nil, fmt.Errorf("make the temporary folder of a call: %w", err)
	}
	return path, func() { _ = os.Remove(path) }, nil // fails for one that is not empty
}
