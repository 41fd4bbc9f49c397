package tui

import (
	"fmt"
	"os"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/form"
	"roundtable/tui/screen"
)

// editedMsg is a text on its way to the user's editor and back.
type editedMsg struct {
	request, dir, file string
	ready              bool // the file is written, and the editor is to run
	text               string
	err                error
}

// writeForEditor writes the text to a file for the editor.
func writeForEditor(e form.Editor) tea.Cmd {
	return func() tea.Msg {
		dir, file, err := scratch(e.Request+".md", e.Text)
		return editedMsg{request: e.Request, dir: dir, file: file, ready: err == nil, err: err}
	}
}

// edited runs the editor on the file, and then puts the text into the form.
func (o *outside) edited(msg editedMsg) screen.Outcome {
	switch {
	case msg.err != nil:
		return screen.Tell(screen.Warning, screen.Sentence(msg.err))
	case msg.ready:
		return screen.Run(o.run(o.deps.Editor, msg.file, func(err error) tea.Msg { return readBack(msg, err) }))
	case o.stack.open != nil:
		return o.stack.open.debate.Form.Edited(msg.request, msg.text)
	}
	return nil
}

// readBack reads what the editor wrote, and removes the file. It keeps a file
// that is not UTF-8, since not all of its characters can be taken over.
func readBack(msg editedMsg, err error) tea.Msg {
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(msg.file)
	}
	if err != nil {
		err = fmt.Errorf("%w; the answer is as it was", err)
	}
	if !utf8.Valid(raw) {
		return editedMsg{request: msg.request, err: fmt.Errorf("%s is not UTF-8 text; the answer is as it was, and the file stays",
			msg.file)}
	}
	if gone := os.RemoveAll(msg.dir); err == nil {
		err = gone
	}
	return editedMsg{request: msg.request, text: string(raw), err: err}
}
