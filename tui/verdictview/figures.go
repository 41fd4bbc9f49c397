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
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// panels are the boxes of figures beside the report.
func (sc *Screen) panels() []panel {
	c := sc.verdict
	if c == nil {
		return nil
	}
	_, right := sc.split()
	width := right - 4
	title := c.Baseline.Title
	if sc.round != 0 {
		title = fmt.Sprintf("Votes in round %d", sc.round)
	}
	var ps []panel
	if c.Pick != nil {
		ps = append(ps, panel{name: "Pick"}) // box draws it
	}
	ps = append(ps,
		panel{"Votes", title, "counted, no model", sc.votes(c, width)},
		panel{"Missing", report.CautionsTitle, "", sc.cautions(c, width)})
	ps = append(ps, sc.results(width)...)
	return append(ps,
		panel{"Consensus", "Consensus by round", sc.threshold(), sc.consensus(width)},
		panel{"Changes", "Change ledger", "side, confidence in %", sc.ledger(c.Changes, width)},
		panel{"Spent", "Spent", screen.Budget(sc.session), sc.spent(c.Spending, width)},
	)
}

// figures draws all panels in a column of exactly h rows. If they do not fit, it
// drops their blank lines first, and then shows those around the panel in focus.
func (sc *Screen) figures(w, h int) []string {
	ps, focus := sc.panels(), sc.focus
	if sc.verdict != nil && sc.verdict.Pick != nil {
		ps, focus = ps[1:], focus-1
	}
	if total(ps) > h {
		for i := range ps {
			ps[i].lines = slices.DeleteFunc(ps[i].lines, func(l string) bool { return l == "" })
		}
	}
	var rows []string
	top, bottom := 0, 0
	for i, p := range ps {
		n := len(p.lines) + 2
		if i == len(ps)-1 {
			n = max(n, h-len(rows))
		}
		if i+1 == focus {
			top, bottom = len(rows), len(rows)+n-1
		}
		rows = append(rows, sc.panel(p, w, n, i+1 == focus, 0)...)
	}
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	return sc.visibleRows(rows, top, bottom, w, h)
}

func total(ps []panel) int {
	n := 0
	for _, p := range ps {
		n += len(p.lines) + 2
	}
	return n
}

// visibleRows returns the visible rows; the first and the last of them count
// the hidden ones.
func (sc *Screen) visibleRows(rows []string, top, bottom, w, h int) []string {
	from, to := sc.boxes.Range(top, bottom, len(rows), h)
	shown := slices.Clone(rows[from:to])
	mark := func(n int, where string) string {
		return sc.th.Fit(sc.th.Muted.Render(fmt.Sprintf("  %d rows %s %s tab: go there", n, where, sc.th.Symbols.Sep)), w)
	}
	if from > 0 {
		shown[0] = mark(from+1, "above")
	}
	if below := len(rows) - to; below > 0 {
		shown[h-1] = mark(below+1, "below")
	}
	return shown
}

// panel draws one box, of which some lines may be hidden below.
func (sc *Screen) panel(p panel, w, h int, focused bool, below int) []string {
	b := theme.Box{
		Width: w, Height: h, Focused: focused, Accent: sc.th.Accent, Lines: p.lines,
		Title: []theme.Part{{Text: p.title, Style: sc.th.Text}},
	}
	if below > 0 {
		b.Hint = []theme.Part{{Text: fmt.Sprintf("%d below", below), Style: sc.th.Muted}}
	}
	if p.state != "" {
		b.State = []theme.Part{{Text: p.state, Style: sc.th.Faint, Cut: 1}}
	}
	return sc.th.Box(b)
}

// prose wraps a sentence in the panel's muted style.
func (ct *content) prose(content string, width int) []string {
	var lines []string
	for _, l := range theme.Wrap(text.Line(content), max(width, 8)) {
		lines = append(lines, ct.th.Muted.Render(l))
	}
	return lines
}

