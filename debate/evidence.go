package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Evidence is a file, a diff or a folder that the user brought to the debate. It is
// cited by its id, alone as [F1] or with lines as [F1:120-140]. It never changes.
type Evidence struct {
	ID     string        `json:"id"`   // "F1", "F2" and so on; never used again in the session
	Name   string        `json:"name"` // what the user named: a path, or "standard input"
	Kind   EvidenceKind  `json:"kind"`
	Size   int           `json:"size"`           // of Text, in bytes
	SHA256 string        `json:"sha256"`         // of Text, in hex
	Note   string        `json:"note,omitempty"` // how Text differs from what was read, as a sentence
	Author ledger.Author `json:"by,omitzero"`    // who brought it
	Added  time.Time     `json:"added"`
	Text   string        `json:"-"` // valid UTF-8; lines end with \n
}

// EvidenceKind is what evidence is.
type EvidenceKind string

const (
	EvidenceFile   EvidenceKind = "file"
	EvidenceDiff   EvidenceKind = "diff"
	EvidenceFolder EvidenceKind = "folder" // the tree of a folder; its files are evidence of their own
)

// NewEvidence returns evidence without an id, which the store assigns.
func NewEvidence(name string, kind EvidenceKind, text, note string) Evidence {
	sum := sha256.Sum256([]byte(text))
	return Evidence{Name: name, Kind: kind, Size: len(text), SHA256: hex.EncodeToString(sum[:]), Note: note, Text: text}
}

// About says in sentences how the text differs from what was read, and who brought it if it
// was not the user; "" if there is nothing to say.
func (e Evidence) About() string {
	by := ""
	if note := e.Author.Note(); note != "" {
		by = text.Sentence(text.Capitalize(note))
	}
	return strings.TrimSpace(e.Note + " " + by)
}

// Lines returns the number of lines.
func (e Evidence) Lines() int {
	if e.Text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(e.Text, "\n"), "\n") + 1
}

// Excerpt returns lines, counted from 1, without the last line's end; false if there are none such.
func (e Evidence) Excerpt(from, to int) (string, bool) {
	if from < 1 || to < from || to > e.Lines() {
		return "", false
	}
	lines := strings.SplitAfterN(e.Text, "\n", to+1)[from-1 : to]
	return strings.TrimSuffix(strings.Join(lines, ""), "\n"), true
}

// Limits of evidence, in bytes.
const (
	MaxEvidenceSize  = 2 << 20 // of one
	MaxEvidenceTotal = 8 << 20 // of a session
)

// AddEvidence returns the evidence of a session with more of it, which gets the ids that
// follow. What the session has already, by name and text, is not added again. The error
// is a *RefusedError.
func AddEvidence(has, added []Evidence) ([]Evidence, error) {
	out := slices.Clone(has)
	total := 0
	for _, e := range has {
		total += e.Size
	}
	for _, e := range added {
		if err := e.check(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Evidence) bool { return o.Name == e.Name && o.SHA256 == e.SHA256 }) {
			continue
		}
		if total += e.Size; total > MaxEvidenceTotal {
			return nil, e.refused("With it the evidence would have more than %d MB.", MaxEvidenceTotal>>20)
		}
		e.ID = "F" + strconv.Itoa(len(out)+1)
		out = append(out, e)
	}
	return out, nil
}

func (e Evidence) check() error {
	switch {
	case strings.TrimSpace(e.Name) == "":
		return e.refused("Evidence needs a name.")
	case !utf8.ValidString(e.Text) || strings.ContainsRune(e.Text, 0):
		return e.refused("It is not text in UTF-8.")
	case e.Size > MaxEvidenceSize:
		return e.refused("It has more than %d MB.", MaxEvidenceSize>>20)
	}
	return nil
}

func (e Evidence) refused(why string, args ...any) error {
	return refusal("%s: %s", text.Label(e.Name), fmt.Sprintf(why, args...))
}

// Citation cites evidence: all of it, or lines of it.
type Citation struct {
	ID   string `json:"id"`             // of the evidence, such as "F1"
	From int    `json:"from,omitempty"` // the first line, counted from 1; 0 means all of the evidence
	To   int    `json:"to,omitempty"`   // the last line
}

// String returns the citation as it is written in square brackets: "F1", "F1:12" or "F1:120-140".
func (c Citation) String() string {
	switch {
	case c.From == 0:
		return c.ID
	case c.From == c.To:
		return fmt.Sprintf("%s:%d", c.ID, c.From)
	default:
		return fmt.Sprintf("%s:%d-%d", c.ID, c.From, c.To)
	}
}

