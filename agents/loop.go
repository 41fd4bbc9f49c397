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
	// StreamTurn streams the answer of one turn. The agent calls the tools of kit, which
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

func (t *conversation) speakInLoop(ctx context.Context, p LoopProvider) (Reply, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	t.loop = &loopToolkit{conversation: t, end: end, own: map[string]string{}}
	t.agent.Client = loopStream{p, t.turn, t.loop}
	c, err := t.complete(ctx, "")
	if err != nil {
		return t.reply, err
	}
	return t.finish(c)
}

type loopStream struct {
	LoopProvider
	turn Turn
	kit  *loopToolkit
}

// Stream streams the turn.
func (l loopStream) Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return l.StreamTurn(ctx, l.turn, req, l.kit)
}

// loopToolkit records the calls of a turn and passes them on. Calls and chunks come from
// different goroutines, so mu is held whenever something of the turn is observed.
type loopToolkit struct {
	*conversation
	end   context.CancelCauseFunc // of the turn, when the observer ends it
	err   error                   // of the observer
	ended bool                    // nothing is recorded any more
	own   map[string]string       // our ids of own calls, by the agent's ids; "" once they are done
}

// Specs implements Toolkit.
func (k *loopToolkit) Specs() []ToolSpec { return k.tools }

const callTooLate = "The turn has ended. The call was not run."

// Execute records a call, runs it and records its result.
func (k *loopToolkit) Execute(ctx context.Context, turn Turn, _ string, call ToolCall) ToolResult {
	refuse := func(why string) ToolResult { return ToolResult{Status: ToolError, Text: why, Summary: why} }
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.ended || k.answer == nil || turn != k.turn || ctx.Err() != nil:
		return refuse(callTooLate)
	case k.toolkit == nil:
		return refuse("No tool can be called in this turn.")
	case k.toolCalls >= MaxLoopCalls || k.circling:
		return refuse("No more tools can be called in this turn. Write your answer now.")
	}
	call = ReadCall(call, k.tools)
	id := k.record(call, false)
	begun := time.Now()
	k.mu.Unlock()
	result := k.toolkit.Execute(ctx, turn, id, call)
	took := time.Since(begun) - result.Waited
	k.mu.Lock()
	result.Text += k.repeated(call)
	k.answer.earlier.Input += Tokens(result.Text)
	k.tell(ToolDone{ID: id, Call: call, Result: result, Took: took})
	return result
}

func (k *loopToolkit) record(call ToolCall, own bool) string {
	k.toolCalls++
	id := k.turn.ToolCall(k.toolCalls)
	for _, p := range k.answer.add(k.answer.split.end()) {
		k.tell(p)
	}
	text, reasoning := k.answer.cut()
	if text != "" {
		k.reply.Earlier = append(k.reply.Earlier, text)
	}
	k.answer.earlier.Output += tokensPerTool + Tokens(call.Name) + Tokens(call.Args)
	k.tell(Called{ID: id, Call: call, Own: own, Text: text, Reasoning: reasoning})
	k.tell(ToolStarted{ID: id})
	return id
}

func (k *loopToolkit) tell(p Progress) {
	if k.ended || k.err != nil {
		return
	}
	if k.err = k.observe(p); k.err != nil {
		k.end(k.err)
	}
}

// recordOwn records a call that the agent runs itself and returns our id; "" if it is not recorded.
func (k *loopToolkit) recordOwn(own OwnCall) string {
	id, known := k.own[own.ID]
	call := ToolCall{ID: own.ID, Name: own.Name, Args: own.Args}
	if !known && k.toolCalls < MaxLoopCalls {
		id = k.record(call, true)
		k.own[own.ID] = id
	}
	if id == "" || !own.Done {
		return id
	}
	k.own[own.ID] = ""
	k.tell(ToolDone{ID: id, Call: call, Result: own.Result, Took: own.Took})
	return id
}

// Folder implements Toolkit.
func (k *loopToolkit) Folder(ctx context.Context, turn Turn) (Folder, error) {
	if k.toolkit == nil {
		return Folder{}, nil
	}
	return k.toolkit.Folder(ctx, turn)
}

// Approve records the call that the user is asked about and asks.
func (k *loopToolkit) Approve(ctx context.Context, turn Turn, call OwnCall, argv []string) (allowed bool, reason string) {
	k.mu.Lock()
	if !k.ended && k.answer != nil {
		call.ID = k.recordOwn(call)
	}
	ended := k.ended || k.answer == nil
	k.mu.Unlock()
	if k.toolkit == nil || ended || call.ID == "" {
		return false, "nobody can be asked"
	}
	return k.toolkit.Approve(ctx, turn, call, argv)
}

func (k *loopToolkit) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	return k.err
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
