package engine

import (
	"context"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Recorder is what the engine needs of a store. Each method is one transaction that is
// on disk when it returns. Nothing is announced and no effect begins before it is
// recorded.
type Recorder interface {
	// Repair closes what an earlier run left running, because its process ended or its
	// store failed, and returns the session as it is then. Nobody else may run the session.
	// Repairing twice changes nothing.
	Repair(ctx context.Context, session string) (debate.Session, error)
	// BeginRound passes the gate, releases the answers and writes the manifest of the
	// round, see debate.Session.Begin. It returns the session as it is then, or a
	// *BlockedError.
	BeginRound(ctx context.Context, session string, round int) (debate.Session, error)
	// SetMode stores the lists that a mode was filled with, before any member has spoken.
	SetMode(ctx context.Context, session string, m debate.Mode) (debate.Session, error)
	// SetDue records that turns of the newest round are due. A round that has ended is open
	// again, and a verdict becomes superseded, see debate.Session.WithDue.
	SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error
	// BeginTurn records a turn before anything of it is sent.
	BeginTurn(ctx context.Context, t debate.TurnStart) error
	// BeginCall records the n-th completion request of a turn before it is sent.
	BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error
	// RetryCall records what the failed tries of the n-th request of a turn have used so
	// far, before it is sent again, and until when it waits.
	RetryCall(ctx context.Context, t agents.Turn, n int, u agents.Usage, cost *float64, until time.Time) error
	// Journal appends pieces of text that are not yet part of an answer.
	Journal(ctx context.Context, parts []debate.PartialText) error
	// EndCall records a completion after which the turn goes on: its text, if it has any,
	// and all its tool calls as pending, before any of them runs. It removes the
	// completion's journal.
	EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error
	// BreakCall records a completion that failed or was ended, with its cost. Its journal
	// stays.
	BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error
	// AddTool records a tool call amid an answer as pending, in a passage of the turn. The
	// text is that of the passage: it is stored with the first call after it, and its
	// journal is removed.
	AddTool(ctx context.Context, t agents.Turn, passage int, text debate.Passage, tool debate.ToolRecord) error
	// StartTool records that a tool call runs, before it has an effect.
	StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error
	// EndTool records how a tool call ended.
	EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error
	// Ask records an agent's question. Bad input and caps are errors for the agent, see
	// ledger.Ledger.Ask.
	Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error)
	// EndTurn records the end of a turn: text, finish, usage and state together, and the
	// attempt that follows by itself. A turn that was cancelled before it began has no
	// Began. It returns the requests that it changed.
	EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error)
	// EndRound ends a round, and the session with it for the given reason unless that
	// is NotStopped or the session vetoes it. It returns the session as read back in
	// the same transaction.
	EndRound(ctx context.Context, session string, round int, c debate.Consensus, ending debate.StopReason) (debate.Session, error)
	// Stop ends a session before its planned rounds.
	Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error)
	// SaveVerdict ends a session. Open requests expire.
	SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error)
	// Note stores notices.
	Note(ctx context.Context, session string, n ...debate.Notice) error
}
