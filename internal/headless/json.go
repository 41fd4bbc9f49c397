package headless

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// JSONReporter writes one JSON object per line for every event. [report.Schema] describes
// the lines.
type JSONReporter struct {
	Out     io.Writer
	Now     func() time.Time
	session debate.Session
	seq     int
	err     error
}

// Err returns the first error of writing.
func (j *JSONReporter) Err() error { return j.err }

type field struct {
	name  string // "": the members of an object
	value any
}

func given[T any](name string, value T, there bool) []field {
	if !there {
		return nil
	}
	return []field{{name, value}}
}

// of returns fields about a turn, which name it first.
func of(t agents.Turn, fields ...field) []field {
	return append([]field{{"agent", t.Agent}, {"round", t.Round}, {"step", t.Step}, {"attempt", t.Attempt}}, fields...)
}

func (j *JSONReporter) writeLine(kind string, at time.Time, fields ...field) {
	if j.err != nil {
		return
	}
	at = cmp.Or(at, j.Now())
	j.seq++
	head := []field{{"seq", j.seq}, {"at", at.UTC().Format(time.RFC3339Nano)}, {"session", j.session.ID}, {"type", kind}}
	line, err := object(append(head, fields...))
	if err == nil {
		_, err = j.Out.Write(append(line, '\n'))
	}
	if err != nil {
		j.err = fmt.Errorf("write event %d: %w", j.seq, err)
	}
}

