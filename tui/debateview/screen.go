package debateview

import (
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen is the debate screen: the panes of the seats, with the chips and the
// banner above them. Its commands are those of the Debate that it belongs to.
type Screen struct {
	screen.NoInput
	*sessionView
	th       *theme.Theme
	w, h     int // of the terminal
	view     viewport
	layout   layout
	search   search
	cited    citation
	coached  bool // a line of coaching stands above the panes
	commands []screen.Command
}

// topRow is the row of the terminal that the screen begins at, and chrome is how
// many rows of it are not the screen's.
const (
	topRow = 1
	chrome = 3
)

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) {
	sc.w, sc.h = w, h+chrome
	sc.arrange()
}

// Name returns "Debate".
func (sc *Screen) Name() string { return "Debate" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) {
	sc.th = th
	for _, p := range sc.panes {
		p.SetTheme(th)
	}
}

// arrange places the panes.
func (sc *Screen) arrange() {
	sc.view.banner, sc.view.asked = len(bannerRows(sc.sessionView, sc.w, time.Time{})), len(sc.askedRows())
	if sc.coached = sc.coaching() != ""; sc.coached {
		sc.view.banner = 1
	}
	sc.layout = arrange(sc.w, sc.h, len(sc.panes), sc.view)
	sc.view.first = sc.layout.first
	for _, s := range sc.layout.slots {
		sc.panes[s.seat].SetSize(s.w, s.h)
	}
}

// focused returns the pane that has the focus; nil without seats.
func (sc *Screen) focused() *pane.Pane {
	if sc.view.focus < len(sc.panes) {
		return sc.panes[sc.view.focus]
	}
	return nil
}

// focusOn gives a seat the focus; seats count from 0 here.
func (sc *Screen) focusOn(seat int) {
	sc.view.focus = seat
	sc.showFocus()
	sc.arrange()
}

// showFocus marks the pane that has the focus; under the context form none has.
func (sc *Screen) showFocus() {
	for i, p := range sc.panes {
		p.SetFocused(i == sc.view.focus && !sc.Form.IsOpen())
	}
}

// Commands lists the keys of the debate.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

// Back ends the search and unmarks a citation, and without them takes the notice away.
func (sc *Screen) Back() screen.Outcome {
	if sc.search.end() || sc.endCitation() {
		return screen.Outcome{screen.ClearNotice{}}
	}
	return screen.Outcome{screen.ClearNotice{}}
}

// BackHint says so.
func (sc *Screen) BackHint() string {
	if sc.search.words != "" && !sc.search.typing {
		return "esc end search"
	}
	return ""
}

// Title names the session, its round and how far the round is.
func (sc *Screen) Title(f screen.Frame) (left, right []theme.Part) {
	return sc.topLine(sc.th, sc.w, f.Spin, f.Now)
}

// View draws the panes, with the chips and the banner above them.
func (sc *Screen) View(f screen.Frame) string {
	l := sc.layout
	rows := make([]string, 0, sc.h-chrome)
	asked := sc.askedRows()
	for y := topRow; y < l.body.y; y++ {
		switch {
		case y-topRow < len(asked):
			rows = append(rows, asked[y-topRow])
		case y == l.chips:
			rows = append(rows, sc.chips(sc.th, sc.view.focus, sc.w, f.Now, f.Spin))
		default:
			rows = append(rows, strings.Repeat(" ", sc.w))
		}
	}
	if l.banner > 0 {
		copy(rows[len(rows)-l.banner:], sc.banner(sc.th, sc.w, f.Now))
	}
	for at := 0; at < len(l.slots); {
		beside := [][]string{}
		for y := l.slots[at].y; at < len(l.slots) && l.slots[at].y == y; at++ {
			beside = append(beside, strings.Split(sc.panes[l.slots[at].seat].View(f.Now, f.Spin), "\n"))
		}
		row := make([]string, len(beside))
		for i := range beside[0] {
			for j := range beside {
				row[j] = beside[j][i]
			}
			rows = append(rows, strings.Join(row, " "))
		}
	}
	return strings.Join(rows, "\n")
}

// Wheel scrolls the pane under the pointer.
func (sc *Screen) Wheel(x, y, _, lines int) {
	if p, _ := sc.paneAt(x, y); p != nil {
		p.Scroll(lines)
	}
}

// Click gives the seat under the pointer the focus.
func (sc *Screen) Click(x, y int) screen.Outcome {
	if p, seat := sc.paneAt(x, y); p != nil {
		sc.focusOn(seat)
	}
	return nil
}

// paneAt returns the pane that covers a cell of the screen, and its seat; nil
// where there is none.
func (sc *Screen) paneAt(x, y int) (*pane.Pane, int) {
	for _, s := range sc.layout.slots {
		if s.holds(x, y+topRow) {
			return sc.panes[s.seat], s.seat
		}
	}
	return nil, 0
}

// ShowCall gives a seat the focus, and shows the newest call of a tool in its pane. Seats
// count from 1.
func (sc *Screen) ShowCall(seat int, tool string) screen.Outcome {
	sc.focusOn(seat - 1)
	return sc.search.lookNear(tool, seat-1, 0)
}

// ShowMatch shows words in the statement of a seat in a round.
func (sc *Screen) ShowMatch(words string, who agents.ID, round int) screen.Outcome {
	_, seat := sc.Session().Seat(who)
	sc.ShowTurn(seat, round)
	return sc.search.lookNear(words, seat-1, round)
}

// ShowTurn gives a seat the focus, and shows a round in its pane. Seats count from
// 1; without a seat nothing changes.
func (sc *Screen) ShowTurn(seat, round int) {
	if seat > 0 {
		sc.focusOn(seat - 1)
		sc.focused().ShowRound(round)
	}
}

// lastStatement returns the last statement of the seat in focus, and its name.
func (sc *Screen) lastStatement() (content, what string) {
	p := sc.focused()
	if p == nil {
		return "", ""
	}
	for _, r := range sc.Session().History {
		for _, x := range r.AttemptsOf(p.Profile().ID) {
			if x.State == debate.TurnDone {
				content = text.Sanitize(x.Text())
			}
		}
	}
	return content, p.Profile().Name + "'s statement"
}

// seatInFocus returns the id of the seat in focus; "" without seats.
func (sc *Screen) seatInFocus() agents.ID {
	if p := sc.focused(); p != nil {
		return p.Profile().ID
	}
	return ""
}
