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
	room, named := w-partsWidth(state)-1, partsWidth(left)
	right = append(right, v.votesParts(th, room-min(named, leastTitle), room-partsWidth(right)-named)...)
	return left, append(right, state...)
}

// leastTitle is how many cells the title keeps next to the sides: Q shows all of it.
const leastTitle = 8

// roundState says which round it is and how far it is. Words is when its words are cut.
func (v *sessionView) roundState(th *theme.Theme, words, spin int, now time.Time) []theme.Part {
	round := fmt.Sprintf("round %d/%d", len(v.Session().History), v.Session().Rounds)
	parts := []theme.Part{{Text: round, Style: th.Muted}}
	parts = append(parts, v.seatCounts(th, now)...)
	for _, p := range v.barrier(th, spin, now) {
		p.Cut = words
		parts = append(parts, theme.Part{Text: " " + th.Symbols.Sep + " ", Style: th.Faint, Cut: words, Whole: true}, p)
	}
	return append(parts, theme.Part{Text: " "})
}

// seatCounts counts the seats by what they do, each state by its symbol; none while somebody
// else is at work, or nobody is any more.
func (v *sessionView) seatCounts(th *theme.Theme, now time.Time) []theme.Part {
	phase, y := v.Phase(), th.Symbols
	if phase != control.PhaseRound && phase < control.PhaseNeedsUser {
		return nil
	}
	n := map[string]int{}
	for _, p := range v.panes {
		st := p.Seat().State()
		switch {
		case st.Kind == control.SeatWriting && st.Silence(now) > 0:
			n[y.Warning]++
		case st.Kind == control.SeatQueued && (st.Budget || st.Starting != ""), st.Busy():
			n[y.Busy[0]]++
		case v.Running() || st.Kind == control.SeatDone || st.Kind == control.SeatFailed || st.Kind == control.SeatCancelled:
			n[pane.Symbol(st, th, 0)]++
		}
	}
	var parts []theme.Part
	for _, c := range []struct {
		symbol string
		style  lipgloss.Style
	}{
		{y.Done, th.Success},
		{y.Queued, th.Muted},
		{y.Busy[0], th.Text},
		{y.Waits, th.Warning},
		{y.Warning, th.Warning},
		{y.Retry, th.Warning},
		{y.Paused, th.Warning},
		{y.Failed, th.Danger},
		{y.Missing, th.Muted},
	} {
		if n[c.symbol] > 0 {
			parts = append(parts, theme.Part{Text: fmt.Sprintf(" %s%d", c.symbol, n[c.symbol]), Style: c.style})
		}
	}
	return parts
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

// sideWidth is how much of a side the top line shows.
const sideWidth = 10

// sidesGap separates the sides from the state of the round.
const sidesGap = "   "

// votesParts returns the votes of the last two rounds with votes, if they take no more than
// enough cells. Else it returns those of the last round, or nothing if they take more than room.
func (v *sessionView) votesParts(th *theme.Theme, room, enough int) []theme.Part {
	var rounds []int
	for _, vote := range v.Counted().Votes {
		if !slices.Contains(rounds, vote.Round) {
			rounds = append(rounds, vote.Round)
		}
	}
	n := len(rounds)
	if n == 0 {
		return nil
	}
	name := func(round int) theme.Part { return theme.Part{Text: fmt.Sprintf("R%d ", round), Style: th.Faint} }
	now := v.roundParts(th, rounds[n-1])
	long := slices.Concat([]theme.Part{name(rounds[n-1])}, now)
	if n > 1 {
		arrow := theme.Part{Text: " " + th.Symbols.Right + " ", Style: th.Faint}
		long = slices.Concat([]theme.Part{name(rounds[n-2])}, v.roundParts(th, rounds[n-2]), []theme.Part{arrow}, long)
	}
	gap := theme.Part{Text: sidesGap}
	if parts := append(long, gap); partsWidth(parts) <= enough {
		return parts
	}
	if parts := append(now, gap); partsWidth(parts) <= room {
		return parts
	}
	return nil
}

// roundParts returns the vote of each seat in a round. One that differs from the one before is
// marked.
func (v *sessionView) roundParts(th *theme.Theme, round int) []theme.Part {
	var parts []theme.Part
	for _, vote := range v.Counted().Votes {
		if vote.Round != round {
			continue
		}
		p := theme.Part{Text: th.Symbols.Missing, Style: th.Muted}
		switch vote.State {
		case debate.VoteNone:
			if v.Running() && v.Chair() == "" && round == len(v.Session().History) {
				p.Text = th.Symbols.Queued
			}
		case debate.VoteUnreadable:
			p.Text = "?"
		case debate.VoteUndecided:
			p.Text = string(debate.VoteUndecided)
		case debate.VoteRead:
			label := vote.Label
			if vote.Value != nil {
				label = strconv.FormatFloat(*vote.Value, 'f', -1, 64)
			}
			p.Text = ansi.Truncate(text.Line(label), sideWidth, th.Symbols.Cut)
			p.Style = screen.SideStyle(th, vote.Side, v.Counted().Result)
		}
		if vote.Arrow != "" {
			p.Text, p.Style = th.Symbols.Changed+p.Text, p.Style.Bold(true)
		}
		if len(parts) > 0 {
			p.Text = " " + p.Text
		}
		parts = append(parts, p)
	}
	return parts
}

func partsWidth(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}
