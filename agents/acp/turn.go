package acp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/text"
)

// cancelGrace is how long an agent has to end a turn that was cancelled. Then its program
// is ended, and started again for the next turn.
const cancelGrace = 2 * time.Second

// turn is one turn of an agent, in a session of its own.
type turn struct {
	id      agents.Turn
	request agents.Request
	kit     agents.LoopToolkit
	agent   *agent
	folder  agents.Folder
	tools   *turnTools
	watch   *watchdog
	calls   ownCalls

	updates chan sdk.SessionUpdate
	done    chan struct{} // closed when nothing more is taken

	mu      sync.Mutex
	session sdk.SessionId // "" until there is one
	ended   bool
	asking  sync.WaitGroup // requests of the agent under way

	size     int    // bytes of text and reasoning
	message  string // id of the message under way
	prompted bool   // the prompt was sent
}

// StreamTurn implements agents.LoopProvider.
func (p *Provider) StreamTurn(
	ctx context.Context, id agents.Turn, req agents.Request, kit agents.LoopToolkit,
) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		if !yield(agents.Chunk{Queued: true}, nil) {
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
			id: id, request: req, kit: kit, watch: newWatchdog(p.options.AfterFunc),
			updates: make(chan sdk.SessionUpdate), done: make(chan struct{}),
		}
		t.run(ctx, s, yield)
	}
}

// run plays the turn on its seat and then releases the seat.
func (t *turn) run(ctx context.Context, s *seat, yield func(agents.Chunk, error) bool) {
	life, end := context.WithCancelCause(ctx)
	answered, err := t.begin(life, s)
	if err != nil {
		t.close(s, end, answered)
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		yield(agents.Chunk{}, err)
		return
	}
	last, err := t.follow(ctx, answered, yield)
	t.close(s, end, answered)
	if err != errStopped { //nolint:errorlint // it is passed on as it is
		yield(last, err)
	}
}

// errStopped says that the reader of the turn has gone.
var errStopped = errors.New("stopped")

// answer is how the agent ended a turn.
type answer struct {
	response sdk.PromptResponse
	err      error
}

// begin gets the agent, makes a session and sends the prompt.
func (t *turn) begin(life context.Context, s *seat) (<-chan answer, error) {
	a, err := s.running(life)
	if err != nil {
		return nil, err
	}
	t.agent = a
	p := s.provider
	if t.kit != nil {
		if t.folder, err = t.kit.Folder(life, t.id); err != nil {
			return nil, &agents.Failure{Kind: agents.KindConfig, Cause: err.Error() + ".", Unprocessed: true, Err: err}
		}
	}
	if t.folder.Dir == "" {
		dir, err := os.MkdirTemp(a.program.Dir, "turn-") // it goes with the program
		if err != nil {
			return nil, fmt.Errorf("make a folder for the turn: %w", err)
		}
		t.folder = agents.Folder{Dir: dir, Open: func() (*os.Root, error) { return os.OpenRoot(dir) }}
	}
	a.lines.newTurn()
	a.turn.Store(t)
	if err := t.newSession(life, p); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(s.life)
	answered := make(chan answer, 1)
	t.prompted = true
	go func() {
		defer cancel()
		response, err := a.conn.Prompt(ctx, sdk.PromptRequest{
			SessionId: t.session, Prompt: []sdk.ContentBlock{sdk.TextBlock(promptOf(t.request))},
		})
		answered <- answer{response, err}
	}()
	t.watch.heard(p.config.First)
	t.watch.resume()
	return answered, nil
}

// promptOf returns the text of all messages, as one block.
func promptOf(req agents.Request) string {
	var parts []agents.Part
	for _, m := range req.Messages {
		parts = append(parts, agents.Part{Text: m.Text})
	}
	return agents.JoinParts(parts)
}

// follow passes on what the agent says until the turn ends. It returns the last chunk.
func (t *turn) follow(ctx context.Context, answered <-chan answer, yield func(agents.Chunk, error) bool) (agents.Chunk, error) {
	p := t.agent.seat.provider
	for {
		select {
		case u := <-t.updates:
			t.watch.heard(p.config.Silent)
			chunk, err := t.chunk(u)
			if err != nil {
				return agents.Chunk{}, err
			}
			if !yield(chunk, nil) {
				return agents.Chunk{}, errStopped
			}
		case last := <-answered:
			t.prompted = false
			if ctx.Err() != nil {
				return agents.Chunk{}, context.Cause(ctx)
			}
			return t.finish(last)
		case <-ctx.Done():
			return agents.Chunk{}, context.Cause(ctx)
		case <-t.watch.fired:
			return agents.Chunk{}, t.silence()
		}
	}
}

