package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/agents"
	"roundtable/internal/text"
	"roundtable/tui/debateview"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// maxHistory is how many notices the tool log keeps.
const maxHistory = 200

// notices are shown on the row above the bottom line.
type notices struct {
	current screen.Notice
	failure screen.Notice   // the error that stands; it may be behind another notice
	history []screen.Notice // the notices before, oldest first
	whole   bool            // until the next key the notice has all its rows
}

// add shows a notice, and keeps it unless it only answers a key. An error is shown again after
// later notices.
func (n *notices) add(new screen.Notice, now time.Time) {
	if !new.Transient || new.Tone != screen.Info {
		told := new
		told.At = cmp.Or(told.At, now)
		n.history = append(n.history[max(len(n.history)-maxHistory+1, 0):], told)
	}
	if new.Optional && n.current.Required {
		return
	}
	n.current = new
	if new.Tone == screen.Error {
		n.failure = new
	}
}

func (n *notices) settle(seat agents.ID) {
	if n.current.Seat != "" && n.current.Seat == seat {
		n.current = n.failure
	}
}

func (n *notices) runEnded() {
	if n.current.Live {
		n.current = n.failure
	}
}

func (n *notices) toggle() screen.Outcome {
	n.whole = !n.whole
	return nil
}

func (n *notices) clear() { n.current, n.failure = screen.Notice{}, screen.Notice{} }

// clearError clears the pending error, since its cause is gone.
func (n *notices) clearError() {
	if n.current == n.failure {
		n.current = screen.Notice{}
	}
	n.failure = screen.Notice{}
}

func (m *Model) tell(t screen.Tone, text string) {
	m.announce(screen.Notice{Text: text, Tone: t, Transient: true})
}

func (m *Model) announce(n screen.Notice) {
	n.Text, n.Keys = m.deps.Commands.Hints(text.Line(n.Text)), text.Line(n.Keys)
	if n.Text == "" {
		return
	}
	m.notices.add(n, m.deps.Now())
}

// noticeRows draws the notice row: a question, a prompt, or the last notice. What does
// not fit takes further rows from the screen.
func (m *Model) noticeRows() []string {
	th := m.th
	if q := m.question; q != nil {
		most, more := noticeRoom(m.h), ""
		if m.notices.whole {
			most = max(m.h/2, most)
		} else if !m.stack.typing() {
			more = m.commands.keys.of("!") + " more"
		}
		return q.rows(th, m.deps.Now(), m.w, most, more)
	}
	if r := m.stack.row(); r.prompt != nil {
		return r.prompt.rows(th, m.w, noticeRoom(m.h))
	}
	n := m.notices.current
	if caption := m.caption(); caption != "" && n.Tone == screen.Info && n.Seat == "" && (n.Live || n.Text == "") {
		n.Text = caption
	}
	if m.owns(m.stack.base()) && !n.Transient && !n.Elsewhere && n != m.notices.failure { // it is of the debate
		n = m.notices.failure
	}
	if n.Text == "" && m.stack.base() == m.home {
		n = m.home.Deleted()
		if running := m.goingOn(); running != "" && n.Text == "" {
			return []string{th.Row([]theme.Part{{Text: " " + running, Style: th.Faint, Cut: 1}}, nil, m.w)}
		}
	}
	if m.stack.open != nil && m.stack.base() == m.stack.open.approvals && n.Keys == debateview.ApprovalKeys(m.deps.Keys) {
		n.Keys = "" // they have led here
	}
	if key, _, named := strings.Cut(n.Keys, ":"); named && key != "enter" && !strings.HasPrefix(key, "ctrl+") && m.stack.typing() {
		n.Keys = "" // they are text
	}
	var right []theme.Part
	switch {
	case m.notices.failure.Text != "" && n != m.notices.failure:
		right = []theme.Part{{Text: th.Symbols.Failed + " unresolved error ", Style: th.Danger}}
	case !n.At.IsZero():
		right = []theme.Part{{Text: n.At.In(m.deps.Now().Location()).Format("15:04:05") + " ", Style: th.Faint, Cut: 1, Whole: true}}
	}
	shown := message{n.Text, m.deps.Commands.Hints(n.Keys), n.Tone.Style(th), right, ""}
	if m.notices.whole {
		return shown.rows(th, m.w, max(m.h/2, 1))
	}
	if !m.stack.typing() {
		shown.more = m.commands.keys.of("!") + " more"
	}
	return shown.rows(th, m.w, m.rowsOf(n))
}

// rowsOf returns how many rows a notice has until the user asks for the rest. In a usual
// terminal that is one, and one more for what helps after a failure.
func (m *Model) rowsOf(n screen.Notice) int {
	helps := n.Keys != "" && n.Keys != debateview.ApprovalKeys(m.deps.Keys)
	switch {
	case m.h >= tall:
		return maxNoticeRows
	case helps && !n.Required && (n.Tone == screen.Warning || n.Tone == screen.Error):
		return 2
	}
	return 1
}

func (m *Model) caption() string {
	if m.stack.open == nil || m.stack.base() != m.stack.open.debate.Screen {
		return ""
	}
	return m.stack.open.debate.Caption()
}

// noticeRoom returns how many rows a question may take in a terminal of that height.
func noticeRoom(h int) int { return max(1, min(maxNoticeRows, (h-4)/2)) }

