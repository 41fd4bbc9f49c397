package setup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// Session returns the debate as filled in. If something is missing, it returns an
// error and focuses the field.
func (f *Form) Session() (debate.Session, error) {
	s := f.session()
	if s.Topic == "" {
		f.setFocus(fieldTopic)
		return debate.Session{}, fmt.Errorf("enter a topic first")
	}
	if len(f.modes) == 0 {
		return debate.Session{}, fmt.Errorf("no mode can be used; `roundtable modes` says why")
	}
	at, err := f.setQuestion(&s)
	if err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	if f.noModel() {
		f.setFocus(fieldPanel)
		return debate.Session{}, control.NoModel()
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		f.setFocus(fieldPanel)
		return debate.Session{}, err
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		f.setFocus(fieldWorkspace)
		return debate.Session{}, err
	}
	if s.Budget.USD, s.Budget.Tokens, at, err = f.budget(); err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	if unpriced := (*debate.UnpricedError)(nil); errors.As(s.CheckBudget(), &unpriced) {
		f.setFocus(fieldBudget)
		return debate.Session{}, fmt.Errorf(
			"no price for %s; remove the budget, limit the tokens as well, or set price_in and price_out in the config",
			nameList(unpriced.Speakers))
	}
	return s, nil
}

// session returns the debate as filled in so far, unchecked: its mode without an invalid list,
// and neither kind of question nor limits.
func (f *Form) session() debate.Session {
	s := debate.Session{
		Topic: cmp.Or(f.Topic(), f.sampleTopic()), Rounds: f.rounds, Chair: f.panel.current().Chair, Light: f.panel.current().Light,
		Caps: f.options.Caps, Fit: f.options.Fit, Budget: f.options.Budget, Ends: f.ending(),
		Workspace: f.folder.workspace(f.options),
	}
	s.Mode = f.mode()
	_, _ = f.setTyped(&s) // Session says what is wrong
	for _, o := range f.panel.chosen() {
		s.Seats = append(s.Seats, f.effort.apply(o.Profile))
	}
	return s
}

// drafted returns the debate as filled in so far, with the files that were found by now.
func (f *Form) drafted() debate.Session {
	s := f.session()
	s.Evidence = draftedEvidence(f.files.found(s.Topic))
	return s
}

// nameList names agents, each once.
func nameList(profiles []agents.Profile) string {
	var names []string
	for _, p := range profiles {
		if name := text.Line(p.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, " and ")
}

// draft is what the user has typed and chosen for a debate that has not begun. Who
// debates is not kept: the configuration says it.
type draft struct {
	Topic    string                 `json:"topic"`
	Mode     string                 `json:"mode"`
	Lists    map[debate.List]string `json:"lists,omitempty"`
	Question debate.QuestionKind    `json:"question,omitempty"`
	Rounds   int                    `json:"rounds"` // 0 for the default of the mode
	Ends     debate.Ends            `json:"ends,omitempty"`
	Budget   string                 `json:"budget"` // in dollars
	Tokens   string                 `json:"tokens"`

	Files    []string `json:"files,omitempty"`    // their paths
	Mentions []string `json:"mentions,omitempty"` // words of the topic that were typed as @paths
}

// Draft returns the contents of the form for Restore; it is "" if nothing was typed.
func (f *Form) Draft() string {
	lists := map[debate.List]string{}
	for l, text := range f.lists {
		if text != "" {
			lists[l] = text
		}
	}
	if !f.Typed() && len(lists)+len(f.files.paths) == 0 {
		return ""
	}
	d := f.choices()
	if f.pendingDraft != nil { // the options are not known yet, so its choices still apply
		d = *f.pendingDraft
	}
	d.Topic, d.Lists, d.Files = f.topic.Text(), lists, f.files.paths
	for _, m := range f.files.mentions.In(d.Topic) {
		d.Mentions = append(d.Mentions, m.Word)
	}
	raw, err := json.Marshal(d)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return string(raw)
}

// choices returns a draft of everything but the typed text.
func (f *Form) choices() draft {
	d := draft{
		Question: f.chosenQuestion, Ends: f.ends,
		Budget: f.usd.text, Tokens: f.tokens.text,
	}
	if f.modeIndex < len(f.modes) {
		d.Mode = f.modes[f.modeIndex].Name
	}
	if f.roundsFixed {
		d.Rounds = f.rounds
	}
	return d
}

// Restore fills the form with a draft. Choices that no longer exist are ignored.
func (f *Form) Restore(kept string) error {
	var d draft
	if err := json.Unmarshal([]byte(kept), &d); err != nil {
		return fmt.Errorf("read the draft of the new debate: %w", err)
	}
	f.Prefill(d.Topic, d.Mode, d.Rounds)
	f.prefilled = ""
	f.topic.MoveToEnd()
	clear(f.history)
	for l, content := range d.Lists {
		f.lists[l] = firstRunes(text.Line(content), maxTyped)
	}
	f.files.restore(input.State{Text: strings.Join(append(slices.Clone(d.Files), ""), "\n")})
	f.files.mentions.Add(d.Mentions...)
	f.pendingDraft = &d
	f.applyDraft()
	return nil
}

// applyDraft applies the choices of a restored draft once the options are known.
func (f *Form) applyDraft() {
	d := f.pendingDraft
	if d == nil || !f.loaded {
		return
	}
	f.pendingDraft = nil
	if slices.Contains(debate.AllEnds(), d.Ends) {
		f.ends = d.Ends
	}
	f.usd = amount{firstRunes(text.Line(d.Budget), maxAmount), true}
	f.tokens = amount{firstRunes(text.Line(d.Tokens), maxAmount), true}
	if slices.Contains(debate.QuestionKinds(), d.Question) {
		f.chosenQuestion = d.Question
	}
}

// LookAtFiles returns a command that finds the files of a restored draft.
func (f *Form) LookAtFiles() tea.Cmd {
	paths := slices.Clone(f.files.paths)
	for _, m := range f.files.mentions.In(f.topic.Text()) {
		paths = append(paths, m.Paths()...)
	}
	return f.files.service.Look(paths...)
}

// edit is an undo entry: a text of the form before a key.
type edit struct {
	at field
	input.State
}

// textState returns the focused text.
func (f *Form) textState() edit {
	e := edit{at: f.focused}
	if l, ok := f.lineAt(f.focused); ok {
		e.State = input.State{Text: l.text, Column: utf8.RuneCountInString(l.text)}
	} else if f.focused == fieldFiles {
		e.State = f.files.state()
	} else if f.focused == fieldTopic {
		e.State = f.topic.State()
	}
	return e
}

// recordUndo records a change of the focused text.
func (f *Form) recordUndo(before edit) {
	if before.at != f.focused { // the key has moved the focus
		return
	}
	f.historyAt(f.focused).Record(before.State, f.textState().State)
}

func (f *Form) historyAt(at field) *input.History {
	if f.history[at] == nil {
		f.history[at] = &input.History{}
	}
	return f.history[at]
}

// Undo reverts the last change of the focused text; ok is false if there is none.
func (f *Form) Undo() (out screen.Outcome, ok bool) {
	h := f.history[f.focused]
	if h == nil {
		return nil, false
	}
	previous, ok := h.Undo()
	if !ok {
		return nil, false
	}
	switch l, line := f.lineAt(f.focused); {
	case line:
		return l.set(previous.Text), true
	case f.focused == fieldFiles:
		f.files.restore(previous)
	default:
		f.topic.Restore(previous)
		f.fitTopic()
	}
	return nil, true
}
