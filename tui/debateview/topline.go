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
	"roundtable/debate/report"
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
func (sc *Screen) topLine(f screen.Frame, below bool) (left, right []theme.Part) {
	v, th, w := sc.sessionView, sc.th, sc.w
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
	state := sc.roundState(words, f.Spin, f.Now)
	right = append(right, v.votesParts(th, w-partsWidth(state)-1-min(partsWidth(left), leastTitle)-partsWidth(right))...)
	return left, append(right, state...)
}

const leastTitle = 16

// roundState says which round it is and how far it is. Words is when its words are cut.
func (sc *Screen) roundState(words, spin int, now time.Time) []theme.Part {
	th := sc.th
	if sc.Phase() == control.PhaseNeedsUser && !sc.Form.IsOpen() && sc.ReadOnly == "" { // the form says it
		return []theme.Part{{Text: report.Waits(sc.Session()), Style: th.Warning}, {Text: " "}}
	}
	round := fmt.Sprintf("round %d of %d", len(sc.Session().History), sc.Session().Rounds)
	parts := []theme.Part{{Text: round, Style: th.Muted}}
	sep := theme.Part{Text: " " + th.Symbols.Sep + " ", Style: th.Faint, Cut: words, Whole: true}
	if counts := sc.seatCounts(th, now); len(counts) > 0 {
		counts[0].Text = strings.TrimPrefix(counts[0].Text, ", ")
		parts = append(append(parts, sep), counts...)
	}
	for _, p := range sc.barrier(spin, now) {
		p.Cut = words
		parts = append(parts, sep, p)
	}
	return append(parts, theme.Part{Text: " "})
}

// seatCounts counts the seats by what they do; none while somebody else is at work, or the debate
// waits.
func (v *sessionView) seatCounts(th *theme.Theme, now time.Time) []theme.Part {
	if phase := v.Phase(); phase != control.PhaseRound && phase != control.PhaseRoundOpen && phase != control.PhaseFailed {
		return nil
	}
	n, style := map[string]int{}, map[string]lipgloss.Style{}
	for _, p := range v.panes {
		st := p.Seat().State()
		word := pane.Label(st, now)
		switch {
		case st.Kind == control.SeatIdle:
			word = "queued"
		case st.Kind == control.SeatWaiting:
			word = "waiting"
		case st.Kind == control.SeatWriting && st.Silence(now) > 0:
			word = "silent"
		case st.Kind == control.SeatTool:
			word = "writing"
		case st.Kind == control.SeatDeciding:
			word = "needs you"
		case st.Kind == control.SeatRetrying:
			word = "retrying"
		case st.Kind == control.SeatPaused:
			word = "paused"
		case st.Kind == control.SeatDone:
			word = "done"
		}
		n[word], style[word] = n[word]+1, pane.Style(st, th, now)
	}
	var parts []theme.Part
	for _, w := range strings.Split("done,queued,waiting,writing,needs you,silent,retrying,paused,failed,cancelled,interrupted", ",") {
		if n[w] > 0 {
			parts = append(parts, theme.Part{Text: fmt.Sprintf(", %d %s", n[w], w), Style: style[w]})
		}
	}
	return parts
}

