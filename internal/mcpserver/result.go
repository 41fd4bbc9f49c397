package mcpserver

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
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
}

// resultOf describes a session as it is now, of which nothing is being played.
func resultOf(s debate.Session) Result { return liveResult(s, report.Options{}) }

func liveResult(s debate.Session, o report.Options) Result {
	doc := report.Of(s, o)
	r := Result{
		Status: statusOf(s), Message: messageOf(s), SessionID: s.ID, Topic: s.Topic, Mode: s.Mode.Name,
		CurrentRound: len(s.History), TotalRounds: s.Rounds, Cursor: cursorOf(s), Budget: budgetOf(s), Verdict: verdictOf(doc),
		ContextRequests: []part{}, Responses: []part{}, Notices: []string{},
	}
	for _, asked := range s.OpenRequests() { // the required ones first
		i := slices.IndexFunc(doc.Requests, func(q report.Request) bool { return q.Request == asked.ID })
		r.open = append(r.open, doc.Requests[i])
		r.ContextRequests = append(r.ContextRequests, requestOf(doc.Requests[i]))
	}
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
	r := resultOf(s)
	r.Status, r.Next, r.Estimate = running, "wait_roundtable", estimate
	r.Responses, r.Consensus = []part{}, nil
	if round := s.Current(); round != nil {
		answered := round.Statements()
		for _, seat := range round.Manifest.Seats {
			name, tries := text.Line(s.NameOf(seat)), round.AttemptsOf(seat)
			switch {
			case slices.ContainsFunc(answered, func(x debate.Response) bool { return x.Turn.Agent == seat }):
				r.Done = append(r.Done, name)
			case len(tries) == 0 || !tries[len(tries)-1].Finished(): // else it failed
				r.Waiting = append(r.Waiting, name)
			}
		}
	}
	doing := fmt.Sprintf("Round %d of %d", len(s.History), s.Rounds)
	if chair := c.Chair(); chair != "" {
		doing, r.Waiting = "The verdict", []string{text.Line(chair)}
	}
	if who := c.Answering(); who != "" {
		doing, r.Waiting = "The answer to the follow-up question", []string{who}
	}
	r.progress = fmt.Sprintf("%s: %d of %d answered", doing, len(r.Done), len(r.Done)+len(r.Waiting))
	r.Message = doing + " is being played, and goes on while nobody waits. Call wait_roundtable with this sessionId."
	return r
}

func (s *Server) statusOf(session debate.Session) string {
	if by, _ := s.elsewhere(session.ID); s.underWay(session.ID) != nil || by.Plays(session) {
		return running
	}
	return statusOf(session)
}

func statusOf(s debate.Session) string {
	switch {
	case s.Verdict != nil:
		return completed
	case s.Status() == debate.NeedsContext:
		return needsContext
	}
	return inProgress
}

func messageOf(s debate.Session) string {
	p, call := report.ProgressOf(s, false), "continue_roundtable"
	switch {
	case s.Verdict != nil:
		if open := s.OpenRequests(); len(open) > 0 && open[0].Priority == ledger.Required {
			return fmt.Sprintf("The debate has its verdict, and %s is open: continue_roundtable with contextResults answers it, "+
				"control_session with add-rounds plays one more round that uses the answer.", open[0].ID)
		}
		return "The debate has its verdict. export_session exports it."
	case p.State == debate.StateWaiting:
		call = "continue_roundtable with contextResults"
	case p.State == report.VerdictNext:
		call = "synthesize_debate"
	case p.Next() == "":
		return text.Sentence(p.Now())
	}
	return text.Sentence(p.Now()) + fmt.Sprintf(" %s: %s.", call, p.Next())
}
