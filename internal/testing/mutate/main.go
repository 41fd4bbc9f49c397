//go:build mutate

// Command mutate plants faults in the source, one at a time, and says which of them the tests find.
// It reads the faults from standard input, one a line; with -draw it prints 50 of each package.
//
//	go run -tags mutate ./internal/testing/mutate -draw >internal/testing/mutate/testdata/mutants.txt
//	go run -tags mutate ./internal/testing/mutate <internal/testing/mutate/testdata/mutants.txt
package main

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// packages are what faults are planted in, each with the others whose tests are run too.
var packages = [][]string{
	{"debate/control", "internal/mcpserver", "internal/linear", "tui"},
	{"debate/verdict", "internal/testing/oracle", "debate/report"},
	{"debate/ledger", "debate", "store"},
	{"debate/engine", "internal/e2e/world"},
	{"store", "internal/app"},
	{"debate/prompt", "debate/engine"},
}

// fault replaces the text at a byte offset of a file.
type fault struct {
	file     string
	at       int
	old, new string
}

func main() {
	if len(os.Args) > 1 { // -draw
		for _, p := range packages {
			draw(p[0])
		}
		return
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var f fault
		must(fmt.Sscanf(in.Text(), "%s %d %q %q", &f.file, &f.at, &f.old, &f.new))
		fmt.Printf("%-30s %s\n", try(f), in.Text())
	}
}

// draw prints 50 faults of a package that can be built.
func draw(pkg string) {
	var all []fault
	for _, name := range must(filepath.Glob(pkg + "/*.go")) {
		if !strings.HasSuffix(name, "_test.go") {
			all = append(all, faultsOf(name)...)
		}
	}
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for n := 50; n > 0 && len(all) > 0; all = all[1:] {
		if f := all[0]; plant(f, "vet", "./"+pkg) == "" {
			fmt.Printf("%s %d %q %q\n", f.file, f.at, f.old, f.new)
			n--
		}
	}
}

var swaps = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.GEQ: "<", token.GTR: "<=", token.LEQ: ">",
	token.ADD: "-", token.SUB: "+", token.LAND: "||", token.LOR: "&&",
}

func faultsOf(name string) (all []fault) {
	set := token.NewFileSet()
	src := must(os.ReadFile(name))
	parsed := must(parser.ParseFile(set, name, src, 0))
	text := func(n ast.Node) string { return string(src[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset]) }
	add := func(p token.Pos, old, with string) { all = append(all, fault{name, set.Position(p).Offset, old, with}) }
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if with := swaps[n.Op]; with != "" {
				add(n.OpPos, n.Op.String(), with)
			}
		case *ast.IfStmt:
			if b, ok := n.Cond.(*ast.BinaryExpr); !ok || b.Op == token.LAND || b.Op == token.LOR { // a comparison is swapped
				add(n.Cond.Pos(), text(n.Cond), "!("+text(n.Cond)+")")
			}
		case *ast.ExprStmt, *ast.DeferStmt: // a call
			add(n.Pos(), text(n), "")
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add(n.Pos(), n.Value, strconv.Itoa(v+1))
			}
		case *ast.ReturnStmt:
			if k := len(n.Results); k > 0 && text(n.Results[k-1]) == "err" {
				add(n.Results[k-1].Pos(), "err", "nil")
			}
		}
		return true
	})
	return all
}

// try says which package's tests find a fault. A test that does not end finds none.
func try(f fault) string {
	i := slices.IndexFunc(packages, func(p []string) bool { return p[0] == filepath.Dir(f.file) })
	for _, pkg := range packages[i] {
		switch out := plant(f, "test", "-short", "-failfast", "-vet=off", "-timeout=3m", "./"+pkg); {
		case strings.Contains(out, "panic: test timed out"):
			return "timeout"
		case out != "":
			return "found by " + filepath.Base(pkg)
		}
	}
	return "survived"
}

// plant runs a command of go on the source with a fault and returns what a failure printed.
func plant(f fault, command string, args ...string) string {
	src := must(os.ReadFile(f.file))
	if !strings.HasPrefix(string(src[f.at:]), f.old) {
		panic(f.file + " has changed: draw the faults again")
	}
	dir := must(os.MkdirTemp("", "mutate"))
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "x.go"), filepath.Join(dir, "overlay.json")
	write := os.WriteFile(changed, slices.Concat(src[:f.at], []byte(f.new), src[f.at+len(f.old):]), 0o600)
	must(0, errors.Join(write, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace":{%q:%q}}`, f.file, changed), 0o600)))
	out, err := exec.Command("go", append([]string{command, "-overlay", overlay}, args...)...).CombinedOutput()
	if err == nil {
		return ""
	}
	return "failed: " + string(out)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
