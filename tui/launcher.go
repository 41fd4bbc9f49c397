package tui

import (
	"context"
	"fmt"
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
	chooser *chooser.Screen
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

func newLauncher(ctx context.Context, deps Deps, open *sessions, th *theme.Theme, shown *stack) *launcher {
	l := &launcher{ctx: ctx, deps: deps, saves: open.saves, th: th, stack: shown}
	l.home = home.New(ctx, home.Config{
		Theme: th, Store: deps.Sessions, Now: deps.Now,
		Open: shown.openID, Live: open.live, Keys: deps.Keys,
	})
	l.first = setup.NewFirstStart(th, deps.ReadOnly, deps.WriteConfig != nil, deps.Keys)
	l.setup, l.chooser = setup.NewForm(th, deps.Now), chooser.New(th)
	shown.menu = l.chooser
	l.setup.Prefill(deps.Start.Topic, deps.Start.Mode, deps.Start.Rounds)
	l.setup.Attach(deps.Start.Files)
	if deps.Models != nil {
		l.setup.SetModels(ctx, deps.Models)
	}
	if deps.SavePanel != nil {
		l.setup.SetPanelSaver(ctx, deps.SavePanel)
	}
	l.screens = []screen.Screen{l.home, l.first, l.setup, l.chooser}
	return l
}

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

func (l *launcher) readOffer() tea.Cmd {
	return func() tea.Msg {
		o, err := l.deps.Offer(l.ctx)
		return screen.Then(func() screen.Outcome { return l.offerRead(o, err) })
	}
}

// askLists asks servers for their lists of models, once the form of a new debate is shown.
// The form can be used meanwhile.
func (l *launcher) askLists() tea.Cmd {
	ask := l.offer.Ask
	if ask == nil || l.stack.base() != l.setup {
		return nil
	}
	l.offer.Ask = nil
	return l.lookWith(ask)
}

// lookWith returns a command that asks for what a new debate can be made of, which is offered
// unless the panel was changed meanwhile.
func (l *launcher) lookWith(ask func(context.Context) (setup.Options, error)) tea.Cmd {
	return func() tea.Msg {
		o, err := ask(l.ctx)
		return screen.Then(func() screen.Outcome {
			if l.setup.Looked(); err == nil && !l.setup.PanelChanged() {
				l.setOffer(o)
			}
			return nil
		})
	}
}

// offerRead shows which models a new debate can use.
func (l *launcher) offerRead(o setup.Options, err error) screen.Outcome {
	var out screen.Outcome
	if err != nil {
		out = screen.Tell(screen.Error, text.Sentence(err.Error()))
	}
	l.setOffer(o)
	again := l.offered
	l.offered = true
	switch {
	case again && err == nil:
		return append(out, l.foundAgain()...)
	case again:
		return append(out, screen.Run(l.askLists())...)
	case l.deps.Start.New && l.deps.Start.Begin && err == nil:
		return append(out, l.setup.Begin()...)
	}
	return append(append(out, l.welcome()...), screen.Run(l.askLists())...)
}

func (l *launcher) setOffer(o setup.Options) {
	l.offer = o
	l.first.SetOptions(o)
	l.setup.SetOptions(o)
	key := l.deps.Keys.Of("new-debate")
	switch {
	case o.FirstStart:
		l.home.SetReady("no model found: demo only", "", "Press "+key+" to start the demo, or to see how to get a model.")
	case o.TooFew():
		l.home.SetReady("too few seats ready; "+key+" shows what is missing", "", "")
	default:
		l.home.SetReady(text.Count(o.Ready(), "seat")+" ready", o.Sources, "")
	}
}

// foundAgain says what was found when the user looked again, and chooses that panel.
func (l *launcher) foundAgain() screen.Outcome {
	switch onFirst := l.stack.base() == l.first; {
	case l.offer.FirstStart && onFirst:
		return screen.Tell(screen.Info, "No models found. The list shows where we looked.")
	case l.offer.FirstStart:
		return screen.Tell(screen.Info, "No models found. "+control.GetModel)
	case l.offer.Sources == "": // the config says who debates
		return screen.Tell(screen.Info, "The panel is that of the config; `roundtable doctor` says who can be reached.")
	case !onFirst:
		return screen.Tell(screen.Success, l.offer.Summary+"; panel: "+l.setup.ChooseOffered()+".")
	}
	return append(screen.Outcome{showNew{}}, screen.Tell(screen.Success, l.offer.Summary+"; panel: "+l.setup.ChooseOffered()+".")...)
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

// newDebate shows the form of a new debate, with its draft. Without a model it says that a
// question of the user's own needs one.
func (l *launcher) newDebate() screen.Outcome {
	if !l.offer.FirstStart {
		return screen.Outcome{showNew{}, tellOfDraft{}}
	}
	out := screen.Tell(screen.Warning, "No model yet. Below is how to get one; the demo needs none.")
	if l.stack.base() != l.first {
		out = append(screen.Outcome{showFirstStart{}}, out...)
	}
	return out
}

// startDemo starts the demo. From the form it uses the topic that was typed
// there.
func (l *launcher) startDemo() screen.Outcome {
	s := l.offer.Demo
	if topic := l.setup.Topic(); topic != "" && l.stack.base() == l.setup {
		s.Topic, s.Question = topic, debate.QuestionUnset
	}
	return screen.Outcome{setup.Create{Session: s}}
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
	return screen.Run(screen.Await(func() (string, error) { return write(ctx) }, func(path string) screen.Outcome {
		told := screen.Advise(screen.Success, "Wrote "+path+".", "Edit it, then restart Roundtable.")
		return append(told, l.lookWith(l.deps.Offer)) // it is listed among what was found
	}))
}

// askBase asks for the base of a review.
func (l *launcher) askBase() screen.Outcome {
	return screen.Outcome{screen.Prompt{
		Label: "changes since >", Limit: maxBase, Hints: []string{"enter review", "esc back"},
		Help: "A branch or a commit; empty: the default branch. What is not committed counts.",
		Done: func(base string) screen.Outcome {
			ctx, review := l.ctx, l.deps.Review
			told := screen.Tell(screen.Info, "Reading what has changed"+l.th.Symbols.Cut)
			var notes []string
			return append(told, screen.Await(func() (s debate.Session, err error) {
				s, notes, err = review(ctx, base)
				return s, err
			}, func(s debate.Session) screen.Outcome {
				return screen.Outcome{setup.ConfirmReview(s, notes, l.deps.Company)}
			}))
		},
		Closed: func(string) screen.Outcome { return nil },
	}}
}

// maxBase is the largest length of the name of a base, in characters.
const maxBase = 200

// draftEvery is how often what is typed for a new debate is looked at for saving.
const draftEvery = 450 * time.Millisecond

// newDraft is the draft of a new debate.
type newDraft struct {
	saved string    // what is saved
	busy  bool      // a tick or a save is under way
	from  time.Time // when the draft that was restored was typed, until that is told
}

// readDraft reads the draft of a new debate. If the command line names a topic, a
// mode, rounds or files, there is none.
func (l *launcher) readDraft() tea.Cmd {
	s := l.deps.Start
	if l.deps.ReadOnly != "" || s.Topic != "" || s.Mode != "" || s.Rounds > 0 || len(s.Files) > 0 {
		return nil
	}
	return func() tea.Msg {
		d, err := l.deps.Sessions.KeptNew(l.ctx)
		return screen.Then(func() screen.Outcome { return l.draftRead(d, err) })
	}
}

func (l *launcher) draftRead(d debate.Draft, err error) screen.Outcome {
	if err == nil && (d.Text == "" || l.setup.Draft() != "") { // what was typed meanwhile stands
		return nil
	}
	if err == nil {
		err = l.setup.Restore(d.Text)
	}
	if err != nil {
		return screen.Tell(screen.Error, "Cannot read the draft of the new debate: "+text.Sentence(err.Error()))
	}
	l.draft.saved, l.draft.from = d.Text, d.At
	return append(l.tellOfDraft(), screen.Run(l.setup.LookAtFiles())...)
}

// tellOfDraft says once, when the form is shown, that it holds a draft.
func (l *launcher) tellOfDraft() screen.Outcome {
	if l.stack.base() != l.setup || l.draft.from.IsZero() {
		return nil
	}
	from := l.draft.from.In(l.deps.Now().Location())
	l.draft.from = time.Time{}
	return screen.Tell(screen.Info, fmt.Sprintf("Restored your draft from %s.", from.Format("2 Jan 15:04")))
}

// saveDraftSoon returns a command that leads to a save of the draft. One save is
// under way at a time, so that none overtakes another.
func (l *launcher) saveDraftSoon() tea.Cmd {
	if l.draft.busy || l.deps.ReadOnly != "" || l.stack.base() != l.setup && l.draft.saved == "" || l.setup.Draft() == l.draft.saved {
		return nil
	}
	l.draft.busy = true
	return screen.After(l.ctx, draftEvery, screen.Then(l.saveDraft))
}

func (l *launcher) saveDraft() screen.Outcome {
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: l.setup.Draft(), At: l.deps.Now()}
	return screen.Run(l.saves.Add(func() tea.Msg {
		err := l.deps.Sessions.KeepNew(ctx, d)
		return screen.Then(func() screen.Outcome { return l.draftSaved(d.Text, err) })
	}))
}

func (l *launcher) draftSaved(words string, err error) screen.Outcome {
	l.draft.busy = false
	if err != nil { // the next key tries again
		return screen.Tell(screen.Error, "Cannot save the draft of the new debate: "+control.Cause(err)+". It is still here.")
	}
	l.draft.saved = words
	return screen.Run(l.saveDraftSoon())
}

// saveLast saves the draft when the program ends.
func (l *launcher) saveLast() error {
	text := l.setup.Draft()
	if text == l.draft.saved && !l.draft.busy || l.deps.ReadOnly != "" {
		return nil
	}
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: text, At: l.deps.Now()}
	return l.saves.Do(func() error { return l.deps.Sessions.KeepNew(ctx, d) })
}
