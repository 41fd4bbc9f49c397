package e2e_test

import (
	"cmp"
	"go/ast"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"roundtable/debate/control"
	"roundtable/internal/keymap"
)

// TestSource_commandsAreInTheTableOfKeys checks that each command with keys is in the table, and
// that the table has no other.
func TestSource_commandsAreInTheTableOfKeys(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || !strings.HasPrefix(s.name, "tui/") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			id, literal := call.Args[0].(*ast.BasicLit)
			if !strings.EqualFold(name, "bind") || !literal {
				return true
			}
			unquoted, err := strconv.Unquote(id.Value)
			if err != nil || keymap.Default(unquoted) == nil {
				t.Errorf("%s: %s is not in the table of keys", s.name, id.Value)
			}
			used[unquoted] = true
			return true
		})
	}
	for _, a := range control.All() {
		if key := cmp.Or(a.Key, string(a.ID)); !used[key] {
			t.Errorf("the action %s has no key: there is no %s", a.ID, key)
		}
	}
	for _, c := range keymap.All() {
		if !used[c.ID] {
			t.Errorf("no command has the id %s", c.ID)
		}
	}
}

// The commands that several screens share are named by texts: each of them has to be there.
func TestSource_sharedCommandsAreThere(t *testing.T) {
	uses := regexp.MustCompile(`screen\.Shared\(([^)]*)\)|\{Shared: ("[a-z-]+")\}`)
	makes := regexp.MustCompile(`(?m)^\t\t("[a-z-]+"): |shared\[("[a-z-]+")\] = `)
	made := ""
	for _, file := range []string{"tui/commands.go", "tui/debateview/keys.go"} {
		for _, m := range makes.FindAllStringSubmatch(readRoot(t, file), -1) {
			made += m[1] + m[2] + " "
		}
	}
	used := 0
	for _, s := range sources(t) {
		if s.isTest() || !strings.HasPrefix(s.name, "tui/") {
			continue
		}
		for _, m := range uses.FindAllStringSubmatch(readRoot(t, s.name), -1) {
			for name := range strings.SplitSeq(m[1]+m[2], ",") {
				if used++; !strings.Contains(made, strings.TrimSpace(name)+" ") {
					t.Errorf("%s names %s, which is no shared command of %s", s.name, name, made)
				}
			}
		}
	}
	if used < 40 {
		t.Errorf("found only %d", used)
	}
}
