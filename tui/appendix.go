package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// appendix is what the program itself adds to the report: dissent that the chair
// left out, warnings, and the sources with who cites them.
func (r *report) appendix(v *debate.Verdict, width int) []string {
	var lines []string
	if !strings.Contains(strings.ToLower(v.Text), "# dissent") {
		for _, d := range v.Dissent {
			lines = append(lines, r.dissent(d, width)...)
		}
	}
	lines = append(lines, r.warnings(v, width)...)
	if len(v.Sources) > 0 {
		lines = append(lines, "", r.th.Accent.Render("Sources"))
		for _, s := range v.Sources {
			lines = append(lines, r.source(s, width))
		}
	}
	return lines
}

func (r *report) dissent(d debate.Dissent, width int) []string {
	th := r.th
	who := safetext.Line(d.Name)
	if d.Confidence != nil {
		who += ", " + percent(*d.Confidence)
	}
	lines := []string{"", th.Row([]theme.Part{{Text: "Dissent", Style: th.Accent}}, []theme.Part{{Text: who, Style: th.Muted, Cut: 1}}, width)}
	text := safetext.Line(d.Position)
	if text == "" {
		text = "not stated"
	}
	for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
		lines = append(lines, th.Text.Render(l))
	}
	return lines
}

func (r *report) warnings(v *debate.Verdict, width int) []string {
	th := r.th
	var texts []string
	for _, w := range v.Warnings {
		if v.Member && w == "The chair is a member." { // the frame says so
			continue
		}
		texts = append(texts, w)
	}
	if len(v.Unknown) > 0 {
		texts = append(texts, fmt.Sprintf("Cited, but nobody was told it: %s.", strings.Join(v.Unknown, ", ")))
	}
	for _, a := range v.Missing {
		texts = append(texts, fmt.Sprintf("%s gave no statement in round %d: %s", a.Name, a.Round, a.Cause))
	}
	texts = append(texts, r.passedOver()...)
	var lines []string
	for i, t := range texts {
		if i == 0 {
			lines = append(lines, "")
		}
		for l := range strings.SplitSeq(ansi.Wrap(th.Symbols.Warning+" "+safetext.Line(t), width, ""), "\n") {
			lines = append(lines, th.Warning.Render(l))
		}
	}
	return lines
}

// passedOver says which answers were asked for and then not addressed.
func (r *report) passedOver() []string {
	var texts []string
	for _, h := range r.session.History {
		for _, x := range h.Responses {
			if ids := r.session.NotAddressed(x); len(ids) > 0 {
				p, _ := r.session.Seat(x.Turn.Agent)
				texts = append(texts, fmt.Sprintf("Not addressed by %s in round %d, who had asked: %s.", p.Name, h.Number, strings.Join(ids, ", ")))
			}
		}
	}
	return texts
}

func (r *report) source(s debate.SourceLine, width int) string {
	th := r.th
	from := safetext.Line(s.Source)
	if from == "" {
		from = "you, no source"
	}
	cited := "cited by nobody"
	if len(s.CitedBy) > 0 {
		cited = "cited by " + strings.Join(r.called(s.CitedBy), ", ")
	}
	left := []theme.Part{{Text: "[" + s.ID + "] ", Style: th.Muted}, {Text: safetext.Line(s.Text), Style: th.Text, Cut: 1}}
	right := []theme.Part{{Text: from, Style: th.Muted, Cut: 2}, {Text: "   " + cited, Style: th.Faint, Cut: 3}}
	return th.Row(left, right, width)
}

// called returns the names of seats.
func (r *report) called(ids []agents.ID) []string {
	var out []string
	for _, id := range ids {
		p, n := r.session.Seat(id)
		if n == 0 {
			p.Name = string(id)
		}
		out = append(out, safetext.Line(p.Name))
	}
	return out
}
