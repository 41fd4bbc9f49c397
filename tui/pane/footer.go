package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/internal/text"
)

// footer stands below a turn: that it waits, what went wrong, and what to do next.
type footer struct{ section *section }

// timeKey changes with the seconds of a countdown and with an age.
func (e footer) timeKey(f frame) int64 {
	switch {
	case !e.isLatest(f):
		return 0
	case f.retry != nil:
		return int64(f.retry.until.Sub(f.now).Seconds())
	case e.waited(f) > 0:
		return int64(f.spin)<<32 + int64(e.waited(f).Seconds())
	case len(f.openRequests()) > 0:
		return ageKey(f.now.Sub(f.openRequests()[0].askedAt))
	}
	return 0
}

// isLatest reports whether the turn is the seat's newest, in the newest round.
func (e footer) isLatest(f frame) bool {
	return e.section.latest() == f.current() && e.section.turn.Round >= f.round
}

func (e footer) draw(f frame) lazyLines { return eagerLines(e.lines(f)) }

// lines returns the lines for the state of the latest attempt.
func (e footer) lines(f frame) []string {
	a := e.section.latest()
	switch a.state {
	case debate.TurnRunning:
		if e.isLatest(f) && f.retry != nil {
			return e.retryLines(f, f.retry)
		}
		if d := e.waited(f); d > 0 {
			return e.waitLines(f, d)
		}
	case debate.TurnDone:
		var lines []string
		if a.finishNote != "" {
			lines = f.symbolLines(f.th.Symbols.Warning, a.finishNote, f.th.Warning)
		}
		lines = append(lines, e.unaddressedLines(f, a)...)
		if notes := a.allNotes(f.known); notes != "" {
			lines = append(lines, styleLines(wrapIndented(notes, f.width, "Note: ", "  "), f.th.Muted)...)
		}
		if e.isLatest(f) {
			lines = append(lines, e.openRequestLines(f)...)
		}
		return lines
	case debate.TurnFailed:
		return e.failedLines(f, a)
	case debate.TurnCancelled:
		return e.stoppedLines(f, a, f.th.Symbols.Missing+" Cancelled")
	case debate.TurnInterrupted:
		return e.stoppedLines(f, a, f.th.Symbols.Interrupted+" Cut off")
	}
	return nil
}

// waitThreshold is how long a model may be silent before the footer mentions it.
const waitThreshold = 3 * time.Second

// waited returns how long the model has not answered: since it was asked, or since its
// last piece if that is longer than it may be. It is 0 while there is nothing to say.
func (e footer) waited(f frame) time.Duration {
	a := f.live
	if a == nil || f.retry != nil || f.runningTools > 0 || !e.isLatest(f) {
		return 0
	}
	if a.responding {
		return f.State().Silence(f.now)
	}
	if d := f.now.Sub(a.askedAt); !a.askedAt.IsZero() && d >= waitThreshold {
		return d
	}
	return 0
}

// waitLines say that the model has not answered for some time.
func (e footer) waitLines(f frame, d time.Duration) []string {
	state, words := f.State(), "Waiting for a first token"
	switch {
	case f.live.responding:
		words = "Silent"
	case state.Budget:
		words = "Waiting for other calls to free budget"
	case state.Whole:
		words = "Answers all at once"
	}
	style := f.th.Muted
	if state.Silence(f.now) > 0 {
		style = f.th.Warning
	}
	symbol := f.th.Symbols.Busy[uint(f.spin)%uint(len(f.th.Symbols.Busy))]
	return f.symbolLines(symbol, fmt.Sprintf("%s %s. x: cancel", words, text.Age(d)), style)
}

// openRequestLines say which requests of the seat the user still has to answer.
func (e footer) openRequestLines(f frame) []string {
	open := f.openRequests()
	if len(open) == 0 {
		return nil
	}
	ids := make([]string, len(open))
	for i, q := range open {
		ids[i] = q.id
	}
	verb := " is waiting for you ("
	if len(ids) > 1 {
		verb = " are waiting for you ("
	}
	first := strings.Join(ids, ", ") + verb + text.Age(f.now.Sub(open[0].askedAt)) + ")."
	if !f.besideForm {
		first += " Press c to answer."
	}
	lines := f.symbolLines(f.th.Symbols.Waits, first, f.th.Warning)
	if f.besideForm || f.h < 20 || f.rounds > 0 && e.section.turn.Round >= f.rounds {
		return lines
	}
	next := fmt.Sprintf("Round %d starts once every required request is answered.", e.section.turn.Round+1)
	return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Muted)...)
}

// retryLines say why the provider will be asked again, and when.
func (e footer) retryLines(f frame, r *retry) []string {
	symbol := f.th.Symbols.Retry
	if r.paused {
		symbol = f.th.Symbols.Paused
	}
	words := []rune(f.State().Label(f.th, f.now))
	next := strings.ToUpper(string(words[:1])) + string(words[1:]) + " " + f.th.Symbols.Sep + " x: cancel"
	return append(f.symbolLines(symbol, r.cause, f.th.Warning), styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Text)...)
}

// failedLines say what went wrong and what to do.
func (e footer) failedLines(f frame, a *attempt) []string {
	first := fmt.Sprintf("No answer in round %d.", a.turn.Round)
	if a.hasText() {
		first += " Partial text is kept but not used."
	}
	lines := f.symbolLines(f.th.Symbols.Failed, first, f.th.Danger)
	if a.failure == nil {
		return lines
	}
	cause := a.failure.cause
	if a.failure.tries > 1 {
		cause += fmt.Sprintf(" Tried %d times in %s.", a.failure.tries, text.Duration(a.ended.Sub(a.began)))
	}
	lines = append(append(lines, ""), f.labelled("Cause  ", cause, "  ")...)
	if !e.isLatest(f) {
		return lines
	}
	next := strings.TrimSpace(a.failure.remedy + " Press x to retry " + f.name + ".")
	if f.running {
		next += " The other seats continue."
	}
	lines = append(append(lines, ""), f.labelled("Next   ", next, "  ")...)
	if f.running {
		last := fmt.Sprintf("Otherwise the verdict says that %s did not answer.", f.name)
		lines = append(append(lines, ""), styleLines(wrapIndented(last, f.width, "  ", "  "), f.th.Muted)...)
	}
	return lines
}

// stoppedLines say that a turn was cancelled or interrupted.
func (e footer) stoppedLines(f frame, a *attempt, first string) []string {
	if !a.ended.IsZero() {
		first += " at " + a.ended.In(f.now.Location()).Format("15:04")
	}
	first += "."
	if a.hasText() {
		first += " Its text is kept but not used."
	}
	symbol, words, _ := strings.Cut(first, " ")
	lines := f.symbolLines(symbol, words, f.th.Warning)
	if !e.isLatest(f) {
		return lines
	}
	next := fmt.Sprintf("%s will be retried as attempt %d.", f.name, a.turn.Attempt+1)
	if a.state == debate.TurnCancelled {
		next = "Press x to retry " + f.name + "."
	}
	return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Muted)...)
}

// symbolLines wraps text behind a symbol, in the style of the symbol.
func (f frame) symbolLines(symbol, words string, style lipgloss.Style) []string {
	return styleLines(wrapIndented(words, f.width, symbol+" ", "  "), style)
}
