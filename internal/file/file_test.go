package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"roundtable/internal/file"
	"roundtable/internal/testing/must"
)

func read(t *testing.T, path string) string {
	t.Helper()
	raw := must.Get(os.ReadFile(path))(t)
	return string(raw)
}

func put(t *testing.T, path, content string) string {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReplace_writesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "list.json")
	for _, content := range []string{"first", "second", ""} {
		must.Do(t, file.Replace(path, []byte(content)))
		if got := read(t, path); got != content {
			t.Errorf("got %q, want %q", got, content)
		}
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	if err := file.Replace(filepath.Join(dir, "folder"), []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := file.Replace(filepath.Join(dir, "missing", "x"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"folder", "list.json"}) {
		t.Errorf("left %q", got)
	}
}

func TestWriteAtomic_replacesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "note")
	write := func(content string) error {
		return file.WriteAtomic(path, false, func(f *os.File) error {
			_, err := f.WriteString(content)
			return err
		})
	}
	must.Do(t, write("first"))
	if err := write("second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("err = %v", err)
	}
	if got := read(t, path); got != "first" {
		t.Errorf("got %q", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"note"}) {
		t.Errorf("left %q", got)
	}
}

func TestSystem_followsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("users may not make symbolic links")
	}
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), put(t, filepath.Join(dir, "target"), "kept")
	must.Do(t, os.Symlink(target, link))
	var s file.System
	for name, err := range map[string]error{
		"create": s.Create(link), "ensure": s.Ensure(link),
	} {
		if err == nil {
			t.Errorf("%s follows a link", name)
		}
	}
	if got := read(t, target); got != "kept" {
		t.Errorf("got %q", got)
	}
}

// recorder notes operations and does those of a kind itself.
type recorder struct {
	ops  []string
	does file.Kind
	fail error
}

func (r *recorder) Record(op file.Op, data []byte) (bool, error) {
	r.ops = append(r.ops, string(op.Kind)+" "+filepath.Base(op.Path)+" "+string(data))
	return op.Kind == r.does, r.fail
}

func TestSystem_isRecorded(t *testing.T) {
	dir := t.TempDir()
	r := &recorder{does: file.Remove}
	s := file.System{Recorder: r}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		s.Create(at("a")), s.Ensure(at("a")), s.Mkdir(at("f")), s.Mkdir(at("f")),
		s.Rename(at("a"), at("b")), s.Remove(at("b")), s.Remove(at("missing")),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	folder := "sync folder " + filepath.Base(dir) + " "
	want := []string{
		"create a ", "create a ", "make folder f ", "make folder f ",
		"rename a ", folder, "remove b ", "remove missing ",
	}
	if !slices.Equal(r.ops, want) {
		t.Errorf("got %q", r.ops)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"b", "f"}) {
		t.Errorf("what the recorder removes itself is gone: %q", got)
	}
	if err := s.Create(at("b")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	r.fail = errors.New("no space")
	if err := s.Create(at("c")); !errors.Is(err, r.fail) {
		t.Errorf("err = %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"b", "f"}) {
		t.Errorf("left %q", got)
	}
}
