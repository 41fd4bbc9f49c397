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
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// Session returns the debate as filled in. If something is missing, it returns an
// error and focuses the field.
func (f *Form) Session() (debate.Session, error) {
	s, at, err := f.session()
	if s.Topic == "" {
		at, err = fieldTopic, errors.New("enter a topic first")
	}
	if err != nil {
		f.setFocus(at)
		return debate.Session{}, err
	}
	return s, nil
}

// session returns the debate as filled in. If something but the topic is missing, it returns an
// error and the field to focus.
func (f *Form) session() (s debate.Session, at field, err error) {
	s = f.drafted()
	s.Evidence = nil
	var limited, counted error
	s.Budget.USD, limited = optional(f.texts["Budget"], budget.ParseUSD)
	s.Budget.Tokens, counted = optional(f.texts["Tokens"], budget.ParseTokens)
	if len(f.modes) > 0 {
		at, err = f.setQuestion(&s)
	}
	switch {
	case !f.loaded:
		return s, fieldTopic, errors.New("models are still being looked for")
	case len(f.modes) == 0:
		return s, fieldMode, errors.New("no mode can be used; `roundtable modes` says why")
	case err != nil:
		return s, at, err
	case f.noModel():
		return s, fieldPanel, control.NoModel()
	case limited != nil:
		return s, fieldBudget, limited
	case counted != nil:
		return s, fieldTokens, counted
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		return s, fieldPanel, err
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		return s, fieldWorkspace, err
	}
	if e := unpriced(s, s.Budget.USD); e != nil && f.texts["Budget"] != usd(f.options.Budget.USD) {
		return s, fieldBudget, fmt.Errorf(
			"no price for %s; remove the budget, limit the tokens as well, or set price_in and price_out in the config",
			nameList(e.Speakers))
	} else if e != nil {
		s.Budget.USD = 0 // as was offered; the form says so
	}
	return s, at, nil
}

const notHeld = "not held: price unknown"

// unpriced returns for which speakers a limit in dollars cannot be held; nil if it can.
func unpriced(s debate.Session, limit float64) *debate.UnpricedError {
	s.Budget.USD = limit
	e := (*debate.UnpricedError)(nil)
	errors.As(s.CheckBudget(), &e)
	return e
}

// setQuestion sets the mode of a debate with what was typed for it, the kind of question and
// its unit. If something is invalid, it returns an error and the field to focus.
func (f *Form) setQuestion(s *debate.Session) (at field, err error) {
	s.Mode = f.mode()
	for _, one := range []struct {
		at   field
		list func(debate.Mode, []string) (debate.Mode, error)
	}{{fieldPerspectives, debate.Mode.WithPerspectives}, {fieldOptions, debate.Mode.WithOptions}} {
		r := f.rows[one.at]
		content := strings.TrimSpace(f.texts[r.name])
		if content == "" || !r.has() {
			continue
		}
		with, err := one.list(s.Mode, strings.Split(content, ";"))
		if err != nil && !errors.Is(err, debate.ErrNoOptions) {
			return one.at, err
		}
		if err == nil {
			s.Mode = with
		}
	}
	s.Question, err = s.Mode.QuestionFor(f.kind())
	switch {
	case errors.Is(err, debate.ErrNoOptions):
		return fieldOptions, errors.New("enter at least two options, with ; between them")
	case err != nil:
		return fieldKind, err
	case f.hasField(fieldDraft) && f.draftFile > 0:
		at = fieldDraft
		s.Mode, err = s.Mode.WithDraft(fmt.Sprintf("F%d", f.draftFile))
	case f.rows[fieldUnit].has():
		at = fieldUnit
		s.Unit, err = s.Question.UnitFor(f.texts["Unit"])
	}
	return at, err
}

// drafted returns the debate as filled in so far, unchecked: its mode without an invalid list,
// with the files that were found by now, and without limits.
func (f *Form) drafted() debate.Session {
	s := debate.Session{
		Topic: cmp.Or(f.Topic(), f.sampleTopic()), Rounds: f.rounds, Chair: f.panel.current().Chair, Light: f.panel.current().Light,
		Caps: f.options.Caps, Fit: f.options.Fit, Budget: f.options.Budget, Ends: f.ending(), Workspace: f.workspace(),
	}
	if s.Mode = f.mode(); len(f.modes) > 0 {
		_, _ = f.setQuestion(&s) // session says what is wrong
	}
	s.Seats = text.Each(f.panel.chosen(), func(o SeatOption) agents.Profile { return f.effort.apply(o).Profile })
	for _, found := range f.files.found(s.Topic) {
		if found.Read != nil {
			s.Evidence = append(s.Evidence, found.Read...)
			continue
		}
		n := min(int(found.Size), debate.MaxEvidenceSize)
		s.Evidence = append(s.Evidence, debate.Evidence{
			Name: found.Name, Size: n, Text: strings.Repeat(assumedLine, n/len(assumedLine)),
		})
	}
	return s
}

