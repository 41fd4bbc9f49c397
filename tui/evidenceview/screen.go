// Package evidenceview is the screen of the evidence of a debate: a list with who cites
// what, and the text of each piece with line numbers.
//
// It imports debate for what it shows, screen for what it is to the shell, and input, list,
// textview and theme to draw. It must not know other screens, stores or engines.
package evidenceview

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen lists the evidence of the debate. What is opened takes the place of the list.
type Screen struct {
	screen.NoInput
	th       *theme.Theme
	w, h     int
	session  debate.Session
	places   []cite.Cited // all that is cited
	commands []screen.Command
	noPager  func() string // why the pager cannot be opened

	pieces   list.List
	open     *document // nil: the list is shown
	fromList bool      // esc shows the list again
}

var _ screen.OfSession = (*Screen)(nil)

// New returns the screen. The function says why the pager cannot be opened now; ""
// when it can.
func New(th *theme.Theme, noPager func() string) *Screen {
	sc := &Screen{th: th, noPager: noPager}
	sc.commands = sc.keys()
	return sc
}

// SetSession shows the evidence of a session.
func (sc *Screen) SetSession(s debate.Session) {
	sc.session, sc.places = s, nil
	if len(s.Evidence) > 0 {
		sc.places = cite.All(s)
	}
	sc.pieces.Move(0, len(s.Evidence))
	if sc.open != nil {
		sc.open.cited = sc.citedIn(sc.open.evidence.ID)
	}
}

// Apply does nothing: all that is shown is in the session.
func (sc *Screen) Apply(debate.Event) {}

// Name returns "Evidence".
func (sc *Screen) Name() string { return "Evidence" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th = th }

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) {
	sc.w, sc.h = w, h
	sc.layout()
}

// Empty reports whether the debate has no evidence.
func (sc *Screen) Empty() bool { return len(sc.session.Evidence) == 0 }

// List shows the list.
func (sc *Screen) List() { sc.close() }

// Open shows what a citation names. It reports false if there is no such evidence.
func (sc *Screen) Open(c debate.Citation) bool {
	at := slices.IndexFunc(sc.session.Evidence, func(e debate.Evidence) bool { return e.ID == c.ID })
	if at < 0 {
		return false
	}
	sc.close()
	sc.pieces.At, sc.fromList = at, false
	sc.show(sc.session.Evidence[at], c)
	return true
}

func (sc *Screen) show(e debate.Evidence, c debate.Citation) {
	sc.open = newDocument(e, sc.citedIn(e.ID))
	sc.layout()
	sc.open.goTo(c.From, c.To)
}

