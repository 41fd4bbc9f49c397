// Package debate holds the values and rules of a debate: sessions, rounds and
// responses, modes, the gate that blocks a round, how a debate ends, budgets, and
// the events that announce what happens.
//
// It imports agents, debate/ledger and internal/text. It knows no prompt, no SQL
// and no screen, and starts no goroutine: debate/engine runs debates.
package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// Session is all that is known of one debate. It is a value: a change is a new
// Session, as read back from the store.
type Session struct {
	ID            string
	Title         string // as the user named it; "" shows the topic
	Topic         string
	Mode          Mode // as it was when the session began
	Seats         []agents.Profile
	Chair         *agents.Profile // who writes the verdict; nil: a member does
	Light         *agents.Profile // for analyses and summaries; nil: none
	Rounds        int             // planned
	Caps          ledger.Caps
	Budget        Budget
	Endings       EndConditions // what ends the debate before its planned rounds
	Fit           FitOptions
	Nonce         string // of the fences in prompts; never sent or exported
	ConfigHash    string
	Created       time.Time
	Updated       time.Time
	Stopped       StopReason
	ForkedFrom    string
	ForkRound     int
	History       []Round // begun rounds, in order
	Requests      []ledger.Request
	Drafts        map[string]Draft   // of the context form, by request
	Verdict       *Verdict           // nil: none, or superseded by added rounds
	ChairTurns    int                // turns of chairs so far, failed ones included
	LightTurns    int                // turns of the light model so far
	Aside         []Spent            // what those of chairs and of the light model took, by purpose
	Kept          []CachedReply      // turns of chairs and of the light model in the newest round that have ended
	Digests       []StatementSummary // summaries of statements, as they were made
	Interjections []Interjection     // what the user told the agents, as it came
	Notices       []Notice
}

// StopReason says what ended a session other than its planned rounds.
type StopReason string

// The reasons.
const (
	NotStopped         StopReason = ""
	StoppedByUser      StopReason = "user"
	StoppedByBudget    StopReason = "budget"
	EndedByConsensus   StopReason = "consensus"   // the decision rule was met
	EndedByConvergence StopReason = "convergence" // nobody moved any more
)

// Forced reports whether the debate was cut short and did not come to its own end.
func (r StopReason) Forced() bool { return r == StoppedByUser || r == StoppedByBudget }

// Round is one round as far as it came.
type Round struct {
	Number    int
	Manifest  Manifest // what it started from
	Hash      string   // of the manifest
	Began     time.Time
	Ended     time.Time  // zero: not ended
	Responses []Response // all attempts, by step, seat and attempt
	Consensus *Consensus
}

// Draft is text being typed into the context form.
type Draft struct {
	Text        string
	Source      string
	Unavailable bool // the text is a reason why there is no answer
	At          time.Time
}

// Notice is something the user has to know about how the debate went: anything
// degraded, shortened or refused.
type Notice struct {
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Agent agents.ID `json:"agent,omitempty"`
	Round int       `json:"round,omitempty"`
	At    time.Time `json:"at"`
}

// HasNotice reports whether the session has a notice of that text.
func (s Session) HasNotice(text string) bool {
	return slices.ContainsFunc(s.Notices, func(n Notice) bool { return n.Text == text })
}

// Status is where a session stands. It is computed, never stored.
type Status string

// The statuses.
const (
	Drafted      Status = "draft"         // no round has begun
	Interrupted  Status = "interrupted"   // a round has begun and not ended
	NeedsContext Status = "needs_context" // a required request is open
	Ready        Status = "ready"         // the next round, or the verdict, can start
	Complete     Status = "complete"
	Stopped      Status = "stopped" // ended by the user or the budget
)

// Status returns where the session stands.
func (s Session) Status() Status {
	n := len(s.History)
	switch {
	case s.Stopped.Forced() && s.Verdict != nil:
		return Stopped
	case s.Verdict != nil:
		return Complete
	case n == 0:
		return Drafted
	case s.History[n-1].Ended.IsZero():
		return Interrupted
	case s.Stopped == NotStopped && n < s.Rounds && len(s.Unanswered()) > 0:
		return NeedsContext
	default:
		return Ready
	}
}

// Name returns what to call the session: its title, or its topic.
func (s Session) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic
}

// Unanswered is the gate: the required requests that the next round has to wait
// for. The engine, the store, the form and every front end ask this one method.
func (s Session) Unanswered() []ledger.Request {
	return ledger.Ledger{Requests: s.Requests}.Blocking()
}

// BlockedError refuses a round while required requests are open.
type BlockedError struct {
	Session  string
	Round    int // that cannot start
	Requests []ledger.Request
}

// Error lists the requests with who asked them.
func (e *BlockedError) Error() string {
	text := fmt.Sprintf("round %d cannot start: %d required context request(s) open", e.Round, len(e.Requests))
	for _, r := range e.Requests {
		text += fmt.Sprintf("\n- [%s] (%s): %s", r.ID, joinIDs(r.Askers()), r.Query)
	}
	return text
}

func joinIDs(ids []agents.ID) string {
	text := ""
	for i, id := range ids {
		if i > 0 {
			text += ", "
		}
		text += string(id)
	}
	return text
}

// Current returns the last round that has begun; nil before the first.
func (s Session) Current() *Round {
	if len(s.History) == 0 {
		return nil
	}
	return &s.History[len(s.History)-1]
}

// Next returns the number of the round to begin, 0 while one is under way or
// when none is left.
func (s Session) Next() int {
	if c := s.Current(); c != nil && c.Ended.IsZero() {
		return 0
	}
	if s.Stopped != NotStopped || len(s.History) >= s.Rounds {
		return 0
	}
	return len(s.History) + 1
}

// Request returns the context request with that id.
func (s Session) Request(id string) (ledger.Request, bool) {
	return ledger.Ledger{Requests: s.Requests}.Find(id)
}

// WithRequest returns the session with r in place of its older copy, in the order
// of the requests' numbers, whichever arrives first. An older r than the one it
// has changes nothing.
func (s Session) WithRequest(r ledger.Request) Session {
	s.Requests = slices.Clone(s.Requests)
	i := slices.IndexFunc(s.Requests, func(q ledger.Request) bool { return q.ID == r.ID })
	switch {
	case i < 0:
		s.Requests = append(s.Requests, r)
		slices.SortStableFunc(s.Requests, func(a, b ledger.Request) int {
			return cmp.Or(len(a.ID)-len(b.ID), strings.Compare(a.ID, b.ID)) // C2 before C10
		})
	case s.Requests[i].Seq <= r.Seq:
		s.Requests[i] = r
	}
	return s
}

// Seat returns the profile of a seat and its number, from 1.
func (s Session) Seat(id agents.ID) (agents.Profile, int) {
	i := slices.IndexFunc(s.Seats, func(p agents.Profile) bool { return p.ID == id })
	if i < 0 {
		return agents.Profile{}, 0
	}
	return s.Seats[i], i + 1
}

// Asked returns who spoke in a turn: the light model works on statements of others.
func (s Session) Asked(purpose Purpose, id agents.ID) agents.Profile {
	p, _ := s.Seat(id)
	switch {
	case purpose == ForLight && s.Light != nil:
		return *s.Light
	case purpose == ForChair && s.Chair != nil && s.Chair.ID == id:
		return *s.Chair
	}
	return p
}

// Demo reports whether the panel is the scripted one.
func (s Session) Demo() bool {
	return slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return p.Provider == DemoProvider })
}

// DemoProvider is the reserved name of the scripted provider.
const DemoProvider = "demo"
