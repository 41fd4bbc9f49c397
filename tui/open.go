package tui

import (
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/approvals"
	"roundtable/tui/attach"
	"roundtable/tui/debateview"
	"roundtable/tui/evidenceview"
	"roundtable/tui/forkview"
	"roundtable/tui/home"
	"roundtable/tui/receipt"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
	"roundtable/tui/toollog"
	"roundtable/tui/topicview"
	"roundtable/tui/verdictview"
)

// openSession is the open session: the debate, and the screens that show the same
// session in another way.
type openSession struct {
	debate   *debateview.Debate
	screens  []screen.OfSession
	files    *attach.Service
	prompt   *prompt         // a line that is typed; nil: none is
	mentions attach.Mentions // of lines that were typed
	run      *liveRun        // the run under way; nil: nothing runs
	unsaved  screen.Saving   // what could not be saved, and was not since; 0: nothing
}

func (m *Model) newOpenSession(s debate.Session) *openSession {
	noReceipts := ""
	if m.deps.Receipts == nil {
		noReceipts = "Receipts cannot be read here; `roundtable show ID --prompt AGENT` prints them."
	}
	o := &openSession{
		files: m.files,
		debate: debateview.New(m.ctx, s, debateview.Config{
			Theme: m.th, Player: m.deps.Player, Writer: m.deps.Writer, Saves: m.sessions.saves, Now: m.deps.Now, Company: m.deps.Company,
			Silence: m.deps.Silence, EnterSends: m.deps.EnterSends,
			Files: m.files, AllowWorkspace: m.deps.AllowWorkspace,
			NoEditor: m.outside.noEditor, NoReceipts: noReceipts, ReadOnly: m.deps.ReadOnly, Replay: m.deps.Replay,
		}),
		screens: []screen.OfSession{
			verdictview.New(m.th, noReceipts),
			toollog.New(m.th, m.outside.noPager),
			approvals.New(m.th, m.deps.Now),
			forkview.New(m.th),
			evidenceview.New(m.th, m.outside.noPager),
			topicview.New(m.th),
			receipt.New(m.ctx, m.deps.Receipts, m.th, m.outside.noPager),
		},
	}
	o.sync()
	return o
}

// screenOf returns the screen of type S from those of the open session.
func screenOf[S screen.OfSession](o *openSession) S {
	i := slices.IndexFunc(o.screens, func(one screen.OfSession) bool {
		_, ok := one.(S)
		return ok
	})
	return o.screens[i].(S)
}

func (o *openSession) verdict() *verdictview.Screen { return screenOf[*verdictview.Screen](o) }

func (o *openSession) evidence() *evidenceview.Screen { return screenOf[*evidenceview.Screen](o) }

func (o *openSession) question() *topicview.Screen { return screenOf[*topicview.Screen](o) }

func (o *openSession) log() *toollog.Screen { return screenOf[*toollog.Screen](o) }

func (o *openSession) approvals() *approvals.Screen { return screenOf[*approvals.Screen](o) }

func (o *openSession) receipt() *receipt.Screen { return screenOf[*receipt.Screen](o) }

// owns reports whether a screen is one that the context form lies over.
func (o *openSession) owns(s screen.Screen) bool { return s == o.debate.Screen || s == o.verdict() }

// sync passes the changed session to the screens other than the debate.
func (o *openSession) sync() {
	for _, one := range o.screens {
		one.SetSession(o.debate.Session())
	}
}

// addEvidence shows evidence that was added to the session: it has all of it now.
func (o *openSession) addEvidence(all []debate.Evidence) {
	o.debate.SetEvidence(all)
	o.sync()
}

