// Package compare is the screen that shows two debates side by side: what differs, whose
// side moved, and what the headline became.
//
// It draws what debate/report says of them and has hardly any words of its own. It imports
// debate besides, screen for what it is to the shell, and theme to draw. What it reads comes
// through Reader; it must not know other screens, stores or engines.
package compare

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Reader reads stored sessions.
type Reader interface {
	// Session returns a session without locking it.
	Session(ctx context.Context, id string) (debate.Session, error)
}

// Loaded is the message of two sessions that were read.
type Loaded struct {
	comparison report.Comparison
	err        error
}

// Screen shows one comparison. It keeps the context that its commands read in, since Bubble
// Tea hands none out.
type Screen struct {
	screen.NoInput
	ctx      context.Context
	reader   Reader
	th       *theme.Theme
	w, h     int
	shown    report.Comparison
	commands []screen.Command

	top   int      // the first line that is shown
	lines []string // nil: not drawn yet
}

var _ screen.Screen = (*Screen)(nil)

// New returns the screen.
func New(ctx context.Context, reader Reader, th *theme.Theme) *Screen {
	sc := &Screen{ctx: ctx, reader: reader, th: th}
	k, bind, move := screen.Keys, screen.Bind, screen.Moves
	sc.commands = []screen.Command{
		{
			Binding: bind(k("j", "down"), "j k d u", "scroll"), Title: "Scroll down", Group: screen.Moving,
			Hint: screen.Say("j k scroll"), Rank: 2, Run: move(sc.scroll, 1),
		},
		{Binding: bind(k("k", "up"), "", ""), Group: screen.Moving, Run: move(sc.scroll, -1)},
		{Binding: bind(k("d", "pgdown", "space"), "", ""), Group: screen.Moving, Run: move(sc.page, 1)},
		{Binding: bind(k("u", "pgup"), "", ""), Group: screen.Moving, Run: move(sc.page, -1)},
	}
	sc.commands = append(sc.commands, screen.JumpKeys(sc.page, func(n int) { sc.scroll(n * 1 << 20) })...)
	return sc
}

// Open returns a command that reads two sessions. A fork stands beside its origin, on the
// right.
func (sc *Screen) Open(first, second string) tea.Cmd {
	ctx, reader := sc.ctx, sc.reader
	return func() tea.Msg {
		a, err := reader.Session(ctx, first)
		if err != nil {
			return Loaded{err: err}
		}
		b, err := reader.Session(ctx, second)
		if err != nil {
			return Loaded{err: err}
		}
		if a.ForkedFrom == b.ID {
			a, b = b, a
		}
		return Loaded{comparison: report.Compare(a, b)}
	}
}

// Show shows what was read. It reports whether it could be read.
func (sc *Screen) Show(msg Loaded) (shown bool, out screen.Outcome) {
	if msg.err != nil {
		return false, screen.Tell(screen.Warning, "Cannot compare: "+text.Sentence(msg.err.Error()))
	}
	sc.shown, sc.top, sc.lines = msg.comparison, 0, nil
	return true, screen.Outcome{screen.ClearNotice{}}
}

// Name returns "Comparison".
func (sc *Screen) Name() string { return "Comparison" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th, sc.lines = th, nil }

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) { sc.w, sc.h, sc.lines = w, h, nil }

// Commands lists the keys of the comparison.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

// Back leaves the screen.
func (sc *Screen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says so.
func (sc *Screen) BackHint() string { return "esc back" }

// Wheel scrolls.
func (sc *Screen) Wheel(_, _, _, lines int) { sc.scroll(lines) }

func (sc *Screen) scroll(n int) { sc.top = max(0, min(sc.top+n, len(sc.drawn())-sc.h)) }

func (sc *Screen) page(n int) { sc.scroll(n * max(sc.h/2, 1)) }
