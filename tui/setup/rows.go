package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
)

type field int

const (
	fieldTopic field = iota
	fieldKind
	fieldOptions
	fieldUnit
	fieldPanel
	fieldMode
	fieldFiles
	fieldDraft
	fieldMore // folds the rows from here to fieldWorkspace
	fieldRounds
	fieldEnds
	fieldPerspectives
	fieldBudget
	fieldTokens
	fieldEffort
	fieldWorkspace
	fieldStart
)

type row struct {
	name  string
	has   func() bool           // nil: always
	value func() string         // what it is set to; nil: it has lines of its own
	note  func() string         // what stands beside the value, or below it; nil: nothing
	step  func(n int)           // what the arrow keys change; nil: nothing
	enter func() screen.Outcome // nil: enter goes to the next row
	typed bool                  // its text is typed in one line, and kept by the name of the row
	empty func() string         // what holds while nothing is typed
	lines func(v *layout)       // draws it, or more below it
}

func (f *Form) table() []row {
	rows := make([]row, fieldStart+1)
	rows[fieldKind] = row{
		name: "Kind", value: f.kindText, note: f.kindNote,
		step: func(n int) { f.chosenKind = step(f.mode().QuestionKinds(), f.kind(), n) },
	}
	rows[fieldOptions] = row{
		name: "Options", typed: true, empty: screen.Say("type at least two, separated by ;"),
		has: func() bool { return f.mode().TakesOptions() == nil && f.kind() == debate.QuestionChoice },
	}
	rows[fieldUnit] = row{
		name: "Unit", typed: true, empty: screen.Say("such as weeks, or none for a bare count"),
		has: func() bool { return f.kind() == debate.QuestionEstimate },
	}
	rows[fieldPanel] = row{name: "Panel", step: func(n int) { f.panel.change(f, n) }, lines: (*layout).panelLines}
	rows[fieldMode] = row{name: "Mode", step: f.stepMode, enter: f.chooseMode, lines: (*layout).modeLines}
	rows[fieldFiles] = row{
		name: "Files", lines: (*layout).fileLines, has: func() bool { return !f.files.service.Off() },
		enter: func() screen.Outcome { return f.files.mention(f) },
	}
	rows[fieldDraft] = row{name: "Draft", value: f.draftText, step: func(n int) {
		k := len(f.files.found(f.Topic())) + 1
		f.draftFile = (f.draftFile + n + k) % k
	}, has: func() bool { return f.mode().Critiques() && len(f.files.found(f.Topic())) > 0 }}
	rows[fieldMore] = row{name: "More", value: f.moreText, step: func(int) { f.more = !f.more }, enter: func() screen.Outcome {
		f.more = !f.more
		return nil
	}}
	f.moreRows(rows)
	return rows
}

func (f *Form) moreRows(rows []row) {
	rows[fieldRounds] = row{
		name: "Rounds", value: func() string { return fmt.Sprint(f.rounds) }, note: f.roundsNote,
		step: func(n int) { f.setRounds(f.rounds + n*f.mode().Whole(1)) },
	}
	rows[fieldEnds] = row{
		name: "Ends", value: func() string { return cmp.Or(f.ending().String(), "after the last round") },
		step: func(n int) { f.ends = step(debate.AllEnds(), f.ending(), n) },
	}
	rows[fieldPerspectives] = row{
		name: "Perspective", typed: true, empty: func() string { return text.Line(strings.Join(f.mode().Perspectives, "; ")) },
		has: func() bool { return len(f.mode().Perspectives) > 0 },
	}
	rows[fieldBudget] = row{
		name: "Budget", typed: true, value: f.usdText, empty: screen.Say("none"), note: f.usdNote,
	}
	rows[fieldTokens] = row{
		name: "Tokens", typed: true, value: func() string { return f.texts["Tokens"] }, empty: screen.Say("none"), note: f.tokensNote,
	}
	rows[fieldEffort] = row{
		name: "Effort", value: func() string { return cmp.Or(string(f.effort), "as configured") }, note: f.effortNote, has: f.panel.reasons,
		step: func(n int) { f.effort = step([]effort{"", "minimal", "low", "medium", "high"}, f.effort, n) },
	}
	rows[fieldWorkspace] = row{
		name: "Workspace", typed: true, note: f.folderNote,
		step: func(n int) {
			if f.texts["Workspace"] != "" { // else the change would not be seen
				f.folderMode = step(folderModes(), f.folderMode, n)
			}
		},
		empty: screen.Say("none; type a folder that seats may read"),
		has:   func() bool { return f.options.Workspace.Dir != "" || !f.files.service.Off() },
	}
}