// Compare orders citations by evidence and lines.
func (c Citation) Compare(d Citation) int {
	return cmp.Or(len(c.ID)-len(d.ID), strings.Compare(c.ID, d.ID), c.From-d.From, c.To-d.To) // F2 before F10
}

// MergeCitations returns the lines that citations name together, by evidence and line. Where
// all of a piece is cited its lines are left out.
func MergeCitations(all []Citation) []Citation {
	all = slices.SortedFunc(slices.Values(all), Citation.Compare)
	out := []Citation{}
	for _, c := range all {
		last := len(out) - 1
		switch {
		case last < 0 || out[last].ID != c.ID || out[last].From > 0 && c.From > out[last].To+1:
			out = append(out, c)
		case out[last].From > 0:
			out[last].To = max(out[last].To, c.To)
		}
	}
	return out
}

// FileLines are lines of a file of the workspace as a tool read them.
type FileLines struct {
	Path string `json:"path"` // as CleanCitedPath returns it
	From int    `json:"from"` // counted from 1
	To   int    `json:"to"`
	Hash string `json:"sha256"` // of the whole file at that moment, the first 32 digits
}

// CleanCitedPath returns a path of the workspace as citations have it.
func CleanCitedPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// CitationGroup is what one pair of square brackets cites.
type CitationGroup struct {
	Requests []string   // ids of context requests
	Evidence []Citation // of the user
	Files    []Citation // of the workspace, in a session that has one; the ids are paths
}

// CitationsIn returns all that a text cites in square brackets.
func CitationsIn(text string) (all CitationGroup) {
	for _, m := range bracketPattern().FindAllStringSubmatch(text, -1) {
		if g, ok := ParseCitationGroup(m[1]); ok {
			all = all.Plus(g)
		}
	}
	return all
}

// Plus returns what both groups cite. It may write into the room behind the first, which is not used any more.
func (g CitationGroup) Plus(o CitationGroup) CitationGroup {
	return CitationGroup{append(g.Requests, o.Requests...), append(g.Evidence, o.Evidence...), append(g.Files, o.Files...)}
}

// ParseCitationGroup parses what square brackets hold; false if any of it is no citation.
func ParseCitationGroup(text string) (g CitationGroup, ok bool) {
	parts := []string{text}
	if strings.ContainsAny(text, ",;&") || strings.Contains(text, "and") { // mostly it is one citation
		parts = citationSeparator().Split(text, -1)
	}
	var before *[]Citation // with what the last part cites
	for _, part := range parts {
		part = strings.TrimSpace(part)
		list, cited := &g.Evidence, Citation{}
		if m := requestPattern().FindStringSubmatch(part); m != nil {
			g.Requests = append(g.Requests, "C"+m[1])
			continue
		} else if m := evidencePattern().FindStringSubmatch(part); m != nil {
			cited = citedLines("F"+m[1], m[2], m[3])
		} else if m := fileLinesPattern().FindStringSubmatch(part); m != nil {
			list, cited = &g.Files, citedLines(CleanCitedPath(m[1]), m[2], m[3])
		} else if m := linesPattern().FindStringSubmatch(part); m != nil && before != nil {
			list, cited = before, citedLines((*before)[len(*before)-1].ID, m[1], m[2])
		} else {
			return CitationGroup{}, false
		}
		*list, before = append(*list, cited), list
	}
	return g, len(g.Requests)+len(g.Evidence)+len(g.Files) > 0
}

// citedLines returns a citation of lines, whose numbers a pattern has found; "": of all.
func citedLines(id, from, to string) Citation {
	c := Citation{ID: id}
	c.From, _ = strconv.Atoi(from)
	c.To, _ = strconv.Atoi(cmp.Or(to, from))
	return c
}

// citedRange matches lines, such as 12, L3-L5 or 120 to 140.
const citedRange = `[Ll]?0*([1-9]\d{0,6})(?:\s*(?:[-‐‑‒–—−]|\.\.|to)\s*[Ll]?0*([1-9]\d{0,6}))?`

var (
	bracketPattern    = text.Regexp(`\[([^\[\]\n]{2,200})\]`)
	citationSeparator = text.Regexp(`\s*[,;&]\s*|\s+and\s+`)
	requestPattern    = text.Regexp(`^[Cc]0*([1-9]\d{0,5})$`)
	evidencePattern   = text.Regexp(`^[Ff]0*([1-9]\d{0,5})(?:\s*:\s*` + citedRange + `)?$`)
	linesPattern      = text.Regexp(`^` + citedRange + `$`)

	// as "a.go:3" or "Makefile:3", no time
	fileLinesPattern = text.Regexp(`^([^:\s]*[\pL_][^:\s]*(?:file|[./][^:\s]+)):\s*` + citedRange + `$`)
)