// votes shows the count of the round that the user has chosen, or else the first votes
// and the last, what the debate changed, and which labels
// count as the same.
func (ct *content) votes(c *report.Conclusion, width int) []string {
	for _, r := range ct.sides {
		if r.Round == ct.round && r.Votes != "" {
			return append(ct.tally("Votes", r.Votes, r.Tally, width), "")
		}
	}
	if ct.round != 0 {
		return append(ct.prose("No votes on sides.", width), "")
	}
	b := c.Baseline
	var lines []string
	last := "Votes"
	if b.Votes != "" {
		lines, last = ct.tally("First votes", b.Votes, b.Before, width), "Last votes"
	}
	if b.Final != "" {
		lines = append(lines, ct.tally(last, b.Final, b.After, width)...)
	}
	if lines != nil {
		lines = append(lines, "")
	}
	if b.Line != "" {
		for _, l := range theme.Wrap(text.Line(b.Line), max(width, 8)) {
			lines = append(lines, ct.th.Text.Bold(true).Render(l))
		}
	}
	for _, line := range append([]string{b.Added, b.Cost}, c.Labels...) {
		if line != "" {
			lines = append(lines, ct.prose(line, width)...)
		}
	}
	return append(lines, "")
}

// cautions draws what is missing and weak, and that nothing is missing.
func (ct *content) cautions(c *report.Conclusion, width int) []string {
	th := ct.th
	var lines []string
	if len(c.Missing) == 0 {
		lines = append(ct.prose(c.Presence+".", width), "")
	}
	for _, t := range c.Cautions() {
		if c.Author.Member && t == debate.WarningChairIsMember { // the frame of the report says so
			continue
		}
		lines = append(lines, wrapped(th.Warning.Render, th.Symbols.Warning+" "+text.Line(t), width)...)
	}
	return append(lines, "")
}

// tally draws a count of votes, plain and weighted by confidence, with what it came to.
func (ct *content) tally(name, counts string, t debate.Tally, width int) []string {
	if t.Median != nil || len(t.Sides) == 0 {
		return ct.voteRows(name, []string{text.Line(counts)}, "", width)
	}
	sum := 0.0
	for _, w := range t.Weights {
		sum += w
	}
	var votes, weights []string
	for _, side := range t.Sides {
		votes = append(votes, fmt.Sprintf("%s %d", text.Line(string(side)), t.Votes[side]))
		if sum > 0 && len(t.Sides) > 1 {
			weights = append(weights, text.Line(string(side))+" "+text.Percent(t.Weights[side]/sum))
		}
	}
	if t.Undecided > 0 {
		votes = append(votes, fmt.Sprintf("undecided %d", t.Undecided))
	}
	if t.Unread > 0 {
		votes = append(votes, fmt.Sprintf("unreadable %d", t.Unread))
	}
	lines := ct.voteRows(name, votes, cmp.Or(string(t.Majority), "split"), width)
	if weights == nil {
		return lines
	}
	return append(lines, ct.voteRows("  by confidence", weights, cmp.Or(string(t.Weighted), "split"), width)...)
}

// voteNameWidth is the width of the names of counts.
const voteNameWidth = 17

// voteRows draws what each side has and which side wins, on several rows if one
// has no room for all sides.
func (ct *content) voteRows(name string, sides []string, wins string, width int) []string {
	th := ct.th
	var right []theme.Part
	room := width - voteNameWidth
	if wins != "" {
		right = []theme.Part{{Text: " " + th.Symbols.Right + " " + text.Line(wins), Style: th.Text}}
		room -= ansi.StringWidth(right[0].Text)
	}
	var rows []string
	for _, side := range sides {
		n := len(rows) - 1
		if next := ""; n >= 0 {
			next = rows[n] + " " + th.Symbols.Sep + " " + side
			if ansi.StringWidth(next) <= room {
				rows[n] = next
				continue
			}
		}
		rows = append(rows, side)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		left := []theme.Part{{Text: fmt.Sprintf("%-*s", voteNameWidth, name), Style: th.Muted}, {Text: row, Style: th.Text, Cut: 1}}
		name = ""
		if i < len(rows)-1 {
			lines[i] = th.Row(left, nil, width)
		} else {
			lines[i] = th.Row(left, right, width)
		}
	}
	return lines
}

