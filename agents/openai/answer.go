package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"roundtable/agents"
)


// answer is one completion as it grows from the lines of the wire.
type answer struct {
	limits Limits
	mask   masker
	shown  holdBack // keeps secrets out of the text
	mulled holdBack // and out of the reasoning
	think  thinkSplit
	calls  calls
	extra  extra
	usage  *agents.Usage
	finish agents.Finish
	counts bool // usage came with the finish or after it
	done   bool // [DONE], or a whole document

	latest  chunk // kept to be used again
	events  int   // so far
	size    int
	pieces  int    // of text, reasoning and calls: at most one a token
	written int    // bytes of text and reasoning
	same    string // the latest piece, and how often it came in a row
	times   int
	refused strings.Builder
	begun   bool // a payload came

	thoughtField bool // reasoning_content came, be it empty
	thoughts     strings.Builder
}

func newAnswer(l Limits, m masker) *answer {
	return &answer{limits: l, mask: m, shown: holdBack{mask: m}, mulled: holdBack{mask: m}}
}

// take reads one line and returns what there is to show of it.
func (a *answer) take(line []byte) (agents.Chunk, error) {
	if len(line) == 0 {
		return agents.Chunk{}, nil
	}
	tag, payload := line[0], line[1:]
	switch tag {
	case tagComment:
		return agents.Chunk{Queued: !a.begun}, nil
	case tagDone:
		a.done = true
		return agents.Chunk{}, nil
	}
	a.begun = true
	a.events++
	if tag == tagError {
		return agents.Chunk{}, &saidError{parseSaid(payload)}
	}
	c := &a.latest
	*c = chunk{}
	if err := json.Unmarshal(payload, c); err != nil {
		return agents.Chunk{}, a.unreadable(tag, payload, err)
	}
	if c.isError() {
		return agents.Chunk{}, errorIn(tag, payload)
	}
	if tag == tagWhole {
		if c.Choices == nil {
			return agents.Chunk{}, &notStreamError{head: string(payload)}
		}
		a.done = true
	}
	return a.chunk(c)
}

// errorIn returns the error that a payload says. A document that only claims
// to be one, without a code or a type, may come from something that is no
// model at all.
func errorIn(tag byte, payload []byte) error {
	s := parseSaid(payload)
	if tag == tagWhole && s.Code == "" && s.Type == "" {
		return &notStreamError{head: s.Message}
	}
	return &saidError{s}
}

// unreadable says what it means that an event is not the JSON it should be.
func (a *answer) unreadable(tag byte, payload []byte, err error) error {
	if tag == tagWhole {
		if said := readSaid(payload, maxSaidDepth); bytes.HasPrefix(payload, []byte("[")) && said.Message != "" {
			return &saidError{said}
		}
		if len(payload) > 0 && payload[0] == '{' && !json.Valid(payload) && endsEarly(err) {
			return agents.ErrTruncated
		}
		return &notStreamError{head: string(payload)}
	}
	if tag == tagTail {
		return agents.ErrTruncated
	}
	return &malformedError{event: a.events, err: err}
}

func endsEarly(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input"
}

func (a *answer) chunk(c *chunk) (agents.Chunk, error) {
	if u := parseUsage(c.Usage); u != nil {
		a.usage = u
		a.counts = a.finish != ""
	}
	ch := c.first()
	if ch == nil {
		return agents.Chunk{}, nil
	}
	d := ch.delta()
	out, err := a.delta(&d)
	if f := strings.TrimSpace(string(ch.Finish)); f != "" && f != "null" {
		a.finish = agents.Finish(clean(a.mask.replace(f), 40))
		a.counts = a.counts || given(c.Usage) && a.usage != nil
	}
	return out, err
}

