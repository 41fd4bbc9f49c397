//go:build unix

package workspace_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
)

// goModule makes a module that needs another one, and a cache that has it. It returns the
// folder of the module, the cache, and the environment of a command of go without network.
func goModule(t *testing.T) (dir, cache string, env []string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	cache = t.TempDir()
	const version = "cache/download/example.com/dep/@v/"
	write(t, cache, map[string]string{
		version + "list":                       "v1.0.0\n",
		version + "v1.0.0.info":                `{"Version":"v1.0.0"}`,
		version + "v1.0.0.mod":                 "module example.com/dep\n",
		version + "v1.0.0.ziphash":             "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"example.com/dep@v1.0.0/go.mod":        "module example.com/dep\n",
		"example.com/dep@v1.0.0/dep.go":        "package dep\n\nfunc Two() int { return 2 }\n",
		"cache/download/example.com/other.txt": "x\n",
	})
	dir = repository(t)
	write(t, dir, map[string]string{
		"mod/go.mod": "module example.com/m\n\ngo 1.20\n\nrequire example.com/dep v1.0.0\n",
		"mod/m_test.go": "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/dep\"\n)\n\n" +
			"func Test(t *testing.T) {\n\tif dep.Two() != 2 {\n\t\tt.Fail()\n\t}\n}\n",
	})
	t.Setenv("GOMODCACHE", cache)
	return filepath.Join(dir, "mod"), cache, []string{
		"PATH=" + os.Getenv("PATH"), "GOFLAGS=-mod=mod", "GOPROXY=off",
		"GONOSUMDB=*", "GOTOOLCHAIN=local", "GOCACHE=" + buildCache(t),
	}
}

func buildCache(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// contents returns the files of a folder with their text.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, p))
		out[p] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A test that needs a module of the user's cache runs in a clone, and whatever it does with
// the cache, the user's stays as it is.
func TestShare_goTestFindsModules(t *testing.T) {
	dir, cache, env := goModule(t)
	before := contents(t, cache)
	for _, share := range [][]string{nil, {"go"}} {
		m := manager(t, workspace.Options{Dir: dir, Mode: workspace.Clone, Share: share})
		home, err := m.Home("ada")
		if err != nil {
			t.Fatal(err)
		}
		run := func(seat agents.ID, argv ...string) tools.CommandResult {
			r, err := of(t, m, seat).Run(t.Context(), tools.Command{Argv: argv, Env: append(env, "HOME="+home), Home: home})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := run("ada", "go", "test", "./..."); (r.Exit == 0) != (share != nil) {
			t.Errorf("share %v: exit %d: %s", share, r.Exit, r.Output)
		}
		if share == nil {
			continue
		}
		run("ada", "sh", "-c", `find "$GOMODCACHE" -type f | while read f; do echo spoilt >> "$f"; done; echo new > "$GOMODCACHE/new"`)
		if r := run("brook", "sh", "-c", `cat "$GOMODCACHE/new"`); r.Output != "new\n" {
			t.Errorf("the cache of the debate lacks what was written: %+v", r)
		}
	}
	after := contents(t, cache)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s was %q and is %q", name, text, after[name])
		}
	}
	if len(after) != len(before) {
		t.Errorf("the cache had %d files and has %d", len(before), len(after))
	}
}

// Only what holds downloads is shared, and a folder that the user lacks is an empty one.
func TestShare_leavesOutCredentials(t *testing.T) {
	cargo := t.TempDir()
	write(t, cargo, map[string]string{"credentials.toml": "token", "registry/index/a": "a", "git/db/b": "b"})
	if err := os.Symlink(filepath.Join(cargo, "credentials.toml"), filepath.Join(cargo, "registry", "link")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CARGO_HOME", cargo)
	t.Setenv("npm_config_cache", filepath.Join(t.TempDir(), "missing"))
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone, Share: []string{"cargo", "npm"}})
	r, err := of(t, m, "ada").Run(t.Context(), tools.Command{
		Argv: []string{"sh", "-c", `cd "$CARGO_HOME" && find . ! -type d | sort && ls -A "$npm_config_cache"`},
		Env:  []string{"PATH=" + os.Getenv("PATH"), "CARGO_HOME=" + cargo},
	})
	if want := "./git/db/b\n./registry/index/a\n"; err != nil || r.Output != want {
		t.Errorf("%q, want %q, %v", r.Output, want, err)
	}
}

// A command that is stopped while the cache is copied leaves nothing that the next one would
// take for the whole.
func TestShare_copiesAgainAfterAStop(t *testing.T) {
	pip := t.TempDir()
	write(t, pip, map[string]string{"wheel": "w"})
	t.Setenv("PIP_CACHE_DIR", pip)
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone, Share: []string{"pip"}})
	ws := of(t, m, "ada")
	c := tools.Command{Argv: []string{"sh", "-c", `cat "$PIP_CACHE_DIR/wheel"`}, Env: []string{"PATH=" + os.Getenv("PATH")}}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := ws.Run(stopped, c); err == nil {
		t.Errorf("a stopped command returned %+v", r)
	}
	if r, err := ws.Run(t.Context(), c); err != nil || r.Output != "w" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A container has a layer over the user's cache, and where it cannot have one, the copy.
func TestShare_inAContainer(t *testing.T) {
	pip := t.TempDir()
	write(t, pip, map[string]string{"wheel": "w"})
	t.Setenv("PIP_CACHE_DIR", pip)
	o := workspace.Options{
		Dir: repository(t), Mode: workspace.Container, Container: workspace.Bubblewrap, Share: []string{"pip"}, Base: t.TempDir(), Session: "s1",
	}
	run := func(t *testing.T, script string) tools.CommandResult {
		t.Helper()
		m := manager(t, o)
		home, err := m.Home("ada")
		if err != nil {
			t.Fatal(err)
		}
		r, err := of(t, m, "ada").Run(t.Context(), tools.Command{
			Argv: []string{"sh", "-c", script}, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, Home: home,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("real", func(t *testing.T) {
		if err := workspace.Check(t.Context(), o); err != nil {
			t.Skipf("no container can be made here: %v", err)
		}
		if r := run(t, `echo spoilt >> "$PIP_CACHE_DIR/wheel" && cat "$PIP_CACHE_DIR/wheel"`); r.Output != "wspoilt\n" {
			t.Errorf("%+v", r)
		}
		if got := contents(t, pip); len(got) != 1 || got["wheel"] != "w" {
			t.Errorf("the user's cache has %q", got)
		}
	})
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, c := range map[string]struct{ refused, want, not string }{
		"layers":    {"none", "--overlay-src " + pip + " --tmp-overlay ", "/caches/pip"},
		"no layers": {"*--tmp-overlay*", "/caches/pip", "--tmp-overlay"},
	} {
		t.Run(name, func(t *testing.T) {
			o.Base = t.TempDir()
			for program, script := range map[string]string{
				"prlimit": "#!/bin/sh\n", "bwrap": "#!/bin/sh\ncase \"$*\" in " + c.refused + ") exit 1;; esac\necho \"$@\" \"$PIP_CACHE_DIR\"\n",
			} {
				if err := os.WriteFile(filepath.Join(bin, program), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r := run(t, "true")
			if !strings.Contains(r.Output, c.want) || strings.Contains(r.Output, c.not) {
				t.Errorf("bwrap got %s", r.Output)
			}
		})
	}
}
