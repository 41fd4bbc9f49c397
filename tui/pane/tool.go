package pane

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// toolBlock shows one tool call of the seat.
type toolBlock struct {
	attempt *attempt
	id      string
	name    string
	args    string // as stored: made safe only where it is drawn
	line    string // what title returned
	summary string
	result  string // as stored
	state   debate.ToolState
	status  agents.ToolStatus
	began   time.Time
	took    time.Duration
	limit   time.Duration // of a running command; 0: none of its own
	waiting bool          // for the user's decision on a command

	searches int  // of the agent's tools in a row, that this one shows; 0: it is one
	folded   bool // one before it shows it
}

// newTool returns a block for a tool call.
func newTool(of *attempt, r debate.ToolRecord) *toolBlock {
	return &toolBlock{
		id: r.ID, attempt: of, name: r.Name, args: r.Args,
		summary: safeLine(r.Result.Summary), result: r.Result.Text,
		state: r.State, status: r.Result.Status, began: r.Began, took: r.Took,
	}
}

// title returns the name and the arguments in one line, made safe. A call comes three times,
// often in one frame, so its line is made when it is needed.
func (t *toolBlock) title() string {
	if t.line == "" {
		t.line = safeLine(t.name + " " + ArgsSummary(text.Head(t.args, maxTitleArgs)))
		if t.searches > 0 {
			t.line = fmt.Sprintf("%s, %d times", t.name, t.searches)
		}
	}
	return t.line
}

// share refers to the texts of a stored record of the call.
func (t *toolBlock) share(r debate.ToolRecord) { t.args, t.result = r.Args, r.Result.Text }

// timeKey changes with the spinner and the seconds of a running call.
func (t *toolBlock) timeKey(f frame) int64 {
	if a, ok := f.asks[t.id]; ok {
		return f.askTimeKey(a, t.attempt)
	}
	if t.state != debate.ToolRunning {
		return 0
	}
	return int64(f.spin)<<32 + int64(f.now.Sub(t.began).Seconds())
}

func (t *toolBlock) draw(f frame) lazyLines {
	if t.folded {
		return eagerLines(nil)
	}
	if a, ok := f.asks[t.id]; ok {
		lines := f.askLines(a, t.attempt)
		if strings.HasSuffix(t.summary, agents.WrittenAsText) {
			lines = append(lines, f.th.Muted.Render(ansi.Truncate("    "+agents.WrittenAsText, f.width, f.th.Symbols.Cut)))
		}
		return eagerLines(lines)
	}
	symbol, style, right := t.statusParts(f)
	left := append([]theme.Part{{Text: symbol + " ", Style: style}}, f.owner()...)
	left = append(left, theme.Part{Text: t.title(), Style: f.th.Text, Cut: 2})
	if f.wide() && t.summary != "" {
		left = append(left, theme.Part{Text: "   " + t.summary, Style: f.th.Muted, Cut: 1})
	}
	lines := eagerLines{f.row(left, right)}
	if !f.wide() && t.summary != "" {
		lines = append(lines, f.th.Muted.Render(ansi.Truncate("    "+t.summary, f.width, f.th.Symbols.Cut)))
	}
	if f.details {
		lines = append(lines, t.detailLines(f)...)
	}
	return lines
}

// statusParts returns the symbol and style of a call, and the parts at the right end
// of its row.
func (t *toolBlock) statusParts(f frame) (string, lipgloss.Style, []theme.Part) {
	y := f.th.Symbols
	part := func(words string, style lipgloss.Style) []theme.Part {
		return []theme.Part{{Text: words, Style: style}}
	}
	switch {
	case t.state == debate.ToolPending:
		return y.Queued, f.th.Muted, part("waits", f.th.Faint)
	case t.waiting:
		return y.Waits, f.th.Warning, part("waits: A", f.th.Warning)
	case t.state == debate.ToolRunning:
		running := text.Duration(max(0, f.now.Sub(t.began).Truncate(time.Second)))
		switch {
		case f.now.Sub(t.began) < time.Second:
			running = ""
		case t.limit > 0:
			running = "running " + text.Clock(f.now.Sub(t.began)) + " of " + text.Clock(t.limit)
		}
		return y.Busy[uint(f.spin)%uint(len(y.Busy))], f.th.Text, part(running, f.th.Faint)
	case t.status == agents.ToolOK:
		return y.Done, f.th.Success, part(text.Duration(t.took), f.th.Faint)
	case t.status == agents.ToolDenied, t.status == agents.ToolAborted:
		return y.Failed, f.th.Danger, part(string(t.status), f.th.Danger)
	}
	return y.Failed, f.th.Danger, part(text.Duration(t.took), f.th.Faint)
}

// maxTitleArgs is how many characters of arguments the title of a call is made of.
const maxTitleArgs = 2000

