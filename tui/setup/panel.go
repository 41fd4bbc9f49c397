package setup

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// panelLines draws the panel, a line for each seat.
func (v *layout) panelLines() {
	number := 0
	if len(v.panel.seats) == 0 {
		v.addField(fieldPanel, "Panel", v.th.Danger.Render("No model can be reached. `roundtable agents` says why."))
		return
	}
	v.panelLine()
	for i, s := range v.panel.seats {
		if s.Chosen {
			number++
		}
		here := v.focused == fieldPanel && v.panel.row == i
		v.addLine(here, "", v.th.Muted, v.seatLine(s, number, here))
	}
	for _, l := range v.panelNote() {
		v.addNote("", l)
	}
	for _, s := range v.panel.chosen() {
		if s.Asks != "" {
			v.addWrapped("", programNote(s))
		}
	}
}

// programNote says what a program of its own may do on a seat.
func programNote(s SeatOption) string {
	return fmt.Sprintf("%s %s. Its own settings may still let it act without asking: only a container around all of Roundtable "+
		"is a boundary. Sign-in is checked when it is asked.", text.Line(s.Profile.Name)+", a program:", text.Line(s.Asks))
}

// seatLine draws a seat; number is its number on the panel if it is chosen.
func (v *layout) seatLine(s SeatOption, number int, selected bool) string {
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
	head := th.Columns(theme.Column{Text: box, Width: 4, Style: th.Text}, theme.Column{Text: num, Width: 2, Style: name},
		theme.Column{Text: th.Truncate(text.Line(p.Name), w.name-1), Width: w.name, Style: name},
		theme.Column{Text: th.Truncate(text.Line(p.Model), w.model-1), Width: w.model, Style: th.Text})
	if s.Problem != "" {
		return head + th.Columns(theme.Column{Text: th.Symbols.Warning + " " + s.Problem, Width: w.provider + w.price, Style: th.Warning})
	}
	return head + th.Columns(theme.Column{Text: th.Truncate(text.Line(p.Provider), w.provider-1), Width: w.provider, Style: th.Muted},
		theme.Column{Text: seatPrice(s, len(v.panel.chosen()), v.rounds), Width: w.price, Style: th.Faint})
}

// seatWidths are the widths of the columns of the panel after check box and number.
type seatWidths struct{ name, model, provider, price int }

// seatWidths gives the models as much room as the longest one needs and the other
// columns leave.
func (v *layout) seatWidths() seatWidths {
	var w seatWidths
	for _, s := range v.panel.seats {
		w.name = max(w.name, theme.Width(text.Line(s.Profile.Name))+2)
		w.model = max(w.model, theme.Width(text.Line(s.Profile.Model))+2)
		w.provider = max(w.provider, theme.Width(text.Line(s.Profile.Provider))+2)
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

// panelNote says how diverse the panel is and who writes the verdict.
func (v *layout) panelNote() []string {
	th, chosen := v.th, v.panel.chosen()
	wrapped := func(style lipgloss.Style, text string) []string {
		lines := theme.Wrap(text, v.room())
		for i, l := range lines {
			lines[i] = style.Render(strings.TrimLeft(l, " "))
		}
		return lines
	}
	s := debate.Session{Chair: v.panel.current().Chair}
	for _, c := range chosen {
		s.Seats = append(s.Seats, c.Profile)
	}
	chair := "A member writes the verdict."
	if c := s.Chair; c != nil {
		chair = "Chair " + text.Line(c.Name)
		if _, seat := s.Seat(c.ID); seat > 0 {
			chair += " (" + th.Symbols.Warning + " a member)"
		} else if len(s.ChairWarnings(*c)) > 0 {
			chair += " (" + th.Symbols.Warning + " from a family on the panel)"
		}
	}
	seats := fmt.Sprintf("%d seats", len(chosen))
	if len(chosen) == 1 {
		seats = "1 seat"
	}
	switch families := len(s.ModelFamilies()); {
	case v.onlyDemo():
		return wrapped(th.Warning, th.Symbols.Warning+" At least two models are needed. Start runs the demo instead.")
	case len(v.modes) > 0 && v.modes[v.modeIndex].CheckSize(len(chosen)) != nil:
		m := v.modes[v.modeIndex]
		return wrapped(th.Warning, fmt.Sprintf("%s %s: this mode needs %d to %d", th.Symbols.Warning, seats, m.MinSeats, m.MaxSeats))
	case slices.Contains(s.RosterWarnings(), debate.WarningOneFamily):
		return wrapped(th.Warning, th.Symbols.Warning+" "+debate.WarningOneFamily)
	case v.demo():
		return wrapped(th.Muted, "demo: scripted answers, no model")
	case families > 1:
		return wrapped(th.Muted, fmt.Sprintf("%d model families. %s", families, chair))
	default:
		return wrapped(th.Muted, chair)
	}
}

// demo reports whether a seat of the demo is on the panel.
func (v *layout) demo() bool {
	return slices.ContainsFunc(v.panel.chosen(), func(s SeatOption) bool { return s.Profile.Provider == debate.DemoProvider })
}
