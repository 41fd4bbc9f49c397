package debateview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// openRound returns why the newest round stays open until the user decides; nil if it
// does not.
func (v *sessionView) openRound() *debate.RoundFailedError {
	switch {
	case v.failed != nil:
		return v.failed
	case v.Running(), v.roundNotSaved():
		return nil
	}
	return debate.OpenRound(v.session)
}

// openRoundText says how many seats answered, why the others did not, and what to do.
func (v *sessionView) openRoundText(open *debate.RoundFailedError) []string {
	lines := []string{text.Capitalize(open.Summary()) + "."}
	if !open.CanGoOn() {
		lines[0] += " Press x to retry; nothing is lost."
	}
	for _, c := range open.Causes {
		who := c.Name // the light model's
		if _, n := v.session.Seat(c.Agent); n > 0 {
			who = fmt.Sprintf("%d %s", n, c.Name)
		}
		lines = append(lines, fmt.Sprintf("%-12s %s", who, c.Cause))
	}
	if open.CanGoOn() {
		them := text.Inflect(len(open.Causes), "it", "them")
		lines = append(lines, retryKeys(v, open)+". space: go on without "+them+"; the verdict says so.")
	}
	return lines
}

// retryKeys says how to ask those again who did not answer an open round: x alone does
// nothing where the seat in focus has answered.
func retryKeys(v *sessionView, open *debate.RoundFailedError) string {
	if len(open.Causes) == 1 {
		if p, n := v.session.Seat(open.Causes[0].Agent); n > 0 {
			return fmt.Sprintf("%d then x: retry %s", n, text.Line(p.Name))
		}
	}
	return "x: retry a failed seat"
}

// tellOpenRound says in a notice that a round stays open, and which keys help.
func tellOpenRound(v *sessionView, open *debate.RoundFailedError) screen.Outcome {
	what := text.Capitalize(text.Line(open.Summary())) + "."
	if open.CanGoOn() {
		return screen.Advise(screen.Error, what, retryKeys(v, open)+" · space: go on")
	}
	return screen.Advise(screen.Error, what+" Nothing is lost.", "x: retry")
}
