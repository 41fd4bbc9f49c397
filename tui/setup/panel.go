package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func (v *layout) panelLines() {
	p, focused := &v.panel, v.focused == fieldPanel
	here := focused && p.row < 0
	words := p.name()
	if len(p.all) > 1 || p.changed() {
		words += "  " + v.arrows()
	}
	style := v.th.Text
	if here {
		style = v.th.Selected().Text
	}
	seats := "  " + text.Count(len(p.chosen()), "seat")
	v.addLine(here, "Panel", v.th.Muted, style.Render(words)+v.th.Faint.Render(seats))
	if !focused {
		return
	}
	number := 0
	for i, s := range p.seats {
		if s.Chosen {
			number++
		}
		v.seatLine(s, number, p.row == i)
	}
	top, bottom := v.top, v.bottom
	for _, words := range v.cautions() {
		if words != v.wrong() {
			v.addWrapped(v.th.Symbols.Warning+" "+words, v.th.Warning)
		}
	}
	if len(p.chosen()) > 0 {
		v.addWrapped("Goes to "+control.Recipients(v.drafted, v.options.Servers, v.recipient)+". "+v.chair(), v.th.Muted)
	}
	for _, s := range p.chosen() {
		if s.Asks != "" {
			v.addWrapped(programNote(s), v.th.Text)
		}
	}
	for _, l := range v.options.Unseated.lines(v.room()) {
		v.addLine(false, "", v.th.Muted, v.th.Muted.Render(l))
	}
	v.top, v.bottom = top, bottom
}

// PanelChanged reports whether the user has changed the seats of the panel.
func (f *Form) PanelChanged() bool { return f.panel.changed() }

// programNote says what a program of its own may do on a seat.
func programNote(s SeatOption) string {
	return fmt.Sprintf("%s %s. Its own settings may still let it act without asking: only a container around all of Roundtable "+
		"is a boundary. Sign-in is checked when it is asked.", text.Line(s.Profile.Name)+", a program:", text.Line(s.Asks))
}

func (v *layout) seatLine(s SeatOption, number int, selected bool) {
	th, mark := v.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	box, num := "[ ]", " "
	if s.Chosen {
		box, num = "[x]", fmt.Sprint(number)
	}
	p, name := s.Profile, th.Muted
	if s.Chosen {
		name = th.Seat(number)
	}
	price, style, widths := seatPrice(s), th.Faint, v.seatWidths()
	if s.Problem != "" {
		price, style = th.Symbols.Warning+" "+s.Problem, th.Warning
	}
	v.lines = append(v.lines, v.th.Accent.Render(v.th.Fit("   "+mark, seatAt))+th.Columns(
		theme.Column{Text: box, Width: 4, Style: th.Text}, theme.Column{Text: num, Width: 2, Style: name},
		theme.Column{Text: th.Truncate(text.Line(p.Name), widths[0]-1), Width: widths[0], Style: name},
		theme.Column{Text: th.Truncate(modelOf(p), widths[1]-1), Width: widths[1], Style: th.Text},
		theme.Column{Text: price, Width: widths[2], Style: style}))
}

const seatAt = 5

func modelOf(p agents.Profile) string {
	return text.Line(p.ModelName()) + " (" + text.Line(p.Provider) + ")"
}

func (v *layout) seatWidths() (widths [3]int) {
	const leastName, mostName, leastPrice, mostPrice, fixed = 7, 16, 15, 24, seatAt + 7
	names, models, prices := leastName, 0, leastPrice
	for _, s := range v.panel.seats {
		names = max(names, min(theme.Width(text.Line(s.Profile.Name))+2, mostName))
		models = max(models, theme.Width(modelOf(s.Profile))+2)
		prices = max(prices, min(theme.Width(s.Problem)+2, mostPrice))
	}
	room := max(v.width-fixed-names, 0)
	models = max(min(models, room-prices), 0)
	return [3]int{names, models, room - models}
}

func (v *layout) chair() string {
	c := v.drafted.Chair
	if c == nil {
		return "A seat writes the verdict."
	}
	words := "Chair " + text.Line(c.Name)
	if _, seat := v.drafted.Seat(c.ID); seat > 0 {
		words += " (a seat)"
	}
	return words + "."
}

// cautions are what is to be known of the panel.
func (v *layout) cautions() []string {
	var all []string
	local := func(provider string) bool {
		_, here := v.recipient(provider)
		return here
	}
	switch note := v.drafted.RosterNote(local); {
	case !v.loaded || v.demo():
	case v.noModel():
		all = append(all, control.NeedsModel+" "+control.GetModel+" "+v.demoNote())
	case Options{Seats: v.panel.seats}.TooFew():
		all = append(all, "At least two seats with a model are needed. "+control.GetSeats+" "+v.demoNote())
	case note != "":
		all = append(all, note)
	}
	for _, s := range v.panel.chosen() {
		if note := strings.TrimSuffix(text.Line(s.Note), ".") + "."; s.Note != "" && !slices.Contains(all, note) {
			all = append(all, note)
		}
	}
	return all
}

