package debate

import (
	"context"
	"errors"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// Recorder is what the engine needs of a store: one method per step of the
// durability order, each one transaction that is on disk when it returns.
// Nothing is announced and no effect begins before its record stands.
type Recorder interface {
	// Repair closes what an earlier run left running, because its process ended or
	// its store failed, and returns the session as it stands then. Nobody else may
	// play the session. Repairing again changes nothing.
	Repair(ctx context.Context, session string) (Session, error)
	// BeginRound passes the gate once more, releases the answers, and writes the
	// manifest of the round, all together (Session.Begin says what). It returns the
	// session as it stands then, or a *BlockedError.
	BeginRound(ctx context.Context, session string, round int) (Session, error)
	// SetMode keeps the lists that a mode was filled with, before any member has spoken.
	SetMode(ctx context.Context, session string, m Mode) (Session, error)
	// BeginTurn writes a turn's row, before anything of it is sent.
	BeginTurn(ctx context.Context, t TurnStart) error
	// BeginCall writes the n-th completion request of a turn, before it is sent.
	BeginCall(ctx context.Context, t agents.Turn, purpose Purpose, n int, req agents.Request) error
	// Journal appends pieces of text that are not yet part of an answer.
	Journal(ctx context.Context, parts []Partial) error
	// EndCall settles a completion that called tools: its text and all its calls as
	// pending, before any of them runs. The journal of it goes.
	EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []ToolRecord, cost *float64) error
	// BreakCall settles a completion that failed or was ended, with what it took all
	// the same. The journal of it stays.
	BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error
	// StartTool marks a tool call as running, before it has an effect.
	StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error
	// EndTool writes how a tool call ended.
	EndTool(ctx context.Context, t agents.Turn, tool ToolRecord) error
	// Ask puts an agent's question into the ledger. Bad input and caps are errors
	// for the agent, see ledger.Ledger.Ask.
	Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (Asked, error)
	// EndTurn writes the end of a turn: text, finish, usage and state together. It
	// returns the requests that changed by it.
	EndTurn(ctx context.Context, e Ending) ([]ledger.Request, error)
	// EndRound closes a round, and the session with it where Closes says so, and returns
	// it as read back in the same transaction.
	EndRound(ctx context.Context, session string, round int, c Consensus) (Session, error)
	// Stop ends a session before its planned rounds.
	Stop(ctx context.Context, session string, reason StopReason) (Session, error)
	// SaveVerdict ends a session: what is still open expires.
	SaveVerdict(ctx context.Context, session string, v Verdict) (Session, error)
	// Note keeps notices.
	Note(ctx context.Context, session string, n ...Notice) error
}

// TurnStart is what is known of a turn before it begins.
type TurnStart struct {
	Turn     agents.Turn
	Purpose  Purpose
	Role     string
	Phase    string
	Snapshot string
	Saw      []string
	Fitting  *Fitting
	At       time.Time
}

// Partial is a piece of a completion's text, in order.
type Partial struct {
	Turn      agents.Turn
	Passage   int
	Text      string
	Reasoning bool
}

// Asked is what became of a question.
type Asked struct {
	Reply   ledger.Reply
	Request ledger.Request
	Ask     ledger.Ask
	Joined  bool // the request was there before
	Fresh   bool // an ask was added; false when a stored answer was returned
}

// Ending is the end of a turn. Final is its last completion where the turn is
// done; Response.Usage is the sum of all.
type Ending struct {
	Response  Response
	Purpose   Purpose
	Final     *agents.Completion
	FinalCost *float64
	Digest    *Digest // what a turn of the light model was for
}

// Summary is a session in a list.
type Summary struct {
	ID       string
	Title    string
	Topic    string
	Mode     string
	Status   Status
	Running  bool    // a process has it open in a round that has not ended
	Outcome  Outcome // of its verdict; "" without one
	Stopped  StopReason
	Round    int // the last one that has begun
	Rounds   int
	Required int    // open required requests
	Optional int    // open optional requests
	Asking   string // the first open required request, as one line
	Seats    []agents.Profile
	Missing  int // seats that gave no statement in the last round
	Cost     *float64
	Tokens   int
	Created  time.Time
	Updated  time.Time
}

// Name returns what to call the session: its title, or its topic.
func (s Summary) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic
}

// Reasons why a session cannot be opened or changed.
var (
	ErrNoSession = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session id")
	ErrLocked    = errors.New("session is open elsewhere")
	ErrNewer     = errors.New("made by a newer version")
	ErrNotReady  = errors.New("not possible now")
)
