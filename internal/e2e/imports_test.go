package e2e_test

import (
	"slices"
	"strings"
	"testing"
)

const module = "roundtable"

// rule says what a package may import of this module, and whether third-party
// packages that are not restricted below are open to it.
type rule struct {
	ours   []string // a trailing "/..." stands for the package and all below it
	theirs bool
}

// rules says who may import whom. A package that is not listed is an error. The
// standard library and internal/crash are open to every package.
var rules = map[string]rule{
	"internal/text":               {theirs: true},
	"internal/crash":              {},
	"internal/file":               {},
	"skills":                      {},
	"internal/secret":             {},
	"internal/testing/secrettest": {},
	"internal/catalog":            {theirs: true},
	"internal/catalog/refresh":    {},

	"internal/keymap":  {ours: []string{"internal/text"}},
	"internal/process": {ours: []string{"internal/text"}, theirs: true},

	"agents":        {},
	"agents/openai": {ours: []string{"agents", "internal/process", "internal/secret", "internal/text"}, theirs: true},
	"agents/acp":    {ours: []string{"agents", "internal/process", "internal/secret", "internal/text"}, theirs: true},
	"agents/demo":   {ours: []string{"agents", "internal/text"}},
	"agents/tools":  {ours: []string{"agents", "internal/text"}, theirs: true},

	"agents/tools/workspace": {ours: []string{"agents", "agents/tools", "internal/process", "internal/secret", "internal/text"}, theirs: true},
	"agents/tools/mcp":       {ours: []string{"agents", "agents/tools", "internal/process", "internal/secret", "internal/text"}, theirs: true},

	"debate":           {ours: []string{"agents", "debate/ledger", "internal/text"}, theirs: true},
	"debate/ledger":    {ours: []string{"agents", "internal/text"}, theirs: true},
	"debate/modes":     {ours: values, theirs: true},
	"debate/statement": {ours: values, theirs: true},
	"debate/cite":      {ours: values},
	"debate/budget":    {ours: values},
	"debate/verdict":   {ours: with(functions, "internal/secret")},
	"debate/prompt":    {ours: with(functions, "debate/verdict")},
	"debate/engine":    {ours: with(functions, "debate/prompt", "debate/verdict", "agents/tools"), theirs: true},
	"debate/report":    {ours: with(functions, "debate/verdict", "debate/prompt", "internal/secret"), theirs: true},
	"debate/control":   {ours: with(functions, "debate/verdict", "debate/prompt", "debate/report")},
	"debate/eval":      {ours: with(functions, "debate/verdict", "debate/report", "debate/stats")},
	"debate/stats":     {},

	"store": {ours: with(values, "internal/file"), theirs: true},

	"tui/theme":       {theirs: true},
	"tui/markdown":    {ours: []string{"tui/theme", "internal/text"}, theirs: true},
	"tui/input":       {ours: []string{"tui/theme", "internal/text"}, theirs: true},
	"tui/list":        {ours: []string{"tui/theme", "internal/text"}, theirs: true},
	"tui/textview":    {ours: []string{"tui/theme", "internal/text"}, theirs: true},
	"tui/screen":      {ours: []string{"agents", "debate", "internal/keymap", "internal/text", "tui/textview", "tui/theme"}, theirs: true},
	"tui/pane":        {ours: with(values, "debate/control", "internal/keymap", "tui/theme", "tui/markdown", "tui/textview"), theirs: true},
	"tui/attach":      {ours: []string{"debate", "debate/cite", "internal/text", "tui/screen", "tui/theme"}, theirs: true},
	"tui/home":        screenRule,
	"tui/setup":       screenRule,
	"tui/debateview":  {ours: with(screenRule.ours, "tui/form"), theirs: true}, // the form is its overlay
	"tui/form":        screenRule,
	"tui/fork":        {ours: []string{"agents", "debate", "debate/ledger", "internal/text", "tui/screen"}},
	"tui/verdictview": {ours: with(screenRule.ours, "tui/reader"), theirs: true},
	"tui/approvals":   {ours: with(screenRule.ours, "tui/reader"), theirs: true},
	"tui/reader":      screenRule,
	"tui/chooser":     screenRule,

	"tui": {ours: with(values, "debate/control", "debate/report", "internal/keymap", "tui/..."), theirs: true},

	"internal/changes":   {ours: []string{"debate", "internal/process", "internal/secret", "internal/text"}, theirs: true},
	"internal/evidence":  {ours: []string{"debate", "internal/process", "internal/secret", "internal/text"}},
	"internal/headless":  {ours: with(functions, "debate/verdict", "debate/report", "debate/control")},
	"internal/linear":    {ours: with(functions, "debate/report", "debate/control", "internal/headless")},
	"internal/mcpserver": {ours: with(functions, "debate/report", "debate/control", "internal/process"), theirs: true},
	"internal/config":    {ours: configMay, theirs: true},
	"internal/term":      {ours: []string{"internal/file", "internal/text"}, theirs: true},
	"internal/app":       {ours: with(belowCommands, "internal/file", "tui/..."), theirs: true},
	"internal/cli":       {ours: with(belowCommands, "internal/app", "internal/process"), theirs: true},
	"":                   {ours: []string{"internal/cli"}},

	"internal/e2e":                  {},
	"internal/e2e/endpoint":         {},
	"internal/e2e/noise":            {},
	"internal/e2e/ramdisk":          {},
	"internal/e2e/world":            {},
	"internal/e2e/world/disk":       {ours: []string{"internal/file"}, theirs: true},
	"internal/testing/debatetest":   {ours: with(functions, "debate/modes", "debate/prompt", "internal/testing/must")},
	"internal/testing/mutate":       {},
	"internal/testing/headlesstest": {ours: []string{"debate/report"}, theirs: true},
	"internal/testing/must":         {},
	"internal/testing/oracle":       {},
	"internal/testing/processtest":  {},
	"internal/testing/viewtest":     {ours: []string{"tui/theme"}, theirs: true},
}

