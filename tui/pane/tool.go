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
	waiting bool // for the user's decision on a command
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
	if a, ok := f.asks[t.id]; ok {
		return eagerLines(f.askLines(a, t.attempt))
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
		if f.now.Sub(t.began) < time.Second {
			running = ""
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
