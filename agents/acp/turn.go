package acp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// cancelGrace is how long an agent has to end a cancelled turn. Then its program is
// stopped, and restarted for the next turn.
const cancelGrace = 2 * time.Second

type turn struct {
	id      agents.Turn
	life    context.Context // until it has ended
	request agents.Request
	kit     agents.Toolkit // nil: none
	specs   []agents.ToolSpec
	agent   *agent
	folder  agents.Folder
	tools   *turnTools // nil: without any, or the agent cannot reach them
	calls   ownCalls

	arrived chan struct{} // has an element when there may be updates, or the agent waits for us no more

	mu       sync.Mutex
	updates  []agents.Chunk // in their order; maxTurn bounds them
	session  sdk.SessionId  // "" until there is one
	ended    bool
	requests int            // of the agent that are being answered: while there are any, it may be silent
	asking   sync.WaitGroup // for them
	reading  sync.Mutex     // held while a file is read: they may be large

	denials denials
	again   bool // the attempt before it ended on a denied call

	text      secret.Stream
	reasoning secret.Stream

	size     int // bytes of text and reasoning
	messages messages
	prompted atomic.Bool // the prompt was sent and is not answered
}

// StreamTurn implements agents.LoopProvider.
func (p *Provider) StreamTurn(
	ctx context.Context, id agents.Turn, req agents.Request, kit agents.Toolkit,
) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		if !yield(agents.Chunk{Event: agents.Queued{Starting: p.name}}, nil) {
			return
		}
		s, err := p.seat(id.Session, id.Agent)
		if err == nil {
			err = s.acquire(ctx)
		}
		if err != nil {
			yield(agents.Chunk{}, err)
			return
		}
		t := &turn{
			id: id, request: req, kit: kit, arrived: make(chan struct{}, 1),
			calls: ownCalls{known: map[sdk.ToolCallId]*ownCall{}, recorded: map[string]int{}},
		}
		if kit != nil {
			t.specs = kit.Specs()
		}
		t.run(ctx, s, yield)
	}
}

func (t *turn) run(ctx context.Context, s *seat, yield func(agents.Chunk, error) bool) {
	life, end := context.WithCancelCause(ctx)
	t.life = life
	answered, err := t.begin(s)
	if err != nil {
		t.close(s, end, answered)
		if f, ok := errors.AsType[*agents.Failure](err); ok {
			f.Unprocessed = true // it was not asked
		}
		yield(agents.Chunk{}, cmp.Or(context.Cause(ctx), err))
		return
	}
	last, err := t.follow(ctx, answered, yield)
	t.close(s, end, answered)
	if err != errStopped { //nolint:errorlint // it is passed on as it is
		yield(last, err)
	}
}

var errStopped = errors.New("stopped")

type answer struct {
	response sdk.PromptResponse
	err      error
}

func (t *turn) begin(s *seat) (<-chan answer, error) {
	if t.kit != nil {
		folder, err := t.kit.Folder(t.life, t.id)
		if err != nil {
			return nil, &agents.Failure{Kind: agents.KindConfig, Cause: err.Error() + ".", Err: err}
		}
		t.folder = folder
	}
	empty := t.folder.Dir == ""
	if err := s.begin(t.life, empty, func(a *agent) error { return t.prepare(a, empty) }); err != nil {
		return nil, err
	}
	t.again = s.endedOnDenial == askOf(t.id)
	ctx, cancel := context.WithCancel(s.life)
	prompt := t.request.Messages[0].Text
	if t.again {
		prompt += "\n\n" + writeStatement
	}
	answered := make(chan answer, 1)
	t.prompted.Store(true)
	go func() {
		defer cancel()
		req := sdk.PromptRequest{SessionId: t.session, Prompt: []sdk.ContentBlock{sdk.TextBlock(prompt)}}
		response, err := sdk.SendRequest[sdk.PromptResponse](t.agent.conn, ctx, sdk.AgentMethodSessionPrompt, req)
		answered <- answer{response, err}
	}()
	return answered, nil
}

