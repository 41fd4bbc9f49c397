package pane

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
)

// remark is what the user told the seat for a round, made safe.
type remark struct {
	text string
	all  bool // the others were told it, too
}

// hear notes what the seat was told for each round, and which answers it passed over.
func (p *Pane) hear(s debate.Session) {
	p.told, p.passed = map[int][]remark{}, map[string][]string{}
	for _, r := range s.History {
		for _, n := range r.Manifest.Interjections {
			i := slices.IndexFunc(s.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
			if i >= 0 && slices.Contains(n.Seats, p.profile.ID) {
				p.told[r.Number] = append(p.told[r.Number], remark{line(s.Interjections[i].Text), s.Interjections[i].Agent == ""})
			}
		}
		for _, x := range r.AttemptsOf(p.profile.ID) {
			if ids := s.UnaddressedAnswers(x); len(ids) > 0 {
				p.passed[x.ID()] = ids
			}
		}
	}
}

// Session takes over what a session tells of the seat's turns that are done.
func (p *Pane) Session(s debate.Session) {
	p.session(s)
	p.touch()
}

// remarks draws what the user told the seat, below the rule of its first turn in
// the round.
func (r rule) remarks(f frame) []string {
	var lines []string
	for _, s := range f.sections {
		if s.key.Round == r.section.key.Round && s.key.Step < r.section.key.Step {
			return nil
		}
	}
	for _, t := range f.told[r.section.key.Round] {
		to := f.name
		if t.all {
			to = "all"
		}
		lines = append(lines, label(f, fmt.Sprintf("You to %s  ", to), t.text, "")...)
	}
	if lines != nil {
		lines = append(lines, "") // the user's words are not the seat's
	}
	return lines
}

// passedOver says which answers the seat asked for and does not mention.
func (e ending) passedOver(f frame, a *attempt) []string {
	ids := f.passed[debate.TurnID(a.turn)]
	if len(ids) == 0 {
		return nil
	}
	return note(f, f.th.Symbols.Warning, "Not addressed: "+strings.Join(ids, ", "), f.th.Warning)
}
