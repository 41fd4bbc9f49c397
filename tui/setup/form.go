// Package setup holds the screens on which a debate is prepared: the form of a new
// debate, and the first start on a machine without any model.
//
// It imports screen for what its screens are to the shell, theme, input and list
// to draw, and debate, ledger, agents and internal/text. It does no I/O and must not
// know how models are discovered, nor other screens.
package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Form is the form of a new debate: topic, mode, panel, rounds and budget. Its
// contents stay until Reset.
type Form struct {
	th            *theme.Theme
	width, height int
	viewport      list.Viewport

	options     Options
	panel       panelRow
	models      *models // nil: they cannot be listed
	saver       *saver  // nil: panels cannot be saved
	modes       []debate.Mode
	modeIndex   int
	wantedMode  string      // the mode to select once the options have it; "" if none
	loaded      bool        // the configured values were loaded
	rounds      int         // 0 until the options are known
	draftFile   int         // number of the file that is the draft of a critique, from 1; 0: the author writes it
	roundsFixed bool        // the user or the configuration set the rounds
	ends        debate.Ends // that was chosen; "": as the mode says
	effort      effort
	chosenKind  debate.QuestionKind // QuestionUnset until the user or the options choose one
	topic       input.Area
	prefilled   string            // the topic that Prefill has set
	texts       map[string]string // that are typed in one line, by the names of their rows
	files       files
	folderMode  debate.WorkspaceMode          // "": seats look at nothing, although a folder is named
	history     [fieldStart + 1]input.History // by field

	rows    []row // by field
	focused field
	open    bool      // what can be changed is shown
	more    bool      // the rows below fieldMore are shown
	fresh   bool      // the text of the focused row was not typed since
	atStart time.Time // when the focus moved last, or enter came too early
	now     func() time.Time

	commands []screen.Command
}

var _ screen.Screen = (*Form)(nil)

// NewForm returns an empty form. Now is the clock; nil is the clock of the machine.
func NewForm(th *theme.Theme, now func() time.Time) *Form {
	if now == nil {
		now = time.Now
	}
	f := &Form{
		topic: input.NewArea(th), texts: map[string]string{},
		panel: panelRow{row: -1}, now: now,
	}
	f.topic.Holds, f.topic.Limit = "A topic", debate.MaxTopic
	f.topic.Focus()
	f.SetTheme(th)
	f.rows, f.files.inTopic = f.table(), f.pathField()
	f.commands = f.keys()
	return f
}

// SetTheme sets the theme.
func (f *Form) SetTheme(th *theme.Theme) {
	f.th = th
	f.topic.SetStyles(input.AreaStyles(th))
}

// SetSize sets the size of the area between the top line and the notice row.
func (f *Form) SetSize(width, height int) {
	f.width, f.height = width, height
	f.fitTopic()
}

// SetOptions sets what a debate can be made of. Choices of the user are kept as far as
// they are still possible.
func (f *Form) SetOptions(o Options) {
	if o.Last != nil && f.options.Last == nil && f.asOffered() { // known since a server has listed its models
		f.loaded, f.roundsFixed, f.ends, f.modes, f.panel = false, false, "", nil, panelRow{row: f.panel.row}
		delete(f.texts, "Budget")
		delete(f.texts, "Tokens")
	}
	mode := cmp.Or(f.wantedMode, o.Mode)
	if f.modeIndex < len(f.modes) {
		mode = f.modes[f.modeIndex].Name
	}
	f.wantedMode = ""
	if now := f.options.Workspace.Dir; f.texts["Workspace"] == now && (!f.loaded || o.Workspace.Dir != now) { // nothing was typed
		f.setWorkspace(o.Workspace)
	}
	f.panel.set(o)
	f.options, f.modes = o, f.panel.modes(o)
	f.modeIndex = max(0, slices.IndexFunc(f.modes, func(m debate.Mode) bool { return m.Name == mode }))
	if !f.loaded {
		f.loaded, f.ends, f.chosenKind = true, cmp.Or(f.ends, o.Ends), cmp.Or(f.chosenKind, o.Question)
		if o.Unit != "" {
			f.chosenKind, f.texts["Unit"] = cmp.Or(o.Question, debate.QuestionEstimate), text.Line(o.Unit)
		}
		if !f.roundsFixed {
			f.rounds, f.roundsFixed = o.Rounds, o.Rounds > 0
		}
		if _, restored := f.texts["Budget"]; !restored {
			f.texts["Budget"], f.texts["Tokens"] = usd(o.Budget.USD), tokens(o.Budget.Tokens)
		}
	}
	f.useModeRounds()
}

