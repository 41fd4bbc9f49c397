// Package reader has the screen on which something is read: a list, with the text of the row
// under the cursor below it. The tool log, the evidence, the prompt receipt and the topic are
// its rows.
//
// It imports debate, control, cite, report, ledger and agents for what its rows show, screen
// for what it is to the shell, and pane, list, textview and theme to draw. It must not know other
// screens, stores or engines.
package reader

import (
	"fmt"
	"slices"

	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Row is an entry of the list, and what is read of it.
type Row struct {
	ID    string // the cursor stays on it when other rows come and go
	Cells func(th *theme.Theme, f screen.Frame) []Cell
	Words func() string // what the search looks in

	Title, State []theme.Part // of the box around the text
	Lines        func(th *theme.Theme, width int) []Line

	Then screen.Outcome // what enter does where the text has the room of the list
	Copy func() screen.Copy
}

// Cell is what a row has in one column.
type Cell struct {
	Text  string // safe, one line
	Style lipgloss.Style
}

// Column is a column of the list.
type Column struct {
	Title string
	Width int // at most; 0: a share of what the others leave
	Right bool
	Left  bool // it is cut at its beginning
	From  int  // the width of the screen from which it is shown
}

// Line is a line of a text.
type Line struct {
	Lead, Text string // safe; the search does not look in the lead
	Number     int    // of what is shown in this line and those below it; 0: of what is above
	Marked     bool
	Faint      bool
	Drawn      bool // the text has its styles
}

// Config is what a reader reads.
type Config struct {
	Name    string
	Columns []Column // none: only the text of the first row is shown
	None    string   // said without rows
	What    string   // what a row is, such as "call"
	Enter   string   // what enter does to it, such as "open"
	Follow  bool     // the cursor stays on the last row while it is there

	Rows func() []Row                                              // called again after Changed
	Head func(th *theme.Theme, width int, f screen.Frame) []string // above the list; nil: nothing
	More []screen.Command
}

// Reader shows rows and reads them.
type Reader struct {
	screen.NoInput
	Config
	th       *theme.Theme
	w, h     int
	commands []screen.Command

	rows, shown []Row // all, and those that the search leaves
	stale       bool  // they have changed
	list        list.List
	last        bool // the cursor follows the last row
	whole       bool // the text has the room of the list
	fromList    bool // and esc shows the list again

	text  textview.Text
	laid  string // the row whose lines these are
	lines []Line
	plain []string // their texts

	words string // that are searched for; "": nothing is
	query textview.Query
	at    int // the match that is shown, of those in the text
}

// New returns a reader.
func New(th *theme.Theme, c Config) *Reader {
	r := &Reader{Config: c, th: th, stale: true, last: c.Follow, whole: len(c.Columns) == 0}
	r.commands = r.keys()
	return r
}

// Name returns the name of the screen.
func (r *Reader) Name() string { return r.Config.Name }

// SetTheme changes colours and symbols.
func (r *Reader) SetTheme(th *theme.Theme) { r.th, r.stale = th, true }

// SetSize sets the room between the top line and the notice row.
func (r *Reader) SetSize(w, h int) { r.w, r.h, r.stale = w, h, true }

// Changed has the rows read again.
func (r *Reader) Changed() { r.stale = true }

// Apply does nothing: what is read is in the session, or does not change.
func (r *Reader) Apply(debate.Event) {}

// Begin shows the list from its beginning, or where it follows from its end.
func (r *Reader) Begin() {
	r.endSearch()
	r.list.Reset()
	r.last, r.whole, r.stale = r.Follow, len(r.Columns) == 0, true
	r.text = textview.Text{}
}

// Show reads the row of an id in the room of the list, from the line of a number on. It reports
// false without such a row.
func (r *Reader) Show(id string, number int) bool {
	r.Begin()
	r.refresh()
	at := indexOf(r.rows, id)
	if at < 0 {
		return false
	}
	r.list.At, r.last, r.whole, r.fromList = at, false, true, false
	r.GoTo(number)
	return true
}

func indexOf(rows []Row, id string) int {
	return slices.IndexFunc(rows, func(row Row) bool { return row.ID == id })
}

// Select moves the cursor to the row of an id.
func (r *Reader) Select(id string) {
	r.refresh()
	if at := indexOf(r.shown, id); at >= 0 {
		r.move(at - r.list.At)
	}
}

// GoTo brings the line of a number into view.
func (r *Reader) GoTo(number int) {
	if at := r.lineOf(number); at >= 0 && number > 0 {
		r.reveal(at)
	}
}

func (r *Reader) lineOf(number int) int {
	r.lay()
	return slices.IndexFunc(r.lines, func(l Line) bool { return l.Number == number })
}

// RowOf returns in which row the line of a number was drawn; ok is false if it is out of sight.
func (r *Reader) RowOf(number int) (row int, ok bool) {
	at, below := r.lineOf(number)-r.text.Top(), r.boxHeight()
	if row = r.h - below + at; below >= 3 { // in its box
		row++
	}
	return row, at >= 0 && at < r.textRows()
}

// Selected returns the row under the cursor; ok is false without one.
func (r *Reader) Selected() (row Row, ok bool) {
	r.refresh()
	if r.list.At >= len(r.shown) {
		return Row{}, false
	}
	return r.shown[r.list.At], true
}

// Searching reports whether words are searched for.
func (r *Reader) Searching() bool { return r.words != "" }

// AtEnd reports whether the last line of the text was drawn last.
func (r *Reader) AtEnd() bool { return r.text.AtEnd() }

// HalfPage scrolls the text, down if n is 1 and up if it is -1.
func (r *Reader) HalfPage(n int) { r.text.HalfPage(n) }

// ToEnd shows the end of the text.
func (r *Reader) ToEnd() { r.text.ToEnd(1) }

func (r *Reader) refresh() {
	if !r.stale {
		return
	}
	r.stale, r.lines = false, nil
	id := ""
	if r.list.At < len(r.shown) {
		id = r.shown[r.list.At].ID
	}
	r.rows = r.Rows()
	r.shown = slices.DeleteFunc(slices.Clone(r.rows), func(row Row) bool {
		return r.words != "" && !r.matches(row)
	})
	if at := indexOf(r.shown, id); at >= 0 {
		r.list.At = at
	}
	if r.last && !r.whole { // what is being read stays
		r.list.At = len(r.shown) - 1
	}
	r.list.Move(0, len(r.shown))
	if len(r.shown) > 0 && r.shown[r.list.At].ID != id {
		r.text, r.at = textview.Text{}, 0
	}
}

func (r *Reader) matches(row Row) bool {
	_, _, ok := r.query.First(row.Words())
	return ok
}

// lay lays out the text of the row under the cursor, unless that was done.
func (r *Reader) lay() {
	row, ok := r.Selected()
	if !ok {
		r.lines, r.plain = nil, nil
		return
	}
	if r.lines != nil && r.laid == row.ID {
		return
	}
	r.laid, r.plain = row.ID, nil
	r.lines = row.Lines(r.th, max(r.w-4, 1))
	r.plain = text.Each(r.lines, func(l Line) string { return l.Text })
}

// move moves the cursor, or scrolls the text that has the room of the list.
func (r *Reader) move(n int) {
	if r.whole {
		r.text.Scroll(n)
		return
	}
	r.refresh()
	r.list.Move(n, len(r.shown))
	r.last = r.Follow && r.list.At == len(r.shown)-1
	r.text, r.at = textview.Text{}, 0
}

func (r *Reader) halfPage(n int) {
	if r.whole {
		r.text.HalfPage(n)
		return
	}
	r.move(n * max(r.listHeight()/2, 1))
}

func (r *Reader) end(n int) { r.move(n * 1 << 20) }

// reveal brings a line into view, a few rows below the first one.
func (r *Reader) reveal(line int) { r.text.ScrollTo(line - r.textRows()/3) }

// Back ends the search, shows the list again, then leaves the screen.
func (r *Reader) Back() screen.Outcome {
	switch {
	case r.endSearch():
		return screen.Outcome{screen.ClearNotice{}}
	case r.whole && r.fromList:
		r.whole, r.text = false, textview.Text{}
		return nil
	}
	return screen.Outcome{screen.Close{}}
}

// BackHint says so.
func (r *Reader) BackHint() string {
	switch {
	case r.words != "":
		return "esc end search"
	case r.whole && r.fromList:
		return "esc list"
	}
	return "esc back"
}

// Find leaves the rows that have words, and shows the first of them from the cursor on, at the
// first place in its text. "" ends the search.
func (r *Reader) Find(words string) screen.Outcome {
	r.endSearch()
	if words = text.Line(words); words == "" {
		return screen.Outcome{screen.ClearNotice{}}
	}
	r.words, r.query, r.stale = words, textview.NewQuery(words), true
	r.refresh()
	if len(r.shown) == 0 {
		r.endSearch()
		return screen.Tell(screen.Info, fmt.Sprintf("No match for \"%s\" here.", words))
	}
	return r.showMatch(0)
}

func (r *Reader) endSearch() (was bool) {
	was = r.words != ""
	r.words, r.query, r.at, r.stale = "", nil, 0, true
	return was
}

// next shows the next match in the text and after its last one the next row; with -1 those before.
func (r *Reader) next(n int) screen.Outcome {
	r.lay()
	if of := len(r.query.Matches(r.plain)); r.at+n >= 0 && r.at+n < of {
		r.at += n
		return r.showMatch(r.at)
	}
	r.list.At = (r.list.At + n + len(r.shown)) % max(len(r.shown), 1)
	r.last, r.text = false, textview.Text{}
	r.lay()
	if n > 0 {
		return r.showMatch(0)
	}
	return r.showMatch(len(r.query.Matches(r.plain)) - 1)
}

func (r *Reader) showMatch(at int) screen.Outcome {
	r.lay()
	r.at = max(at, 0)
	found := r.query.Matches(r.plain)
	place := "found in its row"
	if r.at < len(found) {
		r.reveal(found[r.at][0].Line)
		place = fmt.Sprintf("%d of %d", r.at+1, len(found))
	}
	if len(r.rows) > 1 {
		place = fmt.Sprintf("%s %d of %d, %s", r.What, r.list.At+1, len(r.shown), place)
	}
	return screen.Outcome{screen.Found{Words: r.words, Place: place}}
}

// Commands lists the keys of the reader.
func (r *Reader) Commands() []screen.Command { return r.commands }

func (r *Reader) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	var first []screen.Command
	if len(r.Columns) > 0 {
		first = append(first, screen.Command{
			Binding: bind("open", "enter", r.Enter), Title: "Open this " + r.What, Group: screen.Choosing,
			Hint: r.openHint, Rank: 1, Run: do(r.open),
			Why: screen.When(func() bool { return r.openHint() == "" }, "There is nothing to open here."),
		})
	}
	all := []screen.Command{
		{Binding: bind("down", "j k", "move"), Group: screen.Moving, Hint: r.moveHint, Rank: 7, Run: move(r.move, 1)},
		{Binding: bind("up", "", ""), Group: screen.Moving, Run: move(r.move, -1)},
		{
			Binding: bind("page-down", "pgup pgdn", "scroll the text"), Title: "Scroll the text down", Group: screen.Moving,
			Hint: r.scrollHint, Rank: 3, Run: move(r.HalfPage, 1),
		},
		{Binding: bind("page-up", "", ""), Title: "Scroll the text up", Group: screen.Moving, Run: move(r.HalfPage, -1)},
	}
	all = append(all, screen.SearchKeys("Search", screen.When(r.filled, "/ search"), r.Searching, r.Find, r.next)...)
	all = append(all, screen.Command{
		Binding: bind("copy", "y", "copy the "+r.What), Title: "Copy the " + r.What, Group: screen.Choosing,
		Hint: screen.When(r.filled, "y copy"), Rank: 6, Run: do(r.copyRow),
	})
	all = append(all, screen.JumpKeys(r.halfPage, r.end)...)
	return slices.Concat(first, r.More, all)
}

