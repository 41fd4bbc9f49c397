package tui

import (
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// suspend works between rounds only, since the streams would stop too.
func (m *Model) suspend() tea.Cmd {
	task := &terminalTask{do: func(io.Reader, io.Writer, io.Writer) error { return m.deps.Suspend() }}
	return tea.Exec(task, func(err error) tea.Msg {
		return screen.Then(func() screen.Outcome { return screen.Refused(err) })
	})
}

func (m *Model) anyRuns() bool { return len(m.sessions.running())+len(m.sessions.closing) > 0 }

// minReleased is how long the terminal stays released at least. Bubble Tea's renderer says that it
// has stopped before its ticker is; started again within that time, it never draws any more.
const minReleased = 20 * time.Millisecond

// terminalTask is a function to be called while the terminal is released.
type terminalTask struct {
	do       func(in io.Reader, out, errs io.Writer) error
	in       io.Reader
	out, err io.Writer
}

// inTerminal returns the task that runs a program. It gets the terminal's files, since through
// anything else it sees a pipe.
func inTerminal(cmd *exec.Cmd) *terminalTask {
	type terminal interface{ Terminal() *os.File }
	return &terminalTask{do: func(in io.Reader, out, errs io.Writer) error {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
		if through, ok := in.(terminal); ok {
			cmd.Stdin = through.Terminal()
		}
		if through, ok := out.(terminal); ok {
			cmd.Stdout = through.Terminal()
		}
		return cmd.Run()
	}}
}

// Run does it.
func (t *terminalTask) Run() error {
	time.Sleep(minReleased)
	return t.do(t.in, t.out, t.err)
}

// SetStdin takes what reads the terminal.
func (t *terminalTask) SetStdin(r io.Reader) { t.in = r }

// SetStdout takes what writes to it.
func (t *terminalTask) SetStdout(w io.Writer) { t.out = w }

// SetStderr takes what writes errors to it.
func (t *terminalTask) SetStderr(w io.Writer) { t.err = w }
