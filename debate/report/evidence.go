package report

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// Evidence is what the user brought to the debate, with its text.
type Evidence struct {
	debate.Evidence
	Lines   int    `json:"lines"`
	Round   int    `json:"round"` // with which it came; 0: it waits for the next one
	Content string `json:"text"`  // made safe line by line; the hash is that of what was read
}

// withSafeEvidence makes evidence safe line by line, so that citations name the same lines.
func withSafeEvidence(s debate.Session) debate.Session {
	s.Evidence = slices.Clone(s.Evidence)
	for i := range s.Evidence {
		s.Evidence[i].Text = text.CleanLines(s.Evidence[i].Text)
	}
	return s
}

// EvidenceLine returns id, name, kind and size of evidence in one line, made safe.
func EvidenceLine(e debate.Evidence) string {
	line := fmt.Sprintf("[%s] %s, %s, %s, %s", e.ID, text.Line(e.Name), text.Line(string(e.Kind)), text.LongCount(e.Lines(), "line"),
		text.LongCount(e.Size, "byte"))
	if about := e.About(); about != "" {
		line += ". " + text.Line(about)
	}
	return line
}

func (d Document) evidenceTable() Table {
	t := Table{Head: []string{"Evidence", "Name", "Kind", "Lines", "Bytes", "Came with", "Note"}}
	for _, e := range d.Evidence {
		round := "not yet"
		if e.Round > 0 {
			round = fmt.Sprintf("round %d", e.Round)
		}
		t.row(e.ID, e.Name, string(e.Kind), text.Number(e.Lines), text.Number(e.Size), round, e.About())
	}
	return t
}

// Cited is a citation of evidence or of a file of the workspace, with its lines and who cites it.
type Cited struct {
	cite.Cited
	By string `json:"-"` // names, and "the verdict"
}

func citedOf(s debate.Session) []Cited {
	var out []Cited
	for _, c := range cite.All(s) {
		c.Text = text.CleanLines(c.Text)
		by := s.NamesOf(c.CitedBy)
		if c.InReport {
			by = append(by, "the verdict")
		}
		out = append(out, Cited{c, text.List(by)})
	}
	return out
}

// Source returns the citation, its place and its name, such as "[F1:12 · tui/form.go:42] pr.diff".
func (c Cited) Source() string {
	title := "[" + c.Citation.String()
	if c.Place != "" {
		title += " · " + c.Place
	}
	title += "]"
	if c.Name != "" && c.Name != c.Citation.ID {
		title += " " + text.Line(c.Name)
	}
	return text.Line(title)
}

// Title returns Source and who cites it.
func (c Cited) Title() string { return c.Source() + ", cited by " + c.By }

// Caption returns Title with a colon, or with a full stop if nothing follows it.
func (c Cited) Caption() string {
	if c.Excerpt() == "" && c.Why() == "" {
		return c.Title() + "."
	}
	return c.Title() + ":"
}

// Excerpt returns the cited lines of evidence, with numbers; "" for all of it, a workspace's file, or nothing.
func (c Cited) Excerpt() string {
	if c.Citation.From == 0 || c.Why() != "" || c.SHA256 != "" {
		return ""
	}
	lines := text.NumberLines(c.Text+"\n", c.Citation.From)
	if c.Cut {
		lines += "\n…"
	}
	return lines
}
