package setup

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// line is the content of a field that is typed in one line, with the cursor at its end.
type line struct {
	text, shown string // as typed, and as it is drawn
	before      string // what is typed next goes behind it
	set         func(content string) screen.Outcome
	step        func(n int) // what left and right change; nil: nothing
}

// lineAt returns the line of a field; ok is false if it has none.
func (f *Form) lineAt(at field) (l line, ok bool) {
	row, typed := typedAt(at)
	limit := f.amountAt(at)
	switch {
	case typed:
		l = line{set: func(content string) screen.Outcome { return f.setList(row.list, content) }}
		l.text = f.lists[row.list]
		l.shown, l.before = l.text, l.text
	case limit != nil:
		l = line{text: limit.text, shown: f.shownAmount(at), before: limit.text, step: func(n int) { f.stepBudget(at, n) }}
		if limit.stepped {
			l.before = ""
		}
		l.set = func(content string) screen.Outcome {
			*limit = amount{text: firstRunes(content, maxAmount)}
			return nil
		}
	case at == fieldWorkspace:
		l = line{text: f.folder.path, shown: text.Line(f.folder.path), before: f.folder.path, step: f.folder.step}
		l.set = func(content string) screen.Outcome { return f.folder.change(f, content) }
	}
	return l, l.set != nil
}

// typeLine types a key into the line of the focused field.
func (f *Form) typeLine(msg tea.KeyPressMsg) screen.Outcome {
	l, _ := f.lineAt(f.focused)
	switch k := msg.String(); {
	case k == "enter", k == "down":
		f.Next(1)
	case k == "up":
		f.Next(-1)
	case k == "right" && f.focused == fieldWorkspace && f.folder.completes(f.files.service):
		return screen.Run(f.files.service.Complete(f.folder.row))
	case k == "right" && l.step != nil:
		l.step(1)
	case k == "left" && l.step != nil:
		l.step(-1)
	case k == "backspace":
		_, n := utf8.DecodeLastRuneInString(l.text)
		return l.set(l.text[:len(l.text)-n])
	case k == "ctrl+u":
		return l.set("")
	case msg.Text != "":
		return l.set(l.before + safeTyped(msg.Text))
	}
	return nil
}

// Paste inserts text into the focused field.
func (f *Form) Paste(content string) screen.Outcome {
	defer f.recordUndo(f.textState())
	if f.focused == fieldTopic {
		cmd, refused := f.topic.Paste(content)
		return f.topicChanged(cmd, refused)
	}
	pasted := text.Line(content)
	if _, typed := typedAt(f.focused); !typed {
		pasted = strings.Trim(pasted, ` '"`)
	}
	if l, ok := f.lineAt(f.focused); ok {
		return l.set(l.before + pasted)
	}
	if f.focused == fieldFiles {
		return f.files.insert(pasted)
	}
	return nil
}
