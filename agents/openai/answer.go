package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/secret"
)

type answer struct {
	limits    Limits
	mask      masker
	text      secret.Stream // holds back what may be the beginning of a secret
	reasoning secret.Stream
	toolCalls toolCalls
	echo      echo
	refusal   strings.Builder

	reasoningContent    strings.Builder // goes back to the server with tool calls
	hasReasoningContent bool            // the field came, even if empty

	usage         *agents.Usage
	finish        agents.Finish
	usageComplete bool // usage came with the finish reason or after it
	done          bool // [DONE] came, or a whole document

	latest    rawChunk // reused, to save allocations
	commented bool     // a comment came
	events    int
	size      int // what counts against Limits.Answer
	pieces    int // of text, reasoning and tool calls; at most one a token
	written   int // bytes of text and reasoning

	latestPiece string
	repeats     int // of it in a row
}

func (a *answer) add(f frame) (agents.Chunk, error) {
	switch f.kind {
	case frameComment:
		if a.events == 0 && !a.commented {
			a.commented = true
			return agents.Chunk{Event: agents.Queued{}}, nil
		}
		return agents.Chunk{Event: agents.Alive{}}, nil
	case frameDone:
		a.done = true
		return agents.Chunk{}, nil
	default: // has data
	}
	a.events++
	if f.kind == frameError {
		return agents.Chunk{}, &wireError{said: parseAPIError(f.data)}
	}
	a.latest = rawChunk{}
	if err := json.Unmarshal(f.data, &a.latest); err != nil {
		return agents.Chunk{}, a.unreadable(f, err)
	}
	if a.latest.isError() {
		return agents.Chunk{}, errorIn(f)
	}
	if f.kind == frameDocument {
		if a.latest.Choices == nil {
			return agents.Chunk{}, noAnswer(f.data)
		}
		a.done = true
	}
	return a.addEvent(&a.latest)
}

// errorIn returns the error that a frame holds. A document that claims to be an
// error but has neither code nor type may come from something that is not a model
// server at all.
func errorIn(f frame) error {
	s := parseAPIError(f.data)
	if f.kind == frameDocument && s.Code == "" && s.Type == "" && !s.means(limited) {
		return noStream(s.Message)
	}
	return &wireError{said: s}
}

// noAnswer returns the error of a body that is neither a stream nor an answer. A few words
// about a limit are one.
func noAnswer(body []byte) error {
	const mostWords = 300
	if s := parseAPIError(body); len(s.Message) <= mostWords && s.means(limited) {
		return &wireError{said: s}
	}
	return noStream(string(body))
}

func (a *answer) unreadable(f frame, err error) error {
	switch f.kind {
	case frameDocument:
		if e := decodeAPIError(f.data, maxErrorDepth); bytes.HasPrefix(f.data, []byte("[")) && e.Message != "" {
			e.Retry = waitIn(f.data)
			return &wireError{said: e}
		}
		var syntax *json.SyntaxError
		early := errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input"
		if early && bytes.HasPrefix(f.data, []byte("{")) && !json.Valid(f.data) {
			return errTruncated
		}
		return noAnswer(f.data)
	case frameCut:
		return errTruncated
	default:
		return &wireError{kind: malformed, n: a.events, said: apiError{Message: err.Error()}}
	}
}

// addEvent consumes the usage and the choice of an event. The answer is the choice numbered 0.
func (a *answer) addEvent(event *rawChunk) (out agents.Chunk, err error) {
	usage := decodeUsage(event.Usage)
	if usage != nil {
		a.usage = usage
	}
	if i := slices.IndexFunc(event.Choices, func(c rawChoice) bool { return c.Index.n == 0 }); i >= 0 {
		if out, err = a.addChoice(&event.Choices[i]); err != nil {
			return out, err
		}
	}
	a.usageComplete = a.usageComplete || usage != nil && a.finish != ""
	return out, nil
}

