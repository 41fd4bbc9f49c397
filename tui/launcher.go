package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// typingPause is how long a query must not change before it is searched for.
const typingPause = 150 * time.Millisecond

// launcher owns the screens before a debate: the list of sessions, the first
// start and the form of a new debate.
type launcher struct {
	ctx   context.Context
	deps  Deps
	saves *screen.SaveQueue
	th    *theme.Theme
	stack *stack

	home  *homeScreen
	first *firstScreen
	setup *setupScreen

	draft   newDraft
	offer   setup.Options
	offered bool
	listed  bool
	deleted []debate.SessionSummary // the sessions that u brings back, the last first
}

// The effects of the launcher.
type (
	showNew        struct{}
	showFirstStart struct{}
	tellOfDraft    struct{}
	openExisting   struct{ id string }
	createSession  struct {
		session debate.Session
		keys    string // of the question that is asked while another debate runs
	}
	pressKey string
)

// The messages of the launcher's commands.
type (
	// sessionsMsg is the list of sessions.
	sessionsMsg struct {
		list []debate.SessionSummary
		err  error
	}
	// offerMsg is what a new debate can be made of.
	offerMsg struct {
		offer setup.Options
		err   error
	}
	// searchMsg says that the query has not changed for a moment.
	searchMsg struct{ query string }
	// foundMsg is what a search found.
	foundMsg struct {
		query string
		hits  []home.Hit
		took  time.Duration
		err   error
	}
	// listedMsg says that a change of the list is done, and what to tell of it.
	listedMsg struct {
		notice  screen.Notice
		deleted debate.SessionSummary // the session that was deleted
		undone  debate.SessionSummary // the one that was to be restored
		err     error
	}
)

func newLauncher(ctx context.Context, deps Deps, saves *screen.SaveQueue, th *theme.Theme, shown *stack) *launcher {
	l := &launcher{ctx: ctx, deps: deps, saves: saves, th: th, stack: shown}
	l.home = newHomeScreen(l, th)
	l.first = newFirstScreen(l, th)
	l.setup = newSetupScreen(l, th)
	l.setup.Prefill(deps.Start.Topic, deps.Start.Mode, deps.Start.Rounds)
	return l
}

// owns reports whether a screen is one of the launcher.
func (l *launcher) owns(s screen.Screen) bool { return s == l.home || s == l.first || s == l.setup }

func (l *launcher) setTheme(th *theme.Theme) {
	l.th = th
	for _, s := range []screen.Screen{l.home, l.first, l.setup} {
		s.SetTheme(th)
	}
}

func (l *launcher) setSize(w, h int) {
	for _, s := range []screen.Screen{l.home, l.first, l.setup} {
		s.SetSize(w, h)
	}
}

// receive handles the messages of the launcher's commands. It reports whether the
// message is one.
func (l *launcher) receive(msg tea.Msg) (out screen.Outcome, ok bool) {
	switch msg := msg.(type) {
	case sessionsMsg:
		return l.sessionsRead(msg), true
	case offerMsg:
		return l.offerRead(msg), true
	case searchMsg:
		return l.search(msg), true
	case foundMsg:
		return l.found(msg), true
	case listedMsg:
		return l.listChanged(msg), true
	case draftReadMsg:
		return l.draftRead(msg), true
	case saveNewMsg:
		return screen.Run(l.saveDraft()), true
	case draftSavedMsg:
		return l.draftSaved(msg), true
	}
	return nil, false
}

func (l *launcher) readSessions() tea.Cmd {
	return func() tea.Msg {
		list, err := l.deps.Sessions.Sessions(l.ctx)
		return sessionsMsg{list, err}
	}
}

func (l *launcher) readOffer() tea.Cmd {
	return func() tea.Msg {
		o, err := l.deps.Offer(l.ctx)
		return offerMsg{o, err}
	}
}