// demoNote says that the demo can be chosen, and how.
func (f *Form) demoNote() string {
	return control.NeedsNoModel + " " + f.arrows() + " on Panel chooses it."
}

func (f *Form) demo() bool {
	return slices.ContainsFunc(f.panel.chosen(), func(s SeatOption) bool { return s.Profile.Provider == debate.DemoProvider })
}

// PanelOption is a panel that can be chosen by its name.
type PanelOption struct {
	Name         string // "" for seats that no panel names
	Seats        []SeatOption
	Chair, Light *agents.Profile
	Modes        []debate.Mode // with the panel's own perspectives; nil: those of the options
	Configured   bool          // it is in the configuration, which can be written
}

// LastPanel is what the panel of the last debate is called, which no panel of a configuration can be.
const LastPanel = "as last time"

const custom = "custom"

// panelRow is who debates: the panels to choose from, and the seats of the one that is
// chosen, as the user has changed them.
type panelRow struct {
	all   []PanelOption
	saved []PanelOption // by the user, since the options were read
	index int
	seats []SeatOption     // those of the panel, then those that the user has added
	more  []agents.Profile // see Options.More
	row   int              // the selected seat; -1 is the name of the panel

	offered map[agents.ID]agents.Profile // the agents whose model the user has changed, as they were
}

// set takes the panels of the options. Choices of the user are kept if they are
// still possible.
func (p *panelRow) set(o Options) {
	old, seats, offered, changed, first := p.current(), p.seats, p.offered, p.changed(), len(p.all) == 0
	p.all, p.more = slices.Concat(o.Panels, p.saved), o.More
	at := func(name string) int {
		return slices.IndexFunc(p.all, func(x PanelOption) bool { return x.Name == name })
	}
	if at(o.Panel) < 0 {
		p.all = slices.Insert(p.all, 0, PanelOption{Name: o.Panel, Seats: o.Seats, Chair: o.Chair, Light: o.Light})
	}
	if o.Last != nil {
		p.all = slices.Insert(p.all, 0, *o.Last)
	}
	p.index = max(0, at(o.Panel))
	switch i := at(old.Name); {
	case first && o.Last != nil:
		p.index = 0
	case i >= 0 && len(seats) > 0:
		p.index = i
	}
	p.reset()
	if !changed {
		return
	}
	for i := range seats {
		s := &seats[i]
		now := slices.IndexFunc(p.seats, func(x SeatOption) bool { return x.Profile.ID == s.Profile.ID })
		if now < 0 {
			continue
		}
		s.Problem = p.seats[now].Problem
		s.Chosen = s.Chosen && s.Problem == ""
	}
	p.seats, p.offered = seats, offered
}

func (p *panelRow) choose(name string) {
	p.index = max(0, slices.IndexFunc(p.all, func(x PanelOption) bool { return x.Name == name }))
	p.reset()
}

func (p *panelRow) reset() {
	p.seats, p.offered = slices.Clone(p.current().Seats), map[agents.ID]agents.Profile{}
	for i := range p.seats {
		s := &p.seats[i]
		s.Problem = text.Line(s.Problem)
		s.Chosen = s.Chosen && s.Problem == ""
	}
	p.row = min(p.row, len(p.seats)-1)
}

func (p *panelRow) current() PanelOption {
	if p.index >= len(p.all) {
		return PanelOption{}
	}
	return p.all[p.index]
}

func (p *panelRow) changed() bool {
	of := p.current().Seats
	for i, s := range p.seats {
		_, other := p.offered[s.Profile.ID]
		if s.Chosen && other || s.Chosen != (i < len(of) && of[i].Chosen && s.Problem == "") {
			return true
		}
	}
	return false
}

