package mcpserver

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
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
	Status          string           `json:"status"`  // completed, needs_context, running or in_progress
	Message         string           `json:"message"` // what happened and what to do next
	SessionID       string           `json:"sessionId"`
	Topic           string           `json:"topic"`
	Mode            string           `json:"mode"`
	CurrentRound    int              `json:"currentRound"`
	TotalRounds     int              `json:"totalRounds"`
	HeldBy          string           `json:"heldBy,omitempty"`    // the other process that has the debate open
	Next            string           `json:"next,omitempty"`      // the tool to call next
	Done            []string         `json:"done,omitempty"`      // while running: who has answered in this round
	Waiting         []string         `json:"waiting,omitempty"`   // while running: whom it waits for
	Estimate        string           `json:"estimate,omitempty"`  // while running: what it is likely to cost
	Spent           string           `json:"spent,omitempty"`     // what the debate has taken so far
	Budget          string           `json:"budget,omitempty"`    // what the debate may cost
	Already         bool             `json:"already,omitempty"`   // the debate was begun by an earlier call with the same arguments
	Cursor          int              `json:"cursor"`              // for since of wait_roundtable
	Updates         []string         `json:"updates,omitempty"`   // of wait_roundtable: what is new
	WaitUntil       string           `json:"waitUntil,omitempty"` // when a provider that asked to wait may be asked again
	ContextRequests []ContextRequest `json:"contextRequests"`     // the open questions of the agents
	Responses       []Response       `json:"responses"`           // the statements of the current round
	Consensus       *Consensus       `json:"consensus,omitempty"`
	Verdict         *Verdict         `json:"verdict,omitempty"`
	FollowUp        *FollowUp        `json:"followUp,omitempty"` // the newest follow-up question
	Notices         []string         `json:"notices"`            // what was missing, shortened or failed

	updates []update // all of the session
}

// ContextRequest is an open question of one or more agents.
type ContextRequest struct {
	RequestID string   `json:"requestId"`
	AgentID   string   `json:"agentId"` // who asked first
	AgentIDs  []string `json:"agentIds"`
	Query     string   `json:"query"`
	Reason    string   `json:"reason"`
	Priority  string   `json:"priority"` // required or optional
	Timestamp string   `json:"timestamp"`
}

// Response is the statement of an agent in a round, or why there is none.
type Response struct {
	AgentID    string   `json:"agentId"`
	AgentName  string   `json:"agentName"`
	Round      int      `json:"round"`
	Phase      string   `json:"phase,omitempty"`
	Model      string   `json:"model,omitempty"` // of the agent in this round, if a model was changed
	State      string   `json:"state"`
	Position   string   `json:"position,omitempty"`
	Side       string   `json:"side,omitempty"`       // the side that the statement takes, as it is counted
	Confidence *float64 `json:"confidence,omitempty"` // 0 to 1
	Text       string   `json:"text,omitempty"`
	Failure    string   `json:"failure,omitempty"`
}

// Consensus is the agreement after a round.
type Consensus struct {
	Round         int      `json:"round"`
	Level         *float64 `json:"level,omitempty"` // 0 to 1; missing if it is not known
	Method        string   `json:"method"`
	Cause         string   `json:"cause,omitempty"` // why there is no level, or what it leaves out
	Answered      int      `json:"answered"`
	Seats         int      `json:"seats"`
	CommonGround  []string `json:"commonGround,omitempty"`
	Disagreements []string `json:"disagreements,omitempty"`
	Warning       string   `json:"warning,omitempty"`
}

// Verdict is how the debate ended.
type Verdict struct {
	Headline string    `json:"headline"`
	Form     string    `json:"form"`               // side, split, no_majority, undecided, no_vote, findings and so on
	Side     *string   `json:"side"`               // the side that more than half of all voters hold
	Weak     []string  `json:"weak"`               // what makes the result weak, the gravest first
	Pick     *Pick     `json:"pick,omitempty"`     // the strongest single answer
	Findings []Finding `json:"findings,omitempty"` // of a review, by severity, then by confirmations
	Outcome  string    `json:"outcome"`            // full, degraded (incomplete), no_synthesis or stopped
	Text     string    `json:"text"`
	Cautions []string  `json:"cautions"` // all that is missing and weak, in sentences
}

