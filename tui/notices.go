package tui

import (
	"strings"
	"time"

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
}

// add shows a notice. An error is shown again after later notices.
func (n *notices) add(new screen.Notice, now time.Time) {
	if len(n.history) == maxHistory {
		n.history = n.history[1:]
	}
	told := new
	if told.At.IsZero() {
		told.At = now
	}
	n.history = append(n.history, told)
	n.current = new
	if new.Tone == screen.Error {
		n.failure = new
	}
}

// reset replaces the history.
func (n *notices) reset(told []screen.Notice) { n.history = told[max(len(told)-maxHistory, 0):] }

// onKey clears transient notices and restores a pending error.
func (n *notices) onKey() {
	if n.current.Transient || n.failure.Text != "" {
		n.current = n.failure
	}
}

// settle clears the notice about a seat that has resumed.
func (n *notices) settle(seat agents.ID) {
	if n.current.Seat != "" && n.current.Seat == seat {
		n.current = n.failure
	}
}

// runEnded clears the notice of what went on in a run that has ended.
func (n *notices) runEnded() {
	if n.current.Live {
		n.current = n.failure
	}
}

// clear clears the notice and the pending error.
func (n *notices) clear() { n.current, n.failure = screen.Notice{}, screen.Notice{} }

// clearError clears the pending error, since its cause is gone.
func (n *notices) clearError() {
	if n.current == n.failure {
		n.current = screen.Notice{}
	}
	n.failure = screen.Notice{}
}

// restoreError replaces the notice by the pending error, if there is one.
func (n *notices) restoreError() { n.current = n.failure }

// tell shows a notice until the next key.
func (m *Model) tell(t screen.Tone, text string) {
	m.announce(screen.Notice{Text: text, Tone: t, Transient: true})
}

// announce shows a notice.
func (m *Model) announce(n screen.Notice) {
	n.Text, n.Keys = text.Line(n.Text), text.Line(n.Keys)
	if n.Text == "" {
		return
	}
	m.notices.add(n, m.deps.Now())
	if m.stack.open != nil {
		m.stack.open.debate.Form.ShowKeys(false)
	}
}

// noticeRows draws the notice row: a question, a prompt, or the last notice. What does
// not fit takes further rows from the screen.
func (m *Model) noticeRows() []string {
	th := m.th
	if q := m.question; q != nil {
		return q.rows(th, m.deps.Now(), m.w, noticeRoom(m.h))
	}
	if m.stack.onSession() && m.stack.open.prompt != nil {
		return m.stack.open.prompt.rows(th, m.w, noticeRoom(m.h))
	}
	if m.stack.onForm() {
		if keys := m.stack.open.debate.Form.NoticeRow(m.notices.current); keys != nil {
			return []string{th.Row(append([]theme.Part{{Text: " "}}, keys...), nil, m.w)}
		}
	}
	n := m.notices.current
	if m.launcher.owns(m.stack.base()) && !n.Transient && n != m.notices.failure { // it is of the debate
		n = m.notices.failure
	}
	if n.Text == "" && m.stack.base() == m.launcher.home {
		idle, deleted := m.launcher.home.Idle()
		if idle != "" {
			return []string{th.Row([]theme.Part{{Text: " " + idle, Style: th.Faint, Cut: 1}}, nil, m.w)}
		}
		n = deleted
	}
	if m.stack.open != nil && m.stack.base() == m.stack.open.approvals() && n.Keys == debateview.ApprovalKeys {
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
	return message{n.Text, n.Keys, n.Tone.Style(th), right}.rows(th, m.w, noticeRoom(m.h))
}

// noticeRoom returns how many rows a notice may take in a terminal of that height.
func noticeRoom(h int) int { return max(1, min(maxNoticeRows, h/3)) }
