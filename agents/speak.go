package agents

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Limits of one turn's tool loop.
const (
	MaxToolIterations = 10 // completions that may call tools; then one more without tools
	MaxCallsAtOnce    = 16 // of one completion; the rest get an error result
	maxInvalid        = 3  // completions in a row whose calls all fail: so often it could have read why
	maxSame           = 3  // times the same call
)

// Speak plays one turn: it streams a completion, runs the tools that were asked
// for, and streams again until the model stops asking; one that writes a call
// into its text is told once how to make it. A model that calls a tool
// although none is offered is told so by the toolkit; without a toolkit that is
// a failure. The error, if any, is a *SpeakError, the context's, or what observe
// returned; the reply says what was used also when there is one.
func (a Agent) Speak(ctx context.Context, turn Turn, msgs []Message, kit Toolkit, observe func(Progress) error) (Reply, error) {
	t := talk{agent: a, turn: turn, msgs: slices.Clip(msgs), kit: kit, observe: observe, taken: map[string]bool{}, same: map[string]int{}}
	if kit != nil {
		t.specs = kit.Specs()
	}
	for kit != nil && t.sent < MaxToolIterations {
		c, err := t.complete(ctx, t.specs)
		if err != nil {
			return t.reply, err
		}
		switch {
		case len(c.Calls) > 0:
			err = t.runTools(ctx, c)
		case t.again:
			t.again = false
		default:
			return t.end(c)
		}
		if err != nil {
			return t.reply, err
		}
	}
	c, err := t.complete(ctx, nil)
	if err != nil {
		return t.reply, err
	}
	return t.end(c)
}

// Request is what the agent sends for a completion.
func (a Agent) Request(msgs []Message, tools []ToolSpec) Request {
	return Request{Model: a.Model, Messages: msgs, Tools: tools, Temperature: a.Temperature, MaxTokens: a.MaxTokens, Schema: a.Schema}
}

// talk is the state of one Speak.
type talk struct {
	agent   Agent
	turn    Turn
	msgs    []Message
	kit     Toolkit
	specs   []ToolSpec
	observe func(Progress) error
	reply   Reply
	sent    int // completions
	calls   int
	taken   map[string]bool // ids of calls, as the wire has them
	invalid int
	same    map[string]int
	told    bool // how tools are called
	again   bool // it has been told just now
}

// who names provider and model.
func (t *talk) who() string { return t.agent.Provider + "/" + t.agent.Model }

// fail wraps a failure with the speaker's name.
func (t *talk) fail(f *Failure) error { return &SpeakError{Speaker: t.agent.Profile, Failure: f} }

// complete streams one completion to its end.
func (t *talk) complete(ctx context.Context, tools []ToolSpec) (Completion, error) {
	t.sent++
	req := t.agent.Request(slices.Clone(t.msgs), tools)
	if err := t.observe(Sending{N: t.sent, Request: req}); err != nil {
		return Completion{}, err
	}
	t.reply.Sent++
	c, err := t.stream(ctx, req)
	t.reply.Usage = t.reply.Usage.Add(c.Usage)
	t.reply.Sent += c.Tries - 1
	if err != nil {
		if f := failureOf(ctx, err, c); f != nil {
			if err := t.observe(Broken{N: t.sent, Failure: f, Usage: c.Usage}); err != nil {
				return Completion{}, err
			}
		}
		return Completion{}, err
	}
	var ids []string
	c.Calls, ids = t.name(c.Calls)
	c.Message = Message{Role: Assistant, Text: c.Text, Calls: c.Calls, Extra: c.Message.Extra}
	t.teach(c, tools)
	return c, t.observe(Completed{N: t.sent, Completion: c, IDs: ids, More: t.again || len(c.Calls) > 0})
}

// name returns the calls with ids that are unique within the turn, since servers
// send empty and repeated ones, and our own ids for them.
func (t *talk) name(calls []ToolCall) ([]ToolCall, []string) {
	calls = slices.Clone(calls)
	ids := make([]string, len(calls))
	for i := range calls {
		t.calls++
		ids[i] = t.turn.ToolCall(t.calls)
		for n := t.calls; calls[i].ID == "" || t.taken[calls[i].ID]; n++ {
			calls[i].ID = fmt.Sprintf("call_%d", n)
		}
		t.taken[calls[i].ID] = true
	}
	return calls, ids
}

// runTools runs the calls of a completion in their order and appends the exchange.
func (t *talk) runTools(ctx context.Context, c Completion) error {
	t.msgs = append(t.msgs, c.Message)
	first := t.calls - len(c.Calls) + 1
	t.invalid++
	for i, call := range c.Calls {
		if f := t.circles(call); f != nil {
			return t.fail(f)
		}
		id := t.turn.ToolCall(first + i)
		if err := t.observe(ToolStarted{ID: id, Call: call}); err != nil {
			return err
		}
		begun := time.Now()
		result := t.run(ctx, id, i, call)
		if err := t.observe(ToolDone{ID: id, Call: call, Result: result, Took: time.Since(begun)}); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if result.Status == ToolOK {
			t.invalid = 0
		}
		t.msgs = append(t.msgs, Message{Role: ToolRole, CallID: call.ID, Text: result.Text})
	}
	if t.invalid >= maxInvalid {
		last := c.Calls[len(c.Calls)-1].Name
		return t.fail(&Failure{Kind: KindTools, Cause: fmt.Sprintf("%s was stopped: %d times in a row every tool call failed, the last to %s.", t.who(), t.invalid, last), Retryable: true})
	}
	return nil
}

// circles stops a model that makes the same call over and over, before it has one more effect.
func (t *talk) circles(call ToolCall) *Failure {
	key := call.Name + "\x00" + call.Args
	t.same[key]++
	if t.same[key] <= maxSame {
		return nil
	}
	return &Failure{Kind: KindTools, Cause: fmt.Sprintf("%s was stopped: the same call to %s came %d times.", t.who(), call.Name, t.same[key]), Retryable: true}
}

func (t *talk) run(ctx context.Context, id string, index int, call ToolCall) ToolResult {
	if index >= MaxCallsAtOnce {
		text := fmt.Sprintf("Too many tool calls in one answer: %d is the most. Call this one again if it is still needed.", MaxCallsAtOnce)
		return ToolResult{Status: ToolError, Text: text, Summary: text}
	}
	return t.kit.Execute(ctx, t.turn, id, call)
}

// end makes the reply from the completion that called no tool.
func (t *talk) end(c Completion) (Reply, error) {
	if len(c.Calls) > 0 { // tools were not offered
		return t.reply, t.fail(&Failure{Kind: KindTools, Cause: fmt.Sprintf("Only tool calls came from %s and no answer, %d in all.", t.who(), t.calls), Retryable: true})
	}
	t.reply.Text, t.reply.Finish = c.Text, c.Finish
	return t.reply, nil
}
