package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/picker"
)


// The messages that commands of this package send back.
type (
	// sessionsMsg is the list of sessions.
	sessionsMsg struct {
		list []debate.SessionSummary
		err  error
	}
	// offerMsg is what a new debate can be made of.
	offerMsg struct {
		offer picker.Offer
		err   error
	}
	// searchMsg says that the query has not changed for a moment.
	searchMsg struct{ query string }
	// foundMsg is what a search found.
	foundMsg struct {
		query string
		hits  []picker.Hit
		took  time.Duration
		err   error
	}
	// openedMsg is a session that is now ours to play; fresh says it was just made.
	openedMsg struct {
		session debate.Session
		fresh   bool
		err     error
	}
	// closedMsg says that a session's lock was given back.
	closedMsg struct {
		id  string
		err error
	}
	// listedMsg says that a change of the list is done, and what to tell of it.
	listedMsg struct {
		notice  notice
		deleted debate.SessionSummary // the session that was deleted
		undone  debate.SessionSummary // the one that was to be brought back
		err     error
	}
	// answeredMsg is what became of submissions.
	answeredMsg struct {
		session  string
		requests []ledger.Request
		release  bool // the user asked for the next round as well
		err      error
	}
	// draftsMsg says which drafts are on disk.
	draftsMsg struct {
		session string
		saved   []draft
		err     error
	}
	// changedMsg is the open session after a change of its plan.
	changedMsg struct {
		session debate.Session
		err     error
	}
	// focusMsg is the focus question as it is stored; told says that the user has
	// just changed it.
	focusMsg struct {
		session, question string
		told              bool
		err               error
	}
	// remarkMsg is an interjection as it is kept.
	remarkMsg struct {
		session, text string
		kept          debate.Interjection
		err           error
	}
	// doneMsg says that something outside is done.
	doneMsg struct {
		text string
		err  error
	}
	// spinMsg turns the spinner; saveMsg is time to save drafts; wakeMsg draws again.
	spinMsg struct{}
	saveMsg struct{}
	wakeMsg struct{}
)

// draft is what was typed for one request.
type draft struct {
	request string
	debate.Draft
}

func (m *Model) readSessions() tea.Cmd {
	ctx, lib := m.ctx, m.deps.Library
	return func() tea.Msg {
		list, err := lib.Sessions(ctx)
		return sessionsMsg{list, err}
	}
}

func (m *Model) readOffer() tea.Cmd {
	ctx, offer := m.ctx, m.deps.Offer
	return func() tea.Msg {
		o, err := offer(ctx)
		return offerMsg{o, err}
	}
}

// find searches at once; a search that is typed waits for a pause first.
func (m *Model) find(query string) tea.Cmd {
	ctx, lib, now := m.ctx, m.deps.Library, m.deps.Now
	return func() tea.Msg {
		began := now()
		hits, err := lib.Search(ctx, picker.ParseQuery(query))
		return foundMsg{query, hits, now().Sub(began), err}
	}
}

// load opens a session; create makes one. One of them is under way at a time.
func (m *Model) load(id string) tea.Cmd {
	if m.opening {
		return nil
	}
	m.opening, m.waiting = true, ""
	ctx, lib := m.ctx, m.deps.Library
	return func() tea.Msg {
		s, err := lib.Open(ctx, id)
		return openedMsg{session: s, err: err}
	}
}

func (m *Model) create(s debate.Session) tea.Cmd {
	if m.opening {
		return nil
	}
	m.opening, m.waiting = true, ""
	ctx, lib := m.ctx, m.deps.Library
	return func() tea.Msg {
		made, err := lib.Create(ctx, s)
		return openedMsg{session: made, fresh: true, err: err}
	}
}

// unlock saves what is left of a session and gives its lock back.
func (m *Model) unlock(l *live) tea.Cmd {
	ctx, deps := m.ctx, m.deps
	return func() tea.Msg {
		return closedMsg{l.session, release(context.WithoutCancel(ctx), deps, l)}
	}
}

// release saves what was typed last and gives the session's lock back.
func release(ctx context.Context, deps Deps, l *live) error {
	var errs []error
	for _, d := range l.drafts {
		errs = append(errs, deps.Desk.SaveDraft(ctx, l.session, d.request, d.Draft))
	}
	return errors.Join(append(errs, deps.Library.Close(l.session))...)
}

// change runs something that changes the list of sessions.
func (m *Model) change(msg listedMsg, do func(context.Context) error) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		msg.err = do(ctx)
		return msg
	}
}

func (m *Model) answer(subs []ledger.Submission, release bool) tea.Cmd {
	ctx, desk, id := context.WithoutCancel(m.ctx), m.deps.Desk, m.board.session.ID
	return func() tea.Msg {
		msg := answeredMsg{session: id, release: release}
		for _, s := range subs { // one by one, so that what is refused takes nothing along
			requests, err := desk.Answer(ctx, id, s)
			if err != nil {
				msg.err = err
				break
			}
			msg.requests = append(msg.requests, requests...)
		}
		return msg
	}
}

func (m *Model) saveDrafts(drafts []draft) tea.Cmd {
	ctx, desk, id := context.WithoutCancel(m.ctx), m.deps.Desk, m.board.session.ID
	return func() tea.Msg {
		for i, d := range drafts {
			if err := desk.SaveDraft(ctx, id, d.request, d.Draft); err != nil {
				return draftsMsg{id, drafts[:i], err}
			}
		}
		return draftsMsg{id, drafts, nil}
	}
}

// plan runs something that changes the open session's plan.
func (m *Model) plan(do func(ctx context.Context, id string) (debate.Session, error)) tea.Cmd {
	ctx, id := m.ctx, m.board.session.ID
	return func() tea.Msg {
		s, err := do(ctx, id)
		return changedMsg{s, err}
	}
}

// after sends a message when some time has passed.
func (m *Model) after(d time.Duration, msg tea.Msg) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}
