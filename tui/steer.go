package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/pane"
)

// togglePause lets the debate stop when the round is done, or go on.
func (m *Model) togglePause() tea.Cmd {
	b := m.board
	switch {
	case b.live != nil && !b.paused:
		b.paused = true
		m.tell(plainly, fmt.Sprintf("%s The debate pauses when round %d is done. space goes on.", m.th.Symbols.Paused, len(b.session.History)))
		return nil
	case b.live != nil:
		b.paused = false
		m.tell(plainly, "The debate goes on after this round.")
		return nil
	}
	b.paused = false
	if b.session.Status() == debate.NeedsContext {
		return m.advance()
	}
	return m.start()
}

func noPause(m *Model) string {
	b := m.board
	switch {
	case b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case b.chair != "":
		return "The verdict is being written."
	}
	return ""
}

// cancelOrRetry asks before it cancels the seat in focus, or runs it again.
func (m *Model) cancelOrRetry() tea.Cmd {
	b := m.board
	p := b.focus()
	id := p.Profile().ID
	switch state := p.State(); {
	case b.live != nil && !state.Over():
		return m.askCancel(p)
	case b.live != nil:
		b.live.run.Retry(id)
		return nil
	case b.failed != nil:
		return m.start()
	case b.session.Status() == debate.Interrupted:
		cmd := m.start()
		over := state.Kind == pane.Failed || state.Kind == pane.Cancelled
		if over && !unanswered(b.session.Current()) { // the rest of the round passes over it
			b.live.run.Retry(id)
		}
		return cmd
	default:
		return m.follow(m.deps.Player.Retry(m.ctx, b.session, id))
	}
}

// askCancel asks before a seat is cancelled, with what is lost by it. One that
// waits for its provider can also be told to try at once.
func (m *Model) askCancel(p *pane.Pane) tea.Cmd {
	id, name := p.Profile().ID, p.Profile().Name
	answers := map[string]func(*Model) tea.Cmd{"x": func(m *Model) tea.Cmd {
		if m.running() {
			m.board.live.run.Cancel(id)
		}
		return nil
	}}
	text, keys := fmt.Sprintf("Cancel %s?", name), "x cancels · esc goes on"
	switch n := p.Written(); {
	case n > 0:
		text = fmt.Sprintf("Cancel %s? %d tok are kept, not used.", name, n)
	case p.State().Kind == pane.Queued:
		text, keys = fmt.Sprintf("Skip %s? The round goes on without it.", name), "x skips · esc goes on"
	}
	if waits(p) {
		answers["r"], keys = (*Model).hurry, "x cancels · r tries now · esc goes on"
	}
	cmd := m.ask(text, keys, answers)
	m.question.of = id
	return cmd
}

// noSeatAction says why a seat can neither be cancelled nor run again.
func noSeatAction(m *Model) string {
	b := m.board
	p := b.focus()
	if p == nil {
		return "No seat has the focus."
	}
	name, state := p.Profile().Name, p.State()
	ended := b.session.Current() != nil && !b.session.Current().Ended.IsZero()
	switch {
	case b.live != nil && b.chair != "":
		return "The verdict is being written."
	case state.Kind == pane.Done:
		return name + " is done."
	case b.live != nil && !state.Over():
		return ""
	case b.live != nil && m.stepOf(p) < b.step:
		return fmt.Sprintf("x runs %s again when the round is done.", name)
	case b.live == nil && b.session.Verdict != nil:
		return "The debate has ended. + adds a round."
	case b.live == nil && (state.Kind == pane.Idle || state.Kind == pane.Queued) && ended:
		return name + " has nothing to run again."
	}
	return ""
}

// stepOf returns the step of the round in which a seat spoke last.
func (m *Model) stepOf(p *pane.Pane) int {
	c := m.board.session.Current()
	if c == nil {
		return 0
	}
	step := 0
	for _, x := range c.AttemptsOf(p.Profile().ID) {
		step = x.Turn.Step
	}
	return step
}