// canFocus reports whether a field can have the focus: a kind that is fixed is only shown.
func (f *Form) canFocus(at field) bool {
	return f.hasField(at) && (at != fieldKind || len(f.mode().QuestionKinds()) > 1)
}

func (f *Form) hasField(at field) bool {
	if at > fieldMore && at < fieldStart && !f.more {
		return false
	}
	has := f.rows[at].has
	return has == nil || has()
}

// step returns the value n places further; after the last one comes the first.
func step[T comparable](all []T, now T, n int) T {
	if len(all) == 0 {
		return now
	}
	return all[((slices.Index(all, now)+n)%len(all)+len(all))%len(all)]
}

func (f *Form) kindText() string {
	switch {
	case f.mode().Reviews():
		return "a list of findings"
	case f.mode().Critiques():
		return "the author's text"
	}
	return f.kind().Description()
}

func (f *Form) kindNote() string {
	switch {
	case len(f.mode().QuestionKinds()) > 1:
		return ""
	case f.mode().Question != debate.QuestionUnset:
		return "set by the mode"
	}
	return "set by the options"
}

// kind returns the kind of question in effect: the one that was chosen, if the mode has it.
func (f *Form) kind() debate.QuestionKind {
	kinds := f.mode().QuestionKinds()
	for _, k := range []debate.QuestionKind{f.chosenKind, debate.QuestionOpen} {
		if slices.Contains(kinds, k) {
			return k
		}
	}
	return kinds[0]
}

func (f *Form) draftText() string {
	if all := f.files.found(f.Topic()); f.draftFile > 0 && f.draftFile <= len(all) {
		return text.Line(all[f.draftFile-1].Name) + ": the critics begin with it"
	}
	return "the author writes it"
}

// limits says what the debate may spend at most.
func (f *Form) limits() (words []string) {
	if usd := f.usdText(); usd != "" {
		words = append(words, "at most "+usd)
	}
	if tokens := f.texts["Tokens"]; tokens != "" {
		words = append(words, "at most "+tokens+" tok")
	}
	return words
}

func (f *Form) moreText() string {
	if f.more {
		return "less"
	}
	words := []string{text.Count(f.rounds, "round")}
	if early := f.ending().String(); early != "" {
		words = append(words, early)
	}
	words = append(words, f.limits()...)
	if f.effort != "" && f.panel.reasons() {
		words = append(words, "effort "+string(f.effort))
	}
	if w := f.workspace(); w.Dir != "" {
		words = append(words, fmt.Sprintf("workspace %s (%s)", attach.Short(w.Dir, 24), w.Mode))
	}
	return strings.Join(words, " "+f.th.Symbols.Sep+" ")
}

func (f *Form) roundsNote() string {
	switch {
	case f.mode().Reviews():
		return "one to find defects, one to judge them"
	case f.mode().Critiques():
		return "a text with its concerns, then the answers to them"
	}
	return fmt.Sprintf("default %d", cmp.Or(f.mode().Rounds, f.rounds))
}

func (f *Form) setRounds(n int) {
	f.rounds, f.roundsFixed = max(f.mode().Whole(1), min(f.mode().Whole(n), f.mostRounds())), true
}

// optional returns what parse does with a typed text; without one there is no limit.
func optional[T any](content string, parse func(string) (T, error)) (none T, err error) {
	if content == "" {
		return none, nil
	}
	return parse(content)
}

// usd and tokens return limits as they are typed; "" for none.
func usd(limit float64) string {
	if limit <= 0 {
		return ""
	}
	return budget.FormatUSD(limit)
}

func tokens(limit int) string {
	if limit <= 0 {
		return ""
	}
	return text.Number(limit)
}

