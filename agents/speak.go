package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of the tool loop of one turn.
const (
	MaxToolIterations = 10 // completions that may call tools; one more follows that may not
	MaxCallsAtOnce    = 16 // in one completion; the others get an error result
	maxFailedInARow   = 3  // completions in a row whose calls all fail; then tools are withheld, too
	warnAfterRepeats  = 3  // identical calls before results carry a warning
	maxSameCalls      = 10 // identical calls; then tools are withheld for the rest of the turn
)

// Speak runs one turn. It streams a completion, runs the tools that the model calls,
// and streams again until the model calls none. A model that writes a tool call
// into its text is corrected once, see readWrittenCalls. The toolkit answers calls of tools
// that are not offered; without a toolkit any call is a failure.
//
// An agent of a LoopProvider calls tools within its one completion.
//
// The error, if any, is a *Failure, the context's error, or what observe returned.
func (a Agent) Speak(ctx context.Context, turn Turn, msgs []Message, kit Toolkit, observe func(Progress) error) (Reply, error) {
	t := &conversation{
		agent: a, turn: turn, msgs: slices.Clip(msgs), toolkit: kit, observe: observe,
		callIDs: map[string]bool{}, sameCalls: map[string]int{}, own: map[string]string{},
	}
	if kit != nil {
		t.tools = kit.Specs()
	}
	ctx, t.end = context.WithCancelCause(ctx)
	defer t.end(nil)
	if t.loop, _ = a.Client.(LoopProvider); t.loop != nil && a.NoCalls { // it cannot be kept from calling what it is offered
		t.tools, t.toolkit = nil, nil
	}
	for n := 0; ; n++ {
		var choice ToolChoice
		if t.loop == nil && (kit == nil || a.NoCalls || n >= MaxToolIterations || t.circling) {
			choice = ToolChoiceNone
		}
		c, err := t.complete(ctx, choice)
		switch {
		case err != nil:
		case len(c.Calls) > 0 && choice == "":
			t.reply.Earlier = append(t.reply.Earlier, c.Text)
			err = t.runTools(ctx, c)
		case len(c.Calls) > 0 && len(t.tools) > 0: // the server ignores the choice
			t.reply.Earlier = append(t.reply.Earlier, c.Text)
			t.tools = nil
		case t.askAgain:
			t.askAgain = false
		case !t.hasWords(c.Text):
			err = &Failure{Kind: KindTools, Cause: t.subject() + " gave no answer, only calls of tools."}
		default:
			t.reply.Text, t.reply.Finish = c.Text, c.Finish
			return t.reply, nil
		}
		if err != nil {
			return t.reply, err
		}
	}
}

// Request returns the request that the agent sends for a completion. A LoopProvider's
// agent gets one message with the text of all, without the parameters that it does not take.
func (a Agent) Request(msgs []Message, tools []ToolSpec) Request {
	if _, ok := a.Client.(LoopProvider); ok {
		return Request{Model: a.Model, Messages: []Message{oneMessage(msgs, a.Schema)}, Tools: tools}
	}
	return Request{
		Model: a.Model, Messages: msgs, Tools: tools, Temperature: a.Temperature, MaxTokens: a.MaxTokens, Schema: a.Schema,
		ReasoningEffort: a.ReasoningEffort, ExtraBody: a.ExtraBody,
	}
}

type conversation struct {
	agent        Agent
	turn         Turn
	msgs         []Message
	toolkit      Toolkit
	tools        []ToolSpec
	observe      func(Progress) error
	reply        Reply
	toolCalls    int
	callIDs      map[string]bool // that were sent to the provider
	failedInARow int
	sameCalls    map[string]int
	circling     bool       // the same call was made maxSameCalls times, or all have failed
	corrected    bool       // the model was told that it wrote a call as text
	askAgain     bool       // the next completion is the corrected answer
	asksWritten  int        // so many of the next calls that run were written as text
	written      []ToolCall // questions that were written as text and have not been asked

	mu     sync.Mutex              // held while chunks and calls of a loop are observed
	answer *partialCompletion      // under way
	err    error                   // of the observer of the stream
	end    context.CancelCauseFunc // of the turn, with that error

	loop  LoopProvider      // nil: the agent has none
	ended bool              // of a loop: nothing is recorded any more
	own   map[string]string // our ids of own calls of a loop, by the agent's ids; "" once they are done
}

