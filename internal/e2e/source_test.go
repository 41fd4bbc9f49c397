package e2e_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"roundtable/internal/testing/must"
)

var update = flag.Bool("update", false, "rewrite internal/e2e/testdata/recordings and the picture in README.md")

// source is one Go file of the module.
type source struct {
	name string // relative to the module's root, with slashes
	text []byte
	ast  *ast.File
	fset *token.FileSet
}

// pkg returns the directory of the file's package, "" for the module's root.
func (s source) pkg() string {
	if dir := path.Dir(s.name); dir != "." {
		return dir
	}
	return ""
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.ast.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// parsed reads every Go file of the module once, whatever its build tags.
var parsed = sync.OnceValues(func() ([]source, error) {
	var all []source
	err := fs.WalkDir(os.DirFS(moduleRoot), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(moduleRoot, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{name, text, file, fset})
		return nil
	})
	return all, err
})

func sources(t *testing.T) []source {
	t.Helper()
	all := must.Get(parsed())(t)
	return all
}
