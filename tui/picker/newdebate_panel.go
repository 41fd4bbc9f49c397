package picker

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

func (v *form) panelLines() {
	number := 0
	if len(v.seats) == 0 {
		v.field(onPanel, "Panel", v.th.Danger.Render("No model can be reached. `roundtable agents` says why."))
		return
	}
	label := "Panel"
	for i, s := range v.seats {
		if s.Chosen {
			number++
		}
		here := v.at == onPanel && v.seat == i
		v.put(here, label, v.th.Muted, v.seatLine(s, number, here))
		label = ""
	}
	for _, l := range v.panelNote() {
		v.note("", l)
	}
}

func (v *form) seatLine(s SeatOffer, number int, selected bool) string {
	th := v.th
	if selected {
		th = th.Selected()
	}
	box, num := "[ ]", " "
	if s.Chosen {
		box, num = "[x]", fmt.Sprint(number)
	}
	p, name := s.Profile, th.Muted
	if s.Chosen {
		name = th.Seat(number)
	}
	w := v.seatWidths()
	head := cells(th, cell{text: box, width: 4, style: th.Text}, cell{text: num, width: 2, style: name}, cell{text: fit(th, safetext.Line(p.Name), w.name-1), width: w.name, style: name},
		cell{text: fit(th, safetext.Line(p.Model), w.model-1), width: w.model, style: th.Text})
	if s.Problem != "" {
		return head + cells(th, cell{text: th.Symbols.Warning + " " + s.Problem, width: w.provider + w.price, style: th.Warning})
	}
	return head + cells(th, cell{text: fit(th, safetext.Line(p.Provider), w.provider-1), width: w.provider, style: th.Muted},
		cell{text: seatPrice(s, len(v.panel()), v.rounds), width: w.price, style: th.Faint})
}

// seatWidths are the columns of the panel behind box and number.
type seatWidths struct{ name, model, provider, price int }

// seatWidths gives the models as much room as the longest needs, as far as names,
// providers and prices leave it.
func (v *form) seatWidths() seatWidths {
	var w seatWidths
	for _, s := range v.seats {
		w.name = max(w.name, theme.Width(safetext.Line(s.Profile.Name))+2)
		w.model = max(w.model, theme.Width(safetext.Line(s.Profile.Model))+2)
		w.provider = max(w.provider, theme.Width(safetext.Line(s.Profile.Provider))+2)
	}
	room := max(v.room()-boxWidth, 0)
	w.name = max(leastName, min(w.name, mostName))
	w.provider = max(leastSource, min(w.provider, mostSource))
	w.model = max(leastModel, min(w.model, room-w.name-w.provider-priceWidth))
	w.provider = max(w.provider, min(mostSource, room-w.name-w.model-priceWidth))
	w.provider = max(0, min(w.provider, room-w.name-w.model))
	w.price = max(0, room-w.name-w.model-w.provider)
	return w
}

// panelNote says how mixed the panel is and who writes the verdict.
func (v *form) panelNote() []string {
	th, chosen := v.th, v.panel()
	whole := func(style lipgloss.Style, text string) []string {
		lines := wrap(text, v.room())
		for i, l := range lines {
			lines[i] = style.Render(strings.TrimLeft(l, " "))
		}
		return lines
	}
	s := debate.Session{Chair: v.offer.Chair}
	for _, c := range chosen {
		s.Seats = append(s.Seats, c.Profile)
	}
	chair := "A member writes the verdict."
	if c := s.Chair; c != nil {
		chair = "Chair " + safetext.Line(c.Name)
		if _, seat := s.Seat(c.ID); seat > 0 {
			chair += " (" + th.Symbols.Warning + " a member)"
		} else if len(s.ChairWarnings(*c)) > 0 {
			chair += " (" + th.Symbols.Warning + " of a family on the panel)"
		}
	}
	switch families := len(s.ModelFamilies()); {
	case v.OnlyDemo():
		return whole(th.Warning, th.Symbols.Warning+" Fewer than two models can be reached. Start plays the demo.")
	case len(v.modes) > 0 && v.modes[v.mode].CheckSize(len(chosen)) != nil:
		m := v.modes[v.mode]
		return whole(th.Warning, fmt.Sprintf("%s %s: this mode takes %d to %d", th.Symbols.Warning, plural(len(chosen), "seat"), m.MinSeats, m.MaxSeats))
	case slices.Contains(s.RosterWarnings(), debate.WarningOneFamily):
		return whole(th.Warning, th.Symbols.Warning+" "+debate.WarningOneFamily+" Add another or go on.")
	case v.demo():
		return whole(th.Muted, "demo: scripted answers, no model")
	case families > 1:
		return whole(th.Muted, fmt.Sprintf("%d model families: good. %s", families, chair))
	default:
		return whole(th.Muted, chair)
	}
}

func (v *form) demo() bool {
	return slices.ContainsFunc(v.panel(), func(s SeatOffer) bool { return s.Profile.Provider == debate.DemoProvider })
}