// assumedLine stands for the lines of files that were found but not read yet.
const assumedLine = "A line of text as files have them.\n"

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
	Topic    string              `json:"topic"`
	Mode     string              `json:"mode"`
	Kind     debate.QuestionKind `json:"question,omitempty"`
	Rounds   int                 `json:"rounds"` // 0 for the default of the mode
	Ends     debate.Ends         `json:"ends,omitempty"`
	Texts    map[string]string   `json:"texts,omitempty"`    // by the names of the rows
	Files    []string            `json:"files,omitempty"`    // their paths
	Mentions []string            `json:"mentions,omitempty"` // words of the topic that were typed as @paths
}

// Draft returns the contents of the form for Restore; it is "" if nothing was typed.
func (f *Form) Draft() string {
	d := draft{Kind: f.chosenKind, Ends: f.ends, Mode: cmp.Or(f.wantedMode, f.mode().Name)}
	if f.roundsFixed {
		d.Rounds = f.rounds
	}
	d.Topic, d.Files, d.Texts = f.topic.Text(), f.files.paths, map[string]string{}
	for name, content := range f.texts {
		if content != "" && name != "Workspace" { // a database of somebody else must not name a folder
			d.Texts[name] = content
		}
	}
	d.Mentions = text.Each(f.files.mentions.In(d.Topic), func(m cite.Mention) string { return m.Word })
	typed := f.texts["Options"] + f.texts["Unit"] + f.texts["Perspective"]
	if !f.Typed() && typed == "" && len(f.files.paths) == 0 {
		return ""
	}
	raw, err := json.Marshal(d)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return string(raw)
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
	clear(f.history[:])
	f.Attach(d.Files)
	f.files.mentions.Add(d.Mentions...)
	for _, r := range f.rows {
		if content, ok := d.Texts[r.name]; ok && r.typed && r.name != "Workspace" {
			f.texts[r.name] = text.Head(text.Line(content), maxTyped)
		}
	}
	if slices.Contains(debate.AllEnds(), d.Ends) {
		f.ends = d.Ends
	}
	if slices.Contains(debate.QuestionKinds(), d.Kind) {
		f.chosenKind = d.Kind
	}
	return nil
}

// LookAtFiles returns a command that finds the files of a restored draft.
func (f *Form) LookAtFiles() tea.Cmd {
	paths := slices.Clone(f.files.paths)
	for _, m := range f.files.mentions.In(f.topic.Text()) {
		paths = append(paths, m.Paths()...)
	}
	return f.files.service.Look(paths...)
}

func (f *Form) textState() input.State {
	if r, ok := f.typed(); ok {
		return input.State{Text: f.texts[r.name], Column: utf8.RuneCountInString(f.texts[r.name])}
	}
	return f.topic.State()
}

// recording returns what records how the focused text changes until it is called.
func (f *Form) recording() func() {
	at, before := f.focused, f.textState()
	return func() {
		if at == f.focused { // else the key has moved the focus
			f.history[at].Record(before, f.textState())
		}
	}
}

// Undo reverts the last change of the focused text; ok is false if there is none.
func (f *Form) Undo() (out screen.Outcome, ok bool) {
	previous, ok := f.history[f.focused].Undo()
	if !ok {
		return nil, false
	}
	if _, line := f.typed(); line {
		return f.setText(f.focused, previous.Text), true
	}
	f.topic.Restore(previous)
	f.fitTopic()
	return nil, true
}

// ConfirmReview asks before a review begins. Notes say what is not shown to the seats, and company
// names who receives what a provider is sent.
func ConfirmReview(
	s debate.Session, past budget.Past, notes, servers []string, company func(provider string) (name string, local bool),
) screen.Question {
	words := fmt.Sprintf("%s %s, %s, %s.", s.Topic, text.Count(len(s.Seats), "seat"), budget.EstimateAfter(s, past).Brief(),
		control.GoesTo(s, servers, company))
	if len(notes) > 0 {
		list := strings.ReplaceAll(strings.Join(notes, "; "), ".;", ";") // some are sentences
		words += " Not shown as it is: " + strings.TrimSuffix(list, ".") + "."
	}
	return screen.Question{
		Text:  words,
		About: screen.Start, Verb: "review", Do: func() screen.Outcome { return screen.Outcome{Create{s}} },
	}
}
