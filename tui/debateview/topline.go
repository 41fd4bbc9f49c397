package debateview

import (
	"cmp"
	"fmt"
	"slices"
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

func (sc *Screen) title() string {
	if sc.Session().ForkedFrom != "" {
		return "Fork: " + text.Line(sc.Session().Name())
	}
	return text.Line(sc.Session().Name())
}

// topLine names the session and its round, and says how far the round is and what a
// fork inherited. A topic that is shown below is not shown in it too.
func (sc *Screen) topLine(f screen.Frame, below bool) (left, right []theme.Part) {
	th, w := sc.th, sc.w
	title := sc.title()
	if below && sc.Session().Title == "" {
		title = strings.TrimSuffix(strings.TrimSuffix(title, text.Line(sc.Session().Topic)), ": ")
	}
	left = []theme.Part{{Text: " " + title, Style: th.Text, Cut: 2}}
	words := 3 // where it is narrow a word goes before the topic
	if w < 60 {
		words = 1
	}
	if w >= screen.Wide {
		left = []theme.Part{{Text: " Roundtable   ", Style: th.Accent}, {Text: title, Style: th.Text, Cut: 2}}
		right = []theme.Part{{Text: text.Line(sc.Session().Mode.Name) + "   ", Style: th.Muted, Cut: 1, Whole: true}}
	}
	if took := budget.InheritedSpending(sc.Session()); took.Calls > 0 {
		used := text.UsedTokens(took.Usage.Total(), took.Usage.Estimated)
		right = append(right, theme.Part{Text: "inherited " + used + "   ", Style: th.Faint, Cut: 1, Whole: true})
	}
	state := sc.roundState(words, f.Spin, f.Now)
	right = append(right, sc.votesParts(w-theme.Length(state)-1-min(theme.Length(left), leastTitle)-theme.Length(right))...)
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
	if counts := sc.seatCounts(now); len(counts) > 0 {
		counts[0].Text = strings.TrimPrefix(counts[0].Text, ", ")
		between := sep
		between.Cut = 0 // or the figures beside it would be one
		parts = append(append(parts, between), counts...)
	}
	for _, p := range sc.barrier(spin, now) {
		p.Cut = words
		parts = append(parts, sep, p)
	}
	return append(parts, theme.Part{Text: " "})
}

// seatCounts counts the seats by what they do; none while somebody else is at work, or the debate
// waits.
func (sc *Screen) seatCounts(now time.Time) []theme.Part {
	if phase := sc.Phase(); phase != control.PhaseRound && phase != control.PhaseRoundOpen && phase != control.PhaseFailed {
		return nil
	}
	words := map[control.SeatKind]string{
		control.SeatIdle: "queued", control.SeatQueued: "queued", control.SeatWaiting: "waiting", control.SeatWriting: "writing",
		control.SeatTool: "writing", control.SeatDeciding: "needs you", control.SeatRetrying: "retrying", control.SeatPaused: "paused",
		control.SeatDone: "done", control.SeatFailed: "failed", control.SeatCancelled: "cancelled", control.SeatInterrupted: "interrupted",
	}
	n, style := map[string]int{}, map[string]lipgloss.Style{}
	for _, p := range sc.panes {
		st := p.Seat().State()
		word := words[st.Kind]
		if st.Kind == control.SeatWriting && st.Silence(now) > 0 {
			word = "silent"
		}
		n[word], style[word] = n[word]+1, pane.Style(st, sc.th, now)
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
	th := sc.th
	y, busy, phase := th.Symbols, th.Symbols.Busy[spin%4], sc.Phase()
	part := func(symbol, words string, style lipgloss.Style) []theme.Part {
		return []theme.Part{{Text: symbol + " " + words, Style: style}}
	}
	if sc.ReadOnly != "" {
		why := text.Line(strings.TrimPrefix(sc.ReadOnly, "it is "))
		if sc.w >= screen.Wide {
			why = "read-only: " + why
		}
		return part(y.Paused, why, th.Warning)
	}
	switch phase {
	case control.PhaseDelayed:
		ev, _ := sc.Retrying()
		st, who := control.RetryState(ev), cmp.Or(sc.Chair(), sc.Answering())
		return part(pane.Symbol(st, th, spin), text.Line(who)+" must wait, "+pane.Label(st, now), pane.Style(st, th, now))
	case control.PhaseConcluding:
		return part(busy, text.Line(sc.Chair())+" is writing the verdict", th.Text)
	case control.PhaseAssisting:
		return part(busy, sc.Activity(), th.Text)
	case control.PhaseAnswering, control.PhaseOver, control.PhaseDrafted:
		return []theme.Part{{Text: sc.Session().State(false).Word(), Style: th.Muted}}
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
	case sc.EndsAfterRound():
		return part(y.Blocked, "then ends", th.Warning)
	case sc.Paused() && sc.Asks(): // that comes first, paused or not
		return part(y.Waits, "then waits for you", th.Warning)
	case sc.Paused():
		return part(y.Paused, "then pauses", th.Warning)
	}
	return nil
}

// chips shows all seats in one row: with their states in words, or, if there is
// no room for words, as symbols. It returns where each begins, too.
func (sc *Screen) chips(now time.Time, spin int) (row string, at []int) {
	for _, c := range []chipStyle{{gap: 6, words: true}, {gap: 3, words: true}, {gap: 3}, {gap: 1}, {gap: 1, short: true}} {
		if row, at = sc.chipRow(c, now, spin); ansi.StringWidth(row) <= sc.w {
			break
		}
	}
	return sc.th.Fit(row, sc.w), at
}

type chipStyle struct {
	gap   int
	words bool
	short bool // no names
}

// chipRow draws the row in a style, and returns where each seat begins in it.
func (sc *Screen) chipRow(c chipStyle, now time.Time, spin int) (string, []int) {
	th := sc.th
	var row strings.Builder
	var at []int
	row.WriteString(" ")
	for i, p := range sc.panes {
		if i > 0 {
			row.WriteString(strings.Repeat(" ", c.gap-1))
		}
		at = append(at, ansi.StringWidth(row.String()))
		mark, name := " ", fmt.Sprint(p.Number())
		if i == sc.view.focus {
			mark = th.Symbols.Focus
		}
		if !c.short {
			name += " " + ansi.Truncate(text.Line(p.Seat().Profile().Name), 10, th.Symbols.Cut)
		}
		state := p.Seat().State()
		row.WriteString(th.Accent.Render(mark) + th.Seat(p.Number()).Render(name) + " ")
		if marks := sc.marks(i); marks != "" && state.Kind == control.SeatDone {
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
func (sc *Screen) marks(seat int) string {
	marks, id := "", sc.Session().Seats[seat].ID
	if len(sc.panes[seat].Seat().Awaits()) > 0 {
		marks = sc.th.Symbols.Required
	}
	for _, vote := range sc.Counted().Votes {
		if vote.Seat == id && vote.Arrow == debate.ArrowMoved && vote.Round == len(sc.Session().History) {
			marks += sc.th.Symbols.Changed
		}
	}
	return marks
}

const sideWidth = 10

// votesParts returns the name of each seat with its vote in the newest round with votes, if they
// fit, or else how many hold each side, or nothing.
func (sc *Screen) votesParts(room int) []theme.Part {
	votes := sc.Counted().Votes
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
		word, style := sc.voteWord(vote)
		name := ansi.Truncate(text.Line(sc.Session().NameOf(vote.Seat)), sideWidth, sc.th.Symbols.Cut)
		named = append(named, theme.Part{Text: name + " ", Style: sc.th.Muted}, theme.Part{Text: word + "  ", Style: style})
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
		if theme.Length(parts) < room {
			return append(parts, theme.Part{Text: " "})
		}
	}
	return nil
}

func (sc *Screen) voteWord(vote debate.SeatVote) (word string, style lipgloss.Style) {
	switch vote.State {
	case debate.VoteUnreadable:
		return "?", sc.th.Muted
	case debate.VoteUndecided:
		return string(debate.VoteUndecided), sc.th.Muted
	case debate.VoteRead:
		label := ansi.Truncate(text.Line(pane.VoteWord(vote)), sideWidth, sc.th.Symbols.Cut)
		return label, screen.SideStyle(sc.th, vote.Side, sc.Counted().Result)
	case debate.VoteNone:
	}
	if sc.Running() && sc.Chair() == "" && vote.Round == len(sc.Session().History) {
		return sc.th.Symbols.Cut, sc.th.Muted
	}
	return sc.th.Symbols.Missing, sc.th.Muted
}
