package setup

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// valueAt is the column of the values.
const valueAt = 15

// layout collects the lines of the view and which of them have the focus.
type layout struct {
	*Form
	drafted     debate.Session // as filled in so far
	lines       []string
	top, bottom int
	topicAt     int
	fileRow     int // where the path of a file is typed
	foot        int // the first line of what is always shown
}

// View draws the form.
func (f *Form) View(screen.Frame) string {
	v := f.draw()
	rows := f.height - (len(v.lines) - v.foot)
	if rows < leastRows {
		return f.viewport.View(f.th, v.lines, v.top, v.bottom, f.width, f.height)
	}
	last := v.foot - 1
	view := f.viewport.View(f.th, v.lines[:v.foot], min(v.top, last), min(v.bottom, last), f.width, rows)
	for _, line := range v.lines[v.foot:] {
		view += "\n" + f.th.Fit(line, f.width)
	}
	return view
}

// leastRows is how many rows the form needs besides the estimate and the start for them to
// be always shown.
const leastRows = 8

// Cursor returns the position of the cursor relative to the top left of the last view;
// it is nil if no text field has the focus.
func (f *Form) Cursor() *tea.Cursor {
	v := f.draw()
	typed, row := "", v.top
	switch l, line := f.lineAt(f.focused); {
	case line:
		typed = v.visibleTail(l.shown)
	case f.focused == fieldFiles:
		typed, row = v.visibleTail(f.files.typed), v.fileRow
	case f.focused == fieldTopic:
		c := f.topic.Cursor()
		if c != nil {
			c.X += valueAt
			c.Y += f.viewport.Row(v.topicAt)
		}
		return c
	default:
		return nil
	}
	return tea.NewCursor(valueAt+ansi.StringWidth(typed), f.viewport.Row(row))
}

func (f *Form) draw() *layout {
	v := &layout{Form: f, drafted: f.drafted()}
	if v.height >= 22 {
		v.addGap()
	}
	v.topicLines()
	v.addGap()
	v.panelLines()
	v.addGap()
	v.modeLines()
	v.fileLines()
	v.draftLine()
	v.limitLines()
	if v.height >= 22 {
		v.addGap()
	}
	v.foot = len(v.lines)
	v.addWrapped("Goes to", v.recipients())
	v.addWrapped("Estimate", v.estimate())
	if words := evidenceShare(v.drafted); words != "" {
		v.addWrapped("Evidence", words)
	}
	v.startLine()
	return v
}

// addGap adds a blank line, unless the screen has too few rows.
func (v *layout) addGap() {
	if v.height >= 20 {
		v.lines = append(v.lines, "")
	}
}

