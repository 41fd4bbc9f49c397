package screen

import "roundtable/internal/text"

// OutcomeField asks how a verdict turned out: on the list of debates, and on the verdict.
type OutcomeField struct {
	Asks  string               // what can be said
	Check func(string) error   // returns why a line cannot be saved
	Save  func(string) Outcome // saves one that Check allows
	Typed *string              // what was typed and is not saved, for the next time
}

// maxOutcome is the maximum length of an outcome with its note, in characters.
const maxOutcome = 1000

// Prompt returns the field. A line that cannot be saved stays in it, below the reason.
func (f OutcomeField) Prompt() Prompt { return f.prompt(f.Asks, "", *f.Typed) }

// Refused returns the field with a text that could not be saved.
func (f OutcomeField) Refused(typed string, why error) Prompt {
	return f.prompt(text.Sentence(why.Error()), f.Asks, typed)
}

func (f OutcomeField) prompt(note, help, typed string) Prompt {
	return Prompt{
		Label: "how did it turn out? >", Note: note, Help: help, Text: typed, Limit: maxOutcome,
		Hints: []string{"enter save", "esc close (text kept)"},
		Done: func(line string) Outcome {
			if *f.Typed = ""; line == "" {
				return nil
			}
			if err := f.Check(line); err != nil {
				return Outcome{f.Refused(line, err)}
			}
			return f.Save(line)
		},
		Closed: func(line string) Outcome { *f.Typed = line; return nil },
	}
}
