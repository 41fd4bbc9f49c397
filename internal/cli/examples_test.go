package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// exampleID is the id in the examples of the helps.
const exampleID = "k7m2x9qd4t"

// groups are the commands that only have others.
var groups = []string{"config", "tools"}

// interactive are the commands whose examples need a terminal.
var interactive = []string{"", "new", "resume"}

// beforeAnswers are the commands whose examples are about a debate that waits for answers.
var beforeAnswers = []string{"answer", "requests", "continue"}

// examples runs the examples of all helps by a shell, each command's on data of its own: a
// debate that waits for answers, or one that is complete. Beside the working folder are
// other programs of the examples. Those of eval are the first lines of its own script.
func examples(ts *testscript.TestScript, _ bool, _ []string) {
	open, complete := ts.MkAbs("open"), ts.MkAbs("complete")
	for _, dir := range []string{open, complete} {
		ts.Check(os.MkdirAll(dir, 0o700))
		ts.Setenv("XDG_DATA_HOME", dir)
		_ = ts.Exec("roundtable", "run", "Should a small team use SQLite in production?", "--panel", "demo", "--file", "budget.csv")
		sessionCommand(ts, false, nil)
		id := ts.Getenv("ID")
		if dir == complete {
			ts.Check(ts.Exec("roundtable", "answer", id, "C1", "--text", "One server."))
			ts.Check(ts.Exec("roundtable", "answer", id, "C2", "--text", "Nobody has."))
			ts.Check(ts.Exec("roundtable", "continue", id, "--quiet"))
		}
		path := filepath.Join(dir, "roundtable", "roundtable.db")
		raw, err := os.ReadFile(path)
		ts.Check(err)
		ts.Check(os.WriteFile(path, bytes.ReplaceAll(raw, []byte(id), []byte(exampleID)), 0o600))
	}

	paths := [][]string{nil}
	for _, group := range append([]string{""}, groups...) {
		ts.Check(ts.Exec("roundtable", append([]string{"__completeNoDesc"}, append(strings.Fields(group), "")...)...))
		for _, name := range strings.Fields(ts.ReadFile("stdout")) {
			path := append(strings.Fields(group), name)
			if isCommand(name) && name != "eval" && !slices.Contains(groups, name) {
				paths = append(paths, path)
			}
		}
	}
	for _, path := range paths {
		runExamples(ts, path, map[bool]string{true: open, false: complete}[slices.Contains(beforeAnswers, strings.Join(path, " "))])
	}
}

func isCommand(name string) bool {
	return name != "help" && name != "completion" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
}

func runExamples(ts *testscript.TestScript, path []string, data string) {
	ts.Check(ts.Exec("roundtable", append(slices.Clone(path), "--help")...))
	_, block, found := strings.Cut(ts.ReadFile("stdout"), "EXAMPLES")
	if !found {
		ts.Fatalf("%s has no example", path)
	}
	block, _, _ = strings.Cut(block, "FLAGS")
	block, _, _ = strings.Cut(block, "COMMANDS")
	block, _, _ = strings.Cut(block, "DEBATES") // the first group of them
	begun := ""                                 // a command that the next line ends
	for line := range strings.Lines(block) {
		line = begun + strings.TrimSpace(line)
		rest, goesOn := strings.CutSuffix(line, "\\")
		if begun = rest; goesOn {
			continue
		}
		if begun = ""; line == "" {
			continue
		}
		own, err := os.MkdirTemp(ts.Getenv("WORK"), "data")
		ts.Check(err)
		ts.Check(os.CopyFS(own, os.DirFS(data)))
		ts.Setenv("XDG_DATA_HOME", own)
		if path != nil && path[0] == "undelete" {
			ts.Check(ts.Exec("roundtable", "delete", exampleID, "--yes"))
		}
		err = ts.Exec("sh", "-c", line)
		said := ts.ReadFile("stderr")
		if strings.Contains(said, "Nobody can be asked here") || strings.Contains(said, "config.toml already exists") ||
			slices.Contains(interactive, strings.Join(path, " ")) && strings.Contains(said, "terminal") {
			continue
		}
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) {
			ts.Fatalf("%s: %v", line, err)
		}
		files, err := filepath.Glob(ts.MkAbs("debate.html"))
		ts.Check(err)
		for _, f := range files {
			ts.Check(os.Remove(f))
		}
	}
}
