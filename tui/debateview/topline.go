package debateview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func (v *sessionView) title() string {
	if v.Session().ForkedFrom != "" {
		return "Fork: " + text.Line(v.Session().Name())
	}
	return text.Line(v.Session().Name())
}

// topLine names the session and its round, and says how far the round is and what a
// fork inherited. A topic that is shown below is not shown in it too.
func (v *sessionView) topLine(th *theme.Theme, w int, f screen.Frame, below bool) (left, right []theme.Part) {
	title := v.title()
	if below && v.Session().Title == "" {
		title = strings.TrimSuffix(strings.TrimSuffix(title, text.Line(v.Session().Topic)), ": ")
	}
	left = []theme.Part{{Text: " " + title, Style: th.Text, Cut: 2}}
	words := 3 // where it is narrow a word goes before the topic
	if w < 60 {
		words = 1
	}
	if w >= screen.Wide {
		left = []theme.Part{{Text: " Roundtable   ", Style: th.Accent}, {Text: title, Style: th.Text, Cut: 2}}
		right = []theme.Part{{Text: text.Line(v.Session().Mode.Name) + "   ", Style: th.Muted, Cut: 1, Whole: true}}
	}
	if took := budget.InheritedSpending(v.Session()); took.Calls > 0 {
		used := text.UsedTokens(took.Usage.Total(), took.Usage.Estimated)
		right = append(right, theme.Part{Text: "inherited " + used + "   ", Style: th.Faint, Cut: 1, Whole: true})
	}
	state := v.roundState(th, words, f.Spin, f.Now)
	least := leastTitle
	if w >= screen.Wide {
		least = leastWideTitle
	}
	room := w - partsWidth(state) - 1 - min(partsWidth(left), least)
	return left, slices.Concat(right, v.seatStrip(th, room), state)
}

// How many cells the title keeps next to the sides: Q shows all of it.
const (
	leastTitle     = 8
	leastWideTitle = 40 // with the program's name
)

// roundState says which round it is and how far it is. Words is when its words are cut.
func (v *sessionView) roundState(th *theme.Theme, words, spin int, now time.Time) []theme.Part {
	round := fmt.Sprintf("round %d of %d", len(v.Session().History), v.Session().Rounds)
	parts := []theme.Part{{Text: round, Style: th.Muted}}
	if counts := v.seatCounts(now); counts != "" {
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " " + counts, Style: th.Muted, Cut: words, Whole: true})
	}
	for _, p := range v.barrier(th, spin, now) {
		p.Cut = words
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " ", Style: th.Faint, Cut: words, Whole: true}, p)
	}
	return append(parts, theme.Part{Text: " "})
}

// seatCounts counts the seats by what they do while a round runs, or those that failed in it; "" if
// there is nothing to count.
func (v *sessionView) seatCounts(now time.Time) string {
	names := []string{"done", "queued", "writing", "silent", "retrying", "waiting", "failed", "cancelled"}
	n := map[string]int{}
	for _, p := range v.panes {
		st := p.Seat().State()
		name := ""
		switch {
		case st.Kind == control.SeatWriting && st.Silence(now) > 0:
			name = "silent"
		case st.Kind == control.SeatQueued && (st.Budget || st.Starting != ""), st.Kind == control.SeatPaused:
			name = "waiting"
		case st.Kind == control.SeatRetrying:
			name = "retrying"
		case st.Busy():
			name = "writing"
		case st.Kind == control.SeatFailed:
			name = "failed"
		case st.Kind == control.SeatCancelled:
			name = "cancelled"
		case st.Kind == control.SeatQueued && v.Running():
			name = "queued"
		case st.Kind == control.SeatDone && v.Phase() == control.PhaseRound:
			name = "done"
		}
		n[name]++
	}
	var words []string
	for _, name := range names {
		if n[name] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[name], name))
		}
	}
	return strings.Join(words, ", ")
}

// barrier says what the debate does besides its seats, or waits for.
func (v *sessionView) barrier(th *theme.Theme, spin int, now time.Time) []theme.Part {
	y, busy, phase := th.Symbols, th.Symbols.Busy[spin%4], v.Phase()
	part := func(symbol, words string, style lipgloss.Style) []theme.Part {
		return []theme.Part{{Text: symbol + " " + words, Style: style}}
	}
	if v.ReadOnly != "" {
		return part(y.Paused, "read-only", th.Warning)
	}
	switch phase {
	case control.PhaseDelayed:
		ev, _ := v.Retrying()
		st, who := control.RetryState(ev), cmp.Or(v.Chair(), v.Answering())
		return part(pane.Symbol(st, th, spin), text.Line(who)+" must wait, "+pane.Label(st, now), pane.Style(st, th, now))
	case control.PhaseConcluding:
		return part(busy, text.Line(v.Chair())+" is writing the verdict", th.Text)
	case control.PhaseAssisting:
		return part(busy, v.Activity(), th.Text)
	case control.PhaseAnswering, control.PhaseOver, control.PhaseDrafted:
		return []theme.Part{{Text: v.Session().State(false).Word(), Style: th.Muted}}
	case control.PhaseNeedsUser:
		return part(y.Waits, debate.StateWaiting.Word(), th.Warning)
	case control.PhaseRoundOpen:
		return part(y.Waits, debate.StateRoundOpen.Word(), th.Warning)
	case control.PhaseFailed:
		return part(y.Failed, debate.StateFailed.Word(), th.Danger)
	case control.PhaseReady: // the form has the row that starts the round
		return part(y.Waits, debate.StateReady.Word(), th.Warning)
	case control.PhasePaused:
		return part(y.Paused, "paused", th.Warning)
	case control.PhaseRound:
	}
	switch {
	case v.EndsAfterRound():
		return part(y.Blocked, "then ends", th.Warning)
	case v.Paused() && v.Asks(): // that comes first, paused or not
		return part(y.Waits, "then waits for you", th.Warning)
	case v.Paused():
		return part(y.Paused, "then pauses", th.Warning)
	}
	return nil
}

