package agents

import (
	"context"
	"encoding/json"
	"iter"
	"os"
	"time"
)

// LoopProvider is a provider of agents that run a loop of their own: such an agent calls
// tools while it answers.
type LoopProvider interface {
	Provider
	// StreamTurn streams the answer of one turn, whose request has one message. The agent calls the tools of kit, which
	// is never nil, by Execute with an empty id, and only while the sequence is read. Calls
	// that it runs itself come as Chunk.Own. The sequence ends like one of Stream.
	StreamTurn(ctx context.Context, turn Turn, req Request, kit Toolkit) iter.Seq2[Chunk, error]
	// Prepare begins to start what the turns of a speaker in a session need; workspace says
	// whether Folder is going to return a folder of the user's. It returns at once; errors
	// are returned by the turns.
	Prepare(session string, who Profile, workspace bool)
	// CloseSession ends what was started for a session.
	CloseSession(session string)
}

// Folder is a folder that an agent works in.
type Folder struct {
	Dir      string
	ReadOnly bool                     // no command may run in it
	Open     func() (*os.Root, error) // for reading
}

// OwnCall is a call of a tool that the agent runs itself. Its fields are self-reported and
// unverified.
type OwnCall struct {
	ID     string // the agent's own; what Approve of a Toolkit gets is made by Turn.ToolCall
	Name   string
	Args   string
	Input  map[string]any // for Approve: what comes with a command besides its words; nil if it is no command
	Dir    string         // for Approve: the folder of the turn
	Done   bool
	Result ToolResult    // if it is done
	Took   time.Duration // if it is done
}

// Field is a part of the input of a call that the user is shown.
type Field struct{ Name, Value string }

// MaxLoopCalls is how many calls of tools a LoopProvider's agent may make in a turn.
// Calls of its own beyond that are not recorded.
const MaxLoopCalls = 200

// Specs implements Toolkit for an agent with a loop, as do Execute, Folder and Approve. Its
// calls and chunks come from different goroutines, so mu is held whenever something is observed.
func (t *conversation) Specs() []ToolSpec { return t.tools }

// Execute records a call, runs it and records its result.
func (t *conversation) Execute(ctx context.Context, turn Turn, _ string, call ToolCall) ToolResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended || turn != t.turn || ctx.Err() != nil:
		return refused("The turn has ended. The call was not run.")
	case t.toolkit == nil:
		return refused("No tool can be called in this turn.")
	case t.toolCalls >= MaxLoopCalls || t.circling:
		return refused("No more tools can be called in this turn. Write your answer now.")
	}
	call = ReadCall(call, t.tools)
	id := t.record(call, false)
	begun := time.Now()
	t.mu.Unlock()
	result := t.toolkit.Execute(ctx, turn, id, call)
	took := time.Since(begun) - result.Waited
	t.mu.Lock()
	result.Text += t.repeated(call)
	t.answer.earlier.Input += Tokens(result.Text)
	t.tell(ToolDone{ID: id, Call: call, Result: result, Took: took})
	return result
}

func (t *conversation) record(call ToolCall, own bool) string {
	t.toolCalls++
	id := t.turn.ToolCall(t.toolCalls)
	t.addText(t.answer.split.end()...)
	text, reasoning := t.answer.cut()
	if text != "" {
		t.reply.Earlier = append(t.reply.Earlier, text)
	}
	t.answer.earlier.Output += tokensPerTool + Tokens(call.Name) + Tokens(call.Args)
	t.tell(Called{ID: id, Call: call, Own: own, Text: text, Reasoning: reasoning})
	t.tell(ToolStarted{ID: id})
	return id
}

// recordOwn records a call that the agent runs itself and returns our id; "" if it is not recorded.
func (t *conversation) recordOwn(own OwnCall) string {
	id, known := t.own[own.ID]
	call := ToolCall{ID: own.ID, Name: own.Name, Args: own.Args}
	if !known && !t.ended && t.toolCalls < MaxLoopCalls {
		id = t.record(call, true)
		t.own[own.ID] = id
	}
	if id == "" || !own.Done {
		return id
	}
	t.own[own.ID] = ""
	t.tell(ToolDone{ID: id, Call: call, Result: own.Result, Took: own.Took})
	return id
}

// Folder returns the folder that the agent works in; the zero Folder if it has none.
func (t *conversation) Folder(ctx context.Context, turn Turn) (Folder, error) {
	if t.toolkit == nil {
		return Folder{}, nil
	}
	return t.toolkit.Folder(ctx, turn)
}

// Approve records the call that the user is asked about and asks.
func (t *conversation) Approve(ctx context.Context, turn Turn, call OwnCall, argv []string) (allowed bool, reason string) {
	t.mu.Lock()
	call.ID = t.recordOwn(call)
	nobody := t.toolkit == nil || t.ended || call.ID == ""
	t.mu.Unlock()
	if nobody {
		return false, "nobody can be asked"
	}
	return t.toolkit.Approve(ctx, turn, call, argv)
}

// oneMessage joins messages into one. A schema becomes a request for JSON in its text.
func oneMessage(msgs []Message, schema json.RawMessage) Message {
	var parts []Part
	for _, m := range msgs {
		if m.Parts == nil {
			parts = append(parts, Part{Text: m.Text})
		}
		parts = append(parts, m.Parts...)
	}
	if len(schema) > 0 {
		parts = append(parts, Part{Title: "format", Text: "Answer with one JSON object that fits this schema, and nothing else:\n" +
			string(schema)})
	}
	return Message{Role: User, Text: JoinParts(parts), Parts: parts}
}