// addLine adds a line: the mark of the focus, a label and a value.
func (v *layout) addLine(marked bool, label string, style lipgloss.Style, value string) {
	mark := ""
	if marked {
		mark, style = v.th.Symbols.Focus, v.th.Accent
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	v.lines = append(v.lines, v.th.Columns(theme.Column{Text: " " + mark, Width: 3, Style: v.th.Accent},
		theme.Column{Text: label, Width: valueAt - 3, Style: style})+value)
}

func (v *layout) addField(at field, label, value string) {
	v.addLine(v.focused == at, label, v.th.Muted, value)
}

func (v *layout) addMore(at field, label, value string) {
	v.addLine(false, label, v.th.Faint, value)
	if v.focused == at {
		v.bottom = len(v.lines) - 1
	}
}

// addNote adds a line that belongs to no field.
func (v *layout) addNote(label, value string) { v.addLine(false, label, v.th.Muted, value) }

// addWrapped adds a note in as many lines as it needs, since who receives the text and
// what it costs must not be cut.
func (v *layout) addWrapped(label, text string) {
	for _, l := range theme.Wrap(text, v.room()) {
		v.addNote(label, v.th.Text.Render(strings.TrimLeft(l, " ")))
		label = ""
	}
}

// topicLines draws the topic, with its length if it scrolls.
func (v *layout) topicLines() {
	v.topicAt = len(v.lines)
	if v.topic.Placeholder = ""; v.sampleTopic() != "" {
		v.topic.Placeholder = v.sampleTopic() + " It reviews a sample."
	}
	for i, l := range strings.Split(v.topic.View(), "\n") {
		switch {
		case i == 0:
			v.addField(fieldTopic, "Topic", l)
		case i == 1 && v.scrolls():
			v.addMore(fieldTopic, fmt.Sprintf("%d chars", utf8.RuneCountInString(v.topic.Text())), l)
		default:
			v.addMore(fieldTopic, "", l)
		}
	}
}

// scrolls reports whether the topic has more rows than are visible.
func (f *Form) scrolls() bool {
	if f.topic.Height() < maxTopicRows {
		return false
	}
	if f.topic.ScrollYOffset() > 0 || f.topic.Length() > maxTopicRows*f.topic.Width() {
		return true
	}
	rows := 0
	for l := range strings.SplitSeq(f.topic.Value(), "\n") {
		if rows += len(theme.Wrap(l+" ", f.topic.Width())); rows > maxTopicRows {
			return true
		}
	}
	return false
}

func (v *layout) modeLines() {
	th := v.th
	if len(v.modes) == 0 {
		v.addField(fieldMode, "Mode", th.Danger.Render("none can be used; `roundtable modes` says why"))
		return
	}
	m := v.modes[v.modeIndex]
	width, about := min(max(17, ansi.StringWidth(text.Line(m.Name))+1), v.room()), text.Line(m.Summary)
	name, beside := theme.Column{Text: text.Line(m.Name), Width: width, Style: v.valueTheme(fieldMode).Text}, ""
	if ansi.StringWidth(about) <= v.room()-width {
		beside, about = about, ""
	}
	v.addField(fieldMode, "Mode", th.Columns(name, theme.Column{Text: beside, Width: v.room() - width, Style: th.Muted}))
	v.wrapMode("", about, th.Muted)
	v.wrapMode("use it for", text.Line(m.Use), th.Text)
	for _, fault := range v.options.Faults {
		for _, l := range theme.Wrap(text.Line(fault), v.room()) {
			v.addNote("", th.Warning.Render(l))
		}
	}
	v.questionLine()
	v.typedLines()
}

// wrapMode adds a text about the mode in as many lines as it needs.
func (v *layout) wrapMode(label, about string, style lipgloss.Style) {
	if about == "" {
		return
	}
	for _, l := range theme.Wrap(about, v.room()) {
		v.addMore(fieldMode, label, style.Render(strings.TrimLeft(l, " ")))
		label = ""
	}
}

func (v *layout) room() int { return v.width - valueAt - 1 }

// valueTheme returns the theme for a value that arrow keys change.
func (v *layout) valueTheme(at field) *theme.Theme {
	if v.focused == at {
		return v.th.Selected()
	}
	return v.th
}

// Widths of the columns of a seat.
const (
	boxWidth    = 6
	leastName   = 7
	mostName    = 16
	leastModel  = 15
	leastSource = 8
	mostSource  = 20
	priceWidth  = 15
)

// roundsNote says what the rounds are for.
func (v *layout) roundsNote() string {
	if v.mode().Reviews() {
		return "one to find defects, one to judge them"
	}
	if v.mode().Critiques() {
		return "a text with its concerns, then the answers to them"
	}
	return fmt.Sprintf("default %d; more rarely change a vote", cmp.Or(v.mode().Rounds, v.rounds))
}

// limitLines draws the rounds, and what else can be set or in a row what is.
func (v *layout) limitLines() {
	th := v.th
	value := func(at field, text string, width int) string {
		valueTheme := v.valueTheme(at)
		return valueTheme.Columns(theme.Column{Text: text, Width: width, Style: valueTheme.Text})
	}
	v.addField(fieldRounds, "Rounds",
		value(fieldRounds, fmt.Sprint(v.rounds), 6)+th.Faint.Render(v.roundsNote()))
	if v.addField(fieldMore, "More", value(fieldMore, v.set(), v.room())); !v.more {
		return
	}
	v.addField(fieldEnds, "Ends", value(fieldEnds, cmp.Or(v.ending().String(), "after the last round"), v.room()))
	_, usdErr := optional(v.usd.text, budget.ParseUSD)
	_, tokensErr := optional(v.tokens.text, budget.ParseTokens)
	v.amountLine(fieldBudget, "Budget", "no limit in dollars", usdErr)
	v.amountLine(fieldTokens, "Tokens", "no limit in tokens", tokensErr)
	v.effortLine()
	v.workspaceLine()
}

// set says what is set in the rows that are folded.
func (v *layout) set() string {
	if v.more {
		return "less"
	}
	words := []string{cmp.Or(v.ending().String(), "ends after the last round")}
	for _, at := range []field{fieldBudget, fieldTokens} {
		if limit := v.shownAmount(at); limit != "" {
			words = append(words, "at most "+limit+map[field]string{fieldTokens: " tok"}[at])
		}
	}
	if len(words) == 1 {
		words = append(words, "no budget")
	}
	if v.effort != "" && v.panel.reasons() {
		words = append(words, "effort "+string(v.effort))
	}
	if w := v.folder.workspace(v.options); w.Dir != "" {
		words = append(words, fmt.Sprintf("workspace %s (%s)", attach.Short(w.Dir, 24), w.Mode))
	}
	return v.th.Truncate(strings.Join(words, " "+v.th.Symbols.Sep+" "), v.room())
}

// evidenceShare says how many tokens of evidence each seat reads in each round; "" if
// there is none.
func evidenceShare(s debate.Session) string {
	if len(s.Evidence) == 0 || len(s.Seats) == 0 {
		return ""
	}
	cut := false
	least, most := math.MaxInt, 0
	for _, p := range s.Seats {
		n := budget.EvidenceTokens(s, p)
		least, most = min(least, n), max(most, n)
		cut = cut || n == s.Fit.EvidenceLimit(p)
	}
	words := "about " + text.Tokens(most)
	if least < most {
		words = text.Tokens(least) + " to " + text.Tokens(most)
	}
	words += " for each seat in each round"
	if cut {
		words += "; tools read the rest"
	}
	return words
}

// estimate estimates the debate as filled in.
func (v *layout) estimate() string {
	if len(v.panel.chosen()) == 0 || len(v.modes) == 0 {
		return "no seat chosen yet"
	}
	return budget.Line(v.drafted)
}

// draftedEvidence returns the evidence of files, estimated for those not read yet.
func draftedEvidence(all []attach.Found) []debate.Evidence {
	var out []debate.Evidence
	for _, f := range all {
		if f.Read != nil {
			out = append(out, f.Read...)
			continue
		}
		n := min(int(f.Size), debate.MaxEvidenceSize)
		out = append(out, debate.Evidence{Name: f.Name, Size: n, Text: strings.Repeat(assumedLine, n/len(assumedLine))})
	}
	return out
}

func (v *layout) recipients() string { return control.Recipients(v.drafted, v.recipient) }

// recipient names who receives the prompts of a provider, and says whether that is this
// machine.
func (v *layout) recipient(provider string) (name string, local bool) {
	i := slices.IndexFunc(v.panel.seats, func(s SeatOption) bool { return s.Profile.Provider == provider })
	if i < 0 {
		return provider, false
	}
	return v.panel.seats[i].Company, v.panel.seats[i].Local
}

func (v *layout) isLocal(provider string) bool {
	_, local := v.recipient(provider)
	return local
}

func (v *layout) startLine() {
	th, mark := v.valueTheme(fieldStart), " "
	if v.focused == fieldStart {
		mark = th.Symbols.Focus
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	text := " Start debate"
	v.lines = append(v.lines, v.th.Accent.Render(" "+mark+" ")+th.Success.Render(th.Symbols.Ready)+th.Text.Render(text)+
		th.Columns(theme.Column{Text: "ctrl+s", Width: max(0, min(v.width-10-len(text), 70-len(text))), Style: th.Faint, Right: true}))
}

// maxTyped is the largest length of a typed list in characters.
const maxTyped = 800

// reasons reports whether a seat can be asked for an effort: those of the demo cannot.
func (p *panelRow) reasons() bool {
	return slices.ContainsFunc(p.chosen(), func(s SeatOption) bool { return s.Profile.Provider != debate.DemoProvider })
}

// setList replaces a typed list, and says if a part of it did not fit.
func (f *Form) setList(l debate.List, content string) screen.Outcome {
	if f.lists[l] = firstRunes(content, maxTyped); f.lists[l] != content {
		return screen.Tell(screen.Warning, fmt.Sprintf("This list has at most %d characters; the rest was dropped.", maxTyped))
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

// typedLines draws the rows of typed texts: what was typed, or what holds without it.
func (v *layout) typedLines() {
	for _, row := range typedRows {
		if !v.hasField(row.at) {
			continue
		}
		content := v.lists[row.list]
		switch {
		case content == "":
			hint := cmp.Or(text.Line(strings.Join(v.drafted.Mode.List(row.list), "; ")), row.hint)
			v.addField(row.at, row.name, v.th.Faint.Render(v.th.Truncate(hint, v.room())))
		case v.focused == row.at:
			v.addField(row.at, row.name, v.th.Text.Render(v.visibleTail(content)))
		default:
			v.addField(row.at, row.name, v.th.Text.Render(v.th.Truncate(text.Line(content), v.room())))
		}
	}
}

// visibleTail returns the end of a typed text, with room for the cursor; a mark
// shows that text is hidden.
func (v *layout) visibleTail(text string) string {
	over := ansi.StringWidth(text) - max(v.room()-2, 1)
	if over <= 0 {
		return text
	}
	return ansi.TruncateLeft(text, over+1, v.th.Symbols.Cut)
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}

// mode returns the selected mode as it is offered; the zero value if there is none.
func (f *Form) mode() debate.Mode {
	if f.modeIndex >= len(f.modes) {
		return debate.Mode{}
	}
	return f.modes[f.modeIndex]
}

// question returns the kind of question in effect: the one that was chosen, if it can
// be chosen in the selected mode.
func (f *Form) question() debate.QuestionKind {
	kinds := f.mode().QuestionKinds()
	for _, k := range []debate.QuestionKind{f.chosenQuestion, debate.QuestionOpen} {
		if slices.Contains(kinds, k) {
			return k
		}
	}
	return kinds[0]
}

// setQuestion sets the mode of a debate with the typed lists, the kind of question and its
// unit. If something is invalid, it returns an error and the field to focus.
func (f *Form) setQuestion(s *debate.Session) (at field, err error) {
	s.Mode = f.mode()
	at, err = f.setTyped(s)
	if err == nil {
		s.Question, err = s.Mode.QuestionFor(f.question())
	}
	if errors.Is(err, debate.ErrNoOptions) {
		return fieldOptions, errors.New("enter at least two options, separated by ;")
	}
	if err == nil && f.hasField(fieldDraft) && f.draftFile > 0 {
		at = fieldDraft
		s.Mode, err = s.Mode.WithDraft(fmt.Sprintf("F%d", f.draftFile))
	}
	if err == nil && f.hasField(fieldUnit) {
		at = fieldUnit
		s.Unit, err = s.Question.UnitFor(f.lists[unitText])
	}
	return at, err
}

// draftLine draws which of the files is the text that a critique begins with.
func (v *layout) draftLine() {
	if !v.hasField(fieldDraft) {
		return
	}
	words := "the author writes it"
	if all := v.files.found(v.Topic()); v.draftFile > 0 && v.draftFile <= len(all) {
		words = text.Line(all[v.draftFile-1].Name) + ": the critics begin with it"
	}
	th := v.valueTheme(fieldDraft)
	v.addField(fieldDraft, "Draft", th.Columns(theme.Column{Text: words, Width: v.room(), Style: th.Text}))
}

// questionLine draws how the question is answered, and what sets it if it is fixed.
func (v *layout) questionLine() {
	kinds, said := v.mode().QuestionKinds(), v.question().Description()
	if v.mode().Reviews() {
		said = "a list of findings"
	}
	if v.mode().Critiques() {
		said = "the author's text"
	}
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
