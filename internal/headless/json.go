package headless

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// EventSchema is the published JSON schema of the lines of a JSONReporter.
//
//go:embed events.schema.json
var EventSchema []byte

// JSONReporter writes one JSON object per line for every event. EventSchema describes
// the lines.
type JSONReporter struct {
	w       io.Writer
	deltas  bool
	now     func() time.Time
	session debate.Session
	seq     int
	seats   map[agents.ID]debate.TurnState // last turn of each seat in the current round
	err     error
}

// NewJSONReporter returns a reporter that writes to w. With deltas it writes streamed text
// as well.
func NewJSONReporter(w io.Writer, deltas bool, now func() time.Time) *JSONReporter {
	return &JSONReporter{w: w, deltas: deltas, now: now, seats: map[agents.ID]debate.TurnState{}}
}

// Err returns the first error of writing.
func (j *JSONReporter) Err() error { return j.err }

// lineHead holds the first fields of every line.
type lineHead struct {
	Seq     int    `json:"seq"`
	At      string `json:"at"`
	Session string `json:"session"`
	Type    string `json:"type"`
}

// writeLine writes one line. Fields is a struct.
func (j *JSONReporter) writeLine(kind string, at time.Time, fields any) {
	if j.err != nil {
		return
	}
	if at.IsZero() {
		at = j.now()
	}
	j.seq++
	line, err := mergeObjects(lineHead{j.seq, at.UTC().Format(time.RFC3339Nano), j.session.ID, kind}, fields)
	if err == nil {
		_, err = j.w.Write(line)
	}
	if err != nil {
		j.err = fmt.Errorf("write event %d: %w", j.seq, err)
	}
}

