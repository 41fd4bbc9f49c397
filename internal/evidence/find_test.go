package evidence_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/internal/evidence"
)

func TestFind_asksForWhatIsOutside(t *testing.T) {
	dir := write(t, map[string]string{
		"work/a.txt": "a", "work/sub/b.txt": "b", "space/c.txt": "c", "space/a.txt": "not this", "home/d.txt": "d", "home/.ssh/id_rsa": "k",
		"work/.env": "K=1", "work/key.txt": "-----BEGIN PRIVATE KEY-----\n", "other/e.txt": "e",
	})
	f := evidence.Finder{Dir: filepath.Join(dir, "work"), Workspace: filepath.Join(dir, "space"), Home: filepath.Join(dir, "home")}
	for _, c := range []struct {
		path, name, text string
		outside, secret  bool
	}{
		{"a.txt", "a.txt", "a", false, false},
		{"./sub/../a.txt", "a.txt", "a", false, false},
		{"key.txt", "key.txt", "[masked 27 characters]\n", false, false},
		{"../other/e.txt", filepath.ToSlash(filepath.Join(dir, "other", "e.txt")), "e", true, false},
		{"sub/b.txt", "sub/b.txt", "b", false, false},
		{filepath.Join(dir, "space", "c.txt"), "c.txt", "c", false, false},
		{"../space/c.txt", "c.txt", "c", false, false},
		{"../home/d.txt", "~/d.txt", "d", true, false},
		{"~/d.txt", "~/d.txt", "d", true, false},
		{"~/.ssh/id_rsa", "~/.ssh/id_rsa", "k", true, true},
		{".env", ".env", "K=1", false, true},
	} {
		m, err := f.Find(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if m.Name != c.name || m.Outside() != c.outside || m.Secret != c.secret || m.Folder || m.Size == 0 {
			t.Errorf("%s: got %+v", c.path, m)
		}
		if got := f.Source(m.Path); got != m.Source {
			t.Errorf("%s: the path stands for %+v, not %+v", c.path, got, m.Source)
		}
		found, err := evidence.Read(t.Context(), nil, m.Source)
		if err != nil || found.Evidence[0].Text != c.text || found.Evidence[0].Name != c.name {
			t.Errorf("%s: read %+v, %v", c.path, found.Evidence, err)
		}
	}
	if m, err := f.Find("sub"); err != nil || !m.Folder {
		t.Errorf("a folder: got %+v, %v", m, err)
	}
	var refused *evidence.Refusal
	for _, path := range []string{"missing", "~ada/x", "sub/missing", "c.txt", "/missing"} {
		if m, err := f.Find(path); !errors.As(err, &refused) {
			t.Errorf("%s: got %+v, %v", path, m, err)
		}
	}
}

func TestComplete(t *testing.T) {
	dir := write(t, map[string]string{
		"work/main.go": "", "work/main_test.go": "", "work/Makefile": "", "work/docs/a.md": "", "work/docs/b.md": "", "work/.env": "",
		"work/.git/HEAD": "", "work/a\x1b[31m": "", "space/model/x": "", "home/notes/y": "",
	})
	f := evidence.Finder{Dir: filepath.Join(dir, "work"), Workspace: filepath.Join(dir, "space"), Home: filepath.Join(dir, "home")}
	for typed, want := range map[string][]string{
		"":          {"Makefile", "docs/", "main.go"},
		"main":      {"main.go", "main_test.go"},
		"d":         {"docs/"},
		"docs/":     {"docs/a.md", "docs/b.md"},
		"./docs/b":  {"./docs/b.md"},
		".e":        {".env"},
		".":         {".env"},
		"~/n":       {"~/notes/"},
		"~":         {"~/notes/"},
		"../work/d": {"../work/docs/"},
		"nothing":   nil,
	} {
		got, err := f.Complete(typed, 3)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v %s", typed, err, diff)
		}
	}
	if got, err := f.Complete("missing/x", 3); err == nil {
		t.Errorf("a folder that does not exist: got %q", got)
	}
}
