package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"roundtable/agents"
)

// answer assembles one completion from the frames of a response body.
type answer struct {
	limits    Limits
	mask      masker
	text      streamMasker // holds back what may be the beginning of a secret
	reasoning streamMasker
	think     thinkSplitter
	toolCalls toolCalls
	echo      echo
	refusal   strings.Builder

	reasoningContent    strings.Builder // goes back to the server with tool calls
	hasReasoningContent bool            // the field came, be it empty

	other            *answer         // the first choice that is not numbered 0, as long as that one has not come
	otherIndex       int             // of that choice
	isFirst          bool            // the choice numbered 0 came
	several          bool            // more than one choice came
	unshown          strings.Builder // text and
	unshownReasoning strings.Builder // reasoning of another choice; shown if it becomes the answer

	usage         *agents.Usage
	window        int // that the server named; 0: none
	finish        agents.Finish
	usageComplete bool // usage came with the finish reason or after it
	done          bool // [DONE] came, or a whole document

	latest    rawChunk // reused, to save allocations
	begun     bool     // an event came
	commented bool     // a comment came
	events    int
	size      int    // what counts against Limits.Answer
	pieces    int    // of text, reasoning and tool calls; at most one a token
	written   int    // bytes of text and reasoning
	piece     string // the latest piece of text
	repeats   int    // how often it came in a row
}

func newAnswer(l Limits, m masker) *answer {
	return &answer{limits: l, mask: m, text: streamMasker{mask: m}, reasoning: streamMasker{mask: m}}
}

