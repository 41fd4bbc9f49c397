package debate

import (
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// TurnStart is what is known of a turn before it begins.
type TurnStart struct {
	Turn          agents.Turn
	Purpose       Purpose
	Role          string
	Phase         string
	SnapshotHash  string
	SeenResponses []string
	ContextFit    *ContextFit
	PromptVersion int    // see prompt.Version
	Question      string // of a follow-up
	At            time.Time
}

// PartialText is a piece of a completion's text. Pieces come in order.
type PartialText struct {
	Turn      agents.Turn
	Passage   int
	Text      string
	Reasoning bool
}

// AskResult is the result of an agent's question.
type AskResult struct {
	Reply   ledger.Reply
	Request ledger.Request
	Ask     ledger.Ask
	Joined  bool // the request existed before
	Fresh   bool // an ask was added; false if a stored answer was returned
}

// TurnEnd is the end of a turn. Final is its last completion if the turn is done and the
// completion is not recorded yet; Response.Usage is the sum of all.
type TurnEnd struct {
	Response  Response
	Purpose   Purpose
	Final     *agents.Completion
	FinalCost *float64
	Summary   *StatementSummary // made by a turn of the light model
	Again     *DueTurn          // the attempt that follows by itself; nil if none does
}