// testSupport lists packages that only tests may import, but for must, which they may import too.
var testSupport = []string{"internal/e2e/...", "internal/testing/..."}

var (
	// values are the packages of values and rules that do not run anything.
	values = []string{"debate", "debate/ledger", "agents", "internal/text"}

	// functions are values and the packages of functions over them, which do not know
	// each other.
	functions = with(values, "debate/statement", "debate/cite", "debate/budget")

	// configMay has debate/ledger for the limits on requests that a file sets.
	configMay = []string{
		"agents/...", "debate", "debate/ledger", "debate/modes", "internal/catalog", "internal/file", "internal/keymap", "internal/secret",
		"internal/text",
	}
	paneMay    = with(functions, "internal/keymap", "tui/theme", "tui/input", "tui/markdown", "tui/list", "tui/textview")
	screenRule = rule{ours: with(paneMay, "tui/screen", "tui/pane", "tui/attach", "debate/report", "debate/control"), theirs: true}

	// belowCommands is everything below the interface and the wiring.
	belowCommands = []string{
		"agents/...", "debate/...", "store", "internal/catalog", "internal/changes", "internal/config", "internal/evidence",
		"internal/headless", "internal/keymap", "internal/linear", "internal/mcpserver", "internal/term", "internal/text", "skills",
	}
)

func with(packages []string, more ...string) []string { return slices.Concat(packages, more) }

// reserved names third-party modules that only some packages may import; the
// longest prefix that fits counts.
var reserved = map[string][]string{
	"github.com/sashabaranov/go-openai":     {"agents/openai"},
	"github.com/klauspost/compress":         {"store"},
	"github.com/mattn/go-sqlite3":           {"store", "internal/e2e/world/disk"},
	"github.com/bmatcuk/doublestar":         {"agents/tools/workspace"},
	"github.com/modelcontextprotocol":       {"agents/acp", "agents/tools/mcp", "internal/mcpserver"},
	"github.com/coder/acp-go-sdk":           {"agents/acp"},
	"github.com/yuin/goldmark":              {"tui/markdown", "debate/report"},
	"charm.land":                            {"tui/...", "internal/cli", "internal/term", "internal/testing/viewtest"},
	"github.com/charmbracelet":              {"tui/...", "internal/cli", "internal/term", "internal/testing/viewtest"},
	"github.com/charmbracelet/x/ansi":       {"tui/...", "internal/term", "internal/testing/viewtest", "internal/text"},
	"github.com/spf13/cobra":                {"internal/cli"},
	"github.com/pelletier/go-toml":          {"debate/modes", "internal/catalog", "internal/config"},
	"charm.land/lipgloss/v2/compat":         {}, // asks the terminal when it is loaded
	"github.com/charmbracelet/glamour":      {}, // takes 11 ms at every start
	"github.com/charmbracelet/x/exp/golden": {}, // for tests
}

func TestSource_importsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		pkg := s.pkg()
		seen[pkg] = true
		if _, ok := rules[pkg]; !ok {
			t.Errorf("%s is not in the table", pkg)
			continue
		}
		for _, imported := range s.imports() {
			if why := refused(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", s.name, imported, why)
			}
		}
	}
	for pkg := range rules {
		if !seen[pkg] {
			t.Errorf("%s is in the table and does not exist", pkg)
		}
	}
	for module, owners := range reserved {
		for _, owner := range owners {
			if _, ok := rules[strings.TrimSuffix(owner, "/...")]; !ok {
				t.Errorf("%s is reserved for %q, which is not in the table", module, owner)
			}
		}
	}
}

// Each way of refusing and of allowing, so that the table means what it says.
func TestImports_refuseWhatTheTableForbids(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		ok            bool
	}{
		{"agents", "context", true},
		{"agents", "golang.org/x/text/unicode/norm", false},
		{"agents", module + "/debate", false},
		{"debate", module + "/internal/crash", true},
		{"debate", module + "/debate/engine", false},
		{"debate", "github.com/mattn/go-sqlite3", false},
		{"store", "github.com/mattn/go-sqlite3", true},
		{"tui", module + "/store", false},
		{"tui", module + "/tui/form", true},
		{"tui/form", module + "/tui", false},
		{"tui/theme", "charm.land/lipgloss/v2", true},
		{"tui/theme", "charm.land/lipgloss/v2/compat", false}, // the longest prefix counts
		{"internal/cli", module + "/internal/e2e/endpoint", false},
		{"", module + "/store", false},
	} {
		if got := refused(c.pkg, c.imported); (got == "") != c.ok {
			t.Errorf("%q importing %q: got %q, want allowed %v", c.pkg, c.imported, got, c.ok)
		}
	}
}

// refused says why a package may not import another one; "" means that it may.
func refused(pkg, imported string) string {
	r := rules[pkg]
	if ours, ok := within(imported, module); ok {
		if allowed(testSupport, ours) && !(allowed(testSupport, pkg) && ours == "internal/testing/must") {
			return "only tests may"
		}
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
