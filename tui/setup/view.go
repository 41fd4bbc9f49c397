package setup

import (
	"cmp"
	"fmt"
	"path"
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
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

const (
	valueAt    = 15  // the column of the values
	leastTopic = 5   // rows of the topic
	mostTopic  = 100 // cells of its frame
	leastRows  = 4   // of what can be changed, for the rest to stay above it
	beside     = 120 // the width from which topic and rows stand side by side
)

// layout collects the lines of the view and which of them have the focus.
type layout struct {
	*Form
	drafted       debate.Session // as filled in so far
	head          []string       // topic, and what the debate will be
	lines         []string       // what can be changed
	top, bottom   int
	x, y          int // where the lines stand
	width, height int // their room
}

func (f *Form) topicWidth() int {
	if f.open && f.width >= beside {
		return f.width * 12 / 25
	}
	return min(f.width, mostTopic)
}

func (f *Form) fitTopic() {
	most := max(1, f.height-6) // its frame, what the debate will be, and the start
	if f.open && f.width < beside {
		most = max(1, min(leastTopic, f.height-10))
	}
	f.topic.Resize(max(f.topicWidth()-4, 1), min(leastTopic, most), most)
}

// View draws the form.
func (f *Form) View(screen.Frame) string {
	v := f.draw()
	rows := strings.Split(f.viewport.View(f.th, v.lines, v.top, v.bottom, v.width, v.height), "\n")
	if v.x == 0 {
		rows = append(v.head, rows...)
	}
	for i := range f.height {
		switch {
		case v.x == 0:
			rows[i] = f.th.Fit(rows[i], f.width)
		case i < len(v.head):
			rows[i] = f.th.Fit(v.head[i], v.x) + rows[i]
		default:
			rows[i] = f.th.Fit("", v.x) + rows[i]
		}
	}
	return strings.Join(rows[:f.height], "\n")
}

// Cursor returns the position of the cursor relative to the top left of the last view;
// it is nil if no text field has the focus.
func (f *Form) Cursor() *tea.Cursor {
	if f.focused == fieldTopic {
		return screen.Offset(f.topic.Cursor(), 2, 1)
	}
	v := f.draw()
	r, line := f.typed()
	if !line {
		return nil
	}
	return tea.NewCursor(v.x+valueAt+ansi.StringWidth(v.visibleTail(v.shownText(r))), v.y+f.viewport.Row(v.top))
}

func (f *Form) draw() *layout {
	v := &layout{Form: f, drafted: f.drafted(), width: f.width, height: f.height}
	topic := f.topicLines()
	summary, plan := v.summary()
	v.head = slices.Concat(topic, summary)
	if v.open {
		if v.width >= beside {
			v.x = v.topicWidth() + 1
			v.width -= v.x
		} else if v.Form.height >= 20 {
			v.lines = append(v.lines, "")
		}
		for at := fieldKind; at < fieldStart; at++ {
			if v.hasField(at) {
				v.rowLines(at)
			}
		}
	}
	if v.open || v.focused == fieldStart {
		v.startLine()
	}
	if v.x > 0 {
		return v
	}
	if at := len(topic) + 1; v.open && len(v.head)+len(v.lines) > v.height { // the rows need the room
		v.head = slices.Replace(v.head, at, at+len(v.planRows(plan)), v.planRows(v.cut(plan, v.topicWidth()-4))...)
	}
	if left := v.height - len(v.head); left < min(leastRows, len(v.lines)) { // all of it scrolls
		keep := min(len(v.head), v.height-leastRows)
		if keep < len(topic) { // a frame is whole, or scrolls
			keep = 0
		}
		v.lines, v.top, v.bottom = append(v.head[keep:], v.lines...), v.top+len(v.head)-keep, v.bottom+len(v.head)-keep
		v.head = v.head[:keep]
	}
	v.y = len(v.head)
	v.height -= v.y
	return v
}

const longTopic = 1000

func (f *Form) topicLines() []string {
	sep := " " + f.th.Symbols.Sep + " "
	box := theme.Box{
		Width: f.topicWidth(), Height: f.topic.Height() + 2, Focused: f.focused == fieldTopic, Accent: f.th.Accent,
		Title: []theme.Part{{Text: "Topic", Style: f.th.Accent}},
	}
	if f.topic.Placeholder = ""; f.sampleTopic() != "" {
		f.topic.Placeholder = f.sampleTopic() + " It reviews a sample."
	}
	if n := utf8.RuneCountInString(f.topic.Text()); n > longTopic {
		box.State = []theme.Part{{Text: text.Number(n) + " characters", Style: f.th.Muted}}
	}
	if box.Focused {
		lines, tab := f.topic.LineCount(), "tab change"
		if f.files.completable(f) != nil {
			tab = "tab complete path"
		}
		starts := " starts"
		if lines == 1 && f.startWords() != "" {
			starts = " goes to the start row"
		}
		box.Hint = []theme.Part{{Text: input.SendKey(lines, true) + starts, Style: f.th.Muted}}
		for _, hint := range []string{input.BreakKey(lines, true) + " line", tab} {
			box.Hint = append(box.Hint, theme.Part{Text: sep + hint, Style: f.th.Muted, Cut: 1})
		}
	}
	box.Lines = strings.Split(f.topic.View(), "\n")
	return f.th.Box(box)
}

// summary says who debates, what the debate will be and, in a last row, what is wrong. It also
// returns its second part, the plan, in one line.
func (v *layout) summary() (lines []string, plan string) {
	width, sep := v.topicWidth()-4, " "+v.th.Symbols.Sep+" "
	seats := text.Each(v.panel.chosen(), func(s SeatOption) string {
		return text.Line(s.Profile.Name) + " " + path.Base(text.Line(s.Profile.ModelName()))
	})
	who := strings.Join(seats, sep)
	switch {
	case !v.loaded:
		who = "looking for models" + v.th.Symbols.Cut
	case who == "":
		who = "no seat chosen yet"
	}
	kind, _, _ := strings.Cut(v.kindText(), ",")
	what := []string{kind, text.Count(v.rounds, "round")}
	if m := v.mode().Name; len(v.modes) > 0 && m != cmp.Or(v.options.Usual, v.modes[0].Name) {
		what = append([]string{text.Line(m)}, what...)
	}
	if n := len(v.files.paths) + len(v.files.mentioned(v.topic.Text())); n > 0 {
		what = append(what, text.Count(n, "file"))
	}
	if len(seats) > 0 {
		what = append(what, budget.EstimateAfter(v.drafted, v.options.Past).Brief())
	}
	if what = append(what, v.limits()...); len(seats) > 0 {
		what = append(what, control.GoesTo(v.drafted, v.options.Servers, v.recipient))
	}
	plan = strings.Join(what, sep)
	lines = append([]string{"  " + v.th.Text.Render(v.cut(who, width))}, v.planRows(plan)...)
	wrong := v.wrong()
	if wrong == "" {
		return lines, plan
	}
	for i, l := range theme.Wrap(v.th.Symbols.Warning+" "+wrong, width) {
		if i == 0 || !v.open || v.Form.height >= 20 {
			lines = append(lines, "  "+v.th.Warning.Render(strings.TrimLeft(l, " ")))
		}
	}
	return lines, plan
}

func (v *layout) planRows(plan string) []string {
	return text.Each(theme.Wrap(plan, v.topicWidth()-4), func(l string) string {
		return "  " + v.th.Muted.Render(strings.TrimLeft(l, " "))
	})
}

// cut shortens a row to a width, between its parts; "more" says that there are others.
func (v *layout) cut(row string, width int) string {
	if ansi.StringWidth(row) <= width {
		return row
	}
	more := v.th.Symbols.Cut + " more"
	for at := len(row); at > 0; {
		at = max(strings.LastIndex(row[:at], " "+v.th.Symbols.Sep+" "), strings.LastIndexAny(row[:at], ",;"))
		if at > 0 && ansi.StringWidth(row[:at])+ansi.StringWidth(more)+1 <= width {
			return row[:at] + " " + more
		}
	}
	return v.th.Truncate(row, width)
}

// wrong says what keeps the debate from starting, or what is to be known of it; "" if there is
// nothing.
func (v *layout) wrong() string {
	if v.Topic() != "" || v.loaded && len(v.panel.chosen()) < 2 {
		if gone := v.files.missing(v.topic.Text()); gone != "" {
			return gone
		}
		_, at, err := v.session()
		if all := v.cautions(); err != nil && at == fieldPanel && len(all) > 0 {
			return all[0]
		}
		if err != nil && v.loaded {
			return text.Sentence(err.Error())
		}
	}
	if limit, _ := optional(v.texts["Budget"], budget.ParseUSD); limit > 0 && unpriced(v.drafted, limit) != nil {
		return "Budget " + v.usdText() + " is " + notHeld + "."
	}
	if v.options.Ask != nil {
		return "Models are still being looked for: seats and price may change."
	}
	if all := slices.Concat(v.cautions(), v.options.Faults); len(all) > 0 {
		return text.Line(all[0])
	}
	return ""
}

func (v *layout) addLine(marked bool, label string, style lipgloss.Style, value string) {
	mark := ""
	if marked {
		mark, style = v.th.Symbols.Focus, v.th.Accent
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	v.lines = append(v.lines, v.th.Columns(theme.Column{Text: " " + mark, Width: 3, Style: v.th.Accent},
		theme.Column{Text: label, Width: valueAt - 3, Style: style})+value)
}

func (v *layout) addWrapped(words string, style lipgloss.Style) {
	for _, l := range theme.Wrap(words, v.room()) {
		v.addLine(false, "", v.th.Muted, style.Render(strings.TrimLeft(l, " ")))
		v.bottom = len(v.lines) - 1
	}
}

func (v *layout) rowLines(at field) {
	r, focused := v.rows[at], v.focused == at
	if r.lines != nil {
		r.lines(v)
		return
	}
	th := v.valueTheme(at)
	value, style := v.shownText(r), th.Text
	switch {
	case r.typed && value == "":
		value, style = r.empty(), v.th.Faint
	case r.typed && focused:
		value = v.visibleTail(value)
	}
	note := ""
	if r.note != nil {
		note = r.note()
	}
	if !focused && at != fieldKind && note != notHeld {
		note = ""
	}
	value = v.th.Truncate(value, v.room())
	if n := ansi.StringWidth(value) + 3; note != "" && n+ansi.StringWidth(note) <= v.room() {
		v.addLine(focused, r.name, v.th.Muted, style.Render(value)+th.Text.Render(" ")+"  "+v.th.Faint.Render(note))
		return
	}
	if v.addLine(focused, r.name, v.th.Muted, style.Render(value)); note != "" {
		v.addWrapped(note, v.th.Faint)
	}
}

func (v *layout) shownText(r row) string {
	if r.value != nil {
		return text.Line(r.value())
	}
	return text.Line(v.texts[r.name])
}

func (v *layout) modeLines() {
	const label = "Mode"
	focused := v.focused == fieldMode
	if len(v.modes) == 0 {
		v.addLine(focused, label, v.th.Muted, v.th.Danger.Render("none can be used; `roundtable modes` says why"))
		return
	}
	name, shown, others := text.Line(v.mode().Name), v.shownModes(), []string{}
	for _, i := range shown {
		if i != v.modeIndex {
			others = append(others, text.Line(v.modes[i].Name))
		}
	}
	if more := len(v.modes) - len(shown); more > 0 {
		others = append(others, fmt.Sprintf("%d more", more))
	}
	rest := ""
	if left := v.room() - ansi.StringWidth(name); len(others) > 0 && left > 0 {
		rest = v.cut("   or "+strings.Join(others, ", "), left)
	}
	name = v.valueTheme(fieldMode).Text.Render(v.th.Truncate(name, v.room())) + v.th.Faint.Render(rest)
	v.addLine(focused, label, v.th.Muted, name)
	if focused {
		v.addWrapped(text.Capitalize(text.Line(v.mode().Summary))+".", v.th.Muted)
		for _, fault := range v.options.Faults {
			v.addWrapped(text.Line(fault), v.th.Warning)
		}
	}
}

// shownModes returns the modes of the row: the first three, or two and the selected one.
func (f *Form) shownModes() []int {
	const most = 3
	all := []int{}
	for i := range min(most, len(f.modes)) {
		all = append(all, i)
	}
	if f.modeIndex >= most {
		all[most-1] = f.modeIndex
	}
	return all
}

func (f *Form) stepMode(n int) {
	f.modeIndex = step(f.shownModes(), f.modeIndex, n)
	f.useModeRounds()
}

func (v *layout) room() int { return v.width - valueAt - 1 }

func (v *layout) valueTheme(at field) *theme.Theme {
	if v.focused == at {
		return v.th.Selected()
	}
	return v.th
}

func (v *layout) recipient(provider string) (name string, local bool) {
	i := slices.IndexFunc(v.panel.seats, func(s SeatOption) bool { return s.Profile.Provider == provider })
	if i < 0 {
		return provider, false
	}
	return v.panel.seats[i].Company, v.panel.seats[i].Local
}

func (v *layout) startLine() {
	words, mark, style := "start", " ", v.th.Text
	if v.focused == fieldStart {
		words, style = "enter: "+cmp.Or(v.startWords(), words), v.th.Selected().Text
		mark = v.th.Symbols.Focus
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	v.lines = append(v.lines, v.th.Accent.Render(" "+mark+" ")+v.th.Success.Render(v.th.Symbols.Ready)+style.Render(" "+words))
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