func (a *answer) addChoice(c *rawChoice) (agents.Chunk, error) {
	if f := strings.TrimSpace(string(c.Finish)); f != "" && f != "null" {
		a.finish = agents.Finish(clean(a.mask.answers.Mask(f), 40))
	}
	d := c.delta()
	a.size += a.echo.add(d.echoFields) + a.toolCalls.add(a.events, d.ToolCalls)
	if d.ReasoningContent != nil {
		a.hasReasoningContent = true
		a.reasoningContent.WriteString(string(*d.ReasoningContent))
	}
	a.refusal.WriteString(string(d.Refusal))
	text, thought := d.Content.text+string(d.Refusal), string(d.Reasoning)
	a.size += len(text) + len(thought)
	if a.size > a.limits.Answer {
		return agents.Chunk{}, overLimit("answer_bytes", a.limits.Answer)
	}
	a.written += len(text) + len(thought)
	if len(text)+len(thought)+len(d.ToolCalls) > 0 {
		a.pieces++
	}
	if err := a.countRepeats(text + thought); err != nil {
		return agents.Chunk{}, err
	}
	return agents.Chunk{Text: a.text.Add(a.mask.answers, text), Reasoning: a.reasoning.Add(a.mask.answers, thought)}, nil
}

func (a *answer) countRepeats(piece string) error {
	switch {
	case piece == "":
		return nil
	case piece != a.latestPiece:
		a.latestPiece, a.repeats = piece, 0
	}
	if a.repeats++; a.repeats > a.limits.Repeats {
		return overLimit("repeats", a.limits.Repeats)
	}
	return nil
}

func (a *answer) finished() bool { return a.finish != "" || a.done }

// complete reports whether the rest of the stream can be ignored.
func (a *answer) complete() bool { return a.done || a.usageComplete }

// An answer is cut when it exceeds the requested limit of tokens by this much.
// It is counted in pieces and bytes, and some servers count otherwise.
const (
	overrunFactor = 2
	overrunPieces = 64
	bytesPerToken = 16 // four times what most texts have
)

// overrun reports whether the answer far exceeds max_tokens, which is what the budget
// has reserved.
func (a *answer) overrun(req agents.Request) bool {
	most := overrunFactor*req.MaxTokens + overrunPieces
	return req.MaxTokens > 0 && !a.finished() && (a.pieces > most || a.written > most*bytesPerToken)
}

func (a *answer) flush() agents.Chunk {
	return agents.Chunk{Text: a.text.Flush(a.mask.answers), Reasoning: a.reasoning.Flush(a.mask.answers)}
}

func (a *answer) last(req agents.Request) agents.Chunk {
	finish := a.finish
	if finish == "" {
		finish = agents.FinishStop
	}
	if a.overrun(req) || a.cutByLimit(req, finish) {
		finish = agents.FinishLength
	}
	out := agents.Chunk{Finish: finish, Usage: a.usage}
	if finish == agents.FinishFilter || finish == agents.FinishError {
		return out
	}
	for _, k := range a.toolCalls.list {
		if a.mask.answers.Mask(k.id) != k.id { // it gets another one
			k.id = ""
		}
	}
	out.Calls = a.toolCalls.finish(finish == agents.FinishLength)
	// Reasoning that came in a field of its own goes back with tool calls, since
	// some servers refuse a call that has lost it, and only with them.
	if len(out.Calls) > 0 && a.hasReasoningContent {
		a.echo.fields.ReasoningContent = encode(a.reasoningContent.String())
	}
	out.Extra = a.mask.json(a.echo.json())
	for i := range out.Calls {
		k := &out.Calls[i]
		k.Name, k.Args, k.Extra = a.mask.answers.Mask(k.Name), a.mask.answers.Mask(k.Args), a.mask.json(k.Extra)
	}
	return out
}

// cutByLimit reports whether the limit of tokens ended an answer although the finish
// reason is stop, which some servers always send.
func (a *answer) cutByLimit(req agents.Request, finish agents.Finish) bool {
	return finish == agents.FinishStop && req.MaxTokens > 0 && len(a.toolCalls.list) == 0 &&
		a.usage != nil && a.usage.Output >= req.MaxTokens
}

const (
	// elementSize is what a tool call, or an element of reasoning_details, counts
	// against the limit of an answer in addition to its text, so that empty ones are
	// bounded too.
	elementSize = 2 << 10
	// maxCompleteCheck bounds how large arguments may be for the O(n) check
	// whether they are complete JSON, which is made for every piece of them.
	maxCompleteCheck = 64 << 10
)

