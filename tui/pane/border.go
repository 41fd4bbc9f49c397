package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// renderCache holds the last drawing of the pane.
type renderCache struct {
	lastDrawn    time.Time
	dirty        bool
	layingOut    bool // the body is not all of the text yet
	relatedDirty bool // headers, footers and dividers may have changed too
	border       borderText
	rows         []string
	view         string
}

// borderText is the text of the border, which can change while the body stays the
// same.
type borderText struct{ title, state, hint, total string }

// invalidate requests a new drawing.
func (s *renderCache) invalidate() { s.dirty, s.relatedDirty = true, true }

// invalidateText requests a new drawing after a text has grown, which no other block
// depends on.
func (s *renderCache) invalidateText() { s.dirty = true }

// invalidateBorder requests a new border too, even if its text is the same.
func (s *renderCache) invalidateBorder() {
	s.rows = nil
	s.invalidate()
}

// draw redraws the rows that have changed: those of the border, and with body all
// others.
func (s *renderCache) draw(box theme.Box, th *theme.Theme, body bool, now borderText) {
	if len(s.rows) > 1 {
		if now.title == s.border.title && now.state == s.border.state {
			box.Top = s.rows[0]
		}
		if now.hint == s.border.hint && now.total == s.border.total {
			box.Bottom = s.rows[len(s.rows)-1]
		}
	}
	s.border, s.dirty = now, false
	if body || box.Height < 2 {
		s.rows = th.Box(box)
		return
	}
	last := box.Height - 1
	box.Height = 2
	border := th.Box(box)
	s.rows[0], s.rows[last] = border[0], border[1]
}

// maxDrawGap is the longest time between two drawings for which durations seen on the
// screen are reliable.
const maxDrawGap = 2 * time.Second

// title returns the seat's number, name, model and role. If room is short, the role is
// cut first, then the model, then the name; the state beside it stays.
func (f frame) title() []theme.Part {
	sep := " " + f.th.Symbols.Sep + " "
	model := sep + f.model
	if f.wide() && f.profile.Provider != "" {
		model += " (" + safeLine(f.profile.Provider) + ")"
	}
	parts := []theme.Part{
		{Text: fmt.Sprintf("%d %s", f.seat, f.name), Style: f.th.Seat(f.seat), Cut: 3},
		{Text: model, Style: f.th.Muted, Cut: 2},
	}
	if a := f.current(); a != nil && a.role != "" {
		parts = append(parts, theme.Part{Text: sep + a.role, Style: f.th.Muted, Cut: 1})
	}
	return parts
}

func borderPart(th *theme.Theme, text string) []theme.Part {
	if text == "" {
		return nil
	}
	return []theme.Part{{Text: text, Style: th.Muted}}
}

// figure is a number in the bottom border.
type figure struct {
	text string
	rank int // the highest rank is dropped first
}

// The ranks of the figures.
const (
	rankAttempt = iota
	rankSpeed
	rankRunning // tokens streamed so far
	rankCost
	rankTokens
)

// hint returns the left text of the bottom border: how many lines are below, and the
// keys that scroll.
func (p *Pane) hint() string {
	sep := " " + p.th.Symbols.Sep + " "
	switch {
	case p.layingOut:
		return "laying out" + p.th.Symbols.Cut
	case p.below == 0 && p.besideForm:
		return p.pageKeys()
	case p.below == 0:
		return ""
	case p.besideForm:
		return fmt.Sprintf("%d below", p.below) + sep + p.pageKeys()
	}
	words := fmt.Sprintf("%d below", p.below)
	if p.w >= 44 {
		words += sep + p.keys.Of("bottom") + " newest"
	}
	return words
}

// pageKeys names the keys that scroll a pane beside the form.
func (p *Pane) pageKeys() string {
	return p.keys.Of("asker-up") + " " + p.keys.Of("asker-down") + " scroll"
}

// total returns the right text of the bottom border: as many figures as fit, in a
// small pane at most two including the hint.
func (f frame) total() string {
	facts := f.figures(f.now)
	sep := " " + f.th.Symbols.Sep + " "
	hint := ansi.StringWidth(f.hint())
	for {
		n, words := len(facts), ""
		for i, x := range facts {
			if i > 0 {
				words += sep
			}
			words += x.text
		}
		if hint > 0 {
			n++
		}
		if n == 0 || ansi.StringWidth(words)+hint+9 <= f.w && (n <= 2 || !f.small()) || len(facts) == 0 {
			return words
		}
		lowest := 0
		for i, x := range facts {
			if x.rank > facts[lowest].rank {
				lowest = i
			}
		}
		facts = append(facts[:lowest], facts[lowest+1:]...)
	}
}

