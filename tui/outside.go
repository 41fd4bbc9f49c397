package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// outside runs what is not part of the interface: the user's pager and editor,
// and exports.
type outside struct {
	ctx   context.Context
	deps  Deps
	stack *stack

	saveCopy func() screen.Outcome // nil: it is not offered
}

// doneMsg says that something outside is done.
type doneMsg struct {
	text string
	err  error
}

// copyText puts a text into the terminal's clipboard.
func copyText(t Terminal, c screen.Copy) screen.Outcome {
	if c.Text == "" {
		return screen.Tell(screen.Info, "Nothing to copy yet.")
	}
	if c.Shown {
		return append(screen.Tell(screen.Info, fmt.Sprintf("Copied: %s", c.Text)), tea.SetClipboard(c.Text))
	}
	told := screen.Tell(screen.Info, fmt.Sprintf("Copied %s. Nothing in the clipboard? Press o to open it instead.", c.What))
	return append(told, t.copy(c.Text))
}

// askExport asks for the format of the export.
func (o *outside) askExport() screen.Outcome {
	as := func(key, name string, f Format) screen.Answer {
		return screen.Answer{Key: key, Verb: name, Do: func() screen.Outcome { return screen.Run(o.export(f)) }}
	}
	q := screen.Question{Text: "Export as:", Others: []screen.Answer{
		as("m", "Markdown", Markdown), as("j", "JSON", JSON), as("h", "HTML", HTML), as("d", "decision record", ADR),
	}}
	if o.saveCopy != nil {
		q.Others = append(q.Others, screen.Answer{Key: "c", Verb: "copy of all debates", Do: o.saveCopy})
	}
	return screen.Outcome{q}
}

func (o *outside) export(f Format) tea.Cmd {
	ctx, export, s, running := o.ctx, o.deps.Export, o.stack.open.debate.Session(), o.stack.running()
	return func() tea.Msg {
		path, err := export(ctx, s, running, f)
		return doneMsg{fmt.Sprintf("Wrote %s in %s.", filepath.Base(path), filepath.Dir(path)), err}
	}
}

func (o *outside) noExport() string {
	if len(o.stack.open.debate.Session().History) == 0 {
		return "Nothing to export: no round has started."
	}
	return ""
}

// pagerMsg says that a file for the pager is written.
type pagerMsg struct {
	dir, file string
	err       error
}

// openTranscript shows the transcript in the user's pager.
func (o *outside) openTranscript() screen.Outcome {
	text, s := o.deps.Text, o.stack.open.debate.Session()
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

// scratch writes text to a file in a folder of its own that only the user can
// read.
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

// pagerReady runs the pager on the file, which is removed afterwards.
func (o *outside) pagerReady(msg pagerMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Tell(screen.Warning, text.Sentence(msg.err.Error()))
	}
	return screen.Run(o.run(o.deps.Pager, msg.file, func(err error) tea.Msg {
		if gone := os.RemoveAll(msg.dir); err == nil {
			err = gone
		}
		return doneMsg{err: err}
	}))
}

// run runs a program of the user's in the terminal. The event loop waits
// for it, so this happens between rounds only.
func (o *outside) run(program []string, file string, done func(error) tea.Msg) tea.Cmd {
	args := append(program[1:len(program):len(program)], file)
	return tea.Exec(terminalProgram{exec.CommandContext(o.ctx, program[0], args...)}, func(err error) tea.Msg {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // the path would leave no room for the cause
		}
		if err != nil {
			err = fmt.Errorf("%s failed: %w", filepath.Base(program[0]), err)
		}
		return done(err)
	})
}

func (o *outside) noTranscript() string {
	if o.deps.Text == nil {
		return "No pager: set $PAGER."
	}
	return o.noPager()
}

// noPager says why the pager cannot be opened now.
func (o *outside) noPager() string {
	switch {
	case len(o.deps.Pager) == 0:
		return "No pager: set $PAGER."
	case o.stack.running():
		return "The pager opens once the round is done."
	}
	return ""
}

// noEditor says why the editor cannot be opened now.
func (o *outside) noEditor() string {
	switch {
	case len(o.deps.Editor) == 0:
		return "No editor: quit, set EDITOR, such as EDITOR=nano, and come back. All is saved."
	case o.stack.running():
		return "The editor opens once the round is done."
	}
	return ""
}
