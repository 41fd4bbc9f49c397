package setup

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// NewPanel is a panel that the user wants to have in the configuration.
type NewPanel struct {
	Name         string
	Seats        []agents.Profile
	Chair, Light *agents.Profile
	Agreed       bool // the user has agreed to what a *ConsentError asked
}

// PanelSaver writes a panel into the configuration, and returns what it has done in a
// sentence. Its error is a *ConsentError if the user has to agree first.
type PanelSaver func(ctx context.Context, p NewPanel) (done string, err error)

// ConsentError asks the user before a panel is saved.
type ConsentError struct {
	Question string
	Verb     string // what is done then, such as "replace"
}

// Error returns the question.
func (e *ConsentError) Error() string { return e.Question }

// saver saves panels.
type saver struct {
	ctx  context.Context
	save PanelSaver
}

// panelSavedMsg is the end of an attempt to save a panel.
type panelSavedMsg struct {
	panel NewPanel
	done  string
	err   error
}

// SetPanelSaver sets what saves panels; without it they cannot be saved.
func SetPanelSaver(f *Form, ctx context.Context, save PanelSaver) {
	f.saver = &saver{ctx, save}
	f.commands = append(f.commands, screen.Command{
		Binding: screen.Bind(screen.Keys("w"), "w", "save the seats as a panel"), Title: "Save the seats as a panel",
		Group: screen.Choosing,
		Hint: func() string {
			if f.focused == fieldPanel && f.panel.row < 0 {
				return "w save"
			}
			return ""
		},
		Rank: 4, Run: screen.Do(func() screen.Outcome { return f.saver.ask(f) }),
	})
}

// ask asks for the name of the panel that is chosen.
func (s *saver) ask(f *Form) screen.Outcome {
	p := NewPanel{Chair: f.panel.current().Chair, Light: f.panel.current().Light}
	for _, seat := range f.panel.chosen() {
		p.Seats = append(p.Seats, seat.Profile)
	}
	if len(p.Seats) < 2 {
		return screen.Tell(screen.Warning, "A panel needs at least two seats.")
	}
	return s.name(f, p, "")
}

// name asks for the name of a panel, again if there is a problem with the last one.
func (s *saver) name(f *Form, p NewPanel, problem string) screen.Outcome {
	l := chooserList{
		title: "Save as a panel", label: "Name", verb: "save", first: true, problem: problem,
		hint: "Small letters, digits, - and _; a letter first, 32 at most.",
		free: func(string) string { return "a new panel of " + text.Count(len(p.Seats), "seat") },
		choose: func(name string) screen.Outcome {
			p.Name = name
			return screen.Run(s.run(p))
		},
	}
	for _, one := range f.panel.all {
		if one.Configured {
			l.all = append(l.all, entry{text.Line(one.Name), "replace this panel"})
		}
	}
	f.chooser.open(l)
	f.chooser.retype(p.Name)
	return screen.Outcome{ShowChooser{}}
}

// run returns a command that saves a panel.
func (s *saver) run(p NewPanel) tea.Cmd {
	ctx, save := s.ctx, s.save
	return func() tea.Msg {
		done, err := save(ctx, p)
		return panelSavedMsg{p, done, err}
	}
}

// saved tells how a panel was saved, or asks what its saver asks.
func (s *saver) saved(f *Form, msg panelSavedMsg) screen.Outcome {
	if ask := (*ConsentError)(nil); errors.As(msg.err, &ask) {
		agreed := msg.panel
		agreed.Agreed = true
		return screen.Outcome{screen.Question{
			Text: ask.Question, Verb: ask.Verb, Do: func() screen.Outcome { return screen.Run(s.run(agreed)) },
		}}
	}
	if msg.err != nil {
		return s.name(f, msg.panel, text.Sentence(msg.err.Error()))
	}
	f.panel.save(msg.panel.Name)
	return screen.Tell(screen.Success, msg.done)
}