// askRound plans one round more. Where the debate has ended it asks first, with
// what that takes: it goes on at once, and the verdict is written anew.
func (m *Model) askRound() tea.Cmd {
	s := m.board.session
	if s.Verdict == nil {
		return m.addRound()
	}
	if err := m.deps.Player.Affords(s); err != nil {
		m.tell(urgently, sentence(err))
		return m.askBudget()
	}
	s.Rounds, s.Verdict, s.Stopped = len(s.History)+1, nil, debate.NotStopped
	return m.ask(fmt.Sprintf("Add round %d? %s.", s.Rounds, s.Forecast()), "+ adds it · esc leaves it", map[string]func(*Model) tea.Cmd{"+": (*Model).addRound, "enter": (*Model).addRound})
}

// addRound plans one round more.
func (m *Model) addRound() tea.Cmd {
	desk := m.deps.Desk
	return m.plan(func(ctx context.Context, id string) (debate.Session, error) { return desk.AddRounds(ctx, id, 1) })
}

func noMoreRounds(m *Model) string {
	b := m.board
	c := b.session.Current()
	if b.live != nil && (b.chair != "" || c != nil && c.Number >= b.session.Rounds) {
		return "The last round is running. + adds one when the verdict is there."
	}
	return ""
}

// askEnd asks before it ends the debate at the gate, with what is there.
func (m *Model) askEnd() tea.Cmd {
	text := "End now? The chair concludes."
	if ids := blocking(m.board.session); len(ids) > 0 {
		text = "End now? " + strings.Join(ids, ", ") + verb(ids, " stays unanswered and is exported so;", " stay unanswered and are exported so;") + " the chair concludes."
	}
	return m.ask(text, "enter ends · esc stays", map[string]func(*Model) tea.Cmd{"enter": (*Model).end})
}

func (m *Model) end() tea.Cmd {
	desk := m.deps.Desk
	return m.plan(func(ctx context.Context, id string) (debate.Session, error) {
		return desk.Stop(ctx, id, debate.StoppedByUser)
	})
}

func noEnd(m *Model) string {
	b := m.board
	c := b.session.Current()
	switch {
	case b.live != nil:
		return "A round is running; this is possible when it is done."
	case b.session.Verdict != nil:
		return "The debate has ended."
	case c == nil:
		return "No round has begun."
	case c.Ended.IsZero():
		return fmt.Sprintf("Round %d is not finished; space runs the rest of it.", c.Number)
	}
	return ""
}

// changed follows a change of the session's plan.
func (m *Model) changed(msg changedMsg) tea.Cmd {
	if msg.err != nil {
		m.refused(msg.err, withAnswers)
		return nil
	}
	if m.board == nil || m.board.session.ID != msg.session.ID {
		return nil
	}
	b := m.board
	more := msg.session.Rounds > b.session.Rounds || b.session.Verdict != nil && msg.session.Verdict == nil
	for _, p := range b.panes {
		if b.live != nil { // what its turn has said so far stays
			p.Session(msg.session)
		} else {
			p.Apply(debate.RoundEnded{Session: msg.session})
		}
	}
	m.replace(msg.session)
	if more {
		m.tell(gladly, fmt.Sprintf("One round more: %d are planned.", msg.session.Rounds))
	}
	if b.live != nil {
		return nil
	}
	b.sheet.close()
	m.screen = atDebate
	if msg.session.Stopped != debate.NotStopped {
		return m.follow(m.deps.Player.Conclude(m.ctx, msg.session))
	}
	return m.advance()
}

// refused says why something was not taken.
func (m *Model) refused(err error, what trouble) {
	if known(err) {
		m.tell(urgently, sentence(err))
		return
	}
	if m.board != nil {
		m.board.stuck = what
	}
	m.cannotSave(err)
}

// blocking returns the ids of the requests that the next round waits for.
func blocking(s debate.Session) []string {
	var ids []string
	for _, r := range s.Unanswered() {
		ids = append(ids, r.ID)
	}
	return ids
}
