package picker

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
)

// Session returns the debate as it is filled in. An error says what is missing,
// and its field gets the focus.
func (f *NewDebate) Session() (debate.Session, error) {
	topic := strings.TrimSpace(f.topic.Value())
	if topic == "" {
		f.focus(onTopic)
		return debate.Session{}, fmt.Errorf("say what the debate is about first")
	}
	if len(f.modes) == 0 {
		return debate.Session{}, fmt.Errorf("no mode can be played; `roundtable modes` says why")
	}
	mode, at, err := f.withLists()
	if err != nil {
		f.focus(at)
		return debate.Session{}, err
	}
	s := debate.Session{
		Topic: topic, Mode: mode, Rounds: f.rounds, Chair: f.offer.Chair, Light: f.offer.Light,
		Caps: f.offer.Caps, Fit: f.offer.Fit, Budget: f.offer.Budget, EndConditions: f.ends,
	}
	for _, o := range f.panel() {
		s.Seats = append(s.Seats, o.Profile)
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		f.focus(onPanel)
		return debate.Session{}, err
	}
	usd, err := parseBudget(f.budget)
	if err != nil {
		f.focus(onBudget)
		return debate.Session{}, err
	}
	s.Budget.USD = usd
	if unpriced := (*debate.UnpricedError)(nil); errors.As(s.CheckBudget(), &unpriced) {
		f.focus(onBudget)
		return debate.Session{}, fmt.Errorf("no price is known of %s: take the budget out, or set price_in and price_out in the config", called(unpriced.Speakers))
	}
	return s, nil
}

// Scripted returns the demo as it is filled in: on the topic, in the mode and for
// the rounds of the form. An error says what is missing, and its field gets the focus.
func (f *NewDebate) Scripted(demo debate.Session) (debate.Session, error) {
	if topic := f.Topic(); topic != "" {
		demo.Topic = topic
	}
	if len(f.modes) == 0 {
		return demo, nil
	}
	mode, at, err := f.withLists()
	if err == nil {
		at, err = onMode, mode.CheckPanel(demo.Seats)
	}
	if err != nil {
		f.focus(at)
		return debate.Session{}, err
	}
	demo.Mode, demo.Rounds, demo.EndConditions = mode, f.rounds, f.ends
	return demo, nil
}

// called names speakers, each of them once.
func called(who []agents.Profile) string {
	var names []string
	for _, p := range who {
		if name := safetext.Line(p.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, " and ")
}