// chips shows all seats in one row: with their states in words, or, if there is
// no room for words, as symbols.
func (v *sessionView) chips(th *theme.Theme, focus, w int, now time.Time, spin int) string {
	for _, c := range []chipStyle{{gap: 6, words: true}, {gap: 3, words: true}, {gap: 3}, {gap: 1}, {gap: 1, short: true}} {
		if row := v.chipRow(th, focus, c, now, spin); ansi.StringWidth(row) <= w {
			return th.Fit(row, w)
		}
	}
	return th.Fit(v.chipRow(th, focus, chipStyle{gap: 1, short: true}, now, spin), w)
}

type chipStyle struct {
	gap   int
	words bool
	short bool // no names
}

func (v *sessionView) chipRow(th *theme.Theme, focus int, c chipStyle, now time.Time, spin int) string {
	var row strings.Builder
	row.WriteString(" ")
	for i, p := range v.panes {
		if i > 0 {
			row.WriteString(strings.Repeat(" ", c.gap-1))
		}
		mark, name := " ", fmt.Sprint(p.Number())
		if i == focus {
			mark = th.Symbols.Focus
		}
		if !c.short {
			name += " " + ansi.Truncate(text.Line(p.Seat().Profile().Name), 10, th.Symbols.Cut)
		}
		state := p.Seat().State()
		row.WriteString(th.Accent.Render(mark) + th.Seat(p.Number()).Render(name) + " ")
		if marks := v.marks(th, i); marks != "" && state.Kind == control.SeatDone {
			row.WriteString(th.Warning.Render(marks))
		} else {
			row.WriteString(pane.Style(state, th, now).Render(pane.Symbol(state, th, spin)) + th.Warning.Render(marks))
		}
		if c.words {
			row.WriteString(pane.Style(state, th, now).Render(" " + pane.Label(state, now)))
		}
	}
	return row.String()
}

// marks returns the symbols of what a seat did that matters to the others: it asks the user,
// or has changed sides in the last round.
func (v *sessionView) marks(th *theme.Theme, seat int) string {
	marks, id := "", v.Session().Seats[seat].ID
	if len(v.panes[seat].Seat().Awaits()) > 0 {
		marks = th.Symbols.Required
	}
	for _, vote := range v.Counted().Votes {
		if vote.Seat == id && vote.Arrow == debate.ArrowMoved && vote.Round == len(v.Session().History) {
			marks += th.Symbols.Changed
		}
	}
	return marks
}

// sideWidth is how much of a side the top line shows, and nameWidth of a seat's name.
const (
	sideWidth = 10
	nameWidth = 10
)

// seatStrip returns the seats with their votes in the newest round that has some, in at most room
// cells; else how many votes each side has, or nothing.
func (v *sessionView) seatStrip(th *theme.Theme, room int) []theme.Part {
	votes, round := v.Counted().Votes, 0
	for _, vote := range votes {
		round = max(round, vote.Round)
	}
	var strip []theme.Part
	sides, n := []string(nil), map[string]int{}
	for _, vote := range votes {
		if vote.Round != round {
			continue
		}
		name := ansi.Truncate(v.nameOf(vote.Seat), nameWidth, th.Symbols.Cut)
		side, style := v.voteOf(th, vote)
		strip = append(strip, theme.Part{Text: name + " ", Style: th.Muted}, theme.Part{Text: side, Style: style}, theme.Part{Text: "  "})
		if vote.State == debate.VoteRead {
			side = strings.TrimPrefix(side, th.Symbols.Changed)
			if n[side]++; n[side] == 1 {
				sides = append(sides, side)
			}
		}
	}
	if partsWidth(strip) < room {
		return append(strip, theme.Part{Text: " "})
	}
	for i, side := range sides {
		sides[i] = fmt.Sprintf("%s %d", side, n[side])
	}
	count := theme.Part{Text: strings.Join(sides, ", ") + "   ", Style: th.Text}
	if theme.Width(count.Text) > room {
		return nil
	}
	return []theme.Part{count}
}

// voteOf words a vote. One that differs from the seat's vote before is marked.
func (v *sessionView) voteOf(th *theme.Theme, vote debate.SeatVote) (words string, style lipgloss.Style) {
	words, style = th.Symbols.Missing, th.Muted
	switch vote.State {
	case debate.VoteNone:
		if v.Running() && v.Chair() == "" && vote.Round == len(v.Session().History) {
			words = th.Symbols.Cut
		}
	case debate.VoteUnreadable:
		words = "?"
	case debate.VoteUndecided:
		words = string(debate.VoteUndecided)
	case debate.VoteRead:
		words = vote.Label
		if vote.Value != nil {
			words = strconv.FormatFloat(*vote.Value, 'f', -1, 64)
		}
		words = ansi.Truncate(text.Line(words), sideWidth, th.Symbols.Cut)
		style = screen.SideStyle(th, vote.Side, v.Counted().Result)
	}
	if vote.Arrow != "" {
		words, style = th.Symbols.Changed+words, style.Bold(true)
	}
	return words, style
}

func partsWidth(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}
