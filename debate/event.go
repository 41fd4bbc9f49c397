package debate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Event is something that happened. It is durable when it is announced; only text may
// run a quarter of a second ahead. RunEnded is always the last event.
//
//sumtype:decl
type Event interface{ turn() agents.Turn }

type (
	// RoundStarted says that the answers were released and the snapshot is written.
	RoundStarted struct {
		Session Session
		Round   int
		At      time.Time
	}
	// TurnStarted says that an attempt of a seat begins.
	TurnStarted struct {
		Turn    agents.Turn
		Profile agents.Profile
		Role    string
		At      time.Time
	}
	// TurnQueued says that the request waits for the provider or, with Budget, is not
	// sent until other calls release what they have reserved of the budget, or, with
	// Starting, until the program of that name is ready.
	TurnQueued struct {
		Turn     agents.Turn
		Budget   bool
		Starting string
	}
	// TurnAlive says that the server gave a sign of life without text, or that the answer
	// comes all at once, so that none can be expected.
	TurnAlive struct {
		Turn  agents.Turn
		Whole bool
	}
	// TurnRetrying says that the provider will repeat the request.
	TurnRetrying struct {
		Turn  agents.Turn
		Retry agents.Retry
		At    time.Time
	}
	// Text is a piece of a seat's text or reasoning. Passage counts the turn's completions
	// from 0. If Moves is set, it is all text of the passage so far, which was reasoning.
	Text struct {
		Turn      agents.Turn
		Passage   int
		Text      string
		Reasoning bool
		Moves     bool
	}
	// ToolsCalled says that the model called tools, which run one after the other.
	ToolsCalled struct {
		Turn  agents.Turn
		Tools []ToolRecord
	}
	// ToolStarted says that a tool call of the turn begins.
	ToolStarted struct {
		Turn  agents.Turn
		Tool  ToolRecord
		Limit time.Duration // of a command; 0 for other tools
		At    time.Time
	}
	// ToolEnded says how a tool call ended.
	ToolEnded struct {
		Turn agents.Turn
		Tool ToolRecord
		At   time.Time
	}
	// ContextRequested says that a question was recorded.
	ContextRequested struct {
		Turn    agents.Turn
		Request ledger.Request
		Ask     ledger.Ask
		At      time.Time
	}
	// ContextChanged says that a request changed in another way, such as by a withdrawal.
	ContextChanged struct {
		Request ledger.Request
		At      time.Time
	}
	// TurnEnded says how an attempt of a seat ended, or of a chair, whose turn has
	// VerdictStep. Again is set if the seat makes another attempt by itself.
	TurnEnded struct {
		Response Response
		Again    bool
		At       time.Time
	}
	// Assisting says that a task begins that the round waits for. The task is over with the
	// next event of a turn, with RoundCounted, or with RunEnded.
	Assisting struct {
		Task    Task
		Profile agents.Profile // of the light model, if it does the task
		Limit   time.Duration  // how long the task may take; 0 for TaskTools
		At      time.Time
	}
	// RoundCounted says that all turns of a round have ended.
	RoundCounted struct {
		Round int
		At    time.Time
	}
	// Concluding says that a chair writes the verdict, as Text events of a turn with VerdictStep.
	Concluding struct {
		Turn    agents.Turn
		Profile agents.Profile
		At      time.Time
	}
	// Concluded says that the verdict is complete.
	Concluded struct {
		Session Session // with its verdict
		At      time.Time
	}
	// FollowUpStarted says who answers a follow-up question, as Text events of a turn with FollowUpStep.
	FollowUpStarted struct {
		Turn     agents.Turn
		Profile  agents.Profile
		Question string
	}
	// FollowUpEnded says how the answer to a follow-up question ended.
	FollowUpEnded struct {
		FollowUp FollowUp
		At       time.Time
	}
	// Refused says why a command of the user cannot be carried out now.
	Refused struct {
		Text string // a sentence
		At   time.Time
	}
	// Noticed carries a notice for the user.
	Noticed struct{ Notice Notice }
	// RunEnded is the last event of a run. Session is as read back from the store. Err is
	// nil, a *BlockedError, a *RoundFailedError, the context's error after a stop, or an
	// error of the store.
	RunEnded struct {
		Session Session
		Err     error
	}
)