// apply shows an event. It reports whether the event has changed the session.
func (o *openSession) apply(ev debate.Event) (changed bool) {
	for _, one := range o.screens {
		one.Apply(ev)
	}
	o.debate.Apply(ev)
	switch ev.(type) {
	case debate.RoundStarted, debate.TurnEnded, debate.Assessed, debate.Concluded, debate.FollowUpEnded, debate.RoundEnded:
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
	if o.prompt != nil {
		o.prompt.setTheme(th)
	}
}

func (o *openSession) setSize(w, h int) {
	o.debate.SetSize(w, h)
	for _, one := range o.screens {
		one.SetSize(w, h)
	}
	if o.prompt != nil {
		o.prompt.setWidth(w)
	}
}

// leave returns what remains to be done when the session is closed: a run to read
// to its end, and drafts to save.
func (o *openSession) leave() *liveRun {
	l := o.run
	if l == nil {
		l = &liveRun{session: o.debate.Session().ID}
	}
	l.drafts = o.debate.Form.Unsaved(time.Minute)
	return l
}

// openByID opens a session. If it is still being closed, it is opened after that.
func (m *Model) openByID(id string) tea.Cmd {
	if m.stack.openID() == id {
		m.stack.show()
		return m.showMatch()
	}
	if m.sessions.isClosing(id) {
		m.sessions.waiting = id
		m.tell(screen.Info, "Saving what was running there; it opens when that is done.")
		return nil
	}
	return m.sessions.load(id)
}

// askOpen opens a session, and asks first if a round of another one is running.
func (m *Model) askOpen(id string) tea.Cmd {
	if !m.stack.running() || m.stack.openID() == id {
		return m.openByID(id)
	}
	return m.carryOut(screen.Outcome{screen.Question{
		Text: m.stack.open.debate.Unfinished(), Verb: "open the other debate",
		Do: func() screen.Outcome { return screen.Run(m.openByID(id)) },
	}})
}

// askCreate creates a session, and asks first if a round of another one is
// running.
func (m *Model) askCreate(c setup.Create) tea.Cmd {
	if !m.stack.running() {
		return m.sessions.create(c.Session)
	}
	return m.carryOut(screen.Outcome{screen.Question{
		Text: m.stack.open.debate.Unfinished(), Key: c.Key, Verb: c.Verb,
		Do: func() screen.Outcome { return screen.Run(m.sessions.create(c.Session)) },
	}})
}

// opened shows a session whose lock is ours. A new one begins, a saved one waits.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.sessions.opening = false
	if msg.err != nil {
		m.tell(screen.Error, text.Sentence(msg.err.Error()))
		return nil
	}
	leave := m.leaveSession()
	m.notices.clear()
	m.question = nil // it may be of the other debate
	fromForm := m.stack.base() == m.launcher.setup
	m.stack.open = m.newOpenSession(msg.session)
	if m.deps.Replay == nil {
		m.resume = msg.session.ID
	}
	maps.Copy(m.commands.shared, m.stack.open.debate.Shared())
	m.notices.reset(m.stack.open.debate.Screen.StoredNotices())
	m.stack.show()
	if !screen.TooSmall(m.w, m.h) {
		m.stack.open.setSize(m.w, m.h-3)
	}
	if m.deps.Replay != nil {
		return m.carryOut(m.stack.open.debate.Advance())
	}
	if !msg.fresh {
		cmd := m.carryOut(m.stack.open.debate.Resume())
		if msg.forked {
			m.announce(forkNotice(msg.session))
		}
		return tea.Batch(leave, cmd, m.showMatch())
	}
	if fromForm { // else it is the demo's own question
		m.launcher.setup.Reset()
	}
	return tea.Batch(leave, m.carryOut(m.stack.open.debate.Advance()))
}

// forkNotice says what a new fork changed.
func forkNotice(s debate.Session) screen.Notice {
	said := "This is a " + s.Origin().String() + "."
	return screen.Notice{Text: text.Line(said), Tone: screen.Success, Transient: true}
}

// showMatch shows the match that was chosen in the list in the open session, once.
func (m *Model) showMatch() tea.Cmd {
	at := m.sessions.at
	m.sessions.at = home.OpenSession{}
	if at.Match == nil || at.ID != m.stack.openID() {
		return nil
	}
	var closed tea.Cmd
	if m.stack.onForm() { // it would lie over the match
		closed = m.carryOut(m.stack.open.debate.Form.Close())
	}
	to, s := at.Match, m.stack.open.debate.Session()
	if r, ok := s.Request(to.Request); ok && len(r.Asks) > 0 {
		turn := r.Asks[0].Turn
		return tea.Batch(closed, m.carryOut(m.stack.open.debate.Screen.ShowMatch(to.Request, turn.Agent, turn.Round)))
	}
	switch {
	case to.Verdict && s.Verdict != nil:
		m.stack.show(m.stack.open.verdict())
	case to.Agent != "":
		return tea.Batch(closed, m.carryOut(m.stack.open.debate.Screen.ShowMatch(to.Text, to.Agent, to.Round)))
	}
	return closed
}

