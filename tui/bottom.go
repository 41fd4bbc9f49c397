package tui

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/tui/input"
	"roundtable/tui/picker"
	"roundtable/tui/theme"
)

// noticeLine is the last event, or a question, or the search that is typed.
func (m *Model) noticeLine() string {
	th := m.th
	switch {
	case m.question != nil:
		return th.Row([]theme.Part{{Text: " " + m.question.text, Style: th.Warning, Cut: 1}, {Text: " " + m.question.keys, Style: th.Warning}}, nil, m.w)
	case m.board != nil && m.screen&atSession != 0 && m.board.prompt != nil:
		return m.board.prompt.line(th, m.w)
	case m.board != nil && m.screen&atSession != 0 && m.board.finder.on:
		return th.Fit(th.Accent.Render(" / ")+input.Line(m.board.finder.field, th), m.w)
	case m.place() == atForm && m.board.sheet.form.Compact() && (m.notice.text == "" || m.board.sheet.hints && m.notice.tone != badly):
		return th.Row([]theme.Part{{Text: " " + m.board.sheet.form.Hint() + " " + th.Symbols.Sep + " ctrl+p more", Style: th.Muted}}, nil, m.w)
	}
	n := m.notice
	if m.screen&(atHome|atFirst|atNew) != 0 && !n.past && n != m.alarm { // it is of the debate
		n = m.alarm
	}
	if n.text == "" && m.screen == atHome {
		switch last := len(m.deleted) - 1; {
		case m.home.Searching():
			return th.Row([]theme.Part{{Text: " Words match whole text: topics, statements, answers, verdicts.", Style: th.Faint, Cut: 1}}, nil, m.w)
		case last >= 0:
			n = deletion(m.deleted[last])
		case m.board == nil:
			return th.Row([]theme.Part{{Text: " Nothing runs until you open a session and resume it.", Style: th.Faint}}, nil, m.w)
		}
	}
	left := []theme.Part{{Text: " " + n.text, Style: n.tone.style(th), Cut: 2}}
	if n.keys != "" {
		gap := "  "
		if strings.HasSuffix(n.text, ".") || strings.HasSuffix(n.text, "?") {
			gap = " "
		}
		left = append(left, theme.Part{Text: gap + n.keys, Style: n.tone.style(th)})
	}
	var right []theme.Part
	switch {
	case m.alarm.text != "" && n != m.alarm:
		right = []theme.Part{{Text: th.Symbols.Failed + " an error stands ", Style: th.Danger}}
	case !n.at.IsZero():
		right = []theme.Part{{Text: n.at.In(m.now().Location()).Format("15:04:05") + " ", Style: th.Faint, Cut: 1, Whole: true}}
	}
	return th.Row(left, right, m.w)
}

// bottomLine says what is owed, what it cost and which keys work now.
func (m *Model) bottomLine() string {
	left := m.owed()
	hints, right := m.hints(left == nil)
	if len(left) > 1 && m.board.session.Demo() && length(left)+length(right) > m.w { // rather short than cut
		left[1].Text = "   demo: no model"
		left[1].Whole = true
	}
	if left == nil {
		left = hints
		if len(left) > 0 {
			left[0].Text = " " + strings.TrimLeft(left[0].Text, " ")
		}
	}
	if len(right) > 0 {
		right[0].Text = right[0].Text[3:] // the row itself keeps a blank
	}
	return m.th.Row(left, append(right, theme.Part{Text: " "}), m.w)
}

// length is how many cells parts take.
func length(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}

// hints are the keys that work now, each with the blanks before it. Those of
// the screen itself may stand apart.
func (m *Model) hints(apart bool) (own, end []theme.Part) {
	typing := m.typing()
	for i, text := range m.typingHints() {
		p := theme.Part{Text: "   " + text, Style: m.th.Muted, Cut: 20 - i, Whole: true}
		if apart {
			own = append(own, p)
		} else {
			end = append(end, p)
		}
	}
	for _, c := range m.commands {
		if !c.Enabled() || c.hint == nil || typing && !c.field {
			continue
		}
		text := c.hint(m)
		if text == "" {
			continue
		}
		p := theme.Part{Text: "   " + text, Style: m.th.Muted, Cut: 20 - c.rank, Whole: true}
		if c.now != nil && c.now(m) {
			p.Cut = 19
		}
		if apart && !c.end {
			own = append(own, p)
		} else {
			end = append(end, p)
		}
	}
	return own, end
}

