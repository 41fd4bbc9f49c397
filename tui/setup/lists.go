package setup

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
)

// listFields are the fields of the lists that a mode may have.
var listFields = map[field]debate.List{
	fieldPerspectives: debate.PerspectivesList, fieldOptions: debate.OptionsList,
	fieldCriteria: debate.CriteriaList,
}

// maxTyped is the largest length of a typed list in characters.
const maxTyped = 800

// hasField reports whether a field can have the focus. That of a list exists if the
// mode has the list, that of the options also for a choice; the kind of question can
// be chosen where there are several.
func (f *Form) hasField(at field) bool {
	l, list := listFields[at]
	switch {
	case at == fieldWorkspace:
		return f.options.Workspace.Dir != "" || !f.files.service.Off()
	case at == fieldEffort:
		return f.panel.reasons()
	case at == fieldFiles:
		return !f.files.service.Off()
	case at == fieldQuestion:
		return len(f.modes) > 0 && len(f.questionKinds()) > 1
	case !list:
		return true
	case at == fieldOptions:
		return len(f.modes) > 0 && f.takesOptions() && (len(f.mode().Options) > 0 || f.question() == debate.QuestionChoice)
	default:
		return len(f.mode().List(l)) > 0
	}
}

// typeList types a key into a list.
func (f *Form) typeList(l debate.List, msg tea.KeyPressMsg) {
	text := f.lists[l]
	switch {
	case msg.String() == "enter":
		f.Next(1)
	case msg.String() == "backspace":
		r := []rune(text)
		f.lists[l] = string(r[:max(len(r)-1, 0)])
	case msg.String() == "ctrl+u":
		f.lists[l] = ""
	case msg.Text != "":
		f.lists[l] = firstRunes(text+safeTyped(msg.Text), maxTyped)
	}
}

// safeTyped makes typed text safe, and a blank a space.
func safeTyped(content string) string {
	if strings.TrimSpace(content) == "" {
		return " "
	}
	return text.Line(content)
}

// modeWithLists returns the selected mode with the typed lists. If a list is invalid,
// it returns an error and the field of the list.
func (f *Form) modeWithLists() (m debate.Mode, at field, err error) {
	m = f.mode()
	for _, at := range []field{fieldPerspectives, fieldOptions, fieldCriteria} {
		l := listFields[at]
		text := strings.TrimSpace(f.lists[l])
		if text == "" || !f.hasField(at) {
			continue
		}
		if m, err = m.WithList(l, strings.Split(text, ";")); err != nil {
			return m, at, err
		}
	}
	return m, f.focused, nil
}

// listLines draws the lists of the mode: what was typed, or where the list comes from.
func (v *layout) listLines() {
	for _, at := range []field{fieldPerspectives, fieldOptions, fieldCriteria} {
		if !v.hasField(at) {
			continue
		}
		l := listFields[at]
		name := map[debate.List]string{
			debate.PerspectivesList: "Perspective", debate.OptionsList: "Options", debate.CriteriaList: "Criteria",
		}[l]
		content := v.lists[l]
		switch {
		case content == "":
			v.addField(at, name, v.th.Faint.Render(v.th.Truncate(v.listOrigin(l), v.room())))
		case v.focused == at:
			v.addField(at, name, v.th.Text.Render(v.visibleTail(content)))
		default:
			v.addField(at, name, v.th.Text.Render(v.th.Truncate(text.Line(content), v.room())))
		}
	}
}

// visibleTail returns the end of a typed text, with room for the cursor; a mark stands
// for hidden text.
func (v *layout) visibleTail(text string) string {
	over := ansi.StringWidth(text) - max(v.room()-2, 1)
	if over <= 0 {
		return text
	}
	return ansi.TruncateLeft(text, over+1, v.th.Symbols.Cut)
}

// firstRunes returns the first n characters of a text.
func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}

// listOrigin says where a list comes from that was not typed.
func (v *layout) listOrigin(l debate.List) string {
	s := v.draftedSession()
	m := s.Mode
	items := text.Line(strings.Join(m.List(l), "; "))
	switch {
	case len(m.List(l)) == 0:
		return "type at least two, separated by ;"
	case slices.Contains(m.UnfilledLists(), l):
		if author, ok := s.ListAuthor(); ok {
			return fmt.Sprintf("separated by ; (empty: %s picks them)", text.Line(author.Name))
		}
	}
	return items
}
