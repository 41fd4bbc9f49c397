package tui

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/form"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// editedMsg is a text on its way to the user's editor and back.
type editedMsg struct {
	request, dir, file string
	scissors           string // the line below which nothing is of the answer
	ready              bool   // the file is written, and the editor is to run
	text               string
	err                error
}

// writeForEditor writes the text to a file for the editor, and below it what it answers.
func writeForEditor(e form.OpenEditor) tea.Cmd {
	return func() tea.Msg {
		cut := scissorsFor(e.Text)
		content := e.Text + "\n" + cut + "\nOnly what is above this line is your text for " + e.Request + ".\n"
		for line := range strings.SplitSeq(e.About, "\n") {
			content += "\n" + strings.Join(theme.Wrap(line, 78), "\n")
		}
		dir, file, err := scratch(e.Request+".md", content+"\n")
		return editedMsg{request: e.Request, dir: dir, file: file, scissors: cut, ready: err == nil, err: err}
	}
}

// scissorsFor returns a line that is not in the text.
func scissorsFor(text string) string {
	line := "------------------------ >8 ------------------------"
	for strings.Contains(text, line) {
		line += "-"
	}
	return line
}

// aboveScissors returns what is above the last line that is the scissors, without the
// line break before it; all of the text if there is none.
func aboveScissors(text, scissors string) string {
	for end := len(text); ; {
		at := strings.LastIndex(text[:end], scissors)
		if at < 0 {
			return text
		}
		after := strings.TrimPrefix(text[at+len(scissors):], "\r")
		if (at == 0 || text[at-1] == '\n') && (after == "" || after[0] == '\n') {
			return strings.TrimSuffix(strings.TrimSuffix(text[:at], "\n"), "\r")
		}
		end = at
	}
}

// edited runs the editor on the file, and then puts the text into the form.
func (o *outside) edited(msg editedMsg) screen.Outcome {
	switch {
	case msg.err != nil:
		return screen.Tell(screen.Warning, text.Sentence(msg.err.Error()))
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
	return editedMsg{request: msg.request, text: aboveScissors(string(raw), msg.scissors), err: err}
}
