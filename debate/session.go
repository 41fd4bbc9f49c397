// Package debate holds the values and rules of a debate: sessions, rounds and
// responses, modes, the gate that blocks a round, how a debate ends, budgets, and
// the events that announce what happens.
//
// It imports agents, debate/ledger and internal/text. It knows no prompt, no SQL
// and no screen, and starts no goroutine: debate/engine runs debates.
package debate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Session is a debate with all its rounds, requests and costs. It is a value: every
// change yields a new Session, as read back from the store.
type Session struct {
	ID                string        `json:"-"`
	Title             string        `json:"-"` // set by the user; "" means the topic is the name
	Topic             string        `json:"-"`
	Author            ledger.Author // of the topic
	Question          QuestionKind  // set when the session begins
	Unit              string        // of an estimate; "" for a bare count
	Mode              Mode          // as it was when the session began
	Seats             []agents.Profile
	Chair             *agents.Profile // writes the verdict; nil means a member does
	Light             *agents.Profile // model for analyses and summaries; nil if there is none
	Rounds            int             // planned
	Caps              ledger.Caps
	Budget            Budget
	Ends              Ends // what ends the debate before its planned rounds
	Fit               FitOptions
	Nonce             string // secret of the fences in prompts; never sent or exported
	ConfigHash        string
	Created           time.Time `json:"-"`
	Updated           time.Time `json:"-"`
	Stopped           StopReason
	ForkedFrom        string
	Parent            *Parent `json:"-"` // of a fork; nil: it is gone
	ForkRound         int
	SeatChanges       []SeatChange `json:"-"` // of models, oldest first; Seats has those of the rounds that have begun
	Eval              *EvalItem    // nil: it plays no question of an evaluation
	Gone              Gone
	Call              Call               `json:"-"` // that begins it; only Create of a store looks at it
	History           []Round            `json:"-"` // rounds that have begun, in order
	Requests          []ledger.Request   `json:"-"`
	Drafts            map[string]Draft   `json:"-"` // of the context form, by request
	Settlements       []Settlement       `json:"-"` // how verdicts turned out, oldest first
	Verdict           *Verdict           `json:"-"` // nil if there is none, or if rounds were added since
	Written           *Verdict           `json:"-"` // the newest with a chair's text, which later rounds may have superseded
	ChairTurns        int                `json:"-"` // turns of chairs so far, failed ones included
	LightAttempt      int                `json:"-"` // highest attempt of the light model, numbered over the whole session
	AuxiliarySpending []Spending         `json:"-"` // of chairs and the light model, by purpose
	PromptCounts      []PromptCount      `json:"-"` // prompts that were both estimated and counted by a server
	CachedReplies     []CachedReply      `json:"-"` // ended turns of chairs and the light model in the newest round
	Waits             []DueTurn          `json:"-"` // turns of those two in the newest round that were cut off in a wait for their provider
	Summaries         []StatementSummary `json:"-"` // of statements, oldest first
	Interjections     []Interjection     `json:"-"` // messages of the user to agents, oldest first
	FollowUps         []FollowUp         `json:"-"` // asked after verdicts, oldest first
	Notices           []Notice           `json:"-"`
	Evidence          []Evidence         `json:"-"` // brought by the user, in the order of ids
	Workspace         Workspace
}

// Call is the call of an assistant that begins a session.
type Call struct {
	Key string // the same for equal calls of a client in a workspace
	New bool   // it begins another session although an equal call has begun one
}

// EvalItem is the question of an evaluation that a session plays. A data set answers its requests.
type EvalItem struct {
	Name  string `json:"name"`  // of the evaluation
	Key   string `json:"key"`   // of all that the answers depend on
	Facts string `json:"facts"` // whether the seats can ask: asked or none
}

// Refusal says why nothing but what was planned is done with such a session.
func (e EvalItem) Refusal() string {
	return "This debate is measured by the evaluation " + text.Line(e.Name) + " as it is. Fork it to do more with it."
}

// Gone is what a session was played with and is no more, such as "mode oxford": it can only be read.
type Gone string

// Error says why its result is not counted, and nothing is added.
func (g Gone) Error() string { return "Not counted: " + string(g) + " is gone" }

// Draft is unsent text of the context form.
type Draft struct {
	Text        string
	Source      string
	Unavailable bool   // the text says why there is no answer
	Other       string // the answer, if Unavailable, else a reason why there is none
	ProposedBy  string // the assistant whose words these are; "": somebody typed them
	At          time.Time
}

// IsEmpty reports whether nothing is typed.
func (d Draft) IsEmpty() bool { return strings.TrimSpace(d.Text+d.Source+d.Other) == "" }

// Name returns the title of the session, or its topic if it has none.
func (s Session) Name() string { return cmp.Or(s.Title, s.Topic) }

// Current returns the last round that has begun, nil before the first one.
func (s Session) Current() *Round {
	if len(s.History) == 0 {
		return nil
	}
	return &s.History[len(s.History)-1]
}

// Next returns the number of the round to begin; 0 while one runs and when none is left.
func (s Session) Next() int {
	if n := len(s.History); s.Ended() == n && s.Stopped == NotStopped && n < s.Rounds {
		return n + 1
	}
	return 0
}

// Playing returns the round that a run plays: the one about to begin, or else the newest.
func (s Session) Playing() int { return cmp.Or(s.Next(), len(s.History)) }

// Request returns the context request with the given id.
func (s Session) Request(id string) (ledger.Request, bool) {
	return ledger.Ledger{Requests: s.Requests}.Find(id)
}

// WithRequest returns the session with r in place of its older copy. Requests stay
// ordered by number. If r is older than the copy in the session, nothing changes.
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

// Report returns the newest verdict that has a text by a chair, or else the newest verdict, or nil.
func (s Session) Report() *Verdict { return cmp.Or(s.Written, s.Verdict) }

// Seat returns the profile of a seat and its number, counted from 1; 0 if there is no such seat.
func (s Session) Seat(id agents.ID) (agents.Profile, int) {
	i := slices.IndexFunc(s.Seats, func(p agents.Profile) bool { return p.ID == id })
	if i < 0 {
		return agents.Profile{}, 0
	}
	return s.Seats[i], i + 1
}

// WithMoreRounds returns the session as it would be with n rounds more.
func (s Session) WithMoreRounds(n int) Session {
	if n == 0 {
		return s
	}
	planned := max(s.Rounds, len(s.History))
	if s.Verdict != nil {
		planned = len(s.History)
	}
	s.Rounds, s.Verdict, s.Stopped = s.Mode.Whole(planned+n), nil, NotStopped
	return s
}

// Demo reports whether the panel is the scripted one.
func (s Session) Demo() bool {
	return slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return p.Provider == DemoProvider })
}

const (
	// DemoProvider is the reserved name of the scripted provider.
	DemoProvider = "demo"

	// DemoTopic is the topic that its script is about.
	DemoTopic = "Should a small team use SQLite in production?"

	// DemoReviewTopic is the topic of its review of a sample.
	DemoReviewTopic = "What is wrong with this change?"
)
