package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"roundtable/internal/testing/must"
)

// moduleRoot is the directory of go.mod, relative to the directory of these tests.
const moduleRoot = "../.."

// readRoot returns the contents of a file of the module, named relative to its root.
func readRoot(t testing.TB, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(moduleRoot, filepath.FromSlash(name))))(t)
	return string(text)
}
