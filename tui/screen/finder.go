package screen

import (
	"fmt"
	"slices"

	"roundtable/internal/text"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Finder is the search in the text of a screen: a key asks for words, others go on to the next
// place and the one before. Lines returns the lines of the text as they are drawn, and the first
// that is visible; Show brings a line into view.
type Finder struct {
	Lines func() (lines []string, top int)
	Show  func(line int)

	query textview.Query
	words string // as typed; "": nothing is searched for
	at    int    // the place that is shown
}

// Commands lists the keys of the search.
func (f *Finder) Commands() []Command {
	noSearch := func() string {
		if f.words == "" {
			return "No search yet. Press / to start one."
		}
		return ""
	}
	return []Command{
		{
			Binding: Bind("search", "/  n N", "search, next, previous"), Title: "Search this text", Group: Looking,
			Run: Do(func() Outcome { return AskWords(f.Find) }),
		},
		{Binding: Bind("next-match", "", ""), Title: "Next match", Group: Moving, Why: noSearch, Run: With(f.next, 1)},
		{Binding: Bind("previous-match", "", ""), Title: "Previous match", Group: Moving, Why: noSearch, Run: With(f.next, -1)},
	}
}

// AskWords lets the user type what to look for.
func AskWords(find func(words string) Outcome) Outcome {
	return Outcome{Prompt{
		Label: "/", Limit: 200, Hints: []string{"enter search", "esc close"}, NoHistory: true, Done: find,
		Closed: func(string) Outcome { return nil },
	}}
}

// Find marks words, and shows the first place from the top of what is visible. "" ends the
// search.
func (f *Finder) Find(words string) Outcome {
	f.words = text.Line(words)
	f.query = textview.NewQuery(f.words)
	if f.words == "" {
		return Outcome{ClearNotice{}}
	}
	return f.next(0)
}

// next shows the place so many further, with 0 the first from the top.
func (f *Finder) next(n int) Outcome {
	lines, top := f.Lines()
	found := f.query.Matches(lines)
	of := len(found)
	if of == 0 {
		return Tell(Info, fmt.Sprintf("No match for %q here.", f.words))
	}
	if f.at = ((f.at+n)%of + of) % of; n == 0 {
		f.at = max(0, slices.IndexFunc(found, func(m []textview.Span) bool { return m[0].Line >= top }))
	}
	f.Show(found[f.at][0].Line)
	return Advise(Info, fmt.Sprintf("%q: %d of %d.", f.words, f.at+1, of), "n: next · N: previous · esc: clear")
}

// End ends the search. It reports whether there was one.
func (f *Finder) End() bool {
	was := f.words != ""
	f.words, f.query, f.at = "", nil, 0
	return was
}

// On reports whether words are searched for.
func (f *Finder) On() bool { return f.words != "" }

// Back ends the search, else leaves the screen.
func (f *Finder) Back() Outcome {
	if f.End() {
		return Outcome{ClearNotice{}}
	}
	return Outcome{Close{}}
}

// BackHint says so.
func (f *Finder) BackHint() string {
	if f.On() {
		return "esc end search"
	}
	return "esc back"
}

// Mark returns lines with all places highlighted.
func (f *Finder) Mark(th *theme.Theme, lines []string) []string {
	if f.words == "" {
		return lines
	}
	return f.query.Highlight(th, lines)
}