func (t *turn) prepare(a *agent, empty bool) error {
	t.agent = a
	if empty {
		dir, err := os.MkdirTemp(a.program.Dir, "turn-") // it goes with the program
		if err != nil {
			return fmt.Errorf("make a folder for the turn: %w", err)
		}
		t.folder = agents.Folder{Dir: dir, Open: func() (*os.Root, error) { return os.OpenRoot(dir) }}
	}
	a.lines.total.Store(0)
	a.turn.Store(t)
	if err := t.newSession(a); err != nil {
		return err
	}
	return t.awaitTools()
}

// toolsWait is how long an agent is waited for until it has taken our tools.
const toolsWait = 10 * time.Second

// awaitTools waits until the agent has taken our tools, since its model is not offered those
// that it takes later. An agent that took them late once is not waited for again.
func (t *turn) awaitTools() error {
	p := t.agent.seat.provider
	if t.tools == nil || p.late.Load() {
		return nil
	}
	expired, stop := p.after(toolsWait)
	defer stop()
	select {
	case <-t.tools.taken:
	case <-expired:
		p.late.Store(true)
	case <-t.agent.life.Done():
		return t.agent.explain(t.life, errClosed, "before it was asked")
	case <-t.life.Done():
	}
	return context.Cause(t.life)
}

func (p *Provider) after(d time.Duration) (expired <-chan struct{}, stop func() bool) {
	c := make(chan struct{})
	return c, p.options.AfterFunc(d, func() { close(c) })
}

func (t *turn) follow(ctx context.Context, answered <-chan answer, yield func(agents.Chunk, error) bool) (agents.Chunk, error) {
	if !yield(agents.Chunk{Event: agents.Queued{}}, nil) { // it was asked
		return agents.Chunk{}, errStopped
	}
	p := t.agent.seat.provider
	limit := p.config.First // of its silence
	for {
		expired, stop := p.after(limit)
		var last *answer
		select {
		case <-t.arrived:
		case a := <-answered:
			t.prompted.Store(false)
			last = &a
		case <-ctx.Done():
		case <-expired:
			if !t.isAsking() {
				return agents.Chunk{}, t.silence(limit)
			}
		}
		stop()
		heard, err := t.passOn(ctx, yield)
		switch {
		case err != nil:
			return agents.Chunk{}, err
		case last != nil:
			return t.finish(*last)
		case heard:
			limit = p.config.Silent
		}
	}
}

// isAsking reports whether the agent waits for us.
func (t *turn) isAsking() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests > 0
}

func (t *turn) passOn(ctx context.Context, yield func(agents.Chunk, error) bool) (heard bool, err error) {
	t.mu.Lock()
	arrived := t.updates
	t.updates = nil
	t.mu.Unlock()
	for _, c := range arrived {
		if ctx.Err() != nil {
			break
		}
		if t.size += len(c.Text) + len(c.Reasoning); t.size > maxAnswer {
			return true, &agents.Failure{
				Kind:  agents.KindLimit,
				Cause: fmt.Sprintf("%s sent more than %d MB of text and was stopped.", t.agent.seat.provider.name, maxAnswer>>20),
			}
		}
		t.maskChunk(&c)
		if !yield(c, nil) {
			return true, errStopped
		}
	}
	return len(arrived) > 0, context.Cause(ctx)
}

// take keeps an update to be passed on. It does not wait: the connection is read meanwhile.
// What the agent says before it was asked is no part of its answer.
func (t *turn) take(u sdk.SessionUpdate) {
	var c agents.Chunk
	switch call := u.ToolCall; {
	case call != nil:
		c.Own = t.observe(sdk.ToolCallUpdate{
			ToolCallId: call.ToolCallId, Kind: &call.Kind, Title: &call.Title, Status: &call.Status, Locations: call.Locations,
			RawInput: call.RawInput, RawOutput: call.RawOutput, Content: call.Content,
		})
	case u.ToolCallUpdate != nil:
		call := u.ToolCallUpdate
		c.Own = t.observe(sdk.ToolCallUpdate{
			ToolCallId: call.ToolCallId, Kind: call.Kind, Title: call.Title, Status: call.Status, Locations: call.Locations,
			RawInput: call.RawInput, RawOutput: call.RawOutput, Content: call.Content,
		})
	case !t.prompted.Load():
		return
	case u.AgentMessageChunk != nil: // before a request that follows it is handled
		c.Text = contentText(u.AgentMessageChunk.Content)
		t.denials.heard(c.Text)
		c.Text = t.messages.add(u.AgentMessageChunk.MessageId, c.Text)
	case u.AgentThoughtChunk != nil:
		c.Reasoning = contentText(u.AgentThoughtChunk.Content)
	}
	if t.tools != nil && c.Text+c.Reasoning != "" {
		t.tools.spoken.Store(true)
	}
	t.mu.Lock()
	if c.Own != nil || c.Text+c.Reasoning != "" || len(t.updates) == 0 { // one that says nothing shows that the agent is alive
		t.updates = append(t.updates, c)
	}
	t.mu.Unlock()
	t.wake()
}

