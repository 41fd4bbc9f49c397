// Package process runs programs that are servers to this one: over their standard input
// and output, and end with all that they started, with this program at the latest. It also
// runs git.
//
// It imports internal/text. It must not know what is said between the programs.
package process

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"roundtable/internal/text"
)

const (
	// grace is how long a program has to end after its standard input was closed, and
	// again after it was asked to terminate. Together with what is waited for its output
	// this stays below three seconds.
	grace     = 600 * time.Millisecond
	waitDelay = 400 * time.Millisecond

	keptStderr = 4 << 10 // bytes at the end of what a program writes there
)

// Process is a running program with what it starts.
type Process struct {
	Stdin  *WriteQueue
	Stdout *os.File
	Dir    string // its working folder, which is removed with it

	folder *Folder
	guard  []string
	cmd    *exec.Cmd
	tree   *Tree
	stderr stderrTail
	done   chan struct{} // closed when the program has ended and what it started was killed
	err    error         // how it ended; valid when done is closed
}

// Start starts a program in a new empty folder, whose name begins with the prefix. Env is
// its whole environment. Guard is a command that runs Guard, for a program that starts
// others; nil for none.
func Start(argv, env []string, prefix string, guard []string) (*Process, error) {
	folder, err := NewFolder("", prefix)
	if err != nil {
		return nil, err
	}
	p := &Process{Dir: folder.Dir, folder: folder, guard: guard, done: make(chan struct{})}
	if err := p.start(argv, env); err != nil {
		_ = folder.Remove() // it is empty
		return nil, err
	}
	return p, nil
}

func (p *Process) start(argv, env []string) error {
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.WaitDelay, p.cmd.Stderr = p.Dir, env, waitDelay, &p.stderr
	p.tree = NewTree(p.cmd)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	reader, writer, err := os.Pipe() // which is read on when the program has ended
	if err != nil {
		return errors.Join(err, stdin.Close())
	}
	defer writer.Close() //nolint:errcheck // the program has its own
	p.Stdin, p.Stdout, p.cmd.Stdout = NewWriteQueue(stdin), reader, writer
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return errors.Join(err, reader.Close())
	}
	return nil
}

// run starts the program and waits for its end. It keeps its thread for as long: Linux
// ends the program with the thread that started it.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.tree.Start()
	started <- err
	if err != nil {
		return
	}
	unguard := p.tree.guard(p.guard)
	p.err = p.cmd.Wait()
	p.tree.Kill()
	unguard()
	_ = p.Stdout.SetReadDeadline(time.Now().Add(waitDelay)) // a process that was not found may hold the other end
	_ = p.Stdin.Close()
	_ = p.folder.Remove() // what cannot be removed now is removed later
	close(p.done)
}

// Stop ends the program with what it started and returns when it is gone, after three
// seconds at the latest.
func (p *Process) Stop() {
	p.tree.Remember()
	_ = p.Stdin.Close() // a server ends with its input
	if p.Ended(grace) {
		return
	}
	p.tree.Terminate()
	if p.Ended(grace) {
		return
	}
	p.tree.Kill()
	p.Ended(grace)
}

// Done is closed when the program has ended and what it started was killed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Ended reports whether the program ends within a time.
func (p *Process) Ended(within time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(within):
		return false
	}
}

// Patience is how long it is waited for the end of a program that has closed its connection, to
// say why: on a busy machine that takes a moment.
const Patience = 5 * time.Second

// Cause returns how the program ended, with the last lines that it wrote to its standard
// error, one or more; "" while it runs.
func (p *Process) Cause(lines int) string {
	select {
	case <-p.done:
	default:
		return ""
	}
	how := "its program ended"
	if p.err != nil {
		how = "its program ended with " + p.err.Error()
	}
	if last := p.Stderr(lines); last != "" {
		how += ": " + last
	}
	return how
}

type stderrTail struct {
	mu   sync.Mutex
	kept []byte
}

// Write keeps the end of p and of what came before.
func (t *stderrTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - keptStderr; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// Stderr returns the last lines that the program wrote to its standard error, as one line
// that is safe to show.
func (p *Process) Stderr(lines int) string {
	p.stderr.mu.Lock()
	defer p.stderr.mu.Unlock()
	all := strings.Split(strings.TrimSpace(text.Sanitize(string(p.stderr.kept))), "\n")
	var last []string
	for _, line := range all[max(0, len(all)-lines):] {
		if line = text.Clip(text.Line(line), 200); line != "" {
			last = append(last, line)
		}
	}
	return strings.Join(last, " / ")
}

// Folder is a folder that only this user may enter. A lock file next to it is held until it is
// removed, and the system releases it when this program ends, even by a crash. A folder whose
// lock is free is therefore stale.
type Folder struct {
	Dir  string // empty at first
	lock *flock.Flock
}

const (
	lockSuffix = ".lock"
	unlocked   = 10 * time.Second // a lock file without a folder that is younger may not be locked yet
)

// NewFolder makes a folder whose name begins with a prefix, in another one; "" is the system's
// temporary folder. It removes folders of the same prefix that were left by programs that were
// killed.
func NewFolder(in, prefix string) (*Folder, error) {
	RemoveStale(in, prefix)
	file, err := os.CreateTemp(in, prefix+"*"+lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	f := folderOf(file.Name())
	err = file.Close()
	if held, lockErr := f.lock.TryLock(); !held {
		err = errors.Join(err, lockErr, errors.New("its lock cannot be held"))
	}
	if err == nil {
		err = os.Mkdir(f.Dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", errors.Join(err, f.lock.Close(), os.Remove(file.Name())))
	}
	return f, nil
}

func folderOf(lock string) *Folder {
	return &Folder{Dir: strings.TrimSuffix(lock, lockSuffix), lock: flock.New(lock, flock.SetFlag(os.O_RDWR))}
}

// Remove removes the folder with all that is in it. What cannot be removed now is removed
// when another folder of its prefix is made.
func (f *Folder) Remove() error {
	if err := removeAll(f.Dir); err != nil {
		return errors.Join(err, f.lock.Unlock())
	}
	// While it is held: another program that gets a free lock relies on its file.
	err := os.Remove(f.lock.Path())
	if unlockErr := f.lock.Unlock(); err == nil || unlockErr != nil {
		return unlockErr
	}
	return os.Remove(f.lock.Path()) // Windows removes no file that is open
}

// RemoveStale removes the folders of a prefix whose lock is free; one without a folder has to be old, too.
func RemoveStale(in, prefix string) {
	in = cmp.Or(in, os.TempDir())
	all, err := os.ReadDir(in)
	if err != nil {
		return
	}
	for _, e := range all {
		if name := e.Name(); !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, lockSuffix) || !e.Type().IsRegular() {
			continue
		}
		f := folderOf(filepath.Join(in, e.Name()))
		info, err := e.Info()
		if _, made := os.Lstat(f.Dir); err != nil || made != nil && time.Since(info.ModTime()) < unlocked {
			continue // the folder is made once its lock is held
		}
		if held, err := f.lock.TryLock(); err != nil || !held {
			_ = f.lock.Close() // another program uses it
			continue
		}
		_ = f.Remove() // nothing depends on it
	}
}

// removeAll removes a folder, also where a command took away the right to write in it.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = root.Chmod(name, 0o700) // before it is read
		}
		return nil // what stays is named by the removal
	})
	return errors.Join(root.Close(), os.RemoveAll(dir))
}
