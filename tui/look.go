package tui

import (
	"fmt"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/tui/theme"
)


// nextSeat moves the focus.
func (m *Model) nextSeat(n int) tea.Cmd {
	if k := len(m.board.panes); k > 0 {
		m.focusOn((m.board.sight.focus + n + k) % k)
	}
	return nil
}

// jump gives the seat of that number the focus.
func (m *Model) jump(pressed string) tea.Cmd {
	n := int(pressed[0] - '0')
	if n > len(m.board.panes) {
		m.tell(plainly, fmt.Sprintf("There are %d seats.", len(m.board.panes)))
		return nil
	}
	m.focusOn(n - 1)
	return nil
}

func (m *Model) focusOn(seat int) {
	s := m.board.sight
	s.focus = seat
	m.board.look(s)
	m.arrange()
}

// refocus draws the focus anew, after the form opened or closed.
func (m *Model) refocus() { m.board.look(m.board.sight) }

// zoom shows the seat in focus alone, or all.
func (m *Model) zoom() tea.Cmd {
	m.board.sight.zoom = !m.board.sight.zoom
	m.arrange()
	return nil
}

// scroll moves by lines.
func (m *Model) scroll(lines int) tea.Cmd {
	if m.screen == atVerdict {
		m.board.report.scroll(lines)
		return nil
	}
	m.board.focus().Scroll(lines)
	return nil
}

// page moves by half a page.
func (m *Model) page(direction int) tea.Cmd {
	if m.screen == atVerdict {
		m.board.report.page(direction)
		return nil
	}
	m.board.focus().HalfPage(direction)
	return nil
}

// edge goes to the beginning or to the end.
func (m *Model) edge(direction int) tea.Cmd {
	switch {
	case m.screen == atVerdict:
		m.board.report.scroll(direction * 1 << 20)
	case direction < 0:
		m.board.focus().Top()
	default:
		m.board.focus().Bottom()
	}
	return nil
}

// round goes to an earlier or later round: all panes to the same one, or the one
// that is zoomed.
func (m *Model) round(direction int) tea.Cmd {
	b := m.board
	if b.focus() == nil {
		return nil
	}
	to := b.focus().Later()
	if direction < 0 {
		to = b.focus().Earlier()
	}
	for _, p := range b.panes {
		if !b.sight.zoom || p == b.focus() {
			p.ShowRound(to)
		}
	}
	return nil
}

// unfold shows or hides tools and thinking of the seat in focus.
func (m *Model) unfold() tea.Cmd {
	m.board.focus().ToggleTools()
	return nil
}

// nextPanel goes to another part of the verdict.
func (m *Model) nextPanel(n int) tea.Cmd {
	m.board.report.next(n)
	return nil
}

// openVerdict shows the verdict.
func (m *Model) openVerdict() tea.Cmd {
	m.screen = atVerdict
	m.arrange()
	return nil
}

func noVerdict(m *Model) string {
	b := m.board
	switch {
	case b.session.Verdict != nil || b.chair != "":
		return ""
	case len(b.session.History) == 0:
		return "No verdict yet: no round has begun."
	}
	return fmt.Sprintf("No verdict yet: round %d of %d.", len(b.session.History), b.session.Rounds)
}

// finder is the search in a transcript: a field on the notice row.
type finder struct {
	on    bool
	field textinput.Model
	query string // that is marked in the panes
}

func newFinder(th *theme.Theme) finder {
	f := finder{field: textinput.New()}
	f.field.Prompt = ""
	f.field.SetVirtualCursor(false)
	f.field.CharLimit = 200
	f.setTheme(th)
	return f
}

func (f *finder) setTheme(th *theme.Theme) {
	s := f.field.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	f.field.SetStyles(s)
}

// search lets the user type what to look for.
func (m *Model) search() tea.Cmd {
	f := &m.board.finder
	f.on = true
	f.field.SetValue("")
	f.field.SetWidth(max(m.w-20, 10))
	return f.field.Focus()
}

// findKey types into the search; enter looks.
func (m *Model) findKey(msg tea.KeyPressMsg) tea.Cmd {
	f := &m.board.finder
	if msg.String() != "enter" {
		var cmd tea.Cmd
		f.field, cmd = f.field.Update(msg)
		return cmd
	}
	f.on = false
	f.field.Blur()
	f.query = safetext.Line(f.field.Value())
	n := m.board.focus().Find(f.query)
	switch {
	case f.query == "":
		m.hush()
	case n == 0:
		m.tell(plainly, fmt.Sprintf("Nothing matches %q in %s's transcript.", f.query, m.board.focus().Profile().Name))
		f.query = ""
	default:
		m.tell(plainly, fmt.Sprintf("%q: %s, the newest is shown. n next, N previous, esc ends.", f.query, count(n, "match", "matches")))
	}
	return nil
}

// match goes to the next or the previous match.
func (m *Model) match(direction int) tea.Cmd {
	at, of := m.board.focus().FindNext(direction)
	m.tell(plainly, fmt.Sprintf("%q: match %d of %d.", m.board.finder.query, at, of))
	return nil
}

// unfind ends the search. It reports whether there was one.
func (m *Model) unfind() bool {
	f := &m.board.finder
	was := f.on || f.query != ""
	f.on, f.query = false, ""
	f.field.Blur()
	if was {
		for _, p := range m.board.panes {
			p.Find("")
		}
	}
	return was
}

func noSearch(m *Model) string {
	if m.board.finder.query == "" {
		return "Nothing is searched for. / begins."
	}
	return ""
}

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