func (t *turn) wake() {
	select {
	case t.arrived <- struct{}{}:
	default:
	}
}

func (t *turn) silence(limit time.Duration) *agents.Failure {
	return &agents.Failure{
		Kind:  agents.KindSilence,
		Cause: fmt.Sprintf("%s has said nothing for %s and was stopped.%s", t.agent.seat.provider.name, limit, t.agent.printed()),
	}
}

func (t *turn) finish(last answer) (agents.Chunk, error) {
	p := t.agent.seat.provider
	if last.err != nil {
		return agents.Chunk{}, t.agent.explain(context.Background(), last.err, "during its answer")
	}
	c := agents.Chunk{Usage: t.usage(last.response.Usage), Patched: []string{
		"the agent adds a system prompt and tools of its own, which cannot be seen here",
	}}
	if c.Usage != nil && c.Usage.Estimated {
		c.Patched = append(c.Patched, "the agent reports the tokens of its last completion only, so it used at least those")
	}
	if t.again {
		c.Patched = append(c.Patched, "it was asked again, with the words: "+writeStatement)
	}
	if len(t.specs) > 0 && (t.tools == nil || !t.tools.areTaken()) {
		c.ToolsUnread = true
		c.Patched = append(c.Patched, "the agent has not taken the tools of the debate")
	}
	if t.tools != nil && p.late.Load() {
		c.Patched = append(c.Patched, fmt.Sprintf("the agent once took the tools of the debate after %s or later: it is not waited for",
			toolsWait))
	}
	reason := last.response.StopReason
	// Codex cancels its turn when a call is denied.
	if (reason == sdk.StopReasonEndTurn || reason == sdk.StopReasonCancelled) && t.denials.endedTurn() {
		return agents.Chunk{}, t.endedOnDenial(c.Usage)
	}
	switch reason {
	case sdk.StopReasonEndTurn:
		c.Finish = agents.FinishStop
	case sdk.StopReasonMaxTokens:
		c.Finish = agents.FinishLength
	case sdk.StopReasonRefusal:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindFilter, Cause: p.name + " refused to answer.", Remedy: "Rephrase the topic or use another model.",
			Usage: c.Usage,
		}
	case sdk.StopReasonMaxTurnRequests:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindLimit, Cause: p.name + " reached its own limit of requests in one turn.", Usage: c.Usage,
			Remedy: "Raise that limit in the settings of the agent.",
		}
	case sdk.StopReasonCancelled:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindTruncated, Cause: p.name + " says that its answer was cancelled, which nobody asked for.", Usage: c.Usage,
		}
	default:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindMalformed, Usage: c.Usage,
			Cause: fmt.Sprintf("%s ended its answer for an unknown reason: %q.", p.name, text.Label(string(reason))),
		}
	}
	t.maskChunk(&c)
	return c, nil
}

func (t *turn) isSession(id sdk.SessionId) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session == id && id != ""
}

// close ends the turn. The seat is released when the agent has finished it, too.
func (t *turn) close(s *seat, end context.CancelCauseFunc, answered <-chan answer) {
	end(errTurnEnded)
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.asking.Wait() // no approval and no call is pending after this
	if t.tools != nil {
		s.provider.tools.end(t.tools)
	}
	a := t.agent
	if a == nil {
		s.release()
		return
	}
	a.turn.CompareAndSwap(t, nil)
	s.stopping.Go(func() {
		defer s.release()
		if t.prompted.Load() {
			t.cancel(answered)
		}
		t.closeSession()
	})
}

