package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// appendix is what the program adds to the chair's report: dissent that the
// report leaves out, views from later phases, the agreement, sources
// with who cites them, requests without an answer, and the participants. Places
// are the citations of evidence, of which the one with the number mark is marked.
func (ct *content) appendix(c *report.Conclusion, width, mark int) ([]string, []place) {
	var lines []string
	if !strings.Contains(strings.ToLower(c.Text), "# dissent") {
		for _, d := range c.Dissent {
			lines = append(lines, ct.dissent(d, width)...)
		}
	}
	lines = append(lines, ct.views(c.Views, width)...)
	lines = append(lines, ct.agreement(width)...)
	var places []place
	if len(c.Sources)+len(ct.session.Evidence) > 0 {
		lines = append(lines, "", ct.th.Accent.Render("Sources"))
		lines = append(lines, ct.sources(c.Sources, width)...)
		var cited []string
		cited, places = ct.evidence(width, mark)
		for i := range places {
			places[i].line += len(lines)
		}
		lines = append(lines, cited...)
	}
	lines = append(lines, ct.unanswered(c.Open, width)...)
	lines = append(lines, ct.participants(c, width)...)
	return append(lines, ct.scores(width)...), places
}

// scores lists who gave which score and why, option by option.
func (ct *content) scores(width int) []string {
	counted := ct.counted()
	if counted == nil || counted.Matrix == nil {
		return nil
	}
	th, m := ct.th, counted.Matrix
	var lines []string
	for i, cell := range m.Cells {
		if len(cell.Scores) == 0 || i >= len(m.Options)*len(m.Criteria) {
			continue
		}
		what := text.Line(m.Options[i/len(m.Criteria)] + ", " + m.Criteria[i%len(m.Criteria)])
		lines = append(lines, th.Row([]theme.Part{{Text: what, Style: th.Muted, Cut: 1}},
			[]theme.Part{{Text: "  " + score(cell.Mean), Style: th.Muted}}, width))
		for _, s := range cell.Scores {
			seat, _ := ct.session.Seat(s.Agent)
			why := cmp.Or(text.Line(s.Reason), "no reason stated")
			text := fmt.Sprintf("%s %s %s: %s", th.Symbols.Bullet, text.Line(seat.Name), strconv.FormatFloat(s.Score, 'f', -1, 64), why)
			lines = append(lines, ct.prose(text, width)...)
		}
	}
	if lines == nil {
		return nil
	}
	round := []theme.Part{{Text: fmt.Sprintf("round %d", m.Round), Style: th.Muted, Cut: 1}}
	return append([]string{"", th.Row([]theme.Part{{Text: "Scores, one by one", Style: th.Accent}}, round, width)}, lines...)
}

// agreement is what the light model found after the last round it assessed, or
// after the round that is shown.
func (ct *content) agreement(width int) []string {
	a := ct.measured()
	if a == nil {
		return nil
	}
	th := ct.th
	head := []theme.Part{{Text: fmt.Sprintf("In round %d, as %s reads it", a.Round, text.Line(a.Model)), Style: th.Muted, Cut: 1}}
	lines := []string{"", th.Row([]theme.Part{{Text: "Agreement", Style: th.Accent}}, head, width)}
	put := func(style lipgloss.Style, text string) {
		for _, l := range theme.Wrap(text, width) {
			lines = append(lines, style.Render(l))
		}
	}
	for _, g := range a.Groups {
		content := text.Line(g.Members) + ": " + text.Line(g.Theme)
		if g.Summary != "" {
			content += " " + th.Symbols.Sep + " " + text.Line(g.Summary)
		}
		put(th.Text, th.Symbols.Bullet+" "+content)
	}
	for _, f := range a.Findings {
		if len(f.Texts) > 0 {
			put(th.Muted, f.Title)
		}
		for _, t := range f.Texts {
			put(th.Text, "  "+th.Symbols.Bullet+" "+text.Line(t))
		}
	}
	if a.Warning != "" {
		put(th.Warning, th.Symbols.Warning+" Group-think: "+text.Line(a.Warning))
	}
	return lines
}

// measured returns the newest agreement found by a model; if a round is chosen, only
// that of the round.
func (ct *content) measured() *report.Agreement {
	for i := range slices.Backward(ct.agreed) {
		if a := &ct.agreed[i]; a.Model != "" && (ct.round == 0 || ct.round == a.Round) {
			return a
		}
	}
	return nil
}

