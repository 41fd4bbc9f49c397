package debate

import (
	"fmt"
	"slices"
)

// QuestionKind says how the answers to a question are counted. A session gets it when
// it begins and keeps it.
type QuestionKind string

// The kinds of questions.
const (
	QuestionUnset    QuestionKind = "" // of a session of an earlier version: its stances are counted
	QuestionYesNo    QuestionKind = "yes-no"
	QuestionChoice   QuestionKind = "choice"   // one of the session's options
	QuestionEstimate QuestionKind = "estimate" // a number with a unit
	QuestionOpen     QuestionKind = "open"     // the members name their answers themselves
)

// QuestionKinds lists the kinds that a user can choose.
func QuestionKinds() []QuestionKind {
	return []QuestionKind{QuestionYesNo, QuestionChoice, QuestionEstimate, QuestionOpen}
}

// ParseQuestionKind returns the kind of that name.
func ParseQuestionKind(name string) (QuestionKind, error) {
	if k := QuestionKind(name); slices.Contains(QuestionKinds(), k) {
		return k, nil
	}
	return "", fmt.Errorf("%q is no kind of question; use yes-no, choice, estimate or open", name)
}

// Description says how a member answers such a question; it is "" for QuestionUnset.
func (k QuestionKind) Description() string {
	switch k {
	case QuestionYesNo:
		return "yes or no"
	case QuestionChoice:
		return "one of the options"
	case QuestionEstimate:
		return "a number"
	case QuestionOpen:
		return "open, each names its answer"
	case QuestionUnset:
	}
	return ""
}

// Side is what a member holds, as far as it can be counted: "yes" or "no", an option, or
// the label that stands for all labels of one meaning.
type Side string

// Sides of every kind of question; others are options and labels.
const (
	Undecided Side = ""
	SideYes   Side = "yes"
	SideNo    Side = "no"
)

// Estimate is a number with its unit and, where given, its range.
type Estimate struct {
	Value float64  `json:"value"`
	Unit  string   `json:"unit,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Grouping says which labels mean the same answer, and who says so.
type Grouping struct {
	By     string       `json:"by"`     // name of the agent that was asked
	Groups []LabelGroup `json:"groups"` // every label is in one of them
}

// LabelGroup is a number of labels that mean the same.
type LabelGroup struct {
	Side   Side     `json:"side"` // the label that stands for all
	Labels []string `json:"labels"`
}