func (a *answer) delta(d *delta) (agents.Chunk, error) {
	a.size += a.extra.reason(d.ReasoningDetails) + a.calls.add(a.events, d.Calls)
	a.extra.set(fieldContent, d.ExtraContent)
	a.extra.set(fieldSignature, d.ThoughtSignature)
	if d.ReasoningContent != nil {
		a.thoughtField = true
		a.thoughts.WriteString(string(*d.ReasoningContent))
	}
	text, thought := a.think.add(d.Content.text)
	thought = d.thought() + thought
	if d.Refusal != "" {
		a.refused.WriteString(string(d.Refusal))
		text += string(d.Refusal)
	}
	a.size += len(text) + len(thought) + len(d.ExtraContent) + len(d.ThoughtSignature)
	if a.size > a.limits.Answer {
		return agents.Chunk{}, limitError{"answer_bytes", a.limits.Answer}
	}
	a.written += len(text) + len(thought)
	if len(text)+len(thought)+len(d.Calls) > 0 {
		a.pieces++
	}
	if err := a.repeat(text + thought); err != nil {
		return agents.Chunk{}, err
	}
	return agents.Chunk{Text: a.shown.add(text), Reasoning: a.mulled.add(thought)}, nil
}

// repeat counts how often the same piece comes in a row.
func (a *answer) repeat(piece string) error {
	switch {
	case piece == "":
		return nil
	case piece != a.same:
		a.same, a.times = piece, 0
	}
	if a.times++; a.times > a.limits.Repeats {
		return limitError{"repeats", a.limits.Repeats}
	}
	return nil
}

// finished says whether the server has said that the answer is whole.
func (a *answer) finished() bool { return a.finish != "" || a.done }

// complete says whether nothing more of use can come.
func (a *answer) complete() bool { return a.done || a.counts }

// How far an answer may pass the limit of tokens that it was asked to keep before it
// is cut: what is counted here are pieces and bytes, and some servers count otherwise.
const (
	overTimes     = 2
	overPieces    = 64
	bytesOfAToken = 16 // four times what most texts have
)

// overrun says whether the server goes on although the limit is long passed: the
// budget was set aside for no more than that.
func (a *answer) overrun(req agents.Request) bool {
	most := overTimes*req.MaxTokens + overPieces
	return req.MaxTokens > 0 && !a.finished() && (a.pieces > most || a.written > most*bytesOfAToken)
}

// rest returns what was held back of the text.
func (a *answer) rest() agents.Chunk {
	text, thought := a.think.end()
	return agents.Chunk{Text: a.shown.add(text) + a.shown.rest(), Reasoning: a.mulled.add(thought) + a.mulled.rest()}
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
	for _, k := range a.calls.list {
		if a.mask.replace(k.id) != k.id { // it gets another one
			k.id = ""
		}
	}
	out.Calls = a.calls.done(takenIDs(req.Messages), finish == agents.FinishLength)
	out.Extra = a.mask.json(a.echo(len(out.Calls) > 0))
	for i := range out.Calls {
		k := &out.Calls[i]
		k.Name, k.Args, k.Extra = a.mask.replace(k.Name), a.mask.replace(k.Args), a.mask.json(k.Extra)
	}
	return out
}

// echo returns what the provider must have back with the message. Thoughts that
// came in a field of their own go back with calls, and only with them: some
// servers refuse a call that has lost its thoughts.
func (a *answer) echo(calls bool) json.RawMessage {
	if calls && a.thoughtField {
		a.extra.set(fieldThought, quote(a.thoughts.String()))
	}
	return a.extra.json()
}

// cutByLimit finds the limit behind a finish that claims otherwise: some
// servers say stop whatever the reason.
func (a *answer) cutByLimit(req agents.Request, finish agents.Finish) bool {
	return finish == agents.FinishStop && req.MaxTokens > 0 && len(a.calls.list) == 0 &&
		a.usage != nil && a.usage.Output >= req.MaxTokens
}

// parseUsage returns what was counted, or nil where the server does not say.
func parseUsage(raw json.RawMessage) *agents.Usage {
	if !given(raw) {
		return nil
	}
	var u usage
	if json.Unmarshal(raw, &u) != nil {
		return nil
	}
	out := agents.Usage{
		Input: max(u.Prompt.n, u.Input.n), Output: max(u.Completion.n, u.Output.n), Reasoning: u.Details.Reasoning.n,
	}
	if out.Input == 0 && out.Output == 0 {
		return nil
	}
	out.Reasoning = min(out.Reasoning, out.Output)
	return &out
}
