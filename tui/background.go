package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// defaultBackground is how many debates run at once where the configuration does not say.
const defaultBackground = 4

func (s *sessions) find(holds func(*openSession) bool) *openSession {
	if i := slices.IndexFunc(s.held, holds); i >= 0 {
		return s.held[i]
	}
	return nil
}

func (s *sessions) session(id string) *openSession {
	return s.find(func(o *openSession) bool { return o.debate.Session().ID == id })
}

func (s *sessions) owner(l *liveRun) *openSession {
	return s.find(func(o *openSession) bool { return o.run == l })
}

func (s *sessions) running() []*openSession {
	return slices.DeleteFunc(slices.Clone(s.held), func(o *openSession) bool { return !o.debate.Running() })
}

func (s *sessions) hasRoom() bool {
	return len(s.running()) < cmp.Or(s.deps.Background, defaultBackground)
}

func (s *sessions) live(id string) home.Live {
	switch o := s.session(id); {
	case o == nil:
		return home.NotOpen
	case o.debate.Next().Kind == control.AskApproval:
		return home.AsksApproval
	case o.debate.Running() && o.debate.Asks():
		return home.AsksQuestion
	case o.debate.Running():
		return home.Running
	case o.debate.Queued():
		return home.Queued
	}
	return home.Open
}

func (o *openSession) name() string {
	return `"` + text.Clip(text.Line(o.debate.Session().Name()), 36) + `"`
}

// unfinished says what is lost and what is kept if the program ends now; "" if nothing runs.
func (m *Model) unfinished() string {
	switch all := m.sessions.running(); {
	case len(all) == 0:
		return ""
	case len(all) > 1:
		return fmt.Sprintf("%d debates run: %s. Finished answers are saved; the rest is asked again on resume.", len(all),
			text.List(text.Each(all, (*openSession).name)))
	case all[0] != m.stack.open:
		return all[0].name() + ": " + all[0].debate.Words().Unfinished()
	default:
		return all[0].debate.Words().Unfinished()
	}
}

// background returns the sessions that run or wait to, but for the one that is shown.
func (m *Model) background() []*openSession {
	return slices.DeleteFunc(slices.Clone(m.sessions.held), func(o *openSession) bool {
		return !o.debate.Running() && !o.debate.Queued() || o == m.stack.open && m.stack.showsSession()
	})
}

// goingOn says on the list what runs in the background; "" if nothing does.
func (m *Model) goingOn() string {
	switch all := m.background(); len(all) {
	case 0:
		return ""
	case 1:
		return all[0].name() + " runs in the background. " + m.deps.Keys.Of("pause") + " on its row pauses it."
	default:
		return fmt.Sprintf("%d debates run in the background. %s pauses the marked one.", len(all), m.deps.Keys.Of("pause"))
	}
}

// backgroundParts counts the debates in the background, and those that need the user.
func (m *Model) backgroundParts() []theme.Part {
	all, asking := m.background(), 0
	for _, o := range all {
		if live := m.sessions.live(o.debate.Session().ID); live == home.AsksApproval || live == home.AsksQuestion {
			asking++
		}
	}
	switch {
	case asking > 0:
		return []theme.Part{{Text: fmt.Sprintf(" %s +%d running, %d asks", m.th.Symbols.Waits, len(all), asking), Style: m.th.Warning}}
	case len(all) > 0:
		return []theme.Part{{Text: fmt.Sprintf(" %s +%d running", m.th.Symbols.Busy[0], len(all)), Style: m.th.Muted}}
	}
	return nil
}

// attach shows a session that went on in the background, as it is now.
func (m *Model) attach(o *openSession) tea.Cmd {
	left := m.leaveSession()
	m.showSession(o)
	if p := o.debate.Problem(); o.debate.NotSaved() {
		m.saveFailed(p.Err)
	}
	return tea.Batch(left, m.showMatch())
}

func (m *Model) showSession(o *openSession) {
	m.notices.clear()
	m.notices.history = o.history[max(len(o.history)-maxHistory, 0):]
	m.question = nil // it may be of another debate
	m.stack.open = o
	maps.Copy(m.commands.shared, o.debate.Shared())
	m.stack.show()
	o.setTheme(m.th)
	if !screen.TooSmall(m.w, m.h) {
		o.setSize(m.w, m.h-3)
	}
}