func (t *conversation) subject() string { return t.agent.Provider + "/" + t.agent.Model }

func (t *conversation) complete(ctx context.Context, choice ToolChoice) (Completion, error) {
	req := t.agent.Request(slices.Clone(t.msgs), t.tools)
	if len(t.tools) > 0 {
		req.ToolChoice = choice
	}
	req.tokens = req.Tokens() // a long one is counted once
	if err := t.observe(Sending{Request: req}); err != nil {
		return Completion{}, err
	}
	c, err := t.stream(ctx, req)
	t.reply.Cut = t.reply.Cut.Worse(c.Cut)
	if f := failureOf(ctx, err); f != nil {
		err = cmp.Or(t.observe(Broken{Failure: f, Usage: c.Usage}), err)
	}
	if err != nil {
		return Completion{}, err
	}
	c.Calls = slices.Clone(c.Calls)
	for i := range c.Calls {
		c.Calls[i] = ReadCall(c.Calls[i], t.tools)
	}
	if t.loop == nil && !t.agent.NoCalls {
		t.corrected = t.corrected || choice == ToolChoiceNone // it is not asked again
		if err := t.readWrittenCalls(ctx, &c, choice == ToolChoiceNone); err != nil {
			return Completion{}, err
		}
	}
	ids := t.assignIDs(c.Calls)
	c.Message = Message{Role: Assistant, Text: c.Text, Calls: c.Calls, Extra: c.Message.Extra}
	more := t.askAgain || len(c.Calls) > 0 || !t.hasWords(c.Text)
	return c, t.observe(Completed{Completion: c, IDs: ids, More: more})
}

// assignIDs gives calls provider ids that are unique within the turn, since some servers
// send empty or repeated ones, and returns the ids by Turn.ToolCall.
func (t *conversation) assignIDs(calls []ToolCall) []string {
	ids := make([]string, len(calls))
	for i := range calls {
		t.toolCalls++
		ids[i] = t.turn.ToolCall(t.toolCalls)
		for n := t.toolCalls; calls[i].ID == "" || t.callIDs[calls[i].ID]; n++ {
			calls[i].ID = fmt.Sprintf("call%05d", n) // nine letters and digits: the only form that all servers take
		}
		t.callIDs[calls[i].ID] = true
	}
	return ids
}

// runTools runs the calls of a completion in order and appends call and results to
// the messages.
func (t *conversation) runTools(ctx context.Context, c Completion) error {
	t.msgs = append(t.msgs, c.Message)
	first := t.toolCalls - len(c.Calls) + 1
	useful, isNew := false, false
	for i, call := range c.Calls {
		id := t.turn.ToolCall(first + i)
		result, err := t.runTool(ctx, id, i, call)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		useful = useful || result.Status == ToolOK || result.Status == ToolDenied // a denial is no mistake of the model
		result.Text += t.repeated(call)
		isNew = isNew || t.sameCalls[callKey(call)] == 1
		t.msgs = append(t.msgs, Message{Role: ToolRole, CallID: call.ID, Text: result.Text})
	}
	switch {
	case useful:
		t.failedInARow = 0
	case isNew: // what is only repeated has a limit of its own
		t.failedInARow++
	}
	if t.failedInARow >= maxFailedInARow { // a tool that is gone costs its calls and not the turn
		t.circling = true
		t.msgs[len(t.msgs)-1].Text += fmt.Sprintf("\n\nAll your calls have failed %d times in a row. Write your answer now; "+
			"no tool can be called.", t.failedInARow)
	}
	return nil
}

