package setup

import (
	"errors"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/tui/theme"
)

// mode returns the selected mode as it is offered; the zero value if there is none.
func (f *Form) mode() debate.Mode {
	if f.modeIndex >= len(f.modes) {
		return debate.Mode{}
	}
	return f.modes[f.modeIndex]
}

// questionKinds lists the kinds of questions that can be chosen in the selected mode.
// Options that are typed in place of the mode's own make the question a choice.
func (f *Form) questionKinds() []debate.QuestionKind {
	m := f.mode()
	if len(m.Options) > 0 && f.takesOptions() && strings.TrimSpace(f.lists[debate.OptionsList]) != "" {
		return []debate.QuestionKind{debate.QuestionChoice}
	}
	return m.QuestionKinds()
}

// question returns the kind of question in effect: the one that was chosen, if it can
// be chosen in the selected mode.
func (f *Form) question() debate.QuestionKind {
	kinds := f.questionKinds()
	for _, k := range []debate.QuestionKind{f.chosenQuestion, debate.QuestionOpen} {
		if slices.Contains(kinds, k) {
			return k
		}
	}
	return kinds[0]
}

// nextQuestion chooses the kind of question n places further.
func (f *Form) nextQuestion(n int) {
	kinds := f.questionKinds()
	at := slices.Index(kinds, f.question())
	f.chosenQuestion = kinds[(at+n+len(kinds))%len(kinds)]
}

// takesOptions reports whether options can be typed in the selected mode.
func (f *Form) takesOptions() bool { return f.mode().TakesOptions() == nil }

// modeAndQuestion returns the selected mode with the typed lists, and the kind of
// question. If something is invalid, it returns an error and the field to focus.
func (f *Form) modeAndQuestion() (m debate.Mode, kind debate.QuestionKind, at field, err error) {
	m, at, err = f.modeWithLists()
	if err == nil {
		kind, err = m.QuestionFor(f.question())
	}
	if errors.Is(err, debate.ErrNoOptions) {
		at, err = fieldOptions, errors.New("enter at least two options, separated by ;")
	}
	return m, kind, at, err
}

// questionLine draws how the question is answered, and what sets it if it is fixed.
func (v *layout) questionLine() {
	kinds, said := v.questionKinds(), v.question().Description()
	if len(kinds) > 1 {
		th := v.valueTheme(fieldQuestion)
		v.addField(fieldQuestion, "Answers", th.Columns(theme.Column{Text: said, Width: v.room(), Style: th.Text}))
		return
	}
	by := "  set by the options"
	if v.mode().Question != debate.QuestionUnset {
		by = "  set by the mode"
	}
	v.addField(fieldQuestion, "Answers", v.th.Columns(theme.Column{Text: said, Width: min(theme.Width(said), v.room()), Style: v.th.Text},
		theme.Column{Text: by, Width: max(v.room()-theme.Width(said), 0), Style: v.th.Faint}))
}
