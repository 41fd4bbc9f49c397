package debateview

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/agents"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// StatusCut is when the open requests are cut, as [theme.Part.Cut] counts, if they name
// no key: only one hint of a key is cut later.
const StatusCut = 40

// answerHint is the key to what is open, which stays as long as the status does.
const answerHint = " · c answer"

// Status returns the left end of the bottom line: open requests, and what the debate
// has cost. While text is typed it names no key that would be text.
func (sc *Screen) Status(onForm, typing bool) []theme.Part {
	th, w := sc.th, sc.w
	if sc.replay != nil {
		return sc.replayStatus()
	}
	gap := "   "
	if w >= screen.Wide {
		gap = "      "
	}
	parts := sc.openRequests(onForm, typing)
	priceCut := 30
	if strings.HasSuffix(parts[0].Text, answerHint) {
		priceCut = StatusCut + 2
	} else {
		parts[0].Cut, parts[0].Whole = StatusCut, true
	}
	if sc.Session().Demo() {
		return append(parts, theme.Part{Text: gap + "demo: scripted answers, no model", Style: th.Muted, Cut: 16, Whole: true})
	}
	spent := budget.TotalSpending(sc.Session())
	usage, cost := spent.Usage, spent.Cost
	if n := usage.Total(); n > 0 {
		took := text.UsedTokens(n, usage.Estimated)
		parts = append(parts, theme.Part{Text: gap + took, Style: th.Muted, Cut: 14, Whole: true})
	}
	style := th.Muted
	if sc.NearLimit() {
		style = th.Warning
	}
	if n := sc.Session().Budget.Tokens; n > 0 {
		parts = append(parts, theme.Part{Text: " of " + text.Tokens(n), Style: style, Cut: 14, Whole: true})
	}
	price := agents.CostText(text.Price(cost), cost, sc.Session().Speakers()...)
	switch {
	case cost == nil, sc.Session().Verdict == nil && len(sc.Left().Unpriced) > 0: // somebody will make it unknown
		price = "price ?"
	case usage.Total() == 0:
		price = agents.CostText("$0.00", cost, sc.Session().Speakers()...)
	}
	parts = append(parts, theme.Part{Text: "   " + price, Style: th.Muted, Cut: priceCut, Whole: true})
	if limit := screen.Budget(sc.Session()); limit != "" {
		parts = append(parts, theme.Part{Text: " " + limit, Style: style, Cut: 29, Whole: true})
	}
	if rest := sc.ToCome(); rest != "" && w >= screen.Wide && !onForm {
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " " + rest, Style: th.Faint, Cut: 10, Whole: true})
	}
	return parts
}

// openRequests says how many requests are open, and then which, or how to answer
// them.
func (sc *Screen) openRequests(onForm, typing bool) []theme.Part {
	th := sc.th
	var required, optional, never []string
	for _, r := range sc.Session().Requests {
		switch {
		case r.State == ledger.Expired && r.Priority == ledger.Required:
			never = append(never, r.ID)
		case r.State != ledger.Pending:
		case r.Priority == ledger.Required:
			required = append(required, r.ID)
		default:
			optional = append(optional, r.ID)
		}
	}
	open := func(symbol string, ids []string, state string, style lipgloss.Style) []theme.Part {
		parts := []theme.Part{{Text: fmt.Sprintf(" %s %d %s", symbol, len(ids), state), Style: style}}
		switch {
		case onForm:
			which := " · " + strings.Join(ids, ", ")
			return append(parts, theme.Part{Text: which, Style: style, Cut: StatusCut - 1, Whole: true})
		case !typing:
			parts[0].Text += answerHint
		}
		return parts
	}
	late := sc.Session().Verdict != nil
	switch {
	case len(required) > 0 && !late:
		return open(th.Symbols.Required, required, "required left", th.Warning)
	case len(required)+len(optional) > 0:
		return open(th.Symbols.Optional, append(required, optional...), "optional open", th.Muted)
	case len(never) > 0:
		return []theme.Part{{Text: fmt.Sprintf(" %s %s never answered", th.Symbols.Missing, strings.Join(never, ", ")), Style: th.Warning}}
	}
	return []theme.Part{{Text: " " + th.Symbols.Done + " no open requests", Style: th.Muted}}
}
