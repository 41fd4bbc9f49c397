package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/compare"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// launcher owns the screens before a debate: the list of sessions, the first
// start and the form of a new debate.
type launcher struct {
	ctx   context.Context
	deps  Deps
	saves *screen.SaveQueue
	th    *theme.Theme
	stack *stack

	home    *home.Screen
	first   *setup.FirstStart
	setup   *setup.Form
	compare *compare.Screen
	screens []screen.Screen // all of them

	draft    newDraft
	offer    setup.Options
	offered  bool
	welcomed bool
}

// The effects of the launcher.
type (
	showNew        struct{}
	showFirstStart struct{}
	tellOfDraft    struct{}
)

// The messages of the launcher's commands.
type (
	// offerMsg is what a new debate can be made of.
	offerMsg struct {
		offer setup.Options
		err   error
	}
	// configMsg says where a config file was written.
	configMsg struct {
		path string
		err  error
	}
)

func newLauncher(ctx context.Context, deps Deps, saves *screen.SaveQueue, th *theme.Theme, shown *stack) *launcher {
	l := &launcher{ctx: ctx, deps: deps, saves: saves, th: th, stack: shown}
	l.home = home.New(ctx, home.Config{
		Theme: th, Store: deps.Sessions, Now: deps.Now,
		Open: func() (string, bool) { return shown.openID(), shown.running() },
	})
	l.first = setup.NewFirstStart(th, deps.ReadOnly, deps.WriteConfig != nil)
	l.setup = setup.NewForm(th)
	l.setup.Prefill(deps.Start.Topic, deps.Start.Mode, deps.Start.Rounds)
	setup.Attach(l.setup, deps.Start.Files)
	l.compare = compare.New(ctx, deps.Sessions, th)
	if deps.Models != nil {
		setup.SetModels(l.setup, ctx, deps.Now, deps.Models)
	}
	if deps.SavePanel != nil {
		setup.SetPanelSaver(l.setup, ctx, deps.SavePanel)
	}
	l.screens = []screen.Screen{l.home, l.first, l.setup, setup.ChooserOf(l.setup), l.compare}
	return l
}

// owns reports whether a screen is one of the launcher.
func (l *launcher) owns(s screen.Screen) bool { return slices.Contains(l.screens, s) }

func (l *launcher) setTheme(th *theme.Theme) {
	l.th = th
	for _, s := range l.screens {
		s.SetTheme(th)
	}
}

func (l *launcher) setSize(w, h int) {
	for _, s := range l.screens {
		s.SetSize(w, h)
	}
}

// receive handles the messages of the launcher's commands. It reports whether the
// message is one.
func (l *launcher) receive(msg tea.Msg) (out screen.Outcome, ok bool) {
	switch msg := msg.(type) {
	case offerMsg:
		return l.offerRead(msg), true
	case configMsg:
		return configWritten(msg), true
	case draftReadMsg:
		return l.draftRead(msg), true
	case saveNewMsg:
		return screen.Run(l.saveDraft()), true
	case draftSavedMsg:
		return l.draftSaved(msg), true
	}
	if out, ok = setup.Receive(l.setup, msg); ok {
		return out, ok
	}
	if out, ok = l.home.Receive(msg); ok {
		out = append(out, l.welcome()...)
	}
	return out, ok
}

func (l *launcher) readOffer() tea.Cmd {
	return func() tea.Msg {
		o, err := l.deps.Offer(l.ctx)
		return offerMsg{o, err}
	}
}

// offerRead shows which models a new debate can use.
func (l *launcher) offerRead(msg offerMsg) screen.Outcome {
	var out screen.Outcome
	if msg.err != nil {
		out = screen.Tell(screen.Error, text.Sentence(msg.err.Error()))
	}
	l.offer = msg.offer
	l.first.SetOptions(msg.offer)
	l.setup.SetOptions(msg.offer)
	switch ready := msg.offer.Ready(); {
	case msg.offer.FirstStart:
		l.home.SetReady("no model found: demo only", "")
	case ready == 0:
		l.home.SetReady("no agent ready; n shows what is missing", "")
	default:
		l.home.SetReady(text.Count(ready, "agent")+" ready", msg.offer.Sources)
	}
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
		return append(out, l.setup.Begin()...)
	}
	return append(out, l.welcome()...)
}

// welcome shows the first start or the form of a new debate if there are no
// sessions, once both the sessions and the models are known.
func (l *launcher) welcome() screen.Outcome {
	stored, known := l.home.Count()
	if l.welcomed || !known || !l.offered {
		return nil
	}
	l.welcomed = true
	if stored > 0 || l.stack.base() != l.home || l.stack.openID() != "" || (l.deps.Start.New || l.deps.Start.Session != "") {
		return nil
	}
	if l.offer.FirstStart {
		return screen.Outcome{showFirstStart{}}
	}
	return l.newDebate()
}

// newDebate shows the form of a new debate, with its draft.
func (l *launcher) newDebate() screen.Outcome { return screen.Outcome{showNew{}, tellOfDraft{}} }

// startDemo starts the demo. From the form it uses the topic that was typed
// there.
func (l *launcher) startDemo() screen.Outcome {
	s := l.offer.Demo
	if topic := l.setup.Topic(); topic != "" && l.stack.base() == l.setup {
		s.Topic = topic
	}
	return screen.Outcome{setup.Create{Session: s, Verb: "start the demo"}}
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
		return configMsg{path, err}
	})
}

// configWritten tells where the config file is.
func configWritten(msg configMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Tell(screen.Error, text.Sentence(msg.err.Error()))
	}
	return screen.Advise(screen.Success, "Wrote "+msg.path+".", "Edit it, then restart Roundtable.")
}
