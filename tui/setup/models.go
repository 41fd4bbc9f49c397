package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// ModelLister asks a provider for its models.
type ModelLister func(ctx context.Context, provider string) ([]agents.ModelInfo, error)

const modelWait = 20 * time.Second

type models struct {
	ctx   context.Context
	ask   ModelLister
	known map[string][]agents.ModelInfo // by provider
	asked int                           // of the answer that is waited for
}

// SetModels sets what asks providers for their models; without it models cannot be chosen.
func (f *Form) SetModels(ctx context.Context, ask ModelLister) {
	l := &models{ctx: ctx, ask: ask, known: map[string][]agents.ModelInfo{}}
	f.models = l
	f.commands = append(f.commands, screen.Command{
		Binding: screen.Bind("change-model", "m", "model of the seat"), Title: "Choose the model of a seat", Group: screen.Choosing,
		Hint: f.panelHint("m model", f.onSeat), Rank: 3, Run: screen.Do(func() screen.Outcome { return l.choose(f) }),
	})
}

func (l *models) choose(f *Form) screen.Outcome {
	s := f.panel.selected()
	switch {
	case s == nil || f.focused != fieldPanel:
		f.setFocus(fieldPanel)
		f.panel.row = max(f.panel.row, 0)
		return screen.Tell(screen.Info, "Go to a seat of the panel first, then choose its model.")
	case s.Profile.Provider == debate.DemoProvider:
		return screen.Tell(screen.Info, "Seats of the demo are scripted and have no model to choose.")
	}
	id := s.Profile.ID
	return l.open(f, s.Profile, func(m agents.ModelInfo) { f.panel.setModel(id, m) })
}

// another lists the models of a seat's provider, and adds the seat with the one that is chosen.
func (l *models) another(f *Form, s SeatOption) screen.Outcome {
	if s.Profile.Provider == debate.DemoProvider {
		return screen.Tell(screen.Info, "The demo has no more seats.")
	}
	return l.open(f, s.Profile, func(m agents.ModelInfo) { f.panel.add(s, m) })
}

// open lists the models of a seat's provider once that has named them, for what takes the one
// that is chosen.
func (l *models) open(f *Form, p agents.Profile, take func(agents.ModelInfo)) screen.Outcome {
	l.asked++
	asked := l.asked
	show := func(all []agents.ModelInfo, err error) screen.Outcome {
		l.known[p.Provider] = all
		if asked != l.asked || f.focused != fieldPanel { // the user has gone on
			return nil
		}
		menu := l.list(p, all, err, take)
		menu.Over = f
		return screen.Outcome{screen.ClearNotice{}, menu}
	}
	if known := l.known[p.Provider]; len(known) > 0 {
		return show(known, nil)
	}
	out := screen.Tell(screen.Info, "Asking "+text.Line(p.Provider)+" for its models"+f.th.Symbols.Cut)
	return append(out, screen.Run(func() tea.Msg {
		ctx, cancel := context.WithTimeout(l.ctx, modelWait)
		defer cancel()
		all, err := l.ask(ctx, p.Provider)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("it did not answer within %s", text.Duration(modelWait))
		}
		return screen.Then(func() screen.Outcome { return show(all, err) })
	})...)
}

func (l *models) list(p agents.Profile, all []agents.ModelInfo, err error, take func(agents.ModelInfo)) screen.Menu {
	choose := func(m agents.ModelInfo) screen.Outcome {
		take(m)
		return nil
	}
	out := screen.Menu{
		Title: "Model of " + text.Line(p.Name), Present: text.Line(p.ModelName()),
		Free: func(name string) screen.Outcome { return choose(agents.ModelInfo{Name: name}) },
	}
	for _, m := range all {
		name := text.Line(m.Name)
		if name != "" && !slices.ContainsFunc(out.All, func(e screen.Entry) bool { return e.Name == name }) {
			out.All = append(out.All, screen.Entry{Name: name, Text: modelText(m), Do: func() screen.Outcome { return choose(m) }})
		}
	}
	slices.SortFunc(out.All, func(a, b screen.Entry) int { return strings.Compare(text.Fold(a.Name), text.Fold(b.Name)) })
	switch {
	case err != nil:
		out.Problem = fmt.Sprintf("%s did not list its models: %s. Type the name of a model.", text.Line(p.Provider),
			strings.TrimSuffix(text.Line(err.Error()), "."))
	case len(out.All) == 0:
		out.Problem = text.Line(p.Provider) + " lists no models. Type the name of one."
	}
	return out
}

