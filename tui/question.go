package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// question is a question on the notice row.
type question struct {
	screen.Question
	running bool      // it was asked while a round ran, whose end answers it
	quiet   time.Time // since when no key was pressed
}

// settledMsg is time to draw the answers of a question.
type settledMsg struct{}

// ask shows a question. It takes answers once no key was pressed for a moment.
func (m *Model) ask(q screen.Question) tea.Cmd {
	q.Text = text.Line(q.Text)
	m.question = &question{q, m.stack.running(), m.deps.Now()}
	return screen.After(m.ctx, screen.Settle, settledMsg{})
}

// renewQuestion updates the question after events.
func (m *Model) renewQuestion() {
	if q := m.question; q != nil && q.Renew != nil {
		renewed := q.Renew()
		renewed.Text = text.Line(renewed.Text)
		q.Question = renewed
	}
}

// settled reports whether the question takes answers.
func (q *question) settled(now time.Time) bool { return now.Sub(q.quiet) >= screen.Settle }

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
		m.unheard, used = now, true
	}
	if q.Dropped != nil {
		return m.carryOut(q.Dropped()), used
	}
	return nil, used
}

// rows draws the question. Its answers are shown when they are taken.
func (q *question) rows(th *theme.Theme, now time.Time, w, most int) []string {
	m := message{text: q.Text, style: th.Warning}
	if q.settled(now) {
		m.keys = q.Keys()
	}
	return m.rows(th, w, most)
}