// rewind shows the session of a replay as it once was, and plays on from there. The present
// run is read to its end in the background.
func (m *Model) rewind(s debate.Session) tea.Cmd {
	if l := m.stack.open.run; l != nil {
		l.run.Stop()
	}
	m.stack.open = m.newOpenSession(s)
	maps.Copy(m.commands.shared, m.stack.open.debate.Shared())
	m.notices.clear()
	m.notices.reset(m.stack.open.debate.Screen.StoredNotices())
	m.stack.show()
	if !screen.TooSmall(m.w, m.h) {
		m.stack.open.setSize(m.w, m.h-3)
	}
	return m.carryOut(m.stack.open.debate.Advance())
}

// feed applies the events of a run.
func (m *Model) feed(msg eventsMsg) tea.Cmd {
	if m.stack.open == nil || msg.from != m.stack.open.run {
		return m.drainLeft(msg)
	}
	m.spinner.feed()
	var rings tea.Cmd
	changed := false
	for _, ev := range msg.events {
		changed = m.stack.open.apply(ev) || changed
		m.news(ev)
		if _, asks := ev.(debate.ApprovalAsked); asks {
			rings = m.bell("The debate is waiting for you: a command needs your approval.")
		}
	}
	if changed { // once for all events of a frame
		m.stack.open.debate.Recount()
		m.stack.open.sync()
	}
	m.renewQuestion()
	if !msg.closed {
		return tea.Batch(rings, gather(msg.from), m.spinner.start(m.stack.redrawEvery(m.deps.Now())))
	}
	m.stack.open.run = nil
	m.notices.runEnded()
	if m.stack.base() == m.launcher.home { // what it lists has changed
		return tea.Batch(m.ended(), m.launcher.home.ReadSessions())
	}
	return m.ended()
}

// news shows the notice of an event, if it has one.
func (m *Model) news(ev debate.Event) {
	if t, ok := debate.TurnOf(ev); ok {
		m.notices.settle(t.Agent)
	}
	if n, ok := m.stack.open.debate.Screen.NoticeOf(ev); ok {
		m.announce(n)
	}
}

// drainLeft reads on in a run that the user has left. Its session is released
// when it ends.
func (m *Model) drainLeft(msg eventsMsg) tea.Cmd {
	if !msg.closed {
		return gather(msg.from)
	}
	return m.sessions.close(msg.from)
}

// ended continues after a run.
func (m *Model) ended() tea.Cmd {
	if m.question != nil && m.question.running { // the end has answered it
		m.question = nil
	}
	cmd := m.carryOut(m.stack.open.debate.RunEnded())
	return tea.Batch(cmd, m.ring())
}

// saveFailed says that the store refused, and how to try again.
func (m *Model) saveFailed(err error) {
	again := "space: try again"
	if m.stack.onForm() {
		again = "ctrl+s: try again"
	} else if m.deps.Export != nil {
		again += "; e: save a copy elsewhere"
	}
	m.announce(screen.Notice{
		Text: "Cannot save: " + control.Cause(err) + ". Paused; all text is still here.", Keys: again + ".",
		Tone: screen.Error, Transient: true,
	})
}

// leaveSession closes the open session: it stops the run, which is read to its
// end, and saves what was typed before it releases the lock.
func (m *Model) leaveSession() tea.Cmd {
	if m.stack.open == nil {
		return nil
	}
	l := m.stack.open.leave()
	m.resume = ""
	m.stack.drop(m.launcher.home)
	m.notices.clear()
	m.sessions.closing = append(m.sessions.closing, l)
	if l.run == nil {
		return m.sessions.close(l)
	}
	l.run.Stop()
	return nil // the gather under way sees the run to its end
}

// closed follows the release of a session's lock.
func (m *Model) closed(msg closedMsg) tea.Cmd {
	next := m.sessions.closed(msg.id)
	if msg.err != nil {
		m.tell(screen.Error, text.Sentence(msg.err.Error()))
	} else if m.stack.open == nil {
		m.tell(screen.Info, "Everything is saved.")
	}
	cmds := []tea.Cmd{m.launcher.home.ReadSessions()}
	if next {
		cmds = append(cmds, m.sessions.load(msg.id))
	}
	return tea.Batch(cmds...)
}

// ring rings when the debate waits for the user or has ended.
func (m *Model) ring() tea.Cmd {
	if m.stack.open == nil || m.stack.running() {
		return nil
	}
	if m.stack.open.unsaved != 0 {
		return m.bell("The debate stopped on an error.")
	}
	return m.bell(m.stack.open.debate.Attention())
}

// bell rings the terminal bell and sends a notification if the window is not focused.
func (m *Model) bell(words string) tea.Cmd {
	if !m.deps.Notify || !m.blurred {
		return nil
	}
	return tea.Raw(m.deps.Terminal.notify(words))
}
