package pane

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// blockKind is what a block shows; it decides which neighbours a blank row separates.
type blockKind uint8

const (
	kindHeader blockKind = iota
	kindDivider
	kindReasoning
	kindTool
	kindPosition
	kindText
	kindSideChange
	kindFooter
)

// blockID identifies a block within the transcript. It stays the same when the blocks
// are rebuilt, so that a scroll position can be found again.
type blockID struct {
	kind    blockKind
	turn    agents.Turn
	passage int
	call    string // of a tool call
}

// frame is one drawing of a pane: its width and the time, on which blocks depend.
type frame struct {
	*Pane
	width int // width of the text
	now   time.Time
	spin  int
}

// wide reports whether details fit into the row they belong to.
func (f frame) wide() bool { return f.width >= 70 }

// small reports whether there is room for the essentials only.
func (f frame) small() bool { return f.width < 40 }

// owner returns the seat's name, the lead of a tool call.
func (f frame) owner() []theme.Part {
	return []theme.Part{{Text: f.name, Style: f.th.Seat(f.seat)}, {Text: " " + f.th.Symbols.Sep + " ", Style: f.th.Faint}}
}

// row draws parts in one line and cuts what does not fit.
func (f frame) row(left, right []theme.Part) string {
	if len(right) == 0 { // no trailing blank is needed
		return ansi.Truncate(f.th.Row(left, nil, f.width+1), f.width, "")
	}
	return f.th.Row(left, right, f.width)
}

// content is what a block shows.
type content interface {
	// draw returns the lines, each of at most the frame's width.
	draw(f frame) lazyLines
	// timeKey returns a value that changes when time alone has changed the lines, such
	// as that of a running clock.
	timeKey(f frame) int64
}

// lazyLines renders only the requested range of lines.
type lazyLines interface {
	Height() int
	Lines(from, to int) []string
}

// eagerLines are lines that have been rendered as a whole.
type eagerLines []string

// Height returns the number of lines.
func (r eagerLines) Height() int { return len(r) }

// Lines returns the lines of a range.
func (r eagerLines) Lines(from, to int) []string { return r[from:to] }

// block is a piece of the transcript. Its lines are drawn when they are first visible
// at a width, and cached.
type block struct {
	blockID
	content
	drawn        lazyLines
	width        int
	timeKeyDrawn int64
	valid        bool // the cached lines are up to date
}

func (b *block) draw(f frame) lazyLines {
	at := b.timeKey(f)
	if !b.valid || b.width != f.width || b.timeKeyDrawn != at {
		b.drawn, b.width, b.timeKeyDrawn, b.valid = b.content.draw(f), f.width, at, true
	}
	return b.drawn
}

// static is embedded in contents that time does not change.
type static struct{}

func (static) timeKey(frame) int64 { return 0 }

