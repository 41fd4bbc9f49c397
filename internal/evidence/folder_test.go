package evidence_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/internal/evidence"
	"roundtable/internal/testing/must"
)

// initialize makes a folder a git repository.
func initialize(t *testing.T, dir string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestRead_folderIsItsTreeAndItsFiles(t *testing.T) {
	dir := write(t, map[string]string{
		"p/.gitignore": "*.log\nbuild/\n!keep.log\n/only-top\n", "p/a.go": "package a\n", "p/b/c.go": "package b\n",
		"p/b/.gitignore": "local\n", "p/b/local": "x", "p/b/x.log": "x", "p/keep.log": "kept\n", "p/build/out": "x", "p/only-top": "x",
		"p/b/only-top": "not\n", "p/logo.png": "\x89PNG\x00", "p/.env": "KEY=1", "p/token.txt": "ghp_" + strings.Repeat("a1", 18),
		"p/empty": "", "outside": "secret",
	})
	if err := os.Symlink("../outside", filepath.Join(dir, "p", "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	must.Do(t, os.Symlink(".", filepath.Join(dir, "p", "loop")))
	initialize(t, filepath.Join(dir, "p"))
	found := must.Get(read(t, dir, "p"))(t)
	const tree = `p/
.env (5 bytes), not included: it is a file of keys or passwords
.gitignore (33 bytes)
a.go (10 bytes)
b/.gitignore (6 bytes)
b/c.go (10 bytes)
b/only-top (4 bytes)
empty (0 bytes), not included: it is empty
keep.log (5 bytes)
link, not included: it is a symbolic link, which is not followed
logo.png (5 bytes), not included: it is binary
loop, not included: it is a symbolic link, which is not followed
token.txt (40 bytes)
`
	const note = "5 of 12 files are not included: .env is a file of keys or passwords, empty is empty, " +
		"link is a symbolic link, which is not followed, and so on."
	want := []debate.Evidence{
		debate.NewEvidence("p/", debate.EvidenceFolder, tree, note),
		debate.NewEvidence("p/.gitignore", debate.EvidenceFile, "*.log\nbuild/\n!keep.log\n/only-top\n", ""),
		debate.NewEvidence("p/a.go", debate.EvidenceFile, "package a\n", ""),
		debate.NewEvidence("p/b/.gitignore", debate.EvidenceFile, "local\n", ""),
		debate.NewEvidence("p/b/c.go", debate.EvidenceFile, "package b\n", ""),
		debate.NewEvidence("p/b/only-top", debate.EvidenceFile, "not\n", ""),
		debate.NewEvidence("p/keep.log", debate.EvidenceFile, "kept\n", ""),
		debate.NewEvidence("p/token.txt", debate.EvidenceFile, "[masked 40 characters]", "Values that look like secrets are masked."),
	}
	if diff := cmp.Diff(want, found.Evidence); diff != "" {
		t.Error(diff)
	}
	notice := []string{
		"p/: " + note,
		"p/token.txt: values that look like secrets are masked in 1 line.",
	}
	if diff := cmp.Diff(notice, sentences(found)); diff != "" || len(found.Secrets) > 0 {
		t.Error(diff, found.Secrets)
	}
	again, err := read(t, dir, "p")
	if diff := cmp.Diff(found, again); err != nil || diff != "" {
		t.Errorf("a second reading differs: %v\n%s", err, diff)
	}
}

func TestRead_folderFollowsTheRulesAboveIt(t *testing.T) {
	dir := write(t, map[string]string{
		".gitignore": "*.txt", "repo/.gitignore": "*.log\n/sub/top\n", "repo/sub/.gitignore": "!a.log\n",
		"repo/sub/a.log": "a", "repo/sub/b.log": "b", "repo/sub/top": "x", "repo/sub/in/top": "y", "repo/sub/c.txt": "c", "repo/sub/nested/d": "d",
	})
	initialize(t, filepath.Join(dir, "repo", "sub", "nested"))
	initialize(t, filepath.Join(dir, "repo"))
	want := "repo/sub/\n.gitignore (7 bytes)\na.log (1 byte)\nc.txt (1 byte)\nin/top (1 byte)\n" +
		"nested/, not included: it is a folder that cannot be read, or a git repository of its own\n"
	for _, src := range []evidence.Source{
		evidence.At(dir, "repo/sub"),
		{Path: filepath.Join(dir, "repo", "sub"), Name: "repo/sub", Root: dir},
	} {
		found := must.Get(evidence.Read(t.Context(), nil, src))(t)
		if got := found.Evidence[0].Text; got != want {
			t.Errorf("root %q: got\n%s\nwant\n%s", src.Root, got, want)
		}
	}
}

func TestRead_folderWithoutARepository(t *testing.T) {
	dir := write(t, map[string]string{"p/.gitignore": "*.log\n", "p/a/x.log": "x", "p/a.txt": "a", "p/.git/x": "no"})
	found := must.Get(read(t, dir, "p"))(t)
	const note = "No .gitignore counted, since git reads no repository here."
	e := found.Evidence[0]
	if e.Text != "p/\n.gitignore (6 bytes)\na.txt (1 byte)\na/x.log (1 byte)\n" || e.Note != note || sentences(found)[0] != "p/: "+note {
		t.Errorf("%q, %q, %q", e.Text, e.Note, sentences(found))
	}
}

func TestRead_folderLeavesOutWhatDoesNotFit(t *testing.T) {
	files := map[string]string{"big/huge": strings.Repeat("x", debate.MaxEvidenceSize+1), "big/small": "x"}
	for i := range 210 {
		files[fmt.Sprintf("many/%03d", i)] = "x"
	}
	dir := write(t, files)
	for _, c := range []struct {
		path string
		n    int
		line string
	}{
		{"many", 201, "\n209 (1 byte), not included: it is beyond the first 200 files\n"},
		{"big", 2, "\nhuge (2,097,153 bytes), not included: it has more than 2 MB\n"},
	} {
		found, err := read(t, dir, c.path)
		if err != nil || len(found.Evidence) != c.n || !strings.Contains(found.Evidence[0].Text, c.line) {
			t.Errorf("%s: %v, %d pieces of evidence, want %d with %q", c.path, err, len(found.Evidence), c.n, c.line)
		}
	}
}
