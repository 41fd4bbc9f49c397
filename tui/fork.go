package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/fork"
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
			plan := fork.Fork{
				Session: o.debate.Session(), Round: round, Modes: m.offer.Modes, Panels: m.deps.Panels, Typed: o.forks,
			}
			for _, seat := range m.offer.Seats {
				if seat.Problem == "" {
					plan.Models = append(plan.Models, seat.Profile)
				}
			}
			return screen.Outcome{screen.ClearNotice{}, plan.Menu()}
		}),
	}
}

func (s *sessions) fork(id string, plan debate.ForkPlan) tea.Cmd {
	return s.begin(func() tea.Msg {
		made, err := s.deps.Sessions.Fork(s.ctx, id, plan)
		return openedMsg{session: made, forked: err == nil, err: err}
	})
}
