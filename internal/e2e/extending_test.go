//go:build unix

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// modeOfTheDocs returns the name of the example mode of docs/extending.md, and its file.
func modeOfTheDocs(t *testing.T) (name, file string) {
	t.Helper()
	_, rest, _ := strings.Cut(readRoot(t, "docs/extending.md"), "```toml\n")
	file, _, found := strings.Cut(rest, "```\n")
	m := regexp.MustCompile(`(?m)^name = "(.+)"$`).FindStringSubmatch(file)
	if !found || m == nil {
		t.Fatal("docs/extending.md has no example of a mode")
	}
	return m[1], file
}

// A built-in mode is one file: the program that is built with it lists it and plays it.
func TestExtending_aModeIsOneFile(t *testing.T) {
	skipShort(t)
	t.Parallel()
	name, _ := modeOfTheDocs(t)
	exe := built(t)
	env := home(t)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"modes", 0, name + " "},
		{"modes " + name, 0, "name = \"" + name + "\""},
		{"run Whether? --panel demo --mode " + name, 3, "Mode " + name},
		{"answer ID C1 --text two", 0, "C1"},
		{"continue ID", 0, "Answer"},
	} {
		args := strings.Fields(c.args)
		if i := slices.Index(args, "ID"); i >= 0 {
			args[i] = sessions(t, env)[0].ID
		}
		cmd := exec.Command(exe, args...)
		cmd.Env = env
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", c.args, code, c.code, c.says, out)
		}
	}
}

// namedPath is a file or folder in backquotes, without a place holder.
var namedPath = regexp.MustCompile("`([a-z][a-zA-Z0-9_.-]*/[a-zA-Z0-9_/.-]+)`")

func TestDocs_nameFilesThatExist(t *testing.T) {
	for _, doc := range []string{"architecture.md", "export.md", "extending.md", "modes.md", "testing.md"} {
		for _, m := range namedPath.FindAllStringSubmatch(readRoot(t, "docs/"+doc), -1) {
			if strings.Contains(m[1], "NAME") || strings.HasSuffix(m[1], "...") {
				continue
			}
			if _, err := os.Stat(filepath.Join(moduleRoot, m[1])); err != nil {
				t.Errorf("docs/%s names %s, which does not exist", doc, m[1])
			}
		}
	}
}