var errTurnEnded = errors.New("the turn has ended")

func (t *turn) cancel(answered <-chan answer) {
	a := t.agent
	go func() { // it may not read
		_ = a.conn.SendNotification(context.Background(), sdk.AgentMethodSessionCancel, sdk.CancelNotification{SessionId: t.session})
	}()
	select {
	case <-answered:
	case <-a.life.Done():
	case <-time.After(cancelGrace):
		a.stop()
	}
}

func (t *turn) closeSession() {
	if t.session == "" || t.agent.life.Err() != nil || t.agent.hello.AgentCapabilities.SessionCapabilities.Close == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.agent.seat.life, cancelGrace)
	defer cancel()
	req := sdk.CloseSessionRequest{SessionId: t.session}
	_ = t.agent.conn.SendRequestNoResult(ctx, sdk.AgentMethodSessionClose, req) // nothing depends on it
}

// Limits of what is kept of a call of the agent's own, in bytes.
const (
	maxInput  = 16 << 10
	maxOutput = 64 << 10
	maxTitle  = 1000
	maxOwn    = 1000 // calls
)

type ownCalls struct {
	mu       sync.Mutex
	known    map[sdk.ToolCallId]*ownCall
	recorded map[string]int // calls that our server has recorded and no update has ended, by the name of our tool
}

type ownCall struct {
	kind      sdk.ToolKind
	title     string
	tool      string // of ours that an update has named; "" if none has
	written   string // arguments found in the title
	mine      bool   // it was a call of that tool once
	locations []sdk.ToolCallLocation
	input     any
	output    any
	content   []sdk.ToolCallContent
	status    sdk.ToolCallStatus
	began     time.Time
	ended     bool
	denied    string // why it was not permitted; "" if it was, or was not asked for
}

// messages joins the messages of a turn by blank lines. Agents that send no ids have one.
type messages struct{ last string }

func (m *messages) add(id *string, words string) string {
	if id == nil || words == "" {
		return words
	}
	if m.last != "" && m.last != *id {
		words = "\n\n" + words
	}
	m.last = *id
	return words
}

// maskChunk masks what comes in pieces. What is held back comes before a call, and at the
// end.
func (t *turn) maskChunk(c *agents.Chunk) {
	mask := t.agent.seat.provider.mask
	c.Text, c.Reasoning = t.text.Add(mask, c.Text), t.reasoning.Add(mask, c.Reasoning)
	if c.Own != nil || c.Finish != "" {
		c.Text, c.Reasoning = c.Text+t.text.Flush(mask), c.Reasoning+t.reasoning.Flush(mask)
	}
}

func contentText(c sdk.ContentBlock) string {
	switch {
	case c.Text != nil:
		return c.Text.Text
	case c.ResourceLink != nil:
		return fmt.Sprintf("[%s](%s)", c.ResourceLink.Name, c.ResourceLink.Uri)
	case c.Image != nil:
		return "[an image: not passed on]"
	case c.Audio != nil:
		return "[a sound: not passed on]"
	}
	return ""
}

// observe merges an update into its call. It returns the call to record, nil if it is
// too early for that.
func (t *turn) observe(n sdk.ToolCallUpdate) *agents.OwnCall {
	o := &t.calls
	o.mu.Lock()
	defer o.mu.Unlock()
	c := o.call(n)
	if c == nil || c.ended {
		return nil
	}
	t.name(c, n)
	c.ended = c.status == sdk.ToolCallStatusCompleted || c.status == sdk.ToolCallStatusFailed
	c.mine = c.mine || t.ours(c) != ""
	if c.tool != "" && (c.mine || c.kindOf() == sdk.ToolKindOther) { // recorded at its end, unless our server has recorded it
		if !c.ended {
			return nil
		}
		if o.recorded[c.tool] > 0 {
			o.recorded[c.tool]--
			return nil
		}
	}
	if c.status != sdk.ToolCallStatusInProgress && !c.ended && c.input == nil {
		return nil // the input is still to come
	}
	own := c.record(string(n.ToolCallId))
	return &own
}