// participants lists the seats with their roles, then the chair and the light
// model.
func (ct *content) participants(c *report.Conclusion, width int) []string {
	th := ct.th
	lines := []string{"", th.Accent.Render("Participants")}
	put := func(name lipgloss.Style, who, what, role string) {
		lines = append(lines, th.Row([]theme.Part{
			{Text: who + strings.Repeat(" ", max(seatWidth-ansi.StringWidth(who), 1)), Style: name},
			{Text: what, Style: th.Muted, Cut: 1},
		}, []theme.Part{{Text: role, Style: th.Faint, Cut: 2}}, width))
	}
	for _, p := range c.Panel {
		part := slices.DeleteFunc([]string{p.Label, p.Role}, func(s string) bool { return s == "" }) // statements use the label
		put(th.Seat(p.Seat), fmt.Sprintf("%d %s", p.Seat, text.Line(p.Name)), text.Line(p.Model+" ("+p.Provider+")"),
			text.Line(strings.Join(part, ", ")))
	}
	if p := c.Chair; p != nil && !c.Author.Member {
		put(th.Text, "  "+text.Line(p.Name), text.Line(p.Model+" ("+p.Provider+")"), "chair")
	}
	if l := c.Light; l != nil {
		put(th.Text, "  "+text.Line(l.Name), text.Line(l.Model+" ("+l.Provider+")"), "analyses and summaries")
	}
	return lines
}

func (ct *content) dissent(d report.Opinion, width int) []string {
	th := ct.th
	who := text.Line(d.Name + ", " + d.Standing)
	lines := []string{"", th.Row([]theme.Part{{Text: "Dissent", Style: th.Accent}}, []theme.Part{{Text: who, Style: th.Muted, Cut: 1}},
		width)}
	content := "not stated"
	if said := text.Line(d.Position); said != "" {
		content = `"` + said + `"`
	}
	for _, l := range theme.Wrap(content, width) {
		lines = append(lines, th.Text.Render(l))
	}
	return lines
}

// views lists what the members held in later phases of the last round.
func (ct *content) views(all []report.Opinion, width int) []string {
	th := ct.th
	var lines []string
	for i, x := range all {
		if i == 0 || x.Phase != all[i-1].Phase {
			lines = append(lines, "", th.Row([]theme.Part{{Text: text.Capitalize(text.Line(x.Phase)), Style: th.Accent}},
				[]theme.Part{{Text: "after the last statements", Style: th.Muted, Cut: 1}}, width))
		}
		who := text.Line(x.Name)
		if x.Role != "" {
			who += ", " + text.Line(x.Role)
		}
		who += ", " + text.Line(x.Standing)
		text := th.Symbols.Bullet + " " + who + ": " + cmp.Or(text.Line(x.Position), "no position stated")
		for _, l := range theme.Wrap(text, width) {
			lines = append(lines, th.Text.Render(l))
		}
	}
	return lines
}

// unanswered lists the requests that nobody answered.
func (ct *content) unanswered(all []report.OpenRequest, width int) []string {
	var lines []string
	for i, q := range all {
		if i == 0 {
			lines = append(lines, "", ct.th.Accent.Render("Not answered"))
		}
		lines = append(lines, ct.th.Row([]theme.Part{
			{Text: "[" + q.ID + "] ", Style: ct.th.Muted}, {Text: text.Line(q.Query), Style: ct.th.Text, Cut: 1},
		}, []theme.Part{{Text: " " + text.Line(q.Asked), Style: ct.th.Faint, Cut: 2}}, width))
	}
	return lines
}

// sources lists the answers with their source and who cites them: in columns, or in a
// second row where an answer has no room beside them.
func (ct *content) sources(all []report.Answered, width int) []string {
	th := ct.th
	from, cited := make([]string, len(all)), make([]string, len(all))
	answer, wide, widest := 0, 0, 0
	for i, s := range all {
		from[i], cited[i] = cmp.Or(text.Line(s.Source), "you, no source"), "not cited"
		if s.CitedBy != "" {
			cited[i] = "cited by " + text.Line(s.CitedBy)
		}
		answer = max(answer, ansi.StringWidth("["+s.ID+"] "+text.Line(s.Text)))
		wide, widest = max(wide, ansi.StringWidth(from[i])), max(widest, ansi.StringWidth(cited[i]))
	}
	beside := answer+1+wide+3+widest <= width
	var lines []string
	for i, s := range all {
		left := []theme.Part{{Text: "[" + s.ID + "] ", Style: th.Muted}, {Text: text.Line(s.Text), Style: th.Text, Cut: 1}}
		if !beside {
			lines = append(lines, th.Row(left, nil, width), th.Row(
				[]theme.Part{{Text: strings.Repeat(" ", len(s.ID)+3) + from[i], Style: th.Muted, Cut: 1}},
				[]theme.Part{{Text: " " + cited[i], Style: th.Faint, Cut: 2}}, width))
			continue
		}
		gap := strings.Repeat(" ", wide-ansi.StringWidth(from[i])+3+widest-ansi.StringWidth(cited[i]))
		lines = append(lines, th.Row(left, []theme.Part{
			{Text: " " + from[i], Style: th.Muted}, {Text: gap + cited[i], Style: th.Faint},
		}, width))
	}
	return lines
}