// runTool runs a call between its two events.
func (t *conversation) runTool(ctx context.Context, id string, index int, call ToolCall) (ToolResult, error) {
	if err := t.observe(ToolStarted{ID: id}); err != nil {
		return ToolResult{}, err
	}
	begun := time.Now()
	result := refused(fmt.Sprintf("Too many tool calls in one answer: the maximum is %d. Call this one again if it is still needed.",
		MaxCallsAtOnce))
	if index < MaxCallsAtOnce {
		result = t.toolkit.Execute(ctx, t.turn, id, call)
	}
	if t.asksWritten > 0 {
		t.asksWritten--
		result.Summary = strings.TrimLeft(result.Summary+", "+WrittenAsText, ", ")
	}
	switch {
	case call.Name != RequestContextName:
	case result.Status == ToolOK:
		t.reply.UnreadQuestion = ""
	case !isQuestion(call.Args):
		t.reply.UnreadQuestion = call.Args
	}
	return result, t.observe(ToolDone{ID: id, Call: call, Result: result, Took: time.Since(begun) - result.Waited})
}

// refused is the result of a call that is not run.
func refused(why string) ToolResult { return ToolResult{Status: ToolError, Text: why, Summary: why} }

// repeated counts identical calls. From warnAfterRepeats on, it returns a note for the result.
func (t *conversation) repeated(call ToolCall) (note string) {
	t.sameCalls[callKey(call)]++
	switch n := t.sameCalls[callKey(call)]; {
	case n >= maxSameCalls:
		t.circling = true
		return fmt.Sprintf("\n\nYou have made this same call %d times. Write your answer now; no tool can be called.", n)
	case n >= warnAfterRepeats:
		return fmt.Sprintf("\n\nYou have made this same call %d times. Use the result, or call something else.", n)
	}
	return ""
}

func callKey(c ToolCall) string { return c.Name + "\x00" + c.Args }

// readWrittenCalls looks for calls that a model wrote into its text, which is never run. Once
// in a turn the model is told how tools are called, and answers again. After that what it
// wrote is no part of its text. Its questions to the user, the one thing that must not be
// lost, are asked for it. After the last completion none follows.
func (t *conversation) readWrittenCalls(ctx context.Context, c *Completion, last bool) error {
	if slices.ContainsFunc(c.Calls, func(call ToolCall) bool { return call.Name == RequestContextName }) {
		t.written = nil
	}
	if len(c.Calls) > 0 {
		return nil
	}
	calls := writtenCalls(c.Text, t.tools)
	t.keepQuestions(c.Text, calls)
	if !t.corrected && len(calls) > 0 {
		t.corrected, t.askAgain = true, true
		t.msgs = append(t.msgs, Message{Role: Assistant, Text: c.Text, Extra: c.Message.Extra}, Message{Role: User, Text: fmt.Sprintf(
			"You wrote a call of %s as text. Nothing was called: text is never run. "+
				"Call a tool through the tool calls of this interface, with its name and its arguments as one JSON object, "+
				"and not within your answer. If you meant no call, give your whole answer again.", calls[0].tool)})
		return nil
	}
	if len(calls) > 0 {
		c.Text = withoutCalls(c.Text, calls)
	}
	written := t.written
	t.written, t.asksWritten = nil, len(written)
	if strings.TrimSpace(c.Text) == "" && !last { // the model continues after them
		c.Calls = written
		return nil
	}
	ids := t.assignIDs(written)
	for i, call := range written {
		if err := t.observe(Called{ID: ids[i], Call: call}); err != nil {
			return err
		}
		if _, err := t.runTool(ctx, ids[i], i, call); err != nil {
			return err
		}
	}
	return nil
}

// keepQuestions keeps the questions to the user among calls that a model wrote as text, in
// place of those of an earlier text. One that cannot be read is kept as it was written.
func (t *conversation) keepQuestions(text string, calls []writtenCall) {
	var written []ToolCall
	for _, c := range calls {
		switch {
		case c.tool != RequestContextName:
		case isQuestion(c.args):
			written = append(written, ToolCall{Name: c.tool, Args: c.args})
		case c.end > c.start:
			t.reply.UnreadQuestion = text[c.start:c.end]
		}
	}
	if len(written) > 0 {
		t.written = written
	}
}

func isQuestion(args string) bool {
	var q struct{ Query, Reason string }
	return json.Unmarshal([]byte(args), &q) == nil && strings.TrimSpace(q.Query) != "" && strings.TrimSpace(q.Reason) != ""
}
