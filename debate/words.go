package debate

import (
	"cmp"
	"fmt"
)

// Lengths that are asked for where a mode names none, in words.
const (
	DefaultWords       = 300 // of a statement
	DefaultBallotWords = 150 // of a vote, a ranking or scores in a phase of their own
	DefaultReportWords = 500 // of a chair's report
)

// Bounds of the lengths that a mode can ask for.
const (
	minWords = 20
	maxWords = 5000
)

// WordLimit returns about how many words a statement in a phase should have at most; ""
// names the main phase.
func (m Mode) WordLimit(phase string, round int) int {
	words := cmp.Or(m.Words, DefaultWords)
	switch p := m.Phase(phase); {
	case phase == "" && round == 1:
		return cmp.Or(m.FirstWords, words)
	case phase == "":
		return words
	case p.Asks != AsksStance:
		return cmp.Or(p.Words, DefaultBallotWords)
	default:
		return cmp.Or(p.Words, words)
	}
}

// ReportLimit returns about how many words the chair's report should have at most.
func (m Mode) ReportLimit() int { return cmp.Or(m.ReportWords, DefaultReportWords) }

func (m Mode) checkWords(f *modeErrors) {
	check := func(field string, words int) {
		f.require(words == 0 || words >= minWords && words <= maxWords, "%s: %d is not within %d to %d", field, words, minWords, maxWords)
	}
	check("words", m.Words)
	check("first_words", m.FirstWords)
	check("report_words", m.ReportWords)
	for i, p := range m.Phases {
		check(fmt.Sprintf("phases[%d].words", i), p.Words)
	}
}
