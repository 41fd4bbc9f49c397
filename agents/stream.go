package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
)

// failureOf returns the failure of a completion that ended with an error: the provider's, or that
// it was cancelled; nil if the observer ended it.
func failureOf(ctx context.Context, err error) *Failure {
	f, known := errors.AsType[*Failure](err)
	if !known && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		f = &Failure{Kind: KindCancelled, Cause: "The call was cancelled.", Err: err}
	}
	return f
}

// stream reads one completion from the provider. It returns its usage also if the
// completion failed or is not an answer. The error is a *Failure, the context's or the observer's.
func (t *conversation) stream(ctx context.Context, req Request) (Completion, error) {
	r := &partialCompletion{}
	t.answer = r
	err := t.readChunks(ctx, req)
	t.mu.Lock()
	t.addText(r.split.end()...)
	t.ended = t.loop != nil
	err = cmp.Or(t.err, err, ctx.Err())
	t.mu.Unlock()
	c := r.Completion
	c.Text, c.Reasoning = r.text.String(), r.reasoning.String()
	c.Usage = r.usage(req, c)
	if err == nil {
		err = t.checkAnswer(c)
	}
	return c, err
}

type partialCompletion struct {
	Completion
	text, reasoning strings.Builder
	split           reasoningSplitter
	lastUsage       *Usage // nil: the server did not count
	unprocessed     bool   // see Failure.Unprocessed
	earlier         Usage  // estimate for calls made during the answer and the text before them
}

func (r *partialCompletion) cut() (text, reasoning string) {
	text, reasoning = r.text.String(), r.reasoning.String()
	r.text.Reset()
	r.reasoning.Reset()
	thought := Tokens(reasoning)
	r.earlier = r.earlier.Add(Usage{Output: thought + Tokens(text), Reasoning: thought})
	return text, reasoning
}

func (t *conversation) readChunks(ctx context.Context, req Request) error {
	var chunks iter.Seq2[Chunk, error]
	if t.loop != nil {
		chunks = t.loop.StreamTurn(ctx, t.turn, req, t)
	} else {
		chunks = t.agent.Client.Stream(ctx, req)
	}
	for chunk, err := range chunks {
		if err != nil {
			return t.streamError(ctx, req, err)
		}
		if err := t.readChunk(chunk); err != nil {
			return err
		}
	}
	return nil
}

func (t *conversation) readChunk(chunk Chunk) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.answer
	if chunk.Finish != "" {
		r.Finish, r.Calls, r.lastUsage, r.Message.Extra = chunk.Finish, chunk.Calls, chunk.Usage, chunk.Extra
		r.Patched, r.Cut, r.ToolsUnread = chunk.Patched, chunk.Cut, chunk.ToolsUnread
	}
	pieces := r.split.write(chunk.Text)
	if chunk.Reasoning != "" {
		pieces = slices.Insert(pieces, 0, Text{Text: chunk.Reasoning, Reasoning: true})
	}
	if _, r.unprocessed = chunk.Event.(Retry); r.unprocessed { // it is not sent yet
		r.split = reasoningSplitter{}
	}
	switch {
	case chunk.Event != nil:
		t.tell(chunk.Event)
	case len(pieces) == 0 && chunk.Own == nil && chunk.Finish == "":
		t.tell(Alive{})
	}
	t.addText(pieces...)
	if chunk.Own != nil {
		t.recordOwn(*chunk.Own)
	}
	return t.err
}

// tell has something of the stream observed, unless the observer has ended the turn.
func (t *conversation) tell(p Progress) {
	if t.ended || t.err != nil {
		return
	}
	if t.err = t.observe(p); t.err != nil {
		t.end(t.err)
	}
}

func (t *conversation) addText(pieces ...Text) {
	r := t.answer
	for _, p := range pieces {
		switch {
		case p.Moves && r.text.Len() == 0:
			continue
		case p.Moves:
			r.reasoning.WriteString(r.text.String())
			r.text.Reset()
		case p.Reasoning:
			r.reasoning.WriteString(p.Text)
		default:
			r.text.WriteString(p.Text)
		}
		t.tell(p)
	}
}

// streamError returns the provider's error as a *Failure, or the context's as it is.
func (t *conversation) streamError(ctx context.Context, req Request, err error) error {
	f, known := errors.AsType[*Failure](err)
	switch {
	case !known:
		f = &Failure{Kind: KindInternal, Cause: "The provider failed: " + err.Error() + ".", Err: err}
	case f.Kind == KindTooLong:
		f = f.withSize(req, t.agent.ContextWindow)
		fallthrough
	default:
		t.answer.lastUsage, t.answer.unprocessed = f.Usage, f.Unprocessed
	}
	return cmp.Or[error](ctx.Err(), f)
}

func (f Failure) withSize(req Request, window int) *Failure {
	size := "not set"
	if window > 0 {
		size = fmt.Sprint(window)
	}
	f.Cause += fmt.Sprintf(" The prompt has about %d tokens; the seat's context_window is %s.", req.Tokens(), size)
	return &f
}

