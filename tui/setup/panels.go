package setup

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// PanelOption is a panel that can be chosen by its name.
type PanelOption struct {
	Name         string // "" for seats that no panel names
	Seats        []SeatOption
	Chair, Light *agents.Profile
	Modes        []debate.Mode // with the panel's own perspectives; nil: those of the options
	Configured   bool          // it is in the configuration, which can be written
}

// custom is what the row shows if the seats are not those of a panel.
const custom = "custom"

// panelRow is who debates: the panels to choose from, and the seats of the one that is
// chosen, as the user has changed them.
type panelRow struct {
	all   []PanelOption
	saved []PanelOption // by the user, since the options were read
	index int
	seats []SeatOption
	row   int // the selected seat; -1 is the name of the panel

	offered map[agents.ID]agents.Profile // the agents whose model the user has changed, as they were
}

// set takes the panels of the options. Choices of the user are kept as far as they are
// still possible.
func (p *panelRow) set(o Options) {
	was, seats, offered, changed := p.current().Name, p.seats, p.offered, p.changed()
	p.all = slices.Concat(o.Panels, p.saved)
	at := func(name string) int {
		return slices.IndexFunc(p.all, func(x PanelOption) bool { return x.Name == name })
	}
	if at(o.Panel) < 0 {
		p.all = slices.Insert(p.all, 0, PanelOption{Name: o.Panel, Seats: o.Seats, Chair: o.Chair, Light: o.Light})
	}
	p.index = max(0, at(o.Panel))
	if i := at(was); i >= 0 && len(seats) > 0 {
		p.index = i
	}
	p.reset()
	if !changed {
		return
	}
	for i := range p.seats {
		s := &p.seats[i]
		at := slices.IndexFunc(seats, func(x SeatOption) bool { return x.Profile.ID == s.Profile.ID })
		if at < 0 {
			continue
		}
		s.Chosen = seats[at].Chosen && s.Problem == ""
		if _, other := offered[s.Profile.ID]; other && seats[at].Profile.Provider == s.Profile.Provider {
			p.offered[s.Profile.ID], s.Profile = s.Profile, seats[at].Profile
		}
	}
}

// reset returns to the seats of the chosen panel.
func (p *panelRow) reset() {
	p.seats, p.offered = slices.Clone(p.current().Seats), map[agents.ID]agents.Profile{}
	for i := range p.seats {
		s := &p.seats[i]
		s.Problem = text.Line(s.Problem)
		s.Chosen = s.Chosen && s.Problem == ""
	}
	p.row = min(p.row, len(p.seats)-1)
}

// current returns the panel that was chosen last; the zero value if there is none.
func (p *panelRow) current() PanelOption {
	if p.index >= len(p.all) {
		return PanelOption{}
	}
	return p.all[p.index]
}

// changed reports whether the user has changed the seats of the panel.
func (p *panelRow) changed() bool {
	of := p.current().Seats
	for i, s := range p.seats {
		_, other := p.offered[s.Profile.ID]
		if s.Chosen && other || s.Chosen != (of[i].Chosen && s.Problem == "") {
			return true
		}
	}
	return false
}

// name returns the name of the panel, as it is shown.
func (p *panelRow) name() string {
	if p.changed() {
		return custom
	}
	return cmp.Or(text.Line(p.current().Name), custom)
}

// step chooses the next panel, or with -1 the one before, which for changed seats is
// the panel as it was.
func (p *panelRow) step(n int) {
	if k := len(p.all); k > 0 && (n > 0 || !p.changed()) {
		p.index = (p.index + n + k) % k
	}
	p.reset()
}

// chosen returns the seats on the panel.
func (p *panelRow) chosen() []SeatOption {
	var out []SeatOption
	for _, s := range p.seats {
		if s.Chosen {
			out = append(out, s)
		}
	}
	return out
}

// ready returns how many of the agents can take a seat.
func (p *panelRow) ready() int { return Options{Seats: p.seats}.Ready() }

// selected returns the seat under the cursor; nil if it is at the name.
func (p *panelRow) selected() *SeatOption {
	if p.row < 0 || p.row >= len(p.seats) {
		return nil
	}
	return &p.seats[p.row]
}

// toggle adds a seat to the panel or removes it. It returns an error if the seat cannot
// be added.
func (p *panelRow) toggle(s *SeatOption) error {
	switch {
	case s.Problem != "":
		return fmt.Errorf("%s cannot take a seat: %s", s.Profile.Name, s.Problem)
	case !s.Chosen && len(p.chosen()) >= debate.MaxSeats:
		return fmt.Errorf("the panel is full: %d seats", debate.MaxSeats)
	}
	s.Chosen = !s.Chosen
	return nil
}

// setModel gives a seat another model of its provider. What is known of the model stands
// for what the configuration says of the one before.
func (p *panelRow) setModel(id agents.ID, m agents.ModelInfo) {
	i := slices.IndexFunc(p.seats, func(s SeatOption) bool { return s.Profile.ID == id })
	if i < 0 || m.Name == "" {
		return
	}
	s := &p.seats[i]
	was, other := p.offered[id]
	if !other {
		was = s.Profile
	}
	now := was
	now.Model, now.ContextWindow, now.PriceIn, now.PriceOut, now.PriceCachedIn = m.Name, m.Window, m.PriceIn, m.PriceOut, nil
	if s.Local && now.PriceIn == nil {
		now.PriceIn, now.PriceOut = was.PriceIn, was.PriceOut
	}
	if m.Name == was.Model {
		s.Profile = was
		delete(p.offered, id)
		return
	}
	s.Profile, p.offered[id] = now, was
}

// save adds a panel that the configuration has now, and chooses it.
func (p *panelRow) save(name string) {
	o := p.current()
	o.Name, o.Configured, o.Seats = name, true, slices.Clone(p.seats)
	same := func(x PanelOption) bool { return x.Name == name }
	p.saved = append(slices.DeleteFunc(p.saved, same), o)
	if at := slices.IndexFunc(p.all, same); at >= 0 {
		p.all, p.index = slices.Clone(p.all), at
		p.all[at] = o
	} else {
		p.all, p.index = append(slices.Clip(p.all), o), len(p.all)
	}
	row := p.row
	p.reset()
	p.row = row
}

// panelLine draws the name of the panel.
func (v *layout) panelLine() {
	p := &v.panel
	here := v.focused == fieldPanel && p.row < 0
	th := v.th
	if here {
		th = th.Selected()
	}
	words := p.name()
	if len(p.all) > 1 || p.changed() {
		words += "  " + v.th.Symbols.Left + " " + v.th.Symbols.Right
	}
	width := min(max(theme.Width(words)+2, 17), v.room())
	seats := text.Count(len(p.chosen()), "seat")
	v.addLine(here, "Panel", v.th.Muted, th.Columns(theme.Column{Text: words, Width: width, Style: th.Text},
		theme.Column{Text: seats, Width: v.room() - width, Style: v.th.Faint}))
}

// modes returns the modes as the panel has them.
func (p *panelRow) modes(o Options) []debate.Mode {
	if m := p.current().Modes; m != nil {
		return m
	}
	return o.Modes
}

// change chooses another panel, on the row of its name.
func (p *panelRow) change(f *Form, n int) {
	if p.row >= 0 {
		return
	}
	p.step(n)
	f.modes = p.modes(f.options)
}
