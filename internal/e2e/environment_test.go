package e2e_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roundtable/agents/openai"
)

var (
	// variablesSection is the section of docs/commands.md on variables.
	variablesSection = regexp.MustCompile(`(?s)\n## Variables, folders and the log\n.*?(?:\n## |$)`)

	// ofLibraries are the variables of docs/commands.md that only libraries read.
	ofLibraries = []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_FORCE", "COLORTERM", "SSH_TTY", "RUNEWIDTH_EASTASIAN"}

	// lookups are the functions whose arguments are names of variables.
	lookups = []string{"Getenv", "LookupEnv", "Env", "env", "e", "command", "inherited"}

	variableName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
)

// The section of variables in docs/commands.md names every variable that the program reads or
// sets, and no other name in capitals.
func TestDocs_nameEveryVariable(t *testing.T) {
	t.Parallel()
	read, literals := variablesOfTheSource(t)
	for _, p := range openai.Presets() {
		if name := strings.ToUpper(p.Name) + "_BASE_URL"; p.Name != "ollama" {
			read[name], literals[name] = true, true
		}
	}
	shown := map[string]bool{}
	section := variablesSection.FindString(readRoot(t, "docs/commands.md"))
	for _, m := range regexp.MustCompile("`([A-Z][A-Za-z0-9_]*|[a-z]+_[a-z_]+)`").FindAllStringSubmatch(section, -1) {
		shown[m[1]] = true
		if m[1] != strings.ToLower(m[1]) && !literals[m[1]] && !slices.Contains(ofLibraries, m[1]) {
			t.Errorf("docs/commands.md names %s, which the program does not know", m[1])
		}
	}
	for name := range read {
		if !shown[name] {
			t.Errorf("docs/commands.md does not name %s", name)
		}
	}
	if len(read) < 80 {
		t.Errorf("only %d variables were found in the source", len(read))
	}
}

// variablesOfTheSource returns the names of variables in the source of the program, and all
// of its literals. A name is what is looked up, what looks like a name, and what stands in a
// list with one.
func variablesOfTheSource(t *testing.T) (names, literals map[string]bool) {
	names, literals = map[string]bool{}, map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || allowed(testSupport, s.pkg()) || strings.HasPrefix(string(s.text), "//go:build crashpoints\n") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				value := stringOf(n)
				literals[value] = true
				if variableName.MatchString(value) {
					names[value] = true
				}
			case *ast.CallExpr:
				if slices.Contains(lookups, nameOf(n.Fun)) {
					addAll(names, n.Args)
				}
			case *ast.CompositeLit:
				if slices.ContainsFunc(n.Elts, func(e ast.Expr) bool { v := stringOf(e); return v == "PATH" || variableName.MatchString(v) }) {
					if _, list := n.Type.(*ast.ArrayType); list {
						addAll(names, n.Elts)
					}
				}
			}
			return true
		})
	}
	return names, literals
}

func addAll(names map[string]bool, of []ast.Expr) {
	for _, e := range of {
		if value := stringOf(e); value != "" {
			names[value] = true
		}
	}
}

// stringOf returns the value of a string literal, without the "=" after the name of a
// variable; "" if e is none.
func stringOf(e ast.Node) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	value, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(value, "=")
}

// nameOf returns the name of a type, a function or a method, without its package.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
