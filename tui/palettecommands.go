package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"roundtable/tui/screen"
)

// paletteCommands work on the open debate, or on the session that is selected in the
// list, or on the configuration. They have no keys: the palette alone offers them.
func (m *Model) paletteCommands() []commonCommand {
	inDebate := func() bool { return m.deps.Replay == nil && !m.launcher.owns(m.stack.base()) }
	onSession := func() bool { return inDebate() || m.stack.base() == m.launcher.home }
	canExport := func() bool { return m.deps.Export != nil && inDebate() }
	id := m.sessionAtHand
	why := func() string {
		if id() == "" {
			return "No session is selected."
		}
		return ""
	}
	copied := func(before string) func() screen.Outcome {
		return func() screen.Outcome { return screen.Outcome{screen.Copy{Text: before + id(), Shown: true}} }
	}
	onLists := func() bool { return m.stack.base() == m.launcher.home || m.stack.base() == m.launcher.setup }
	all := []commonCommand{
		{on: onLists, Command: screen.Command{
			Title: "Write a commented config file", Also: "settings models keys", Why: func() string {
				if m.deps.WriteConfig == nil {
					return "There is a config file already; `roundtable config path` prints where."
				}
				return ""
			},
			Run: screen.Do(m.launcher.writeConfig),
		}},
		{on: onSession, Command: screen.Command{Title: "Copy the debate's ID", Why: why, Run: screen.Do(copied(""))}},
		{on: onSession, Command: screen.Command{
			Title: "Copy the command that resumes this debate", Why: why, Run: screen.Do(copied("roundtable resume ")),
		}},
		{on: inDebate, Command: screen.Command{
			Title: "Rename this debate", Also: "title", Writes: true, Run: screen.Do(m.renameOpen),
		}},
		{on: inDebate, Command: screen.Command{
			Title: "Delete this debate", Also: "remove", Writes: true, Why: m.noDelete,
			Run: run(m.deleteOpen),
		}},
	}
	for _, f := range []struct {
		format Format
		name   string
	}{{Markdown, "Markdown"}, {JSON, "JSON"}, {HTML, "HTML"}, {ADR, "a decision record (ADR)"}} {
		all = append(all, commonCommand{on: canExport, Command: screen.Command{
			Title: "Export as " + f.name, Also: "save " + string(f.format), Why: m.outside.noExport,
			Run: run(func() tea.Cmd { return m.outside.export(f.format) }),
		}})
	}
	for i := range all {
		all[i].Group, all[i].InField = screen.Always, true
	}
	return all
}

// sessionAtHand returns the id of the session that is selected in the list, else of the
// open one; "" if there is none.
func (m *Model) sessionAtHand() string {
	if m.stack.base() != m.launcher.home {
		return m.stack.openID()
	}
	s, _ := m.launcher.home.Selected()
	return s.ID
}

// renameOpen lets the user type another title of the open debate.
func (m *Model) renameOpen() screen.Outcome {
	if !m.stack.onSession() {
		m.stack.show()
	}
	s := m.stack.open.debate.Session()
	return screen.Outcome{screen.Prompt{
		Label: "new name", Text: s.Name(), Limit: 500, Hints: []string{"enter rename", "esc cancel"},
		Done: func(title string) screen.Outcome {
			return m.launcher.home.SetTitle(s.ID, strings.TrimSpace(title))
		},
		Closed: func(string) screen.Outcome { return nil },
	}}
}

func (m *Model) noDelete() string {
	if m.stack.running() {
		return "Not while a round is running. P pauses it."
	}
	return ""
}

// deleteOpen leaves the open debate and deletes it. The list offers to undo that.
func (m *Model) deleteOpen() tea.Cmd {
	id := m.stack.openID()
	closed := m.leaveSession()
	m.stack.show(m.launcher.home)
	return tea.Sequence(closed, m.carryOut(m.launcher.home.Delete(id)))
}
