package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
)

// statistics returns figures of each earlier round if the mode wants them: how many took
// which side, and how sure they were.
func (snap Snapshot) statistics() string {
	if !snap.Mode.Statistics {
		return ""
	}
	var lines []string
	for round := 1; round < snap.Round; round++ {
		r := debate.Round{}
		for _, x := range snap.Earlier {
			if x.Turn.Round == round {
				r.Responses = append(r.Responses, x)
			}
		}
		if said := r.Statements(); len(said) > 0 {
			lines = append(lines, fmt.Sprintf("- Round %d: %s", round, figures(said, len(snap.Seats))))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "What the members held, in figures:\n" + strings.Join(lines, "\n")
}

func figures(statements []debate.Response, seats int) string {
	sides := map[debate.Stance]int{}
	stated := 0
	var confidences []float64
	for _, x := range statements {
		if s := x.Statement.Stance; s != "" {
			sides[s]++
			stated++
		}
		if c := x.Statement.Confidence; c != nil {
			confidences = append(confidences, *c)
		}
	}
	text := fmt.Sprintf("%d of %d members answered", len(statements), seats)
	if stated > 0 {
		text += fmt.Sprintf("; yes %d, no %d, neutral %d", sides[debate.Yes], sides[debate.No], sides[debate.Neutral])
	}
	if len(confidences) > 0 {
		slices.Sort(confidences)
		text += fmt.Sprintf("; confidence: median %.2f, middle half %.2f to %.2f, all %.2f to %.2f",
			quantile(confidences, 0.5), quantile(confidences, 0.25), quantile(confidences, 0.75),
			confidences[0], confidences[len(confidences)-1])
	}
	return text + "."
}

// quantile interpolates between the values of a sorted list.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
