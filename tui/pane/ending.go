package pane

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// headingLines draw the line that begins a turn, its round and how it ended, and what the seat
// was told with the round below the first one.
func (f frame) headingLines(b *block) []string {
	y, h, a := f.th.Symbols, f.th.Border.Horizontal, b.Attempt
	words := fmt.Sprintf("round %d", a.Turn.Round)
	if a.Phase != "" {
		words += " " + y.Sep + " " + safeLine(a.Phase)
	}
	lead, tail := h+h+" ", ""
	ended, style := f.outcome(a)
	if ended != "" {
		tail = " " + y.Sep + " " + ended
	}
	room := f.width - ansi.StringWidth(lead)
	words = ansi.Truncate(words, room, y.Cut)
	room -= ansi.StringWidth(words)
	tail = ansi.Truncate(tail, room, y.Cut)
	room -= ansi.StringWidth(tail)
	line := f.th.Line.Render(lead) + f.th.Muted.Render(words) + style.Render(tail)
	if room > 1 {
		line += f.th.Line.Render(" " + strings.Repeat(h, room-1))
	}
	return append([]string{line}, f.toldLines(b)...)
}

// toldLines draw what the seat was told with a round, below the heading of its first turn in it.
func (f frame) toldLines(b *block) []string {
	if first := f.blocks[max(f.roundStart(b.Turn.Round), 0)]; first.BlockID != b.BlockID {
		return nil
	}
	var lines []string
	for _, said := range f.seat.Told(b.Turn.Round) {
		lines = append(lines, f.labelled(safeLine(said.Label)+"  ", safeLine(said.Text), "")...)
	}
	if lines != nil {
		lines = append(lines, "") // separates the user's words from the seat's
	}
	return lines
}

// dividerLines draw the line between an attempt and the failed one before it.
func (f frame) dividerLines(b *block) []string {
	if b.Attempt.State == debate.TurnRunning && b.Attempt.Empty() {
		return nil
	}
	h := f.th.Border.Horizontal
	words := ansi.Truncate(fmt.Sprintf("attempt %d", b.Turn.Attempt), max(f.width-3, 0), f.th.Symbols.Cut)
	room := f.width - 4 - ansi.StringWidth(words)
	return []string{f.th.Line.Render(h+h+" ") + f.th.Muted.Render(words) + f.th.Line.Render(" "+strings.Repeat(h, max(room, 0)))}
}

// outcome returns how an attempt ended; it is "" while it runs.
func (f frame) outcome(a *control.Attempt) (string, lipgloss.Style) {
	y := f.th.Symbols
	switch a.State {
	case debate.TurnDone:
		words := y.Done + " "
		if standing := f.seat.Standing(a); standing != "" {
			words += safeLine(standing) + " " + y.Sep + " "
		}
		if c := a.Statement.Confidence; c != nil {
			words += text.Percent(*c)
		} else {
			words += "confidence not stated"
		}
		return words, f.th.Muted
	case debate.TurnFailed:
		return y.Failed + " failed", f.th.Danger
	case debate.TurnCancelled:
		return y.Missing + " cancelled", f.th.Muted
	case debate.TurnInterrupted:
		return y.Interrupted + " interrupted", f.th.Muted
	case debate.TurnRunning:
	}
	return "", f.th.Muted
}

// sideLines say that the seat votes otherwise than before, and what changed its vote.
func (f frame) sideLines(b *block) []string {
	before, vote, changed := f.seat.Change(b.Attempt)
	if !changed {
		return nil
	}
	y, arrow, style := f.th.Symbols, f.th.Symbols.Right, f.th.Warning
	if vote.Arrow == debate.ArrowModel {
		arrow, style = "≠", f.th.Muted
	}
	words := fmt.Sprintf("%s %s %s %s", y.Changed, VoteWord(before), arrow, VoteWord(vote))
	if vote.By != "" && vote.By != "?" {
		words += ", by " + vote.By
	}
	return styleLines(wrapIndented(safeLine(words), f.width, "", "  "), style.Bold(true))
}

// VoteWord returns a readable vote as it is written, or its number.
func VoteWord(v debate.SeatVote) string {
	if v.Value != nil {
		return strconv.FormatFloat(*v.Value, 'f', -1, 64)
	}
	return v.Label
}

// endingTime changes with the seconds of a countdown, and at the end of a wait.
func (f frame) endingTime(b *block) int64 {
	if !f.seat.IsLatest(b.Attempt) {
		return 0
	}
	st := f.seat.State()
	switch {
	case !st.Until.IsZero():
		return int64(st.Until.Sub(f.now).Seconds())
	case b.Attempt.WaitUntil.After(f.now):
		return 1
	case st.Waited(f.now) > 0:
		return int64(f.spin)<<32 + int64(st.Waited(f.now).Seconds())
	}
	return 0
}

