package headless

import (
	"maps"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

func (j *JSONReporter) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	j.recordTurn(x)
	if x.State == debate.TurnDone {
		j.finished(x, ev.At)
		return
	}
	cause, retryable := string(x.State), false
	if x.Failure != nil {
		cause, retryable = x.Failure.Cause, x.Failure.Retryable
		if next := remedyOf(x); next != "" {
			cause += " " + next
		}
	}
	j.writeLine("agent.failed", ev.At, struct {
		report.Turn
		Cause     string `json:"cause"`
		Retryable bool   `json:"retryable"`
		Partial   bool   `json:"partial"`
	}{report.TurnOf(x.Turn), cause, retryable, x.Text() != ""})
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
	v := ev.Verdict
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
	j.writeLine("verdict", ev.At, struct {
		Outcome    debate.Outcome      `json:"outcome"`
		Headline   string              `json:"headline"`
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
		v.Outcome, report.Headline(v, j.session), v.Side, sides, groupedBy, v.Text, v.Baseline, v.Final, v.Comparison, compared,
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

			Required *Requirement `json:"required,omitempty"`
		}{e.Session.Verdict.Outcome, report.UsageOf(spent.Usage, spent.Cost), spent.Cost, e.Required})
	case NeedsContext:
		open := []requestLine{}
		for _, r := range OpenRequests(e.Session) {
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
		Reason   string       `json:"reason"`
		Required *Requirement `json:"required,omitempty"`
	}{reason, e.Required})
}

// OpenRequests returns the requests that can be answered, those that block a round first.
func OpenRequests(s debate.Session) []ledger.Request {
	var open []ledger.Request
	for _, r := range s.Requests {
		if r.Open() {
			open = append(open, r)
		}
	}
	slices.SortStableFunc(open, func(a, b ledger.Request) int {
		switch {
		case a.Blocks() == b.Blocks():
			return 0
		case a.Blocks():
			return -1
		default:
			return 1
		}
	})
	return open
}
