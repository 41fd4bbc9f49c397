package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
)

// Citation cites evidence: all of it, or lines of it.
type Citation struct {
	ID   string `json:"id"`             // of the evidence, such as "F1"
	From int    `json:"from,omitempty"` // the first line, counted from 1; 0 means all of the evidence
	To   int    `json:"to,omitempty"`   // the last line
}

// String returns the citation as it is written between square brackets, such as "F1",
// "F1:12" or "F1:120-140".
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

// compare orders citations by the evidence and then by lines.
func (c Citation) compare(d Citation) int {
	return cmp.Or(len(c.ID)-len(d.ID), strings.Compare(c.ID, d.ID), c.From-d.From, c.To-d.To) // F2 before F10
}

var (
	evidencePattern      = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})$`)
	evidenceRangePattern = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})` + rangeSign + `[Ff]0*([1-9]\d{0,5})$`)
	evidenceLinesPattern = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})\s*:\s*(.*)$`)
	linesPattern         = lazyRegexp(`^[Ll]?0*([1-9]\d{0,6})(?:` + rangeSign + `[Ll]?0*([1-9]\d{0,6}))?$`)
)

// rangeSign is what stands between the ends of a range.
const rangeSign = `\s*(?:[-‐‑‒–—−]|\.\.|to)\s*`

// CitedEvidence returns the citations of evidence in a text, each once: alone as [F1],
// with lines as [F1:12] or [F1:120-140], or in a group such as [C1, F2:3-5, 9]. Brackets
// with any other content cite nothing. Of very many it returns the first.
func CitedEvidence(text string) []Citation { return citedEvidence(citedIn(text)) }

// maxCitations is how many citations of one text count.
const maxCitations = 500

// citedEvidence returns the citations of evidence in groups, each once.
func citedEvidence(groups []citedGroup) []Citation {
	var out []Citation
	seen := map[Citation]bool{}
	for _, g := range groups {
		for _, c := range g.evidence {
			if !seen[c] && len(out) < maxCitations {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// parseEvidenceCitation returns the citations that one member of a group makes. Lines
// without an id are those of the evidence before them in the group.
func parseEvidenceCitation(part, before string) []Citation {
	if m := evidencePattern().FindStringSubmatch(part); m != nil {
		return []Citation{{ID: "F" + m[1]}}
	}
	if m := evidenceLinesPattern().FindStringSubmatch(part); m != nil {
		return parseLines("F"+m[1], m[2])
	}
	if m := evidenceRangePattern().FindStringSubmatch(part); m != nil {
		var out []Citation
		for _, id := range idRange("F", m[1], m[2]) {
			out = append(out, Citation{ID: id})
		}
		return out
	}
	if before == "" {
		return nil
	}
	return parseLines(before, part)
}

func parseLines(id, lines string) []Citation {
	m := linesPattern().FindStringSubmatch(lines)
	if m == nil {
		return nil
	}
	from, err := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(cmp.Or(m[2], m[1]))
	if err != nil || errTo != nil { // the pattern has digits only
		return nil
	}
	return []Citation{{id, from, to}}
}

// CitationProblem says why a citation of evidence names nothing.
type CitationProblem string

// The problems; "" means that there is none.
const (
	NoSuchEvidence CitationProblem = "no_such_evidence"
	EvidenceLater  CitationProblem = "later" // it came with a later round
	LinesOutside   CitationProblem = "lines_outside"
)

// CitedLines is a citation of evidence with what it names.
type CitedLines struct {
	Citation Citation        `json:"citation"`
	Name     string          `json:"name,omitempty"`    // of the evidence
	Lines    int             `json:"lines,omitempty"`   // that the evidence has
	Text     string          `json:"text,omitempty"`    // the lines; "" for all of the evidence
	Cut      bool            `json:"cut,omitempty"`     // Text is only the beginning of the lines
	Problem  CitationProblem `json:"problem,omitempty"` // why it names nothing
	CitedBy  []agents.ID     `json:"cited_by"`          // members, by round and seat
	InReport bool            `json:"in_report"`         // the chair's report cites it
}

// Bounds of the text of cited lines.
const (
	MaxCitedLines = 40
	MaxCitedBytes = 4000
)

// Why returns what is wrong with the citation as a sentence, "" if nothing is.
func (l CitedLines) Why() string {
	switch l.Problem {
	case NoSuchEvidence:
		return "There is no " + l.Citation.ID + "."
	case EvidenceLater:
		return l.Citation.ID + " came with a later round."
	case LinesOutside:
		if l.Citation.To < l.Citation.From {
			return fmt.Sprintf("Line %d comes before line %d.", l.Citation.To, l.Citation.From)
		}
		return fmt.Sprintf("%s has %d lines.", l.Citation.ID, l.Lines)
	}
	return ""
}

// Resolve returns what a citation names among the evidence that the speakers of a round
// had. A round of 0 stands for all evidence of the session.
func (c Citation) Resolve(s Session, round int) CitedLines {
	out := CitedLines{Citation: c}
	e, ok := FindEvidence(s.Evidence, c.ID)
	if !ok {
		out.Problem = NoSuchEvidence
		return out
	}
	out.Name, out.Lines = e.Name, e.Lines()
	if n := EvidenceRound(s, c.ID); round > 0 && (n == 0 || n > round) {
		out.Problem = EvidenceLater
		return out
	}
	if c.From == 0 {
		return out
	}
	if c.From > c.To || c.To > out.Lines {
		out.Problem = LinesOutside
		return out
	}
	out.Text, _ = e.Excerpt(c.From, min(c.To, c.From+MaxCitedLines-1))
	out.Cut = c.To >= c.From+MaxCitedLines
	if len(out.Text) > MaxCitedBytes {
		end := MaxCitedBytes
		for !utf8.RuneStart(out.Text[end]) {
			end--
		}
		out.Text, out.Cut = out.Text[:end], true
	}
	return out
}

// CitationsOf returns every citation of evidence in the statements of a session and in
// the report of its verdict, by evidence and lines. A citation of what the speaker did
// not have has a Problem.
func CitationsOf(s Session) []CitedLines {
	type use struct {
		citation Citation
		early    bool // before the evidence came
	}
	var out []CitedLines
	at := map[use]int{}
	find := func(c Citation, round int) *CitedLines {
		came := EvidenceRound(s, c.ID)
		u := use{c, came == 0 || came > round}
		i, ok := at[u]
		if !ok {
			i, out = len(out), append(out, c.Resolve(s, round))
			at[u] = i
		}
		return &out[i]
	}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if !x.HasStatement() {
				continue
			}
			for _, c := range x.Statement.CitedEvidence() {
				if l := find(c, r.Number); !slices.Contains(l.CitedBy, x.Turn.Agent) {
					l.CitedBy = append(l.CitedBy, x.Turn.Agent)
				}
			}
		}
	}
	if s.Verdict != nil {
		for _, c := range CitedEvidence(s.Verdict.Text) {
			find(c, len(s.History)).InReport = true
		}
	}
	slices.SortStableFunc(out, func(a, b CitedLines) int { return a.Citation.compare(b.Citation) })
	return out
}
