// Package approvals is the screen on which the user decides on the commands that
// agents want to run: a list, with the choice for the command under the cursor below it.
//
// It imports debate and agents for what it shows, screen for what it is to the shell, reader for
// the list, and theme and input to draw. What is decided is an effect; it must not know other
// screens, stores or engines.
package approvals

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Decide asks the shell to send a decision on the command of a tool call.
type Decide struct {
	Call     string
	Approval debate.Approval
}

// Screen lists the commands that wait, and those that ended while it is open.
type Screen struct {
	*reader.Reader
	th       *theme.Theme
	now      func() time.Time
	session  debate.Session
	items    []*item
	guarded  time.Time // until when keys are ignored: they may be meant for what was shown before
	commands []screen.Command
}

var _ screen.OfSession = (*Screen)(nil)

// New returns the screen.
func New(th *theme.Theme, now func() time.Time) *Screen {
	sc := &Screen{th: th, now: now}
	sc.Reader = reader.New(th, reader.Config{
		Name: "Commands to approve", What: "command", Rows: func() []reader.Row { return text.Each(sc.items, sc.row) },
		None: "No command is waiting. Seats can ask to run commands if the debate has a workspace in mode clone or container " +
			"and [tools] in the config allows commands. A program in a seat asks for its own commands.",
		Columns: []reader.Column{{Title: "seat", Width: 12}, {Title: "command"}, {Title: "state", Width: 16}},
	})
	sc.commands = sc.keys()
	return sc
}

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) {
	sc.th = th
	sc.Reader.SetTheme(th)
}

// SetSession sets the session, whose seats it names.
func (sc *Screen) SetSession(s debate.Session) { sc.session = s }

// Apply adds a command that waits, and says of one that does not wait any more how it
// ended.
func (sc *Screen) Apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.ApprovalAsked:
		sc.items = append(sc.items, newItem(ev))
	case debate.ApprovalDecided:
		if at := sc.at(ev.CallID); at >= 0 {
			sc.items[at].outcome = outcomeOf(ev.Approval)
		}
	default: // not shown here
		return
	}
	sc.Changed()
}

func outcomeOf(a debate.Approval) string {
	switch {
	case a.Choice == debate.ApprovalPattern:
		return "allowed by its first words"
	case a.Allows():
		return "allowed once"
	case a.Reason != "":
		return "denied: " + text.Line(a.Reason)
	default:
		return "denied"
	}
}

// Waiting returns how many commands wait for the user.
func (sc *Screen) Waiting() int {
	n := 0
	for _, it := range sc.items {
		if it.waits() {
			n++
		}
	}
	return n
}

// Begin is called when the user opens the screen. What ended before is not listed any
// more, and keys are ignored for a moment.
func (sc *Screen) Begin() {
	sc.items = slices.DeleteFunc(sc.items, func(it *item) bool { return !it.waits() })
	sc.Reader.Begin()
	sc.guard()
}

func (sc *Screen) guard() { sc.guarded = sc.now().Add(screen.Settle) }

func (sc *Screen) ignoresKeys() bool { return sc.now().Before(sc.guarded) }

// current returns the item under the cursor if it waits, or else nil.
func (sc *Screen) current() *item {
	row, _ := sc.Selected()
	if at := sc.at(row.ID); at >= 0 && sc.items[at].waits() {
		return sc.items[at]
	}
	return nil
}

func (sc *Screen) at(call string) int {
	return slices.IndexFunc(sc.items, func(it *item) bool { return it.asked.CallID == call })
}

// field returns what is typed into; nil if no text is.
func (sc *Screen) field() *textinput.Model {
	if it := sc.current(); it != nil {
		return it.fields[it.choice]
	}
	return nil
}

func (sc *Screen) send() screen.Outcome {
	it := sc.current()
	switch {
	case sc.ignoresKeys():
		return nil
	case it == nil:
		return screen.Tell(screen.Info, "No command is waiting here.")
	}
	a, err := it.decision()
	if err != nil {
		return screen.Tell(screen.Warning, "Not sent: "+err.Error()+".")
	}
	it.outcome = "sent"
	sc.guard()
	if i := slices.IndexFunc(sc.items, (*item).waits); i >= 0 {
		sc.Select(sc.items[i].asked.CallID)
	}
	sc.Changed()
	return screen.Outcome{Decide{Call: it.asked.CallID, Approval: a}}
}

// BackHint says what esc does.
func (sc *Screen) BackHint() string { return "esc back, decides nothing" }