// toolCalls are the calls of an answer in the order in which they were opened.
type toolCalls struct{ list []*toolCall }

type toolCall struct {
	index lenientCount // not valid: the server does not number its calls
	id    string
	name  string
	args  []byte
	whole bool // the arguments came as JSON, not as text
	echo  echo
	event int // the event that touched it last
}

func (c *toolCalls) add(event int, deltas []rawToolCall) (size int) {
	for _, d := range deltas {
		if d.ID == "" && d.Function == (rawFunction{}) && !d.Index.valid {
			continue
		}
		known := len(c.list)
		k := c.find(event, d)
		k.event = event
		size += k.add(d) + elementSize*(len(c.list)-known)
	}
	return size
}

// find returns the call that a delta belongs to: the one with its id, else the one
// opened last with its index. A new id opens a call, and so does a name that comes when
// the arguments so far are complete.
func (c *toolCalls) find(event int, d rawToolCall) *toolCall {
	candidate := c.candidate(d)
	if candidate == nil || candidate.endsBefore(event, d) {
		candidate = &toolCall{index: d.Index, id: string(d.ID)}
		c.list = append(c.list, candidate)
	}
	return candidate
}

func (c *toolCalls) candidate(d rawToolCall) *toolCall {
	for _, k := range slices.Backward(c.list) {
		sameIndex := d.Index.valid && d.Index == k.index
		switch {
		case d.ID != "" && k.id != "":
			if string(d.ID) == k.id && (sameIndex || !d.Index.valid || !k.index.valid) {
				return k
			}
		case d.Index.valid:
			if sameIndex {
				return k
			}
		case d.ID == "":
			return k
		}
	}
	if n := len(c.list); n > 0 && d.ID == "" && d.Function.Name == "" { // Cerebras numbers the tails of one call on
		return c.list[n-1]
	}
	return nil
}

// endsBefore reports whether a delta that could continue the call begins
// another one instead.
func (k *toolCall) endsBefore(event int, d rawToolCall) bool {
	if d.Function.Name == "" || k.name == "" {
		return false
	}
	if d.ID != "" && k.id == "" { // a call's id comes with its first delta
		return true
	}
	if d.ID == "" && !d.Index.valid && (k.event == event || string(d.Function.Name) != k.name) {
		return true
	}
	begins := d.ID == "" && !d.Index.valid || strings.TrimSpace(d.Function.Arguments.text) != ""
	return begins && len(k.args) <= maxCompleteCheck && isObject(k.args)
}

func (k *toolCall) add(d rawToolCall) (size int) {
	if k.id == "" {
		k.id = string(d.ID)
	}
	k.addName(strings.TrimSpace(string(d.Function.Name)))
	args := d.Function.Arguments
	switch {
	case args.whole:
		k.args, k.whole = []byte(args.text), true
	case !k.whole:
		k.args = append(k.args, args.text...)
	}
	return len(d.ID) + len(d.Function.Name) + len(args.text) + k.echo.add(d.echoFields)
}

// addName joins the pieces of a name. Some servers send the whole name with
// every delta.
func (k *toolCall) addName(name string) {
	switch {
	case name == "" || name == k.name:
	case strings.HasPrefix(name, k.name):
		k.name = name
	case len(k.args) == 0:
		k.name += name
	}
}

// finish returns the calls. Of an answer that was cut, only the complete calls are returned.
func (c *toolCalls) finish(cut bool) []agents.ToolCall {
	var out []agents.ToolCall
	before := &toolCall{}
	for _, k := range c.list {
		args := string(bytes.TrimSpace(k.args))
		again := args == "" && k.id == "" && k.name == before.name && len(before.args) > 0 // its name, after the last piece
		if before = k; again || cut && !isObject(k.args) {
			continue
		}
		if args == "" {
			args = "{}"
		}
		out = append(out, agents.ToolCall{ID: k.id, Name: k.name, Args: args, Extra: k.echo.json()})
	}
	return out
}

func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}
