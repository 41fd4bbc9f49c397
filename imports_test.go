package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "roundtable"

// rule says what a package may import of this module, and whether third-party
// packages that no rule below restricts are open to it.
type rule struct {
	ours   []string // a trailing "/..." stands for the package and all below it
	theirs bool
}

// rules is the whole of who may know whom; a package that is not listed is an error.
// The standard library and internal/crash are open to everybody.
var rules = map[string]rule{
	"":                               {ours: []string{"internal/cli"}},
	"agents":                         {},
	"agents/safetext":                {theirs: true},
	"agents/openai":                  {ours: []string{"agents"}, theirs: true},
	"agents/demo":                    {ours: []string{"agents"}},
	"agents/tools":                   {ours: []string{"agents"}, theirs: true},
	"debate":                         {ours: []string{"agents", "debate/ledger", "internal/text"}, theirs: true},
	"debate/ledger":                  {ours: []string{"agents"}, theirs: true},
	"debate/modes":                   {ours: []string{"debate", "debate/ledger", "agents"}, theirs: true},
	"debate/verdict":                 {ours: []string{"debate", "debate/ledger", "agents", "internal/text"}, theirs: true},
	"debate/debatetest":              {ours: []string{"debate/prompt", "debate/modes", "debate", "debate/ledger", "agents"}},
	"debate/prompt":                  {ours: []string{"debate/verdict", "debate", "debate/ledger", "agents", "internal/text"}, theirs: true},
	"debate/engine":                  {ours: []string{"debate/prompt", "debate/verdict", "debate", "debate/ledger", "agents", "agents/tools", "internal/text"}, theirs: true},
	"debate/report":                  {ours: []string{"debate/prompt", "debate/verdict", "debate", "debate/ledger", "agents", "agents/safetext", "internal/text"}, theirs: true},
	"store":                          {ours: []string{"debate", "debate/ledger", "agents"}, theirs: true},
	"tui/theme":                      {theirs: true},
	"tui/input":                      {ours: []string{"tui/theme"}, theirs: true},
	"tui/markdown":                   {ours: []string{"tui/theme"}, theirs: true},
	"tui/pane":                       {ours: component, theirs: true},
	"tui/form":                       {ours: component, theirs: true},
	"tui/picker":                     {ours: component, theirs: true},
	"tui":                            {ours: []string{"debate/report", "debate/prompt", "debate", "debate/ledger", "agents", "agents/safetext", "tui/..."}, theirs: true},
	"internal/crash":                 {},
	"internal/text":                  {ours: []string{"agents/safetext"}, theirs: true},
	"internal/endpoint":              {},
	"internal/noise":                 {},
	"internal/config":                {ours: []string{"agents/...", "debate/modes", "debate", "debate/ledger", "internal/text"}, theirs: true},
	"internal/headless":              {ours: []string{"debate/engine", "debate/report", "debate/verdict", "debate", "debate/ledger", "agents", "agents/tools", "agents/safetext", "internal/text"}, theirs: true},
	"internal/headless/headlesstest": {ours: []string{"internal/headless"}, theirs: true},
	"internal/cli":                   {ours: []string{"..."}, theirs: true},
}

var component = []string{"tui/theme", "tui/input", "tui/markdown", "debate", "debate/ledger", "agents", "agents/safetext"}

// reserved names third-party modules that only some packages may import; the
// longest prefix that fits counts.
var reserved = map[string][]string{
	"github.com/sashabaranov/go-openai":     {"agents/openai"},
	"github.com/mattn/go-sqlite3":           {"store"},
	"github.com/yuin/goldmark":              {"tui/markdown", "debate/report"},
	"charm.land":                            {"tui/...", "internal/cli"},
	"github.com/charmbracelet":              {"tui/...", "internal/cli"},
	"github.com/charmbracelet/x/ansi":       {"tui/...", "internal/cli", "agents/safetext"},
	"github.com/spf13/cobra":                {"internal/cli"},
	"github.com/pelletier/go-toml":          {"debate/modes", "internal/config"},
	"charm.land/lipgloss/v2/compat":         {}, // asks the terminal when it is loaded
	"github.com/charmbracelet/glamour":      {}, // 11 ms at every start
	"github.com/charmbracelet/x/exp/golden": {},
}

