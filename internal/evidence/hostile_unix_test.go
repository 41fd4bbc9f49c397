//go:build unix

package evidence_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roundtable/internal/evidence"
	"roundtable/internal/testing/must"
)

// quickest returns the least time of several calls: how fast it can be on a busy machine.
func quickest(f func()) time.Duration {
	least := time.Hour
	for range 5 {
		begun := time.Now()
		f()
		least = min(least, time.Since(begun))
	}
	return least
}

func TestRead_neverWaitsForWhatIsNoFile(t *testing.T) {
	dir := write(t, map[string]string{"folder/a": "a"})
	for _, fifo := range []string{"fifo", "folder/fifo"} {
		must.Do(t, syscall.Mkfifo(filepath.Join(dir, fifo), 0o600))
	}
	short, err := os.MkdirTemp("", "s") // the path of a socket has about 100 bytes
	must.Do(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	socket := must.Get(net.Listen("unix", filepath.Join(short, "s")))(t)
	defer socket.Close()
	r, w, err := os.Pipe() // as the shell gives one for <(command)
	must.Do(t, err)
	defer w.Close()
	defer r.Close()
	must.Do(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	const irregular = "is not a regular file. Name a file that holds text, or give what a pipe has as standard input: --file -"
	for path, want := range map[string]string{
		"fifo":                         irregular,
		filepath.Join(short, "s"):      irregular,
		"/dev/zero":                    irregular,
		"/dev/null":                    irregular,
		"/dev/tty":                     irregular,
		fmt.Sprint("/dev/fd/", r.Fd()): irregular,
		"loop":                         "cannot be read: too many levels of symbolic links. Name another file.",
	} {
		var err error
		took := quickest(func() { _, err = read(t, dir, path) })
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
		if took > 100*time.Millisecond {
			t.Errorf("%s: took %v", path, took)
		}
	}
	found, err := read(t, dir, "folder")
	if err != nil || !strings.Contains(found.Evidence[0].Text, "\nfifo, not included: it is not a regular file\n") {
		t.Errorf("a folder with a pipe: got %+v, %v", found.Evidence, err)
	}
}

func TestRead_whatReportsNoSizeIsRefused(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc here")
	}
	if _, err := read(t, "/", "/proc/self/environ"); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("got %v", err)
	}
}

// canary is the text of the files that no path may reach without a question.
const canary = "CANARY outside the folder"

// hostilePaths returns paths that try to leave the folder work, which is beside the
// file canary and the folder secret.
func hostilePaths(dir string) []string {
	var all []string
	for _, target := range []string{"canary", "secret/canary"} {
		for _, depth := range []int{1, 2, 12} {
			up := strings.Repeat("../", depth)
			all = append(all, up+target, "./"+up+target, "sub/"+up+"../"+target, "sub/./"+up+target, strings.Repeat("..//", depth)+target)
		}
		for _, begin := range []string{
			dir + "/", "//" + dir + "/", dir + "/work/../", "~/", "~/../", "file://" + dir + "/", "/proc/self/cwd/../", "/proc/self/root" + dir + "/",
			"%2e%2e/", "..%2f", "..\\", "..\\..\\", "․․/", "．．/", "..;/", ".. /", "../\t", " ../", "in-up/", "out/", "abs/", "chain/", "sub/up/",
			"in-up/work/out/", "hop/../", "abs/../work/abs/", "sub/../out/", "out/./", "swap/", "sub/swap/",
		} {
			all = append(all, begin+target, begin+target+" ", begin+"./"+target)
		}
	}
	for _, name := range []string{"direct", "relative", "absolute", "twice", "loop", "dangling", "sub/direct", "sub/swapped", "swapped", "hop"} {
		all = append(all, name, "sub/../"+name, name+"/.", name+"/..")
	}
	return append(all, "\x00", "sub/\x00/../../canary", strings.Repeat("../", 1500)+"canary", strings.Repeat("sub/../", 700)+"canary",
		strings.Repeat("x", 5000), "/proc/self/environ", "/proc/self/fd/0", "/dev/fd/0", "..", "../", "~", "")
}

func TestRead_hostilePathsReachNothingOutside(t *testing.T) {
	dir := write(t, map[string]string{"canary": canary, "secret/canary": canary, "work/a": "inside", "work/sub/b": "inside"})
	work := filepath.Join(dir, "work")
	link := func(target, name string) {
		must.Do(t, os.Symlink(target, filepath.Join(work, name)))
	}
	for name, target := range map[string]string{
		"in-up": "..", "out": "../secret", "abs": dir, "chain": "out", "sub/up": "../..", "direct": "../canary", "relative": "sub/../../canary",
		"absolute": dir + "/canary", "twice": "direct", "loop": "loop", "dangling": "../missing", "sub/direct": "../direct", "hop": "sub/up",
		"swap": "sub", "sub/swap": ".", "swapped": "a", "sub/swapped": "b",
	} {
		link(target, name)
	}
	stop := swapLinks(t, work)
	defer stop()

	f := evidence.Finder{Dir: work, Home: dir}
	for _, path := range hostilePaths(dir) {
		m, err := f.Find(path)
		if err != nil || m.Outside() {
			continue // refused, or asked for
		}
		times := 1
		if strings.Contains(path, "swap") {
			times = 20 // while links are swapped
		}
		for range times {
			found, err := evidence.Read(t.Context(), nil, m.Source)
			var refused *evidence.Refusal
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%.60q: %v is no refusal", path, err)
			}
			for _, e := range found.Evidence {
				if strings.Contains(e.Text, canary) {
					t.Fatalf("%.60q reached %s", path, e.Name)
				}
			}
		}
	}
}

// swapLinks replaces links by others that lead out of the folder and back until stop is
// called.
func swapLinks(t *testing.T, work string) (stop func()) {
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			for name, targets := range map[string][2]string{
				"swapped": {"a", "../canary"}, "sub/swapped": {"b", "../../canary"}, "swap": {"sub", "../secret"}, "sub/swap": {".", "../.."},
			} {
				fresh := filepath.Join(work, ".fresh")
				_ = os.Remove(fresh)
				if err := os.Symlink(targets[i%2], fresh); err != nil {
					t.Error(err)
					return
				}
				if err := os.Rename(fresh, filepath.Join(work, name)); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	return func() {
		close(done)
		group.Wait()
	}
}

func TestFind_linksThatStayInside(t *testing.T) {
	dir := write(t, map[string]string{"work/sub/a": "inside", "outside": canary})
	work := filepath.Join(dir, "work")
	for name, target := range map[string]string{"relative": "sub/a", "absolute": filepath.Join(work, "sub", "a"), "out": "../outside"} {
		must.Do(t, os.Symlink(target, filepath.Join(work, name)))
	}
	f := evidence.Finder{Dir: work}
	for name, outside := range map[string]bool{"relative": false, "absolute": false, "out": true} {
		m, err := f.Find(name)
		if err != nil || m.Outside() != outside {
			t.Errorf("%s: got %+v, %v", name, m, err)
		}
	}
	// After the question, the path is that of the file itself; the link is never followed.
	if m, _ := f.Find("out"); filepath.Base(m.Path) != "outside" {
		t.Errorf("the link stands for %s", m.Path)
	}
	_, err := evidence.Read(t.Context(), nil, f.Source(filepath.Join(work, "out")))
	if err == nil || err.Error() != "out leads out of the folder. Name the file itself." {
		t.Errorf("got %v", err)
	}
}
