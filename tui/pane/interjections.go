package pane

import (
	"slices"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// interjection is what the user told the seat with a round, made safe.
type interjection struct{ label, text string }

// setInterjections collects the focus question and the messages that the seat got in each
// round, and the answers that its statements do not mention.
func (p *Pane) setInterjections(s debate.Session) {
	p.interjections, p.unaddressed = map[int][]interjection{}, map[string][]string{}
	for _, r := range s.History {
		if focus := safeLine(r.Manifest.Focus); focus != "" {
			p.interjections[r.Number] = []interjection{{"Focus  ", focus}}
		}
		for _, n := range r.Manifest.Interjections {
			i := slices.IndexFunc(s.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
			if i < 0 || !slices.Contains(n.Seats, p.profile.ID) {
				continue
			}
			to := safeLine(p.profile.Name)
			if s.Interjections[i].Agent == "" {
				to = "all"
			}
			p.interjections[r.Number] = append(p.interjections[r.Number],
				interjection{"You to " + to + "  ", safeLine(s.Interjections[i].Text)})
		}
		for _, x := range r.AttemptsOf(p.profile.ID) {
			if ids := cite.UnaddressedAnswers(s, x); len(ids) > 0 {
				p.unaddressed[x.ID()] = ids
			}
		}
	}
}

// interjectionLines draws the focus question and the messages of the round, below the header of the seat's
// first turn in it.
func (r header) interjectionLines(f frame) []string {
	var lines []string
	for _, s := range f.sections {
		if s.turn.Round == r.section.turn.Round && s.turn.Step < r.section.turn.Step {
			return nil
		}
	}
	for _, t := range f.interjections[r.section.turn.Round] {
		lines = append(lines, f.labelled(t.label, t.text, "")...)
	}
	if lines != nil {
		lines = append(lines, "") // separates the user's words from the seat's
	}
	return lines
}

// unaddressedLines name the answers that the seat had asked for and does not mention.
func (e footer) unaddressedLines(f frame, a *attempt) []string {
	ids := f.unaddressed[debate.TurnID(a.turn)]
	if len(ids) == 0 {
		return nil
	}
	unused := "Asked for " + text.List(ids) + " but did not use the " + text.Plural(len(ids), "answer") + "."
	return f.symbolLines(f.th.Symbols.Warning, unused, f.th.Warning)
}
