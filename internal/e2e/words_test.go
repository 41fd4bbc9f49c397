package e2e_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roundtable/internal/testing/must"
)

// otherNames are names that a person should not read: it is debate, seat, question, you and
// incomplete. A request is what a model or a server is sent.
const otherNames = `(?i)\b(sessions?|members?|agents?|voters?|degraded|the user|context requests?|` +
	`(?:required|open|optional|another|next|previous) requests?)\b`

// allowedNames are the phrases with another name that are right: names of commands, flags,
// keys, fields and protocols, and programs that are agents.
const allowedNames = "roundtable (?:sessions|agents)|roundtable/session|sessions --status|" + // commands, formats
	`--agents?\b|--prompt AGENT|agents\[|\[\[agents\]\]|` + // flags, keys of the config, arguments
	`session\.|sessionId|session\.schema|` + // events and fields of JSON
	`Agent Client Protocol|ACP agent|[Aa]gents such as|` + // programs
	`an agent(?:'s own program|'s calls| has started| in a debate| is started| that is known)|of an agent is started|^an agent$|` +
	"Next request of this seat|Earlier request of this seat|" + // what a model was sent
	"SELECT session FROM|(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|SET|AND|ON|OR) " // of the database

// TestSource_oneNameForOneThing looks for other names in the strings of the source.
func TestSource_oneNameForOneThing(t *testing.T) {
	without := map[string]string{
		"debate/prompt": "what models read", "debate/ledger/ask.go": "what models read", "debate/engine/toolkit.go": "what models read",
		"debate/endings.go": "StoppedBy is of prompts", "agents/tools": "what models read", "agents/demo": "reads prompts",
		"agents/acp": "agents and sessions of ACP", "internal/mcpserver": "arguments of MCP", "internal/testing/debatetest": "of tests",
		"internal/testing/viewtest": "of tests", "internal/e2e": "of tests", "internal/testing/headlesstest": "of tests",
	}
	banned, allowed := regexp.MustCompile(otherNames), regexp.MustCompile(allowedNames)
	for _, s := range sources(t) {
		outside := false
		for p := range without {
			outside = outside || s.name == p || strings.HasPrefix(s.name, p+"/") && !strings.HasPrefix(s.name, "agents/tools/workspace/")
		}
		if s.isTest() || outside {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				f, _ := call.Fun.(*ast.SelectorExpr)
				if f != nil && slices.Contains([]string{"Info", "Warn", "Error", "Debug"}, f.Sel.Name) {
					if of, ok := f.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Log" {
						return false
					}
				}
				if last := len(call.Args) - 1; f != nil && last > 0 && (f.Sel.Name == "Count" || f.Sel.Name == "Plural") {
					if noun, ok := call.Args[last].(*ast.BasicLit); ok && banned.MatchString(noun.Value) {
						t.Errorf("%s: a count of %s: it is of debates, seats or questions", s.name, noun.Value)
					}
				}
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || lit.Value[0] == '`' {
				return true
			}
			words, err := strconv.Unquote(lit.Value)
			if err == nil && strings.Contains(words, " ") && banned.MatchString(allowed.ReplaceAllString(words, "")) {
				t.Errorf("%s: %q: a person reads debate, seat, question, you and incomplete", s.name, words)
			}
			return true
		})
	}
}

// TestDocs_oneNameForOneThing looks for other names in the prose of the pages that are for
// people who use the program.
func TestDocs_oneNameForOneThing(t *testing.T) {
	without := map[string]string{
		"agents.md": "programs that are agents", "trust.md": "programs that are agents",
		"mcp.md":          "the names of MCP",
		"architecture.md": "the names of the code", "extending.md": "the names of the code", "testing.md": "the names of the code",
		"prompts.md": "the words of prompts",
	}
	pages := must.Get(filepath.Glob("../../docs/*.md"))(t)
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|\\[[^]]*\\.json\\]|(?m)^    .*$")
	banned := regexp.MustCompile(otherNames)
	allowed := regexp.MustCompile(allowedNames + "|Agents that you have|agent's own settings|seats that are agents|agent runs itself|" +
		"Programs of agents|Agent Client")
	for _, page := range append(pages, "../../README.md") {
		if _, other := without[filepath.Base(page)]; other {
			continue
		}
		raw := must.Get(os.ReadFile(page))(t)
		prose := code.ReplaceAllString(variablesSection.ReplaceAllString(string(raw), ""), "") // its agents are programs
		for line := range strings.Lines(prose) {
			if found := banned.FindString(allowed.ReplaceAllString(line, "")); found != "" {
				t.Errorf("%s: %q in %q: a person reads debate, seat, question, you and incomplete", filepath.Base(page), found, line)
			}
		}
	}
}

// TestSource_wordsAVerdictInOneFile looks for the phrases of results and cautions, of three
// words or more, in any other file that people or programs read.
func TestSource_wordsAVerdictInOneFile(t *testing.T) {
	const room, words = "debate/verdict/", "debate/verdict/words.go"
	between := regexp.MustCompile(`%[-+.0-9]*[a-z]|\{[a-z]+\}|[][.,:;()“”·?!]`)
	var phrases []string
	var others []source
	for _, s := range sources(t) {
		switch {
		case s.isTest() || strings.HasPrefix(s.name, "internal/testing/"):
		case strings.Contains(words, s.name):
			for _, text := range s.texts() {
				for _, part := range between.Split(text, -1) {
					if phrase := strings.Join(strings.Fields(part), " "); strings.Count(phrase, " ") >= 2 {
						phrases = append(phrases, phrase)
					}
				}
			}
		case strings.HasPrefix(s.name, "debate/"), strings.HasPrefix(s.name, "tui/"), strings.HasPrefix(s.name, "internal/"):
			others = append(others, s)
		}
	}
	if len(phrases) < 10 {
		t.Fatalf("only %d phrases were found in %s", len(phrases), room)
	}
	for _, s := range others {
		for _, text := range s.texts() {
			for _, phrase := range phrases {
				if strings.Contains(strings.ToLower(text), strings.ToLower(phrase)) {
					t.Errorf("%s: %q words what %s words: %q", s.name, text, room, phrase)
				}
			}
		}
	}
}

// texts returns the strings of a file.
func (s source) texts() []string {
	var out []string
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}
