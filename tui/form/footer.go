package form

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// leastForEnd is the height under which the end is only drawn while it has the
// focus: the answer needs the row.
const leastForEnd = 16

// footer draws what stands below the list and never scrolls: a rule, what a
// release would hand over, what went wrong, and the end.
func (f *Form) footer() []string {
	rows := []string{""} // the rule, which counts what is hidden above it
	rows = append(rows, f.release())
	for _, n := range f.notes {
		rows = append(rows, f.note(n)...)
	}
	if f.gate() && (f.h >= leastForEnd || f.at.field == theEnd) {
		rows = append(rows, f.end()...)
	}
	if !f.Compact() && f.opts.GoesTo != "" {
		rows = append(rows, "", f.row([]theme.Part{{Text: "  goes to: " + f.opts.GoesTo, Style: f.th.Muted, Cut: 1}}, ""))
	}
	return rows
}

// rule draws the line above the footer; where the list is longer than its room
// it says how many requests are hidden, in part at least.
func (f *Form) rule(p page, room int) string {
	h := f.th.Border.Horizontal
	above, below := 0, 0
	for _, it := range p.items {
		switch {
		case it.from < f.view.offset:
			above++
		case it.to > f.view.offset+room:
			below++
		}
	}
	words := f.th.OutOfSight(above, below)
	if words == "" {
		return f.th.Line.Render(strings.Repeat(h, f.inner()))
	}
	text := " " + words + " "
	rest := max(f.inner()-2-ansi.StringWidth(text), 0)
	return f.th.Line.Render(h+h) + f.th.Muted.Render(text) + f.th.Line.Render(strings.Repeat(h, rest))
}

// release draws the row that says exactly what would go.
func (f *Form) release() string {
	focused, y := f.at.field == theRelease, f.th.Symbols
	sign, style := y.Queued, f.th.Muted
	switch {
	case f.saved:
		sign, style = y.Done, f.th.Success
	case f.gate() && len(f.blocking(f.drafts())) > 0:
		return f.blocked(focused)
	case f.gate():
		return f.ready(focused)
	}
	words := "No later round: answers are kept, and used if you add rounds."
	if f.opts.Running {
		words = fmt.Sprintf("Round %d can start when round %d has ended.", f.opts.Round, f.opts.Round-1)
	}
	right := ""
	if f.saved {
		words = "Saved. " + words
	} else if len(f.drafts()) > 0 {
		right = "ctrl+s saves"
	}
	return f.line(focused, sign, style, words, right)
}

// ready says what the release would hand over, in the longest words that fit.
func (f *Form) ready(focused bool) string {
	row := func(words string) string {
		return f.line(focused, f.th.Symbols.Ready, f.th.Success, fmt.Sprintf("Release round %d: %s", f.opts.Round, words), "ctrl+s")
	}
	words := f.parcel(" open")
	if n := ansi.StringWidth(fmt.Sprintf("  * Release round %d: %s ctrl+s", f.opts.Round, words)); n > f.inner() {
		words = f.parcel("")
	}
	return row(words)
}

// parcel lists what goes with the release and what stays.
func (f *Form) parcel(open string) string {
	answers, unavailable, optional := 0, 0, 0
	for _, r := range f.session.Requests {
		a, ok := r.Undelivered()
		switch it := f.items[r.ID]; {
		case it.draft():
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
		parts = append(parts, plural(answers, "answer"))
	}
	if unavailable > 0 {
		parts = append(parts, fmt.Sprintf("%d unavailable", unavailable))
	}
	if d := f.drafts(); len(d) > 0 {
		parts = append(parts, marked(d)+" from your "+strings.TrimPrefix(plural(len(d), "draft"), fmt.Sprintf("%d ", len(d))))
	}
	if len(parts) == 0 {
		parts = append(parts, "no new answer")
	}
	if optional > 0 {
		parts = append(parts, fmt.Sprintf("%d optional left%s", optional, open))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// blocked says what the release waits for.
func (f *Form) blocked(focused bool) string {
	open := f.blocking(f.drafts())
	var who []string
	for _, it := range open {
		names := make([]string, 0, len(it.Askers()))
		for _, id := range it.Askers() {
			names = append(names, f.called(id))
		}
		who = append(who, fmt.Sprintf("%s (%s)", it.ID, strings.Join(names, ", ")))
	}
	words := fmt.Sprintf("Release round %d: blocked, %d required left: %s", f.opts.Round, len(open), strings.Join(who, ", "))
	return f.line(focused, f.th.Symbols.Blocked, f.th.Warning, words, "ctrl+s goes to it")
}

// note draws what there is to say, with its sign.
func (f *Form) note(n note) []string {
	sign, style := " ", f.th.Text
	if n.bad {
		sign, style = f.th.Symbols.Warning, f.th.Warning
	}
	var rows []string
	for i, l := range strings.Split(ansi.Wrap(n.text, max(f.inner()-answerIndent, 8), ""), "\n") {
		lead := "  " + sign + " "
		if i > 0 {
			lead = strings.Repeat(" ", answerIndent)
		}
		rows = append(rows, style.Render(lead)+f.th.Text.Render(l))
	}
	return rows
}

// end draws the row that ends the debate, or asks whether it is meant.
func (f *Form) end() []string {
	stays, exported := "", ""
	if open := f.session.Unanswered(); len(open) > 0 {
		names := make([]string, len(open))
		for i, r := range open {
			names[i] = r.ID
		}
		who, verb, are := strings.Join(names, ", "), "stay", "are"
		if len(open) == 1 {
			verb, are = "stays", "is"
		} else if len(open) > 3 {
			who = plural(len(open), "required request")
		}
		stays = fmt.Sprintf("%s %s unanswered, ", who, verb)
		exported = fmt.Sprintf("%s %s unanswered and %s exported so; ", who, verb, are)
	}
	if f.confirm {
		question := note{text: "End now? " + exported + "the chair concludes.", bad: true}
		return append(f.note(question), f.note(note{text: "enter ends " + f.th.Symbols.Sep + " esc stays"})...)
	}
	words := "End now with what is there: "
	if f.Compact() {
		words = "End now: "
	}
	return []string{f.line(f.at.field == theEnd, f.th.Symbols.Missing, f.th.Muted, words+stays+"the chair concludes", "enter")}
}
