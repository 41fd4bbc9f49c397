package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/chooser"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

type launcher struct {
	home    *home.Screen
	first   *setup.FirstStart
	setup   *setup.Form
	chooser *chooser.Screen
	base    string          // of the review that was asked for last
	lists   []screen.Screen // all of them

	draft    newDraft
	offer    setup.Options
	offered  bool
	welcomed bool
}

func (m *Model) newLauncher() {
	deps := m.deps
	m.home = home.New(m.ctx, home.Config{
		Theme: m.th, Store: deps.Sessions, Now: deps.Now,
		Open: m.stack.openID, Live: m.sessions.live, Keys: deps.Keys,
	})
	m.first = setup.NewFirstStart(m.th, deps.WriteConfig != nil, deps.Keys)
	m.setup, m.chooser = setup.NewForm(m.th, deps.Now), chooser.New(m.th)
	m.stack.menu = m.chooser
	m.setup.SetFiles(m.files)
	m.setup.Prefill(deps.Start.Topic, deps.Start.Mode, deps.Start.Rounds)
	m.setup.Attach(deps.Start.Files)
	if deps.Models != nil {
		m.setup.SetModels(m.ctx, deps.Models)
	}
	if deps.SavePanel != nil {
		m.setup.SetPanelSaver(m.ctx, deps.SavePanel)
	}
	m.lists = []screen.Screen{m.home, m.first, m.setup, m.chooser}
}

func (m *Model) owns(s screen.Screen) bool { return slices.Contains(m.lists, s) }

func (m *Model) readOffer() tea.Cmd {
	return screen.Later(func() (setup.Options, error) { return m.deps.Offer(m.ctx) }, m.offerRead)
}

// askLists asks servers for their lists of models, once the form of a new debate is shown.
func (m *Model) askLists() tea.Cmd {
	ask := m.offer.Ask
	if ask == nil || m.stack.base() != m.setup {
		return nil
	}
	m.offer.Ask = nil
	return m.lookWith(ask)
}

// lookWith asks for what a new debate can be made of, and offers it unless the panel was changed.
func (m *Model) lookWith(ask func(context.Context) (setup.Options, error)) tea.Cmd {
	return screen.Later(func() (setup.Options, error) { return ask(m.ctx) }, func(o setup.Options, err error) screen.Outcome {
		if m.setup.Looked(); err == nil && !m.setup.PanelChanged() {
			m.setOffer(o)
		}
		return nil
	})
}

func (m *Model) offerRead(o setup.Options, err error) screen.Outcome {
	var out screen.Outcome
	if err != nil {
		out = screen.Tell(screen.Error, text.Sentence(err.Error()))
	}
	m.setOffer(o)
	again := m.offered
	m.offered = true
	switch {
	case again && err == nil:
		return append(out, m.foundAgain()...)
	case again:
		return append(out, screen.Run(m.askLists())...)
	case m.deps.Start.New && m.deps.Start.Begin && err == nil:
		return append(out, m.setup.Begin()...)
	}
	return append(append(out, m.welcome()...), screen.Run(m.askLists())...)
}

func (m *Model) setOffer(o setup.Options) {
	m.offer = o
	m.first.SetOptions(o)
	m.setup.SetOptions(o)
	key := m.deps.Keys.Of("new-debate")
	switch {
	case o.FirstStart:
		m.home.SetReady("no model found: demo only", "", "Press "+key+" to start the demo, or to see how to get a model.")
	case o.TooFew():
		m.home.SetReady("too few seats ready; "+key+" shows what is missing", "", "")
	default:
		m.home.SetReady(text.Count(o.Ready(), "seat")+" ready", o.Sources, "")
	}
}

// foundAgain says what was found when the user looked again, and chooses that panel.
func (m *Model) foundAgain() screen.Outcome {
	switch onFirst := m.stack.base() == m.first; {
	case m.offer.FirstStart && onFirst:
		return screen.Tell(screen.Info, "No models found. The list shows where we looked.")
	case m.offer.FirstStart:
		return screen.Tell(screen.Info, "No models found. "+control.GetModel)
	case m.offer.Sources == "": // the config says who debates
		return screen.Tell(screen.Info, "The panel is that of the config; `roundtable doctor` says who can be reached.")
	case !onFirst:
		return screen.Tell(screen.Success, m.offer.Summary+"; panel: "+m.setup.ChooseOffered()+".")
	}
	return append(m.showNew(), screen.Tell(screen.Success, m.offer.Summary+"; panel: "+m.setup.ChooseOffered()+".")...)
}

// welcome shows the first start or the form of a new debate if there are no
// sessions, once both the sessions and the models are known.
func (m *Model) welcome() screen.Outcome {
	stored, known := m.home.Count()
	if m.welcomed || !known || !m.offered {
		return nil
	}
	m.welcomed = true
	if stored > 0 || m.stack.base() != m.home || m.stack.openID() != "" || (m.deps.Start.New || m.deps.Start.Session != "") {
		return nil
	}
	if m.offer.FirstStart {
		return m.showFirstStart()
	}
	return m.newDebate()
}

