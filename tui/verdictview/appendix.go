package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// appendix is what the program adds to the chair's report: dissent that the
// report leaves out, views from later phases, warnings, the agreement, sources
// with who cites them, and the participants.
func (ct *content) appendix(v *debate.Verdict, width int) []string {
	var lines []string
	if !strings.Contains(strings.ToLower(v.Text), "# dissent") {
		for _, d := range v.Dissent {
			lines = append(lines, ct.dissent(d, width)...)
		}
	}
	lines = append(lines, ct.views(v, width)...)
	lines = append(lines, ct.warnings(v, width)...)
	lines = append(lines, ct.agreement(width)...)
	if len(v.Sources) > 0 {
		lines = append(lines, "", ct.th.Accent.Render("Sources"))
		lines = append(lines, ct.sources(v.Sources, width)...)
	}
	lines = append(lines, ct.participants(v, width)...)
	return append(lines, ct.scores(v, width)...)
}

// agreement is what the light model found after the last round it assessed, or
// after the round that is shown.
func (ct *content) agreement(width int) []string {
	c, round := ct.measured()
	if c == nil {
		return nil
	}
	th := ct.th
	head := []theme.Part{{Text: fmt.Sprintf("In round %d, as %s reads it", round, text.Line(c.Model)), Style: th.Muted, Cut: 1}}
	lines := []string{"", th.Row([]theme.Part{{Text: "Agreement", Style: th.Accent}}, head, width)}
	put := func(style lipgloss.Style, text string) {
		for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
			lines = append(lines, style.Render(l))
		}
	}
	for _, g := range c.Clusters {
		content := strings.Join(ct.namesOf(g.Agents), ", ") + ": " + text.Line(g.Theme)
		if g.Summary != "" {
			content += " " + th.Symbols.Sep + " " + text.Line(g.Summary)
		}
		put(th.Text, th.Symbols.Bullet+" "+content)
	}
	for _, part := range []struct {
		name  string
		items []string
	}{
		{"Common ground", c.CommonGround},
		{"Disagreements", c.Disagreements},
		{"Partial agreements", c.Partial},
		{"Conditions", c.Conditions},
		{"Uncertainties", c.Uncertainties},
	} {
		if len(part.items) > 0 {
			put(th.Muted, part.name)
		}
		for _, item := range part.items {
			put(th.Text, "  "+th.Symbols.Bullet+" "+text.Line(item))
		}
	}
	if c.Warning != "" {
		put(th.Warning, th.Symbols.Warning+" Group-think: "+text.Line(c.Warning))
	}
	return lines
}

// measured returns the newest consensus found by a model, and its round; if a
// round is chosen, only that of the round.
func (ct *content) measured() (*debate.Consensus, int) {
	for _, h := range slices.Backward(ct.session.History) {
		if c := h.Consensus; c != nil && c.Method == debate.ConsensusByModel && c.Model != "" && (ct.round == 0 || ct.round == h.Number) {
			return c, h.Number
		}
	}
	return nil, 0
}

// participants lists the seats with their roles, then the chair and the light
// model.
func (ct *content) participants(v *debate.Verdict, width int) []string {
	th := ct.th
	lines := []string{"", th.Accent.Render("Participants")}
	put := func(name lipgloss.Style, who, what, role string) {
		lines = append(lines, th.Row([]theme.Part{
			{Text: who + strings.Repeat(" ", max(seatWidth-ansi.StringWidth(who), 1)), Style: name},
			{Text: what, Style: th.Muted, Cut: 1},
		}, []theme.Part{{Text: role, Style: th.Faint, Cut: 2}}, width))
	}
	for i, p := range ct.session.Seats {
		role, _ := ct.session.Mode.RoleOf(i+1, len(ct.session.Seats))
		part := role.Name
		if ct.session.Mode.Label != "" { // statements speak of it by this
			part = ct.session.PromptName(p.ID)
			if role.Name != "" {
				part += ", " + role.Name
			}
		}
		put(th.Seat(i+1), fmt.Sprintf("%d %s", i+1, text.Line(p.Name)), text.Line(p.Model+" ("+p.Provider+")"), text.Line(part))
	}
	if c := ct.session.Chair; c != nil && !v.ChairIsMember {
		put(th.Text, "  "+text.Line(c.Name), text.Line(c.Model+" ("+c.Provider+")"), "chair")
	}
	if l := ct.session.Light; l != nil {
		put(th.Text, "  "+text.Line(l.Name), text.Line(l.Model+" ("+l.Provider+")"), "analyses and summaries")
	}
	return lines
}

