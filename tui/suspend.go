package tui

import (
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Suspend is a message that asks for what ctrl+z does, for a stop signal from
// outside.
type Suspend struct{}

// Resume is a message for a program that was stopped without being asked and runs
// again: the terminal may be in any state.
type Resume struct{}

// suspend gives the terminal back to the shell. It works between rounds only,
// since the streams would stop too.
func (m *Model) suspend() tea.Cmd { return releaseTerminal(m.deps.Suspend) }

func (m *Model) noSuspend() string {
	if len(m.sessions.running()) > 0 || len(m.sessions.closing) > 0 {
		return "You can suspend once no round runs."
	}
	return ""
}

// releaseTerminal restores the terminal, calls do, and sets the terminal up
// again.
func releaseTerminal(do func() error) tea.Cmd {
	return tea.Exec(&terminalTask{do}, func(err error) tea.Msg { return done("", err) })
}

// minReleased is how long the terminal stays released at least. Bubble Tea's
// renderer says that it has stopped before its ticker is stopped; if it is
// started again within that time, the ticker never ticks and nothing is drawn any
// more.
const minReleased = 20 * time.Millisecond

// terminalTask is a function to be called while the terminal is released.
type terminalTask struct{ do func() error }

// Run does it.
func (p *terminalTask) Run() error {
	time.Sleep(minReleased)
	return p.do()
}

// SetStdin does nothing: the task reads no input.
func (*terminalTask) SetStdin(io.Reader) {}

// SetStdout does nothing: the task writes no output.
func (*terminalTask) SetStdout(io.Writer) {}

// SetStderr does nothing: the task writes no errors.
func (*terminalTask) SetStderr(io.Writer) {}

type terminalProgram struct{ *exec.Cmd }

// Run runs it to its end.
func (v terminalProgram) Run() error {
	time.Sleep(minReleased)
	return v.Cmd.Run()
}

// terminal is what reads or writes a terminal. A program gets the file itself, since through
// anything else it sees a pipe.
type terminal interface{ Terminal() *os.File }

// SetStdin takes what it reads.
func (v terminalProgram) SetStdin(r io.Reader) {
	v.Stdin = r
	if through, ok := r.(terminal); ok {
		v.Stdin = through.Terminal()
	}
}

// SetStdout takes where it writes to.
func (v terminalProgram) SetStdout(w io.Writer) {
	v.Stdout = w
	if through, ok := w.(terminal); ok {
		v.Stdout = through.Terminal()
	}
}

// SetStderr takes where it complains.
func (v terminalProgram) SetStderr(w io.Writer) { v.Stderr = w }
