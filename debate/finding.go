package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Finding is a defect as a seat reports it in a review.
type Finding struct {
	Title    string   `json:"title"`
	Where    string   `json:"where,omitempty"` // as the seat wrote it, such as "F1:12" or "tui/form.go:42"
	Severity Severity `json:"severity"`
	Why      string   `json:"why,omitempty"`
	Fix      string   `json:"fix,omitempty"`
}

// Severity says how grave a finding is.
type Severity string

const (
	SeverityHigh   Severity = "high"
	SeverityMedium Severity = "medium"
	SeverityLow    Severity = "low"
)

// Judgement is what a seat says of a finding that it did not report.
type Judgement struct {
	Finding     string  `json:"finding"` // such as "H1"
	True        Opinion `json:"true"`
	WorthFixing Opinion `json:"worth_fixing,omitempty"`
	Why         string  `json:"why,omitempty"`
	SameAs      string  `json:"same_as,omitempty"` // the finding that it is the same defect as
}

// Opinion is the answer to a question about a finding. "" means not stated.
type Opinion string

const (
	OpinionYes    Opinion = "yes"
	OpinionNo     Opinion = "no"
	OpinionUnsure Opinion = "cannot tell"
)

// ReviewFinding is a defect that one seat or more reported, with what the others say of it.
type ReviewFinding struct {
	ID         string           `json:"id"` // "H1", "H2" and so on
	State      FindingState     `json:"state"`
	Title      string           `json:"title"`
	Severity   Severity         `json:"severity"` // the median; of an even number the higher middle
	Why        string           `json:"why,omitempty"`
	Fix        string           `json:"fix,omitempty"`
	Places     []CodePlace      `json:"places,omitempty"`
	FoundBy    []agents.ID      `json:"found_by"`
	OneModel   bool             `json:"one_model,omitempty"`   // all seats that confirm it are one model
	MergedInto string           `json:"merged_into,omitempty"` // two seats said that it is the same as this one
	Judgements []SeatJudgement  `json:"judgements,omitempty"`
	Reports    []ReportedBySeat `json:"reports"` // as the seats wrote them
}

// SameFindings says which findings of a round are the same defect, by a model that reads titles and places.
type SameFindings struct {
	By      string         `json:"by,omitempty"`      // who was asked
	Groups  [][]FindingRef `json:"groups,omitempty"`  // each of one defect
	Ignored string         `json:"ignored,omitempty"` // why its answer does not count
}

// FindingRef names a finding as a seat reported it.
type FindingRef struct {
	Agent agents.ID `json:"agent"`
	N     int       `json:"n"` // its number in the seat's list, counted from 1
}

// Opinions returns the judges who say that a finding is true, and those who say that it is not.
// Who reported it is no judge of it, and who says both of findings that were merged says
// neither.
func (f ReviewFinding) Opinions() (yes, no []agents.ID) {
	for _, j := range f.Judgements {
		switch {
		case slices.Contains(f.FoundBy, j.Agent):
		case j.True == OpinionYes && !slices.Contains(yes, j.Agent):
			yes = append(yes, j.Agent)
		case j.True == OpinionNo && !slices.Contains(no, j.Agent):
			no = append(no, j.Agent)
		}
	}
	both := func(id agents.ID) bool { return slices.Contains(yes, id) && slices.Contains(no, id) }
	unclear := slices.DeleteFunc(slices.Clone(yes), func(id agents.ID) bool { return !both(id) })
	drop := func(id agents.ID) bool { return slices.Contains(unclear, id) }
	return slices.DeleteFunc(yes, drop), slices.DeleteFunc(no, drop)
}

// FindingState says what came of a finding.
type FindingState string

// The states. With f seats that found it, y that judged it true and n that judged it untrue:
const (
	FindingAgreed   FindingState = "agreed"   // f+y >= 2 and n = 0
	FindingDisputed FindingState = "disputed" // n >= 1, and f+y >= 2 or n = 1
	FindingRefuted  FindingState = "refuted"  // f = 1, y = 0 and n >= 2
	FindingSingle   FindingState = "single"   // f = 1 and y = n = 0
)

// SeatJudgement is the judgement of a seat.
type SeatJudgement struct {
	Agent agents.ID `json:"agent"`
	Judgement
}

// ReportedBySeat is a finding with who reported it.
type ReportedBySeat struct {
	Agent agents.ID `json:"agent"`
	Finding
}

// CodePlace is where a finding is.
type CodePlace struct {
	Stated string   `json:"stated"`           // as the seat wrote it
	Cited  Citation `json:"cited,omitzero"`   // the lines of evidence; without an id there are none
	File   string   `json:"file,omitempty"`   // that the lines are in; of a diff the new file, or the old one
	Line   int      `json:"line,omitempty"`   // in the file, counted from 1
	End    int      `json:"end,omitempty"`    // the last line
	Old    bool     `json:"old,omitempty"`    // the lines were removed: their numbers are those of the old file
	Text   string   `json:"text,omitempty"`   // the lines, without signs of a diff
	Absent bool     `json:"absent,omitempty"` // there are no such lines
	Among  int      `json:"among,omitempty"`  // how many parts of the diff have such lines, if several do; it is in the last one
}

// Times says in how many parts of a diff the lines are, such as "in 2 places"; "" if in one.
func (p CodePlace) Times() string {
	if p.Among < 2 {
		return ""
	}
	return fmt.Sprintf("in %d places", p.Among)
}

// String returns the place as "tui/form.go:42" or "old:tui/form.go:12-14", or what the seat wrote.
func (p CodePlace) String() string {
	if p.File == "" || p.Line == 0 {
		return p.Stated
	}
	at := Citation{ID: p.File, From: p.Line, To: max(p.Line, p.End)}.String()
	if p.Old {
		return "old:" + at
	}
	return at
}

// Words returns the body of a statement and, as lists, what it finds and judges in a review, and
// what it says of concerns in a critique.
func (s Statement) Words() string {
	parts := []string{s.Body}
	list := func(title string, items []string) {
		if len(items) > 0 {
			parts = append(parts, title+"\n\n- "+strings.Join(items, "\n- "))
		}
	}
	list("Concerns:", text.Each(s.Concerns, Objection.Words))
	list("Replies to concerns:", text.Each(s.Replies, Reply.Words))
	list("Findings:", text.Each(s.Findings, func(f Finding) string { return text.Join(", ", string(f.Severity), f.Where, f.Title) }))
	list("Judged:", text.Each(s.Judgements, func(j Judgement) string { return j.Finding + ": " + j.Words() }))
	if s.ListCut {
		parts = append(parts, "The list is incomplete.")
	}
	return text.Join("\n\n", parts...)
}

// Words says in a sentence what a judgement is, and then why.
func (j Judgement) Words() string {
	line := "not stated"
	switch j.True {
	case OpinionYes:
		line = "true"
	case OpinionNo:
		line = "not true"
	case OpinionUnsure:
		line = "cannot tell"
	}
	switch j.WorthFixing {
	case OpinionYes:
		line += ", worth fixing"
	case OpinionNo:
		line += ", not worth fixing"
	case OpinionUnsure:
	}
	if j.SameAs != "" {
		line += ", the same as " + j.SameAs
	}
	return strings.TrimSpace(line + ". " + text.Sentence(text.Line(j.Why)))
}