// change returns a command that changes the list of sessions.
func (l *launcher) change(msg listedMsg, do func(context.Context) error) screen.Outcome {
	ctx := l.ctx
	return screen.Run(func() tea.Msg {
		msg.err = do(ctx)
		return msg
	})
}

// sessionsRead shows the list of sessions.
func (l *launcher) sessionsRead(msg sessionsMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Tell(screen.Error, "Cannot read the sessions: "+screen.Sentence(msg.err))
	}
	l.home.SetSessions(msg.list)
	first := !l.listed
	l.listed = true
	if first {
		return l.welcome(len(msg.list) == 0)
	}
	return nil
}

// offerRead shows which models a new debate can use.
func (l *launcher) offerRead(msg offerMsg) screen.Outcome {
	var out screen.Outcome
	if msg.err != nil {
		out = screen.Tell(screen.Error, screen.Sentence(msg.err))
	}
	l.offer = msg.offer
	l.first.SetOptions(msg.offer)
	l.setup.SetOptions(msg.offer)
	again := l.offered
	l.offered = true
	onFirst := l.stack.base() == l.first
	switch {
	case again && onFirst && !msg.offer.FirstStart:
		n := msg.offer.Ready()
		text := fmt.Sprintf("%s %s found. The panel is ready.", text.Count(n, "model"), text.Inflect(n, "was", "were"))
		return append(append(out, showNew{}), screen.Tell(screen.Success, text)...)
	case again && onFirst && msg.err == nil:
		return append(out, screen.Tell(screen.Info, "No models found. The list shows where we looked.")...)
	case again:
		return out
	case l.deps.Start.New && l.deps.Start.Begin && msg.err == nil:
		return append(out, l.begin()...)
	}
	return append(out, l.welcome(l.home.Empty())...)
}

// welcome shows the first start or the form of a new debate if there are no
// sessions. It waits until both the sessions and the models are known.
func (l *launcher) welcome(none bool) screen.Outcome {
	if !none || !l.listed || !l.offered || l.stack.base() != l.home || l.stack.openID() != "" || l.deps.Start != (Start{}) {
		return nil
	}
	if l.offer.FirstStart {
		return screen.Outcome{showFirstStart{}}
	}
	return l.newDebate()
}

// newDebate shows the form of a new debate, with its draft.
func (l *launcher) newDebate() screen.Outcome { return screen.Outcome{showNew{}, tellOfDraft{}} }

// openSelected opens the session under the cursor, or the form of a new debate if
// there is none.
func (l *launcher) openSelected() screen.Outcome {
	s, ok := l.home.Selected()
	if !ok {
		return l.newDebate()
	}
	return screen.Outcome{openExisting{s.ID}}
}

func (l *launcher) noSession() string {
	s, ok := l.home.Selected()
	switch {
	case !ok:
		return "No session is selected."
	case l.stack.openID() == s.ID:
		return "This session is open. Press q to leave it first."
	}
	return ""
}

// remove deletes a session. This can be undone until the program ends.
func (l *launcher) remove() screen.Outcome {
	s, _ := l.home.Selected()
	return l.change(listedMsg{notice: deletion(s), deleted: s},
		func(ctx context.Context) error { return l.deps.Sessions.Delete(ctx, s.ID) })
}

// deletion is the notice of a deleted session.
func deletion(s debate.SessionSummary) screen.Notice {
	text := "Deleted " + text.Line(s.Name())
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return screen.Notice{Text: text, Keys: "u to undo (until you quit).", Transient: true}
}

// undo restores the session that was deleted last.
func (l *launcher) undo() screen.Outcome {
	last := len(l.deleted) - 1
	s := l.deleted[last]
	l.deleted = l.deleted[:last]
	l.home.Select(s.ID)
	restored := listedMsg{notice: screen.Notice{Text: "Restored.", Transient: true}, undone: s}
	return l.change(restored, func(ctx context.Context) error { return l.deps.Sessions.Undelete(ctx, s.ID) })
}