func (ct *content) dissent(d debate.Dissent, width int) []string {
	th := ct.th
	who := text.Line(d.Name)
	if d.Confidence != nil {
		who += ", " + percent(*d.Confidence)
	}
	lines := []string{"", th.Row([]theme.Part{{Text: "Dissent", Style: th.Accent}}, []theme.Part{{Text: who, Style: th.Muted, Cut: 1}},
		width)}
	content := "not stated"
	if said := text.Line(d.Position); said != "" {
		content = `"` + said + `"`
	}
	for l := range strings.SplitSeq(ansi.Wrap(content, width, ""), "\n") {
		lines = append(lines, th.Text.Render(l))
	}
	return lines
}

// views lists what the members held in later phases of the last round.
func (ct *content) views(v *debate.Verdict, width int) []string {
	th := ct.th
	var lines []string
	for i, x := range v.PhasePositions {
		if i == 0 || x.Phase != v.PhasePositions[i-1].Phase {
			lines = append(lines, "", th.Row([]theme.Part{{Text: screen.Capital(text.Line(x.Phase)), Style: th.Accent}},
				[]theme.Part{{Text: "after the last statements", Style: th.Muted, Cut: 1}}, width))
		}
		who := text.Line(x.Name)
		if x.Role != "" {
			who += ", " + text.Line(x.Role)
		}
		if x.Stance != "" {
			who += ", " + string(x.Stance)
		}
		if x.Confidence != nil {
			who += " " + percent(*x.Confidence)
		}
		text := th.Symbols.Bullet + " " + who + ": " + cmp.Or(text.Line(x.Position), "no position stated")
		for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
			lines = append(lines, th.Text.Render(l))
		}
	}
	return lines
}

func (ct *content) warnings(v *debate.Verdict, width int) []string {
	th := ct.th
	var texts []string
	for _, w := range v.Warnings {
		if v.ChairIsMember && w == debate.WarningChairIsMember { // the frame says so
			continue
		}
		texts = append(texts, w)
	}
	if len(v.UnknownCitations) > 0 {
		texts = append(texts, fmt.Sprintf("Cites facts nobody was given: %s.", strings.Join(v.UnknownCitations, ", ")))
	}
	for _, a := range v.Missing {
		what := "no statement"
		if a.Phase != "" {
			what = "nothing in the " + a.Phase
		}
		texts = append(texts, strings.TrimSuffix(fmt.Sprintf("%s gave %s in round %d: %s", a.Name, what, a.Round, a.Cause), ": "))
	}
	texts = append(texts, ct.notAddressed()...)
	var lines []string
	for i, t := range texts {
		if i == 0 {
			lines = append(lines, "")
		}
		for l := range strings.SplitSeq(ansi.Wrap(th.Symbols.Warning+" "+text.Line(t), width, ""), "\n") {
			lines = append(lines, th.Warning.Render(l))
		}
	}
	return lines
}

// notAddressed says which answers a seat asked for and then did not use.
func (ct *content) notAddressed() []string {
	var texts []string
	for _, h := range ct.session.History {
		for _, x := range h.Responses {
			if ids := ct.session.UnaddressedAnswers(x); len(ids) > 0 {
				p, _ := ct.session.Seat(x.Turn.Agent)
				texts = append(texts, fmt.Sprintf("%s asked for %s in round %d but did not use the answers.", p.Name,
					strings.Join(ids, ", "), h.Number))
			}
		}
	}
	return texts
}

// sources lists the answers with their source and who cites them, in columns.
func (ct *content) sources(all []debate.SourceLine, width int) []string {
	th := ct.th
	from, cited := make([]string, len(all)), make([]string, len(all))
	wide, widest := 0, 0
	for i, s := range all {
		from[i], cited[i] = cmp.Or(text.Line(s.Source), "you, no source"), "not cited"
		if len(s.CitedBy) > 0 {
			cited[i] = "cited by " + strings.Join(ct.namesOf(s.CitedBy), ", ")
		}
		wide, widest = max(wide, ansi.StringWidth(from[i])), max(widest, ansi.StringWidth(cited[i]))
	}
	wide = min(wide, width/3)
	var lines []string
	for i, s := range all {
		left := []theme.Part{{Text: "[" + s.ID + "] ", Style: th.Muted}, {Text: text.Line(s.Text), Style: th.Text, Cut: 1}}
		source := ansi.Truncate(from[i], wide, th.Symbols.Cut)
		gap := strings.Repeat(" ", wide-ansi.StringWidth(source)+3+widest-ansi.StringWidth(cited[i]))
		lines = append(lines, th.Row(left, []theme.Part{
			{Text: " " + source, Style: th.Muted, Cut: 2},
			{Text: gap + cited[i], Style: th.Faint, Cut: 3},
		}, width))
	}
	return lines
}

// namesOf returns the names of seats.
func (ct *content) namesOf(ids []agents.ID) []string {
	var out []string
	for _, id := range ids {
		p, n := ct.session.Seat(id)
		if n == 0 {
			p.Name = string(id)
		}
		out = append(out, text.Line(p.Name))
	}
	return out
}
