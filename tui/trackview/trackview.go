// Package trackview is the screen that shows how verdicts turned out: how often they were
// right, and which model was.
//
// It draws what debate/track says and has hardly any words of its own. It imports debate/track
// and internal/keymap besides, screen for what it is to the shell, and theme to draw.
// What it reads comes through Reader; it must not know other screens, stores or engines.
package trackview

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/debate/track"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Reader reads how the verdicts of all debates turned out.
type Reader interface {
	Track(ctx context.Context) (track.Track, error)
}

// Loaded is the message of a track that was read.
type Loaded struct {
	track track.Track
	err   error
}

// Screen shows a track. It keeps the context that its commands read in, since Bubble Tea hands
// none out.
type Screen struct {
	*screen.Page
	ctx    context.Context
	reader Reader
	keys   keymap.Changes // of the user, which its texts name
	shown  track.Track
}

var _ screen.Screen = (*Screen)(nil)

// New returns the screen.
func New(ctx context.Context, reader Reader, th *theme.Theme, keys keymap.Changes) *Screen {
	sc := &Screen{ctx: ctx, reader: reader, keys: keys}
	sc.Page = screen.NewPage(th, sc.draw)
	return sc
}

// Open returns a command that reads the track.
func (sc *Screen) Open() tea.Cmd {
	ctx, reader := sc.ctx, sc.reader
	return func() tea.Msg {
		t, err := reader.Track(ctx)
		return Loaded{t, err}
	}
}

// Show shows what was read. It reports whether it could be read.
func (sc *Screen) Show(msg Loaded) (shown bool, out screen.Outcome) {
	if msg.err != nil {
		return false, screen.Tell(screen.Warning, "Cannot read the outcomes: "+text.Sentence(msg.err.Error()))
	}
	sc.shown = msg.track
	sc.Begin()
	return true, screen.Outcome{screen.ClearNotice{}}
}

// Name returns "Track record".
func (sc *Screen) Name() string { return "Track record" }

// Title names the screen.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Track record", Style: sc.Theme.Accent}}, nil
}

func (sc *Screen) draw() []string {
	th, t := sc.Theme, sc.shown
	out := append([]string{""}, sc.paragraph(" ", t.Summary, th.Accent.Bold(true))...)
	if t.Empty() {
		out = append(append(out, ""), sc.paragraph(" ", track.HowTo(sc.keys.Of("outcome")), th.Text)...)
	}
	for _, table := range t.Tables() {
		out = append(append(out, ""), sc.paragraph(" ", table.Title, th.Accent)...)
		for _, line := range table.Lines(max(sc.Width-3, 1)) {
			out = append(out, sc.paragraph("  ", line, th.Text)...)
		}
		for _, note := range table.Notes {
			out = append(out, sc.paragraph("  ", note, th.Muted)...)
		}
	}
	for i, note := range t.Notes() {
		if i == 0 {
			out = append(out, "")
		}
		out = append(out, sc.paragraph(" ", note, th.Muted)...)
	}
	return append(out, "")
}

// paragraph wraps words into lines that begin with an indent, and with the blanks of the words.
func (sc *Screen) paragraph(indent, words string, style lipgloss.Style) []string {
	said := strings.TrimLeft(words, " ")
	indent += words[:len(words)-len(said)]
	var out []string
	for _, l := range theme.Wrap(said, max(sc.Width-len(indent)-1, 1)) {
		out = append(out, indent+style.Render(l))
	}
	return out
}
