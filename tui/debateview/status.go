package debateview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// StatusCut is when the open requests are cut, as [theme.Part.Cut] counts, if they name
// no key: only one hint of a key is cut later.
const StatusCut = 40

// answerHint is the key to what is open, which stays as long as the status does.
func (sc *Screen) answerHint() string { return " · " + sc.keys.Of("answer") + " answer" }

// Status returns the left end of the bottom line: open requests, and what the debate
// has cost. While text is typed it names no key that would be text.
func (sc *Screen) Status(onForm, typing bool) []theme.Part {
	th, w := sc.th, sc.w
	gap := "   "
	if w >= screen.Wide {
		gap = "      "
	}
	parts := sc.openRequests(onForm, typing)
	priceCut := 30
	if strings.HasSuffix(parts[0].Text, sc.answerHint()) {
		priceCut = StatusCut + 2
	} else {
		parts[0].Cut, parts[0].Whole = StatusCut, true
	}
	if sc.Session().Demo() {
		return append(parts, theme.Part{Text: gap + "demo: scripted answers, no model", Style: th.Muted, Cut: 16, Whole: true})
	}
	spent := budget.TotalSpending(sc.Session())
	usage, cost := spent.Usage, spent.Cost
	limit := sc.Session().Budget.Tokens
	if n := usage.Total(); n > 0 || limit > 0 {
		took := text.UsedTokens(n, usage.Estimated)
		parts = append(parts, theme.Part{Text: gap + took, Style: th.Muted, Cut: 14, Whole: true})
	}
	style := th.Muted
	if sc.NearLimit() {
		style = th.Warning
	}
	if limit > 0 {
		parts = append(parts, theme.Part{Text: " of " + text.Tokens(limit), Style: style, Cut: 14, Whole: true})
	}
	price := agents.CostText(text.Price(cost), cost, sc.Session().Speakers()...)
	switch {
	case cost == nil, sc.Session().Verdict == nil && len(sc.Left().Unpriced) > 0: // somebody will make it unknown
		price = "price ?"
	case usage.Total() == 0:
		price = agents.CostText("$0.00", cost, sc.Session().Speakers()...)
	}
	parts = append(parts, theme.Part{Text: "   " + price, Style: th.Muted, Cut: priceCut, Whole: true})
	if usd := sc.Session().Budget.USD; usd > 0 {
		parts = append(parts, theme.Part{Text: " of $" + budget.FormatUSD(usd), Style: style, Cut: 29, Whole: true})
	}
	if rest := sc.Words().ToCome(); rest != "" && w >= screen.Wide && !onForm {
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " " + rest, Style: th.Faint, Cut: 10, Whole: true})
	}
	return parts
}

// openRequests says what the next round waits for or which requests are open, and how to answer
// them. A debate that was closed has no key for that.
func (sc *Screen) openRequests(onForm, typing bool) []theme.Part {
	th, s, symbol, style := sc.th, sc.Session(), sc.th.Symbols.Optional, sc.th.Muted
	open, closed, state := s.OpenRequests(), false, " open"
	if len(open) == 0 {
		closed, state = true, " unanswered"
		for _, r := range s.Requests {
			if r.State == ledger.Unanswered && r.Priority == ledger.Required {
				open, symbol = append(open, r), th.Symbols.Missing
			}
		}
	}
	words := report.Waits(s)
	switch {
	case onForm, sc.Phase() == control.PhaseNeedsUser: // the form or the row of the question says it
		return []theme.Part{{}}
	case len(open) == 0:
		words = "no open questions"
		if answered := func(r ledger.Request) bool { return len(r.Answers) > 0 }; !typing && slices.ContainsFunc(s.Requests, answered) {
			words = "answered · " + sc.keys.Of("answer") + " change"
		}
		return []theme.Part{{Text: " " + th.Symbols.Done + " " + words, Style: th.Muted}}
	case words != "":
		if symbol = th.Symbols.Required; sc.w < screen.Wide {
			words, _, _ = strings.Cut(words, " (") // the keys need the room
		}
	default:
		more := ""
		if n := len(open) - 1; n > 0 {
			more = fmt.Sprintf(" +%d", n)
		}
		words = open[0].ID + more + state
	}
	if open[0].Priority == ledger.Required {
		style = th.Warning
	}
	if !closed && !typing && sc.ReadOnly == "" && sc.folded() == nil {
		words += sc.answerHint()
	}
	return []theme.Part{{Text: " " + symbol + " " + words, Style: style}}
}