func newDocument(e debate.Evidence, cited []cite.Cited) *document {
	return &document{evidence: e, cited: cited, lines: strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")}
}

func (sc *Screen) close() { sc.open = nil }

// citedIn returns the places of evidence that are cited and exist.
func (sc *Screen) citedIn(id string) []cite.Cited {
	var out []cite.Cited
	for _, l := range sc.places {
		if l.Citation.ID == id && l.Problem == "" {
			out = append(out, l)
		}
	}
	return out
}

// names names members in the order of their seats, and the chair's report if it cites,
// too.
func (sc *Screen) names(ids []agents.ID, report bool) string {
	var out []string
	for _, p := range sc.session.Seats {
		if slices.Contains(ids, p.ID) {
			out = append(out, text.Line(p.Name))
		}
	}
	if report {
		out = append(out, "the verdict")
	}
	return text.List(out)
}

// selected returns the evidence under the cursor.
func (sc *Screen) selected() (debate.Evidence, bool) {
	if sc.pieces.At >= len(sc.session.Evidence) {
		return debate.Evidence{}, false
	}
	return sc.session.Evidence[sc.pieces.At], true
}

// Back ends the search, then closes what is open, then the screen.
func (sc *Screen) Back() screen.Outcome {
	switch {
	case sc.open == nil:
		return screen.Outcome{screen.Close{}}
	case sc.open.search.Words != "":
		sc.open.find("")
	case sc.fromList:
		sc.close()
	default:
		sc.close()
		return screen.Outcome{screen.Close{}}
	}
	return nil
}

// BackHint says so.
func (sc *Screen) BackHint() string {
	switch {
	case sc.open != nil && sc.open.search.Words != "":
		return "esc end search"
	case sc.open != nil && sc.fromList:
		return "esc list"
	}
	return "esc back"
}

// Wheel scrolls the text, or moves in the list.
func (sc *Screen) Wheel(_, _, step, lines int) {
	if sc.open != nil {
		sc.open.Scroll(lines)
		return
	}
	sc.move(step)
}

// Commands lists the keys of the screen.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.move(n * 1 << 20) })
	return append(jumps, []screen.Command{
		{
			Binding: bind("down", "j k", "move, scroll"), Title: "Down", Group: screen.Moving,
			Hint: screen.Say("j k move"), Rank: 3, Run: move(sc.move, 1),
		},
		{Binding: bind("up", "", ""), Title: "Up", Group: screen.Moving, Run: move(sc.move, -1)},
		{
			Binding: bind("page-down", "d u", "half a page"), Title: "Half a page down", Group: screen.Moving,
			Run: move(sc.page, 1),
		},
		{Binding: bind("page-up", "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.page, -1)},
		{
			Binding: bind("open", "enter", "open"), Title: "Open this evidence", Group: screen.Choosing,
			Hint: sc.openHint, Rank: 2, Why: sc.noOpen, Run: do(sc.openSelected),
		},
		{
			Binding: bind("next-cited", "[ ]", "cited lines before, after"), Title: "Next cited lines", Group: screen.Choosing,
			Hint: sc.citedHint, Rank: 4, Why: sc.noText, Run: screen.With(sc.nextCited, 1),
		},
		{
			Binding: bind("previous-cited", "", ""), Title: "Cited lines before", Group: screen.Choosing, Why: sc.noText,
			Run: screen.With(sc.nextCited, -1),
		},
		{
			Binding: bind("search", "/  n N", "search, next, previous"), Title: "Search this evidence", Group: screen.Choosing,
			Hint: sc.searchHint, Rank: 5, Why: sc.noOpen, Run: do(sc.startSearch),
		},
		{Binding: bind("next-match", "", ""), Title: "Next match", Group: screen.Choosing, Why: sc.noSearch, Run: screen.With(sc.match, 1)},
		{
			Binding: bind("previous-match", "", ""), Title: "Previous match", Group: screen.Choosing, Why: sc.noSearch,
			Run: screen.With(sc.match, -1),
		},
		{
			Binding: bind("copy", "y", "copy"), Title: "Copy the cited lines, or all", Group: screen.Choosing,
			Why: sc.noOpen, Run: do(sc.copyText),
		},
		screen.PagerKey("Open the evidence in $PAGER", 6, sc.noPager, sc.openPager),
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
	if sc.open == nil || sc.open.search.Words == "" {
		return "No search yet. Press / to start one."
	}
	return ""
}

// move moves in the list, or scrolls the text.
func (sc *Screen) move(n int) {
	if sc.open != nil {
		sc.open.Scroll(n)
		return
	}
	sc.pieces.Move(n, len(sc.session.Evidence))
}

// page moves by half of what is shown.
func (sc *Screen) page(n int) { sc.move(n * max(sc.textRows()/2, 1)) }

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
	return screen.AskWords(sc.Find)
}

// Find marks words in the evidence that is open, and shows the first line with them from those
// that are shown.
func (sc *Screen) Find(words string) screen.Outcome {
	sc.open.find(text.Line(words))
	if sc.open.search.Words == "" {
		return nil
	}
	return sc.match(0)
}

// match goes to the next match, with -1 to the one before, with 0 to the first from
// here.
func (sc *Screen) match(n int) screen.Outcome {
	d := sc.open
	line, at, of := d.match(n)
	if of == 0 {
		return screen.Tell(screen.Info, fmt.Sprintf("No line has %q.", d.search.Words))
	}
	return screen.Tell(screen.Info, fmt.Sprintf("%q: line %d, %d of %s.", d.search.Words, line+1, at+1, text.Count(of, "match")))
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
