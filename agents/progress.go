package agents

import "time"

// Progress is one observable moment of a turn, in the order in which it
// happens. What must be stored before the next effect is stored by the observer
// before it returns; an error from it ends the turn.
//
//sumtype:decl
type Progress interface{ progress() }

// The moments of a turn. N counts the turn's completions from 1; an ID is the
// one made by Turn.ToolCall.
type (
	// Sending says that the request is about to be sent.
	Sending struct {
		N       int
		Request Request
	}
	// Queued says that the server is there but has not begun to answer.
	Queued struct{}
	// Retrying says that the provider asks again.
	Retrying struct{ Retry Retry }
	// Text is the next piece of the text.
	Text struct{ Text string }
	// Reasoning is the next piece of the model's reasoning, which is never part of the text.
	Reasoning struct{ Text string }
	// Completed says that a completion is whole. IDs are those of its calls, in
	// order. With More the turn goes on, and its text is working text.
	Completed struct {
		N          int
		Completion Completion
		IDs        []string
		More       bool
	}
	// Broken says that a completion failed or was cancelled; what was observed of it
	// is a part. Usage is what it took all the same.
	Broken struct {
		N       int
		Failure *Failure
		Usage   Usage
	}
	// ToolStarted says that a tool is about to run.
	ToolStarted struct {
		ID   string
		Call ToolCall
	}
	// ToolDone says how a tool call ended.
	ToolDone struct {
		ID     string
		Call   ToolCall
		Result ToolResult
		Took   time.Duration
	}
)

func (Sending) progress()     {}
func (Queued) progress()      {}
func (Retrying) progress()    {}
func (Text) progress()        {}
func (Reasoning) progress()   {}
func (Completed) progress()   {}
func (Broken) progress()      {}
func (ToolStarted) progress() {}
func (ToolDone) progress()    {}

// Completion is one whole answer of a provider.
type Completion struct {
	Text      string
	Reasoning string
	Finish    Finish
	Calls     []ToolCall
	Usage     Usage    // of all tries
	Tries     int      // how often it was sent
	Patched   []string // see Chunk.Patched
	Message   Message  // as it goes back to the model, before the tool results
}

// Reply is what a turn came to: the text of its last completion, why that
// ended, and what all completions of the turn used together.
type Reply struct {
	Text   string
	Finish Finish
	Usage  Usage
	Sent   int // requests: completions with their retries
}
