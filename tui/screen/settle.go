package screen

import (
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// OutcomeField asks how a verdict turned out, and for a note: on the list of debates, and on the
// verdict.
type OutcomeField struct {
	Save func(line string) Outcome // saves a result, such as "wrong: two writers"
	Note *string                   // what was typed and is not saved, for the next time
}

const maxOutcome = 1000

// Question asks for the result; what is chosen asks for the note.
func (f OutcomeField) Question() Question {
	q := Question{Text: "How did it turn out?"}
	for _, r := range debate.AllResults() {
		q.Others = append(q.Others, Answer{string(r[:1]), string(r), func() Outcome { return Outcome{f.prompt(string(r), "")} }})
	}
	return q
}

// Refused returns the field of the note with that of a line that could not be saved.
func (f OutcomeField) Refused(line string, why error) Prompt {
	result, note, _ := strings.Cut(line, ": ")
	*f.Note = note
	return f.prompt(result, text.Sentence(why.Error()))
}

func (f OutcomeField) prompt(result, why string) Prompt {
	return Prompt{
		Label: result + ", note >", Note: why, Kept: f.Note, Limit: maxOutcome,
		Help: "Enter alone saves without a note.", Hints: []string{"enter save", "esc close (text kept)"},
		Done: func(note string) Outcome {
			if note != "" {
				note = ": " + note
			}
			return f.Save(result + note)
		},
	}
}
