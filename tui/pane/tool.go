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
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)


// tool is one call of the seat's agent.
type tool struct {
	of      *attempt
	id      string
	what    string // name and arguments, for one line
	args    string
	summary string
	result  string
	state   debate.ToolState
	status  agents.ToolStatus
	began   time.Time
	lasted  time.Duration
}

// newTool takes over a record, made safe.
func newTool(of *attempt, r debate.ToolRecord) *tool {
	return &tool{
		id: r.ID, of: of, what: line(r.Name + " " + Gist(r.Args)), args: safetext.Text(r.Args),
		summary: line(r.Result.Summary), result: safetext.Text(r.Result.Text),
		state: r.State, status: r.Result.Status, began: r.Began, lasted: r.Took,
	}
}

// stamp moves the spinner and the seconds of a call that runs.
func (t *tool) stamp(f frame) int64 {
	if a, ok := f.asks[t.id]; ok {
		return f.askStamp(a, t.of)
	}
	if t.state != debate.ToolRunning {
		return 0
	}
	return int64(f.spin)<<32 + int64(f.now.Sub(t.began).Seconds())
}

func (t *tool) draw(f frame) sheet {
	if a, ok := f.asks[t.id]; ok {
		return rows(f.askLines(a, t.of))
	}
	symbol, style, right := t.ending(f)
	left := append([]theme.Part{{Text: symbol + " ", Style: style}}, f.owner()...)
	left = append(left, theme.Part{Text: t.what, Style: f.th.Text, Cut: 2})
	if f.wide() && t.summary != "" {
		left = append(left, theme.Part{Text: "   " + t.summary, Style: f.th.Muted, Cut: 1})
	}
	lines := rows{f.row(left, right)}
	if !f.wide() && t.summary != "" {
		lines = append(lines, f.th.Muted.Render(ansi.Truncate("    "+t.summary, f.width, f.th.Symbols.Cut)))
	}
	if f.details {
		lines = append(lines, t.unfolded(f)...)
	}
	return lines
}

// ending returns sign, colour and what stands at the right of the call.
func (t *tool) ending(f frame) (string, lipgloss.Style, []theme.Part) {
	y := f.th.Symbols
	part := func(words string, style lipgloss.Style) []theme.Part {
		return []theme.Part{{Text: words, Style: style}}
	}
	switch {
	case t.state == debate.ToolPending:
		return y.Queued, f.th.Muted, part("waits", f.th.Faint)
	case t.state == debate.ToolRunning:
		since := took(max(0, f.now.Sub(t.began).Truncate(time.Second)))
		if f.now.Sub(t.began) < time.Second {
			since = ""
		}
		return y.Busy[uint(f.spin)%uint(len(y.Busy))], f.th.Text, part(since, f.th.Faint)
	case t.status == agents.ToolOK:
		return y.Done, f.th.Success, part(took(t.lasted), f.th.Faint)
	case t.status == agents.ToolDenied, t.status == agents.ToolAborted:
		return y.Failed, f.th.Danger, part(string(t.status), f.th.Danger)
	}
	return y.Failed, f.th.Danger, part(took(t.lasted), f.th.Faint)
}

// most is how many lines of arguments or result are unfolded; the tool log has all.
const most = 40

func (t *tool) unfolded(f frame) []string {
	var lines []string
	for _, words := range []string{t.args, t.result} {
		part := hang(words, f.width, "    ", "    ")
		if n := len(part) - most; n > 0 {
			part = append(part[:most], fmt.Sprintf("    %s %d more lines", f.th.Symbols.Cut, n))
		}
		lines = append(lines, paint(part, f.th.Faint)...)
	}
	return lines
}

// line makes foreign text safe for a line; more than a screen's width is cut.
func line(s string) string { return safetext.Clip(safetext.Line(s), 1000) }

// names are arguments that name a thing; the others are quoted.
var names = []string{"path", "dir", "file", "glob", "source_agent"}

// Gist returns a call's arguments as a person would write them down. It does not
// make them safe to show.
func Gist(args string) string {
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

func argument(key string, value json.RawMessage) string {
	var s string
	if err := json.Unmarshal(value, &s); err != nil {
		var compact bytes.Buffer
		if json.Compact(&compact, value) != nil {
			return key + "=" + string(value)
		}
		return key + "=" + compact.String()
	}
	if s == "" || slices.Contains(names, key) {
		return s
	}
	return `"` + s + `"`
}
