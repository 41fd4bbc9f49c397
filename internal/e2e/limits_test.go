package e2e_test

import (
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
	for _, s := range sources(t) {
		text := string(s.text)
		if s.isTest() {
			text = withoutLiterals(s.text)
		}
		n := 0
		for line := range strings.Lines(text) {
			if n++; width(line) > maxLine {
				t.Errorf("%s:%d has over %d characters", s.name, n, maxLine)
			}
		}
	}
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
				t.Errorf("%s: %s has %d lines, over %d", s.name, f.Name.Name, lines, maxFunction)
			}
		}
	}
}
