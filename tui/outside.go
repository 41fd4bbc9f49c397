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

	"roundtable/tui/screen"
)

// copyText hands a text to the terminal's clipboard.
func (m *Model) copyText(c screen.Copy) tea.Cmd {
	if c.Text == "" {
		m.tell(screen.Info, "There is nothing to copy yet.")
		return nil
	}
	m.tell(screen.Info, fmt.Sprintf("Copied %s. If nothing arrives, your terminal refuses it: o opens it.", c.What))
	return tea.SetClipboard(c.Text)
}

// askExport asks for the format of the export.
func (m *Model) askExport() screen.Outcome {
	as := func(f Format) func() screen.Outcome {
		return func() screen.Outcome { return screen.Run(m.export(f)) }
	}
	return screen.Outcome{screen.Question{
		Text: "Export as:", Keys: "m Markdown · j JSON · h HTML · esc cancels",
		Answers: map[string]func() screen.Outcome{"m": as(Markdown), "j": as(JSON), "h": as(HTML)},
	}}
}

func (m *Model) export(f Format) tea.Cmd {
	ctx, export, s, running := m.ctx, m.deps.Export, m.open.debate.Session(), m.running()
	return func() tea.Msg {
		path, err := export(ctx, s, running, f)
		return doneMsg{fmt.Sprintf("Wrote %s in %s.", filepath.Base(path), filepath.Dir(path)), err}
	}
}

func (m *Model) noExport() string {
	if len(m.open.debate.Session().History) == 0 {
		return "No round has begun: there is nothing to export."
	}
	return ""
}

// pagerMsg says that a file for the pager is written.
type pagerMsg struct {
	dir, file string
	err       error
}

// openTranscript shows the transcript in the user's pager.
func (m *Model) openTranscript() screen.Outcome {
	text, s := m.deps.Text, m.open.debate.Session()
	return screen.Run(func() tea.Msg {
		dir, file, err := scratch("transcript.md", text(s))
		return pagerMsg{dir, file, err}
	})
}

// openPager writes a text for the user's pager.
func openPager(p screen.OpenPager) tea.Cmd {
	return func() tea.Msg {
		dir, file, err := scratch(p.File, p.Text)
		return pagerMsg{dir, file, err}
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

// runPager runs the pager on the file, which is removed afterwards.
func (m *Model) runPager(msg pagerMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(screen.Warning, screen.Sentence(msg.err))
		return nil
	}
	return m.runOutside(m.deps.Pager, msg.file, func(err error) tea.Msg {
		if gone := os.RemoveAll(msg.dir); err == nil {
			err = gone
		}
		return doneMsg{err: err}
	})
}

// runOutside runs a program of the user's in the terminal. The event loop waits
// for it, so this happens between rounds only.
func (m *Model) runOutside(program []string, file string, done func(error) tea.Msg) tea.Cmd {
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

func (m *Model) noTranscript() string {
	if m.deps.Text == nil {
		return "No pager is set: $PAGER names one."
	}
	return m.noPager()
}

// noPager says why the pager cannot be opened now.
func (m *Model) noPager() string {
	switch {
	case len(m.deps.Pager) == 0:
		return "No pager is set: $PAGER names one."
	case m.running():
		return "o works when the round is done: the pager would hold the answers up."
	}
	return ""
}

// noEditor says why the editor cannot be opened now.
func (m *Model) noEditor() string {
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
	if !m.deps.Notify || !m.blurred || m.open == nil || m.running() {
		return nil
	}
	return tea.Raw("\a" + ansi.Notify(m.open.debate.Attention()))
}
