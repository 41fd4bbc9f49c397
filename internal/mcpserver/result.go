package mcpserver

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// The states of a debate, as clients see them.
const (
	completed    = "completed"     // there is a verdict
	needsContext = "needs_context" // a required request is open
	inProgress   = "in_progress"
	running      = "running" // a round or the verdict is being played; wait_roundtable waits for it
)

// Result is what the tools that play a debate return.
type Result struct {
	Status          string   `json:"status"`  // completed, needs_context, running or in_progress
	Message         string   `json:"message"` // what happened and what to do next
	SessionID       string   `json:"sessionId"`
	Topic           string   `json:"topic"`
	Mode            string   `json:"mode"`
	CurrentRound    int      `json:"currentRound"`
	TotalRounds     int      `json:"totalRounds"`
	Cursor          string   `json:"cursor"`              // for since of wait_roundtable
	HeldBy          string   `json:"heldBy,omitempty"`    // the other process that has the debate open
	Next            string   `json:"next,omitempty"`      // the tool to call next
	Done            []string `json:"done,omitempty"`      // while running: who has answered in this round
	Waiting         []string `json:"waiting,omitempty"`   // while running: whom it waits for
	Estimate        string   `json:"estimate,omitempty"`  // while running: what it is likely to cost
	Spent           string   `json:"spent,omitempty"`     // what the debate has taken so far
	Budget          string   `json:"budget,omitempty"`    // what the debate may cost
	Already         bool     `json:"already,omitempty"`   // the debate was begun by an earlier call with the same arguments
	WaitUntil       string   `json:"waitUntil,omitempty"` // when a provider that asked to wait may be asked again
	ContextRequests []part   `json:"contextRequests"`     // the open questions of the agents
	Responses       []part   `json:"responses"`           // the statements of the current round
	Consensus       part     `json:"consensus,omitempty"`
	Verdict         part     `json:"verdict,omitempty"`
	FollowUp        part     `json:"followUp,omitempty"` // the newest follow-up question
	Notices         []string `json:"notices"`            // what was missing, shortened or failed

	open     []report.Request // what ContextRequests has
	progress string           // while running: how far it is, in a line
	formNote string           // what has become of the last form
}

// resultOf describes a session as it is now, of which this process plays nothing.
func resultOf(s debate.Session, o report.Options) Result {
	doc, progress := report.Of(s, o), report.ProgressOf(s, o.Holder.Plays(s))
	r := Result{
		Status: statusOf(progress), Message: messageOf(progress), SessionID: s.ID, Topic: s.Topic, Mode: s.Mode.Name,
		CurrentRound: len(s.History), TotalRounds: s.Rounds, Cursor: cursorOf(s), Budget: budgetOf(s), Verdict: verdictOf(doc),
		Responses: []part{}, Notices: []string{}, open: text.Each(s.OpenRequests(), report.RequestOf),
	}
	r.ContextRequests = append([]part{}, text.Each(r.open, requestOf)...)
	if n := len(doc.Spent); n > 0 && doc.Spent[n-1].Calls > 0 {
		r.Spent = report.Spent(doc.Spent[n-1].Usage, doc.Spent[n-1].Cost)
	}
	notices := doc.Notices
	if n := len(doc.History); n > 0 {
		round := doc.History[n-1]
		r.Responses, r.Consensus = responsesOf(doc, round), consensusOf(s, round.Round)
		notices = slices.Concat(round.Notices, notices)
	}
	r.Notices = append(r.Notices, text.Each(notices, func(n debate.Notice) string { return n.Text })...)
	if n := len(doc.FollowUps); n > 0 {
		r.FollowUp = partOf(doc.FollowUps[n-1], "step", "attempt")
	}
	return r
}

// cursorOf returns a text that changes with each round that begins, question and answer.
func cursorOf(s debate.Session) string {
	last := int64(0)
	for _, q := range s.Requests {
		last = max(last, q.Seq)
	}
	return fmt.Sprintf("%d-%d", len(s.History), last)
}

func runningResult(c *control.Controller, estimate string) Result {
	s := c.Session()
	r := resultOf(s, report.Options{})
	r.Status, r.Next, r.Estimate = running, "wait_roundtable", estimate
	r.Responses, r.Consensus = []part{}, nil
	if round := s.Current(); round != nil && round.Number == s.Playing() {
		for _, seat := range round.Manifest.Seats {
			name := text.Line(s.NameOf(seat))
			if _, open := s.OpenTurn(seat, agents.Turn{}); open {
				r.Waiting = append(r.Waiting, name)
			} else if slices.Contains(round.Answered(), seat) { // else it failed
				r.Done = append(r.Done, name)
			}
		}
	}
	doing := text.Capitalize(report.ProgressOf(s, true).Now())
	if chair := c.Chair(); chair != "" {
		r.Waiting = []string{text.Line(chair)}
	}
	if who := c.Answering(); who != "" {
		doing, r.Waiting = who+" answers the follow-up question", []string{who}
	}
	if r.progress = doing; len(r.Done)+len(r.Waiting) > 0 { // else the round is about to begin
		r.progress += fmt.Sprintf(": %d of %d answered", len(r.Done), len(r.Done)+len(r.Waiting))
	}
	r.Message = doing + ", also while nobody waits. Call wait_roundtable with this sessionId."
	return r
}

// calls say of states how results call them, and which tool does what comes next. All others are
// inProgress, and continue_roundtable does it.
var calls = map[debate.State]struct{ status, tool string }{
	debate.StateRunning:   {running, "wait_roundtable"},
	report.WritingVerdict: {running, "wait_roundtable"},
	debate.StateWaiting:   {needsContext, "continue_roundtable with contextResults"},
	report.VerdictNext:    {inProgress, "synthesize_debate"},
	debate.StateComplete:  {completed, "export_session"},
	report.AskedAfter:     {completed, "continue_roundtable with contextResults and control_session with add-rounds"},
}

func statusOf(p report.Progress) string { return cmp.Or(calls[p.State].status, inProgress) }

func messageOf(p report.Progress) string {
	words := text.Sentence(p.Now())
	if next := p.Next(); next != "" {
		words += fmt.Sprintf(" %s: %s.", cmp.Or(calls[p.State].tool, "continue_roundtable"), next)
	}
	return words
}
