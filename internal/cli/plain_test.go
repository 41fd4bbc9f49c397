package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"

	"roundtable/internal/cli"
	"roundtable/internal/testing/must"
)

// exitEscape is the exit code of a program that wrote an escape byte to a pipe.
const exitEscape = 99

// plainWriter notes whether an escape byte was written to a pipe.
type plainWriter struct {
	io.Writer
	escaped *bool
}

func (p plainWriter) Write(b []byte) (int, error) {
	if bytes.ContainsRune(b, '\x1b') {
		*p.escaped = true
	}
	return p.Writer.Write(b)
}

// plain returns f, with a check if it is no terminal.
func plain(f *os.File, escaped *bool) io.Writer {
	if term.IsTerminal(f.Fd()) {
		return f
	}
	return plainWriter{f, escaped}
}

// subcommands returns the names of the commands below a command.
func subcommands(t *testing.T, dir string, path ...string) []string {
	t.Helper()
	var out bytes.Buffer
	env := homeEnv(dir)
	code := cli.Main(t.Context(), cli.Process{
		Args: slices.Concat([]string{"__complete"}, path, []string{""}), Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard,
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	})
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		if name, _, ok := strings.Cut(line, "\t"); ok {
			names = append(names, strings.Join(append(slices.Clone(path), name), " "))
		}
	}
	return names
}

// Every command has a script in which it succeeds and one in which its arguments are
// wrong. None of them writes an escape byte to a pipe: the program of the scripts exits
// with exitEscape if it does.
func TestScripts_useEveryCommand(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/script/*.txtar"))(t)
	var scripts strings.Builder
	for _, name := range files {
		raw := must.Get(os.ReadFile(name))(t)
		scripts.Write(raw)
	}
	dir := t.TempDir()
	var all []string
	for _, name := range subcommands(t, dir) {
		below := []string{name}
		if slices.Contains(groups, name) || name == "completion" {
			below = subcommands(t, dir, name)
		}
		all = append(all, below...)
	}
	if len(all) < 25 {
		t.Fatalf("only these commands were found: %v", all)
	}
	for _, name := range all {
		for what, line := range map[string]string{"succeeds": `exec roundtable|exits [034]`, "gets wrong arguments": `exits 2`} {
			if what == "succeeds" && (name == "new" || name == "resume") { // they need a terminal: internal/e2e opens them
				continue
			}
			if !regexp.MustCompile(`(?m)^(\[[^]]*\] )?(` + line + `) ` + name + `( |$)`).MatchString(scripts.String()) {
				t.Errorf("in no script %s %s", name, what)
			}
		}
	}
}

// run runs the program of a script, and returns its exit code.
func run(ctx context.Context, example []byte) int {
	escaped := false
	code := cli.Main(ctx, cli.Process{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: plain(os.Stdout, &escaped), Stderr: plain(os.Stderr, &escaped),
		Env: printing(os.LookupEnv), Example: example,
	})
	if escaped {
		os.Stderr.WriteString("\nan escape byte was written to a pipe\n")
		return exitEscape
	}
	return code
}