// mergeObjects encodes two structs as one object, with a newline.
func mergeObjects(first, second any) ([]byte, error) {
	a, err := Encode(first)
	if err != nil {
		return nil, err
	}
	b, err := Encode(second)
	if err != nil {
		return nil, err
	}
	if len(b) <= len("{}") {
		return append(a, '\n'), nil
	}
	return slices.Concat(a[:len(a)-1], []byte(","), b[1:], []byte("\n")), nil
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
	hidden := func(r rune) bool { return r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
	if bytes.IndexFunc(raw, hidden) < 0 {
		return raw
	}
	var out bytes.Buffer
	for _, r := range string(raw) {
		switch high, low := utf16.EncodeRune(r); {
		case !hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}

// agentLine describes a seat in the first line.
type agentLine struct {
	ID       agents.ID `json:"id"`
	Name     string    `json:"name"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Included bool      `json:"included,omitempty"` // in a subscription: its cost is always 0
}

// Begin writes the first line.
func (j *JSONReporter) Begin(s debate.Session, resumed bool) {
	j.session = s
	roster := []agentLine{}
	for _, p := range s.Seats {
		roster = append(roster, agentLine{p.ID, p.Name, p.Provider, p.Model, p.Included})
	}
	kind := "session.started"
	if resumed {
		kind = "session.resumed"
	}
	j.writeLine(kind, time.Time{}, struct {
		Topic    string              `json:"topic"`
		Question debate.QuestionKind `json:"question,omitempty"`
		Options  []string            `json:"options,omitempty"`
		Mode     string              `json:"mode"`
		Agents   []agentLine         `json:"agents"`
		Rounds   int                 `json:"rounds"`
		Evidence []debate.Evidence   `json:"evidence,omitempty"`
	}{s.Topic, s.Question, s.GivenOptions(), s.Mode.Name, roster, s.Rounds, s.Evidence})
}

// Event writes the lines of an event, if it has any.
func (j *JSONReporter) Event(ev debate.Event) {
	j.session = j.session.Apply(ev)
	switch ev := ev.(type) {
	case debate.RoundStarted:
		j.roundStarted(ev)
	case debate.TurnStarted:
		j.started(ev.Turn, ev.Profile, ev.At)
	case debate.Concluding:
		j.started(ev.Turn, ev.Profile, ev.At)
	case debate.TurnRetrying:
		j.retrying(ev)
	case debate.Text:
		j.delta(ev)
	case debate.ToolStarted:
		j.toolStarted(ev)
	case debate.ToolEnded:
		j.toolEnded(ev)
	case debate.ApprovalAsked:
		j.approvalAsked(ev)
	case debate.ApprovalDecided:
		j.approvalDecided(ev)
	case debate.ContextRequested:
		j.writeLine("context.requested", ev.At, struct {
			requestLine
			Round int `json:"round"`
		}{requestLineOf(ev.Request), ev.Turn.Round})
	case debate.ContextChanged:
		j.contextChanged(ev)
	case debate.TurnEnded:
		j.turnEnded(ev)
	case debate.Assisting:
		if ev.Task != debate.TaskTools {
			j.notice("light", ev.Description()+".", ev.At)
		}
	case debate.Assessed:
		j.assessed(ev)
	case debate.Concluded:
		j.concluded(ev)
	case debate.FollowUpEnded:
		j.followUp(ev)
	case debate.Noticed:
		j.notice(ev.Notice.Code, ev.Notice.Text, ev.Notice.At)
	case debate.TurnQueued, debate.TurnAlive, debate.ToolsCalled, debate.Refused,
		debate.FollowUpStarted, debate.RoundEnded: // no line: nothing changed, and End follows
	}
}

func (j *JSONReporter) roundStarted(ev debate.RoundStarted) {
	clear(j.seats)
	if c := ev.Session.Current(); c != nil {
		for _, x := range c.Latest() {
			j.recordTurn(x)
		}
	}
	if len(ev.Facts) > 0 {
		j.writeLine("context.released", ev.At, struct {
			Round    int      `json:"round"`
			Requests []string `json:"requests"`
		}{ev.Round, ev.Facts})
	}
	j.writeLine("round.started", ev.At, struct {
		Round    int    `json:"round"`
		Snapshot string `json:"snapshot"`
	}{ev.Round, ev.Hash})
}

// recordTurn records how a seat's turn ended. A seat that speaks in several steps fails
// the round if it fails one of them.
func (j *JSONReporter) recordTurn(x debate.Response) {
	if x.Turn.Step == debate.VerdictStep {
		return
	}
	if old, ok := j.seats[x.Turn.Agent]; ok && old != debate.TurnDone && x.Turn.Attempt == 1 {
		return
	}
	j.seats[x.Turn.Agent] = x.State
}

func (j *JSONReporter) started(t agents.Turn, p agents.Profile, at time.Time) {
	j.writeLine("agent.started", at, struct {
		report.Turn
		Model    string `json:"model"`
		Provider string `json:"provider"`
	}{report.TurnOf(t), p.Model, p.Provider})
}

func (j *JSONReporter) retrying(ev debate.TurnRetrying) {
	j.writeLine("agent.retrying", ev.At, struct {
		report.Turn
		Cause string  `json:"cause"`
		In    float64 `json:"in_s"`
		Try   int     `json:"try"`
	}{report.TurnOf(ev.Turn), ev.Retry.Cause, ev.Retry.In.Seconds(), ev.Retry.Try})
}

func (j *JSONReporter) delta(ev debate.Text) {
	if !j.deltas || ev.Turn.Step == debate.FollowUpStep {
		return
	}
	kind := "text"
	if ev.Reasoning {
		kind = "reasoning"
	}
	j.writeLine("agent.delta", time.Time{}, struct {
		report.Turn
		Text    string `json:"text"`
		Kind    string `json:"kind"`
		WasText bool   `json:"was_text,omitempty"`
	}{report.TurnOf(ev.Turn), ev.Text, kind, ev.Moves})
}

func (j *JSONReporter) toolStarted(ev debate.ToolStarted) {
	j.writeLine("tool.started", ev.At, struct {
		report.Turn
		Call      string `json:"call"`
		Tool      string `json:"tool"`
		Own       bool   `json:"own,omitempty"`
		Arguments string `json:"arguments"`
	}{report.TurnOf(ev.Turn), ev.Tool.ID, ev.Tool.Name, ev.Tool.Own, ev.Tool.Args})
}

func (j *JSONReporter) toolEnded(ev debate.ToolEnded) {
	j.writeLine("tool.finished", ev.At, struct {
		report.Turn
		Call     string            `json:"call"`
		Tool     string            `json:"tool"`
		Own      bool              `json:"own,omitempty"`
		Status   agents.ToolStatus `json:"status"`
		Duration int64             `json:"duration_ms"`
		Summary  string            `json:"summary"`
	}{
		report.TurnOf(ev.Turn), ev.Tool.ID, ev.Tool.Name, ev.Tool.Own, ev.Tool.Result.Status,
		ev.Tool.Took.Milliseconds(), ev.Tool.Result.Summary,
	})
}

// requestLine describes an open request.
type requestLine struct {
	Request  string          `json:"request"`
	Agents   []agents.ID     `json:"agents"`
	Query    string          `json:"query"`
	Reason   string          `json:"reason"`
	Priority ledger.Priority `json:"priority"`
}

func requestLineOf(r ledger.Request) requestLine {
	return requestLine{r.ID, r.Askers(), r.Query, ReasonOf(r), r.Priority}
}

// ReasonOf returns the reason of the first agent that still asks.
func ReasonOf(r ledger.Request) string {
	for _, a := range r.Asks {
		if !a.Withdrawn {
			return a.Reason
		}
	}
	if len(r.Asks) > 0 {
		return r.Asks[0].Reason
	}
	return ""
}

func (j *JSONReporter) contextChanged(ev debate.ContextChanged) {
	r := ev.Request
	a, answered := r.Answer()
	switch {
	case answered && (r.State == ledger.Resolved || r.State == ledger.Released):
		j.writeLine("context.answered", ev.At, struct {
			Request  string         `json:"request"`
			Outcome  ledger.Outcome `json:"outcome"`
			Revision int            `json:"revision"`
		}{r.ID, a.Outcome, a.Revision})
	case r.State == ledger.Withdrawn:
		j.notice("context_withdrawn", r.ID+" was withdrawn: it was not asked again.", ev.At)
	}
}

func (j *JSONReporter) notice(code, text string, at time.Time) {
	j.writeLine("notice", at, struct {
		Code string `json:"code"`
		Text string `json:"text"`
	}{code, text})
}

func (j *JSONReporter) approvalAsked(ev debate.ApprovalAsked) {
	j.writeLine("approval.requested", ev.At, struct {
		report.Turn
		Call string               `json:"call"`
		Tool string               `json:"tool"`
		Argv []string             `json:"argv"`
		Dir  string               `json:"dir"`
		Mode debate.WorkspaceMode `json:"mode"`
		With []string             `json:"with,omitempty"`
		Each string               `json:"each_time,omitempty"`
	}{report.TurnOf(ev.Turn), ev.CallID, ev.Tool, ev.Argv, ev.Dir, ev.Mode, ev.FieldLines(), ev.EachTime})
}

func (j *JSONReporter) approvalDecided(ev debate.ApprovalDecided) {
	j.writeLine("approval.settled", ev.At, struct {
		report.Turn
		Call    string                `json:"call"`
		Outcome debate.ApprovalChoice `json:"outcome"`
		Reason  string                `json:"reason,omitempty"`
	}{report.TurnOf(ev.Turn), ev.CallID, cmp.Or(ev.Approval.Choice, debate.ApprovalDenied), ev.Approval.Reason})
}

func (j *JSONReporter) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	j.recordTurn(x)
	if x.State == debate.TurnDone {
		j.finished(x, ev.At)
		return
	}
	cause := string(x.State)
	if x.Failure != nil {
		cause = x.Failure.Cause
		if next := remedyOf(x); next != "" {
			cause += " " + next
		}
	}
	j.writeLine("agent.failed", ev.At, struct {
		report.Turn
		Cause   string `json:"cause"`
		Partial bool   `json:"partial"`
	}{report.TurnOf(x.Turn), cause, x.Text() != ""})
}

func (j *JSONReporter) finished(x debate.Response, at time.Time) {
	st := x.Statement
	used := st.ContextUsed
	if used == nil {
		used = []string{}
	}
	notes := st.Notes
	if notes == nil {
		notes = []string{}
	}
	side := j.session.SideOf(x)
	j.writeLine("agent.finished", at, struct {
		report.Turn
		Text       string           `json:"text"`
		Finish     agents.Finish    `json:"finish"`
		Position   *string          `json:"position"`
		Stance     *string          `json:"stance"`
		Choice     *string          `json:"choice"`
		Estimate   *debate.Estimate `json:"estimate"`
		Side       *string          `json:"side"`
		InRole     bool             `json:"in_role"`
		Confidence *float64         `json:"confidence"`
		Used       []string         `json:"context_used"`
		Notes      []string         `json:"notes"`
		Usage      report.UsageLine `json:"usage"`
	}{
		report.TurnOf(x.Turn), bodyOf(x), x.Finish, nullable(st.Position), nullable(string(st.Stance)),
		nullable(st.Choice), st.Estimate, nullable(string(side)), side != debate.Undecided && j.session.InRole(x.Turn.Agent, x.Phase),
		st.Confidence, used, notes, report.UsageOf(x.Usage, x.Cost),
	})
}

// bodyOf returns the text of a statement without its JSON block.
func bodyOf(x debate.Response) string {
	if x.Statement.Body != "" {
		return x.Statement.Body
	}
	return x.Text()
}

// nullable returns nil for an empty string.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (j *JSONReporter) assessed(ev debate.Assessed) {
	done, failed := []agents.ID{}, []agents.ID{}
	for _, p := range j.session.Seats {
		switch state, spoke := j.seats[p.ID]; {
		case state == debate.TurnDone:
			done = append(done, p.ID)
		case spoke:
			failed = append(failed, p.ID)
		}
	}
	j.writeLine("round.finished", ev.At, struct {
		Round  int         `json:"round"`
		Done   []agents.ID `json:"done"`
		Failed []agents.ID `json:"failed"`
	}{ev.Round, done, failed})
	c := ev.Consensus
	j.writeLine("consensus", ev.At, struct {
		Round   int                    `json:"round"`
		Level   *float64               `json:"level"`
		Method  debate.ConsensusMethod `json:"method"`
		Cause   string                 `json:"cause"`
		Side    *string                `json:"side"`
		Against *string                `json:"contradicts"`
	}{ev.Round, c.Level, c.Method, c.Cause, nullable(string(c.Side)), nullable(c.Contradicts)})
}

func (j *JSONReporter) concluded(ev debate.Concluded) {
	v := report.Counted(ev.Verdict, j.session)
	for _, text := range v.Warnings {
		j.notice("verdict", text, ev.At)
	}
	if len(v.UnknownCitations) > 0 {
		j.notice("verdict", "Cites facts nobody was given: "+strings.Join(v.UnknownCitations, ", ")+".", ev.At)
	}
	dissent := v.Dissent
	if dissent == nil {
		dissent = []debate.Dissent{}
	}
	sides := map[debate.Side]int{}
	maps.Copy(sides, v.Final.Votes)
	var groupedBy *string
	if v.Labels != nil {
		groupedBy = &v.Labels.By
	}
	var compared *int
	if v.Comparison != nil {
		compared = &v.Comparison.Voters
	}
	var results debate.Results
	if v.Results != nil {
		results = *v.Results
	}
	j.writeLine("verdict", ev.At, struct {
		Outcome    debate.Outcome      `json:"outcome"`
		Headline   string              `json:"headline"`
		Form       debate.HeadlineForm `json:"form"`
		Weak       []string            `json:"weak"`
		Pick       *debate.Pick        `json:"pick"`
		Ranking    *debate.Ranking     `json:"ranking"`
		Scores     *debate.Matrix      `json:"scores"`
		Shift      *debate.VoteShift   `json:"shift"`
		Findings   *debate.Findings    `json:"findings,omitempty"`
		Side       *debate.Side        `json:"side"`
		Sides      map[debate.Side]int `json:"sides"`
		GroupedBy  *string             `json:"grouped_by"`
		Text       string              `json:"text"`
		Baseline   debate.Tally        `json:"baseline"`
		Final      debate.Tally        `json:"final"`
		Comparison *debate.Comparison  `json:"comparison"`
		Compared   *int                `json:"compared"`
		Changed    *bool               `json:"changed"`
		Dissent    []debate.Dissent    `json:"dissent"`
		Citations  []cite.Cited        `json:"citations,omitempty"`
	}{
		v.Outcome, v.Headline, v.Form, append([]string{}, v.Weak...), v.Pick, results.Ranking, results.Matrix,
		results.Shift, v.Findings, v.Side, sides, groupedBy, v.Text, v.Baseline, v.Final, v.Comparison, compared,
		v.Changed, dissent, cite.All(j.session),
	})
}

// End writes the last line.
func (j *JSONReporter) End(e Result) {
	j.session = e.Session
	switch e.Kind {
	case Completed:
		spent := budget.TotalSpending(e.Session)
		j.writeLine("session.completed", time.Time{}, struct {
			Outcome debate.Outcome   `json:"outcome"`
			Usage   report.UsageLine `json:"usage"`
			Cost    *float64         `json:"cost"`

			Required *Requirement       `json:"required,omitempty"`
			Person   *PersonRequirement `json:"required_person,omitempty"`
		}{e.Session.Verdict.Outcome, report.UsageOf(spent.Usage, spent.Cost), spent.Cost, e.Required, e.Person})
	case NeedsContext:
		open := []requestLine{}
		for _, r := range e.Session.OpenRequests() {
			open = append(open, requestLineOf(r))
		}
		j.writeLine(string(e.Kind), time.Time{}, struct {
			Requests []requestLine `json:"requests"`
		}{open})
	case Stopped:
		reason := e.Reason
		if e.Session.Verdict == nil { // the budget allowed no call, so nothing was recorded
			j.notice("budget", e.Reason+".", time.Time{})
			reason = string(debate.StoppedByBudget)
		}
		j.endReason(e, reason)
	case Failed, Paused:
		j.endReason(e, e.Reason)
	}
}

// endReason writes a last line with a reason.
func (j *JSONReporter) endReason(e Result, reason string) {
	j.writeLine(string(e.Kind), time.Time{}, struct {
		Reason   string             `json:"reason"`
		Required *Requirement       `json:"required,omitempty"`
		Person   *PersonRequirement `json:"required_person,omitempty"`
	}{reason, e.Required, e.Person})
}
