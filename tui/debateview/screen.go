package debateview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/control"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/form"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen is the debate screen: the panes of the seats, with the chips and the
// banner above them. Its commands are those of the Debate that it belongs to.
type Screen struct {
	screen.NoInput
	*control.Controller
	Form     *form.Screen // lies over the debate and the verdict
	panes    []*pane.Pane
	keys     keymap.Changes // of the user, which its texts name
	th       *theme.Theme
	w, h     int // of the terminal
	view     viewport
	layout   layout
	chipsAt  []int // where each seat begins in the row of chips
	search   search
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
	sc.w, sc.h, sc.view.lost = w, h+chrome, 0
	sc.arrange()
}

// Lower implements screen.Lowerer: the panes stay where they are, with fewer rows.
func (sc *Screen) Lower(rows int) {
	sc.view.lost = rows
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

func (sc *Screen) arrange() {
	sc.view.banner, sc.view.asked = len(sc.bannerRows(sc.w, time.Time{})), len(sc.askedRows())
	lost := sc.view.lost
	sc.view.lost += len(sc.folded())
	sc.layout = arrange(sc.w, sc.h, len(sc.panes), sc.view)
	sc.view.first, sc.view.lost = sc.layout.first, lost
	for _, s := range sc.layout.slots {
		sc.panes[s.seat].SetSize(s.w, s.h)
	}
	if sc.Form.IsOpen() { // a pane stands beside it
		sc.Form.Arrange()
	}
}

func (sc *Screen) focused() *pane.Pane { return sc.panes[sc.view.focus] }

func (sc *Screen) focusOn(seat int) {
	sc.view.focus = seat
	sc.showFocus()
	sc.arrange()
}

func (sc *Screen) choose(seat int) {
	sc.view.chosen = true
	sc.focusOn(seat)
}

// Follows reports whether the focus follows what happens: the user has not chosen a seat,
// and reads nothing above the end of its pane.
func (sc *Screen) Follows() bool {
	return !sc.view.chosen && sc.focused().Following()
}

// follow gives the focus to the seat that an event is about, if it follows. A new round
// frees it where the user reads the end of the pane.
func (sc *Screen) follow(ev debate.Event) {
	if _, isText := ev.(debate.Text); isText {
		return
	}
	if _, begins := ev.(debate.RoundStarted); begins && sc.focused().Following() && !sc.view.zoom {
		sc.view.chosen = false
	}
	if seat, ok := sc.acting(); ok && sc.Follows() && seat != sc.view.focus {
		sc.focusOn(seat)
	}
}

// acting returns the seat that matters most: the one that writes where they take turns, else
// the one that asks, else the one that failed.
func (sc *Screen) acting() (seat int, ok bool) {
	s := sc.Session()
	busy := func(p *pane.Pane) bool { return p.Seat().State().Busy() }
	if i := slices.IndexFunc(sc.panes, busy); i >= 0 && s.Mode.Order == debate.Sequential {
		return i, true
	}
	for _, r := range s.Unanswered() {
		if _, n := s.Seat(r.Asks[0].Turn.Agent); n > 0 {
			return n - 1, true
		}
	}
	i := slices.IndexFunc(sc.panes, func(p *pane.Pane) bool { return p.Seat().State().Kind == control.SeatFailed })
	return i, i >= 0
}

// showFocus marks the pane that has the focus; under the context form none has.
func (sc *Screen) showFocus() {
	for i, p := range sc.panes {
		p.SetFocused(i == sc.view.focus && !sc.Form.IsOpen())
	}
}

// Commands lists the keys of the debate.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

// Back ends the search, unmarks a citation, ends the zoom or frees the seat that was chosen,
// and without them leaves the debate.
func (sc *Screen) Back() screen.Outcome {
	switch {
	case sc.search.end():
		return screen.Outcome{screen.ClearNotice{}}
	case sc.view.zoom:
		return sc.zoom()
	case sc.view.chosen && sc.Running():
		sc.view.chosen = false
		sc.focused().Bottom()
		if seat, ok := sc.acting(); ok {
			sc.focusOn(seat)
		}
		return screen.Outcome{screen.ClearNotice{}}
	}
	return screen.Outcome{GoHome{}}
}

// BackHint names esc while a search is shown, or a seat is chosen.
func (sc *Screen) BackHint() string {
	switch {
	case sc.search.words != "":
		return "esc end search"
	case sc.view.chosen && !sc.view.zoom && sc.Running():
		return "esc follow"
	}
	return ""
}

// Title names the session, its round and how far the round is.
func (sc *Screen) Title(f screen.Frame) (left, right []theme.Part) {
	return sc.topLine(f, len(sc.askedRows()) > 0)
}

// TopLine is the title of the screens that leave it to the session.
func (sc *Screen) TopLine(f screen.Frame) (left, right []theme.Part) {
	return sc.topLine(f, false)
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
			var row string
			row, sc.chipsAt = sc.chips(f.Now, f.Spin)
			rows = append(rows, row)
		default:
			rows = append(rows, strings.Repeat(" ", sc.w))
		}
	}
	if l.banner > 0 {
		copy(rows[len(rows)-l.banner:], sc.banner(f.Now))
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
	rows = append(rows, sc.folded()...)
	return strings.Join(rows, "\n")
}

// LayingOut implements screen.LayingOut.
func (sc *Screen) LayingOut() bool {
	return slices.ContainsFunc(sc.layout.slots, func(s slot) bool { return sc.panes[s.seat].LayingOut() })
}

// Wheel scrolls the pane under the pointer.
func (sc *Screen) Wheel(x, y, _, lines int) {
	if p, _ := sc.paneAt(x, y); p != nil {
		sc.view.chosen = true
		p.Scroll(lines)
	}
}

