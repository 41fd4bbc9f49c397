package debate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// Session is all that is known of one debate. It is a value: a change is a new
// Session, as read back from the store.
type Session struct {
	ID                string
	Title             string // as the user named it; "" shows the topic
	Topic             string
	Mode              Mode // as it was when the session began
	Seats             []agents.Profile
	Chair             *agents.Profile // who writes the verdict; nil: a member does
	Light             *agents.Profile // for analyses and summaries; nil: none
	Rounds            int             // planned
	Caps              ledger.Caps
	Budget            Budget
	EndConditions     EndConditions // what ends the debate before its planned rounds
	Fit               FitOptions
	Nonce             string // of the fences in prompts; never sent or exported
	ConfigHash        string
	Created           time.Time
	Updated           time.Time
	Stopped           StopReason
	ForkedFrom        string
	ForkRound         int
	History           []Round // begun rounds, in order
	Requests          []ledger.Request
	Drafts            map[string]Draft   // of the context form, by request
	Verdict           *Verdict           // nil: none, or superseded by added rounds
	ChairTurns        int                // turns of chairs so far, failed ones included
	LightTurns        int                // turns of the light model so far
	AuxiliarySpending []Spending         // what those of chairs and of the light model took, by purpose
	CachedReplies     []CachedReply      // turns of chairs and of the light model in the newest round that have ended
	Summaries         []StatementSummary // summaries of statements, as they were made
	Interjections     []Interjection     // what the user told the agents, as it came
	Notices           []Notice
}

// Draft is text being typed into the context form.
type Draft struct {
	Text        string
	Source      string
	Unavailable bool // the text is a reason why there is no answer
	At          time.Time
}

// Name returns what to call the session: its title, or its topic.
func (s Session) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic
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

// Demo reports whether the panel is the scripted one.
func (s Session) Demo() bool {
	return slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return p.Provider == DemoProvider })
}

// DemoProvider is the reserved name of the scripted provider.
const DemoProvider = "demo"