// newDebate shows the form of a new debate, with its draft. Without a model it says that a
// question of the user's own needs one.
func (m *Model) newDebate() screen.Outcome {
	if !m.offer.FirstStart {
		return m.showNew()
	}
	out := screen.Tell(screen.Warning, "No model yet. Below is how to get one; the demo needs none.")
	if m.stack.base() != m.first {
		out = append(m.showFirstStart(), out...)
	}
	return out
}

// showNew shows the form of a new debate, from which esc leads to the list.
func (m *Model) showNew() screen.Outcome {
	m.stack.show(m.home, m.setup)
	return screen.Run(tea.Batch(m.home.ReadSessions(), m.askLists()))
}

func (m *Model) showFirstStart() screen.Outcome {
	m.stack.show(m.home, m.first)
	return screen.Run(m.home.ReadSessions())
}

// startDemo starts the demo, from the form with the topic that is typed there.
func (m *Model) startDemo() screen.Outcome {
	s := m.offer.Demo
	if topic := m.setup.Topic(); topic != "" && m.stack.base() == m.setup {
		s.Topic, s.Question = topic, debate.QuestionUnset
	}
	return screen.Outcome{setup.Create{Session: s}}
}

func (m *Model) writeConfig() screen.Outcome {
	ctx, write := m.ctx, m.deps.WriteConfig
	return screen.Run(screen.Await(func() (string, error) { return write(ctx) }, func(path string) screen.Outcome {
		told := screen.Advise(screen.Success, "Wrote "+path+".", "Edit it, then restart Roundtable.")
		return append(told, m.lookWith(m.deps.Offer)) // it is listed among what was found
	}))
}

func (m *Model) askBase() screen.Outcome {
	return screen.Outcome{screen.Prompt{
		Label: "changes since >", Text: m.base, Limit: maxBase, Hints: []string{"enter review", "esc back"},
		Help: "A branch or a commit; empty: the default branch. What is not committed counts.",
		Done: func(base string) screen.Outcome {
			m.base = base // to correct it
			ctx, review := m.ctx, m.deps.Review
			told := screen.Tell(screen.Info, "Reading what has changed"+m.th.Symbols.Cut)
			var notes []string
			return append(told, screen.Await(func() (s debate.Session, err error) {
				s, notes, err = review(ctx, base)
				return s, err
			}, func(s debate.Session) screen.Outcome {
				return screen.Outcome{setup.ConfirmReview(s, m.offer.Past, notes, m.deps.Servers, m.deps.Company)}
			}))
		},
	}}
}

const maxBase = 200

const draftEvery = 450 * time.Millisecond

type newDraft struct {
	saved string // what is saved
	busy  bool   // a tick or a save is under way
}

// readDraft reads the draft of a new debate. If the command line names a topic, a
// mode, rounds or files, there is none.
func (m *Model) readDraft() tea.Cmd {
	s := m.deps.Start
	if m.deps.ReadOnly != "" || s.Topic != "" || s.Mode != "" || s.Rounds > 0 || len(s.Files) > 0 {
		return nil
	}
	return screen.Later(func() (debate.Draft, error) { return m.deps.Sessions.KeptNew(m.ctx) }, m.draftRead)
}

func (m *Model) draftRead(d debate.Draft, err error) screen.Outcome {
	if err == nil && (d.Text == "" || m.setup.Draft() != "") { // what was typed meanwhile stands
		return nil
	}
	if err == nil {
		err = m.setup.Restore(d.Text)
	}
	if err != nil {
		return screen.Tell(screen.Error, "Cannot read the draft of the new debate: "+text.Sentence(err.Error()))
	}
	m.draft.saved = d.Text
	return screen.Run(m.setup.LookAtFiles())
}

// saveDraftSoon returns a command that leads to a save of the draft. One save is
// under way at a time, so that none overtakes another.
func (m *Model) saveDraftSoon() tea.Cmd {
	if m.draft.busy || m.deps.ReadOnly != "" || m.stack.base() != m.setup && m.draft.saved == "" || m.setup.Draft() == m.draft.saved {
		return nil
	}
	m.draft.busy = true
	return screen.After(m.ctx, draftEvery, screen.Then(m.saveDraft))
}

func (m *Model) saveDraft() screen.Outcome {
	ctx, d := context.WithoutCancel(m.ctx), debate.Draft{Text: m.setup.Draft(), At: m.deps.Now()}
	return screen.Run(m.sessions.saves.Add(func() tea.Msg {
		err := m.deps.Sessions.KeepNew(ctx, d)
		return screen.Then(func() screen.Outcome { return m.draftSaved(d.Text, err) })
	}))
}

func (m *Model) draftSaved(words string, err error) screen.Outcome {
	m.draft.busy = false
	if err != nil { // the next key tries again
		return screen.Tell(screen.Error, "Cannot save the draft of the new debate: "+control.Cause(err)+". It is still here.")
	}
	m.draft.saved = words
	return screen.Run(m.saveDraftSoon())
}

func (m *Model) saveLast() error {
	text := m.setup.Draft()
	if text == m.draft.saved && !m.draft.busy || m.deps.ReadOnly != "" {
		return nil
	}
	ctx, d := context.WithoutCancel(m.ctx), debate.Draft{Text: text, At: m.deps.Now()}
	return m.sessions.saves.Do(func() error { return m.deps.Sessions.KeepNew(ctx, d) })
}