func (RoundStarted) turn() (none agents.Turn)    { return none }
func (e TurnStarted) turn() agents.Turn          { return e.Turn }
func (e TurnQueued) turn() agents.Turn           { return e.Turn }
func (e TurnAlive) turn() agents.Turn            { return e.Turn }
func (e TurnRetrying) turn() agents.Turn         { return e.Turn }
func (e Text) turn() agents.Turn                 { return e.Turn }
func (e ToolsCalled) turn() agents.Turn          { return e.Turn }
func (e ToolStarted) turn() agents.Turn          { return e.Turn }
func (e ToolEnded) turn() agents.Turn            { return e.Turn }
func (e ContextRequested) turn() agents.Turn     { return e.Turn }
func (ContextChanged) turn() (none agents.Turn)  { return none }
func (e TurnEnded) turn() agents.Turn            { return e.Response.Turn }
func (Assisting) turn() (none agents.Turn)       { return none }
func (RoundCounted) turn() (none agents.Turn)    { return none }
func (e Concluding) turn() agents.Turn           { return e.Turn }
func (Concluded) turn() (none agents.Turn)       { return none }
func (FollowUpStarted) turn() (none agents.Turn) { return none }
func (FollowUpEnded) turn() (none agents.Turn)   { return none }
func (Refused) turn() (none agents.Turn)         { return none }
func (Noticed) turn() (none agents.Turn)         { return none }
func (RunEnded) turn() (none agents.Turn)        { return none }

// Sent lists the requests whose answers go out with the round; the rest of a round has them already.
func (e RoundStarted) Sent() []string {
	if len(e.Session.Current().Responses) > 0 {
		return nil
	}
	return e.Session.SentWith(e.Round)
}

// Words says that the round starts, and with which answers, or that it continues.
func (e RoundStarted) Words() string {
	verb := "continues"
	if len(e.Session.Current().Responses) == 0 {
		verb = text.Join(" with ", "started", strings.Join(e.Sent(), ", "))
	}
	return fmt.Sprintf("Round %d of %d %s.", e.Round, e.Session.Rounds, verb)
}

// Task is what a round waits for besides its turns.
type Task string

const (
	TaskCompare Task = "compare"
	TaskTools   Task = "tools" // to ask the MCP servers, which may have to start first
)

// Description says what is done, such as "Light is comparing findings".
func (a Assisting) Description() string {
	if a.Task == TaskCompare {
		return a.Profile.Name + " is comparing findings"
	}
	return "Waiting for the MCP servers"
}

// Apply returns the session after an event. It is the only place that knows what an event
// changes; a front end that reads the events of a run needs nothing else. The session that
// comes with the beginning of a round, the verdict or the end of a run replaces this one, but
// for what the user has entered since it was read.
func (s Session) Apply(ev Event) Session {
	switch ev := ev.(type) {
	case RoundStarted:
		return s.adopt(ev.Session)
	case RunEnded:
		return s.adopt(ev.Session)
	case ContextRequested:
		return s.WithRequest(ev.Request)
	case ContextChanged:
		return s.WithRequest(ev.Request)
	case TurnEnded:
		if x := ev.Response.Turn; x.Step < 0 || x.Round < 1 || x.Round > len(s.History) { // a chair's is no response of the round
			return s
		}
		return s.WithResponse(ev.Response)
	case Concluded:
		return s.adopt(ev.Session)
	case FollowUpEnded:
		s.FollowUps = append(slices.Clip(s.FollowUps), ev.FollowUp)
	case Noticed:
		s.Notices = append(slices.Clip(s.Notices), ev.Notice)
	case TurnStarted, TurnQueued, TurnAlive, TurnRetrying, Text, ToolsCalled, ToolStarted, ToolEnded, ApprovalAsked,
		ApprovalDecided, Assisting, RoundCounted, Concluding, FollowUpStarted, Refused: // of a turn that has not ended, or of no turn
	}
	return s
}

// adopt returns a session that was read back, with what the user has entered since.
func (s Session) adopt(read Session) Session {
	if s.ID != read.ID {
		return read
	}
	if read.Updated.Before(s.Updated) {
		read = read.WithPlan(s)
	}
	for _, r := range s.Requests {
		read = read.WithRequest(r)
	}
	for _, i := range s.Interjections {
		read = read.WithInterjection(i)
	}
	if len(s.Evidence) > len(read.Evidence) {
		read.Evidence = s.Evidence
	}
	return read
}

// WithPlan returns the session with the rounds, the budget and the ending of a copy of it.
func (s Session) WithPlan(from Session) Session {
	s.Rounds, s.Budget, s.Ends, s.Stopped = from.Rounds, from.Budget, from.Ends, from.Stopped
	s.Verdict, s.Written, s.Updated, s.SeatChanges = from.Verdict, from.Written, from.Updated, from.SeatChanges
	for _, r := range from.Requests {
		s = s.WithRequest(r)
	}
	return s
}

// WithInterjection returns the session with a message of the user, unless it has that one.
func (s Session) WithInterjection(i Interjection) Session {
	if !slices.ContainsFunc(s.Interjections, func(j Interjection) bool { return j.N == i.N }) {
		s.Interjections = append(slices.Clip(s.Interjections), i)
	}
	return s
}

// TurnOf returns the turn that an event belongs to; ok is false for events of the whole debate.
func TurnOf(ev Event) (turn agents.Turn, ok bool) {
	turn = ev.turn()
	return turn, turn != agents.Turn{}
}