// Widths of the change ledger: the seat's number and name, how it changed, and its side
// with its confidence, up to the next round.
const (
	seatWidth = 10
	signWidth = 2
	leastSide = 6
	mostSide  = 12
	roundGap  = 2
)

// ledger draws the moves of all voters, a column per round.
func (ct *content) ledger(c report.Changes, width int) []string {
	th := ct.th
	if len(c.Seats) == 0 {
		return ct.prose(c.Line, width)
	}
	rounds, side := len(c.Rounds), leastSide
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			side = max(side, ansi.StringWidth(sideText(m)))
		}
	}
	side = min(side, mostSide)
	cell := signWidth + side + roundGap
	first := max(1, rounds-(width-seatWidth+roundGap)/cell+1) // what does not fit is the past
	head := strings.Repeat(" ", seatWidth)
	if first > 1 {
		head = th.Symbols.Cut + head[1:]
	}
	for n := first; n <= rounds; n++ {
		head += fmt.Sprintf("%*sR%-*d", signWidth, "", cell-signWidth-1, n)
	}
	lines := []string{th.Faint.Render(ansi.Truncate(head, width, ""))}
	for _, seat := range c.Seats {
		_, number := ct.session.Seat(seat.Agent)
		name := ansi.Truncate(fmt.Sprintf("%d %s", number, text.Line(seat.Name)), seatWidth-1, th.Symbols.Cut)
		line := th.Seat(number).Render(name + strings.Repeat(" ", seatWidth-ansi.StringWidth(name)))
		for n := first; n <= rounds; n++ {
			line += ct.moveCell(seat.Moves[n-1], side)
			if n < rounds {
				line += strings.Repeat(" ", roundGap)
			}
		}
		lines = append(lines, line)
	}
	lines = append(lines, "")
	if legend := ct.legend(c, width); legend != nil {
		lines = append(append(lines, legend...), "")
	}
	return append(lines, ct.prose(c.Line, width)...)
}

// legend explains the signs of the ledger that are in use.
func (ct *content) legend(c report.Changes, width int) []string {
	used := map[debate.Change]bool{}
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			if m != nil {
				used[m.Change] = true
			}
		}
	}
	var lines []string
	for _, change := range []debate.Change{
		debate.Held, debate.HeldOther, debate.Revised, debate.RevisedOld, debate.Convinced, debate.Conformed, debate.OtherLabel,
		debate.OtherModel,
	} {
		if !used[change] {
			continue
		}
		sign, _ := moveSign(ct.th, change)
		part, n := sign+" "+report.ChangeWord(change), len(lines)-1
		if n >= 0 && ansi.StringWidth(lines[n])+3+ansi.StringWidth(part) <= width {
			lines[n] += "   " + part
		} else {
			lines = append(lines, part)
		}
	}
	for i, l := range lines {
		lines[i] = ct.th.Faint.Render(l)
	}
	return lines
}

// sideText returns a voter's side and its confidence in percent.
func sideText(m *debate.Move) string {
	switch {
	case m == nil:
		return ""
	case m.Change == debate.NoResponse, m.Change == debate.Unstated:
		return report.ChangeWord(m.Change)
	case m.Confidence == nil:
		return text.Line(string(m.Side))
	}
	return fmt.Sprintf("%-3s %2.0f", text.Line(string(m.Side)), 100*min(max(*m.Confidence, 0), 1))
}

// moveCell draws one cell: how the voter changed, its side, its confidence.
func (ct *content) moveCell(m *debate.Move, side int) string {
	th := ct.th
	words := sideText(m)
	if long := ansi.StringWidth(words) - side; long > 0 { // the confidence stays
		label, sure := words, ""
		if i := strings.LastIndex(words, " "); m.Confidence != nil && i > 0 {
			label, sure = strings.TrimRight(words[:i], " "), words[i:]
		}
		words = ansi.Truncate(label, side-ansi.StringWidth(sure), th.Symbols.Cut) + sure
	}
	words += strings.Repeat(" ", max(side-ansi.StringWidth(words), 0))
	if m == nil {
		return strings.Repeat(" ", signWidth) + words
	}
	sign, style := moveSign(th, m.Change)
	return style.Render(sign+" ") + th.Text.Render(words)
}

func moveSign(th *theme.Theme, c debate.Change) (string, lipgloss.Style) {
	switch c {
	case debate.Held:
		return "=", th.Faint
	case debate.HeldOther:
		return "-", th.Faint
	case debate.Revised:
		return th.Symbols.Up, th.Success
	case debate.RevisedOld:
		return "~", th.Warning
	case debate.Convinced:
		return "+", th.Success
	case debate.Conformed:
		return th.Symbols.Warning, th.Warning
	case debate.OtherLabel:
		return "?", th.Warning
	case debate.OtherModel:
		return "#", th.Muted
	case debate.NoResponse:
		return th.Symbols.Missing, th.Danger
	case debate.Opening, debate.Unstated:
	}
	return " ", th.Faint
}
