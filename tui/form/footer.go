package form

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// minHeightForEnd is the height below which the row that ends the debate is only drawn
// while it has the focus, since the answer needs its room.
const minHeightForEnd = 16

// footer draws what stands below the list and does not scroll: a divider, the release
// row, notes, and the row that ends the debate.
func (f frame) footer() []string {
	rows := []string{""} // the divider, drawn once the list is scrolled
	rows = append(rows, f.releaseLine())
	for _, n := range f.notes {
		rows = append(rows, f.noteRows(n)...)
	}
	if f.releasable() && (f.h >= minHeightForEnd || f.focused.field == fieldEnd) {
		rows = append(rows, f.endRow())
	}
	if f.opts.GoesTo == "" || f.inBorder() {
		return rows
	}
	if !f.Compact() {
		rows = append(rows, "")
	}
	for _, l := range theme.Wrap(f.goesTo(), max(f.inner()-2, 8)) {
		rows = append(rows, "  "+f.th.Muted.Render(l))
	}
	return rows
}

// goesTo says who will read the answers.
func (f frame) goesTo() string { return "goes to: " + f.opts.GoesTo }

// inBorder reports whether the bottom border says who will read the answers: in a compact
// form if it has room for all of it, or if the answer needs the rows more.
func (f frame) inBorder() bool {
	return f.Compact() && (ansi.StringWidth(f.goesTo()) <= f.inner()-2 || f.h < minHeightForEnd && f.focused.field != fieldRelease)
}

// divider draws the line above the footer. It says how many requests are hidden, in
// full or in part.
func (f frame) divider(p listLayout, room int) string {
	h := f.th.Border.Horizontal
	above, below := 0, 0
	for _, it := range p.items {
		switch {
		case it.from < f.scroll.offset:
			above++
		case it.to > f.scroll.offset+room:
			below++
		}
	}
	words := f.th.HiddenNote(above, below)
	if words == "" {
		return f.th.Line.Render(strings.Repeat(h, f.inner()))
	}
	text := " " + words + " "
	rest := max(f.inner()-2-ansi.StringWidth(text), 0)
	return f.th.Line.Render(h+h) + f.th.Muted.Render(text) + f.th.Line.Render(strings.Repeat(h, rest))
}

// releaseLine draws the row that says what ctrl+s will do.
func (f frame) releaseLine() string {
	focused, y := f.focused.field == fieldRelease, f.th.Symbols
	sign, style := y.Queued, f.th.Muted
	switch {
	case f.saved:
		sign, style = y.Done, f.th.Success
	case f.releasable() && len(f.blocking(f.pendingDrafts())) > 0:
		return f.blockedLine(focused)
	case f.releasable():
		return f.readyLine(focused)
	}
	words := "No later round: answers are kept, and used if you add one."
	if f.opts.Running {
		words = fmt.Sprintf("Round %d can start once round %d is done.", f.opts.Round, f.opts.Round-1)
	}
	right := ""
	if f.saved {
		words = "Saved. " + words
	} else if len(f.pendingDrafts()) > 0 {
		right = f.enterKey(focused)
	}
	return f.actionRow(focused, sign, style, words, right)
}

// readyLine says what the next round will get, in the longest words that fit.
func (f frame) readyLine(focused bool) string {
	row := func(words string) string {
		words = fmt.Sprintf("Start round %d with %s", f.opts.Round, words)
		return f.actionRow(focused, f.th.Symbols.Ready, f.th.Success, words, f.enterKey(focused))
	}
	words := f.releaseContents(" skipped")
	if n := ansi.StringWidth(fmt.Sprintf("  * Start round %d with %s ctrl+s", f.opts.Round, words)); n > f.inner() {
		words = f.releaseContents("")
	}
	return row(words)
}

// enterKey names the key of a row while it has the focus.
func (f frame) enterKey(focused bool) string {
	if !focused {
		return ""
	}
	return "enter"
}

// releaseContents lists what the next round will get and what stays open.
func (f frame) releaseContents(skipped string) string {
	answers, unavailable, optional := 0, 0, 0
	for _, r := range f.session.Requests {
		a, ok := r.Undelivered()
		switch it := f.items[r.ID]; {
		case it.hasDraft():
		case ok && a.Outcome == ledger.Answered:
			answers++
		case ok:
			unavailable++
		case r.Open() && r.Priority == ledger.Optional:
			optional++
		}
	}
	var parts []string
	if answers > 0 {
		parts = append(parts, text.Count(answers, "answer"))
	}
	if unavailable > 0 {
		parts = append(parts, fmt.Sprintf("%d unavailable", unavailable))
	}
	if d := f.pendingDrafts(); len(d) > 0 {
		parts = append(parts, "your "+text.Plural(len(d), "draft")+" for "+draftList(d))
	}
	if len(parts) == 0 {
		parts = append(parts, "no new answers")
	}
	if optional > 0 {
		return strings.Join(parts, ", ") + fmt.Sprintf(" (%d optional%s)", optional, skipped)
	}
	return strings.Join(parts, ", ")
}

// blockedLine says what the next round waits for.
func (f frame) blockedLine(focused bool) string {
	open := f.session.Unanswered()
	var requests []string
	for _, r := range open {
		names := make([]string, 0, len(r.Askers()))
		for _, id := range r.Askers() {
			names = append(names, f.agentName(id))
		}
		if f.items[r.ID].hasDraft() {
			names = []string{"draft"}
		}
		requests = append(requests, fmt.Sprintf("%s (%s)", r.ID, strings.Join(names, ", ")))
	}
	words := fmt.Sprintf("Round %d is blocked, %d required left: %s", f.opts.Round, len(open), strings.Join(requests, ", "))
	return f.actionRow(focused, f.th.Symbols.Blocked, f.th.Warning, words, f.enterKey(focused))
}

// noteRows wraps a note behind its symbol.
func (f frame) noteRows(n note) []string {
	sign, style := " ", f.th.Text
	switch {
	case n.bad:
		sign, style = f.th.Symbols.Warning, f.th.Warning
	case n.good:
		sign, style = f.th.Symbols.Done, f.th.Success
	}
	var rows []string
	for i, l := range theme.Wrap(n.text, max(f.inner()-answerIndent, 8)) {
		lead := "  " + sign + " "
		if i > 0 {
			lead = strings.Repeat(" ", answerIndent)
		}
		rows = append(rows, style.Render(lead)+f.th.Text.Render(l))
	}
	return rows
}

// endRow draws the row that ends the debate.
func (f frame) endRow() string {
	unanswered := ""
	if open := f.session.Unanswered(); len(open) > 0 {
		names := make([]string, len(open))
		for i, r := range open {
			names[i] = r.ID
		}
		who := strings.Join(names, ", ")
		if len(open) > 3 {
			who = text.Count(len(open), "required request")
		}
		unanswered = who + text.Inflect(len(open), " stays", " stay") + " unanswered; "
	}
	words := "End now: " + unanswered + "the chair writes the verdict"
	if theme.Width(words) > f.inner()-12 { // the question that follows says it
		words = "End now: the chair writes the verdict"
	}
	return f.actionRow(f.focused.field == fieldEnd, f.th.Symbols.Missing, f.th.Muted, words, f.enterKey(f.focused.field == fieldEnd))
}
