package pane

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// renderCache holds the last drawing of the pane.
type renderCache struct {
	lastDrawn time.Time
	dirty     bool
	layingOut bool // the body is not all of the text yet
	body      []string
	border    borderText
	view      string
}

// borderText is the text of the border, which can change while the body stays the
// same.
type borderText struct{ title, state, hint, total string }

// invalidate requests a new drawing.
func (s *renderCache) invalidate() { s.dirty = true }

// title returns the seat's number, name, model and role. If room is short, the role is
// cut first, then the model, then the name; the state beside it stays.
func (f frame) title() []theme.Part {
	sep, profile := " "+f.th.Symbols.Sep+" ", f.seat.Profile()
	model := sep + safeLine(profile.ModelName())
	if next := f.seat.NextModel(); next != "" {
		model += " " + f.th.Symbols.Right + " " + safeLine(next)
	}
	if f.wide() && profile.Provider != "" {
		model += " (" + safeLine(profile.Provider) + ")"
	}
	parts := []theme.Part{
		{Text: fmt.Sprintf("%d %s", f.number, f.name()), Style: f.th.Seat(f.number), Cut: 3},
		{Text: model, Style: f.th.Muted, Cut: 2},
	}
	if a := f.seat.Latest(); a != nil && a.Role != "" {
		parts = append(parts, theme.Part{Text: sep + safeLine(a.Role), Style: f.th.Muted, Cut: 1})
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

// hint returns the left text of the bottom border: what is hidden, and the keys that scroll.
func (p *Pane) hint() string {
	if p.layingOut {
		return "laying out" + p.th.Symbols.Cut
	}
	var words []string
	if p.above && p.w >= 74 {
		words = append(words, "more above")
	}
	if p.below > 0 {
		words = append(words, fmt.Sprintf("%d below", p.below))
	}
	switch {
	case p.besideForm:
		words = append(words, p.keys.Of("asker-up")+" "+p.keys.Of("asker-down")+" scroll") // beside the form
	case p.below > 0 && p.w >= 44:
		words = append(words, p.keys.Of("bottom")+" newest")
	}
	return strings.Join(words, " "+p.th.Symbols.Sep+" ")
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

// figures returns the figures of the latest attempt, in the order in which they are shown.
func (p *Pane) figures(now time.Time) []figure {
	a, profile := p.seat.Latest(), p.seat.Profile()
	if a == nil {
		return nil
	}
	var facts []figure
	stopped := a.State == debate.TurnCancelled || a.State == debate.TurnInterrupted // a failure says how often it was tried
	if a.Turn.Attempt > 1 || stopped {
		facts = append(facts, figure{fmt.Sprintf("attempt %d", a.Turn.Attempt), rankAttempt})
	}
	if a.State == debate.TurnRunning {
		tokens, n := p.seat.Progress(now)
		if facts = append(facts, figure{text.Tokens(tokens), rankRunning}); n > 0 {
			facts = append(facts, figure{fmt.Sprintf("%d tok/s", n), rankSpeed})
		}
		if isFree(profile) {
			facts = append(facts, figure{formatCost(profile, nil), rankCost})
		}
		return facts
	}
	used := a.Usage.Output > 0 || !a.HasText()
	if used {
		words := text.Tokens(a.Usage.Output)
		if a.Usage.Estimated {
			words = "about " + words
		}
		facts = append(facts, figure{words, rankTokens})
	}
	if cost := formatCost(profile, a.Cost); cost != "" && (a.Usage.Input+a.Usage.Output > 0 || !used) {
		facts = append(facts, figure{cost, rankCost})
	}
	return facts
}