// spent lists the calls, tokens and cost by purpose.
func (ct *content) spent(all []debate.Spending, width int) []string {
	th := ct.th
	var lines []string
	footnote := false
	for _, s := range all {
		style := th.Muted
		if s.Purpose == "" {
			style = th.Text
		}
		used := text.Number(s.Usage.Total()) + " tok" // in full, so that they add up to the total
		if s.Usage.Estimated {
			used = "~" + used
		}
		line := fmt.Sprintf("%-11s %3d %-5s %13s   ", report.PurposeName(s.Purpose), s.Calls, text.Plural(s.Calls, "call"), used)
		price := text.Price(s.Cost)
		words := agents.CostText(price, s.Cost, ct.session.SpeakersFor(s.Purpose)...)
		if words != price && theme.Width(line+words) > width && *s.Cost > 0 {
			words, footnote = price+" +", true
		}
		lines = append(lines, th.Fit(style.Render(line+words), width))
	}
	if footnote {
		lines = append(lines, th.Fit(th.Faint.Render("+ and what is included in a subscription"), width))
	}
	return lines
}

// results are the panels of ballots, votes and scores.
func (ct *content) results(width int) []panel {
	var out []panel
	counted := ct.counted()
	if counted == nil {
		return nil
	}
	if k := counted.Ranking; k != nil {
		out = append(out, panel{"Ranking", fmt.Sprintf("Ranking, round %d", k.Round), "points, first places", ct.ranking(k, width)})
	}
	if s := counted.Shift; s != nil {
		out = append(out, panel{"Polls", "Polls", "before, after", ct.shift(s, width)})
	}
	if m := counted.Matrix; m != nil {
		out = append(out, panel{"Scores", fmt.Sprintf("Scores, round %d", m.Round), "mean of 0 to 10", ct.matrix(m, width)})
	}
	return out
}

// row is a line of a table, with figures at the right.
func (ct *content) row(what, figures string, width int) string {
	return ct.th.Row([]theme.Part{{Text: what, Style: ct.th.Text, Cut: 1}}, []theme.Part{{Text: "  " + figures, Style: ct.th.Muted}}, width)
}

func (ct *content) ranking(k *debate.Ranking, width int) []string {
	var lines []string
	places := k.Places
	if !slices.ContainsFunc(k.Ballots, func(b debate.Ballot) bool { return len(b.Order) > 0 }) {
		places = nil // all would share the first
	}
	for _, p := range places {
		seat, _ := ct.session.Seat(p.Agent)
		lines = append(lines, ct.row(fmt.Sprintf("%d. %s", p.Place, text.Line(seat.Name)), fmt.Sprintf("%3d  %2d", p.Points, p.Firsts),
			width))
	}
	return append(append(lines, ""), ct.prose(report.RankingLine(*k), width)...)
}

func (ct *content) shift(s *debate.VoteShift, width int) []string {
	var lines []string
	for _, v := range s.Votes {
		seat, n := ct.session.Seat(v.Agent)
		said := func(side debate.Stance) string {
			if side == "" {
				return "none"
			}
			return string(side)
		}
		votes := fmt.Sprintf("%-7s %s %-7s", said(v.Before), ct.th.Symbols.Right, said(v.After))
		if v.OtherModel {
			votes += " other model"
		}
		lines = append(lines, ct.row(fmt.Sprintf("%d %s", n, text.Line(seat.Name)), votes, width))
	}
	return append(append(lines, ""), ct.prose(report.ShiftLine(*s), width)...)
}

// The least cells of a column of an option, and of that of the criteria.
const (
	optionLeast    = 8
	criterionLeast = 16
)

// matrix draws a table of criteria by options, or, if that has no room, a list of
// the options with their criteria.
func (ct *content) matrix(m *debate.Matrix, width int) []string {
	lines := ct.crossTable(m, width)
	if lines == nil {
		lines = ct.optionList(m, width)
	}
	return append(append(lines, ""), ct.prose(report.MatrixLine(*m), width)...)
}

// score writes a mean; "?" if nobody gave one.
func score(f *float64) string {
	if f == nil {
		return "?"
	}
	return fmt.Sprintf("%.1f", *f)
}

// mean returns the mean score of an option by a criterion; nil if there is none.
func mean(m *debate.Matrix, option, criterion int) *float64 {
	if i := option*len(m.Criteria) + criterion; i < len(m.Cells) {
		return m.Cells[i].Mean
	}
	return nil
}

