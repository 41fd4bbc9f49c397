package e2e_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSource_oneNameForOneThing looks for names that a user should not read: a debate is no
// session, and what sits on a panel is a seat. Names of commands, fields and tools stay.
func TestSource_oneNameForOneThing(t *testing.T) {
	packages := []string{"tui", "store", "internal/cli", "internal/headless", "internal/linear", "debate/control", "debate/report"}
	banned := regexp.MustCompile(`(?i)\b(sessions?|members?)\b`)
	allowed := regexp.MustCompile("roundtable sessions|roundtable/session|sessions --status|" + // the command, and the format of exports
		"approve session|" + // what is typed in the linear mode
		"session\\.|sessionId|" + // events and fields of JSON
		"(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|SET|AND|ON|OR) ") // of the database
	for _, s := range sources(t) {
		inScope := slices.ContainsFunc(packages, func(p string) bool { return s.pkg() == p || strings.HasPrefix(s.pkg(), p+"/") })
		if s.isTest() || !inScope {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Info", "Warn", "Error", "Debug"}, f.Sel.Name) {
					return false // the log
				}
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || lit.Value[0] == '`' {
				return true
			}
			words, err := strconv.Unquote(lit.Value)
			if err == nil && strings.Contains(words, " ") && banned.MatchString(words) && !allowed.MatchString(words) {
				t.Errorf("%s: %q: a user reads debate and seat", s.name, words)
			}
			return true
		})
	}
}
