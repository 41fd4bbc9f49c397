package mcp

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"roundtable/internal/text"
)

const (
	// grace is how long a program has to end after its standard input was closed, and
	// again after it was asked to terminate. Together with what is waited for its output
	// this stays below three seconds.
	grace     = 600 * time.Millisecond
	waitDelay = 400 * time.Millisecond

	writeTimeout = 10 * time.Second // for a program that does not read
	maxStderr    = 64 << 20         // bytes; a program that writes more is ended
	keptStderr   = 4 << 10          // of which the end is kept
)

// process is a running server program, in a group of processes of its own.
type process struct {
	cmd    *exec.Cmd
	stdin  deadlineWriter
	stdout *messageReader
	stderr *stderrTail
	dir    string        // its working folder
	done   chan struct{} // closed when the program has ended and its group was killed
	err    error         // how it ended; valid when done is closed
}

// startProcess starts the program of a configuration. Env is its whole environment.
func startProcess(c Config, env []string) (*process, error) {
	dir, err := os.MkdirTemp("", "roundtable-mcp-")
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	p := &process{dir: dir, done: make(chan struct{})}
	if err := p.start(c, env); err != nil {
		_ = os.RemoveAll(dir) // it is empty
		return nil, err
	}
	return p, nil
}

func (p *process) start(c Config, env []string) error {
	stdinReader, stdinWriter, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stdinReader.Close() //nolint:errcheck // the program has its own
	stdoutReader, stdoutWriter, err := os.Pipe()
	if err != nil {
		_ = stdinWriter.Close()
		return err
	}
	defer stdoutWriter.Close() //nolint:errcheck // the program has its own
	p.stdin, p.stdout = deadlineWriter{stdinWriter}, newMessageReader(stdoutReader)
	p.stderr = &stderrTail{exceeded: func() { go p.stop() }}
	p.cmd = exec.Command(c.Command[0], c.Command[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.WaitDelay = p.dir, env, waitDelay
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdinReader, stdoutWriter, p.stderr
	ownGroup(p.cmd)
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		_ = stdinWriter.Close()
		_ = stdoutReader.Close()
		return err
	}
	return nil
}

// run starts the program and waits for its end. It keeps its thread for as long: Linux
// ends the program with the thread that started it.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	killGroup(p.cmd)
	_ = p.stdout.file.SetReadDeadline(time.Now().Add(waitDelay)) // somebody who left the group may hold the other end
	_ = p.stdin.Close()
	_ = os.RemoveAll(p.dir) // what cannot be removed stays in the system's temporary folder
	close(p.done)
}

// stop ends the program with its group and returns when it is gone, after three seconds
// at the latest.
func (p *process) stop() {
	_ = p.stdin.Close() // a server ends with its input
	if p.ended() {
		return
	}
	terminateGroup(p.cmd)
	if p.ended() {
		return
	}
	killGroup(p.cmd)
	p.ended()
}

// ended reports whether the program ends within the grace period.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	case <-time.After(grace):
		return false
	}
}

// cause returns how the program ended, with the last line that it wrote to its standard
// error; "" while it runs.
func (p *process) cause() string {
	select {
	case <-p.done:
	default:
		return ""
	}
	how := "its program ended"
	if p.err != nil {
		how = "its program ended with " + p.err.Error()
	}
	if p.stderr.isExceeded() {
		how = fmt.Sprintf("its program wrote more than %d MB to standard error", maxStderr>>20)
	}
	if last := p.stderr.last(); last != "" {
		how += ": " + last
	}
	return how
}

// deadlineWriter is the standard input of a program, which may not read it.
type deadlineWriter struct{ *os.File }

// Write writes p, or gives up after a while.
func (w deadlineWriter) Write(p []byte) (int, error) {
	_ = w.SetWriteDeadline(time.Now().Add(writeTimeout)) // not all systems have deadlines on pipes
	return w.File.Write(p)
}

// stderrTail keeps the end of what a program writes to its standard error.
type stderrTail struct {
	mu       sync.Mutex
	kept     []byte
	total    int64
	exceeded func() // called once when there is too much
}

// Write keeps the end of p and of what came before.
func (t *stderrTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.total
	t.total += int64(len(p))
	if before <= maxStderr && t.total > maxStderr {
		t.exceeded()
	}
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - keptStderr; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *stderrTail) isExceeded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total > maxStderr
}

// last returns the last line that is not empty, safe to show.
func (t *stderrTail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(text.Sanitize(string(t.kept))), "\n")
	return text.Clip(text.Line(lines[len(lines)-1]), 200)
}
