package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)


// tone says how a notice is meant.
type tone int

const (
	plainly tone = iota
	gladly
	urgently // the user is asked for something
	badly    // stands until its cause is gone or esc
)

// notice is one line above the bottom line.
type notice struct {
	text string
	keys string // what can be done about it; never cut
	tone tone
	at   time.Time // when it happened, if that is shown
	past bool      // it is over with the next key: it answers one
	of   agents.ID // whose trouble it is, which is over when that seat goes on
}

// maxTold is how many notices are kept for reading again.
const maxTold = 200

// tell replaces the notice. Bad news comes back when the notice has been seen.
func (m *Model) tell(t tone, text string) { m.announce(notice{text: text, tone: t, past: true}) }

// advise tells something, with the keys that help.
func (m *Model) advise(t tone, text, keys string) {
	m.announce(notice{text: text, keys: keys, tone: t, past: true})
}

func (m *Model) announce(n notice) {
	n.text, n.keys = safetext.Line(n.text), safetext.Line(n.keys)
	if n.text == "" {
		return
	}
	if len(m.told) == maxTold {
		m.told = m.told[1:]
	}
	kept := n
	if kept.at.IsZero() {
		kept.at = m.now()
	}
	m.told = append(m.told, kept)
	m.notice = n
	if n.tone == badly {
		m.alarm = n
	}
	if m.board != nil {
		m.board.sheet.hints = false
	}
}

// seen follows a key: what answered the key before is over, and so is whatever
// stands before bad news.
func (m *Model) seen() {
	if m.notice.past || m.alarm.text != "" {
		m.notice = m.alarm
	}
}

// settledBy takes a seat's trouble away when an event says that the seat goes on.
func (m *Model) settledBy(ev debate.Event) {
	if t, ok := turnOf(ev); ok && m.notice.of != "" && m.notice.of == t.Agent {
		m.notice = m.alarm
	}
}

// hush takes the notice away, and bad news with it.
func (m *Model) hush() { m.notice, m.alarm = notice{}, notice{} }

// mended takes bad news away whose cause is gone.
func (m *Model) mended(what trouble) {
	if m.board == nil || m.board.stuck != what {
		return
	}
	m.board.stuck = noTrouble
	m.calm()
}

// calm takes bad news away.
func (m *Model) calm() {
	if m.notice == m.alarm {
		m.notice = notice{}
	}
	m.alarm = notice{}
}

func (t tone) style(th *theme.Theme) lipgloss.Style {
	switch t {
	case gladly:
		return th.Success
	case urgently:
		return th.Warning
	case badly:
		return th.Danger
	case plainly:
	}
	return th.Muted
}

// question is asked on the notice row; the next key answers it.
type question struct {
	text    string
	keys    string                          // what each answer does; never cut
	answers map[string]func(*Model) tea.Cmd // by key
	running bool                            // it was asked because a round ran
	of      agents.ID                       // the seat it is about; "": none
}

// ask asks a question. Any key that is no answer drops it, and so does the end of
// a round that it was about.
func (m *Model) ask(text, keys string, answers map[string]func(*Model) tea.Cmd) tea.Cmd {
	m.question = &question{text: safetext.Line(text), keys: keys, answers: answers, running: m.running()}
	return nil
}

// askAgain asks about a seat as it is by now. What its end has answered is said to
// be over instead: the key that was to cancel it must not run it again.
func (m *Model) askAgain() {
	q := m.question
	if q == nil || q.of == "" {
		return
	}
	p := m.board.pane(q.of)
	if !p.State().Over() {
		m.askCancel(p)
		return
	}
	q.text, q.keys = fmt.Sprintf("%s is no longer at work: nothing is cancelled.", safetext.Line(p.Profile().Name)), "esc goes on"
	q.answers = map[string]func(*Model) tea.Cmd{"x": func(*Model) tea.Cmd { return nil }}
}

// settled drops a question that the end of a run has answered.
func (m *Model) settled() {
	if m.question != nil && m.question.running {
		m.question, m.quitting = nil, false
	}
}

// reply answers the question. It reports whether the key is used up.
func (m *Model) reply(pressed string) (tea.Cmd, bool) {
	q := m.question
	m.question = nil
	if do, ok := q.answers[pressed]; ok {
		return do(m), true
	}
	return nil, pressed == "esc"
}