// Looked says that the servers that were asked for their models have answered.
func (f *Form) Looked() { f.options.Ask = nil }

func (f *Form) asOffered() bool {
	o, m := f.options, f.mode()
	return f.loaded && len(f.modes) > 0 && m.Name == cmp.Or(o.Mode, f.modes[0].Name) && f.rounds == cmp.Or(o.Rounds, m.Rounds) &&
		f.texts["Budget"] == usd(o.Budget.USD) && f.texts["Tokens"] == tokens(o.Budget.Tokens) && f.ends == o.Ends && f.effort == "" &&
		f.panel.current().Name == o.Panel && !f.panel.changed()
}

// Prefill sets a topic and, unless they are empty, a mode and a number of rounds.
func (f *Form) Prefill(topic, mode string, rounds int) {
	if topic != "" {
		f.topic.SetText(text.Clean(topic))
		f.prefilled = f.topic.Text()
		clear(f.history[:])
		f.fitTopic()
	}
	if i := slices.IndexFunc(f.modes, func(m debate.Mode) bool { return m.Name == mode }); i >= 0 {
		f.modeIndex = i
	} else {
		f.wantedMode = mode
	}
	if rounds > 0 {
		f.rounds, f.roundsFixed = min(rounds, debate.MaxRounds), true
	}
	f.useModeRounds()
}

// sampleTopic returns the topic of the demo's review of its sample, which needs no other; "" for
// other debates.
func (f *Form) sampleTopic() string {
	if f.mode().Reviews() && f.demo() {
		return debate.DemoReviewTopic
	}
	return ""
}

// Topic returns the topic as typed so far.
func (f *Form) Topic() string { return strings.TrimSpace(f.topic.Text()) }

// Typed reports whether the user has typed a topic.
func (f *Form) Typed() bool {
	return f.Topic() != "" && f.Topic() != strings.TrimSpace(f.prefilled)
}

func (f *Form) noModel() bool { return f.loaded && len(f.panel.seats) == 0 }

// ChooseOffered chooses the panel of the options, and returns it in a phrase.
func (f *Form) ChooseOffered() string {
	f.panel.choose(f.options.Panel)
	f.modes = f.panel.modes(f.options)
	return f.panel.name() + ", " + text.Count(len(f.panel.chosen()), "seat")
}

// Reset empties the form after a debate has begun.
func (f *Form) Reset() {
	f.topic.SetText("")
	for _, at := range []field{fieldOptions, fieldUnit, fieldPerspectives} {
		f.texts[f.rows[at].name] = ""
	}
	f.files.paths = nil
	f.setWorkspace(f.options.Workspace)
	f.chosenKind = debate.QuestionUnset
	clear(f.history[:])
	f.open, f.more = false, false
	f.setFocus(fieldTopic)
}

func (f *Form) useModeRounds() {
	if !f.roundsFixed && len(f.modes) > 0 {
		f.rounds = f.modes[f.modeIndex].Rounds
	}
	f.rounds = f.mode().Whole(min(f.rounds, f.mostRounds()))
}

func (f *Form) mostRounds() int {
	if len(f.modes) == 0 {
		return debate.MaxRounds
	}
	return f.modes[f.modeIndex].MostRounds()
}

func (f *Form) mode() debate.Mode {
	if f.modeIndex >= len(f.modes) {
		return debate.Mode{}
	}
	return f.modes[f.modeIndex]
}

