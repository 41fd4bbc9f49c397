package reader

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Evidence is what a debate was given to read: a list with who cites what, and the text of each
// piece with line numbers.
type Evidence struct {
	*Reader
	session debate.Session
	places  []cite.Cited    // all that is cited
	marked  debate.Citation // the lines that are marked
}

var _ screen.OfSession = (*Evidence)(nil)

// NewEvidence returns the screen. The function says why the pager cannot be opened now; "" when it
// can.
func NewEvidence(th *theme.Theme, noPager func() string) *Evidence {
	e := &Evidence{}
	bind := screen.Bind
	e.Reader = New(th, Config{
		Name: "Evidence", What: "evidence", Enter: "open", Rows: e.rows, NoPager: noPager,
		None: "This debate has no evidence. @path in a message attaches a file.",
		Columns: []Column{
			{Title: "id", Width: 6},
			{Title: "name"},
			{Title: "kind", Width: 8, From: 60},
			{Title: "size", Width: 9, Right: true},
			{Title: "lines", Width: 8, Right: true},
			{Title: "cited by", From: 60},
		},
		More: []screen.Command{
			{
				Binding: bind("next-citation", ". ,", "cited lines before, after"), Title: "Next cited lines", Group: screen.Choosing,
				Hint: e.citedHint, Rank: 4, Run: screen.With(e.nextCited, 1),
			},
			{
				Binding: bind("previous-citation", "", ""), Title: "Cited lines before", Group: screen.Choosing,
				Run: screen.With(e.nextCited, -1),
			},
			{Shared: screen.ToolLog},
			{Shared: screen.Sessions},
		},
	})
	return e
}

// SetSession shows the evidence of a session.
func (e *Evidence) SetSession(s debate.Session) {
	e.session, e.places = s, nil
	if len(s.Evidence) > 0 {
		e.places = cite.All(s)
	}
	e.Changed()
}

// Apply does nothing: all that is shown is in the session.
func (e *Evidence) Apply(debate.Event) {}

// Empty reports whether the debate has no evidence.
func (e *Evidence) Empty() bool { return len(e.session.Evidence) == 0 }

// List shows the list.
func (e *Evidence) List() {
	e.marked = debate.Citation{}
	e.Begin()
}

// Open shows what a citation names. It reports false if there is no such evidence.
func (e *Evidence) Open(c debate.Citation) bool {
	e.marked = c
	return e.Show(c.ID, c.From)
}

// Title counts the evidence.
func (e *Evidence) Title(screen.Frame) (left, right []theme.Part) {
	size := 0
	for _, one := range e.session.Evidence {
		size += one.Size
	}
	count := text.Count(len(e.session.Evidence), "piece")
	left = []theme.Part{{Text: " Evidence", Style: e.th.Accent}, {Text: "   " + text.Line(e.session.Name()), Style: e.th.Muted, Cut: 1}}
	total := fmt.Sprintf("%s %s %s ", count, e.th.Symbols.Sep, text.Bytes(int64(size)))
	return left, []theme.Part{{Text: total, Style: e.th.Muted, Cut: 2}}
}

// citedIn returns the places of evidence that are cited and exist.
func (e *Evidence) citedIn(id string) []cite.Cited {
	return slices.DeleteFunc(slices.Clone(e.places), func(l cite.Cited) bool { return l.Citation.ID != id || l.Problem != "" })
}

func (e *Evidence) names(places []cite.Cited) string {
	var out []string
	for _, p := range e.session.Seats {
		if slices.ContainsFunc(places, func(c cite.Cited) bool { return slices.Contains(c.CitedBy, p.ID) }) {
			out = append(out, text.Line(p.Name))
		}
	}
	if slices.ContainsFunc(places, func(c cite.Cited) bool { return c.InReport }) {
		out = append(out, "the verdict")
	}
	return text.List(out)
}

func (e *Evidence) rows() []Row {
	var rows []Row
	for _, one := range e.session.Evidence {
		rows = append(rows, e.row(one))
	}
	return rows
}

