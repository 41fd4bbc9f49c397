package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/approvals"
	"roundtable/tui/attach"
	"roundtable/tui/debateview"
	"roundtable/tui/home"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/verdictview"
)

// openSession is a session that is open here, whether it is shown or goes on in the
// background: its debate, the run under way, and the screens that show the same session in
// another way. Its lock is ours, unless it is only read.
type openSession struct {
	debate *debateview.Debate
	reads  string // who has it open elsewhere, where it is only read; "": it is ours
	failed string // why it could not be read, as it was told last
	files  *attach.Service
	promptRow
	mentions attach.Mentions    // of lines that were typed
	run      *liveRun           // the run under way; nil: nothing runs
	unsaved  screen.Saving      // what could not be saved, and was not since; 0: nothing
	forks    map[string]*string // texts of forks that were not made
	history  []screen.Notice    // told while it was not shown, and before

	verdict   *verdictview.Screen
	log       *reader.Tools
	approvals *approvals.Screen
	evidence  *reader.Evidence
	question  *reader.Topic
	receipt   *reader.Receipt
	screens   []screen.OfSession // all of these
}

func (m *Model) newOpenSession(s debate.Session, reads string) *openSession {
	o := &openSession{
		files: m.files, reads: reads, forks: map[string]*string{},
		verdict: verdictview.New(m.th, m.deps.Keys), approvals: approvals.New(m.th, m.deps.Now), evidence: reader.NewEvidence(m.th),
		question: reader.NewTopic(m.th), receipt: reader.NewReceipt(m.ctx, m.deps.Receipts, m.th),
	}
	o.debate = debateview.New(m.ctx, s, debateview.Config{
		Common: m.deps.Common, Theme: m.th, Saves: m.sessions.saves, Files: m.files,
		NoEditor: m.noEditor, ReadOnly: cmp.Or(m.deps.ReadOnly, reads), Elsewhere: reads != "",
		Room: m.sessions.hasRoom, Covered: func() bool { return o == m.stack.open && m.covered() },
	})
	o.log = reader.NewTools(m.th, o.debate.Seat)
	o.screens = []screen.OfSession{o.verdict, o.log, o.approvals, o.evidence, o.question, o.receipt}
	o.history = o.debate.Screen.StoredNotices()
	o.sync()
	return o
}

func (o *openSession) owns(s screen.Screen) bool { return s == o.debate.Screen || s == o.verdict }

// sync passes the changed session to the screens other than the debate.
func (o *openSession) sync() {
	for _, one := range o.screens {
		one.SetSession(o.debate.Session())
	}
}

// apply shows an event. It reports whether the event has changed the session.
func (o *openSession) apply(ev debate.Event) (changed bool) {
	for _, one := range o.screens {
		one.Apply(ev)
	}
	o.debate.Apply(ev)
	switch ev.(type) {
	case debate.RoundStarted, debate.TurnEnded, debate.RoundCounted, debate.Concluded, debate.FollowUpEnded, debate.RunEnded:
		return true
	default: // what else it shows, a screen takes from the event
		return false
	}
}

func (o *openSession) setTheme(th *theme.Theme) {
	o.debate.SetTheme(th)
	for _, one := range o.screens {
		one.SetTheme(th)
	}
}

func (o *openSession) setSize(w, h int) {
	o.debate.SetSize(w, h)
	for _, one := range o.screens {
		one.SetSize(w, h)
	}
}

func (o *openSession) leave() *liveRun {
	l := o.run
	if l == nil {
		l = &liveRun{session: o.debate.Session().ID}
	}
	l.drafts = o.debate.Form.Unsaved()
	return l
}

// openByID opens a session. If it is still being closed, it is opened after that.
func (m *Model) openByID(id string) tea.Cmd {
	if m.stack.openID() == id {
		m.stack.show()
		return m.showMatch()
	}
	if o := m.sessions.session(id); o != nil {
		return m.attach(o)
	}
	if m.sessions.isClosing(id) {
		m.sessions.waiting = id
		m.tell(screen.Info, "Saving what was running there; it opens when that is done.")
		return nil
	}
	return m.sessions.load(id)
}

