// Package cite finds what texts and statements cite: answers of the user as [C1], evidence
// as [F1:12], and files of the workspace as [src/main.go:12], with the lines that a citation
// names and why it names nothing. It also finds the @paths with which a user names evidence.
//
// It imports values alone and does no I/O. The syntax of a citation is in debate, since
// stored outlines and parsed statements need it too.
package cite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
)

// In returns what a text cites in square brackets, each once: alone as [F1] or [C1], with
// lines as [F1:120-140] or [src/main.go:12], or in a group such as [C1, F2:3-5, 9]. Brackets
// with any other content cite nothing. Of very many citations with lines it returns the first.
func In(text string) debate.CitationGroup { return once(debate.CitationsIn(text)) }

// By returns what a statement cites, each once.
func By(s debate.Statement) debate.CitationGroup {
	position, body := debate.CitationsIn(s.Position), debate.CitationsIn(s.Body) // joining the texts would copy a long one
	requests := slices.Concat(body.Requests, position.Requests)                  // stored prompts have this order
	all := position.Plus(body)
	all.Requests = requests
	for _, entry := range s.Citations {
		if g, ok := debate.ParseCitationGroup(strings.Trim(entry, "[] ")); ok {
			all = all.Plus(g)
		} else {
			all = all.Plus(debate.CitationsIn(entry))
		}
	}
	return once(all)
}

func once(g debate.CitationGroup) debate.CitationGroup {
	return debate.CitationGroup{Requests: distinct(g.Requests), Evidence: cited(g.Evidence), Files: cited(g.Files)}
}

const maxCitations = 500

func cited(all []debate.Citation) []debate.Citation {
	all = distinct(all)
	return all[:min(len(all), maxCitations)]
}

func distinct[T comparable](all []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(all, func(one T) bool {
		again := seen[one]
		seen[one] = true
		return again
	})
}

// Problem says why a citation of evidence names nothing.
type Problem string

// The problems; "" means that the citation is good.
const (
	NoSuchEvidence Problem = "no_such_evidence"
	EvidenceLater  Problem = "later" // it came with a later round
	LinesOutside   Problem = "lines_outside"
	NotRead        Problem = "not_read" // lines of a file of the workspace that no seat had read
)

// Cited is a citation of evidence, or of a file of the workspace, with what it names.
type Cited struct {
	Citation debate.Citation `json:"citation"`
	Name     string          `json:"name,omitempty"`    // of the evidence
	Lines    int             `json:"lines,omitempty"`   // that the evidence has
	Place    string          `json:"place,omitempty"`   // of lines of a diff: see Place
	SHA256   string          `json:"sha256,omitempty"`  // of the file of the workspace as it was read, the first 32 digits
	Text     string          `json:"text,omitempty"`    // the lines; "" for all of the evidence, and for a file of the workspace
	Cut      bool            `json:"cut,omitempty"`     // Text is only the beginning of the lines
	Problem  Problem         `json:"problem,omitempty"` // why it names nothing
	CitedBy  []agents.ID     `json:"cited_by"`          // members, by round and seat
	InReport bool            `json:"in_report"`         // the chair's report cites it
}

// Bounds of the text of cited lines.
const (
	MaxCitedLines = 40
	MaxCitedBytes = 4000
)

// Why returns what is wrong with the citation as a sentence, "" if nothing is.
func (l Cited) Why() string {
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
	case NotRead:
		return "No seat had read these lines."
	}
	return ""
}

// Resolve returns what a citation names among the evidence of a round; 0 means all of the session.
func Resolve(c debate.Citation, s debate.Session, round int) Cited {
	out := Cited{Citation: c}
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
	end := min(len(out.Text), MaxCitedBytes)
	for end < len(out.Text) && !utf8.RuneStart(out.Text[end]) {
		end--
	}
	out.Cut = c.To >= c.From+MaxCitedLines || end < len(out.Text)
	out.Text = out.Text[:end]
	return out
}

