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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite internal/e2e/testdata/recordings, the picture in README.md and testdata/violations.txt")

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
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// violationsFile lists the violations that the source is known to have, one a
// line, each beginning with the name of its rule. No file means that there are none.
const violationsFile = "testdata/violations.txt"

// violations are the breaches of one rule: what breaks it, and details for the
// reader that are not part of the list.
type violations map[string]string

// expect compares violations of a rule with those that are known. It fails for a
// new one, and for a known one that has been fixed.
func (found violations) expect(t *testing.T, rule string) {
	t.Helper()
	raw, err := os.ReadFile(violationsFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var lines []string // what the list is to hold
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if what, ok := strings.CutPrefix(line, rule+": "); ok {
			known[what] = true
		} else if line != "" {
			lines = append(lines, line)
		}
	}
	for what, details := range found {
		lines = append(lines, rule+": "+what)
		if !known[what] && !*update {
			t.Errorf("%s: %s%s", rule, what, details)
		}
	}
	for what := range known {
		if _, ok := found[what]; !ok && !*update {
			t.Errorf("%s: %q is fixed; remove it from %s", rule, what, violationsFile)
		}
	}
	if *update {
		writeViolations(t, lines)
	}
}

// writeViolations rewrites the list, or removes it when nothing is left.
func writeViolations(t *testing.T, lines []string) {
	t.Helper()
	if len(lines) == 0 {
		if err := os.Remove(violationsFile); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return
	}
	slices.Sort(lines)
	if err := os.WriteFile(violationsFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