// opened shows a session whose lock is ours. A new one begins, a saved one waits.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.sessions.opening = false
	if msg.err != nil {
		tone := screen.Error
		if control.Rejected(msg.err) {
			tone = screen.Warning
		}
		m.tell(tone, text.Sentence(msg.err.Error()))
		return nil
	}
	leave := m.leaveSession()
	fromForm := m.stack.base() == m.setup
	o := m.newOpenSession(msg.session, msg.reads)
	m.sessions.held = append(m.sessions.held, o)
	m.showSession(o)
	if !msg.fresh {
		cmd := m.carryOut(m.stack.open.debate.Resume())
		if msg.forked {
			m.tell(screen.Success, "This is a "+msg.session.Origin().String()+".")
		}
		return tea.Batch(leave, cmd, m.showMatch(), m.followOther(o))
	}
	if fromForm { // else it is the demo's own question
		m.setup.Reset()
	}
	return tea.Batch(leave, m.carryOut(m.stack.open.debate.Advance()))
}

func (m *Model) showMatch() tea.Cmd {
	at := m.sessions.at
	m.sessions.at = home.OpenSession{}
	if at.Match == nil || at.ID != m.stack.openID() {
		return nil
	}
	o := m.stack.open
	return tea.Batch(m.carryOut(o.debate.Form.Close()), m.carryOut(m.showPlace(o, *at.Match))) // it would lie over the match
}

func (m *Model) showPlace(o *openSession, to home.Match) screen.Outcome {
	s := o.debate.Session()
	switch to.Place {
	case debate.InTopic:
		m.stack.show(o.question)
		return o.question.Find(to.Text)
	case debate.InStatement:
		m.stack.show()
		return o.debate.Screen.ShowMatch(to.Text, to.Agent, to.Round, false)
	case debate.InAnswer:
		if r, ok := s.Request(to.ID); ok && len(r.Asks) > 0 {
			turn := r.Asks[0].Turn
			m.stack.show()
			return o.debate.Screen.ShowMatch(to.Text, turn.Agent, turn.Round, true)
		}
	case debate.InEvidence:
		if o.evidence.Open(debate.Citation{ID: to.ID}) {
			m.stack.show(o.evidence)
			return o.evidence.Find(to.Text)
		}
	case debate.InVerdict, debate.InFollowUp:
		if s.Verdict != nil {
			m.stack.show(o.verdict)
			return o.verdict.Find(to.Text)
		}
	case debate.InTitle:
	}
	return nil
}

func (m *Model) feed(msg eventsMsg) tea.Cmd {
	o := m.sessions.owner(msg.from)
	if o == nil {
		return m.drainLeft(msg)
	}
	shown := o == m.stack.open
	var cmds []tea.Cmd
	changed := false
	for _, ev := range msg.events {
		changed = o.apply(ev) || changed
		if shown {
			cmds = append(cmds, m.news(ev))
		} else {
			cmds = append(cmds, m.newsOf(o, ev))
		}
	}
	if changed { // once for all events of a frame
		o.debate.Recount()
		o.sync()
	}
	m.renewQuestion()
	if !msg.closed {
		return tea.Batch(append(cmds, gather(msg.from))...)
	}
	o.run = nil
	if shown {
		m.notices.runEnded()
	}
	cmds = append(cmds, m.ended(o))
	if m.stack.base() == m.home { // what it lists has changed
		cmds = append(cmds, m.home.ReadSessions())
	}
	return tea.Batch(cmds...)
}

// followed shows what another process has added to a session that is only read: without an id it
// is nothing. Once that process has closed it, it is free and opened.
func (m *Model) followed(o *openSession, s debate.Session, free bool, err error) tea.Cmd {
	if o != m.stack.open {
		return nil
	}
	switch {
	case err != nil:
		if why := text.Sentence(err.Error()); why != o.failed { // it is told once
			o.failed = why
			m.tell(screen.Warning, why)
		}
	case free:
		return tea.Batch(m.leaveSession(), m.sessions.load(o.debate.Session().ID))
	case s.ID != "":
		o.debate.SetSession(s)
		o.sync()
	}
	return m.followOther(o)
}