func setPlaces(all []Cited, s debate.Session) {
	diffs := places{}
	for i, l := range all {
		if e, ok := FindEvidence(s.Evidence, l.Citation.ID); ok && l.Problem == "" {
			all[i].Place = diffs.of(l.Citation, e)
		}
	}
}

// Place returns the file and the lines of it that cited lines of a diff are, such as
// "tui/form.go:42", or "old:tui/form.go:42" if they were removed; "" for other evidence, and
// for lines that are in no file.
func Place(c debate.Citation, e debate.Evidence) string { return places{}.of(c, e) }

type places map[string][]debate.DiffLine

func (p places) of(c debate.Citation, e debate.Evidence) string {
	if e.Kind != debate.EvidenceDiff || c.From < 1 || c.To < c.From {
		return ""
	}
	diff, ok := p[e.ID]
	if !ok {
		diff = debate.ParseDiff(e.Text)
		p[e.ID] = diff
	}
	if c.To > len(diff) {
		return ""
	}
	return debate.DiffPlace(diff[c.From-1 : c.To]).String()
}

// All returns every citation of evidence, and of files of the workspace, in the statements
// of a session and in the report of its verdict, by evidence and lines. A citation of what
// the speaker did not have has a Problem.
func All(s debate.Session) []Cited {
	type use struct { // what is the same is listed once
		citation debate.Citation
		problem  Problem
		sha256   string
	}
	var out []Cited
	at := map[use]int{}
	cite := func(u use, by agents.ID, resolve func() Cited) {
		i, known := at[u]
		if !known {
			i, out = len(out), append(out, resolve())
			at[u] = i
		}
		if l := &out[i]; by == "" {
			l.InReport = true
		} else if !slices.Contains(l.CitedBy, by) {
			l.CitedBy = append(l.CitedBy, by)
		}
	}
	read := filesRead(s)
	add := func(g debate.CitationGroup, round int, by agents.ID) { // by is "" for the report
		for _, c := range g.Evidence {
			u := use{citation: c}
			if came := EvidenceRound(s, c.ID); came == 0 || came > round {
				u.problem = EvidenceLater
			}
			cite(u, by, func() Cited { return Resolve(c, s, round) })
		}
		for _, c := range g.Files {
			if l := read.resolve(c, round, by); hasWorkspace(s, read) {
				cite(use{c, l.Problem, l.SHA256}, by, func() Cited { return l })
			}
		}
	}
	for x := range s.Said() {
		add(By(x.Statement), x.Turn.Round, x.Turn.Agent)
	}
	if v := s.Report(); v != nil {
		add(In(v.Text), cmp.Or(v.Round, len(s.History)), "")
	}
	setPlaces(out, s)
	slices.SortStableFunc(out, func(a, b Cited) int { return a.Citation.Compare(b.Citation) })
	return out
}

// Sources returns what a statement cites besides evidence of the user: ids of context
// requests, and other sources by name. An entry may be listed more than once.
func Sources(s debate.Statement) (requests, others []string) {
	for _, c := range s.Citations {
		if g, ok := debate.ParseCitationGroup(strings.Trim(c, "[] ")); !ok || len(g.Files) > 0 {
			others = append(others, c)
		}
	}
	return slices.Concat(s.ContextUsed, By(s).Requests), others
}

// Of returns what a statement cites, each once: requests, evidence, then other sources.
func Of(s debate.Statement) []string {
	out, others := Sources(s)
	for _, c := range By(s).Evidence {
		out = append(out, c.String())
	}
	return distinct(append(out, others...))
}

// FindEvidence returns the evidence of a session with the given id.
func FindEvidence(list []debate.Evidence, id string) (debate.Evidence, bool) {
	i := slices.IndexFunc(list, func(e debate.Evidence) bool { return e.ID == id })
	if i < 0 {
		return debate.Evidence{}, false
	}
	return list[i], true
}

// EvidenceRound returns the round with which evidence came; 0 if it waits for the next one.
func EvidenceRound(s debate.Session, id string) int {
	for _, r := range s.History {
		if slices.Contains(r.Manifest.Evidence, id) {
			return r.Number
		}
	}
	return 0
}
