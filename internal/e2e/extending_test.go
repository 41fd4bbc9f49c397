//go:build unix

package e2e_test

import (
	"io/fs"
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

// goCommand runs the go command in a directory.
func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
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

// No test counts the modes: with one more, and the goldens that -update writes for
// it, all tests pass. They run in a copy of the module.
func TestExtending_noTestCountsTheModes(t *testing.T) {
	if !inFull() {
		t.Skip("runs all tests again")
	}
	name, file := modeOfTheDocs(t)
	dir := t.TempDir()
	copyModule(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "debate/modes", name+".toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	const prompts = "debate/prompt/prompt.go"
	version := regexp.MustCompile(`(?m)^const Version = .*$`)
	if err := os.WriteFile(filepath.Join(dir, prompts), version.ReplaceAll([]byte(readRoot(t, prompts)), []byte("$0 + 1")), 0o600); err != nil {
		t.Fatal(err)
	}
	goCommand(t, dir, "test", "./debate/prompt", "-update")
	goCommand(t, dir, "test", "-short", "./agents/demo", "./debate/...", "./tui/...", "./internal/cli/...", "./internal/config/...")
}

// namedPath is a file or folder in backquotes, without a place holder.
var namedPath = regexp.MustCompile("`([a-z][a-zA-Z0-9_.-]*/[a-zA-Z0-9_/.-]+)`")

func TestDocs_nameFilesThatExist(t *testing.T) {
	found := violations{}
	for _, doc := range []string{"architecture.md", "export.md", "extending.md", "modes.md", "testing.md"} {
		for _, m := range namedPath.FindAllStringSubmatch(readRoot(t, "docs/"+doc), -1) {
			if strings.Contains(m[1], "NAME") || strings.HasSuffix(m[1], "...") {
				continue
			}
			if _, err := os.Stat(filepath.Join(moduleRoot, m[1])); err != nil {
				found["docs/"+doc+" names "+m[1]+", which does not exist"] = ""
			}
		}
	}
	found.expect(t, "docs")
}

// copyModule copies all files of the module but hidden ones.
func copyModule(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(moduleRoot, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(moduleRoot, file)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && file != moduleRoot && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