func (e *Evidence) row(one debate.Evidence) Row {
	th, cited := e.th, e.citedIn(one.ID)
	by := e.names(cited)
	if by == "" {
		by = "not cited"
	}
	name, kind := text.Line(one.Name), text.Line(string(one.Kind))
	row := Row{
		ID: one.ID, Words: func() string { return strings.Join([]string{one.ID, name, kind, by, one.Text}, " ") },
		Title: []theme.Part{{Text: "[" + one.ID + "] ", Style: th.Accent}, {Text: name, Style: th.Text, Cut: 2}, {
			Text:  fmt.Sprintf(" · %s · %s · %s", kind, text.Bytes(int64(one.Size)), text.Count(one.Lines(), "line")),
			Style: th.Muted, Cut: 1,
		}},
		Cells: func(th *theme.Theme, _ screen.Frame) []Cell {
			return []Cell{
				{"[" + one.ID + "]", th.Text},
				{name, th.Text},
				{kind, th.Muted},
				{text.Bytes(int64(one.Size)), th.Muted},
				{text.Number(one.Lines()), th.Muted},
				{by, th.Muted},
			}
		},
		Lines: func(th *theme.Theme, width int) []Line { return e.lines(th, one, cited, width) },
		Copy:  func() screen.Copy { return e.copy(one) },
		Pager: func() screen.OpenPager { return screen.OpenPager{File: one.ID + ".txt", Text: text.Sanitize(one.Text)} },
	}
	if e.marked.ID == one.ID && e.marked.From > 0 {
		row.State = []theme.Part{{Text: e.where(one), Style: th.Muted, Cut: 2}}
	}
	return row
}

func (e *Evidence) copy(one debate.Evidence) screen.Copy {
	if m := e.marked; m.ID == one.ID && m.From > 0 {
		if lines, ok := one.Excerpt(m.From, m.To); ok {
			return screen.Copy{Text: text.Sanitize(lines), What: lineRange(m) + " of " + one.ID}
		}
	}
	return screen.Copy{Text: text.Sanitize(one.Text), What: one.ID}
}

func lineRange(c debate.Citation) string {
	if c.From == c.To {
		return fmt.Sprintf("line %d", c.From)
	}
	return fmt.Sprintf("lines %d-%d", c.From, c.To)
}

func (e *Evidence) where(one debate.Evidence) string {
	words := lineRange(e.marked)
	if place := cite.Place(e.marked, one); place != "" {
		words += " " + e.th.Symbols.Sep + " " + text.Line(place)
	}
	same := slices.DeleteFunc(e.citedIn(one.ID), func(c cite.Cited) bool {
		return c.Citation.From != e.marked.From || c.Citation.To != e.marked.To
	})
	if who := e.names(same); who != "" {
		words += ", cited by " + who
	}
	return words
}

// lines returns the text with its line numbers, below what is known of it.
func (e *Evidence) lines(th *theme.Theme, one debate.Evidence, cited []cite.Cited, width int) []Line {
	var out []Line
	if about := e.about(one); about != "" {
		out = Wrapped("", about, width)
	}
	for i := range out {
		out[i].Faint = true
	}
	all := strings.Split(strings.TrimSuffix(one.Text, "\n"), "\n")
	digits := len(fmt.Sprint(len(all)))
	for i, l := range all {
		n := i + 1
		in := func(c debate.Citation) bool { return c.From <= n && n <= c.To }
		marked := e.marked.ID == one.ID && in(e.marked)
		mark := " "
		switch {
		case marked:
			mark = th.Symbols.Focus
		case slices.ContainsFunc(cited, func(c cite.Cited) bool { return in(c.Citation) }):
			mark = th.Symbols.Bullet
		}
		for _, row := range Wrapped(fmt.Sprintf("%s%*d  ", mark, digits, n), safeLine(l), width) {
			row.Number, row.Marked = n, marked
			out = append(out, row)
		}
	}
	return out
}

// safeLine makes a line safe; tabs are four blanks.
func safeLine(content string) string {
	return strings.TrimRight(strings.ReplaceAll(text.Sanitize(strings.ReplaceAll(content, "\t", "    ")), "\n", " "), " ")
}

func (e *Evidence) about(one debate.Evidence) string {
	var words []string
	if about := one.About(); about != "" {
		words = append(words, text.Line(about))
	}
	if cite.EvidenceRound(e.session, one.ID) == 0 && len(e.session.History) > 0 {
		words = append(words, "It goes with the next round.")
	}
	return strings.Join(words, " ")
}

func (e *Evidence) citedHint() string {
	if row, ok := e.Selected(); ok && len(e.citedIn(row.ID)) > 0 {
		return ". , cited lines"
	}
	return ""
}

// nextCited marks the next cited lines, or with -1 those before.
func (e *Evidence) nextCited(n int) screen.Outcome {
	row, _ := e.Selected()
	places := slices.DeleteFunc(e.citedIn(row.ID), func(c cite.Cited) bool { return c.Citation.From == 0 })
	if len(places) == 0 {
		return screen.Tell(screen.Info, "No lines of this evidence are cited.")
	}
	at := slices.IndexFunc(places, func(c cite.Cited) bool { return c.Citation == e.marked })
	switch {
	case at >= 0:
		at = (at + n + len(places)) % len(places)
	case n > 0:
		at = max(0, slices.IndexFunc(places, func(c cite.Cited) bool { return c.Citation.From > e.Number() }))
	default:
		at = len(places) - 1
	}
	e.marked = places[at].Citation
	e.Changed()
	e.GoTo(e.marked.From)
	return nil
}
