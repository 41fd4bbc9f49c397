package debateview

import (
	"strings"

	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// mostAsked is how many rows of the question stand below the top line, and besideTitle
// how many cells the top line needs for all but the name of the debate.
const (
	mostAsked   = 2
	besideTitle = 76
)

// askedRows draws the question below the top line, unless that shows all of it or there
// is no room. What is left out is marked: a key shows it.
func (sc *Screen) askedRows() []string {
	topic := text.Line(sc.Session().Topic)
	if sc.h < airy || topic == "" || sc.Session().Title == "" && theme.Width(topic) <= sc.w-besideTitle {
		return nil
	}
	rows := theme.Wrap(topic, sc.w-4)
	if len(rows) > mostAsked {
		more := " " + sc.th.Symbols.Cut + " Q shows it all"
		rows = rows[:mostAsked]
		rows[1] = strings.TrimRight(theme.Wrap(rows[1], sc.w-4-theme.Width(more))[0], " ") + more
	}
	for i, r := range rows {
		rows[i] = sc.th.Fit("  "+sc.th.Muted.Render(strings.TrimLeft(r, " ")), sc.w)
	}
	return rows
}