func TestImports_followTheTable(t *testing.T) {
	seen := map[string]bool{}
	for file, imports := range sources(t) {
		pkg := path.Dir(file)
		if pkg == "." {
			pkg = ""
		}
		seen[pkg] = true
		if _, ok := rules[pkg]; !ok {
			t.Errorf("%s: package %q is not in the table of imports", file, pkg)
			continue
		}
		for _, imported := range imports {
			if why := refused(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", file, imported, why)
			}
		}
	}
	for pkg := range rules {
		if !seen[pkg] {
			t.Errorf("the table has a rule for %q, which is not there", pkg)
		}
	}
	for module, owners := range reserved {
		for _, owner := range owners {
			if _, ok := rules[strings.TrimSuffix(owner, "/...")]; !ok {
				t.Errorf("%s is reserved for %q, which is not there", module, owner)
			}
		}
	}
}

func TestImports_refuseWhatTheTableForbids(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		ok            bool
	}{
		{"agents", "context", true},
		{"agents", "golang.org/x/text/unicode/norm", false},
		{"agents", module + "/debate", false},
		{"agents/openai", module + "/agents/tools", false},
		{"agents/safetext", "github.com/charmbracelet/x/ansi", true},
		{"agents/safetext", "charm.land/lipgloss/v2", false},
		{"debate", "github.com/mattn/go-sqlite3", false},
		{"debate", "charm.land/bubbletea/v2", false},
		{"debate", module + "/internal/crash", true},
		{"debate/report", module + "/agents/safetext", true},
		{"debate/report", "github.com/yuin/goldmark", true},
		{"debate/report", module + "/debate/engine", false},
		{"debate/verdict", "github.com/yuin/goldmark", false},
		{"store", module + "/tui", false},
		{"store", "github.com/mattn/go-sqlite3", true},
		{"tui", module + "/store", false},
		{"tui", module + "/tui/form", true},
		{"tui/form", module + "/tui/pane", false},
		{"tui/theme", "charm.land/lipgloss/v2", true},
		{"tui/theme", "charm.land/lipgloss/v2/compat", false},
		{"", module + "/store", false},
	} {
		if got := refused(c.pkg, c.imported); (got == "") != c.ok {
			t.Errorf("%q importing %q: got %q, want allowed %v", c.pkg, c.imported, got, c.ok)
		}
	}
}

// sources returns the imports of every Go file of the module that is not a test.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		found[slashed] = []string{}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[slashed] = append(found[slashed], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// refused says why a package may not import another one; "" means that it may.
func refused(pkg, imported string) string {
	r := rules[pkg]
	if ours, ok := within(imported, module); ok {
		if ours == "internal/crash" || allowed(r.ours, ours) {
			return ""
		}
		return "the table does not allow it"
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	if !r.theirs {
		return "this package keeps to the standard library"
	}
	owners, ok := ownersOf(imported)
	if ok && !allowed(owners, pkg) {
		return "only " + strings.Join(owners, ", ") + " may"
	}
	return ""
}

func ownersOf(imported string) (owners []string, ok bool) {
	best := ""
	for prefix, names := range reserved {
		if _, fits := within(imported, prefix); fits && len(prefix) > len(best) {
			best, owners, ok = prefix, names, true
		}
	}
	return owners, ok
}

func allowed(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		root, all := strings.CutSuffix(p, "...")
		if !all {
			return p == pkg
		}
		_, ok := within(pkg, strings.TrimSuffix(root, "/"))
		return ok || root == ""
	})
}

// within returns what of name comes below root, "" for root itself.
func within(name, root string) (rest string, ok bool) {
	if name == root {
		return "", true
	}
	return strings.CutPrefix(name, root+"/")
}
