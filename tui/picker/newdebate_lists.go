package picker

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
)

// listAt are the fields of lists that a mode may have.
var listAt = map[spot]debate.List{onPerspectives: debate.PerspectivesList, onOptions: debate.OptionsList, onCriteria: debate.CriteriaList}

// maxTyped is the most characters of a list.
const maxTyped = 800

// has reports whether the form has a field now: that of a list only with a mode
// that has such a list.
func (f *NewDebate) has(at spot) bool {
	l, list := listAt[at]
	return !list || f.mode < len(f.modes) && len(f.modes[f.mode].List(l)) > 0
}

// typeList types into a list. It reports whether it had any use for the key.
func (f *NewDebate) typeList(l debate.List, msg tea.KeyPressMsg) bool {
	text := f.lists[l]
	switch {
	case msg.String() == "enter":
		f.Next(1)
		return true
	case msg.String() == "backspace":
		r := []rune(text)
		f.lists[l] = string(r[:max(len(r)-1, 0)])
	case msg.String() == "ctrl+u":
		f.lists[l] = ""
	case msg.Text != "":
		f.lists[l] = head(text+visible(msg.Text), maxTyped)
	default:
		return false
	}
	return true
}

// visible is typed text made safe, with the space at its ends.
func visible(text string) string {
	if strings.TrimSpace(text) == "" {
		return " "
	}
	return safetext.Line(text)
}

// withLists returns the chosen mode with the lists that were typed. An error is of
// the field at that spot.
func (f *NewDebate) withLists() (m debate.Mode, at spot, err error) {
	m = f.modes[f.mode]
	for _, at := range []spot{onPerspectives, onOptions, onCriteria} {
		l := listAt[at]
		text := strings.TrimSpace(f.lists[l])
		if text == "" || !f.has(at) {
			continue
		}
		if m, err = m.WithList(l, strings.Split(text, ";")); err != nil {
			return m, at, err
		}
	}
	return m, f.at, nil
}

// listLines draws the lists that the mode has: what was typed, or where they come from.
func (v *form) listLines() {
	for _, at := range []spot{onPerspectives, onOptions, onCriteria} {
		if !v.has(at) {
			continue
		}
		l := listAt[at]
		name := map[debate.List]string{debate.PerspectivesList: "Perspective", debate.OptionsList: "Options", debate.CriteriaList: "Criteria"}[l]
		text := v.lists[l]
		switch {
		case text == "":
			v.field(at, name, v.th.Faint.Render(fit(v.th, v.origin(l), v.room())))
		case v.at == at:
			v.field(at, name, v.th.Text.Render(v.tail(text)))
		default:
			v.field(at, name, v.th.Text.Render(fit(v.th, safetext.Line(text), v.room())))
		}
	}
}

// tail is the end of a typed text, with room for the cursor; its mark stands for the rest.
func (v *form) tail(text string) string {
	over := ansi.StringWidth(text) - max(v.room()-2, 1)
	if over <= 0 {
		return text
	}
	return ansi.TruncateLeft(text, over+1, v.th.Symbols.Cut)
}

// head returns the first n characters of a text.
func head(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}

// origin says where a list comes from that is not typed.
func (v *form) origin(l debate.List) string {
	m := v.modes[v.mode]
	items := safetext.Line(strings.Join(m.List(l), "; "))
	switch {
	case v.offer.Light != nil && m.Fill != "" && !m.IsGiven(l):
		return fmt.Sprintf("%s names them for the question; type your own with ; between", safetext.Line(v.offer.Light.Name))
	default:
		return items
	}
}
