package setup

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Earlier is an earlier debate that matches the topic of the new one.
type Earlier struct {
	Path   string // as files are attached
	Name   string // its title or topic
	Result string // what it decided and how that turned out, in a few words
	Line   string // the same in sentences, with the debate's id and date
}

// EarlierFinder returns the earlier debates that match a topic, the best match first.
type EarlierFinder func(ctx context.Context, topic string) ([]Earlier, error)

// searchAfter is how long the topic has to stay as it is before earlier debates are searched.
const searchAfter = 400 * time.Millisecond

// earlier is the row of earlier debates. It is there while some match the topic.
type earlier struct {
	ctx   context.Context
	find  EarlierFinder // nil: there is no such row
	topic string        // that was searched, or is about to be
	list  []Earlier
	row   int // the selected one
}

// roomForEarlier is the height from which all of them are listed without the focus.
const roomForEarlier = 30

type (
	// searchMsg is time to search, if the topic is still this one.
	searchMsg struct{ topic string }
	// earlierMsg is what was found for a topic.
	earlierMsg struct {
		topic string
		list  []Earlier
	}
)

// SetEarlier sets what finds earlier debates.
func (f *Form) SetEarlier(ctx context.Context, find EarlierFinder) {
	f.earlier.ctx, f.earlier.find = ctx, find
}

// follow returns a command that leads to a search if the topic has changed. What was found for
// another topic is not shown any more.
func (l *earlier) follow(f *Form) tea.Cmd {
	topic := f.Topic()
	if l.find == nil || topic == l.topic {
		return nil
	}
	l.topic = topic
	if topic == "" {
		l.show(f, nil)
		return nil
	}
	return screen.After(l.ctx, searchAfter, searchMsg{topic})
}

// search returns a command that searches, unless the topic has changed since.
func (l *earlier) search(msg searchMsg) screen.Outcome {
	if msg.topic != l.topic {
		return nil
	}
	ctx, find := l.ctx, l.find
	return screen.Run(func() tea.Msg {
		list, err := find(ctx, msg.topic)
		if err != nil { // the debate needs none
			list = nil
		}
		return earlierMsg{msg.topic, list}
	})
}

// show replaces what was found.
func (l *earlier) show(f *Form, list []Earlier) {
	l.list, l.row = list, max(0, min(l.row, len(list)-1))
	if len(list) == 0 && f.focused == fieldEarlier {
		f.setFocus(fieldRounds)
	}
}

// attach attaches the decision of the selected debate, or takes it away again.
func (l *earlier) attach(f *Form) screen.Outcome {
	path := l.list[l.row].Path
	if i := slices.Index(f.files.paths, path); i >= 0 {
		f.files.paths = slices.Delete(slices.Clone(f.files.paths), i, i+1)
		f.files.selected = min(f.files.selected, len(f.files.paths))
		return nil
	}
	f.files.paths = append(slices.Clip(f.files.paths), path)
	f.files.selected = len(f.files.paths)
	return screen.Run(f.files.service.Look(path))
}

// enterHint says what enter does on the row.
func (l *earlier) enterHint(f *Form) string {
	if slices.Contains(f.files.paths, l.list[l.row].Path) {
		return "enter detach"
	}
	return "enter attach"
}

// earlierLines draws the earlier debates. Without the focus there is one line on a low screen.
func (v *layout) earlierLines() {
	l := &v.earlier
	if !v.hasField(fieldEarlier) {
		return
	}
	label, focused := "Earlier", v.focused == fieldEarlier
	for i, e := range l.list {
		th := v.th
		if focused && i == l.row {
			th = v.th.Selected()
		}
		mark, more := "", ""
		if slices.Contains(v.files.paths, e.Path) {
			mark = "attached "
		}
		if n := len(l.list) - 1; i == 0 && n > 0 && !focused && v.height < roomForEarlier {
			more = fmt.Sprintf(" %d more", n)
		}
		left := v.room() - theme.Width(mark+more)
		result := min(theme.Width(text.Line(e.Result)), left*3/5)
		line := th.Columns(theme.Column{Text: mark, Width: theme.Width(mark), Style: th.Success},
			theme.Column{Text: text.Line(e.Name), Width: left - result - 1, Style: th.Text},
			theme.Column{Text: " " + text.Line(e.Result), Width: result + 1, Style: th.Muted}) + v.th.Faint.Render(more)
		if i == 0 {
			v.addField(fieldEarlier, label, line)
		} else {
			v.addMore(fieldEarlier, "", line)
		}
		if focused && i == l.row {
			v.top, v.bottom = len(v.lines)-1, len(v.lines)-1
			v.earlierAbout(e)
		}
		if more != "" {
			return
		}
	}
}

// earlierAbout says all of the selected debate below its line, which may be cut.
func (v *layout) earlierAbout(e Earlier) {
	for _, line := range theme.Wrap(text.Line(e.Line), v.room()) {
		v.addMore(fieldEarlier, "", v.th.Muted.Render(line))
	}
}