// checkAnswer returns why a completion is no answer, as a *Failure.
func (t *conversation) checkAnswer(c Completion) error {
	const raiseLimit, otherModel = "Raise max_tokens for new debates.", "If that happens again, use another model."
	from := "The answer from " + t.subject()
	switch {
	case c.Finish == "":
		return &Failure{Kind: KindTruncated, Cause: "The answer was cut off. What arrived is kept but not used."}
	case c.Finish == FinishFilter:
		return &Failure{
			Kind: KindFilter, Cause: from + " was stopped by the provider's content filter.",
			Remedy: "Rephrase the topic or use another model.",
		}
	case c.Finish == FinishError:
		return &Failure{Kind: KindBusy, Cause: "The server ended the answer from " + t.subject() + " with an error."}
	case c.Finish == FinishLength && len(c.Calls) > 0:
		return &Failure{Kind: KindLimit, Cause: from + " was cut at max_tokens in the middle of a tool call.", Remedy: raiseLimit}
	case len(c.Calls) > 0 || t.hasWords(c.Text):
		return nil
	case c.Finish == FinishLength:
		return &Failure{
			Kind: KindEmpty, Cause: from + " was cut at max_tokens before any text arrived.",
			Remedy: "Raise max_tokens or lower reasoning_effort, for new debates.",
		}
	case c.Reasoning != "":
		return &Failure{Kind: KindEmpty, Cause: t.subject() + " sent only reasoning and no answer.", Remedy: otherModel}
	default: // a model that has just been loaded may send nothing
		return &Failure{Kind: KindEmpty, Cause: from + " was empty.", Remedy: otherModel, Again: true}
	}
}

// hasWords reports whether a text, or one of an earlier completion, has something visible.
func (t *conversation) hasWords(text string) bool {
	return strings.ContainsFunc(text+strings.Join(t.reply.Earlier, ""), IsVisible)
}

// IsVisible reports whether a character shows something by itself: no space, control or format
// character, no combining mark, and none of the letters and symbols that are blank.
func IsVisible(r rune) bool {
	const blanks = "\u2800\U00013441\U00013442\u115f\u1160\u3164\uffa0\U0001d159\ufffc\ufffd" // of scripts, of music, substitutes
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !strings.ContainsRune(blanks, r)
}

// usage returns what the last try of a completion used, as the server counted it.
// A count that is missing or zero is estimated, unless the server did not process the
// request.
func (r *partialCompletion) usage(req Request, c Completion) Usage {
	u := (&Failure{Usage: r.lastUsage, Unprocessed: r.unprocessed}).Took(req.Tokens() + r.earlier.Input)
	if u.Output == 0 {
		thought := Tokens(c.Reasoning)
		u.Reasoning = thought + r.earlier.Reasoning
		u.Output = thought + Tokens(c.Text) + r.earlier.Output
		for _, call := range c.Calls {
			u.Output += tokensPerTool + Tokens(call.Name) + Tokens(call.Args)
		}
		u.Estimated = u.Estimated || u.Output > 0
	}
	return u
}

// Progress is an event of a turn. The observer gets the events in the order in which
// they happen, and stores them before it returns if they must be stored before the
// turn continues. An error from the observer ends the turn.
//
//sumtype:decl
type Progress interface{ progress() }

// The events of a turn. An ID is the one made by Turn.ToolCall.
type (
	// Sending reports that a request is about to be sent.
	Sending struct{ Request Request }
	// Queued reports that a request is sent, or sent again, and the server has not begun to
	// answer, or that it waits for a place at the provider or for a program that is starting.
	Queued struct {
		Waits    bool
		Starting string
	}
	// Alive reports that the server is alive while no text arrives. With Placed a request that
	// waited is sent, or one whose answer, with Whole, comes all at once.
	Alive struct{ Placed, Whole bool }
	// Text is the next piece of the text or, with Reasoning, of the model's reasoning, which is
	// never part of the text. With Moves it reports that all text of the completion so far was reasoning.
	Text struct {
		Text             string
		Reasoning, Moves bool
	}
	// Completed reports a complete completion. IDs are those of its calls, in order.
	// If More is set, the turn continues and the text is not its answer.
	Completed struct {
		Completion Completion
		IDs        []string
		More       bool
	}
	// Broken reports that a completion failed or was cancelled. What was observed of
	// it is incomplete. Usage is what it used nevertheless, from the count of the
	// server or the text that came; see Failure.Unprocessed for a request of which nothing came.
	Broken struct {
		Failure *Failure
		Usage   Usage
	}
	// Called reports a tool call that does not end the answer, with the text and
	// the reasoning since the call before it. ToolStarted follows.
	Called struct {
		ID        string
		Call      ToolCall
		Own       bool // the agent runs the tool itself
		Text      string
		Reasoning string
	}
	// ToolStarted reports that a tool is about to run.
	ToolStarted struct{ ID string }
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
func (Alive) progress()       {}
func (Retry) progress()       {}
func (Text) progress()        {}
func (Completed) progress()   {}
func (Broken) progress()      {}
func (Called) progress()      {}
func (ToolStarted) progress() {}
func (ToolDone) progress()    {}

// Completion is a complete answer of a provider.
type Completion struct {
	Text        string
	Reasoning   string
	Finish      Finish
	Calls       []ToolCall
	Usage       Usage      // of the last try
	Patched     []string   // see Chunk.Patched
	Cut         *PromptCut // see Chunk.Cut
	ToolsUnread bool       // see Chunk.ToolsUnread
	Message     Message    // to send back to the model, before the tool results
}

// Reply is the result of a turn.
type Reply struct {
	Text    string     // of the last completion
	Earlier []string   // texts of the completions before it, in order
	Finish  Finish     // of the last completion
	Cut     *PromptCut // of the completion that lost the most of its prompt; nil if none did

	UnreadQuestion string // a question to the user that could not be read, as the model wrote it, or ""
}
