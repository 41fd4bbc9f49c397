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

// NewEvidence returns the screen.
func NewEvidence(th *theme.Theme) *Evidence {
	e := &Evidence{}
	e.Reader = New(th, Config{
		Name: "Evidence", What: "evidence", Enter: "open", Rows: e.rows,
		None: "This debate has no evidence. @path in a message attaches a file.",
		Columns: []Column{
			{Title: "id", Width: 6},
			{Title: "name"},
			{Title: "kind", Width: 8, From: 60},
			{Title: "size", Width: 9, Right: true},
			{Title: "lines", Width: 8, Right: true},
			{Title: "cited by", From: 60},
		},
		More: screen.Shared("tool-log", "debates"),
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

// Empty reports whether the debate has no evidence.
func (e *Evidence) Empty() bool { return len(e.session.Evidence) == 0 }

// Begin shows the list.
func (e *Evidence) Begin() {
	e.marked = debate.Citation{}
	e.Reader.Begin()
}

// Open shows what a citation names. It reports false if there is no such evidence.
func (e *Evidence) Open(c debate.Citation) bool {
	e.marked = c
	return e.Show(c.ID, c.From)
}

// Title counts the evidence.
func (e *Evidence) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " Evidence", Style: e.th.Accent}, {Text: "   " + text.Line(e.session.Name()), Style: e.th.Muted, Cut: 1}}
	return left, []theme.Part{{Text: text.Count(len(e.session.Evidence), "piece") + " ", Style: e.th.Muted, Cut: 2}}
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
	return text.Each(e.session.Evidence, e.row)
}

func (e *Evidence) row(one debate.Evidence) Row {
	th := e.th
	cited := slices.DeleteFunc(slices.Clone(e.places), func(l cite.Cited) bool { return l.Citation.ID != one.ID || l.Problem != "" })
	by := e.names(cited)
	if by == "" {
		by = "not cited"
	}
	name, kind := text.Line(one.Name), text.Line(string(one.Kind))
	return Row{
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
		Copy:  func() screen.Copy { return screen.Copy{Text: text.Sanitize(one.Text), What: one.ID} },
	}
}

// lines returns the text with its line numbers, below what is known of it.
func (e *Evidence) lines(th *theme.Theme, one debate.Evidence, cited []cite.Cited, width int) []Line {
	var out []Line
	if about := text.Line(one.About()); about != "" {
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
		safe := strings.ReplaceAll(text.Sanitize(strings.ReplaceAll(l, "\t", "    ")), "\n", " ")
		for _, row := range Wrapped(fmt.Sprintf("%s%*d  ", mark, digits, n), strings.TrimRight(safe, " "), width) {
			row.Number, row.Marked = n, marked
			out = append(out, row)
		}
	}
	return out
}
