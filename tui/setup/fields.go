package setup

import (
	"slices"
	"strings"

	"roundtable/debate"
)

// field is a field of the form, in the order of drawing.
type field int

const (
	fieldTopic field = iota
	fieldPanel
	fieldMode
	fieldQuestion
	fieldPerspectives
	fieldOptions
	fieldUnit
	fieldFiles
	fieldDraft
	fieldRounds
	fieldMore // folds the rows from here to fieldWorkspace
	fieldEnds
	fieldBudget
	fieldTokens
	fieldEffort
	fieldWorkspace
	fieldStart
)

// typedRow is a row whose text is typed in one line: a list that a mode may have, or what a
// kind of question needs.
type typedRow struct {
	at     field
	list   debate.List // its text among those that are typed and kept
	name   string
	hint   string // where nothing was typed, and the mode has no list
	exists func(*Form) bool
	set    func(s *debate.Session, content string) error // nil: it is set with the question
}

// unitText is the unit of an estimate among the typed texts.
const unitText debate.List = "unit"

var typedRows = []typedRow{
	{fieldPerspectives, debate.PerspectivesList, "Perspective", "", hasPerspectives, setItems(debate.PerspectivesList)},
	{
		fieldOptions, debate.OptionsList, "Options", "type at least two, separated by ;",
		func(f *Form) bool { return f.mode().TakesOptions() == nil && f.question() == debate.QuestionChoice },
		setItems(debate.OptionsList),
	},
	{
		fieldUnit, unitText, "Unit", "such as weeks, or none for a bare count",
		func(f *Form) bool { return f.question() == debate.QuestionEstimate }, nil,
	},
}

func hasPerspectives(f *Form) bool { return len(f.mode().List(debate.PerspectivesList)) > 0 }

// setItems returns what puts a list into the mode of a debate.
func setItems(l debate.List) func(*debate.Session, string) error {
	return func(s *debate.Session, content string) error {
		m, err := s.Mode.WithList(l, strings.Split(content, ";"))
		if err == nil {
			s.Mode = m
		}
		return err
	}
}

func typedAt(at field) (row typedRow, ok bool) {
	i := slices.IndexFunc(typedRows, func(r typedRow) bool { return r.at == at })
	if i < 0 {
		return row, false
	}
	return typedRows[i], true
}

// setTyped gives a debate what was typed. If a text is invalid, it returns an error and the
// field of the text.
func (f *Form) setTyped(s *debate.Session) (at field, err error) {
	for _, row := range typedRows {
		content := strings.TrimSpace(f.lists[row.list])
		if content == "" || row.set == nil || !f.hasField(row.at) {
			continue
		}
		if err := row.set(s, content); err != nil {
			return row.at, err
		}
	}
	return f.focused, nil
}

// hasField reports whether a field can have the focus. That of a list exists if the
// mode has the list, that of the options also for a choice; the kind of question can
// be chosen where there are several.
func (f *Form) hasField(at field) bool {
	row, typed := typedAt(at)
	switch {
	case at > fieldMore && at < fieldStart && !f.more:
		return false
	case typed:
		return len(f.modes) > 0 && row.exists(f)
	case at == fieldWorkspace:
		return f.options.Workspace.Dir != "" || !f.files.service.Off()
	case at == fieldEffort:
		return f.panel.reasons()
	case at == fieldFiles:
		return !f.files.service.Off()
	case at == fieldDraft:
		return f.mode().Critiques() && len(f.files.found(f.Topic())) > 0
	case at == fieldQuestion:
		return len(f.modes) > 0 && len(f.mode().QuestionKinds()) > 1
	}
	return true
}
