//go:build unix

package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/testing/must"
)

// The notices have the licence of every module that is in the program.
func TestRelease_hasTheLicenceOfEveryModule(t *testing.T) {
	t.Parallel()
	notices := inModule(t, moduleRoot, "bash", ".ci/notices")
	modules := strings.Fields(inModule(t, moduleRoot, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "."))
	if len(modules) < 20 {
		t.Fatalf("the program has only the packages of %v", modules)
	}
	for _, path := range append(modules, "Go", "catwalk,") {
		if !strings.Contains(notices, "\n"+path+" ") {
			t.Errorf("the notices do not have the licence of %s", path)
		}
	}
}

// The module's path is one line of go.mod, and a script changes it everywhere. go install of
// a version refuses a module that replaces or excludes others.
func TestModule_canHaveAnotherPath(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, tool := range []string{"bash", "git", "perl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	if mod := readRoot(t, "go.mod"); strings.Contains(mod, "\nreplace ") || strings.Contains(mod, "\nexclude ") {
		t.Error("go.mod replaces or excludes a module: go install of a version refuses that")
	}
	dir := t.TempDir()
	root := must.Get(filepath.Abs(moduleRoot))(t)
	if out, err := exec.Command("git", "clone", "--quiet", root, dir).CombinedOutput(); err != nil {
		t.Skipf("the sources are in no repository: %s", out)
	}
	inModule(t, dir, "bash", ".ci/module-path", "moved.example.com/"+module)
	inModule(t, dir, "go", "list", "./...")
	if left, err := exec.Command("git", "-C", dir, "grep", "-lE", `^[[:space:]]*([a-z_]+ )?"`+module+`/`, "--", "*.go").Output(); len(left) > 0 {
		t.Errorf("imported by the former path, %v: %s", err, left)
	}
}

// inModule runs a program in a folder and returns its output.
func inModule(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.String())
	}
	return string(out)
}