// Typing reports whether a reason or a pattern is typed.
func (sc *Screen) Typing() bool { return sc.field() != nil }

// HandleKey types into the field in focus.
func (sc *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	if msg.String() == "enter" {
		return nil
	}
	return sc.update(msg)
}

// Paste inserts into the field in focus.
func (sc *Screen) Paste(content string) screen.Outcome {
	return sc.update(tea.PasteMsg{Content: strings.ReplaceAll(text.Sanitize(content), "\n", " ")})
}

func (sc *Screen) update(msg tea.Msg) screen.Outcome {
	f := sc.field()
	if f == nil || sc.ignoresKeys() {
		return nil
	}
	var cmd tea.Cmd
	*f, cmd = f.Update(msg)
	sc.Changed()
	return screen.Run(cmd)
}

// Cursor is in the field in focus.
func (sc *Screen) Cursor() *tea.Cursor {
	f := sc.field()
	if f == nil {
		return nil
	}
	row, ok := sc.RowOf(fieldNumber)
	if !ok {
		return nil
	}
	return screen.Offset(input.Cursor(*f, sc.th), fieldIndent+2, row)
}

// Commands lists the keys of the screen. No letter and no enter is among them.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return append([]screen.Command{
		{
			Binding: bind("approval-down", "↑ ↓", "choose"), Group: screen.Moving, InField: true,
			Hint: sc.chooseHint, Rank: 2, Run: move(sc.moveChoice, 1),
		},
		{Binding: bind("approval-up", "", ""), Group: screen.Moving, InField: true, Run: move(sc.moveChoice, -1)},
		{
			Binding: bind("approval-next", "tab", "next command"), Title: "Next command", Group: screen.Moving, InField: true,
			Hint: sc.nextHint, Rank: 4, Run: move(sc.moveItem, 1),
		},
		{
			Binding: bind("approval-previous", "", ""), Title: "Previous command", Group: screen.Moving, InField: true,
			Run: move(sc.moveItem, -1),
		},
		{
			Binding: bind("approval-page-up", "pgup pgdn", "read a long command"), Group: screen.Moving, InField: true,
			Run: move(sc.HalfPage, -1),
		},
		{Binding: bind("approval-page-down", "", ""), Group: screen.Moving, InField: true, Run: move(sc.HalfPage, 1)},
		{
			Binding: bind("approval-send", "ctrl+s", "send this decision"), Title: "Send this decision", Group: screen.Choosing,
			InField: true, Hint: sc.sendHint, Rank: 1, Run: do(sc.send),
		},
	}, screen.Shared("tool-log", "debates")...)
}

func (sc *Screen) moveChoice(n int) {
	if it := sc.current(); it != nil && !sc.ignoresKeys() {
		it.move(n)
		sc.Changed()
		sc.GoTo(int(it.choice) + 1)
	}
}

func (sc *Screen) moveItem(n int) {
	if k := len(sc.items); k > 0 && !sc.ignoresKeys() {
		row, _ := sc.Selected()
		sc.Select(sc.items[(sc.at(row.ID)+n+k)%k].asked.CallID)
	}
}

func (sc *Screen) sendHint() string {
	it := sc.current()
	switch {
	case it == nil:
		return ""
	case it.choice == deny:
		return "ctrl+s deny"
	default:
		return "ctrl+s run"
	}
}

func (sc *Screen) chooseHint() string {
	if sc.current() == nil {
		return ""
	}
	return sc.th.Symbols.Up + " " + sc.th.Symbols.Down + " choose"
}

func (sc *Screen) nextHint() string {
	if len(sc.items) < 2 {
		return ""
	}
	return "tab next command"
}

// Title says how many commands wait.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " Commands to approve", Style: sc.th.Accent}}
	if n := sc.Waiting(); n > 0 {
		right = []theme.Part{{Text: fmt.Sprintf("%d waiting ", n), Style: sc.th.Warning, Cut: 1}}
	}
	return left, right
}

func (sc *Screen) row(it *item) reader.Row {
	p, n := sc.session.Seat(it.asked.Turn.Agent)
	name := text.Line(string(it.asked.Turn.Agent))
	if n > 0 {
		name = fmt.Sprintf("%d %s", n, text.Line(p.Name))
	}
	return reader.Row{
		ID: it.asked.CallID,
		Title: []theme.Part{
			{Text: name, Style: sc.th.Seat(n)},
			{Text: " asks to run a command", Style: sc.th.Muted, Cut: 1},
		},
		Cells: func(th *theme.Theme, f screen.Frame) []reader.Cell {
			state, style := it.state(th, f.Now)
			command := reader.Cell{Text: text.Command(it.asked.Argv), Style: th.Text}
			return []reader.Cell{{Text: name, Style: th.Seat(n)}, command, {Text: state, Style: style}}
		},
		Lines: it.lines,
	}
}