// styleLines styles lines one by one, in place.
func styleLines(lines []string, style lipgloss.Style) []string {
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// labelled wraps text behind a muted name.
func (f frame) labelled(name, text string, indent string) []string {
	lines := wrapIndented(name+text, f.width, indent, indent)
	if len(lines) == 0 || !strings.HasPrefix(lines[0], indent+name) {
		return styleLines(lines, f.th.Text)
	}
	head := indent + name
	tail := strings.TrimPrefix(lines[0], head)
	styleLines(lines[1:], f.th.Text)
	lines[0] = f.th.Muted.Render(head) + f.th.Text.Render(tail)
	return lines
}

// safeStream makes foreign text safe as it arrives, and counts its tokens.
type safeStream struct {
	text text.Stream
	tokenCounter
}

// write returns the safe part of a piece of text.
func (s *safeStream) write(piece string) string {
	s.add(piece)
	return s.text.Write(piece)
}

// tone says what a text means for the debate.
type tone uint8

const (
	toneStatement tone = iota // the statement as others will see it, or its beginning
	toneWorking               // text before a tool call, which nobody else sees
	toneDiscarded             // text of an unused attempt, which nobody else sees
)

// textBlock shows the text of one completion.
type textBlock struct {
	static
	safe   safeStream
	prose  statement.ProseStream
	whole  string // the text, if it was complete from the start; it may be large and is not copied
	shown  strings.Builder
	doc    *markdown.Doc
	docLen int // number of bytes of the text that doc has
	tone   tone
	note   string // why the text was not used; "" if it was

	section *section // of the stored statement that this is; nil if it is none
}

// write adds the next piece as it arrives.
func (t *textBlock) write(piece string) { t.shown.WriteString(t.prose.Write(t.safe.write(piece))) }

// peek returns the last character, which the next piece may still change.
func (t *textBlock) peek() string { return t.prose.Peek(t.safe.text.Peek()) }

// newTextBlock returns a block for a complete text. Its structured block is hidden; a
// statement no longer has one.
func newTextBlock(words string, tone tone) *textBlock {
	t := &textBlock{tone: tone}
	words = strings.TrimSpace(text.Sanitize(words))
	if tone != toneStatement {
		words = statement.HideStructuredPart(words)
	}
	t.whole = words
	return t
}

func (t *textBlock) content() string { return cmp.Or(t.whole, t.shown.String()) }

// blank reports whether there is nothing to show.
func (t *textBlock) blank() bool { return strings.TrimSpace(t.content()) == "" && t.peek() == "" }

func (t *textBlock) draw(f frame) lazyLines {
	if t.blank() {
		return eagerLines{}
	}
	if f.changes && t.section != nil {
		if before, ok := f.statementBefore(t.section); ok {
			return eagerLines(f.changedLines(before, t.content()))
		}
	}
	style := f.faint
	if t.tone == toneStatement {
		style = f.prose
	}
	if t.doc == nil {
		t.doc = style.NewDoc(f.width)
		t.doc.SetBudget(&f.budget)
	}
	t.doc.SetRenderer(style)
	t.doc.SetWidth(f.width)
	t.doc.Append(t.content()[t.docLen:])
	t.docLen = len(t.content())
	t.doc.Preview(t.peek())
	if t.note == "" {
		return t.doc
	}
	return headedLines{append(styleLines(wrapIndented(t.note, f.width, "", ""), f.th.Muted), ""), t.doc}
}

// headedLines are lines below a heading.
type headedLines struct {
	heading []string
	lazyLines
}

// Height returns the number of lines with the heading.
func (h headedLines) Height() int { return len(h.heading) + h.lazyLines.Height() }

// Lines returns the lines of a range; the heading comes first.
func (h headedLines) Lines(from, to int) []string {
	n := len(h.heading)
	lines := slices.Clone(h.heading[min(from, n):min(to, n)])
	return append(lines, h.lazyLines.Lines(max(from-n, 0), max(to-n, 0))...)
}

// wrapIndented wraps text with a hanging indent: the first line begins with first, the
// others with rest. Both count towards the width.
func wrapIndented(text string, width int, first, rest string) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(rest))
	lines := theme.Wrap(strings.TrimRight(text, "\n "), max(room, 1))
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// reasoningBlock shows the model's reasoning, as one line until details are asked for.
type reasoningBlock struct {
	stopwatch
	body   textBlock
	tokens int // as reported by the server; 0 to estimate from the text
}

// newReasoning returns a block for reasoning that is still streaming.
func newReasoning() *reasoningBlock {
	return &reasoningBlock{stopwatch: stopwatch{running: true}, body: textBlock{tone: toneWorking}}
}

// write adds the next piece as it arrives.
func (t *reasoningBlock) write(piece string) { t.body.shown.WriteString(t.body.safe.write(piece)) }

func (t *reasoningBlock) timeKey(f frame) int64 { return int64(t.elapsed(f.now).Seconds()) }

func (t *reasoningBlock) draw(f frame) lazyLines {
	words := "+ thought"
	if t.running {
		words = "+ thinking"
	}
	if d := t.elapsed(f.now); d > 0 {
		words += " " + text.Duration(d) + " " + f.th.Symbols.Sep
	}
	count := t.tokens
	if count == 0 {
		count = t.body.safe.count()
	}
	head := f.th.Faint.Render(ansi.Truncate(words+" "+text.Tokens(count), f.width, f.th.Symbols.Cut))
	if !f.details {
		return eagerLines{head}
	}
	return headedLines{[]string{head}, t.body.draw(f)}
}

// ageKey returns a value that changes whenever text.Age does.
func ageKey(d time.Duration) int64 {
	if d < time.Minute {
		return int64(d.Seconds())
	}
	return 60 + int64(d.Minutes())
}

// formatCost returns what a turn cost: "" if that is unknown, which the bottom line of the
// debate says once for all seats, and "demo" or
// "local" if the model has no price, and "included" in a subscription.
func formatCost(profile agents.Profile, cost *float64) string {
	switch {
	case profile.Provider == debate.DemoProvider:
		return "demo"
	case profile.Included:
		return "included"
	case isFree(profile):
		return "local"
	case cost == nil:
		return ""
	}
	return text.Money(*cost)
}

// isFree reports whether the agent's tokens are known to cost nothing.
func isFree(profile agents.Profile) bool {
	return profile.Included || profile.Priced() && *profile.PriceIn == 0 && *profile.PriceOut == 0
}