// optionTotal returns the total score of an option; nil if there is none.
func optionTotal(m *debate.Matrix, option int) *float64 {
	if option < len(m.Totals) {
		return m.Totals[option]
	}
	return nil
}

// crossTable draws the table, with the leading option marked; nil if there is no
// room for the options' names.
func (ct *content) crossTable(m *debate.Matrix, width int) []string {
	th := ct.th
	longest := criterionLeast
	for _, criterion := range m.Criteria {
		longest = max(longest, ansi.StringWidth(text.Line(criterion))+1)
	}
	most := max((width-min(longest, max(width/2, criterionLeast)))/max(len(m.Options), 1)-2, optionLeast)
	widths, rest := make([]int, len(m.Options)), width-1
	for o, option := range m.Options {
		widths[o] = min(max(ansi.StringWidth(text.Line(option))+1, optionLeast), most)
		rest -= widths[o] + 2
	}
	if rest < criterionLeast || ct.ambiguous(m.Options, widths) {
		return nil
	}
	row := func(name string, style lipgloss.Style, cell func(option int) string, each lipgloss.Style) string {
		parts := []theme.Part{{Text: ansi.Truncate(name, rest, th.Symbols.Cut), Style: style}}
		var right []theme.Part
		for o := range m.Options {
			text := ansi.Truncate(cell(o), widths[o], th.Symbols.Cut)
			right = append(right, theme.Part{Text: strings.Repeat(" ", 2+widths[o]-ansi.StringWidth(text)) + text, Style: each})
		}
		return th.Row(parts, right, width)
	}
	lines := []string{row("", th.Muted, func(o int) string {
		if m.Options[o] == m.Best {
			return th.Symbols.Focus + text.Line(m.Options[o])
		}
		return text.Line(m.Options[o])
	}, th.Text)}
	for c, criterion := range m.Criteria {
		lines = append(lines, row(text.Line(criterion), th.Muted, func(o int) string { return score(mean(m, o, c)) }, th.Muted))
	}
	return append(lines, row("in all", th.Text, func(o int) string { return score(optionTotal(m, o)) }, th.Text))
}

// ambiguous reports whether two names are the same once they are cut to these
// widths.
func (ct *content) ambiguous(names []string, widths []int) bool {
	seen := map[string]bool{}
	for i, name := range names {
		short := ansi.Truncate(text.Line(name), widths[i]-1, ct.th.Symbols.Cut)
		if seen[short] {
			return true
		}
		seen[short] = true
	}
	return false
}

// optionList lists the options with their means, and below each its criteria.
func (ct *content) optionList(m *debate.Matrix, width int) []string {
	var lines []string
	for o, option := range m.Options {
		mark := "  "
		if option == m.Best {
			mark = ct.th.Symbols.Focus + " "
		}
		lines = append(lines, ct.row(mark+text.Line(option), score(optionTotal(m, o)), width))
		for c, criterion := range m.Criteria {
			what := ansi.Truncate("    "+text.Line(criterion), max(width-8, 4), ct.th.Symbols.Cut)
			lines = append(lines, ct.th.Row([]theme.Part{{Text: what, Style: ct.th.Muted}},
				[]theme.Part{{Text: score(mean(m, o, c)), Style: ct.th.Faint}}, width))
		}
	}
	return lines
}

// Widths of the chart of agreement besides its bars: the round, the level, and
// what it is the level of.
const (
	chartRound = 3
	chartLevel = 5
	chartNote  = 11
)

// consensus draws the agreement of each round as a bar.
func (ct *content) consensus(width int) []string {
	var lines []string
	note := ""
	for _, a := range ct.agreed {
		switch {
		case a.Contradicts != "":
			said := fmt.Sprintf("the model says %.2f; the count says %s", *a.Level, text.Line(a.Contradicts))
			lines = append(lines, ct.words(a.Round, said, ct.th.Warning, width)...)
			continue
		case a.Level == nil:
			lines = append(lines, ct.words(a.Round, text.Line(a.Gap), ct.th.Faint, width)...)
			continue
		}
		lines = append(lines, ct.bar(a, max(width-chartRound-chartLevel-chartNote, 4)))
		note = a.Caveat()
	}
	if text := ct.fallText(); text != "" {
		note = text + " " + note
	}
	if note != "" {
		lines = append(append(lines, ""), ct.prose(note, width)...)
	}
	return lines
}

