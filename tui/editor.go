package tui

import (
	"fmt"
	"os"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/form"
)


// editedMsg is a text that comes back from the user's editor.
type editedMsg struct {
	request, dir, file string
	ready              bool // the file is written, and the editor is to run
	text               string
	err                error
}

// edit writes the text to a file of its own for the editor.
func (m *Model) edit(e form.Editor) tea.Cmd {
	return func() tea.Msg {
		dir, file, err := scratch(e.Request+".md", e.Text)
		return editedMsg{request: e.Request, dir: dir, file: file, ready: err == nil, err: err}
	}
}

// edited runs the editor on the file, and then takes the text over.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.tell(urgently, sentence(msg.err))
	case msg.ready:
		return m.outside(m.deps.Editor, msg.file, func(err error) tea.Msg { return fetch(msg, err) })
	case m.board != nil && m.board.sheet.open:
		return m.obey(m.board.sheet.form.Edited(msg.request, msg.text, m.now()))
	}
	return nil
}

// fetch reads back what the editor wrote, and removes the file. One that is not UTF-8
// stays: its characters cannot all be taken over.
func fetch(msg editedMsg, err error) tea.Msg {
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(msg.file)
	}
	if err != nil {
		err = fmt.Errorf("%w; the answer is as it was", err)
	}
	if !utf8.Valid(raw) {
		return editedMsg{request: msg.request, err: fmt.Errorf("%s is not UTF-8 text; the answer is as it was, and the file stays", msg.file)}
	}
	if gone := os.RemoveAll(msg.dir); err == nil {
		err = gone
	}
	return editedMsg{request: msg.request, text: string(raw), err: err}
}
