package approvals

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Columns at which text begins.
const (
	indent      = 5
	fieldIndent = 9
)

// Title says how many commands wait.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " Commands to approve", Style: sc.th.Accent}}
	if n := sc.Waiting(); n > 0 {
		right = []theme.Part{{Text: fmt.Sprintf("%d waiting ", n), Style: sc.th.Warning, Cut: 1}}
	}
	return left, right
}

// View draws the list.
func (sc *Screen) View(f screen.Frame) string {
	d := sc.drawAt(f.Now)
	return sc.viewport.View(sc.th, d.lines, d.top, d.bottom, sc.w, sc.h)
}

type drawing struct {
	*Screen
	now         time.Time
	lines       []string
	top, bottom int // of what has the focus
	chosenAt    int // line of the choice
	fieldAt     int // line of the field in focus
}

func (sc *Screen) draw() *drawing { return sc.drawAt(sc.now()) }

func (sc *Screen) drawAt(now time.Time) *drawing {
	d := &drawing{Screen: sc, now: now}
	if len(sc.items) == 0 {
		d.empty()
		return d
	}
	for i, it := range sc.items {
		if i > 0 {
			d.add("")
		}
		focused := i == sc.focus
		if focused {
			d.top = len(d.lines)
		}
		d.command(it, focused)
		if focused && it.open() {
			d.choices(it)
		}
		if !focused {
			continue
		}
		if d.bottom = len(d.lines) - 1; d.bottom-d.top >= d.h && it.open() { // the choice is seen first
			sc.back = min(sc.back, d.chosenAt-d.top)
			d.top = d.chosenAt - sc.back
			if sc.back > 0 || d.bottom-d.top >= d.h-1 {
				d.bottom = d.top
			}
		}
	}
	return d
}

func (d *drawing) add(lines ...string) { d.lines = append(d.lines, lines...) }

func (d *drawing) empty() {
	d.add(d.th.Text.Render(" No command is waiting."))
	for _, l := range theme.Wrap("Seats can ask to run commands if the debate has a workspace in mode clone or container, "+
		"and [tools] in the config allows commands.", d.w-2) {
		d.add(d.th.Muted.Render(" " + l))
	}
}

func (d *drawing) command(it *item, focused bool) {
	th := d.th
	mark := " "
	if focused {
		mark = th.Symbols.Focus
	}
	p, n := d.session.Seat(it.asked.Turn.Agent)
	name := text.Line(string(it.asked.Turn.Agent))
	if n > 0 {
		name = fmt.Sprintf("%d %s", n, text.Line(p.Name))
	}
	state, style := d.state(it)
	asks, below := " asks to run "+where(it.asked.Mode), ""
	if it.asked.Outside || it.asked.Dir == "" {
		asks = " asks to run"
	} else if theme.Width(name+asks+state)+6 > d.w {
		asks, below = " asks to run", where(it.asked.Mode)
	}
	d.add(th.Row([]theme.Part{
		{Text: " " + mark + " ", Style: th.Accent},
		{Text: name, Style: th.Seat(n)},
		{Text: asks, Style: th.Muted, Cut: 1},
	}, []theme.Part{{Text: state + " ", Style: style, Cut: 2}}, d.w))
	if below != "" {
		d.wrapped(below, th.Muted)
	}
	d.wrapped(text.Command(it.asked.Argv), th.Text)
	for _, line := range it.asked.FieldLines() {
		d.wrapped("with "+line, th.Warning)
	}
	style = th.Muted
	if it.asked.Outside || it.asked.Dir == "" {
		style = th.Warning
	}
	d.wrapped(it.asked.Place(), style)
	if line := it.asked.EachTimeLine(); line != "" {
		d.wrapped(line, th.Muted)
	}
}

func where(m debate.WorkspaceMode) string {
	switch m {
	case debate.WorkspaceClone:
		return "in its own clone, on this machine"
	case debate.WorkspaceContainer:
		return "in its container, without network"
	case debate.WorkspaceLocal:
	}
	return ""
}

// state says how long a command waits, or how it ended.
func (d *drawing) state(it *item) (string, lipgloss.Style) {
	switch {
	case !it.waits():
		return it.outcome, d.th.Muted
	case it.sent:
		return "sent", d.th.Muted
	}
	return d.th.Symbols.Waits + " waiting " + text.Age(d.now.Sub(it.asked.At)), d.th.Warning
}

// wrapped draws a text in as many lines as it needs, with all its spaces.
func (d *drawing) wrapped(content string, style lipgloss.Style) {
	for l := range strings.SplitSeq(ansi.Hardwrap(content, max(d.w-indent-1, 1), true), "\n") {
		d.add(strings.Repeat(" ", indent) + style.Render(l))
	}
}

func (d *drawing) choices(it *item) {
	for c := range choice(choices) {
		if !it.offers(c) {
			continue
		}
		th, mark := d.th, d.th.Symbols.Optional
		if c == it.choice {
			th, mark = d.th.Selected(), d.th.Symbols.Required
		}
		line := strings.Repeat(" ", indent) + th.Text.Render(mark+" "+c.label())
		if c == it.choice {
			d.chosenAt = len(d.lines)
			line += d.th.Muted.Render("  " + d.sendHint())
		}
		d.add(line)
		if f := it.field(); f != nil && c == it.choice {
			d.fieldAt = len(d.lines)
			d.add(strings.Repeat(" ", fieldIndent) + input.Line(*f, d.th))
		}
	}
}

func (c choice) label() string {
	switch c {
	case denyWithReason:
		return "deny, with a reason for the seat"
	case allowOnce:
		return "run it once"
	case allowPattern:
		return "run it, and all that begin with these words"
	default:
		return "deny"
	}
}
