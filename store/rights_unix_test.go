//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/internal/testing/must"
	"roundtable/store"
)

func init() {
	roles["visit"] = visit
	roles["umask"] = openUnderMask
}

// nobody is a user without rights.
const nobody = 65534

// visit opens the database args[0] as a user that may be somebody else, reads
// the session args[1], tries to rename it, and prints what it is told.
func visit(ctx context.Context, args []string) error {
	if os.Geteuid() == 0 { // root may write anywhere
		if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		fmt.Println("refused:", err)
		return nil
	}
	fmt.Println("notices:", strings.Join(s.Notices(), " "))
	d, err := s.Session(ctx, args[1])
	fmt.Println("read:", d.Topic, err)
	fmt.Println("write:", s.Rename(ctx, args[1], "New"))
	return s.Close()
}

// openUnderMask opens the database args[0] with the umask args[1], locks a session, and prints the
// modes of all that is in its folder then.
func openUnderMask(ctx context.Context, args []string) error {
	mask, err := strconv.ParseInt(args[1], 8, 32)
	if err != nil {
		return err
	}
	syscall.Umask(int(mask))
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	d, err := s.Create(ctx, panel())
	if err != nil {
		return err
	}
	if err := s.Lock(ctx, d.ID); err != nil {
		return err
	}
	dir := filepath.Dir(args[0])
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			fmt.Printf("%v %s\n", info.Mode(), strings.TrimPrefix(path, dir))
		}
		return err
	})
}

func TestOpen_keepsOthersOutWhateverTheUmask(t *testing.T) {
	for _, mask := range []string{"000", "022", "077"} {
		for _, before := range []string{"nothing", "loosened"} {
			t.Run(mask+" "+before, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a", "roundtable", "roundtable.db")
				if before == "loosened" {
					db, _ := closedDatabase(t)
					must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
					must.Do(t, os.Rename(db, path))
					must.Do(t, os.Chmod(path, 0o644))
					must.Do(t, os.Mkdir(filepath.Join(filepath.Dir(path), "locks"), 0o755))
				}
				out := must.Get(child(t, "umask", path, mask).Output())(t)
				if n := strings.Count(string(out), "\n"); n < 6 {
					t.Errorf("too few files: %s", out)
				}
				for line := range strings.Lines(string(out)) {
					if !strings.HasPrefix(line, "-rw------- ") && !strings.HasPrefix(line, "drwx------ ") {
						t.Error(line)
					}
				}
			})
		}
	}
}

func TestOpen_whatCannotBeWrittenIsOpenForReading(t *testing.T) {
	for _, c := range []struct {
		name      string
		file, dir fs.FileMode
		unclosed  bool
		want      []string
	}{
		{"a file of somebody else", 0o644, 0o755, false, []string{
			"notices: The database is read-only",
			"read: Should billing move to SQLite? <nil>", "write: Cannot save: the database is read-only",
		}},
		{"a folder that is read-only", 0o666, 0o755, false, []string{
			"notices: The folder of the database is read-only",
			"read: Should billing move to SQLite? <nil>", "write: Cannot save: the folder of the database is read-only",
		}},
		{"a file that others can write", 0o666, 0o777, false, []string{"refused:", "its permissions cannot be changed"}},
		{"a file that may not be read", 0o600, 0o755, false, []string{"refused:", "it cannot be read (permission denied)"}},
		{"a log beside it", 0o644, 0o755, true, []string{"refused:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if os.Geteuid() != 0 && c.name != "a folder that is read-only" {
				t.Skip("only root can make files of another user")
			}
			path, id := closedDatabase(t)
			if c.unclosed {
				must.Do(t, os.WriteFile(path+"-wal", []byte("a log of something"), 0o600))
			}
			dir := filepath.Dir(path)
			must.Do(t, os.Chmod(path, c.file))
			must.Do(t, os.Chmod(filepath.Dir(dir), 0o755))
			must.Do(t, os.Chmod(dir, c.dir))
			before := readAll(t, dir)
			out := must.Get(child(t, "visit", path, id).Output())(t)
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is missing in:\n%s", want, out)
				}
			}
			for name, was := range before {
				if now := readAll(t, dir)[name]; now != was {
					t.Errorf("%s changed", name)
				}
			}
		})
	}
}

func TestOpen_whatItsOwnerMadeReadOnlyStaysSo(t *testing.T) {
	for name, modes := range map[string][2]fs.FileMode{"the database": {0o400, 0o700}, "the folder of the database": {0o600, 0o500}} {
		t.Run(name, func(t *testing.T) {
			path, id := closedDatabase(t)
			must.Do(t, os.Chmod(path, modes[0]))
			must.Do(t, os.Chmod(filepath.Dir(path), modes[1]))
			t.Cleanup(func() { must.Do(t, os.Chmod(filepath.Dir(path), 0o700)) })
			before := readAll(t, filepath.Dir(path))
			s := openAt(t, path)
			if n := s.Notices(); len(n) != 1 || !strings.Contains(strings.ToLower(n[0]), name+" is read-only ("+strings.ToLower(path)+")") {
				t.Errorf("notices %q", n)
			}
			get(t, s, id)
			var save *store.SaveError
			if err := s.Rename(t.Context(), id, "x"); !errors.As(err, &save) || save.Cause != name+" is read-only" {
				t.Errorf("err = %v", err)
			}
			if err := s.Lock(t.Context(), id); !errors.As(err, &save) {
				t.Errorf("err = %v", err)
			}
			must.Do(t, s.Purge(t.Context()))
			must.Do(t, s.Close())
			if diff := cmp.Diff(before, readAll(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the folder changed")
			}
		})
	}
}

func TestOpen_refusesPipesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	must.Do(t, syscall.Mkfifo(path, 0o600))
	if _, err := store.Open(t.Context(), path, store.Options{}); !refused(err, path) {
		t.Errorf("err = %v", err)
	}
}

func TestLock_doesNotFollowALink(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	target := filepath.Join(t.TempDir(), "precious")
	must.Do(t, os.WriteFile(target, []byte("precious"), 0o600))
	must.Do(t, os.Symlink(target, filepath.Join(filepath.Dir(path), "locks", id)))
	if err := s.Lock(t.Context(), id); err == nil {
		t.Error("it locked through a link", s.Unlock(id))
	}
	if raw, err := os.ReadFile(target); string(raw) != "precious" || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
}
