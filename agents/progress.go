package agents

import "time"

// Progress is an event of a turn. The observer gets the events in the order in which
// they happen, and stores them before it returns if they must be stored before the
// turn goes on. An error from the observer ends the turn.
//
//sumtype:decl
type Progress interface{ progress() }

// The events of a turn. N counts the turn's completions from 1. An ID is the one
// made by Turn.ToolCall.
type (
	// Sending reports that a request is about to be sent.
	Sending struct {
		N       int
		Request Request
	}
	// Queued reports that the server is alive but has not begun to answer, or that the
	// request waits for a place at the provider.
	Queued struct{ Waits bool }
	// Sent reports that a request that waited for a place is sent, or one whose answer
	// comes as a whole.
	Sent struct{ Whole bool }
	// Alive reports a sign of life of the server amid its answer.
	Alive struct{}
	// Retrying reports that the provider is about to retry.
	Retrying struct{ Retry Retry }
	// Text is the next piece of the text.
	Text struct{ Text string }
	// Reasoning is the next piece of the model's reasoning. It is never part of the text.
	Reasoning struct{ Text string }
	// Completed reports a complete completion. IDs are those of its calls, in order.
	// If More is set, the turn goes on and the text is not its answer.
	Completed struct {
		N          int
		Completion Completion
		IDs        []string
		More       bool
	}
	// Broken reports that a completion failed or was cancelled. What was observed of
	// it is incomplete. Usage is what it used all the same, as far as the server
	// counted or text came; see Failure.Unprocessed for a request of which nothing came.
	Broken struct {
		N       int
		Failure *Failure
		Usage   Usage
	}
	// Called reports a tool call amid an answer that goes on after it, with the text and
	// the reasoning since the call before it. ToolStarted follows.
	Called struct {
		ID        string
		Call      ToolCall
		Own       bool // the agent runs the tool itself
		Text      string
		Reasoning string
	}
	// ToolStarted reports that a tool is about to run.
	ToolStarted struct {
		ID   string
		Call ToolCall
	}
	// ToolDone reports how a tool call ended.
	ToolDone struct {
		ID     string
		Call   ToolCall
		Result ToolResult
		Took   time.Duration
	}
)

func (Sending) progress()     {}
func (Queued) progress()      {}
func (Sent) progress()        {}
func (Alive) progress()       {}
func (Retrying) progress()    {}
func (Text) progress()        {}
func (Reasoning) progress()   {}
func (Completed) progress()   {}
func (Broken) progress()      {}
func (Called) progress()      {}
func (ToolStarted) progress() {}
func (ToolDone) progress()    {}

// Completion is a complete answer of a provider.
type Completion struct {
	Text      string
	Reasoning string
	Finish    Finish
	Calls     []ToolCall
	Usage     Usage      // of all tries
	Tries     int        // how often the request was sent
	Patched   []string   // see Chunk.Patched
	Cut       *PromptCut // see Chunk.Cut
	Message   Message    // to send back to the model, before the tool results
}

// Reply is the result of a turn: the text and finish reason of its last completion,
// and what all its completions used.
type Reply struct {
	Text    string   // of the last completion
	Earlier []string // texts of the completions before it, in order
	Finish  Finish
	Usage   Usage
	Sent    int        // requests, retries included
	Cut     *PromptCut // of the completion that lost the most of its prompt; nil if none did
}
