package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/debate"
)


// ending is what stands below a turn: that it waits, what went wrong, and what to
// do next.
type ending struct{ section *section }

// stamp moves a countdown and an age.
func (e ending) stamp(f frame) int64 {
	switch {
	case !e.newest(f):
		return 0
	case f.retry != nil:
		return int64(f.retry.until.Sub(f.now).Seconds())
	case e.silent(f) > 0:
		return int64(f.spin)<<32 + int64(e.silent(f).Seconds())
	case len(f.owed()) > 0:
		return ageStamp(f.now.Sub(f.owed()[0].asked))
	}
	return 0
}

// newest reports whether the turn is the seat's part in the newest round.
func (e ending) newest(f frame) bool {
	return e.section.newest() == f.current() && e.section.key.Round >= f.round
}

func (e ending) draw(f frame) sheet { return rows(e.lines(f)) }

func (e ending) lines(f frame) []string {
	a := e.section.newest()
	switch a.state {
	case debate.TurnRunning:
		if e.newest(f) && f.retry != nil {
			return e.retrying(f, f.retry)
		}
		if d := e.silent(f); d > 0 {
			symbol := f.th.Symbols.Busy[uint(f.spin)%uint(len(f.th.Symbols.Busy))]
			return note(f, symbol, fmt.Sprintf("Waiting for the model, %s. x stops it.", age(d)), f.th.Muted)
		}
	case debate.TurnDone:
		var lines []string
		if a.finish != "" {
			lines = note(f, f.th.Symbols.Warning, a.finish, f.th.Warning)
		}
		lines = append(lines, e.passedOver(f, a)...)
		if e.newest(f) {
			lines = append(lines, e.waiting(f)...)
		}
		return lines
	case debate.TurnFailed:
		return e.failed(f, a)
	case debate.TurnCancelled:
		return e.cut(f, a, f.th.Symbols.Missing+" Cancelled")
	case debate.TurnInterrupted:
		return e.cut(f, a, f.th.Symbols.Interrupted+" Cut off")
	}
	return nil
}

// patience is how long a model may be silent before the text says so, too.
const patience = 3 * time.Second

// silent returns how long the model has been asked without a word, once that is
// worth a line.
func (e ending) silent(f frame) time.Duration {
	a := f.live
	if a == nil || a.spoke || f.retry != nil || f.using > 0 || a.asked.IsZero() || !e.newest(f) {
		return 0
	}
	if d := f.now.Sub(a.asked); d >= patience {
		return d
	}
	return 0
}

// waiting says that the user owes this seat an answer.
func (e ending) waiting(f frame) []string {
	owed := f.owed()
	if len(owed) == 0 {
		return nil
	}
	ids := make([]string, len(owed))
	for i, q := range owed {
		ids[i] = q.id
	}
	verb := " waits for you, "
	if len(ids) > 1 {
		verb = " wait for you, "
	}
	first := strings.Join(ids, ", ") + verb + age(f.now.Sub(owed[0].asked)) + "."
	if !f.beside {
		first += " c answers it."
	}
	lines := note(f, f.th.Symbols.Waits, first, f.th.Warning)
	if f.beside || f.h < 20 || f.rounds > 0 && e.section.key.Round >= f.rounds {
		return lines
	}
	next := fmt.Sprintf("Round %d starts when no required request is open.", e.section.key.Round+1)
	return append(lines, paint(hang(next, f.width, "  ", "  "), f.th.Muted)...)
}

// retrying says why the provider is asked again, and when.
func (e ending) retrying(f frame, r *retry) []string {
	symbol := f.th.Symbols.Retry
	if r.paused {
		symbol = f.th.Symbols.Paused
	}
	words := []rune(f.State().Words(f.th, f.now))
	next := strings.ToUpper(string(words[:1])) + string(words[1:]) + " " + f.th.Symbols.Sep + " x stops it"
	return append(note(f, symbol, r.cause, f.th.Warning), paint(hang(next, f.width, "  ", "  "), f.th.Text)...)
}

// failed says what went wrong and what to do.
func (e ending) failed(f frame, a *attempt) []string {
	first := fmt.Sprintf("No answer in round %d.", a.turn.Round)
	if a.partial() {
		first += " What came is kept, not used."
	}
	lines := note(f, f.th.Symbols.Failed, first, f.th.Danger)
	if a.failure == nil {
		return lines
	}
	cause := a.failure.cause
	if a.failure.tries > 1 {
		cause += fmt.Sprintf(" Tried %d times in %s.", a.failure.tries, took(a.ended.Sub(a.began)))
	}
	lines = append(append(lines, ""), label(f, "Cause  ", cause, "  ")...)
	if !e.newest(f) {
		return lines
	}
	next := "x runs " + f.name + " again."
	if a.failure.remedy != "" {
		next = a.failure.remedy + " Then " + next
	}
	if f.running {
		next += " The other seats go on."
	}
	lines = append(append(lines, ""), label(f, "Next   ", next, "  ")...)
	if f.running {
		last := "Without it the round ends one seat short, and the verdict says so."
		lines = append(append(lines, ""), paint(hang(last, f.width, "  ", "  "), f.th.Muted)...)
	}
	return lines
}

// cut says that a turn was broken off.
func (e ending) cut(f frame, a *attempt, first string) []string {
	if !a.ended.IsZero() {
		first += " at " + a.ended.In(f.now.Location()).Format("15:04")
	}
	first += "."
	if a.partial() {
		first += " Kept, not used."
	}
	symbol, words, _ := strings.Cut(first, " ")
	lines := note(f, symbol, words, f.th.Warning)
	if !e.newest(f) {
		return lines
	}
	next := fmt.Sprintf("%s runs again as attempt %d.", f.name, a.turn.Attempt+1)
	if a.state == debate.TurnCancelled {
		next = "x runs " + f.name + " again."
	}
	return append(lines, paint(hang(next, f.width, "  ", "  "), f.th.Muted)...)
}

// note draws a sign and what it says, in the colour of the sign.
func note(f frame, symbol, words string, style lipgloss.Style) []string {
	return paint(hang(words, f.width, symbol+" ", "  "), style)
}