func (f *Form) usdText() string {
	content := f.texts["Budget"]
	if content != "" && strings.Contains(".0123456789", content[:1]) {
		return "$" + content
	}
	return content
}

func (f *Form) usdNote() string {
	limit, err := optional(f.texts["Budget"], budget.ParseUSD)
	if limit > 0 && unpriced(f.drafted(), limit) != nil {
		return notHeld
	}
	return limitNote("dollars, such as 0.50", limit > 0, err)
}

func (f *Form) tokensNote() string {
	limit, err := optional(f.texts["Tokens"], budget.ParseTokens)
	return limitNote("tokens, such as 50k", limit > 0, err)
}

func limitNote(of string, limited bool, err error) string {
	switch {
	case err != nil:
		return text.Line(err.Error())
	case limited:
		return "never exceeded"
	}
	return "no limit; type " + of
}

// typed returns the row with the focus if its text is typed.
func (f *Form) typed() (r row, ok bool) {
	r = f.rows[f.focused]
	return r, r.typed
}

const maxTyped = 1000

func (f *Form) setText(at field, content string) screen.Outcome {
	kept := text.Head(content, maxTyped)
	f.texts[f.rows[at].name], f.fresh = kept, false
	if at == fieldWorkspace {
		return screen.Run(f.files.service.Look(kept))
	}
	if kept != content {
		return screen.Tell(screen.Warning, fmt.Sprintf("This row has at most %d characters; the rest was dropped.", maxTyped))
	}
	return nil
}

// addText adds to the text of the focused row. An amount that was not typed is replaced.
func (f *Form) addText(more string) screen.Outcome {
	before := f.texts[f.rows[f.focused].name]
	if f.fresh && (f.focused == fieldBudget || f.focused == fieldTokens) {
		before = ""
	}
	return f.setText(f.focused, before+more)
}

func (f *Form) typeLine(msg tea.KeyPressMsg) screen.Outcome {
	r, _ := f.typed()
	content := f.texts[r.name]
	switch k := msg.String(); {
	case k == "enter", k == "down":
		f.Next(1)
	case k == "up":
		f.Next(-1)
	case k == "right":
		f.Change(1)
	case k == "left":
		f.Change(-1)
	case k == "backspace":
		_, n := utf8.DecodeLastRuneInString(content)
		return f.setText(f.focused, content[:len(content)-n])
	case k == "ctrl+u":
		return f.setText(f.focused, "")
	case msg.Text != "":
		return f.addText(safeTyped(msg.Text))
	}
	return nil
}

// Paste inserts text into the focused field.
func (f *Form) Paste(content string) screen.Outcome {
	defer f.recording()()
	pasted := text.Line(content)
	switch {
	case f.focused == fieldTopic && f.files.begun() && !strings.ContainsAny(pasted, " @"): // the path after an @ that was typed
		return f.files.inTopic.Insert(pasted)
	case f.focused == fieldTopic:
		cmd, refused := f.topic.Paste(content)
		return f.topicChanged(cmd, refused)
	}
	if f.focused > fieldMore && f.focused != fieldPerspectives {
		pasted = strings.Trim(pasted, ` '"`)
	}
	if _, ok := f.typed(); ok {
		return f.addText(pasted)
	}
	return nil
}

// safeTyped makes typed text safe, and a blank a space.
func safeTyped(content string) string {
	if strings.TrimSpace(content) == "" {
		return " "
	}
	return text.Line(content)
}

// effort is how long all seats are asked to reason; "" is what the configuration says of each.
type effort string

func (e effort) apply(s SeatOption) SeatOption {
	if e != "" && s.Profile.Provider != debate.DemoProvider {
		s.Profile.ReasoningEffort = string(e)
	}
	return s
}

func (f *Form) effortNote() string {
	if f.effort != "" {
		return "reasoning_effort of all seats; not every model has it"
	}
	var all []string
	for _, s := range f.panel.chosen() {
		if e := s.Profile.ReasoningEffort; e != "" {
			all = append(all, text.Line(s.Profile.Name)+" "+text.Line(e))
		}
	}
	return text.List(all)
}
