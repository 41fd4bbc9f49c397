package pane

import (
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui/theme"
)


// screen is what was drawn last.
type screen struct {
	seen  time.Time // when
	dirty bool
	loose bool // what depends on more than its own block may say something else
	edge  edge
	rows  []string
	drawn string
}

// edge is what can change in the border while the text stands still.
type edge struct{ title, state, hint, total string }

// touch asks for a new drawing.
func (s *screen) touch() { s.dirty, s.loose = true, true }

// grow asks for a new drawing after a text has grown, which no other block tells of.
func (s *screen) grow() { s.dirty = true }

// reframe says that the border is another one, whatever stands in it.
func (s *screen) reframe() {
	s.rows = nil
	s.touch()
}

// paint draws the rows anew that have changed: those of the border, and with the
// body the others.
func (s *screen) paint(box theme.Box, th *theme.Theme, body bool, now edge) {
	if len(s.rows) > 1 {
		if now.title == s.edge.title && now.state == s.edge.state {
			box.Top = s.rows[0]
		}
		if now.hint == s.edge.hint && now.total == s.edge.total {
			box.Bottom = s.rows[len(s.rows)-1]
		}
	}
	s.edge, s.dirty = now, false
	if body || box.Height < 2 {
		s.rows = th.Box(box)
		return
	}
	last := box.Height - 1
	box.Height = 2
	border := th.Box(box)
	s.rows[0], s.rows[last] = border[0], border[1]
}

// unseen is how long a pane may go without being drawn before what it saw begin
// and end is no measure of time any more.
const unseen = 2 * time.Second

// tick takes the time of a drawing.
func (p *Pane) tick(now time.Time) {
	a := p.current()
	if a != nil && (a.state == debate.TurnRunning || !a.timed) {
		for _, b := range a.blocks {
			if t, ok := b.content.(*thought); ok {
				t.tick(now, now.Sub(p.seen) > unseen)
			}
		}
		a.timed = a.state != debate.TurnRunning
		p.sample(now)
	}
	p.seen = now
}

// title returns number, name, model and role: the role is cut first, the name before
// the state.
func (p *Pane) title(f frame) []theme.Part {
	sep := " " + p.th.Symbols.Sep + " "
	model := sep + p.model
	if f.wide() && p.profile.Provider != "" {
		model += " (" + line(p.profile.Provider) + ")"
	}
	parts := []theme.Part{
		{Text: fmt.Sprintf("%d %s", p.seat, p.name), Style: p.th.Seat(p.seat), Cut: 3},
		{Text: model, Style: p.th.Muted, Cut: 2},
	}
	if a := p.current(); a != nil && a.role != "" {
		parts = append(parts, theme.Part{Text: sep + a.role, Style: p.th.Muted, Cut: 1})
	}
	return parts
}

// words returns a text of the border as a part.
func (p *Pane) words(text string) []theme.Part {
	if text == "" {
		return nil
	}
	return []theme.Part{{Text: text, Style: p.th.Muted}}
}

// fact is a figure in the bottom border.
type fact struct {
	words string
	rank  int // the highest goes first where room is short
}

// The ranks of the facts.
const (
	rankAttempt = iota
	rankSpeed
	rankRunning // tokens of text that still comes
	rankCost
	rankTokens
)

// hint is what stands at the left of the bottom border.
func (p *Pane) hint() string {
	sep := " " + p.th.Symbols.Sep + " "
	switch {
	case p.below == 0 && p.beside:
		return "pgup pgdn scroll"
	case p.below == 0:
		return ""
	case p.beside:
		return fmt.Sprintf("%d below", p.below) + sep + "pgup pgdn scroll"
	}
	words := fmt.Sprintf("%d below", p.below)
	if p.w >= 44 {
		words += sep + "G newest"
	}
	return words
}

// total is what stands at the right of the bottom border: as many figures as
// there is room for, in a small pane no more than two with the hint.
func (p *Pane) total(f frame) string {
	facts := p.facts(f.now)
	sep := " " + p.th.Symbols.Sep + " "
	hint := ansi.StringWidth(p.hint())
	for {
		n, words := len(facts), ""
		for i, x := range facts {
			if i > 0 {
				words += sep
			}
			words += x.words
		}
		if hint > 0 {
			n++
		}
		if n == 0 || ansi.StringWidth(words)+hint+9 <= p.w && (n <= 2 || !f.small()) || len(facts) == 0 {
			return words
		}
		worst := 0
		for i, x := range facts {
			if x.rank > facts[worst].rank {
				worst = i
			}
		}
		facts = append(facts[:worst], facts[worst+1:]...)
	}
}

// facts are the figures of the newest attempt, in the order in which they stand.
func (p *Pane) facts(now time.Time) []fact {
	a := p.current()
	if a == nil {
		return nil
	}
	var facts []fact
	over := a.state != debate.TurnRunning && a.state != debate.TurnDone
	if a.turn.Attempt > 1 || over {
		facts = append(facts, fact{fmt.Sprintf("attempt %d", a.turn.Attempt), rankAttempt})
	}
	if a.state == debate.TurnRunning {
		facts = append(facts, fact{tokens(p.counted()), rankRunning})
		if n := p.speed(now); n > 0 {
			facts = append(facts, fact{fmt.Sprintf("%d tok/s", n), rankSpeed})
		}
		if free(p.profile) {
			facts = append(facts, fact{price(p.profile, nil), rankCost})
		}
		return facts
	}
	used := a.usage.Output > 0 || !a.partial()
	if used {
		words := tokens(a.usage.Output)
		if a.usage.Estimated {
			words = "about " + words
		}
		facts = append(facts, fact{words, rankTokens})
	}
	if a.usage.Input+a.usage.Output > 0 || !used {
		facts = append(facts, fact{price(p.profile, a.cost), rankCost})
	}
	return facts
}
