package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/report"
	"roundtable/tui/form"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func (m *Model) askExport() screen.Outcome {
	as := func(key, name string, f report.Format) screen.Answer {
		return screen.Answer{Key: key, Verb: name, Do: func() screen.Outcome { return screen.Run(m.export(f)) }}
	}
	q := screen.Question{Text: "Export as:", Others: []screen.Answer{
		as("m", "Markdown", report.Markdown), as("j", "JSON", report.JSON), as("h", "HTML", report.HTML),
	}}
	if s := m.stack.open.debate.Session(); s.Mode.Reviews() && s.Verdict != nil {
		q.Others = append(q.Others, as("s", "SARIF", report.SARIF), as("p", "comment on a pull request", report.Comment))
	}
	return screen.Outcome{q}
}

func (m *Model) export(f report.Format) tea.Cmd {
	ctx, export, s, running := m.ctx, m.deps.Export, m.stack.open.debate.Session(), m.stack.running()
	return screen.Await(func() (string, error) { return export(ctx, s, running, f) }, func(path string) screen.Outcome {
		return screen.Tell(screen.Success, fmt.Sprintf("Wrote %s in %s.", filepath.Base(path), filepath.Dir(path)))
	})
}

// scratch writes text to a file in a folder of its own that only the user can read.
func scratch(name, text string) (file string, err error) {
	dir, err := os.MkdirTemp("", "roundtable-")
	if err != nil {
		return "", fmt.Errorf("make a scratch folder: %w", err)
	}
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write a scratch file: %w", err)
	}
	return file, nil
}

// runEditor runs the editor in the terminal, on a scratch file of that content. The event loop waits
// for it, so this happens between rounds only.
func (m *Model) runEditor(name string, content func() string, ended func(file string, err error) tea.Msg) screen.Outcome {
	return screen.Run(screen.Await(func() (string, error) { return scratch(name, content()) }, func(file string) screen.Outcome {
		program := append(slices.Clone(m.deps.Editor), file)
		return screen.Run(tea.Exec(inTerminal(exec.CommandContext(m.ctx, program[0], program[1:]...)), func(err error) tea.Msg {
			if at := (*fs.PathError)(nil); errors.As(err, &at) {
				err = at.Err // the path would leave no room for the cause
			}
			if err != nil {
				err = fmt.Errorf("%s failed: %w", filepath.Base(program[0]), err)
			}
			return ended(file, err)
		}))
	}))
}

// noEditor says why the editor cannot be opened now.
func (m *Model) noEditor() string {
	switch {
	case len(m.deps.Editor) == 0:
		return "No editor: quit, set EDITOR, such as EDITOR=nano, and come back. All is saved."
	case len(m.sessions.running()) > 0:
		return "The editor opens once " + m.roundsDone() + "."
	}
	return ""
}

// roundsDone says what the editor waits for: the events of runs are not read meanwhile.
func (m *Model) roundsDone() string {
	if all := m.sessions.running(); len(all) > 1 || all[0] != m.stack.open {
		return "no debate runs in the background"
	}
	return "the round is done"
}

// edit opens a text in the editor, with what it answers below it, and puts it into the form.
func (m *Model) edit(e form.OpenEditor) screen.Outcome {
	cut := scissorsFor(e.Text)
	return m.runEditor(e.Request+".md", func() string {
		content := e.Text + "\n" + cut + "\nOnly what is above this line is your text for " + e.Request + ".\n"
		for line := range strings.SplitSeq(e.About, "\n") {
			content += "\n" + strings.Join(theme.Wrap(line, 78), "\n")
		}
		return content + "\n"
	}, func(file string, err error) tea.Msg {
		edited, err := readBack(file, err)
		return screen.Then(func() screen.Outcome {
			if err != nil || m.stack.open == nil {
				return screen.Refused(err)
			}
			return m.stack.open.debate.Form.Edited(e.Request, aboveScissors(edited, cut))
		})
	})
}

func scissorsFor(text string) string {
	line := "------------------------ >8 ------------------------"
	for strings.Contains(text, line) {
		line += "-"
	}
	return line
}

// aboveScissors returns the text above the last scissors line, or all of it without one.
func aboveScissors(text, scissors string) string {
	if at := strings.LastIndex(text, scissors); at >= 0 {
		text = text[:at]
	}
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// readBack removes the file, unless it is not UTF-8: not all of its characters can be taken over.
func readBack(file string, err error) (string, error) {
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(file)
	}
	if err != nil {
		err = fmt.Errorf("%w; the answer is as it was", err)
	}
	if !utf8.Valid(raw) {
		return "", fmt.Errorf("%s is not UTF-8 text; the answer is as it was, and the file stays", file)
	}
	if gone := os.RemoveAll(filepath.Dir(file)); err == nil {
		err = gone
	}
	return string(raw), err
}

// Terminal describes the terminal, as far as the environment tells.
type Terminal struct {
	Tmux  bool // tmux passes on what is wrapped for it
	Urxvt bool // notifications are those of urxvt (OSC 777), not of iTerm2 (OSC 9)
}

// pass returns a sequence so that it reaches the terminal behind tmux, too.
func (t Terminal) pass(seq string) string {
	if t.Tmux {
		return ansi.TmuxPassthrough(seq)
	}
	return seq
}

// notify returns the sequence that shows a notification, after a bell.
func (t Terminal) notify(words string) string {
	seq := ansi.Notify(words)
	if t.Urxvt {
		seq = ansi.URxvtExt("notify", "Roundtable", words)
	}
	return "\a" + t.pass(seq)
}

// copy returns the command that puts a text into the clipboard. Tmux may take it for its own
// clipboard, pass it on, or both, by its settings; so it is sent in both ways.
func (t Terminal) copy(s string) tea.Cmd {
	set := tea.SetClipboard(s)
	if !t.Tmux {
		return set
	}
	return tea.Batch(set, tea.Raw(t.pass(ansi.SetSystemClipboard(s))))
}