// idle returns what the notice row of the list shows when there is no notice: a
// hint, or the session that was deleted last.
func (l *launcher) idle() (hint string, deleted screen.Notice) {
	last := len(l.deleted) - 1
	switch {
	case l.home.Searching():
		return "Searches topics, statements, answers and verdicts.", screen.Notice{}
	case last >= 0:
		return "", deletion(l.deleted[last])
	case l.stack.openID() == "":
		return "Nothing runs until you open a session and resume it.", screen.Notice{}
	}
	return "", screen.Notice{}
}

func (l *launcher) noUndo() string {
	if len(l.deleted) == 0 {
		return "Nothing to restore."
	}
	return ""
}

// rename gives the session under the cursor the title that was typed.
func (l *launcher) rename() screen.Outcome {
	id, name := l.home.Renaming()
	l.home.List.Back(l.deps.Now())
	renamed := listedMsg{notice: screen.Notice{Text: "Renamed.", Transient: true}}
	return l.change(renamed, func(ctx context.Context) error { return l.deps.Sessions.Rename(ctx, id, name) })
}

// listChanged follows a change of the list.
func (l *launcher) listChanged(msg listedMsg) screen.Outcome {
	if msg.err != nil {
		if msg.undone.ID != "" {
			l.deleted = append(l.deleted, msg.undone)
		}
		return append(screen.Tell(screen.Error, screen.Sentence(msg.err)), l.readSessions())
	}
	if msg.deleted.ID != "" {
		l.deleted = append(l.deleted, msg.deleted)
	}
	return screen.Outcome{msg.notice, l.readSessions()}
}

// search runs a query that has not changed for a moment.
func (l *launcher) search(msg searchMsg) screen.Outcome {
	if msg.query == "" || msg.query != l.home.Query() {
		return nil
	}
	query := msg.query
	return screen.Run(func() tea.Msg {
		began := l.deps.Now()
		hits, err := l.deps.Sessions.Search(l.ctx, home.ParseQuery(query))
		return foundMsg{query, hits, l.deps.Now().Sub(began), err}
	})
}

func (l *launcher) found(msg foundMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Tell(screen.Error, "Cannot search: "+screen.Sentence(msg.err))
	}
	l.home.SetHits(msg.query, msg.hits, msg.took, l.deps.Now())
	return nil
}

// startDemo starts the demo. From the form it uses the topic that was typed
// there.
func (l *launcher) startDemo() screen.Outcome {
	s := l.offer.Demo
	if topic := l.setup.Topic(); topic != "" && l.stack.base() == l.setup {
		s.Topic = topic
	}
	return screen.Outcome{createSession{s, "enter start the demo · esc back"}}
}

func (l *launcher) noDemo() string {
	if len(l.offer.Demo.Seats) == 0 {
		return "Still looking for models."
	}
	return ""
}

func (l *launcher) lookAgain() screen.Outcome {
	return append(screen.Tell(screen.Info, "Looking for models"+l.th.Symbols.Cut), l.readOffer())
}

func (l *launcher) writeConfig() screen.Outcome {
	ctx, write := l.ctx, l.deps.WriteConfig
	return screen.Run(func() tea.Msg {
		path, err := write(ctx)
		notice := screen.Notice{
			Text: "Wrote " + path + ".", Keys: "Edit it, then restart Roundtable.", Tone: screen.Success,
			Transient: true,
		}
		return listedMsg{notice: notice, err: err}
	})
}

// begin creates the debate of the form.
func (l *launcher) begin() screen.Outcome {
	fill, keys := l.setup.Session, "enter start the new one · esc back"
	if l.setup.OnlyDemo() {
		fill, keys = func() (debate.Session, error) { return l.setup.DemoSession(l.offer.Demo) }, "enter start the demo · esc back"
	}
	s, err := fill()
	if err != nil {
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	return screen.Outcome{createSession{s, keys}}
}