// figures returns the figures of the current attempt, in the order in which they are
// shown.
func (p *Pane) figures(now time.Time) []figure {
	a := p.current()
	if a == nil {
		return nil
	}
	var facts []figure
	stopped := a.state == debate.TurnCancelled || a.state == debate.TurnInterrupted // a failure says how often it was tried
	if a.turn.Attempt > 1 || stopped {
		facts = append(facts, figure{fmt.Sprintf("attempt %d", a.turn.Attempt), rankAttempt})
	}
	if a.state == debate.TurnRunning {
		facts = append(facts, figure{text.Tokens(p.count()), rankRunning})
		if n := p.speed(now); n > 0 {
			facts = append(facts, figure{fmt.Sprintf("%d tok/s", n), rankSpeed})
		}
		if isFree(p.profile) {
			facts = append(facts, figure{formatCost(p.profile, nil), rankCost})
		}
		return facts
	}
	used := a.usage.Output > 0 || !a.hasText()
	if used {
		words := text.Tokens(a.usage.Output)
		if a.usage.Estimated {
			words = "about " + words
		}
		facts = append(facts, figure{words, rankTokens})
	}
	if cost := formatCost(p.profile, a.cost); cost != "" && (a.usage.Input+a.usage.Output > 0 || !used) {
		facts = append(facts, figure{cost, rankCost})
	}
	return facts
}

// header is the line that begins a turn: its round and how it ended.
type header struct {
	static
	section *section
}

func (r header) draw(f frame) lazyLines {
	y, h := f.th.Symbols, f.th.Border.Horizontal
	words := fmt.Sprintf("round %d", r.section.turn.Round)
	if r.section.phase != "" {
		words += " " + y.Sep + " " + r.section.phase
	}
	lead, tail := h+h+" ", ""
	if ended, _ := r.outcome(f); ended != "" {
		tail = " " + y.Sep + " " + ended
	}
	if f.origin != "" && r.section.latest().inherited {
		tail += " " + y.Sep + " by " + f.origin
	}
	_, style := r.outcome(f)
	room := f.width - ansi.StringWidth(lead)
	words = ansi.Truncate(words, room, y.Cut)
	room -= ansi.StringWidth(words)
	tail = ansi.Truncate(tail, room, y.Cut)
	room -= ansi.StringWidth(tail)
	line := f.th.Line.Render(lead) + f.th.Muted.Render(words) + style.Render(tail)
	if room > 1 {
		line += f.th.Line.Render(" " + strings.Repeat(h, room-1))
	}
	return eagerLines(append([]string{line}, r.interjectionLines(f)...))
}

// divider separates an attempt from the failed one before it.
type divider struct {
	static
	attempt *attempt
}

func (s divider) draw(f frame) lazyLines {
	if len(s.attempt.blocks) == 0 && s.attempt.state == debate.TurnRunning {
		return eagerLines{}
	}
	h := f.th.Border.Horizontal
	words := ansi.Truncate(fmt.Sprintf("attempt %d", s.attempt.turn.Attempt), max(f.width-3, 0), f.th.Symbols.Cut)
	room := f.width - 4 - ansi.StringWidth(words)
	return eagerLines{f.th.Line.Render(h+h+" ") + f.th.Muted.Render(words) + f.th.Line.Render(" "+strings.Repeat(h, max(room, 0)))}
}