// Finding is a defect that a review found.
type Finding struct {
	ID       string   `json:"id"`
	State    string   `json:"state"` // confirmed, disputed, refuted or one_seat
	Severity string   `json:"severity"`
	Title    string   `json:"title"`
	Where    []string `json:"where"`
	Why      string   `json:"why,omitempty"`
	Fix      string   `json:"fix,omitempty"`
	FoundBy  []string `json:"foundBy"`
	TrueBy   []string `json:"trueBy"`    // who judged it true
	UntrueBy []string `json:"untrueBy"`  // who judged it untrue
	OneModel bool     `json:"oneModel"`  // all seats that confirm it are one model
	Judged   bool     `json:"wasJudged"` // others were asked whether it is true
}

// Pick is the strongest single answer of a debate.
type Pick struct {
	Agent  string `json:"agent"`
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
	Off    string `json:"arguesFor,omitempty"` // its side, if a majority holds another one
}

// resultOf describes a session as it is now, of which nothing is being played.
func resultOf(s debate.Session) Result { return liveResult(s, report.Options{}) }

// liveResult describes a session that may be played elsewhere.
func liveResult(s debate.Session, o report.Options) Result {
	r := Result{
		Status: statusOf(s), Message: messageOf(s), SessionID: s.ID, Topic: s.Topic, Mode: s.Mode.Name,
		CurrentRound: len(s.History), TotalRounds: s.Rounds, Budget: budgetOf(s), FollowUp: followUpOf(s),
		ContextRequests: []ContextRequest{}, Responses: []Response{}, Notices: []string{}, updates: updatesOf(s),
	}
	r.Cursor = len(r.updates)
	for _, q := range s.OpenRequests() {
		r.ContextRequests = append(r.ContextRequests, requestOf(q))
	}
	doc := report.Of(s, o)
	if n := len(doc.Spent); n > 0 && doc.Spent[n-1].Calls > 0 {
		r.Spent = report.Spent(doc.Spent[n-1].Usage, doc.Spent[n-1].Cost)
	}
	if n := len(doc.History); n > 0 {
		round := doc.History[n-1]
		r.Responses, r.Consensus = responsesOf(s, round), consensusOf(round)
		for _, notice := range round.Notices {
			r.Notices = append(r.Notices, notice.Text)
		}
	}
	for _, notice := range doc.Notices {
		r.Notices = append(r.Notices, notice.Text)
	}
	if s.Verdict != nil {
		r.Verdict = verdictOf(s)
	}
	return r
}

