package debate

import (
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// Event is something that happened, already durable when it is announced; text
// alone may run a quarter of a second ahead. RoundEnded is always the last.
//
//sumtype:decl
type Event interface{ event() }

// The events of a run.
type (
	// RoundStarted says that the facts were released and the snapshot is written.
	RoundStarted struct {
		Session Session
		Round   int
		Hash    string
		Facts   []string // ids of the requests that were released
		At      time.Time
	}
	// TurnStarted says that a seat's attempt begins.
	TurnStarted struct {
		Turn       agents.Turn
		Profile    agents.Profile
		Role       string
		ContextFit *ContextFit // what of its prompt was shortened; nil: nothing
		At         time.Time
	}
	// TurnQueued says that the provider is there but has not begun to answer.
	TurnQueued struct{ Turn agents.Turn }
	// TurnRetrying says that the provider asks once more.
	TurnRetrying struct {
		Turn  agents.Turn
		Retry agents.Retry
		At    time.Time
	}
	// Text is a piece of a seat's text or reasoning. Passage counts the turn's completions from 0.
	Text struct {
		Turn      agents.Turn
		Passage   int
		Text      string
		Reasoning bool
	}
	// ToolStarted says that a tool runs for the agent of the turn.
	ToolStarted struct {
		Turn agents.Turn
		Tool ToolRecord
		At   time.Time
	}
	// ToolEnded says how it went.
	ToolEnded struct {
		Turn agents.Turn
		Tool ToolRecord
		At   time.Time
	}
	// ContextRequested says that the ask stands in the ledger. Joined is true when the request was there before.
	ContextRequested struct {
		Turn    agents.Turn
		Request ledger.Request
		Ask     ledger.Ask
		Joined  bool
		At      time.Time
	}
	// ContextChanged says that a request changed otherwise, such as by a withdrawal.
	ContextChanged struct {
		Request ledger.Request
		At      time.Time
	}
	// TurnEnded says how an attempt of a seat ended, or of a chair: that has VerdictStep.
	TurnEnded struct {
		Response Response
		At       time.Time
	}
	// Assisting says that the light model begins with what the round waits for. It is
	// over with the next event of a turn, with Assessed, or with RoundEnded.
	Assisting struct {
		Task    LightTask
		Lists   []List // to be named
		Profile agents.Profile
		Round   int
		Limit   time.Duration // how long it may take
		At      time.Time
	}
	// Assessed says how far the seats agree after the round.
	Assessed struct {
		Round     int
		Consensus Consensus
		At        time.Time
	}
	// Concluding says that a chair writes the verdict. Its text comes as Text under a turn with VerdictStep.
	Concluding struct {
		Turn    agents.Turn
		Profile agents.Profile
		At      time.Time
	}
	// Concluded says that the verdict stands.
	Concluded struct {
		Verdict Verdict
		At      time.Time
	}
	// Noticed says something the user has to know.
	Noticed struct{ Notice Notice }
	// RoundEnded is the last event of a run. Session is as read back from the
	// store. Err is nil, a *BlockedError, a *RoundFailedError, the context's error
	// after a stop, or what went wrong in the store.
	RoundEnded struct {
		Session Session
		Err     error
		At      time.Time
	}
)

func (RoundStarted) event()     {}
func (TurnStarted) event()      {}
func (TurnQueued) event()       {}
func (TurnRetrying) event()     {}
func (Text) event()             {}
func (ToolStarted) event()      {}
func (ToolEnded) event()        {}
func (ContextRequested) event() {}
func (ContextChanged) event()   {}
func (TurnEnded) event()        {}
func (Assisting) event()        {}
func (Assessed) event()         {}
func (Concluding) event()       {}
func (Concluded) event()        {}
func (Noticed) event()          {}
func (RoundEnded) event()       {}
