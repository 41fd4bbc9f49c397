package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
)

// copyText hands the text in focus to the terminal's clipboard.
func (m *Model) copyText() tea.Cmd {
	text, what := m.copied()
	if text == "" {
		m.tell(plainly, "There is nothing to copy yet.")
		return nil
	}
	m.tell(plainly, fmt.Sprintf("Copied %s. If nothing arrives, your terminal refuses it: o opens it.", what))
	return tea.SetClipboard(text)
}

// copied returns what would be copied, and its name.
func (m *Model) copied() (text, what string) {
	b := m.board
	switch m.screen {
	case atVerdict:
		if v := b.session.Verdict; v != nil {
			return safetext.Text(v.Text), "the verdict"
		}
		return "", ""
	case atLog:
		if c := b.log.selected(); c != nil {
			return safetext.Text(c.tool.Result.Text), "the result"
		}
		return "", ""
	case atReceipt:
		g := b.receipt.paper.pages[b.receipt.cursor]
		return g.text, "this part"
	}
	p := b.focus()
	if p == nil {
		return "", ""
	}
	for _, r := range b.session.History {
		for _, x := range r.AttemptsOf(p.Profile().ID) {
			if x.State == debate.TurnDone {
				text = safetext.Text(x.Text())
			}
		}
	}
	return text, p.Profile().Name + "'s statement"
}

// askExport asks for the format of the export.
func (m *Model) askExport() tea.Cmd {
	as := func(f Format) func(*Model) tea.Cmd { return func(m *Model) tea.Cmd { return m.export(f) } }
	return m.ask("Export as:", "m Markdown · j JSON · h HTML · esc cancels", map[string]func(*Model) tea.Cmd{"m": as(Markdown), "j": as(JSON), "h": as(HTML)})
}

func (m *Model) export(f Format) tea.Cmd {
	ctx, export, s, running := m.ctx, m.deps.Export, m.board.session, m.running()
	return func() tea.Msg {
		path, err := export(ctx, s, running, f)
		return doneMsg{fmt.Sprintf("Wrote %s in %s.", filepath.Base(path), filepath.Dir(path)), err}
	}
}

func canExport(deps Deps) bool { return deps.Export != nil }

func noExport(m *Model) string {
	if len(m.board.session.History) == 0 {
		return "No round has begun: there is nothing to export."
	}
	return ""
}

// pagedMsg says that a file for the pager is written.
type pagedMsg struct {
	dir, file string
	err       error
}

// openPager shows the transcript in the user's pager.
func (m *Model) openPager() tea.Cmd {
	text, s := m.deps.Text, m.board.session
	return func() tea.Msg {
		dir, file, err := scratch("transcript.md", text(s))
		return pagedMsg{dir, file, err}
	}
}

// scratch writes a text to a file that only the user can read, in a folder of its own.
func scratch(name, text string) (dir, file string, err error) {
	dir, err = os.MkdirTemp("", "roundtable-")
	if err != nil {
		return "", "", fmt.Errorf("make a scratch folder: %w", err)
	}
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return dir, "", fmt.Errorf("write a scratch file: %w", err)
	}
	return dir, file, nil
}

// paged runs the pager on the file, which goes afterwards.
func (m *Model) paged(msg pagedMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(urgently, sentence(msg.err))
		return nil
	}
	return m.outside(m.deps.Pager, msg.file, func(err error) tea.Msg {
		if gone := os.RemoveAll(msg.dir); err == nil {
			err = gone
		}
		return doneMsg{err: err}
	})
}

// outside runs a program of the user's in the terminal. The event loop waits
// for it, so this happens between rounds only.
func (m *Model) outside(program []string, file string, done func(error) tea.Msg) tea.Cmd {
	args := append(program[1:len(program):len(program)], file)
	return tea.Exec(visitor{exec.CommandContext(m.ctx, program[0], args...)}, func(err error) tea.Msg {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // the path would leave no room for the cause
		}
		if err != nil {
			err = fmt.Errorf("the program %s has failed: %w", filepath.Base(program[0]), err)
		}
		return done(err)
	})
}

func noPager(m *Model) string {
	if m.deps.Text == nil {
		return "No pager is set: $PAGER names one."
	}
	return noReceiptPager(m)
}

func noReceiptPager(m *Model) string {
	switch {
	case len(m.deps.Pager) == 0:
		return "No pager is set: $PAGER names one."
	case m.running():
		return "o works when the round is done: the pager would hold the answers up."
	}
	return ""
}

func noEditor(m *Model) string {
	switch {
	case len(m.deps.Editor) == 0:
		return "No editor is set: $EDITOR names one."
	case m.running():
		return "ctrl+o works when the round is done: the editor would hold the answers up."
	}
	return ""
}

// ring tells a user who looks elsewhere that the debate waits or has ended.
func (m *Model) ring() tea.Cmd {
	if !m.deps.Notify || !m.blurred || m.board == nil || m.running() {
		return nil
	}
	text := "The debate has ended."
	switch s := m.board.session; {
	case m.board.stuck != noTrouble, m.board.failed != nil:
		text = "The debate has stopped: something failed."
	case s.Stopped == debate.StoppedByBudget:
		text = "The debate has stopped: the budget is used up."
	case s.Status() == debate.NeedsContext:
		text = fmt.Sprintf("The debate waits for you: %d required.", len(s.Unanswered()))
	case s.Verdict == nil:
		text = "The debate is paused."
	}
	return tea.Raw("\a" + ansi.Notify(text))
}
