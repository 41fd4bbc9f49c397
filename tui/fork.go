package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/compare"
	"roundtable/tui/forkview"
	"roundtable/tui/home"
	"roundtable/tui/screen"
)

// forkCommand shows what a fork from the round on screen can change.
func (m *Model) forkCommand() screen.Command {
	return screen.Command{
		Binding: screen.Bind("fork", "F  =", "fork, compare the two"), Title: "Fork from this round with one thing changed",
		Group: screen.Choosing, Writes: true, Run: screen.Do(func() screen.Outcome {
			o := m.stack.open
			round := o.debate.Screen.ShownRound()
			if m.stack.base() == o.verdict() {
				round = o.verdict().ShownRound()
			}
			o.fork().Open(round, m.launcher.forkChoices(m.deps.Panels))
			m.stack.push(o.fork())
			return screen.Outcome{screen.ClearNotice{}}
		}),
	}
}

func (l *launcher) forkChoices(panels []debate.Panel) forkview.Choices {
	c := forkview.Choices{Modes: l.offer.Modes, Panels: panels}
	for _, seat := range l.offer.Seats {
		if seat.Problem == "" {
			c.Models = append(c.Models, seat.Profile)
		}
	}
	return c
}

// fork makes a fork, which waits for the user as a session does that is opened again.
func (s *sessions) fork(id string, plan debate.ForkPlan) tea.Cmd {
	return s.begin(func() tea.Msg {
		made, err := s.deps.Sessions.Fork(s.ctx, id, plan)
		return openedMsg{session: made, forked: err == nil, err: err}
	})
}

// compareCommand compares a fork with the debate that it comes from.
func (m *Model) compareCommand() screen.Command {
	return screen.Command{
		Binding: screen.Bind("compare", "", ""), Title: "Compare the fork with its origin",
		Group: screen.Looking, Why: func() string {
			if m.stack.open.debate.Session().ForkedFrom == "" {
				return "This debate is no fork. On the list of debates, = marks two debates to compare."
			}
			return ""
		},
		Hint: func() string {
			if s := m.stack.open.debate.Session(); s.ForkedFrom != "" && s.Verdict != nil {
				return "= compare"
			}
			return ""
		},
		Rank: 4, Run: screen.Do(func() screen.Outcome {
			s := m.stack.open.debate.Session()
			return screen.Run(m.launcher.compare.Open(s.ForkedFrom, s.ID))
		}),
	}
}

// compared shows a comparison that was read, unless the user has gone elsewhere meanwhile.
func (m *Model) compared(msg compare.Loaded) tea.Cmd {
	if m.stack.base() != m.launcher.home && !m.stack.onSession() {
		return nil
	}
	shown, out := m.launcher.compare.Show(msg)
	if shown {
		m.stack.push(m.launcher.compare)
	}
	return m.carryOut(out)
}

// compareMarked compares the two sessions that were marked on the list.
func (m *Model) compareMarked(e home.Compare) tea.Cmd {
	return m.launcher.compare.Open(e.First, e.Second)
}

func (o *openSession) fork() *forkview.Screen { return screenOf[*forkview.Screen](o) }