// folded draws the question that the debate waits for while the form is not shown, and the key
// that answers it; nil if it waits for none.
func (sc *Screen) folded() []string {
	open := sc.Session().Unanswered()
	if sc.Form.IsOpen() || sc.Phase() != control.PhaseNeedsUser {
		return nil
	}
	r, more := open[0], ""
	if n := len(open) - 1; n > 0 {
		more = fmt.Sprintf("+%d  ", n)
	}
	if sc.ReadOnly == "" {
		more += sc.keys.Of("answer") + " answers "
	}
	return []string{sc.th.Row(
		[]theme.Part{
			{Text: fmt.Sprintf(" %s %s ", sc.th.Symbols.Required, r.ID), Style: sc.th.Warning},
			{Text: text.List(text.Each(r.Askers(), sc.nameOf)) + ": " + text.Line(r.Query), Style: sc.th.Text, Cut: 1},
		},
		[]theme.Part{{Text: more, Style: sc.th.Warning}}, sc.w)}
}

func (sc *Screen) banner(now time.Time) []string {
	th, w := sc.th, sc.w
	sign, style := th.Symbols.Paused, th.Warning
	if sc.OpenRound() != nil {
		sign, style = th.Symbols.Failed, th.Danger
	}
	lead := " " + sign + " "
	var lines []string
	for _, t := range sc.bannerRows(w, now) {
		lines = append(lines, th.Row([]theme.Part{{Text: lead + t, Style: style, Cut: 1}}, nil, w))
		lead, style = "   ", th.Muted
	}
	return lines
}

// Caption explains the stage of the demo in a line.
func (sc *Screen) Caption() string { return text.Line(sc.Words().Coaching()) }

// bannerRows wraps what the banner says, but for causes, which the panes show in full.
func (sc *Screen) bannerRows(w int, now time.Time) []string {
	causes := 0
	if open := sc.OpenRound(); open != nil {
		causes = len(open.Causes)
	}
	var rows []string
	for i, t := range sc.bannerText(now) {
		if t = text.Line(t); i > 0 && i <= causes {
			rows = append(rows, t)
			continue
		}
		rows = append(rows, theme.Wrap(t, max(w-4, 1))...)
	}
	return rows
}

// bannerText adds keys to what the controller says of a session that is paused.
func (sc *Screen) bannerText(now time.Time) []string {
	if sc.Phase() <= control.PhaseRound || !sc.Paused() && !sc.Queued() { // it is over, or runs
		return nil
	}
	state := sc.Words().State(now)
	if state.Open != nil {
		return sc.openRoundText(state)
	}
	lines := state.Lines
	if state.Next == "" {
		return lines
	}
	next := sc.keys.Of("pause") + ": " + state.Next + "."
	if state.Cost != "" {
		next += " " + state.Cost
	}
	if _, cut := sc.Session().FirstCut(); cut {
		lines[len(lines)-1] += " " + next
	} else {
		lines = append(lines, next+" Nothing runs until you say so.")
	}
	return append(lines, state.Round...)
}

func (sc *Screen) openRoundText(state control.State) []string {
	lines, open := state.Lines, state.Open
	if !open.CanGoOn() {
		lines[0] += " Press " + sc.keys.Of("retry") + " to retry; nothing is lost."
	}
	for _, c := range open.Causes {
		who := c.Name // the light model's
		if _, n := sc.Session().Seat(c.Agent); n > 0 {
			who = fmt.Sprintf("%d %s", n, c.Name)
		}
		lines = append(lines, fmt.Sprintf("%-12s %s", who, c.Cause))
	}
	if open.CanGoOn() {
		them := text.Inflect(len(open.Causes), "it", "them")
		lines = append(lines, sc.retryKeys(open)+". "+
			sc.keys.Of("pause")+": go on without "+them+"; the verdict says so.")
	}
	return lines
}