// ending returns what ends the debate before its planned rounds.
func (f *Form) ending() debate.Ends { return f.mode().EndsFor(f.ends, f.roundsFixed) }

// Typing reports whether a text field has the focus.
func (f *Form) Typing() bool {
	_, line := f.typed()
	return f.focused == fieldTopic || line
}

func (f *Form) setFocus(at field) {
	f.focused, f.atStart, f.fresh = max(fieldTopic, min(at, fieldStart)), f.now(), true
	inside := f.focused > fieldTopic && f.focused < fieldStart
	f.open = f.open || inside
	f.more = f.more || f.focused > fieldMore && inside
	if f.focused == fieldTopic {
		f.topic.Focus()
	} else {
		f.topic.Blur()
	}
	f.fitTopic()
}

// Next moves the focus by a field, or with -1 back.
func (f *Form) Next(n int) {
	at := f.focused + field(n)
	for at > fieldTopic && at < fieldStart && !f.canFocus(at) { // skip what the mode does not have
		at += field(n)
	}
	f.setFocus(at)
	f.panel.row = -1
}

// tab moves the focus by a field; after the last one comes the first.
func (f *Form) tab(n int) {
	switch {
	case n > 0 && f.focused == fieldStart:
		f.setFocus(fieldTopic)
	case n < 0 && f.focused == fieldTopic:
		f.setFocus(fieldStart)
	default:
		f.Next(n)
	}
}

// Move moves by a row: through the seats of the panel, otherwise through the fields.
func (f *Form) Move(n int) {
	if next := f.panel.row + n; f.focused == fieldPanel && next >= -1 && next < len(f.panel.seats) {
		f.panel.row = next
		return
	}
	if f.Next(n); n < 0 && f.focused == fieldPanel {
		f.panel.row = len(f.panel.seats) - 1
	}
}

// Change selects the next value of the focused field, or with -1 the previous one.
func (f *Form) Change(n int) {
	if change := f.rows[f.focused].step; change != nil {
		change(n)
		f.fresh = true
	}
}

// Toggle adds the selected seat to the panel or removes it. It returns an error if the
// seat cannot be added.
func (f *Form) Toggle() error {
	if s := f.panel.selected(); s != nil && f.focused == fieldPanel {
		return f.panel.toggle(s)
	}
	return nil
}

// HandleKey types a key into the focused field.
func (f *Form) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	defer f.recording()()
	k := msg.String()
	switch f.focused {
	case fieldTopic:
		if input.Means(k, f.topic.LineCount(), true) == input.Sends {
			return f.enterStarts()
		}
		return f.files.changeTopic(f, func() (tea.Cmd, string) { return f.topic.Type(msg) })
	case fieldFiles:
		if k == "backspace" || k == "delete" {
			f.files.removeLast()
		}
	case fieldRounds:
		if len(k) == 1 && k[0] >= '1' && k[0] <= '9' {
			f.setRounds(int(k[0] - '0'))
		}
	default:
		if _, typed := f.typed(); typed {
			return f.typeLine(msg)
		}
	}
	return nil
}

// enterStarts starts the debate, or goes to the row that says what is to be known before.
func (f *Form) enterStarts() screen.Outcome {
	if _, _, err := f.session(); err == nil && f.Topic() != "" && f.startWords() != "" {
		f.setFocus(fieldStart)
		return nil
	}
	return screen.Outcome{screen.Press("ctrl+s")}
}

// startWords says what the start does, if that is to be known before: models are still being
// looked for, or the price is unknown or higher than the configured one.
func (f *Form) startWords() string {
	price := budget.EstimateAfter(f.drafted(), f.options.Past).USD
	switch {
	case f.files.missing(f.topic.Text()) != "":
		return "start without " + strings.TrimSuffix(f.files.missing(f.topic.Text()), " is not here.")
	case f.options.Ask != nil:
		return "start now; models are still being looked for"
	case price == nil:
		return "start; the price is unknown"
	case price.High > f.options.StartsBelow:
		return "start for about " + text.Money(price.High)
	}
	return ""
}

