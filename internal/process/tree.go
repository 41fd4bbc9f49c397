package process

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Tree is a program with all that it starts, directly or not. Where the system has the
// /proc of Linux, that includes what has left the group of the program, such as a server
// in the background: it is found by its parent, or by a variable that it inherits. On
// other systems it sees the end of its input.
type Tree struct {
	cmd  *exec.Cmd
	mark string // a variable with its value

	mu    sync.Mutex
	known map[int]string // when each process that was found was started, by its id
}

const markName = "ROUNDTABLE_PROGRAM="

// NewTree returns the tree of a program that is not started yet. It adds a variable to the
// environment of the program, which is cmd.Env.
func NewTree(cmd *exec.Cmd) *Tree {
	t := &Tree{cmd: cmd, mark: markName + rand.Text(), known: map[int]string{}}
	cmd.Env = append(slices.Clip(cmd.Env), t.mark)
	return t
}

// Start starts the program in a process group of its own.
func (t *Tree) Start() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	OwnGroup(t.cmd)
	if err := t.cmd.Start(); err != nil {
		return err
	}
	t.known[t.cmd.Process.Pid] = readStat(t.cmd.Process.Pid).started
	return nil
}

// Remember finds what the program has started so far. It is called before the program is
// asked to end, since a process does not know later whose child it was.
func (t *Tree) Remember() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.find()
}

// Terminate asks the group of the program to end.
func (t *Tree) Terminate() {
	t.Remember()
	TerminateGroup(t.cmd)
}

// Kill ends the program and all that it started. Most often nothing is left.
func (t *Tree) Kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.find()
	KillGroup(t.cmd)
	t.killFound()
}

// killFound ends the known processes and those that they started; t.mu is held.
func (t *Tree) killFound() {
	const most = 20 // for what starts processes faster than they are found
	for range most {
		for pid, started := range t.known {
			kill(pid, started)
		}
		if !t.find() {
			return
		}
	}
}

// Guard waits until its input ends, and then ends all programs that have the mark in its
// first line. It runs in a process of its own: the input ends with the program that started
// it, however that ends, even where what an agent has started would live on.
func Guard(input io.Reader) error {
	lines := bufio.NewReader(input)
	mark, err := lines.ReadString('\n')
	if err != nil {
		return fmt.Errorf("read what is to be ended: %w", err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		return err
	}
	t := &Tree{mark: strings.TrimSuffix(mark, "\n"), known: map[int]string{}}
	if !strings.HasPrefix(t.mark, markName) {
		return fmt.Errorf("%q is no mark of a program", t.mark)
	}
	if t.find() {
		t.killFound()
	}
	return nil
}

// guard starts a command that runs Guard for this tree. The returned function ends it. Only
// Linux has what it finds processes by.
func (t *Tree) guard(argv []string) (end func()) {
	end = func() {}
	if len(argv) == 0 || runtime.GOOS != "linux" {
		return end
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	input, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return end // it guards against a kill alone
	}
	_, _ = io.WriteString(input, t.mark+"\n") // it ends if it cannot read this
	return func() {
		_ = input.Close()
		_ = cmd.Wait() // it has said why it failed, if it did
	}
}

// find adds to the known processes what they have started and what has the mark. It reports
// whether there was any; t.mu is held.
func (t *Tree) find() (found bool) {
	all := processes()
	isKnown := func(pid int) bool { return all[pid].started != "" && t.known[pid] == all[pid].started }
	for more := true; more; found = found || more {
		more = false
		for pid, p := range all {
			if !isKnown(pid) && (isKnown(p.parent) || hasVariable(pid, t.mark)) {
				t.known[pid] = p.started
				more = true
			}
		}
	}
	return found
}

func hasVariable(pid int, variable string) bool {
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // empty for others' programs
	return err == nil && bytes.Contains(environment, []byte(variable+"\x00"))
}

// kill kills a process that was started at a time. It takes a handle of it first, since
// another one may get its id.
func kill(pid int, started string) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	if started != "" && readStat(pid).started == started {
		_ = p.Kill() // it may have ended by itself
	}
	_ = p.Release()
}

type stat struct {
	parent  int
	started string // in ticks since the system was started; "" if that is not known
}

func processes() map[int]stat {
	all := map[int]stat{}
	entries, _ := os.ReadDir("/proc") // not every system has it
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			all[pid] = readStat(pid)
		}
	}
	return all
}

func readStat(pid int) stat {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:]) // a name may have spaces and parentheses
	if err != nil || len(fields) < 20 {
		return stat{}
	}
	parent, _ := strconv.Atoi(string(fields[1])) // it is a number
	return stat{parent: parent, started: string(fields[19])}
}