func object(fields []field) ([]byte, error) {
	line := []byte("{")
	for i, f := range fields {
		value, err := Encode(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if i > 0 {
			line = append(line, ',')
		}
		if f.name == "" {
			value = value[1 : len(value)-1]
		} else {
			line = append(strconv.AppendQuote(line, f.name), ':')
		}
		line = append(line, value...)
	}
	return append(line, '}'), nil
}

// Encode returns v as JSON that is safe to print on a terminal: control and format
// characters beyond ASCII are written as \u escapes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapeControls(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func escapeControls(raw []byte) []byte {
	var out []byte
	for _, r := range string(raw) {
		if r < 0x7f || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// Begin writes the first line.
func (j *JSONReporter) Begin(s debate.Session, resumed bool) {
	j.session = s
	kind := "session.started"
	if resumed {
		kind = "session.resumed"
	}
	j.writeLine(kind, time.Time{}, slices.Concat(
		[]field{{"topic", s.Topic}}, given("question", s.Question, s.Question != ""), given("unit", s.Unit, s.Unit != ""),
		given("options", s.GivenOptions(), len(s.GivenOptions()) > 0),
		[]field{{"mode", s.Mode.Name}, {"agents", s.Seats}, {"rounds", s.Rounds}}, given("evidence", s.Evidence, len(s.Evidence) > 0),
	)...)
}

// Event writes the lines of an event, if it has any.
func (j *JSONReporter) Event(ev debate.Event) {
	j.session = j.session.Apply(ev)
	switch ev := ev.(type) {
	case debate.RoundStarted:
		if sent := ev.Sent(); len(sent) > 0 {
			j.writeLine("context.released", ev.At, field{"round", ev.Round}, field{"requests", sent})
		}
		j.writeLine("round.started", ev.At, field{"round", ev.Round}, field{"snapshot", ev.Session.Current().Hash})
	case debate.ContextRequested:
		r := ev.Request
		j.writeLine("context.requested", ev.At, field{"request", r.ID}, field{"agents", r.Askers()}, field{"query", r.Query},
			field{"reason", r.Reason()}, field{"priority", r.Priority}, field{"round", ev.Turn.Round})
	case debate.ContextChanged:
		j.contextChanged(ev)
	case debate.Assisting:
		if ev.Task != debate.TaskTools {
			j.notice("light", ev.Description()+".", ev.At)
		}
	case debate.RoundCounted:
		done, failed := tally(j.session)
		j.writeLine("round.finished", ev.At, field{"round", ev.Round}, field{"done", done}, field{"failed", failed})
	case debate.Concluded:
		j.concluded(ev)
	case debate.Noticed:
		j.notice(ev.Notice.Code, ev.Notice.Text, ev.Notice.At)
	case debate.TurnStarted, debate.Concluding, debate.TurnRetrying, debate.ToolStarted, debate.ToolEnded,
		debate.ApprovalAsked, debate.ApprovalDecided, debate.TurnEnded:
		j.turnEvent(ev)
	case debate.TurnQueued, debate.TurnAlive, debate.Text, debate.ToolsCalled, debate.Refused,
		debate.FollowUpStarted, debate.FollowUpEnded, debate.RunEnded: // no line: what is complete is written, and End follows
	}
}

// turnEvent writes the lines of what happens in a turn, of the events that Event passes to it.
func (j *JSONReporter) turnEvent(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.TurnStarted:
		j.started(ev.Turn, ev.Profile, ev.At)
	case debate.Concluding:
		j.started(ev.Turn, ev.Profile, ev.At)
	case debate.TurnRetrying:
		r := ev.Retry
		j.writeLine("agent.retrying", ev.At, of(ev.Turn, field{"cause", r.Cause}, field{"in_s", r.In.Seconds()}, field{"try", r.Try})...)
	case debate.ToolStarted:
		j.writeLine("tool.started", ev.At, append(toolFields(ev.Turn, ev.Tool), field{"arguments", ev.Tool.Args})...)
	case debate.ToolEnded:
		r := ev.Tool.Result
		j.writeLine("tool.finished", ev.At, append(toolFields(ev.Turn, ev.Tool),
			field{"status", r.Status}, field{"duration_ms", ev.Tool.Took.Milliseconds()}, field{"summary", r.Summary})...)
	case debate.ApprovalAsked:
		with := ev.FieldLines()
		fields := of(ev.Turn, field{"call", ev.CallID}, field{"tool", ev.Tool}, field{"argv", ev.Argv}, field{"dir", ev.Dir})
		j.writeLine("approval.requested", ev.At, slices.Concat(append(fields, field{"mode", ev.Mode}),
			given("with", with, len(with) > 0), given("each_time", ev.EachTime, ev.EachTime != ""))...)
	case debate.ApprovalDecided:
		a := ev.Approval
		fields := of(ev.Turn, field{"call", ev.CallID}, field{"outcome", cmp.Or(a.Choice, debate.ApprovalDenied)})
		j.writeLine("approval.settled", ev.At, append(fields, given("reason", a.Reason, a.Reason != "")...)...)
	case debate.TurnEnded:
		j.turnEnded(ev)
	default: // Event names the others
	}
}

func (j *JSONReporter) started(t agents.Turn, p agents.Profile, at time.Time) {
	j.writeLine("agent.started", at, of(t, field{"model", p.Model}, field{"provider", p.Provider})...)
}

func toolFields(t agents.Turn, call debate.ToolRecord) []field {
	return append(of(t, field{"call", call.ID}, field{"tool", call.Name}), given("own", true, call.Own)...)
}

func (j *JSONReporter) contextChanged(ev debate.ContextChanged) {
	r := ev.Request
	a, answered := r.Answer()
	switch {
	case answered:
		j.writeLine("context.answered", ev.At, field{"request", r.ID}, field{"outcome", a.Outcome}, field{"revision", a.Revision})
	case r.State == ledger.Withdrawn:
		j.notice("context_withdrawn", r.ID+" was withdrawn: it was not asked again.", ev.At)
	}
}

func (j *JSONReporter) notice(code, text string, at time.Time) {
	j.writeLine("notice", at, field{"code", code}, field{"text", text})
}

func (j *JSONReporter) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	if x.State != debate.TurnDone {
		cause := cmp.Or(x.Failure.Words(x.State), string(x.State))
		j.writeLine("agent.failed", ev.At, of(x.Turn, field{"cause", cause}, field{"partial", x.Text() != ""})...)
		return
	}
	st, side := x.Statement, verdict.SideOf(j.session, x)
	j.writeLine("agent.finished", ev.At, of(x.Turn,
		field{"text", x.Body()}, field{"finish", x.Finish}, field{"position", nullable(st.Position)},
		field{"vote", nullable(st.Vote)},
		field{"side", nullable(string(side))}, field{"in_role", side != debate.Undecided && verdict.InRole(j.session, x)},
		field{"confidence", st.Confidence},
		field{"context_used", append([]string{}, st.ContextUsed...)},
		field{"notes", append([]string{}, st.Notes...)},
		field{"usage", report.Usage{Requests: x.Calls, Usage: x.Usage, Cost: x.Cost}})...)
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// tally returns which seats completed the current round, in all of its steps, and which did not.
func tally(s debate.Session) (done, failed []agents.ID) {
	done, failed = []agents.ID{}, []agents.ID{}
	var turns []debate.Response
	if c := s.Current(); c != nil {
		turns = c.Latest()
	}
	for _, p := range s.Seats {
		of := func(x debate.Response) bool { return x.Turn.Agent == p.ID }
		switch {
		case slices.ContainsFunc(turns, func(x debate.Response) bool { return of(x) && x.State != debate.TurnDone }):
			failed = append(failed, p.ID)
		case slices.ContainsFunc(turns, of):
			done = append(done, p.ID)
		}
	}
	return done, failed
}

func (j *JSONReporter) concluded(ev debate.Concluded) {
	s := ev.Session
	cited := cite.All(s)
	for _, note := range s.Verdict.Notes {
		j.notice("verdict", note, ev.At)
	}
	j.writeLine("verdict", ev.At, append([]field{{"", report.VerdictOf(s)}}, given("citations", cited, len(cited) > 0)...)...)
}

// End writes the last line.
func (j *JSONReporter) End(e Result) {
	j.session = e.Session
	fields := []field{{"reason", e.Reason}}
	switch {
	case e.Kind == Completed:
		spent := budget.TotalSpending(e.Session)
		usage := report.Usage{Requests: spent.Calls, Usage: spent.Usage, Cost: spent.Cost}
		fields = []field{{"headline", report.Line(e.Session)}, {"usage", usage}, {"cost", spent.Cost}}
	case e.Kind == NeedsContext:
		fields = []field{{"requests", text.Each(e.Session.OpenRequests(), report.RequestOf)}}
	case e.Kind == Stopped && e.Err != nil: // the budget allowed no call, so nothing was recorded
		j.notice("budget", e.Reason+".", time.Time{})
		fields = []field{{"reason", debate.StoppedByBudget}}
	}
	j.writeLine(string(e.Kind), time.Time{}, slices.Concat(fields,
		given("required", e.Required, e.Required != nil), given("required_person", e.Person, e.Person != nil))...)
}
