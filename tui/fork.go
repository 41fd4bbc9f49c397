package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
)

func (m *Model) forkCommand() screen.Command {
	return screen.Command{
		Binding: screen.Bind("fork", "F", "fork"), Title: "Fork from this round with one thing changed",
		Group: screen.Choosing, Writes: true, Run: screen.Do(func() screen.Outcome {
			o := m.stack.open
			round := o.debate.Screen.ShownRound()
			if m.stack.base() == o.verdict {
				round = o.verdict.ShownRound()
			}
			o.fork.Open(round, m.launcher.forkChoices(m.deps.Panels))
			m.stack.push(o.fork)
			return screen.Outcome{screen.ClearNotice{}}
		}),
	}
}

func (l *launcher) forkChoices(panels []debate.Panel) reader.Choices {
	c := reader.Choices{Modes: l.offer.Modes, Panels: panels}
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