// outcome returns how the latest attempt ended; it is "" while the attempt runs.
func (r header) outcome(f frame) (string, lipgloss.Style) {
	y := f.th.Symbols
	a := r.section.latest()
	switch a.state {
	case debate.TurnDone:
		words := y.Done + " "
		if a.meta.standing != "" {
			words += a.meta.standing + " " + y.Sep + " "
		}
		if c := a.meta.confidence; c != nil {
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

// positionBlock shows the position that a statement takes.
type positionBlock struct {
	static
	text string
}

func (p positionBlock) draw(f frame) lazyLines {
	return eagerLines(f.labelled("Position  ", p.text, ""))
}

// sideChange says that the seat votes otherwise than before, and what changed its vote.
type sideChange struct {
	static
	section *section
}

func (c sideChange) draw(f frame) lazyLines {
	before, vote := f.lastVote(c.section)
	if vote == nil || vote.Arrow == "" {
		return eagerLines{}
	}
	y, arrow, style := f.th.Symbols, f.th.Symbols.Right, f.th.Warning
	if vote.Arrow == debate.ArrowModel {
		arrow, style = "≠", f.th.Muted
	}
	words := fmt.Sprintf("%s %s %s %s", y.Changed, voteWord(before), arrow, voteWord(*vote))
	if vote.By != "" && vote.By != "?" {
		words += ", by " + f.session.NameOf(agents.ID(vote.By))
	}
	return eagerLines(styleLines(wrapIndented(safeLine(words), f.width, "", "  "), style.Bold(true)))
}

// voteWord returns a readable vote as it is written, or its number.
func voteWord(v debate.SeatVote) string {
	if v.Value != nil {
		return strconv.FormatFloat(*v.Value, 'f', -1, 64)
	}
	return v.Label
}

// lastVote returns the seat's vote in the round of a section, if that is its last one in the
// round, and the readable vote before it.
func (f frame) lastVote(s *section) (before debate.SeatVote, vote *debate.SeatVote) {
	for i, o := range f.sections {
		if o == s && i+1 < len(f.sections) && f.sections[i+1].turn.Round == s.turn.Round {
			return before, nil
		}
	}
	for i, v := range f.votes {
		switch {
		case v.Round == s.turn.Round:
			return before, &f.votes[i]
		case v.State == debate.VoteRead || v.State == debate.VoteUndecided:
			before = v
		}
	}
	return before, nil
}

// footer is the end of a turn: that it waits, what went wrong, and what to do next.
type footer struct{ section *section }

// timeKey changes with the seconds of a countdown, with an age, and at the end of a wait.
func (e footer) timeKey(f frame) int64 {
	switch {
	case !e.isLatest(f):
		return 0
	case f.retry != nil:
		return int64(f.retry.state.Until.Sub(f.now).Seconds())
	case e.section.latest().waitUntil.After(f.now):
		return 1
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
	case state.Starting != "":
		words = "Starting " + state.Starting
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
	return f.symbolLines(symbol, fmt.Sprintf("%s %s. %s: cancel", words, text.Age(d), f.keys.Of("cancel-seat")), style)
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
		first += " Press " + f.keys.Of("answer") + " to answer."
	}
	lines := f.symbolLines(f.th.Symbols.Waits, first, f.th.Warning)
	if f.besideForm || f.h < 20 || f.rounds > 0 && e.section.turn.Round >= f.rounds {
		return lines
	}
	next := fmt.Sprintf("Round %d starts once every required question is answered.", e.section.turn.Round+1)
	return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Muted)...)
}

// retryLines say why the provider will be asked again, and when.
func (e footer) retryLines(f frame, r *retry) []string {
	next := text.Capitalize(r.state.Label(f.th, f.now)) + " " + f.th.Symbols.Sep + " " + f.keys.Of("cancel-seat") + ": cancel"
	cause := f.symbolLines(r.state.Symbol(f.th, f.spin), r.cause, f.th.Warning)
	return append(cause, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Text)...)
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
	next := strings.TrimSpace(a.failure.remedy + " Press " + f.keys.Of("cancel-seat") + " to retry " + f.name + ".")
	if a.failure.kind == agents.KindModel {
		next += " Between rounds, " + f.keys.Of("change-model") + " gives it another model."
	}
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
	switch {
	case a.state == debate.TurnInterrupted && a.waitUntil.After(f.now):
		next = fmt.Sprintf("Its provider asked to wait until %s. %s", text.TimeOfDay(f.now, a.waitUntil), next)
	case a.state == debate.TurnCancelled:
		next = "Press " + f.keys.Of("cancel-seat") + " to retry " + f.name + "."
	}
	return append(lines, styleLines(wrapIndented(next, f.width, "  ", "  "), f.th.Muted)...)
}

// symbolLines wraps text behind a symbol, in the style of the symbol.
func (f frame) symbolLines(symbol, words string, style lipgloss.Style) []string {
	return styleLines(wrapIndented(words, f.width, symbol+" ", "  "), style)
}
