package setup

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// effort is how long all seats are asked to reason; "" is what the configuration says of
// each.
type effort string

// efforts are the values that the arrow keys step through.
func efforts() []effort { return []effort{"", "minimal", "low", "medium", "high"} }

// next returns the next value, or with -1 the one before.
func (e effort) next(n int) effort {
	all := efforts()
	return all[(slices.Index(all, e)+n+len(all))%len(all)]
}

// apply asks a seat for this effort.
func (e effort) apply(p agents.Profile) agents.Profile {
	if e != "" && p.Provider != debate.DemoProvider {
		p.ReasoningEffort = string(e)
	}
	return p
}

// reasons reports whether a seat can be asked for an effort: those of the demo cannot.
func (p *panelRow) reasons() bool {
	return slices.ContainsFunc(p.chosen(), func(s SeatOption) bool { return s.Profile.Provider != debate.DemoProvider })
}

// effortLine draws the effort, if it can be chosen.
func (v *layout) effortLine() {
	if !v.hasField(fieldEffort) {
		return
	}
	th, words, note := v.valueTheme(fieldEffort), string(v.effort), "reasoning_effort of all seats; not every model has it"
	if v.effort == "" {
		words, note = "as configured", v.configuredEfforts()
	}
	width := min(theme.Width(words)+2, v.room())
	v.addField(fieldEffort, "Effort", th.Columns(theme.Column{Text: words, Width: width, Style: th.Text})+
		v.th.Columns(theme.Column{Text: note, Width: v.room() - width, Style: v.th.Faint}))
}

// configuredEfforts lists the efforts that the configuration gives the seats.
func (v *layout) configuredEfforts() string {
	var all []string
	for _, s := range v.panel.chosen() {
		if e := s.Profile.ReasoningEffort; e != "" {
			all = append(all, text.Line(s.Profile.Name)+" "+text.Line(e))
		}
	}
	if len(all) == 0 {
		return "each model's own"
	}
	return text.List(all)
}