// runningResult describes a session of which something is being played.
func runningResult(c *control.Controller, estimate string) Result {
	s := c.Session()
	r := resultOf(s)
	r.Status, r.Next, r.Estimate = running, "wait_roundtable", estimate
	r.Responses, r.Consensus = []Response{}, nil
	if round := s.Current(); round != nil {
		answered := round.Statements()
		for _, seat := range round.Manifest.Seats {
			name := text.Line(s.NameOf(seat))
			if slices.ContainsFunc(answered, func(x debate.Response) bool { return x.Turn.Agent == seat && x.Finished() }) {
				r.Done = append(r.Done, name)
			} else {
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
	r.Message = doing + " is being played, and goes on while nobody waits. Call wait_roundtable with this sessionId."
	return r
}

// after returns the result with what happened after a cursor; nil is that of the beginning
// of the newest round.
func (r Result) after(cursor *int) Result {
	from := 0
	if cursor != nil {
		from = max(*cursor, 0)
	} else {
		for i, u := range r.updates {
			if u.begins {
				from = i
			}
		}
	}
	r.Updates = since(r.updates, from)
	return r
}

// statusOf returns the status of a session, which may be under way, here or elsewhere.
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

// messageOf says what a client can do next.
func messageOf(s debate.Session) string {
	switch open := s.Unanswered(); {
	case s.Verdict != nil:
		return "The debate has its verdict. export_session exports it."
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s: answer with contextResults of continue_roundtable before round %d can start.",
			waitingText(len(open)), len(s.History)+1)
	case s.Status() == debate.Interrupted:
		return fmt.Sprintf("Round %d was interrupted. continue_roundtable plays the rest of it.", len(s.History))
	case len(s.History) >= s.Rounds:
		return "All rounds are played. synthesize_debate writes the verdict."
	default:
		return fmt.Sprintf("continue_roundtable plays round %d of %d.", len(s.History)+1, s.Rounds)
	}
}

func waitingText(n int) string {
	return fmt.Sprintf("%s of the agents %s open", text.Count(n, "required question"), text.Inflect(n, "is", "are"))
}

func requestOf(q ledger.Request) ContextRequest {
	askers := q.Askers()
	c := ContextRequest{
		RequestID: q.ID, Query: text.Sanitize(q.Query), Priority: string(q.Priority), AgentIDs: idsOf(askers),
	}
	if len(askers) > 0 {
		c.AgentID = string(askers[0])
	}
	if len(q.Asks) > 0 {
		c.Reason, c.Timestamp = text.Sanitize(q.Asks[0].Reason), q.Asks[0].At.UTC().Format(time.RFC3339)
	}
	return c
}

func idsOf(ids []agents.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

// responsesOf returns the newest attempt of each turn of a round.
func responsesOf(s debate.Session, round report.Round) []Response {
	out := []Response{}
	for i, x := range round.Responses {
		again := func(later report.Response) bool { return later.Agent == x.Agent && later.Step == x.Step }
		if slices.ContainsFunc(round.Responses[i+1:], again) {
			continue
		}
		r := Response{
			AgentID: string(x.Agent), AgentName: text.Line(s.NameOf(x.Agent)), Round: x.Round, Phase: x.Phase, State: string(x.State),
			Model:    text.Line(x.Model),
			Position: x.Statement.Position, Side: string(x.Side), Confidence: x.Statement.Confidence, Text: x.Statement.Body,
		}
		if x.Failure != nil {
			r.Failure = strings.TrimSpace(x.Failure.Cause + " " + x.Failure.Remedy)
		}
		out = append(out, r)
	}
	return out
}

// consensusOf returns the agreement after a round; nil if it was not measured.
func consensusOf(round report.Round) *Consensus {
	c := round.Consensus
	if c == nil {
		return nil
	}
	return &Consensus{
		Round: round.Round, Level: c.Level, Method: string(c.Method), Cause: c.Cause, Answered: c.Answered, Seats: c.Seats,
		CommonGround: c.CommonGround, Disagreements: c.Disagreements, Warning: c.Warning,
	}
}

func verdictOf(s debate.Session) *Verdict {
	v, c := report.Counted(*s.Verdict, s), report.Conclude(*s.Verdict, s)
	out := &Verdict{
		Headline: text.Sanitize(v.Headline), Form: string(v.Form), Weak: append([]string{}, v.Weak...), Outcome: string(v.Outcome),
		Text: text.Sanitize(v.Text), Cautions: append([]string{}, c.Cautions()...),
	}
	if v.Side != nil {
		side := text.Sanitize(string(*v.Side))
		out.Side = &side
	}
	if p := v.Pick; p != nil {
		out.Pick = &Pick{
			Agent: string(p.Agent), By: text.Sanitize(p.By), Reason: text.Sanitize(p.Reason), Off: text.Sanitize(string(p.Off)),
		}
	}
	if v.Findings != nil {
		out.Findings = findingsOf(*v.Findings)
	}
	return out
}

// findingsOf returns the findings of a review, but for those that are the same as others.
func findingsOf(v debate.Findings) []Finding {
	out := []Finding{}
	for _, f := range v.List {
		if f.MergedInto != "" {
			continue
		}
		yes, no := f.Opinions()
		one := Finding{
			ID: f.ID, State: string(f.State), Severity: string(f.Severity), Title: text.Sanitize(f.Title), Where: []string{},
			Why: text.Sanitize(f.Why), Fix: text.Sanitize(f.Fix), OneModel: f.OneModel, Judged: !v.Unjudged,
			FoundBy: names(f.FoundBy), TrueBy: names(yes), UntrueBy: names(no),
		}
		for _, p := range f.Places {
			one.Where = append(one.Where, text.Sanitize(p.String()))
		}
		out = append(out, one)
	}
	return out
}

func names(ids []agents.ID) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, string(id))
	}
	return out
}
