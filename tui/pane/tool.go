package pane

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// title returns the name and the arguments of a call in one line, made safe.
func title(t control.Tool) string { return safeLine(t.Name + " " + ArgsSummary(t.Args)) }

// toolTime changes with the spinner and the seconds of a running call.
func (f frame) toolTime(b *block) int64 {
	if b.Tool.State == debate.ToolRunning {
		return int64(f.spin)<<32 + int64(f.now.Sub(b.Tool.Began).Seconds())
	}
	return 0
}

// toolLines draw a tool call of the seat.
func (f frame) toolLines(b *block) []string {
	t := b.Tool
	if a, ok := f.seat.Asking(b.Call); ok {
		lines := f.askLines(a, b.Attempt)
		if strings.HasSuffix(t.Result.Summary, agents.WrittenAsText) {
			lines = append(lines, f.under(agents.WrittenAsText))
		}
		return lines
	}
	symbol, style, words := ToolSign(t, f.th, f.now, f.spin)
	right := []theme.Part{{Text: words, Style: f.th.Faint}}
	summary := safeLine(t.Result.Summary)
	left := []theme.Part{
		{Text: symbol + " ", Style: style},
		{Text: f.name(), Style: f.th.Seat(f.number)},
		{Text: " " + f.th.Symbols.Sep + " ", Style: f.th.Faint},
		{Text: title(t), Style: f.th.Text, Cut: 2},
	}
	if f.wide() && summary != "" {
		left = append(left, theme.Part{Text: "   " + summary, Style: f.th.Muted, Cut: 1})
	}
	lines := []string{f.row(left, right)}
	if !f.wide() && summary != "" {
		lines = append(lines, f.under(summary))
	}
	if f.details {
		lines = append(lines, f.detailLines(t)...)
	}
	return lines
}

// under draws a line below a call.
func (f frame) under(words string) string {
	return f.th.Muted.Render(ansi.Truncate("    "+words, f.width, f.th.Symbols.Cut))
}

// ToolState returns in a word what a call does, or how it ended.
func ToolState(t control.Tool) string {
	switch {
	case t.Waiting:
		return "waits: A"
	case t.State != debate.ToolDone:
		return string(t.State)
	case t.Result.Status == agents.ToolOK:
		return "done"
	}
	return cmp.Or(string(t.Result.Status), "error")
}

// ToolSign returns the symbol and style of a call, and how long it took or runs, or else its state.
func ToolSign(t control.Tool, th *theme.Theme, now time.Time, spin int) (string, lipgloss.Style, string) {
	y := th.Symbols
	switch state := ToolState(t); {
	case t.Waiting:
		return y.Waits, th.Warning, state
	case t.State == debate.ToolPending:
		return y.Queued, th.Muted, state
	case t.State == debate.ToolRunning:
		runs := text.Duration(max(0, now.Sub(t.Began).Truncate(time.Second)))
		if t.Limit > 0 {
			runs += " of " + text.Duration(t.Limit)
		}
		return busy(th, spin), th.Text, runs
	case t.Result.Status == agents.ToolOK:
		return y.Done, th.Success, text.Duration(t.Took)
	default:
		return y.Failed, th.Danger, state
	}
}

// maxDetailLines is how many lines of arguments or of a result are shown; the tool log
// has them all.
const maxDetailLines = 40

// detailLines draws arguments and result.
func (f frame) detailLines(t control.Tool) []string {
	var lines []string
	for _, words := range []string{t.Args, t.Result.Text} {
		part := wrapIndented(text.Sanitize(words), f.width, "    ", "    ")
		if n := len(part) - maxDetailLines; n > 0 {
			part = append(part[:maxDetailLines], fmt.Sprintf("    %s %d more lines", f.th.Symbols.Cut, n))
		}
		lines = append(lines, styleLines(part, f.th.Faint)...)
	}
	return lines
}

// askLines draw a question to the user.
func (f frame) askLines(a control.Asking, of *control.Attempt) []string {
	if a.Again {
		return nil
	}
	symbol, style, words := f.askState(a)
	query := safeLine(a.Request.Query)
	verb := " asked "
	switch {
	case a.Before != nil:
		verb = " "
	case a.Open():
		verb = " asks "
	}
	left := []theme.Part{
		{Text: symbol + " ", Style: style},
		{Text: f.name(), Style: f.th.Seat(f.number), Cut: 1},
		{Text: verb + words, Style: f.th.Text, Cut: 2}, // the state is kept longest
	}
	if f.wide() && a.Before == nil {
		used := ansi.StringWidth(symbol+" "+f.name()+verb+words) + 2
		if room := f.width - used; room >= 8 {
			quote := `"` + ansi.Truncate(query, room-2, f.th.Symbols.Cut) + `"`
			left = append(left, theme.Part{Text: "  " + quote, Style: f.th.Muted})
		}
	}
	lines := []string{f.row(left, nil)}
	if !f.wide() && !f.small() && !f.besideForm {
		lines = append(lines, f.askDetail(a, query)...)
	}
	if answer, ok := a.Answer(); ok && f.details && answer.Content != "" {
		lines = append(lines, f.labelled("answer  ", text.Line(answer.Content), "    ")...)
	}
	if of.State == debate.TurnInterrupted && a.Open() {
		lines = append(lines, f.under("still open"))
	}
	return lines
}

// askState returns symbol, style and words for the state of a request.
func (f frame) askState(a control.Asking) (string, lipgloss.Style, string) {
	y, id := f.th.Symbols, a.ID
	answer, answered := a.Answer()
	switch {
	case a.Before != nil:
		return y.Done, f.th.Success, "joins " + id
	case a.Open() && a.Request.Priority == ledger.Required:
		return y.Required, f.th.Warning, id + " required"
	case a.Open():
		return y.Optional, f.th.Muted, id + " optional"
	case answered && answer.Outcome == ledger.Unavailable:
		return y.Unavailable, f.th.Muted, id + " " + safeLine(answer.Said())
	case answered && answer.Outcome == ledger.Answered:
		return y.Done, f.th.Success, id + " " + safeLine(answer.Said())
	}
	return y.Missing, f.th.Muted, id + " " + string(a.State)
}

// askDetail draws the question and its reason, or who had asked it before.
func (f frame) askDetail(a control.Asking, query string) []string {
	if a.Before != nil {
		words := text.List(a.Before) + " asked the same before"
		return styleLines(wrapIndented(safeLine(words), f.width, "    ", "    "), f.th.Muted)
	}
	lines := styleLines(wrapIndented(`"`+query+`"`, f.width, "    ", "    "), f.th.Text)
	if a.Blocks() && a.Ask.Reason != "" {
		lines = append(lines, f.labelled(`why  `, `"`+safeLine(a.Ask.Reason)+`"`, "    ")...)
	}
	return lines
}

// unquotedArgs are arguments shown without quotation marks, since they name something.
var unquotedArgs = []string{"path", "dir", "file", "glob", "source_agent"}

// maxSummarized is how many characters of arguments their short form is made of.
const maxSummarized = 2000

// ArgsSummary returns the arguments of a tool call in a short readable form. The
// result is not made safe to show.
func ArgsSummary(args string) string {
	args = text.Head(args, maxSummarized)
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
	return text.Join(" ", words...)
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