func (m *Model) news(ev debate.Event) tea.Cmd {
	if t, ok := debate.TurnOf(ev); ok {
		m.notices.settle(t.Agent)
	}
	if n, ok := m.stack.open.debate.Screen.NoticeOf(ev); ok {
		m.announce(n)
	}
	switch ev.(type) {
	case debate.ApprovalAsked:
		return m.bell(m.stack.open.debate.Words().Attention(theDebate))
	case debate.Concluding: // it streams there
		debateScreen := m.stack.open.debate.Screen
		if m.stack.top() == debateScreen && m.stack.prompting() == nil && debateScreen.Follows() {
			return m.carryOut(screen.Outcome{debateview.ShowVerdict{}})
		}
	default: // the screens show it
	}
	return nil
}

// theDebate is what notifications call the open session.
const theDebate = "The debate"

// drainLeft reads a run that was left to its end, and then releases its session.
func (m *Model) drainLeft(msg eventsMsg) tea.Cmd {
	if !msg.closed {
		return gather(msg.from)
	}
	return m.close(msg.from)
}

func (m *Model) ended(o *openSession) tea.Cmd {
	if o == m.stack.open && o.debate.Words().NoVerdict() != "" {
		m.stack.remove(o.verdict)
	}
	cmds := []tea.Cmd{m.carryOutIn(o, o.debate.RunEnded()), m.beginQueued(), m.ring(o), m.settle(o)}
	m.renewQuestion()
	q := m.question
	if q != nil && (q.of == o && (q.Renew == nil || q.Do == nil) || q.quits && m.unfinished() == "") { // the end has answered it
		m.question = nil
	}
	return tea.Batch(cmds...)
}

// saveFailed says that the store refused, and how to try again.
func (m *Model) saveFailed(err error) {
	again := m.deps.Keys.Does("pause", "try again")
	if m.stack.onForm() {
		again = "ctrl+s: try again"
	} else if m.deps.Export != nil {
		again += "; " + m.deps.Keys.Does("export", "save a copy elsewhere")
	}
	m.announce(screen.Notice{
		Text: "Cannot save: " + control.Cause(err) + ". Paused; all text is still here.", Keys: again + ".",
		Tone: screen.Error, Transient: true,
	})
}

// leaveSession leaves the open session. One that runs goes on; one without text to send is closed.
func (m *Model) leaveSession() tea.Cmd {
	o := m.stack.open
	if o == nil {
		return nil
	}
	var closed tea.Cmd
	if o.debate.GoesOn() && o.debate.Form.IsOpen() { // the next round would wait for it
		closed = m.carryOut(o.debate.Form.Close())
	}
	o.history = m.notices.history
	m.stack.drop(m.home)
	m.notices.clear()
	if o.debate.GoesOn() || o.unsent() {
		return closed
	}
	return tea.Batch(closed, m.closeSession(o))
}

// closeSession saves what was typed in a session and releases its lock.
func (m *Model) closeSession(o *openSession) tea.Cmd {
	l := o.leave()
	m.sessions.held = slices.DeleteFunc(m.sessions.held, func(other *openSession) bool { return other == o })
	m.sessions.closing = append(m.sessions.closing, l)
	return m.close(l)
}

func (m *Model) closed(id string, err error) tea.Cmd {
	next := m.sessions.closed(id)
	if err != nil {
		m.tell(screen.Error, text.Sentence(err.Error()))
	} else if m.stack.open == nil && m.notices.current.Text == "" && m.goingOn()+m.lost() == "" {
		m.tell(screen.Info, "Everything is saved.")
	}
	cmds := []tea.Cmd{m.home.ReadSessions()}
	if next {
		cmds = append(cmds, m.sessions.load(id))
	}
	return tea.Batch(cmds...)
}

func (m *Model) ring(o *openSession) tea.Cmd {
	name := theDebate
	if o != m.stack.open {
		name = o.name()
	}
	switch {
	case o.debate.Running() || o.debate.Queued():
		return nil
	case o.unsaved != 0:
		return m.bell(name + " stopped on an error.")
	}
	return m.bell(o.debate.Words().Attention(name))
}

func (m *Model) bell(words string) tea.Cmd {
	if !m.deps.Notify || !m.blurred {
		return nil
	}
	return tea.Raw(m.deps.Terminal.notify(words))
}