// typingHints say how to finish what is being typed, the most important first.
func (m *Model) typingHints() []string {
	b := m.board
	switch m.place() {
	case atHome:
		if id, _ := m.home.Renaming(); id != "" {
			return []string{"enter renames", "esc keeps the old name"}
		}
		if m.home.Typing() {
			return []string{"enter open", "esc list", m.th.Symbols.Up + m.th.Symbols.Down + " move", "ctrl+u clear"}
		}
	case atNew:
		if m.typing() {
			return []string{"ctrl+s start"}
		}
	case atLog:
		if b.log.typing {
			return []string{"enter keeps the filter", "esc clears it"}
		}
	case atDebate, atVerdict:
		switch {
		case b.prompt != nil:
			return []string{"enter done", "esc puts it away"}
		case b.finder.on:
			return []string{"enter looks", "esc ends"}
		}
	}
	return nil
}

// owed is what the user owes the debate, and what it has cost; nil where no
// session is on the screen.
func (m *Model) owed() []theme.Part {
	if m.board == nil || m.screen&atSession == 0 {
		return nil
	}
	th, b := m.th, m.board
	gap := "   "
	if m.w >= wideTop {
		gap = "      "
	}
	parts := []theme.Part{m.owing()}
	if b.session.Demo() {
		return append(parts, theme.Part{Text: gap + "demo: scripted answers, no model", Style: th.Muted, Cut: 16})
	}
	spent := b.session.TotalSpending()
	usage, cost := spent.Usage, spent.Cost
	if n := usage.Input + usage.Output; n > 0 {
		parts = append(parts, theme.Part{Text: gap + tokens(usage), Style: th.Muted, Cut: 14, Whole: true})
	}
	style := th.Muted
	if b.warned() {
		style = th.Warning
	}
	if n := b.session.Budget.Tokens; n > 0 {
		parts = append(parts, theme.Part{Text: " of " + tokens(agents.Usage{Input: n}), Style: style, Cut: 14, Whole: true})
	}
	price := picker.Money(cost)
	switch {
	case cost == nil, b.session.Verdict == nil && len(b.funds.left.Unpriced) > 0: // somebody will make it unknown
		price = "price ?"
	case usage.Input+usage.Output == 0:
		price = "$0.00"
	}
	parts = append(parts, theme.Part{Text: "   " + price, Style: th.Muted, Cut: 30, Whole: true})
	if limit := budgetOf(b.session); limit != "" {
		parts = append(parts, theme.Part{Text: " " + limit, Style: style, Cut: 29, Whole: true})
	}
	if rest := b.toCome(); rest != "" && m.w >= wideTop && m.place() != atForm {
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " " + rest, Style: th.Faint, Cut: 10, Whole: true})
	}
	return parts
}

// owing says which requests are open.
func (m *Model) owing() theme.Part {
	th := m.th
	var required, optional, never []string
	for _, r := range m.board.session.Requests {
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
	how := func(ids []string) string {
		if m.place() == atForm {
			return " · " + strings.Join(ids, ", ")
		}
		if m.typing() {
			return ""
		}
		return " · c answer"
	}
	late := m.board.session.Verdict != nil
	switch {
	case len(required) > 0 && !late:
		return theme.Part{Text: fmt.Sprintf(" %s %d required left%s", th.Symbols.Required, len(required), how(required)), Style: th.Warning}
	case len(required)+len(optional) > 0:
		open := append(required, optional...)
		return theme.Part{Text: fmt.Sprintf(" %s %d optional open%s", th.Symbols.Optional, len(open), how(open)), Style: th.Muted}
	case len(never) > 0:
		return theme.Part{Text: fmt.Sprintf(" %s %s never answered", th.Symbols.Missing, strings.Join(never, ", ")), Style: th.Warning}
	}
	return theme.Part{Text: " " + th.Symbols.Done + " no request open", Style: th.Muted}
}