// Click gives the seat under the pointer the focus.
func (sc *Screen) Click(x, y int) screen.Outcome {
	seat := -1
	if y+topRow == sc.layout.chips {
		for i, at := range sc.chipsAt {
			if at <= x {
				seat = i
			}
		}
	} else if p, n := sc.paneAt(x, y); p != nil {
		seat = n
	}
	if seat >= 0 {
		sc.choose(seat)
	}
	return nil
}

func (sc *Screen) paneAt(x, y int) (*pane.Pane, int) {
	for _, s := range sc.layout.slots {
		if s.holds(x, y+topRow) {
			return sc.panes[s.seat], s.seat
		}
	}
	return nil, 0
}

// ShowMatch shows words in the statement of a seat in a round, or in the answer to what it asked.
func (sc *Screen) ShowMatch(words string, who agents.ID, round int, answer bool) screen.Outcome {
	_, seat := sc.Session().Seat(who)
	if answer {
		sc.pane(who).ShowDetails()
	}
	sc.search.look(words, seat-1, round)
	return sc.search.tell()
}

func (sc *Screen) seatInFocus() agents.ID { return sc.focused().Seat().Profile().ID }

// mostAsked is how many rows of the question are shown below the top line, and besideTitle
// the width that the top line needs besides the name of the debate.
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
		more := " " + sc.th.Symbols.Cut + " " + sc.keys.Of("topic") + " shows it all"
		rows = rows[:mostAsked]
		rows[1] = strings.TrimRight(theme.Wrap(rows[1], sc.w-4-theme.Width(more))[0], " ") + more
	}
	return text.Each(rows, func(r string) string { return sc.th.Fit("  "+sc.th.Muted.Render(strings.TrimLeft(r, " ")), sc.w) })
}

func (sc *Screen) nextSeat(n int) {
	k := len(sc.panes)
	sc.choose((sc.view.focus + n + k) % k)
}

func (sc *Screen) jump(pressed string) screen.Outcome {
	n := int(pressed[0] - '0')
	if n > len(sc.panes) {
		return screen.Tell(screen.Info, fmt.Sprintf("There are only %d seats.", len(sc.panes)))
	}
	sc.choose(n - 1)
	return nil
}

func (sc *Screen) zoom() screen.Outcome {
	sc.view.zoom, sc.view.chosen = !sc.view.zoom, true
	sc.arrange()
	return nil
}

func (sc *Screen) scroll(lines int) {
	sc.view.chosen = true
	sc.focused().Scroll(lines)
}

func (sc *Screen) halfPage(direction int) {
	sc.view.chosen = true
	sc.focused().HalfPage(direction)
}

func (sc *Screen) edge(direction int) {
	sc.view.chosen = true
	if direction < 0 {
		sc.focused().Top()
		return
	}
	sc.focused().Bottom()
}

// ShownRound returns the round at the top of the pane in focus.
func (sc *Screen) ShownRound() int { return sc.focused().NextRound() - 1 }

func (sc *Screen) turnRound(direction int) {
	at := sc.focused()
	sc.view.chosen = true
	to := at.NextRound()
	if direction < 0 {
		to = at.PrevRound()
	}
	for _, p := range sc.panes {
		if !sc.view.zoom || p == at {
			p.ShowRound(to)
		}
	}
}

func (sc *Screen) copyStatement() screen.Outcome {
	profile, content := sc.focused().Seat().Profile(), ""
	for _, r := range sc.Session().History {
		for _, x := range r.AttemptsOf(profile.ID) {
			if x.State == debate.TurnDone {
				content = text.Sanitize(x.Text())
			}
		}
	}
	return screen.Outcome{screen.Copy{Text: content, What: profile.Name + "'s statement"}}
}

// citationsInFocus returns the evidence that the seat in focus cites in its statements,
// each place once, the newest statement first.
func (sc *Screen) citationsInFocus() []debate.Citation {
	var out []debate.Citation
	for _, r := range slices.Backward(sc.Session().History) {
		for _, x := range slices.Backward(r.AttemptsOf(sc.seatInFocus())) {
			for _, c := range cite.By(x.Statement).Evidence {
				if _, known := cite.FindEvidence(sc.Session().Evidence, c.ID); known && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// markCitation shows the place that the seat in focus cites so many after the one that is shown.
func (sc *Screen) markCitation(by int) screen.Outcome {
	sc.view.chosen = true
	all, at := sc.citationsInFocus(), -1
	if sc.search.citedBy == sc.view.focus {
		at = slices.Index(all, sc.search.cited)
	}
	if by < 0 {
		at = max(at, 0)
	}
	at = (at + by + len(all)) % len(all)
	c := all[at]
	sc.search.look("["+c.String()+"]", sc.view.focus, 0)
	sc.search.cited, sc.search.citedBy = c, sc.view.focus
	e, _ := cite.FindEvidence(sc.Session().Evidence, c.ID)
	name := text.Clip(text.Line(e.Name), 40)
	if place := cite.Place(c, e); place != "" {
		name += ", " + text.Clip(text.Line(place), 60)
	}
	return screen.Outcome{screen.Notice{
		Text: fmt.Sprintf("[%s] %s, %d of %d.", c, name, at+1, len(all)),
		Keys: "enter: open it · " + sc.keys.Does("next-citation", "next"), Transient: true,
	}}
}

// unfold opens the evidence of the citation that is shown, or else shows tools and thinking.
func (sc *Screen) unfold() screen.Outcome {
	if c := sc.search.cited; c != (debate.Citation{}) {
		sc.search.clear()
		return screen.Outcome{screen.OpenCitation{Citation: c}}
	}
	sc.focused().ToggleTools()
	return nil
}
