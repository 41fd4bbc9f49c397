package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Session returns the debate as filled in. If something is missing, it returns an
// error and focuses the field.
func (f *Form) Session() (debate.Session, error) {
	topic := strings.TrimSpace(f.topic.Value())
	if topic == "" {
		f.setFocus(fieldTopic)
		return debate.Session{}, fmt.Errorf("enter a topic first")
	}
	if len(f.modes) == 0 {
		return debate.Session{}, fmt.Errorf("no mode can be used; `roundtable modes` says why")
	}
	mode, question, at, err := f.modeAndQuestion()
	if err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	s := debate.Session{
		Topic: topic, Question: question, Mode: mode, Rounds: f.rounds, Chair: f.panel.current().Chair, Light: f.panel.current().Light,
		Caps: f.options.Caps, Fit: f.options.Fit, Budget: f.options.Budget, EndConditions: f.endings,
		Workspace: f.folder.workspace(f.options),
	}
	for _, o := range f.panel.chosen() {
		s.Seats = append(s.Seats, f.effort.apply(o.Profile))
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		f.setFocus(fieldPanel)
		return debate.Session{}, err
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		f.setFocus(fieldWorkspace)
		return debate.Session{}, err
	}
	if s.Budget.USD, s.Budget.Tokens, at, err = f.budget(); err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	if unpriced := (*debate.UnpricedError)(nil); errors.As(s.CheckBudget(), &unpriced) {
		f.setFocus(fieldBudget)
		return debate.Session{}, fmt.Errorf(
			"no price for %s; remove the budget, limit the tokens as well, or set price_in and price_out in the config",
			nameList(unpriced.Speakers))
	}
	return s, nil
}

// demoSession returns the demo with the topic, mode and rounds of the form. If
// something is missing, it returns an error and focuses the field.
func (f *Form) demoSession() (debate.Session, error) {
	demo := f.options.Demo
	if topic := f.Topic(); topic != "" {
		demo.Topic = topic
	}
	if len(f.modes) == 0 {
		return demo, nil
	}
	mode, question, at, err := f.modeAndQuestion()
	if err == nil {
		at, err = fieldMode, mode.CheckPanel(demo.Seats)
	}
	if err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	demo.Question, demo.Mode, demo.Rounds, demo.EndConditions = question, mode, f.rounds, f.endings
	return demo, nil
}

// nameList names agents, each once.
func nameList(profiles []agents.Profile) string {
	var names []string
	for _, p := range profiles {
		if name := text.Line(p.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, " and ")
}