// maxDetailLines is how many lines of arguments or of a result are shown; the tool log
// has them all.
const maxDetailLines = 40

// detailLines draws arguments and result.
func (t *toolBlock) detailLines(f frame) []string {
	var lines []string
	for _, words := range []string{t.args, t.result} {
		part := wrapIndented(text.Sanitize(words), f.width, "    ", "    ")
		if n := len(part) - maxDetailLines; n > 0 {
			part = append(part[:maxDetailLines], fmt.Sprintf("    %s %d more lines", f.th.Symbols.Cut, n))
		}
		lines = append(lines, styleLines(part, f.th.Faint)...)
	}
	return lines
}

// safeLine makes foreign text safe for one line and cuts it to 1,000 characters.
func safeLine(s string) string { return text.Clip(text.Line(s), 1000) }

// unquotedArgs are arguments shown without quotation marks, since they name something.
var unquotedArgs = []string{"path", "dir", "file", "glob", "source_agent"}

// ArgsSummary returns the arguments of a tool call in a short readable form. The
// result is not made safe to show.
func ArgsSummary(args string) string {
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return args
	}
	var words []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return args
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return args
		}
		words = append(words, argument(fmt.Sprint(key), value))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// argument returns one argument of a tool call.
func argument(key string, value json.RawMessage) string {
	var s string
	var argv []string
	if key == "argv" && json.Unmarshal(value, &argv) == nil {
		return text.Command(argv)
	}
	if err := json.Unmarshal(value, &s); err != nil {
		var compact bytes.Buffer
		if json.Compact(&compact, value) != nil {
			return key + "=" + string(value)
		}
		return key + "=" + compact.String()
	}
	if s == "" || slices.Contains(unquotedArgs, key) {
		return s
	}
	return `"` + s + `"`
}

// tokenCounter estimates the tokens of a text that arrives in pieces.
type tokenCounter struct {
	sum     int    // tokens of the text before pending
	pending string // the end of the text; its last word may be incomplete
}

// maxPending is how many bytes are kept before their tokens are added to the sum.
const maxPending = 256

func (c *tokenCounter) add(piece string) {
	c.pending += piece
	if len(c.pending) < maxPending {
		return
	}
	cut := strings.LastIndexAny(c.pending, " \n")
	if cut <= 0 { // no word boundary
		cut = len(c.pending)
	}
	c.sum += agents.Tokens(c.pending[:cut])
	c.pending = c.pending[cut:]
}

// count returns the estimate for the text so far.
func (c *tokenCounter) count() int { return c.sum + agents.Tokens(c.pending) }

// speedWindow is the time over which the speed is measured.
const speedWindow = 2 * time.Second

// meter measures the text of the running attempt. It reads no clock: samples are taken
// when the pane is drawn.
type meter struct {
	tokenCounter
	samples []sample
}

// sample is the number of tokens at a time.
type sample struct {
	at     time.Time
	tokens int
}

// takeSample records how many tokens have arrived.
func (m *meter) takeSample(now time.Time) {
	tokens := m.count()
	if n := len(m.samples); n > 0 && m.samples[n-1].tokens == tokens {
		return
	}
	m.samples = append(m.samples, sample{now, tokens})
	drop := 0
	for drop < len(m.samples)-2 && now.Sub(m.samples[drop].at) > speedWindow {
		drop++
	}
	m.samples = append(m.samples[:0], m.samples[drop:]...)
}

// speed returns the tokens per second, or 0 if that is not known.
func (m *meter) speed(now time.Time) int {
	n := len(m.samples)
	if n < 2 || now.Sub(m.samples[n-1].at) > speedWindow {
		return 0
	}
	first, last := m.samples[0], m.samples[n-1]
	took := last.at.Sub(first.at)
	if took < speedWindow/4 {
		return 0
	}
	return int(float64(last.tokens-first.tokens)/took.Seconds() + 0.5)
}

// stopwatch measures how long something took that only drawing observes.
type stopwatch struct {
	running          bool
	unreliable       bool // it was not drawn for too long
	started, stopped time.Time
}

// observe passes the time to the stopwatch. Gap says that it was not drawn for too
// long.
func (s *stopwatch) observe(now time.Time, gap bool) {
	switch {
	case s.started.IsZero():
		s.started, s.unreliable = now, !s.running
	case s.stopped.IsZero():
		s.unreliable = s.unreliable || gap
	}
	if !s.running && s.stopped.IsZero() {
		s.stopped = now
	}
}

// elapsed returns the time that has passed, or 0 if that is not known.
func (s *stopwatch) elapsed(now time.Time) time.Duration {
	switch {
	case s.unreliable || s.started.IsZero():
		return 0
	case s.stopped.IsZero():
		return now.Sub(s.started)
	}
	return s.stopped.Sub(s.started)
}