// choice is what the user can choose for a command, in the order of drawing.
type choice int

const (
	deny choice = iota
	allowOnce
	allowPattern
	choices int = iota
)

// maxReason limits a reason and a pattern, in characters.
const maxReason = 500

type item struct {
	asked   debate.ApprovalAsked
	choice  choice
	fields  map[choice]*textinput.Model // the reason, and the command's beginning
	outcome string                      // what was decided; "" while it waits
}

func newItem(ev debate.ApprovalAsked) *item {
	reason, pattern := input.NewField("", maxReason), input.NewField(text.Command(ev.Beginning()), maxReason)
	reason.Focus()
	pattern.Focus()
	return &item{asked: ev, fields: map[choice]*textinput.Model{deny: &reason, allowPattern: &pattern}}
}

func (it *item) waits() bool { return it.outcome == "" }

func (it *item) move(n int) {
	for next := int(it.choice) + n; next >= 0 && next < choices; next += n {
		if it.offers(choice(next)) {
			it.choice = choice(next)
			return
		}
	}
}

func (it *item) offers(c choice) bool { return c != allowPattern || it.asked.EachTime == "" }

// decision returns the decision. It is bound to the command that was shown.
func (it *item) decision() (debate.Approval, error) {
	a := debate.Approval{Choice: debate.ApprovalDenied, Hash: it.asked.Hash}
	switch it.choice {
	case deny:
		a.Reason = text.Line(it.fields[it.choice].Value())
	case allowOnce:
		a.Choice = debate.ApprovalOnce
	case allowPattern:
		pattern, err := text.ParseCommand(it.fields[it.choice].Value())
		if err == nil && !debate.Begins(it.asked.Argv, pattern) {
			err = errors.New("the command does not begin with these words")
		}
		if err != nil {
			return a, err
		}
		a.Choice, a.Pattern = debate.ApprovalPattern, pattern
	}
	return a, nil
}

// state says how long a command waits, or how it ended.
func (it *item) state(th *theme.Theme, now time.Time) (string, lipgloss.Style) {
	if !it.waits() {
		return it.outcome, th.Muted
	}
	return th.Symbols.Waits + " waiting " + text.Age(now.Sub(it.asked.At)), th.Warning
}

// The number of the line with the field, behind those of the choices, and where its text begins.
const (
	fieldNumber = choices + 1
	fieldIndent = 4
)

// lines draws the choice, and below it all that is asked for.
func (it *item) lines(th *theme.Theme, width int) []reader.Line {
	var out []reader.Line
	if it.waits() {
		out = append(it.choiceLines(th, width), reader.Line{})
	}
	add := func(content string, style lipgloss.Style) {
		for l := range strings.SplitSeq(ansi.Hardwrap(content, width, true), "\n") { // with all its spaces
			out = append(out, reader.Line{Text: style.Render(l), Drawn: true})
		}
	}
	add(text.Command(it.asked.Argv), th.Text)
	for _, line := range it.asked.FieldLines() {
		add("with "+line, th.Warning)
	}
	place := th.Muted
	if it.asked.Outside || it.asked.Dir == "" {
		place = th.Warning
	}
	add(it.asked.Place(), place)
	if line := it.asked.EachTimeLine(); line != "" {
		add(line, th.Muted)
	}
	if !it.waits() {
		add(it.outcome, th.Text)
	}
	return out
}

func (it *item) choiceLines(th *theme.Theme, width int) (out []reader.Line) {
	for c := range choice(choices) {
		if !it.offers(c) {
			continue
		}
		style, mark := th.Text, th.Symbols.Optional
		if c == it.choice {
			style, mark = th.Selected().Text, th.Symbols.Required
		}
		out = append(out, reader.Line{Text: style.Render(mark + " " + c.label()), Number: int(c) + 1, Drawn: true})
		if f := it.fields[c]; f != nil && c == it.choice {
			f.SetWidth(max(width-fieldIndent-1, 8))
			out = append(out, reader.Line{Text: strings.Repeat(" ", fieldIndent) + input.Line(*f, th), Number: fieldNumber, Drawn: true})
		}
	}
	return out
}

func (c choice) label() string {
	return []string{"deny, with a reason if you type one", "run it once", "run it, and all that begin with these words"}[c]
}
