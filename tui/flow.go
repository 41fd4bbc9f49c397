package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/pane"
)


// open shows a session. One that is still being left is opened once it is free.
func (m *Model) open(id string) tea.Cmd {
	if m.board != nil && m.board.session.ID == id {
		m.screen = atDebate
		return nil
	}
	if slices.ContainsFunc(m.left, func(l *live) bool { return l.session == id }) {
		m.waiting = id
		m.tell(plainly, "What was under way there is being saved; it opens then.")
		return nil
	}
	return m.load(id)
}

// opened shows a session that is now ours: a new one begins, a saved one waits.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if msg.err != nil {
		m.tell(badly, sentence(msg.err))
		return nil
	}
	var leave tea.Cmd
	if m.board != nil {
		leave = m.abandon()
	}
	m.hush()
	m.question, m.quitting = nil, false // it may be of the other debate
	m.board = newBoard(msg.session, m.th)
	m.board.readonly = m.deps.ReadOnly
	m.resume = msg.session.ID
	m.told = recalled(m.board)
	from := m.screen
	m.screen = atDebate
	m.arrange()
	if msg.fresh {
		if from == atNew { // else it is the demo's own question
			m.fresh.Reset()
		}
		return tea.Batch(leave, m.advance())
	}
	m.board.paused = true
	m.welcomeBack()
	return tea.Batch(leave, m.readFocus(), m.advance())
}

// welcomeBack looks at who was cut off, and tells of drafts that were kept.
func (m *Model) welcomeBack() {
	b := m.board
	if n := len(b.session.Notices); n > 0 && b.session.Verdict == nil && b.session.Notices[n-1].Code == "config_drift" {
		m.tell(urgently, b.session.Notices[n-1].Text)
	}
	for i, p := range b.panes {
		if k := p.State().Kind; k == pane.Interrupted || k == pane.Failed {
			m.focusOn(i)
			break
		}
	}
	for _, r := range b.session.Requests {
		if d := b.session.Drafts[r.ID]; r.Open() && strings.TrimSpace(d.Text) != "" {
			m.advise(plainly, fmt.Sprintf("Your draft for %s is kept: %q", r.ID, safetext.Clip(safetext.Line(d.Text), 24)), "c opens it")
			return
		}
	}
}

// advance goes on with the session as far as it goes by itself: to its verdict,
// to the context form, or to the next round unless that is paused.
func (m *Model) advance() tea.Cmd {
	b := m.board
	if b == nil || b.live != nil {
		return nil
	}
	switch s := b.session; {
	case s.Verdict != nil:
		return m.openVerdict()
	case m.deps.ReadOnly != "":
		m.arrange()
		return nil
	case b.last:
		return m.endsHere()
	case s.Status() == debate.NeedsContext:
		return m.formOpens()
	case b.asking():
		return m.hold()
	case b.paused:
		m.arrange()
		return nil
	default:
		return m.start()
	}
}

// start plays what is next.
func (m *Model) start() tea.Cmd {
	b := m.board
	b.paused, b.stuck, b.failed = false, noTrouble, nil
	m.calm()
	return m.follow(m.deps.Player.Start(m.ctx, b.session))
}

// follow shows a run from its beginning.
func (m *Model) follow(run Run) tea.Cmd {
	m.board.live = &live{session: m.board.session.ID, run: run}
	m.board.ended = nil
	m.board.sheet.close()
	m.refocus()
	m.arrange()
	return gather(m.board.live)
}

// feed shows what happened in a run.
func (m *Model) feed(msg eventsMsg) tea.Cmd {
	if m.board == nil || msg.from != m.board.live {
		return m.drained(msg)
	}
	m.fed = m.now()
	if m.turning {
		m.turning = false
		m.spin++
	}
	for _, ev := range msg.events {
		m.board.apply(ev)
		m.news(ev)
	}
	m.askAgain()
	if !msg.closed {
		return tea.Batch(gather(msg.from), m.turn())
	}
	m.board.live = nil
	if m.screen == atHome { // what it lists has changed
		return tea.Batch(m.ended(), m.readSessions())
	}
	return m.ended()
}

