package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The release can be built where goreleaser is installed: its configuration is valid, and
// the program of this system knows its commit. The sources are a clone, as in a release.
func TestRelease_isBuiltByGoreleaser(t *testing.T) {
	if testing.Short() {
		t.Skip("not in a short run")
	}
	t.Parallel()
	for _, tool := range []string{"goreleaser", "git", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed, so no release is built; docs/testing.md says how one is", tool)
		}
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CC_OF_LINUX=cc", "CC_OF_MACOS=cc", "CC_OF_WINDOWS=cc")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	root, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "clone", "--quiet", root, dir).CombinedOutput(); err != nil {
		t.Skipf("the sources are in no repository: %s", out)
	}
	run("goreleaser", "check", "--quiet")
	id := map[string]string{"linux": "linux", "darwin": "macos", "windows": "windows"}[runtime.GOOS]
	if id == "" {
		t.Skipf("there is no release for %s", runtime.GOOS)
	}
	built := filepath.Join(t.TempDir(), "roundtable")
	run("goreleaser", "build", "--snapshot", "--single-target", "--id", id, "--output", built)
	commit := strings.TrimSpace(run("git", "rev-parse", "HEAD"))
	if got := run(built, "version"); !strings.HasPrefix(got, "roundtable v0.0.0-") || !strings.Contains(got, "commit "+commit) ||
		strings.Contains(got, "not committed") {
		t.Errorf("%s was built of commit %s: %q", built, commit, got)
	}
	for _, name := range []string{
		"completions/roundtable.bash", "completions/roundtable.zsh", "completions/roundtable.fish",
		"completions/roundtable.powershell", "man/roundtable.1", "THIRD-PARTY-NOTICES",
	} {
		if info, err := os.Stat(filepath.Join(dir, "release-files", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", name, err)
		}
	}
}

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
	if testing.Short() {
		t.Skip("not in a short run")
	}
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
	root, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "clone", "--quiet", root, dir).CombinedOutput(); err != nil {
		t.Skipf("the sources are in no repository: %s", out)
	}
	inModule(t, dir, "bash", ".ci/module-path", "moved.example.com/"+module)
	for _, imported := range strings.Fields(inModule(t, dir, "go", "list", "-deps", "-test", "./...")) {
		if strings.HasPrefix(imported, module+"/") {
			t.Errorf("%s is imported by its former path", imported)
		}
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