func (sc *Screen) barrier(spin int, now time.Time) []theme.Part {
	v, th := sc.sessionView, sc.th
	y, busy, phase := th.Symbols, th.Symbols.Busy[spin%4], v.Phase()
	part := func(symbol, words string, style lipgloss.Style) []theme.Part {
		return []theme.Part{{Text: symbol + " " + words, Style: style}}
	}
	if v.ReadOnly != "" {
		why := text.Line(strings.TrimPrefix(v.ReadOnly, "it is "))
		if sc.w >= screen.Wide {
			why = "read-only: " + why
		}
		return part(y.Paused, why, th.Warning)
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
	case control.PhaseNeedsUser: // the form or the row of the question says it
		return nil
	case control.PhaseReady: // so does the form
		if sc.Form.IsOpen() {
			return nil
		}
		return part(y.Waits, debate.StateReady.Word(), th.Warning)
	case control.PhaseRoundOpen:
		return part(y.Waits, debate.StateRoundOpen.Word(), th.Warning)
	case control.PhaseFailed:
		return part(y.Failed, debate.StateFailed.Word(), th.Danger)
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
// no room for words, as symbols. It returns where each begins, too.
func (v *sessionView) chips(th *theme.Theme, focus, w int, now time.Time, spin int) (row string, at []int) {
	for _, c := range []chipStyle{{gap: 6, words: true}, {gap: 3, words: true}, {gap: 3}, {gap: 1}, {gap: 1, short: true}} {
		if row, at = v.chipRow(th, focus, c, now, spin); ansi.StringWidth(row) <= w {
			break
		}
	}
	return th.Fit(row, w), at
}

type chipStyle struct {
	gap   int
	words bool
	short bool // no names
}

// chipRow draws the row in a style, and returns where each seat begins in it.
func (v *sessionView) chipRow(th *theme.Theme, focus int, c chipStyle, now time.Time, spin int) (string, []int) {
	var row strings.Builder
	var at []int
	row.WriteString(" ")
	for i, p := range v.panes {
		if i > 0 {
			row.WriteString(strings.Repeat(" ", c.gap-1))
		}
		at = append(at, ansi.StringWidth(row.String()))
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
	return row.String(), at
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

const sideWidth = 10

// votesParts returns the name of each seat with its vote in the newest round with votes, if they
// fit, or else how many hold each side, or nothing.
func (v *sessionView) votesParts(th *theme.Theme, room int) []theme.Part {
	votes := v.Counted().Votes
	if len(votes) == 0 {
		return nil
	}
	newest := slices.MaxFunc(votes, func(a, b debate.SeatVote) int { return a.Round - b.Round }).Round
	var named, counted []theme.Part
	var labels []string
	count := map[string]int{}
	for _, vote := range votes {
		if vote.Round != newest {
			continue
		}
		word, style := v.voteWord(th, vote)
		name := ansi.Truncate(text.Line(v.Session().NameOf(vote.Seat)), sideWidth, th.Symbols.Cut)
		named = append(named, theme.Part{Text: name + " ", Style: th.Muted}, theme.Part{Text: word + "  ", Style: style})
		if vote.State != debate.VoteRead && vote.State != debate.VoteUndecided {
			continue
		}
		if count[word]++; count[word] == 1 {
			labels, counted = append(labels, word), append(counted, theme.Part{Style: style})
		}
	}
	if len(counted) == 0 {
		return nil
	}
	for i, label := range labels {
		counted[i].Text = fmt.Sprintf("%s %d  ", label, count[label])
	}
	for _, parts := range [][]theme.Part{named, counted} {
		if partsWidth(parts) < room {
			return append(parts, theme.Part{Text: " "})
		}
	}
	return nil
}

func (v *sessionView) voteWord(th *theme.Theme, vote debate.SeatVote) (word string, style lipgloss.Style) {
	switch vote.State {
	case debate.VoteUnreadable:
		return "?", th.Muted
	case debate.VoteUndecided:
		return string(debate.VoteUndecided), th.Muted
	case debate.VoteRead:
		label := vote.Label
		if vote.Value != nil {
			label = strconv.FormatFloat(*vote.Value, 'f', -1, 64)
		}
		return ansi.Truncate(text.Line(label), sideWidth, th.Symbols.Cut), screen.SideStyle(th, vote.Side, v.Counted().Result)
	case debate.VoteNone:
	}
	if v.Running() && v.Chair() == "" && vote.Round == len(v.Session().History) {
		return th.Symbols.Cut, th.Muted
	}
	return th.Symbols.Missing, th.Muted
}

func partsWidth(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}
