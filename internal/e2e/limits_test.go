package e2e_test

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxLine     = 140 // characters; a tab counts as tabWidth
	maxFunction = 60  // lines
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