// threshold says which level of agreement ends the debate; "" if none does.
func (ct *content) threshold() string {
	if !ct.session.EndConditions.OnConsensus {
		return ""
	}
	return fmt.Sprintf("%.2f ends a debate %s", ct.session.EndConditions.ConsensusThreshold(), ct.th.Symbols.BarMark)
}

// words are the rows of a round for which no bar is drawn.
func (ct *content) words(round int, why string, style lipgloss.Style, width int) []string {
	var lines []string
	lead := ct.roundName(round)
	for _, l := range theme.Wrap(why, max(width-chartRound, 8)) {
		lines = append(lines, lead+style.Render(l))
		lead = strings.Repeat(" ", chartRound)
	}
	return lines
}

// roundName returns the round's name for the beginning of its row, marked if the
// user has chosen the round.
func (ct *content) roundName(round int) string {
	name := fmt.Sprintf("R%-*d", chartRound-1, round)
	if ct.round != round {
		return ct.th.Muted.Render(name)
	}
	return ct.th.Accent.Render(strings.TrimSuffix(name, " ") + ct.th.Symbols.Focus)
}

// bar is the row of a round with a level. If some members did not answer, it says
// so and is drawn in another colour.
func (ct *content) bar(a report.Agreement, cells int) string {
	th := ct.th
	share := func(level float64) int { return int(level*float64(cells) + 1e-9) } // rounded up it would reach the mark too soon
	full, mark := share(*a.Level), cells
	if ct.session.EndConditions.OnConsensus {
		ends := ct.session.EndConditions.ConsensusThreshold()
		mark = min(share(ends), cells-1)
		if *a.Level > ends {
			full = int(*a.Level*float64(cells) + 0.5)
		}
	}
	style, note, noted := th.Accent, "", th.Faint
	switch n := len(a.Groups); {
	case !a.AllAnswered():
		style, note, noted = th.Muted, fmt.Sprintf("%d of %d", a.Answered, a.Seats), th.Warning
	case n > 0:
		note = text.Count(n, "group")
	}
	piece := func(from, to int) string {
		n := max(min(full, to)-from, 0)
		return style.Render(strings.Repeat(th.Symbols.BarFull, n)) + th.Line.Render(strings.Repeat(th.Symbols.BarEmpty, to-from-n))
	}
	bar := piece(0, mark)
	if mark < cells {
		bar += th.Text.Render(th.Symbols.BarMark) + piece(mark+1, cells)
	}
	return ct.roundName(a.Round) + bar + th.Text.Render(fmt.Sprintf(" %.2f", *a.Level)) +
		noted.Render("  "+ansi.Truncate(note, chartNote-2, th.Symbols.Cut))
}

// fallText says who changed sides if the agreement fell in the last round.
func (ct *content) fallText() string {
	n := len(ct.agreed)
	if n < 2 {
		return ""
	}
	was, now := ct.agreed[n-2].Meter(), ct.agreed[n-1].Meter()
	if was == nil || now == nil || *now >= *was-0.005 {
		return ""
	}
	var who []string
	for _, p := range ct.session.Seats {
		before, m := ct.verdict.Changes.Of(p.ID, n-1), ct.verdict.Changes.Of(p.ID, n)
		if before == nil || m == nil || before.Side == "" || m.Side == "" || before.Side == m.Side ||
			m.Change == debate.OtherLabel || m.Change == debate.OtherModel {
			continue
		}
		content := fmt.Sprintf("%s went from %s to %s", text.Line(p.Name), text.Line(string(before.Side)), text.Line(string(m.Side)))
		if len(m.Cites) > 0 {
			content += " on [" + text.Line(strings.Join(m.Cites, "], [")) + "]"
		}
		who = append(who, content)
	}
	text := fmt.Sprintf("R%d %s R%d fell", n-1, ct.th.Symbols.Right, n)
	if len(who) == 0 {
		return text + "."
	}
	return text + ": " + strings.Join(who, ", ") + "."
}