func (p *panelRow) name() string {
	switch {
	case p.changed():
		return custom
	case len(p.current().Seats) == 0:
		return "none"
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

func (p *panelRow) chosen() []SeatOption {
	var out []SeatOption
	for _, s := range p.seats {
		if s.Chosen {
			out = append(out, s)
		}
	}
	return out
}

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

// next adds the next seat to the panel that is offered. Without one it returns a copy of the
// selected seat or else of the last one with another name, for add.
func (p *panelRow) next() (copied *SeatOption, err error) {
	for i := range p.seats {
		if s := &p.seats[i]; !s.Chosen && s.Problem == "" {
			return nil, p.toggle(s)
		}
	}
	from := p.selected()
	if all := p.chosen(); (from == nil || !from.Chosen) && len(all) > 0 {
		from = &all[len(all)-1]
	}
	free := func(m agents.Profile) bool {
		return !slices.ContainsFunc(p.seats, func(s SeatOption) bool { return s.Profile.ID == m.ID || s.Profile.Name == m.Name })
	}
	i := slices.IndexFunc(p.more, free)
	switch {
	case from == nil:
		return nil, fmt.Errorf("no seat can be added")
	case i < 0 || len(p.chosen()) >= debate.MaxSeats:
		return nil, fmt.Errorf("the panel is full: %d seats", len(p.chosen()))
	}
	one := *from
	one.Profile.ID, one.Profile.Name, one.Profile.Persona = p.more[i].ID, p.more[i].Name, p.more[i].Persona
	return &one, nil
}

func (p *panelRow) add(s SeatOption, m agents.ModelInfo) {
	s.Chosen = true
	p.seats = append(p.seats, s)
	p.setModel(s.Profile.ID, m)
}

// remove takes the selected seat off the panel, or else the last one.
func (p *panelRow) remove() error {
	at := p.row
	if s := p.selected(); s == nil || !s.Chosen {
		for at = len(p.seats) - 1; at >= 0 && !p.seats[at].Chosen; at-- {
		}
	}
	if at < 0 {
		return fmt.Errorf("no seat is on the panel")
	}
	p.seats[at].Chosen = false
	return nil
}

// setModel gives a seat another model of its provider. Its known properties replace
// the configured ones of the previous model.
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
	now := WithModel(was, m)
	if s.Local && now.PriceIn == nil {
		now.PriceIn, now.PriceOut = was.PriceIn, was.PriceOut
	}
	if m.Name == was.Model {
		s.Profile = was
		delete(p.offered, id)
		return
	}
	s.Profile, s.Note, p.offered[id] = now, "", was
	if m.Note != "" {
		s.Note = text.Line(m.Name) + " " + text.Line(m.Note)
	}
}

// WithModel returns a seat with another model and what is known of that.
func WithModel(p agents.Profile, m agents.ModelInfo) agents.Profile {
	p.Model, p.ContextWindow = m.Name, m.Window
	p.PriceIn, p.PriceOut, p.PriceCachedIn, p.Later = m.PriceIn, m.PriceOut, m.PriceCachedIn, m.Later
	return p
}

// reasons reports whether a seat can be asked for an effort: those of the demo cannot.
func (p *panelRow) reasons() bool {
	return slices.ContainsFunc(p.chosen(), func(s SeatOption) bool { return s.Profile.Provider != debate.DemoProvider })
}

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

func seatPrice(o SeatOption) string {
	p, words := o.Profile, "price ?"
	switch {
	case p.Provider == debate.DemoProvider:
		return "scripted, free"
	case p.Included:
		return "included"
	case p.Priced() && *p.PriceIn+*p.PriceOut == 0:
		words = "free"
	case p.Priced():
		return text.Price(p.PriceIn) + " / " + text.Price(p.PriceOut) + " per M"
	}
	if o.Local {
		words = "local, " + words
	}
	return words
}

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
	Verb     string // what is done then, such as "write it"
}

// Error returns the question.
func (e *ConsentError) Error() string { return e.Question }

type saver struct {
	ctx  context.Context
	save PanelSaver
}

// SetPanelSaver sets what saves panels; without it they cannot be saved.
func (f *Form) SetPanelSaver(ctx context.Context, save PanelSaver) {
	f.saver = &saver{ctx: ctx, save: save}
	f.commands = append(f.commands, screen.Command{
		Binding: screen.Bind("save-panel", "w", "save the seats as a panel"), Title: "Save the seats as a panel",
		Group: screen.Choosing,
		Hint:  screen.When(func() bool { return f.focused == fieldPanel && f.panel.row < 0 }, "w save"),
		Rank:  4, Run: screen.Do(func() screen.Outcome { return f.saver.ask(f) }),
	})
}

func (s *saver) ask(f *Form) screen.Outcome {
	p := NewPanel{Chair: f.panel.current().Chair, Light: f.panel.current().Light}
	p.Seats = text.Each(f.panel.chosen(), func(seat SeatOption) agents.Profile { return seat.Profile })
	if len(p.Seats) < 2 {
		return screen.Tell(screen.Warning, "A panel needs at least two seats.")
	}
	return s.name(f, p, "")
}

// name asks for the name of a panel, again if there is a problem with the last one.
func (s *saver) name(f *Form, p NewPanel, problem string) screen.Outcome {
	return screen.Outcome{screen.Prompt{
		Label: "Save as", Text: p.Name, Limit: maxTyped, Hints: []string{"enter save", "esc back"}, Note: problem,
		Help: "Small letters, digits, - and _; a letter first, 32 at most.",
		Done: func(name string) screen.Outcome {
			p.Name = name
			return s.run(f, p)
		},
	}}
}

func (s *saver) run(f *Form, p NewPanel) screen.Outcome {
	ctx, save := s.ctx, s.save
	return screen.Run(screen.Later(func() (string, error) { return save(ctx, p) }, func(done string, err error) screen.Outcome {
		return s.saved(f, p, done, err)
	}))
}

// saved tells how a panel was saved, or asks what its saver asks.
func (s *saver) saved(f *Form, p NewPanel, done string, err error) screen.Outcome {
	if ask := (*ConsentError)(nil); errors.As(err, &ask) {
		agreed := p
		agreed.Agreed = true
		return screen.Outcome{screen.Question{
			Text: ask.Question, About: screen.Approval, Verb: ask.Verb, Do: func() screen.Outcome { return s.run(f, agreed) },
		}}
	}
	if err != nil {
		return s.name(f, p, text.Sentence(err.Error()))
	}
	f.panel.save(p.Name)
	return screen.Tell(screen.Success, done)
}
