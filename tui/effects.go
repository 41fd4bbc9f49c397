package tui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/approvals"
	"roundtable/tui/debateview"
	"roundtable/tui/fork"
	"roundtable/tui/form"
	"roundtable/tui/home"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

func (m *Model) carryOut(out screen.Outcome) tea.Cmd {
	return tea.Batch(text.Each(out, m.carryOutOne)...)
}

func (m *Model) carryOutOne(effect screen.Effect) tea.Cmd {
	switch e := effect.(type) {
	case tea.Cmd:
		return e
	case screen.Notice:
		m.announce(e)
	case screen.Found:
		keys := m.deps.Keys.Does("next-match", "next") + " · " + m.deps.Keys.Does("previous-match", "previous") + " · esc: clear"
		m.announce(screen.Notice{Text: fmt.Sprintf("\"%s\": %s.", e.Words, e.Place), Keys: keys, Transient: true})
	case screen.Question:
		return m.ask(e)
	case screen.Prompt:
		if row := m.stack.row(); row == &m.stack.homeRow {
			return m.carryOut(row.openPrompt(e, m.th))
		}
		return m.carryOut(m.stack.open.openPrompt(e, m.th))
	case screen.Close:
		if !m.stack.pop() {
			m.notices.clear()
		}
	case screen.ClearNotice:
		m.notices.clear()
	case screen.RestoreError:
		m.notices.current = m.notices.failure
	case screen.Copy:
		return m.carryOut(copyText(m.deps.Terminal, e))
	case screen.Then:
		return m.carryOut(e())
	case screen.Press:
		return m.carryOut(m.commands.pressUsual(string(e)))
	default:
		return m.carryOutOfLauncher(effect)
	}
	return nil
}

func copyText(t Terminal, c screen.Copy) screen.Outcome {
	if c.Text == "" {
		return screen.Tell(screen.Info, "Nothing to copy yet.")
	}
	if c.Shown {
		return append(screen.Tell(screen.Info, fmt.Sprintf("Copied: %s", c.Text)), tea.SetClipboard(c.Text))
	}
	return append(screen.Tell(screen.Info, fmt.Sprintf("Copied %s.", c.What)), t.copy(c.Text))
}

func (m *Model) carryOutOfLauncher(effect screen.Effect) tea.Cmd {
	switch e := effect.(type) {
	case home.OpenSession:
		m.sessions.at = e
		return m.openByID(e.ID)
	case home.Pause:
		return m.pauseMarked(e.ID)
	case fork.Make:
		return m.sessions.fork(m.stack.openID(), e.Plan)
	case home.Changed:
		if o := m.sessions.session(e.ID); o != nil {
			e.Apply(o.debate.Controller)
			o.sync()
		}
		return nil
	case home.Ask:
		if m.stack.base() != m.home {
			m.tell(screen.Warning, e.Note)
		}
		return m.carryOut(m.stack.homeRow.openPrompt(e.Prompt, m.th))
	case setup.Create:
		return m.sessions.create(e.Session)
	case screen.Menu:
		if e.Over != nil && e.Over != m.stack.base() {
			return nil
		}
		m.chooser.Open(e)
		m.stack.push(m.chooser)
		return nil
	case setup.StartDemo:
		return m.carryOut(m.commands.run(m.commands.shared["start-demo"], ""))
	case setup.LookAgain:
		return m.carryOut(append(screen.Tell(screen.Info, "Looking for models"+m.th.Symbols.Cut), m.readOffer()))
	case setup.WriteConfig:
		return m.carryOut(m.writeConfig())
	default:
		return m.carryOutOfSession(effect)
	}
}

func (m *Model) carryOutOfSession(effect screen.Effect) tea.Cmd {
	switch e := effect.(type) {
	case screen.RunBegan:
		return m.follow()
	case debateview.GoHome:
		return m.leave()
	case debateview.ShowDebate:
		m.stack.show()
	case debateview.ShowVerdict:
		m.stack.show(m.stack.open.verdict)
		m.stack.open.debate.Arrange()
	case debateview.VerdictReady:
		m.stack.insertBelow(m.stack.open.verdict)
		m.stack.open.debate.Arrange()
	case screen.OpenReceipt:
		if e.Seat == "" {
			return m.stack.open.receipt.OpenChair()
		}
		return m.stack.open.receipt.OpenSeat(e.Seat)
	case screen.OpenCitation:
		if m.stack.open.evidence.Open(e.Citation) {
			m.stack.push(m.stack.open.evidence)
		}
	case approvals.Decide:
		if run := m.stack.open.run; run != nil {
			run.run.Decide(e.Call, e.Approval)
		}
	case reader.Opened: // unless the user has gone elsewhere meanwhile
		o := m.stack.open
		if o.receipt != e.Receipt || !m.stack.onSession() && m.stack.base() != o.receipt {
			return nil
		}
		m.stack.push(o.receipt)
		return m.carryOut(screen.Outcome{screen.ClearNotice{}})
	default:
		return m.carryOutOfForm(effect)
	}
	return nil
}

func (m *Model) carryOutOfForm(effect screen.Effect) tea.Cmd {
	switch e := effect.(type) {
	case screen.SaveFailed:
		m.stack.open.unsaved = cmp.Or(e.What, m.stack.open.unsaved)
		m.saveFailed(e.Err)
	case screen.Saved:
		if m.stack.open.unsaved == e.What {
			m.stack.open.unsaved = 0
			m.notices.clearError()
		}
	case form.OpenEditor:
		return m.carryOut(m.edit(e))
	case form.AskEnd:
		return m.carryOut(m.stack.open.debate.AskEnd("enter"))
	case form.AskRound:
		return m.carryOut(m.stack.open.debate.AskRound("enter"))
	case form.Left:
		m.stack.open.debate.Arrange()
		if e.Waited {
			return m.carryOut(m.stack.open.debate.Advance())
		}
	}
	return nil
}

// follow shows the runs that have just begun, and reads their events.
func (m *Model) follow() tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range m.sessions.held {
		if o.run != nil || !o.debate.Running() {
			continue
		}
		o.unsaved = 0
		if o == m.stack.open {
			m.notices.clearError()
			o.debate.Arrange()
		}
		o.run = &liveRun{session: o.debate.Session().ID, run: o.debate.Run()}
		cmds = append(cmds, gather(o.run))
	}
	return tea.Batch(cmds...)
}
