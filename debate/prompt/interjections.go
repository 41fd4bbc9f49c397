package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// interjection is an interjection as the speakers of a round get it.
type interjection struct {
	text  string
	all   bool
	seats []agents.ID
}

// interjectionsOf rebuilds the interjections of a manifest.
func interjectionsOf(s debate.Session, m debate.Manifest) ([]interjection, error) {
	var out []interjection
	for _, ref := range m.Interjections {
		i := slices.IndexFunc(s.Interjections, func(i debate.Interjection) bool { return i.N == ref.N })
		if i < 0 {
			return nil, fmt.Errorf("round %d of session %s rests on interjection %d, which is not there", m.Round, s.ID, ref.N)
		}
		out = append(out, interjection{s.Interjections[i].Text, s.Interjections[i].Agent == "", ref.Seats})
	}
	return out, nil
}

// interjectionText is what a speaker is told in this turn; a turn of the same round that is
// done has told it already.
func (n Snapshot) interjectionText(speaker agents.ID) string {
	if slices.ContainsFunc(n.Earlier, func(x debate.Response) bool { return x.Turn.Round == n.Round && x.Turn.Agent == speaker }) {
		return ""
	}
	var b strings.Builder
	for _, t := range n.interjections {
		if !slices.Contains(t.seats, speaker) {
			continue
		}
		to := "you"
		if t.all {
			to = "all members"
		}
		fmt.Fprintf(&b, "\nThe user says to %s:\n%s\n", to, t.text)
	}
	return b.String()
}