func (r *Reader) filled() bool {
	_, ok := r.Selected()
	return ok
}

func (r *Reader) openHint() string {
	switch row, ok := r.Selected(); {
	case ok && !r.whole:
		return "enter open"
	case row.Then != nil:
		return "enter " + r.Enter
	}
	return ""
}

func (r *Reader) moveHint() string {
	r.lay()
	switch {
	case !r.whole && r.filled():
		return "j k move"
	case !r.whole || len(r.lines) <= r.textRows():
		return ""
	}
	return "j k scroll"
}

func (r *Reader) scrollHint() string {
	r.lay()
	if r.whole || len(r.lines) <= r.textRows() {
		return ""
	}
	return "pgup pgdn scroll"
}

func (r *Reader) open() screen.Outcome {
	if row, _ := r.Selected(); r.whole {
		return row.Then
	}
	r.whole, r.fromList = true, true
	return nil
}

func (r *Reader) copyRow() screen.Outcome {
	row, ok := r.Selected()
	if !ok {
		return screen.Outcome{screen.Copy{}}
	}
	return screen.Outcome{row.Copy()}
}

// Wheel scrolls the text, or moves in the list above it.
func (r *Reader) Wheel(_, y, step, lines int) {
	if r.whole || y >= r.h-r.boxHeight() {
		r.text.Scroll(lines)
		return
	}
	r.move(step)
}

// Click moves the cursor to a row of the list.
func (r *Reader) Click(_, y int) screen.Outcome {
	if at := r.list.Line(y - r.headRows()); !r.whole && y >= r.headRows() && y < r.h-r.boxHeight() {
		r.move(at - r.list.At)
	}
	return nil
}