// endingLines draw the end of a turn: what it waits for, what went wrong, what to do next.
func (f frame) endingLines(b *block) []string {
	switch a := b.Attempt; a.State {
	case debate.TurnRunning:
		if f.seat.IsLatest(a) {
			return f.waitLines()
		}
	case debate.TurnDone:
		return f.doneLines(a)
	case debate.TurnFailed:
		return f.failedLines(a)
	case debate.TurnCancelled:
		return f.stoppedLines(a, f.th.Symbols.Missing, "Cancelled")
	case debate.TurnInterrupted:
		return f.stoppedLines(a, f.th.Symbols.Interrupted, "Cut off")
	}
	return nil
}

// waitLines say why the provider will be asked again and when, or that the model has not
// answered for some time.
func (f frame) waitLines() []string {
	st, cancel := f.seat.State(), f.keys.Of("cancel-seat")+": cancel"
	if st.Kind == control.SeatRetrying || st.Kind == control.SeatPaused {
		next := text.Capitalize(Label(st, f.now)) + " " + f.th.Symbols.Sep + " " + cancel
		lines := f.symbolLines(Symbol(st, f.th, f.spin), safeLine(st.Cause), f.th.Warning)
		return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Text)...)
	}
	d := st.Waited(f.now)
	if d == 0 {
		return nil
	}
	words := "Waiting for a first token"
	switch {
	case st.Kind == control.SeatWriting:
		words = "Silent"
	case st.Starting != "":
		words = "Starting " + st.Starting
	case st.Budget:
		words = "Waiting for other calls to free budget"
	case st.Whole:
		words = "Answers all at once"
	}
	style := f.th.Muted
	if st.Silence(f.now) > 0 {
		style = f.th.Warning
	}
	return f.symbolLines(busy(f.th, f.spin), fmt.Sprintf("%s %s. %s", words, text.Age(d), cancel), style)
}

// doneLines say what is to be noted of a statement, and what the seat still waits for.
func (f frame) doneLines(a *control.Attempt) []string {
	var lines []string
	if a.Warning != "" {
		lines = append(lines, f.symbolLines(f.th.Symbols.Warning, a.Warning, f.th.Warning)...)
	}
	if notes := a.Notes; notes != "" {
		lines = append(lines, styleLines(wrapIndented(notes, f.width, "Note: ", "  "), f.th.Muted)...)
	}
	open := f.seat.Awaits()
	if len(open) == 0 || !f.seat.IsLatest(a) {
		return lines
	}
	said := fmt.Sprintf("%s %s waiting for you.", strings.Join(ledger.IDs(open), ", "), text.Inflect(len(open), "is", "are"))
	if !f.besideForm && f.seat.TakesAnswers() {
		said += " Press " + f.keys.Of("answer") + " to answer."
	}
	return append(lines, f.symbolLines(f.th.Symbols.Waits, said, f.th.Warning)...)
}

// failedLines say what went wrong and what to do.
func (f frame) failedLines(a *control.Attempt) []string {
	first := fmt.Sprintf("No answer in round %d.", a.Turn.Round)
	if a.HasText() {
		first += " Partial text is kept but not used."
	}
	lines := f.symbolLines(f.th.Symbols.Failed, first, f.th.Danger)
	if a.Failure == nil {
		return lines
	}
	cause := safeLine(a.Failure.Cause)
	if a.Failure.Tries > 1 {
		cause += fmt.Sprintf(" Tried %d times in %s.", a.Failure.Tries, text.Duration(a.Ended.Sub(a.Began)))
	}
	lines = append(append(lines, ""), f.labelled("Cause  ", cause, "  ")...)
	if !f.seat.IsLatest(a) {
		return lines
	}
	next := strings.TrimSpace(safeLine(a.Failure.Remedy) + " Press " + f.keys.Of("retry") + " to retry " + f.name() + ".")
	if a.Failure.Kind == agents.KindModel {
		next += " Between rounds, " + f.keys.Of("change-model") + " gives it another model."
	}
	return append(append(lines, ""), f.labelled("Next   ", next, "  ")...)
}

// stoppedLines say that a turn was cancelled or interrupted.
func (f frame) stoppedLines(a *control.Attempt, symbol, how string) []string {
	if !a.Ended.IsZero() {
		how += " at " + a.Ended.In(f.now.Location()).Format("15:04")
	}
	how += "."
	if a.HasText() {
		how += " Its text is kept but not used."
	}
	lines := f.symbolLines(symbol, how, f.th.Warning)
	if !f.seat.IsLatest(a) {
		return lines
	}
	next := fmt.Sprintf("%s will be retried as attempt %d.", f.name(), a.Turn.Attempt+1)
	switch {
	case a.State == debate.TurnInterrupted && a.WaitUntil.After(f.now):
		next = fmt.Sprintf("Its provider asked to wait until %s. %s", text.TimeOfDay(f.now, a.WaitUntil), next)
	case a.State == debate.TurnCancelled, !f.seat.Due():
		next = "Press " + f.keys.Of("retry") + " to retry " + f.name() + "."
	}
	return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Muted)...)
}

// safeLine makes foreign text safe for one line and cuts it to 1,000 characters.
func safeLine(s string) string { return text.Clip(text.Line(s), 1000) }
