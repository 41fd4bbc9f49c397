package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/form"
	"roundtable/tui/home"
	"roundtable/tui/screen"
)

// sessions opens and closes sessions. It owns their locks, and keeps those that are open:
// the one that is shown, and those that run in the background.
type sessions struct {
	ctx     context.Context
	deps    Deps
	saves   *screen.SaveQueue // of drafts and answers
	held    []*openSession    // that are open or run, in the order in which they were opened
	closing []*liveRun
	waiting string // the session to open once it is free again
	opening bool   // a session is being opened or made

	at home.OpenSession // the last one that was chosen in the list, and the match in it
}

// openedMsg is a session that is now ours to play; fresh says it was just made.
type openedMsg struct {
	session debate.Session
	fresh   bool
	forked  bool
	reads   string // who has it open elsewhere: it is only read
	err     error
}

func (s *sessions) isClosing(id string) bool {
	return slices.ContainsFunc(s.closing, func(l *liveRun) bool { return l.session == id })
}

// load opens a session, or reads it if another process has it open. Like create it does nothing
// while another session is being opened.
func (s *sessions) load(id string) tea.Cmd {
	return s.begin(func() tea.Msg {
		opened, err := s.deps.Sessions.Open(s.ctx, id)
		if errors.Is(err, debate.ErrLocked) {
			if read, by, failed := s.deps.Sessions.Read(s.ctx, id, time.Time{}); failed == nil && by != nil {
				return openedMsg{session: read, reads: "it is open in another Roundtable" + by.Aside()}
			}
		}
		return openedMsg{session: opened, err: err}
	})
}

const followEvery = time.Second

func (m *Model) followOther(o *openSession) tea.Cmd {
	if o.reads == "" {
		return nil
	}
	shown := o.debate.Session()
	return tea.Tick(followEvery, func(time.Time) tea.Msg {
		session, by, err := m.deps.Sessions.Read(m.ctx, shown.ID, shown.Updated)
		return screen.Then(func() screen.Outcome { return screen.Run(m.followed(o, session, by == nil, err)) })
	})
}

func (s *sessions) create(session debate.Session) tea.Cmd {
	return s.begin(func() tea.Msg {
		session.Author = ledger.ByPerson("interface")
		made, err := s.deps.Sessions.Create(s.ctx, session)
		return openedMsg{session: made, fresh: true, err: err}
	})
}

func (s *sessions) begin(cmd tea.Cmd) tea.Cmd {
	if s.opening {
		return nil
	}
	s.opening, s.waiting = true, ""
	return cmd
}

func (m *Model) close(l *liveRun) tea.Cmd {
	return m.sessions.saves.Add(func() tea.Msg {
		err := m.sessions.release(l)
		return screen.Then(func() screen.Outcome { return screen.Run(m.closed(l.session, err)) })
	})
}

// closed forgets a session that was released. It reports whether to open it now.
func (s *sessions) closed(id string) bool {
	s.closing = slices.DeleteFunc(s.closing, func(l *liveRun) bool { return l.session == id })
	wanted := s.waiting == id
	if wanted {
		s.waiting = ""
	}
	return wanted
}

func (s *sessions) release(l *liveRun) error {
	ctx := context.WithoutCancel(s.ctx)
	errs := text.Each(l.drafts, func(d form.Draft) error { return s.deps.Writer.SaveDraft(ctx, l.session, d.Request, d.Draft) })
	errs = append(errs, s.deps.Sessions.Close(l.session))
	if lost := s.deps.Check(); lost != nil {
		return lost
	}
	return errors.Join(errs...)
}

// drain stops the runs that were left, reads them to their end and releases their locks.
func (s *sessions) drain() error {
	for _, l := range s.closing {
		if l.run != nil {
			l.run.Stop()
		}
	}
	var errs []error
	for _, l := range s.closing {
		if l.run != nil {
			for range l.run.Events() {
			}
		}
		errs = append(errs, s.saves.Do(func() error { return s.release(l) }))
	}
	s.closing = nil
	return errors.Join(errs...)
}

// leave leaves the debate and shows the list. A round that runs goes on.
func (m *Model) leave() tea.Cmd {
	m.home.Select(m.stack.openID())
	cmd := m.leaveSession()
	m.stack.show(m.home)
	return tea.Batch(cmd, m.home.ReadSessions())
}

func (m *Model) goHome() tea.Cmd {
	m.home.Select(m.stack.openID())
	m.stack.show(m.home)
	return m.home.ReadSessions()
}

// quit ends the program. It asks first if a debate runs, if the draft of a new
// debate cannot be saved, or if what was saved is lost.
func (m *Model) quit(pressed string) tea.Cmd {
	check := m.deps.Check
	if m.copied != "" {
		return m.askQuit(pressed)
	}
	return func() tea.Msg {
		err := check()
		return screen.Then(func() screen.Outcome { return screen.Run(m.checked(pressed, err)) })
	}
}

// lost says what ends unfinished or is lost with the program; "" if nothing is.
func (m *Model) lost() string {
	words := []string{m.unfinished()}
	if m.deps.ReadOnly != "" && m.setup.Typed() {
		words = append(words, "What you typed for the new debate will be lost.")
	}
	if slices.ContainsFunc(m.sessions.held, (*openSession).unsent) {
		words = append(words, "What you typed is not sent, and will be lost.")
	}
	return text.Join(" ", words...)
}

func (m *Model) askQuit(pressed string) tea.Cmd {
	q := screen.Question{Text: m.lost(), About: screen.Quit, Key: pressed, Verb: "quit", Do: quitNow}
	if q.Text == "" || m.question != nil && m.question.quits {
		return tea.Quit
	}
	q.Renew = func() screen.Question {
		q.Text = m.lost()
		return q
	}
	cmd := m.ask(q)
	m.question.of, m.question.quits = nil, true
	return cmd
}

func quitNow() screen.Outcome { return screen.Run(tea.Quit) }

func (m *Model) checked(pressed string, err error) tea.Cmd {
	if err == nil {
		return m.askQuit(pressed)
	}
	m.saveFailed(err)
	return m.ask(screen.Question{
		Text: "Nothing is kept: " + control.Cause(err) + ".", About: screen.Quit, Key: pressed, Verb: "quit", Do: quitNow,
		Others: []screen.Answer{{Key: "s", Verb: "save a copy", Do: m.saveCopy}},
	})
}

func (m *Model) saveCopy() screen.Outcome {
	ctx, save := m.ctx, m.deps.SaveCopy
	return screen.Run(screen.Await(func() (string, error) { return save(ctx) }, func(path string) screen.Outcome {
		m.copied = path
		return screen.Tell(screen.Success, "Saved a copy of all debates: "+path+".")
	}))
}

// readOnly returns why nothing can be saved here: anywhere, or in the debate that is shown.
func (m *Model) readOnly() string {
	if m.deps.ReadOnly == "" && m.stack.showsSession() {
		return m.stack.open.reads
	}
	return m.deps.ReadOnly
}