// silence is the failure of an agent that says nothing.
func (t *turn) silence() *agents.Failure {
	p := t.agent.seat.provider
	f := &agents.Failure{
		Kind: agents.KindSilence, Retryable: true,
		Cause: fmt.Sprintf("%s has said nothing for %s and was stopped.", p.name, t.watch.limit),
	}
	if last := t.agent.program.Stderr(stderrLines); last != "" {
		f.Cause += " It printed: " + last
	}
	return f
}

// finish returns the last chunk of a turn that the agent has ended.
func (t *turn) finish(last answer) (agents.Chunk, error) {
	p := t.agent.seat.provider
	if last.err != nil {
		return agents.Chunk{}, t.agent.explain(context.Background(), last.err, "during its answer")
	}
	c := agents.Chunk{Usage: usageOf(last.response.Usage), Patched: []string{
		"the agent adds a system prompt and tools of its own, which cannot be seen here",
	}}
	switch reason := last.response.StopReason; reason {
	case sdk.StopReasonEndTurn:
		c.Finish = agents.FinishStop
	case sdk.StopReasonMaxTokens:
		c.Finish = agents.FinishLength
	case sdk.StopReasonRefusal:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindFilter, Cause: p.name + " refused to answer.", Remedy: "Rephrase the question or use another model.",
			Usage: c.Usage,
		}
	case sdk.StopReasonMaxTurnRequests:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindLimit, Cause: p.name + " reached its own limit of requests in one turn.", Usage: c.Usage,
			Remedy: "Raise that limit in the settings of the agent.", Retryable: true,
		}
	case sdk.StopReasonCancelled:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindTruncated, Cause: p.name + " says that its answer was cancelled, which nobody asked for.", Usage: c.Usage,
			Retryable: true,
		}
	default:
		return agents.Chunk{}, &agents.Failure{
			Kind: agents.KindMalformed, Usage: c.Usage, Retryable: true,
			Cause: fmt.Sprintf("%s ended its answer for an unknown reason: %q.", p.name, text.Label(string(reason))),
		}
	}
	return c, nil
}

// usageOf returns what an agent counted; nil if it counted nothing.
func usageOf(u *sdk.Usage) *agents.Usage {
	if u == nil || u.InputTokens <= 0 && u.OutputTokens <= 0 {
		return nil
	}
	count := func(n *int) int {
		if n == nil {
			return 0
		}
		return max(*n, 0)
	}
	cached, written, thought := count(u.CachedReadTokens), count(u.CachedWriteTokens), count(u.ThoughtTokens)
	out := agents.Usage{Input: max(u.InputTokens, 0), Output: max(u.OutputTokens, 0), Reasoning: thought, Cached: cached}
	if u.TotalTokens >= out.Input+out.Output+cached+written { // what is cached is counted apart
		out.Input += cached + written
	}
	if u.TotalTokens >= out.Input+out.Output+thought {
		out.Output += thought
	}
	out.Cached, out.Reasoning = min(out.Cached, out.Input), min(out.Reasoning, out.Output)
	return &out
}

// isSession reports whether an id is that of the turn's session.
func (t *turn) isSession(id sdk.SessionId) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session == id && id != ""
}

// close ends what the turn began. The seat is released when the agent is done with it.
func (t *turn) close(s *seat, end context.CancelCauseFunc, answered <-chan answer) {
	end(errTurnEnded)
	t.watch.end()
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	close(t.done)
	t.asking.Wait() // nothing is asked of the user any more
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
		if t.prompted {
			t.cancel(answered)
		}
		t.closeSession()
	})
}

var errTurnEnded = errors.New("the turn has ended")

// cancel has the agent end the turn. If it does not, its program is ended.
func (t *turn) cancel(answered <-chan answer) {
	a := t.agent
	go func() { _ = a.conn.Cancel(context.Background(), sdk.CancelNotification{SessionId: t.session}) }() // it may not read
	select {
	case <-answered:
	case <-a.gone:
	case <-time.After(cancelGrace):
		a.stop()
	}
}

// closeSession has an agent that can do so forget the session.
func (t *turn) closeSession() {
	if t.session == "" || t.agent.isGone() || t.agent.hello.AgentCapabilities.SessionCapabilities.Close == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.agent.seat.life, cancelGrace)
	defer cancel()
	_, _ = t.agent.conn.CloseSession(ctx, sdk.CloseSessionRequest{SessionId: t.session}) // nothing depends on it
}
