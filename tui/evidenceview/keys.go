package evidenceview

import (
	"fmt"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Commands lists the keys of the screen.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.move(n * 1 << 20) })
	return append(jumps, []screen.Command{
		{
			Binding: bind(k("j", "down"), "j k", "move, scroll"), Title: "Down", Group: screen.Moving,
			Hint: screen.Say("j k move"), Rank: 3, Run: move(sc.move, 1),
		},
		{Binding: bind(k("k", "up"), "", ""), Title: "Up", Group: screen.Moving, Run: move(sc.move, -1)},
		{
			Binding: bind(k("d", "pgdown"), "d u", "half a page"), Title: "Half a page down", Group: screen.Moving,
			Run: move(sc.page, 1),
		},
		{Binding: bind(k("u", "pgup"), "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.page, -1)},
		{
			Binding: bind(k("enter"), "enter", "open"), Title: "Open this evidence", Group: screen.Choosing,
			Hint: sc.openHint, Rank: 2, Why: sc.noOpen, Run: do(sc.openSelected),
		},
		{
			Binding: bind(k("]", "."), "[ ]", "cited lines before, after"), Title: "Next cited lines", Group: screen.Choosing,
			Hint: sc.citedHint, Rank: 4, Why: sc.noText, Run: screen.With(sc.nextCited, 1),
		},
		{
			Binding: bind(k("[", ","), "", ""), Title: "Cited lines before", Group: screen.Choosing, Why: sc.noText,
			Run: screen.With(sc.nextCited, -1),
		},
		{
			Binding: bind(k("/"), "/  n N", "search, next, previous"), Title: "Search this evidence", Group: screen.Choosing,
			Hint: sc.searchHint, Rank: 5, Why: sc.noOpen, Run: do(sc.startSearch),
		},
		{Binding: bind(k("n"), "", ""), Title: "Next match", Group: screen.Choosing, Why: sc.noSearch, Run: screen.With(sc.match, 1)},
		{Binding: bind(k("N"), "", ""), Title: "Previous match", Group: screen.Choosing, Why: sc.noSearch, Run: screen.With(sc.match, -1)},
		{
			Binding: bind(k("y"), "y", "copy"), Title: "Copy the cited lines, or all", Group: screen.Choosing,
			Why: sc.noOpen, Run: do(sc.copyText),
		},
		{
			Binding: bind(k("o"), "o", "all of it in $PAGER"), Title: "Open the evidence in $PAGER", Group: screen.Choosing,
			Hint: sc.pagerHint, Rank: 6, Why: sc.noPager, Run: do(sc.openPager),
		},
		{Shared: screen.Sessions},
	}...)
}

// hintOf returns a hint that is shown while a text is open.
func (sc *Screen) hintOf(words string) string {
	if sc.open == nil {
		return ""
	}
	return words
}

func (sc *Screen) citedHint() string {
	if sc.open == nil || len(sc.open.cited) == 0 {
		return ""
	}
	return "[ ] cited lines"
}

func (sc *Screen) searchHint() string { return sc.hintOf("/ search") }

func (sc *Screen) openHint() string {
	if sc.open != nil {
		return ""
	}
	return "enter open"
}

func (sc *Screen) pagerHint() string {
	if sc.noPager() != "" {
		return ""
	}
	return "o pager"
}

func (sc *Screen) noOpen() string {
	if sc.Empty() {
		return "There is no evidence."
	}
	return ""
}

func (sc *Screen) noText() string {
	if sc.open == nil {
		return "Press enter to open the evidence first."
	}
	return ""
}

func (sc *Screen) noSearch() string {
	if sc.open == nil || sc.open.query == "" {
		return "No search yet. Press / to start one."
	}
	return ""
}

// move moves in the list, or scrolls the text.
func (sc *Screen) move(n int) {
	if sc.open != nil {
		sc.scroll(n)
		return
	}
	sc.cursor = max(0, min(sc.cursor+n, len(sc.session.Evidence)-1))
}

// page moves by half of what is shown.
func (sc *Screen) page(n int) { sc.move(n * max(sc.textRows()/2, 1)) }

func (sc *Screen) scroll(n int) { sc.open.scroll(n) }

// openSelected opens the evidence under the cursor at its first cited lines.
func (sc *Screen) openSelected() screen.Outcome {
	e, ok := sc.selected()
	if !ok || sc.open != nil {
		return nil
	}
	sc.fromList = true
	sc.show(e, debate.Citation{ID: e.ID})
	return nil
}

// nextCited goes to the next cited lines, or with -1 to those before.
func (sc *Screen) nextCited(n int) screen.Outcome {
	if !sc.open.nextCited(n) {
		return screen.Tell(screen.Info, "No lines of this evidence are cited.")
	}
	return nil
}

func (sc *Screen) startSearch() screen.Outcome {
	sc.openSelected()
	sc.typing = true
	return screen.Run(sc.field.Focus())
}

// search ends the typing, and goes to the first match from the lines that are shown.
func (sc *Screen) search() screen.Outcome {
	sc.typing = false
	sc.field.Blur()
	sc.open.find(text.Line(sc.field.Value()))
	if sc.open.query == "" {
		return nil
	}
	return sc.match(0)
}

// match goes to the next match, with -1 to the one before, with 0 to the first from
// here.
func (sc *Screen) match(n int) screen.Outcome {
	d := sc.open
	at, of := d.match(n)
	if of == 0 {
		return screen.Tell(screen.Info, fmt.Sprintf("No line has %q.", d.query))
	}
	return screen.Tell(screen.Info, fmt.Sprintf("%q: line %d, %d of %s.", d.query, d.matches[at]+1, at+1, text.Count(of, "match")))
}

// copyText copies the lines that are marked, or all of the evidence.
func (sc *Screen) copyText() screen.Outcome {
	e, _ := sc.selected()
	if d := sc.open; d != nil && d.from > 0 {
		if lines, ok := d.evidence.Excerpt(d.from, d.to); ok {
			return screen.Outcome{screen.Copy{Text: text.Sanitize(lines), What: d.where() + " of " + e.ID}}
		}
	}
	return screen.Outcome{screen.Copy{Text: text.Sanitize(e.Text), What: e.ID}}
}

// openPager shows the evidence in the user's pager.
func (sc *Screen) openPager() screen.Outcome {
	e, ok := sc.selected()
	if !ok {
		return nil
	}
	return screen.Outcome{screen.OpenPager{File: e.ID + ".txt", Text: text.Sanitize(e.Text)}}
}