// add takes in a frame and returns what it adds to the visible answer.
func (a *answer) add(f frame) (agents.Chunk, error) {
	switch f.kind {
	case frameComment:
		first := !a.begun && !a.commented
		a.commented = true
		return agents.Chunk{Queued: first, Alive: !first}, nil
	case frameDone:
		a.done = true
		return agents.Chunk{}, nil
	default: // has data
	}
	a.begun = true
	a.events++
	if f.kind == frameError {
		return agents.Chunk{}, &inBandError{parseAPIError(f.data)}
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
			return agents.Chunk{}, &notStreamError{head: string(f.data)}
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
	if f.kind == frameDocument && s.Code == "" && s.Type == "" {
		return &notStreamError{head: s.Message}
	}
	return &inBandError{s}
}

// unreadable returns what it means that a frame is not the JSON it should be.
func (a *answer) unreadable(f frame, err error) error {
	switch f.kind {
	case frameDocument:
		if e := decodeAPIError(f.data, maxErrorDepth); bytes.HasPrefix(f.data, []byte("[")) && e.Message != "" {
			return &inBandError{e}
		}
		if bytes.HasPrefix(f.data, []byte("{")) && !json.Valid(f.data) && endsEarly(err) {
			return agents.ErrTruncated
		}
		return &notStreamError{head: string(f.data)}
	case frameCut:
		return agents.ErrTruncated
	default:
		return &malformedError{event: a.events, err: err}
	}
}

func endsEarly(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input"
}

// addEvent takes in the usage and the choices of an event. The answer is the choice
// numbered 0, or another one if that never comes.
func (a *answer) addEvent(event *rawChunk) (agents.Chunk, error) {
	usage := newUsage(decodeUsage(event.Usage))
	if usage != nil {
		a.usage = usage
		a.usageComplete = a.hasFinish()
	}
	if n := decodeWindow(event.Timings); n > 0 {
		a.window = n
	}
	var out agents.Chunk
	first, other := false, false // in this event
	for i := range event.Choices {
		var err error
		switch c := &event.Choices[i]; {
		case c.Index.n == 0 && !first:
			first, a.isFirst = true, true
			a.several = a.several || a.other != nil
			a.other = nil
			out, err = a.addChoice(c.chunk())
		case c.Index.n != 0 && !other && !a.isFirst && (a.other == nil || a.otherIndex == c.Index.n):
			other = true
			err = a.addOther(c)
		default:
			a.several = true
		}
		if err != nil {
			return out, err
		}
	}
	a.usageComplete = a.usageComplete || usage != nil && a.hasFinish()
	return out, nil
}

// addOther takes in a choice that is not numbered 0.
func (a *answer) addOther(c *rawChoice) error {
	if a.other == nil {
		a.other, a.otherIndex = newAnswer(a.limits, a.mask), c.Index.n
	}
	a.other.events = a.events
	piece, err := a.other.addChoice(c.chunk())
	a.other.unshown.WriteString(piece.Text)
	a.other.unshownReasoning.WriteString(piece.Reasoning)
	return err
}

// chosen returns what the answer is when no more comes.
func (a *answer) chosen() *answer {
	if a.other == nil {
		return a
	}
	a.other.usage, a.other.done, a.other.several = a.usage, a.done, a.several
	return a.other
}

func (a *answer) addChoice(c chunk) (agents.Chunk, error) {
	if f := strings.TrimSpace(string(c.FinishReason)); f != "" && f != "null" {
		a.finish = agents.Finish(clean(a.mask.inAnswer(f), 40))
	}
	return a.addDelta(c)
}

// newUsage returns what the server counted, or nil if it counted nothing.
func newUsage(u *goopenai.Usage) *agents.Usage {
	if u == nil || u.PromptTokens == 0 && u.CompletionTokens == 0 {
		return nil
	}
	out := &agents.Usage{
		Input: u.PromptTokens, Output: u.CompletionTokens, Cached: max(0, u.PromptTokensDetails.CachedTokens),
		Reasoning: min(u.CompletionTokensDetails.ReasoningTokens, u.CompletionTokens),
	}
	if out.Cached > out.Input { // the server leaves them out of its count
		out.Input += out.Cached
	}
	return out
}

func (a *answer) addDelta(c chunk) (agents.Chunk, error) {
	a.size += a.echo.add(c.Echo) + a.toolCalls.add(a.events, c.ToolCalls)
	a.hasReasoningContent = a.hasReasoningContent || c.HasReasoning
	a.reasoningContent.WriteString(c.Delta.ReasoningContent)
	a.refusal.WriteString(c.Delta.Refusal)
	text, thought := a.think.add(c.Delta.Content)
	text, thought = text+c.Delta.Refusal, c.Reasoning+thought
	a.size += len(text) + len(thought)
	if a.size > a.limits.Answer {
		return agents.Chunk{}, limitError{"answer_bytes", a.limits.Answer}
	}
	a.written += len(text) + len(thought)
	if len(text)+len(thought)+len(c.ToolCalls) > 0 {
		a.pieces++
	}
	if err := a.countRepeats(text + thought); err != nil {
		return agents.Chunk{}, err
	}
	return agents.Chunk{Text: a.text.add(text), Reasoning: a.reasoning.add(thought)}, nil
}

// countRepeats fails if the same piece came too often in a row.
func (a *answer) countRepeats(piece string) error {
	switch {
	case piece == "":
		return nil
	case piece != a.piece:
		a.piece, a.repeats = piece, 0
	}
	if a.repeats++; a.repeats > a.limits.Repeats {
		return limitError{"repeats", a.limits.Repeats}
	}
	return nil
}

// hasFinish reports whether a finish reason came.
func (a *answer) hasFinish() bool { return a.finish != "" || a.other != nil && a.other.hasFinish() }

// finished reports whether the server said that the answer is complete.
func (a *answer) finished() bool { return a.hasFinish() || a.done }

// complete reports whether nothing more of use can come.
func (a *answer) complete() bool { return a.done || a.usageComplete }

// An answer is cut when it exceeds the requested limit of tokens by this much.
// It is counted in pieces and bytes, and some servers count otherwise.
const (
	overrunFactor = 2
	overrunPieces = 64
	bytesPerToken = 16 // four times what most texts have
)

// overrun reports whether the server writes on although it exceeded the limit
// long ago: no more than that was reserved in the budget.
func (a *answer) overrun(req agents.Request) bool {
	if a.other != nil {
		return a.other.overrun(req)
	}
	most := overrunFactor*req.MaxTokens + overrunPieces
	return req.MaxTokens > 0 && !a.finished() && (a.pieces > most || a.written > most*bytesPerToken)
}

// flush returns the text that was held back.
func (a *answer) flush() agents.Chunk {
	text, thought := a.think.flush()
	return agents.Chunk{
		Text:      a.unshown.String() + a.text.add(text) + a.text.flush(),
		Reasoning: a.unshownReasoning.String() + a.reasoning.add(thought) + a.reasoning.flush(),
	}
}

// last returns the chunk that ends the completion.
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
		if a.mask.inAnswer(k.id) != k.id { // it gets another one
			k.id = ""
		}
	}
	out.Calls = a.toolCalls.finish(takenIDs(req.Messages), finish == agents.FinishLength)
	// Reasoning that came in a field of its own goes back with tool calls, since
	// some servers refuse a call that has lost it, and only with them.
	if len(out.Calls) > 0 && a.hasReasoningContent {
		a.echo.fields.ReasoningContent = encode(a.reasoningContent.String())
	}
	out.Extra = a.mask.json(a.echo.json())
	for i := range out.Calls {
		k := &out.Calls[i]
		k.Name, k.Args, k.Extra = a.mask.inAnswer(k.Name), a.mask.inAnswer(k.Args), a.mask.json(k.Extra)
	}
	return out
}

// cutByLimit reports whether the limit of tokens ended an answer that claims
// otherwise: some servers say stop whatever the reason.
func (a *answer) cutByLimit(req agents.Request, finish agents.Finish) bool {
	return finish == agents.FinishStop && req.MaxTokens > 0 && len(a.toolCalls.list) == 0 &&
		a.usage != nil && a.usage.Output >= req.MaxTokens
}