// some reports whether the agent made a call, and so more than one completion.
func (o *ownCalls) some() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.known) > 0
}

func (o *ownCalls) call(n sdk.ToolCallUpdate) *ownCall {
	c := o.known[n.ToolCallId]
	if c == nil {
		if len(o.known) >= maxOwn {
			return nil
		}
		c = &ownCall{began: time.Now()}
		o.known[n.ToolCallId] = c
	}
	if n.Kind != nil && *n.Kind != "" {
		c.kind = *n.Kind
	}
	if n.Title != nil && *n.Title != "" {
		c.title = text.Head(*n.Title, maxTitle)
	}
	if n.Status != nil && *n.Status != "" {
		c.status = *n.Status
	}
	if len(n.Locations) > 0 {
		c.locations = n.Locations[:min(len(n.Locations), 20)]
	}
	if hasContent(n.RawInput) {
		c.input = n.RawInput
	}
	if n.RawOutput != nil {
		c.output = n.RawOutput
	}
	if len(n.Content) > 0 {
		c.content = n.Content
	}
	return c
}

func hasContent(input any) bool {
	if m, ok := input.(map[string]any); ok {
		return len(m) > 0
	}
	return input != nil
}

func (c *ownCall) kindOf() sdk.ToolKind {
	switch c.kind {
	case sdk.ToolKindRead, sdk.ToolKindEdit, sdk.ToolKindDelete, sdk.ToolKindMove, sdk.ToolKindSearch, sdk.ToolKindExecute,
		sdk.ToolKindThink, sdk.ToolKindFetch, sdk.ToolKindSwitchMode:
		return c.kind
	default:
		return sdk.ToolKindOther
	}
}

// record returns the call as it is recorded. Its name has a space, as no tool of ours has.
func (c *ownCall) record(id string) agents.OwnCall {
	own := agents.OwnCall{ID: id, Name: "own " + string(c.kindOf()), Args: c.args(), Done: c.ended}
	if !c.ended {
		return own
	}
	own.Took = time.Since(c.began)
	own.Result = agents.ToolResult{Status: agents.ToolOK, Text: c.result()}
	if c.denied != "" {
		own.Result = agents.ToolResult{Status: agents.ToolDenied, Text: c.denied}
	} else if c.status == sdk.ToolCallStatusFailed {
		own.Result.Status = agents.ToolError
	}
	own.Result.Summary = text.Clip(text.Line(text.Head(own.Result.Text, maxTitle)), 100)
	return own
}

func (c *ownCall) args() string {
	args := struct {
		Title     string   `json:"title,omitempty"`
		Locations []string `json:"locations,omitempty"`
		Input     any      `json:"input,omitempty"`
	}{Title: c.title, Input: c.input}
	for _, l := range c.locations {
		place := text.Head(l.Path, maxTitle)
		if l.Line != nil {
			place = fmt.Sprintf("%s:%d", place, *l.Line)
		}
		args.Locations = append(args.Locations, place)
	}
	raw := encoded(args)
	if len(raw) > maxInput {
		args.Input = fmt.Sprintf("[%d bytes: not kept]", len(raw))
		raw = encoded(args)
	}
	return raw
}

func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // it was JSON before
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

func (c *ownCall) result() string {
	var parts []string
	for _, part := range c.content {
		switch {
		case part.Content != nil:
			parts = append(parts, contentText(part.Content.Content))
		case part.Diff != nil:
			parts = append(parts, fmt.Sprintf("[a change of %s]", part.Diff.Path))
		}
	}
	out := strings.Join(parts, "\n")
	if words, ok := c.output.(string); out == "" && ok {
		out = words
	} else if out == "" && c.output != nil {
		out = encoded(c.output)
	}
	if len(out) > maxOutput {
		out = fmt.Sprintf("%s\n[Cut here: %d bytes in all.]", strings.ToValidUTF8(out[:maxOutput], ""), len(out))
	}
	return out
}