// topicChanged follows a key or a paste in the topic; refused says what did not fit.
func (f *Form) topicChanged(cmd tea.Cmd, refused string) screen.Outcome {
	f.fitTopic()
	out := screen.Run(cmd)
	if refused != "" {
		out = append(out, screen.Tell(screen.Warning, refused)...)
	}
	return out
}

// Effects that the shell carries out besides those of package screen.
type (
	// Create creates a debate and opens it.
	Create struct{ Session debate.Session }
	// StartDemo starts the demo.
	StartDemo struct{}
	// LookAgain looks for models again.
	LookAgain struct{}
	// WriteConfig writes a commented config file.
	WriteConfig struct{}
)

func (f *Form) seatKeys() []screen.Command {
	return []screen.Command{
		{
			Binding: screen.Bind("toggle-seat", "space", "toggle seat"), Title: "Toggle seat", Group: screen.Choosing,
			Hint: f.panelHint("space toggle seat", f.onSeat), Rank: 4, Run: screen.Do(f.toggle),
		},
		{
			Binding: screen.Bind("more", "+ -", "one seat more, one less"), Title: "Add the next seat", Group: screen.Choosing,
			Hint: f.panelHint("+ - seats", func() bool { return !f.noModel() }), Rank: 5, Run: screen.Do(f.addSeat),
		},
		{Binding: screen.Bind("less", "", ""), Title: "Take a seat away", Group: screen.Choosing, Run: screen.Do(f.removeSeat)},
	}
}

func (f *Form) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return slices.Concat([]screen.Command{
		{Shared: "start-demo"},
		{
			Binding: bind("next-field", "tab", "next field"), Group: screen.Moving,
			InField: true, Rank: 2, Hint: func() string { return f.files.tabHint(f) },
			Run: do(func() screen.Outcome { return f.files.tab(f) }),
		},
		{Binding: bind("previous-field", "shift+tab", "previous field"), Group: screen.Moving, InField: true, Run: move(f.tab, -1)},
		{Binding: bind("down", "j k", "up, down"), Group: screen.Moving, Run: move(f.Move, 1)},
		{Binding: bind("up", "", ""), Group: screen.Moving, Run: move(f.Move, -1)},
		{
			Binding: bind("right", "← →", "change"), Group: screen.Choosing,
			Hint: f.arrowHint, Rank: 3, Run: move(f.Change, 1),
		},
		{Binding: bind("left", "", ""), Group: screen.Choosing, Run: move(f.Change, -1)},
		{
			Binding: bind("enter", "enter", "all modes; next field"), Group: screen.Choosing, Rank: 2, Run: do(f.enter),
			Hint: f.enterHint,
		},
		{Title: "Choose the mode", Group: screen.Choosing, InField: true, Run: do(f.chooseMode)},
		{
			Binding: bind("retry", "R", "look for models again"), Title: "Look for models again", Group: screen.Choosing,
			Hint: f.panelHint("R look again", f.noModel), Rank: 4, Run: do(func() screen.Outcome { return screen.Outcome{LookAgain{}} }),
		},
		copyKey(
			func() Unseated { return f.options.Unseated },
			f.panelHint("y copy command", func() bool { return f.options.Unseated.Command != "" }),
		),
		{
			Binding: bind("start", "ctrl+s", "start the debate"), Title: "Start the debate", Group: screen.Choosing,
			InField: true, Writes: true, Hint: screen.Say("ctrl+s start"), Rank: 1, Run: do(f.Begin),
		},
	}, f.seatKeys(), screen.JumpKeys(
		func(n int) {
			for range max(f.height/4, 1) {
				if f.Move(n); f.focused == fieldTopic { // there letters are no keys
					f.Next(1)
				}
			}
		},
		func(n int) {
			f.setFocus(fieldStart)
			if n < 0 {
				f.setFocus(fieldTopic)
				f.Next(1)
			}
		},
	))
}

