package debateview

import (
	"fmt"
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// sideWidth is how much of a side the top line shows.
const sideWidth = 10

// sidesGap separates the sides from the state of the round.
const sidesGap = "   "

// sidesParts returns the sides of the voters in the last two rounds with votes and the
// agreement of the last one, if that takes no more than enough cells. Else it returns the
// sides of the last round, or nothing if they take more than room.
func (v *sessionView) sidesParts(th *theme.Theme, room, enough int) []theme.Part {
	n := len(v.sides)
	if n == 0 {
		return nil
	}
	now := append(v.roundParts(th, v.sides[n-1]), levelPart(th, v.sides[n-1].Level)...)
	name := func(r report.RoundSides) theme.Part {
		return theme.Part{Text: fmt.Sprintf("R%d ", r.Round), Style: th.Faint}
	}
	long := slices.Concat([]theme.Part{name(v.sides[n-1])}, now)
	if n > 1 {
		arrow := theme.Part{Text: " " + th.Symbols.Right + " ", Style: th.Faint}
		long = slices.Concat([]theme.Part{name(v.sides[n-2])}, v.roundParts(th, v.sides[n-2]), []theme.Part{arrow}, long)
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

// levelPart returns the level of agreement, if there is one.
func levelPart(th *theme.Theme, level *float64) []theme.Part {
	if level == nil {
		return nil
	}
	return []theme.Part{{Text: fmt.Sprintf(" %s %.2f", th.Symbols.Sep, *level), Style: th.Muted}}
}

// roundParts returns the side of each voter in a round. A change of sides is marked.
func (v *sessionView) roundParts(th *theme.Theme, r report.RoundSides) []theme.Part {
	var parts []theme.Part
	for _, m := range r.Moves {
		if m == nil {
			continue
		}
		p := theme.Part{Text: th.Symbols.Missing, Style: th.Muted}
		switch {
		case m.Change == debate.NoResponse && v.Running() && v.Chair() == "" && r.Round == len(v.Session().History):
			p.Text = th.Symbols.Queued
		case m.Change == debate.NoResponse:
		case m.Side == debate.Undecided:
			p.Text = "?"
		default:
			p.Text, p.Style = ansi.Truncate(text.Line(string(m.Side)), sideWidth, th.Symbols.Cut), v.sideStyle(th, m.Side)
		}
		switch m.Change {
		case debate.Revised, debate.RevisedOld, debate.Conformed:
			p.Text, p.Style = th.Symbols.Changed+p.Text, p.Style.Bold(true)
		default: // the same side, or no other that is comparable
		}
		if len(parts) > 0 {
			p.Text = " " + p.Text
		}
		parts = append(parts, p)
	}
	return parts
}

// sideStyle returns the colour of a side: those of yes and no, or one of four by the order
// in which sides were named.
func (v *sessionView) sideStyle(th *theme.Theme, side debate.Side) lipgloss.Style {
	switch side {
	case debate.SideYes:
		return th.Success
	case debate.SideNo:
		return th.Danger
	case debate.Undecided:
		return th.Muted
	}
	var seen []debate.Side
	for _, r := range v.sides {
		for _, m := range r.Moves {
			if m != nil && m.Side != debate.Undecided && !slices.Contains(seen, m.Side) {
				seen = append(seen, m.Side)
			}
		}
	}
	styles := []lipgloss.Style{th.Accent, th.Success, th.Warning, th.Text}
	return styles[max(slices.Index(seen, side), 0)%len(styles)]
}

// partsWidth returns how many cells parts take.
func partsWidth(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}

// changesKey shows what a seat changed between its rounds.
func (sc *Screen) changesKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("D"), "D", "changes since last round"), Title: "What this seat changed between its rounds",
		Group: screen.Looking, Why: sc.noChanges, Run: screen.Do(sc.showChanges),
	}
}

func (sc *Screen) noChanges() string {
	n := 0
	for _, r := range sc.Session().History {
		if slices.ContainsFunc(r.AttemptsOf(sc.seatInFocus()), debate.Response.HasStatement) {
			n++
		}
	}
	if n < 2 {
		return "There is nothing to compare before the second statement of this seat."
	}
	return ""
}

func (sc *Screen) showChanges() screen.Outcome {
	p := sc.focused()
	if p.ToggleChanges(); !p.ShowsChanges() {
		return screen.Outcome{screen.ClearNotice{}}
	}
	return screen.Tell(screen.Info, "D: whole statements again. [-gone-] {+new+} since "+text.Line(p.Profile().Name)+"'s round before.")
}