// drained reads on in a run that the user has left. Its session is free when it ends.
func (m *Model) drained(msg eventsMsg) tea.Cmd {
	if !msg.closed {
		return gather(msg.from)
	}
	return m.unlock(msg.from)
}

// closed follows the release of a session's lock.
func (m *Model) closed(msg closedMsg) tea.Cmd {
	m.left = slices.DeleteFunc(m.left, func(l *live) bool { return l.session == msg.id })
	if msg.err != nil {
		m.tell(badly, sentence(msg.err))
	}
	cmds := []tea.Cmd{m.readSessions()}
	if m.waiting == msg.id {
		m.waiting = ""
		cmds = append(cmds, m.load(msg.id))
	}
	return tea.Batch(cmds...)
}

// ended decides what comes after a run.
func (m *Model) ended() tea.Cmd {
	m.settled()
	b := m.board
	var err error
	if b.ended != nil {
		err = b.ended.Err
	}
	var blocked *debate.BlockedError
	var failed *debate.RoundFailedError
	switch {
	case errors.As(err, &blocked) && len(b.session.Unanswered()) == 0:
		b.paused = true // the store knows of an open request that the screen does not
		m.tell(badly, sentence(err))
	case err == nil, errors.As(err, &blocked):
		return tea.Batch(m.advance(), m.ring())
	case errors.As(err, &failed):
		b.failed, b.paused = failed, true
		m.advise(badly, fmt.Sprintf("Round %d failed: no seat answered. It keeps its number, nothing is lost.", failed.Round), "x runs it again.")
	case errors.Is(err, context.Canceled), errors.Is(err, debate.ErrStopped):
		b.paused = true
	case errors.Is(err, debate.ErrNotReady):
		b.paused = true
		m.tell(badly, sentence(err))
	default:
		if cmd, poor := m.tooPoor(err); poor {
			m.arrange()
			return tea.Batch(cmd, m.ring())
		}
		b.paused, b.stuck = true, withRounds
		m.cannotSave(err)
	}
	m.arrange()
	return m.ring()
}

// cannotSave says that the store refused. What is on the screen stays there.
func (m *Model) cannotSave(err error) {
	again := "space tries again"
	if m.place() == atForm {
		again = "ctrl+s tries again"
	} else if m.deps.Export != nil {
		again += "; e writes a copy elsewhere"
	}
	m.advise(badly, "Cannot save: "+cause(err)+". Paused; all text is still here.", again+".")
}

// cause is why the store refused. What was to be saved is for the log.
func cause(err error) string {
	text := err.Error()
	if _, rest, ok := strings.Cut(text, "Cannot save: "); ok {
		text = rest
	}
	return strings.TrimSuffix(text, ".")
}

// abandon leaves the open session: what runs is stopped and read to its end, what
// was typed is saved, and then the session is free again.
func (m *Model) abandon() tea.Cmd {
	b := m.board
	if b == nil {
		return nil
	}
	l := b.live
	if l == nil {
		l = &live{session: b.session.ID}
	}
	l.drafts = b.sheet.unsaved(m.now(), true)
	m.board, m.resume = nil, ""
	m.hush()
	m.left = append(m.left, l)
	if l.run == nil {
		return m.unlock(l)
	}
	l.run.Stop()
	return nil // the gather under way sees the run to its end
}

// known reports whether an error is about what was asked for, not about the store.
func known(err error) bool {
	var submission *ledger.SubmissionError
	var unpriced *debate.UnpricedError
	return errors.As(err, &submission) || errors.As(err, &unpriced) || errors.Is(err, debate.ErrNotReady) || errors.Is(err, debate.ErrNoSession) ||
		errors.Is(err, debate.ErrLocked) || errors.Is(err, debate.ErrAmbiguous) || errors.Is(err, debate.ErrNewer)
}

// sentence writes an error as the user reads it: whole sentences.
func sentence(err error) string {
	text := strings.TrimSpace(err.Error())
	if text == "" {
		return ""
	}
	r := []rune(text)
	text = strings.ToUpper(string(r[0])) + string(r[1:])
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