func (f *Form) enterHint() string {
	return map[field]string{
		fieldMode: "enter all modes", fieldFiles: "enter attach a file", fieldMore: "enter more or less",
	}[f.focused]
}

// panelHint returns a hint that is there while the panel has the focus and something holds.
func (f *Form) panelHint(words string, holds func() bool) func() string {
	return screen.When(func() bool { return f.focused == fieldPanel && holds() }, words)
}

func (f *Form) onSeat() bool { return f.panel.selected() != nil }

func (f *Form) changeHint() string { return f.arrows() + " change" }

func (f *Form) arrows() string { return f.th.Symbols.Left + " " + f.th.Symbols.Right }

// arrowHint names them where they change something.
func (f *Form) arrowHint() string {
	if f.rows[f.focused].step == nil || f.focused == fieldPanel && f.onSeat() {
		return ""
	}
	return f.changeHint()
}

// Commands lists the keys of the form.
func (f *Form) Commands() []screen.Command { return f.commands }

func (f *Form) toggle() screen.Outcome { return screen.Refused(f.Toggle()) }

func (f *Form) addSeat() screen.Outcome {
	f.toPanel()
	copied, err := f.panel.next()
	if copied == nil || f.models == nil {
		return screen.Refused(err)
	}
	return f.models.another(f, *copied)
}

func (f *Form) removeSeat() screen.Outcome {
	f.toPanel()
	return screen.Refused(f.panel.remove())
}

func (f *Form) toPanel() {
	if f.focused != fieldPanel {
		f.panel.row = -1
		f.setFocus(fieldPanel)
	}
}

// enter does what the focused row says, and elsewhere goes to the next field.
func (f *Form) enter() screen.Outcome {
	if f.focused == fieldStart {
		now := f.now()
		early := now.Sub(f.atStart) < screen.Settle
		if f.atStart = now; early { // the key was meant for the row before
			return nil
		}
		return screen.Outcome{screen.Press("ctrl+s")}
	}
	if enter := f.rows[f.focused].enter; enter != nil {
		return enter()
	}
	f.Next(1)
	return nil
}

// Begin creates the debate of the form.
func (f *Form) Begin() screen.Outcome {
	s, err := f.Session()
	if err != nil {
		return screen.Refused(err)
	}
	return f.files.begin(f, s)
}

// Name returns "New debate".
func (f *Form) Name() string { return "New debate" }

// Back leaves for the list.
func (f *Form) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint returns "": the top line says it.
func (f *Form) BackHint() string { return "" }

// Title says what esc does.
func (f *Form) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " New debate", Style: f.th.Accent}},
		[]theme.Part{{Text: "esc back (draft kept) ", Style: f.th.Muted, Cut: 1}}
}

// TypingHints says what the focused field has keys for; the border of the topic says its own.
func (f *Form) TypingHints() []string {
	switch {
	case f.focused == fieldTopic && !f.files.service.Off():
		return []string{"@ attach a file"}
	case f.Typing() && f.rows[f.focused].step != nil:
		return []string{f.changeHint()}
	}
	return nil
}

// Wheel moves in the form.
func (f *Form) Wheel(_, _, step, _ int) { f.Move(step) }

func (f *Form) chooseMode() screen.Outcome {
	l := screen.Menu{Title: "Modes", Present: f.mode().Name}
	for _, m := range f.modes {
		l.All = append(l.All, screen.Entry{Name: text.Line(m.Name), Text: modeText(m), Do: func() screen.Outcome {
			f.Prefill("", m.Name, 0)
			f.setFocus(fieldMode)
			return nil
		}})
	}
	return screen.Outcome{l}
}

// modeText explains a mode.
func modeText(m debate.Mode) string {
	words := fmt.Sprintf("%d to %s, %s.", m.MinSeats, text.Count(m.MaxSeats, "seat"), text.Count(m.Rounds, "round"))
	if m.Use != "" {
		words = "Use it for: " + text.Line(m.Use) + ". " + words
	}
	if m.Summary != "" {
		words = text.Capitalize(text.Line(m.Summary)) + ". " + words
	}
	return words
}