func modelText(m agents.ModelInfo) string {
	var words []string
	if m.Window > 0 {
		words = append(words, text.Tokens(m.Window)+" window")
	}
	if m.PriceIn != nil && m.PriceOut != nil {
		words = append(words, fmt.Sprintf("%s in, %s out per million tokens", text.Price(m.PriceIn), text.Price(m.PriceOut)))
	}
	if m.Note != "" {
		words = append(words, text.Line(m.Note))
	}
	return strings.Join(words, ", ")
}

// Options is what a new debate can be made of, as found in the configuration, the
// environment and on this machine.
type Options struct {
	Seats    []SeatOption
	Modes    []debate.Mode
	Faults   []string            // errors of mode files that were skipped, one line each
	Mode     string              // the selected mode; "" for the first one
	Usual    string              // the mode that is selected where nothing else comes back, and need not be named
	Question debate.QuestionKind // the selected kind; QuestionUnset for that of the mode
	Unit     string              // of an estimate, which it makes the question
	Rounds   int                 // the configured number; 0 for the default of the mode
	Panel    string              // what Seats are called; "" if they are no named panel
	Panels   []PanelOption       // that can be chosen instead
	Chair    *agents.Profile
	Light    *agents.Profile
	Ends     debate.Ends // "": as the mode says
	Budget   debate.Budget
	Caps     ledger.Caps
	Past     budget.Past
	Servers  []string // MCP servers beyond this machine, which receive calls of tools

	StartsBelow float64 // the highest estimate in dollars at which enter in the topic starts
	Fit         debate.FitOptions

	Workspace debate.Workspace // that agents may look at; the zero value if none is named
	Sources   string           // where models were found, such as "ollama, 2 keys"
	Summary   string           // the same in words, such as "3 chat models found at Ollama, 2 keys found"

	// Ask asks servers for their lists of models, and returns the options by what they say.
	// It is nil if nobody is to be asked.
	Ask func(context.Context) (Options, error)

	// FirstStart says that no model was found. Found lists where models were searched
	// for, and Demo is a session that needs none.
	FirstStart bool
	Found      []Finding
	Unseated   Unseated // agents on PATH that a command of the user's makes seats

	Last *PanelOption     // who debated last, named LastPanel; nil: nothing comes back
	More []agents.Profile // ids, names and personas for seats beside those that are offered
	Demo debate.Session
}

// SeatOption is an agent that may take a seat.
type SeatOption struct {
	Profile agents.Profile
	Chosen  bool
	Problem string // why it cannot take a seat, and what to do; "" if it can
	Local   bool   // the model runs on this machine
	Company string // who receives the prompts, such as "OpenAI"
	Asks    string // what is set so that a program asks before it acts; "" for a model
	Note    string // what to know of its model, such as until when it is offered
}

// Finding is a place where models were searched for.
type Finding struct {
	What   string
	Result string
	OK     bool
}

// Unseated are agents on PATH that lack their adapter; zero if there are none.
type Unseated struct{ Says, Command, Needs string }

func (u Unseated) lines(width int) []string {
	if u.Command == "" {
		return nil
	}
	lines, line := theme.Wrap(text.Line(u.Says)+":", width), ""
	for _, word := range strings.Fields(text.Line(u.Command)) {
		if line != "" && theme.Width(line+" "+word) > width {
			lines, line = append(lines, theme.Wrap(line, width)...), ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return slices.Concat(lines, theme.Wrap(line, width), theme.Wrap("It needs "+text.Line(u.Needs)+".", width))
}

func copyKey(of func() Unseated, hint func() string) screen.Command {
	return screen.Command{
		Binding: screen.Bind("copy", "y", "copy the command"), Title: "Copy the command", Group: screen.Choosing, Hint: hint, Rank: 4,
		Run: screen.Do(func() screen.Outcome { return screen.Outcome{screen.Copy{Text: of().Command, Shown: true}} }),
		Why: screen.When(func() bool { return of().Command == "" }, "There is no command to copy."),
	}
}

// Ready returns the number of agents that can take a seat.
func (o Options) Ready() int {
	n := 0
	for _, s := range o.Seats {
		if s.Problem == "" {
			n++
		}
	}
	return n
}

// TooFew reports whether no panel can be made of them.
func (o Options) TooFew() bool { return o.Ready() < 2 }
