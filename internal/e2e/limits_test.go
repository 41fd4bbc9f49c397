package e2e_test

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxLine     = 140 // characters; a tab counts as tabWidth
	maxFile     = 400 // lines
	maxFunction = 60  // lines
	maxMethods  = 60
	tabWidth    = 4
)

func TestSource_linesAreShort(t *testing.T) {
	found := violations{}
	for _, s := range sources(t) {
		text := string(s.text)
		if s.isTest() {
			text = withoutLiterals(s.text)
		}
		n := 0
		for line := range strings.Lines(text) {
			if n++; width(line) > maxLine {
				found[s.name] += fmt.Sprint(" ", n)
			}
		}
	}
	found.expect(t, fmt.Sprintf("lines over %d characters", maxLine))
}

// width returns how many columns a line takes.
func width(line string) int {
	line = strings.TrimRight(line, "\r\n")
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// withoutLiterals empties the string literals of a file: what tests compare with
// or send is data, however long its lines are.
func withoutLiterals(text []byte) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	var b strings.Builder
	copied := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			b.Write(text[copied:])
			return b.String()
		}
		if tok == token.STRING {
			start := file.Offset(pos)
			b.Write(text[copied:start])
			b.WriteString(`"` + strings.Repeat("\n", strings.Count(lit, "\n")) + `"`)
			copied = start + len(lit)
		}
	}
}

func TestSource_filesAreShort(t *testing.T) {
	found := violations{}
	for _, s := range sources(t) {
		if lines := strings.Count(string(s.text), "\n"); lines > maxFile && !s.isTest() {
			found[s.name] = fmt.Sprintf(" has %d", lines)
		}
	}
	found.expect(t, fmt.Sprintf("files over %d lines", maxFile))
}

func TestSource_functionsAreShort(t *testing.T) {
	found := violations{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; lines > maxFunction {
				found[s.name+" "+f.Name.Name] = fmt.Sprintf(" has %d", lines)
			}
		}
	}
	found.expect(t, fmt.Sprintf("functions over %d lines", maxFunction))
}

func TestSource_typesHaveFewMethods(t *testing.T) {
	methods := map[string]map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			name := path.Join(s.pkg(), receiver(f.Recv.List[0].Type))
			if methods[name] == nil {
				methods[name] = map[string]bool{}
			}
			methods[name][f.Name.Name] = true // files of different build tags may have the same one
		}
	}
	found := violations{}
	for name, all := range methods {
		if len(all) > maxMethods {
			found[name] = fmt.Sprintf(" has %d", len(all))
		}
	}
	found.expect(t, fmt.Sprintf("types over %d methods", maxMethods))
}

// receiver returns the name of the type that a method belongs to.
func receiver(expr ast.Expr) string {
	switch x := expr.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func TestLimits_countWhatTheyShould(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for text, want := range map[string]int{
		"a := `" + long + "`\n":      len("a := ``"),
		"\tf(\"" + long + "\", g)\n": tabWidth + len(`f("", g)`),
		"// " + long + "\n":          maxLine + 3,
		"é\n":                        1,
	} {
		if got := width(withoutLiterals([]byte(text))); got != want {
			t.Errorf("%q is %d columns wide, want %d", text, got, want)
		}
	}
}