// carryOutIn does what a session asks for. Nothing of one in the background opens by itself.
func (m *Model) carryOutIn(o *openSession, out screen.Outcome) tea.Cmd {
	if o == m.stack.open {
		return m.carryOut(out)
	}
	var cmds []tea.Cmd
	for _, effect := range out {
		switch e := effect.(type) {
		case tea.Cmd:
			cmds = append(cmds, e)
		case screen.RunBegan:
			cmds = append(cmds, m.follow())
		case screen.SaveFailed:
			o.unsaved = e.What
			m.tellOf(screen.Error, "Cannot save "+o.name()+": "+control.Cause(e.Err)+". Paused; all text is still here.")
		case screen.Saved:
			if o.unsaved == e.What {
				o.unsaved = 0
			}
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) tellOf(tone screen.Tone, words string) {
	n := screen.Notice{Text: words, Tone: tone, Elsewhere: true}
	if m.stack.open != nil {
		n.Keys = m.deps.Keys.Does("debates", "debates")
	}
	m.announce(n)
}

// settle closes a session in the background that has nothing left to do without the user,
// and says why. One that could not be saved stays open, since its text is only here.
func (m *Model) settle(o *openSession) tea.Cmd {
	if o == m.stack.open || o.debate.GoesOn() || !slices.Contains(m.sessions.held, o) {
		return nil
	}
	if o.debate.NotSaved() || o.unsaved != 0 {
		return nil // it was told
	}
	tone := screen.Warning
	if o.debate.Next().Kind == control.Finished {
		tone = screen.Success
	}
	if !o.debate.Paused() || o.debate.Problem() != nil || o.debate.OpenRound() != nil { // else the user paused it
		m.tellOf(tone, o.debate.Words().Attention(o.name()))
	}
	if o.unsent() {
		return m.beginQueued()
	}
	return tea.Batch(m.closeSession(o), m.beginQueued())
}

func (m *Model) beginQueued() tea.Cmd {
	cmds := text.Each(m.sessions.held, func(o *openSession) tea.Cmd { return m.carryOutIn(o, o.debate.BeginQueued()) })
	return tea.Batch(cmds...)
}

func (m *Model) pauseMarked(id string) tea.Cmd {
	o := m.sessions.session(id)
	if o == nil {
		return nil
	}
	if err := o.debate.Check(control.PauseNow, control.Values{}); err != nil {
		return m.carryOut(screen.Tell(screen.Info, text.Sentence(err.Error())))
	}
	return m.ask(m.pauseQuestion(o))
}

func (m *Model) pauseQuestion(o *openSession) screen.Question {
	v := control.Values{}
	q := screen.Question{Key: "space", Verb: "pause", Renew: func() screen.Question { return m.pauseQuestion(o) }}
	if err := o.debate.Check(control.PauseNow, v); err != nil {
		q.Text, q.Verb = text.Sentence(err.Error()), ""
		return q
	}
	q.Text = o.debate.Question(control.PauseNow, v)
	if q.Text == "" {
		q.Text = "Pause " + o.name() + " before it begins?"
	}
	q.Do = func() screen.Outcome {
		return screen.Run(tea.Batch(m.carryOutIn(o, o.debate.PauseNow()), m.settle(o)))
	}
	return q
}

// newsOf keeps the notice of an event of a session in the background for its tool log, and
// tells the user what needs an answer at once.
func (m *Model) newsOf(o *openSession, ev debate.Event) tea.Cmd {
	if n, ok := o.debate.Screen.NoticeOf(ev); ok {
		n.At = cmp.Or(n.At, m.deps.Now())
		o.history = append(o.history, n)
	}
	if _, asks := ev.(debate.ApprovalAsked); !asks {
		return nil
	}
	words := o.debate.Words().Attention(o.name())
	m.tellOf(screen.Warning, words)
	return m.bell(words)
}

// farewells returns the commands that go on with the sessions that were open, the last one first.
func (s *sessions) farewells(command func(id string) string) string {
	var lines []string
	for _, o := range slices.Backward(s.held) {
		line := "Continue: "
		if o.debate.Phase() == control.PhaseOver {
			line = "Read again: "
		}
		if line += command(o.debate.Session().ID); len(s.held) > 1 {
			line += "  # " + o.name()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