// maxNoticeRows is the largest number of rows of a message, and tall the height from which a
// notice has them.
const (
	maxNoticeRows = 4
	tall          = 30
)

// message is what a notice or a question says, and the keys that help.
type message struct {
	text, keys string
	style      lipgloss.Style
	right      []theme.Part // at the end of the last row
	more       string       // takes the place of right where something is left out; "": nothing does
}

// rows draws the message in at most so many rows. What helps is left out last.
func (m message) rows(th *theme.Theme, width, most int) []string {
	lines := m.wrapped(m.room(width))
	if len(lines) > most {
		if m.more != "" {
			m.right = []theme.Part{{Text: " " + m.more + " ", Style: th.Text}}
		}
		lines = m.cut(th, m.room(width), most)
	}
	rows := make([]string, len(lines))
	for i, l := range lines {
		var right []theme.Part
		if i == len(lines)-1 {
			right = m.right
		}
		rows[i] = th.Row([]theme.Part{{Text: " " + l, Style: m.style, Cut: 2}}, right, width)
	}
	return rows
}

// room returns the cells of a row beside what is at its end.
func (m message) room(width int) int {
	room := width - 2
	for _, p := range m.right {
		if !p.Whole {
			room -= theme.Width(p.Text) + 1
		}
	}
	return room
}

func (m message) wrapped(room int) []string {
	lines := theme.Wrap(m.text, room)
	last := strings.TrimSpace(lines[len(lines)-1] + m.gap() + m.keys)
	if m.keys == "" || theme.Width(last) <= room {
		return append(lines[:len(lines)-1], last)
	}
	return append(lines, theme.Wrap(m.keys, room)...)
}

// leastText is how many cells of the text a row shows before what helps, at least.
const leastText = 8

// cut returns the message in fewer rows than it needs: the beginning of its text, and what helps.
func (m message) cut(th *theme.Theme, room, most int) []string {
	rest := room - theme.Width(m.gap()+m.keys)
	switch {
	case most == 1 && rest >= leastText:
		return []string{th.Truncate(m.text, rest) + m.gap() + m.keys}
	case most == 1:
		return []string{th.Truncate(m.keys, room)}
	}
	lines, keys := theme.Wrap(m.text, room), theme.Wrap(m.keys, room)
	if m.keys == "" { // the end says what to do
		keys = slices.Clone(lines[len(lines)-most/2:])
	}
	if len(keys) >= most {
		last := strings.Join(keys[most-1:], " ")
		return append(keys[:most-1], th.Truncate(last, room-1)+th.Symbols.Cut)
	}
	if n := most - len(keys); len(lines) > n {
		lines = lines[:n]
		lines[n-1] = th.Truncate(lines[n-1], room-1) + th.Symbols.Cut
	}
	return append(lines, keys...)
}

func (m message) gap() string {
	switch {
	case m.keys == "":
		return ""
	case strings.HasSuffix(m.text, ".") || strings.HasSuffix(m.text, "?") || strings.HasSuffix(m.text, ":"):
		return " "
	}
	return "  "
}

type question struct {
	screen.Question
	of    *openSession // it was asked while a round of it ran, whose end answers it; nil: none does
	quits bool         // another ctrl+c answers it at any time
	quiet time.Time    // since when no key was pressed
}

// settledMsg is time to draw the answers of a question.
type settledMsg struct{}

func (m *Model) ask(q screen.Question) tea.Cmd {
	m.commands.list() // brings the keys of the screen up to date
	q = m.commands.keys.inQuestion(q)
	q.Text = text.Line(q.Text)
	m.question = &question{Question: q, quiet: m.deps.Now()}
	if m.stack.running() {
		m.question.of = m.stack.open
	}
	if q.About == screen.Choice {
		return nil
	}
	return screen.After(m.ctx, screen.Settle, settledMsg{})
}

func (m *Model) renewQuestion() {
	if q := m.question; q != nil && q.Renew != nil {
		renewed := m.commands.keys.inQuestion(q.Renew())
		renewed.Text = text.Line(renewed.Text)
		q.Question = renewed
	}
}

func (q *question) settled(now time.Time) bool {
	return q.About == screen.Choice || now.Sub(q.quiet) >= screen.Settle
}

// reply answers the question; a key that is not an answer drops it. It reports
// whether the key is used up, as the next key of a sentence is.
func (m *Model) reply(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	q, now, pressed := m.question, m.deps.Now(), msg.String()
	do, ok := q.Answer(pressed)
	switch {
	case ok && !q.settled(now):
		q.quiet = now
		return screen.After(m.ctx, screen.Settle, settledMsg{}), true
	case ok && do != nil:
		m.question = nil
		return m.carryOut(do()), true
	}
	m.question = nil
	used := ok || pressed == "esc" || pressed == "enter" // enter was meant for the question
	if !used && msg.Text != "" && !m.stack.typing() {
		m.lastIgnored, used = now, true
	}
	if q.Dropped != nil {
		return m.carryOut(q.Dropped()), used
	}
	return nil, used
}

func (q *question) rows(th *theme.Theme, now time.Time, w, most int, more string) []string {
	m := message{text: q.Text, style: th.Warning, more: more}
	if q.settled(now) {
		m.keys = q.Keys()
	}
	return m.rows(th, w, most)
}
