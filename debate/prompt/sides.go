package prompt

import (
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// maxLabelLength is how many characters of a label or a unit a prompt shows. It is twice
// what a label can have, since replacements of hidden names may be longer.
const maxLabelLength = 80

func (snap Snapshot) asked() debate.Session {
	return debate.Session{Question: snap.Question, Unit: snap.Unit, Mode: snap.Mode}
}

func (snap Snapshot) session() debate.Session {
	s := snap.asked()
	s.Seats, s.History = snap.Seats, make([]debate.Round, snap.Round)
	for _, x := range snap.Earlier {
		r := &s.History[x.Turn.Round-1]
		r.Responses = append(r.Responses, x)
	}
	return s
}

func shown(label string) string { return text.Head(text.Line(label), maxLabelLength) }

// labelsPart lists the labels that a speaker sees, and asks to use them again. It is empty
// where the speaker names none of its own.
func (snap Snapshot) labelsPart(step debate.Step, role debate.Role) (none debate.Part) {
	asked := snap.Mode.Phase(step.Phase).Asks != debate.AsksRanking && prescribedStance(snap.Mode, step.Phase, role) == ""
	if snap.Question != debate.QuestionOpen || !asked || snap.Mode.Critiques() {
		return none
	}
	labels := verdict.Labels(snap.session())
	if len(labels) == 0 {
		return none
	}
	for i := range labels {
		labels[i] = "- " + shown(labels[i])
	}
	return debate.Part{Title: "labels in use", Text: "The labels of the answers given so far, in the order of their first use:\n" +
		snap.fence.block("labels", strings.Join(labels, "\n")) + "\nWhere one of them says what you hold, vote for it, word for word; " +
		"otherwise choose one of your own."}
}

func numeral(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
