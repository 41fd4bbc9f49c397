package tui

import (
	"io"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Suspend is a message that asks for what ctrl+z asks for: somebody else wants
// the program to be stopped.
type Suspend struct{}

// Resume is a message that says the program goes on after having been stopped
// without being asked: the terminal may be in any state.
type Resume struct{}

// suspend gives the shell the terminal, between rounds only: it would stop the streams.
func (m *Model) suspend() tea.Cmd { return releaseTerminal(m.deps.Suspend) }

func (m *Model) noSuspend() string {
	if m.stack.running() || len(m.sessions.left) > 0 {
		return "ctrl+z works when the round is done: suspending would cut the answers off."
	}
	return ""
}

// releaseTerminal releases the terminal, does something, and takes it again.
func releaseTerminal(do func() error) tea.Cmd {
	return tea.Exec(&pause{do}, func(err error) tea.Msg { return doneMsg{err: err} })
}

// settling is how long the terminal stays released at least. Whoever drew on it
// stops its ticker only after having said that it is done; a ticker that was started
// again before that would never tick, and nothing would be drawn any more.
const settling = 20 * time.Millisecond

// pause is something to be done while the terminal is the shell's.
type pause struct{ do func() error }

// Run does it.
func (p *pause) Run() error {
	time.Sleep(settling)
	return p.do()
}

// SetStdin takes nothing, nor do the other two: nothing is read or written.
func (*pause) SetStdin(io.Reader)  {}
func (*pause) SetStdout(io.Writer) {}
func (*pause) SetStderr(io.Writer) {}

// visitor is a program of the user's that has the terminal for a while.
type visitor struct{ *exec.Cmd }

// Run runs it to its end.
func (v visitor) Run() error {
	time.Sleep(settling)
	return v.Cmd.Run()
}

// SetStdin takes what it reads.
func (v visitor) SetStdin(r io.Reader) { v.Stdin = r }

// SetStdout takes where it writes to: the terminal itself where that is known,
// since through anything else a program sees a pipe.
func (v visitor) SetStdout(w io.Writer) {
	v.Stdout = w
	if through, ok := w.(interface{ Terminal() *os.File }); ok {
		v.Stdout = through.Terminal()
	}
}

// SetStderr takes where it complains.
func (v visitor) SetStderr(w io.Writer) { v.Stderr = w }
