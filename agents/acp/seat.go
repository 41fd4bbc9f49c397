package acp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/process"
	"roundtable/internal/text"
)

// seat is an agent of one seat, whose program is started once and again if it has ended.
type seat struct {
	provider *Provider
	busy     chan struct{} // has an element while a turn is under way

	life     context.Context
	end      context.CancelFunc
	stopping sync.WaitGroup // what close waits for

	mu      sync.Mutex
	current *agent // nil: not started
}

func newSeat(p *Provider) *seat {
	s := &seat{provider: p, busy: make(chan struct{}, 1)}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// acquire waits until the turn before has ended altogether.
func (s *seat) acquire(ctx context.Context) error {
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.life.Done():
		return errClosed
	}
}

func (s *seat) release() { <-s.busy }

// prepare returns the agent, which may still be starting. An agent that has ended is
// started again.
func (s *seat) prepare() *agent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.hasClosed() {
		s.current = s.start()
	}
	return s.current
}

// running returns the agent when it is ready.
func (s *seat) running(ctx context.Context) (*agent, error) {
	a := s.prepare()
	select {
	case <-a.ready:
		if a.failure != nil {
			return nil, a.failure
		}
		return a, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// close ends the agent with its program.
func (s *seat) close() {
	s.end()
	s.mu.Lock()
	a := s.current
	s.mu.Unlock()
	if a != nil {
		a.stop()
	}
	s.stopping.Wait()
}

// agent is a running program that speaks the protocol.
type agent struct {
	seat    *seat
	program *process.Process // nil: it could not be started
	lines   *lineReader
	conn    *sdk.ClientSideConnection
	gone    chan struct{} // closed when nothing more comes of it
	once    sync.Once

	ready   chan struct{}          // closed when it may be used or has failed
	hello   sdk.InitializeResponse // valid when ready is closed
	failure *agents.Failure        // why it cannot be used; valid when ready is closed

	turn atomic.Pointer[turn] // the one under way
	deaf atomic.Bool          // it takes no input any more
}

// inputWriter is the standard input of an agent.
type inputWriter struct{ *agent }

// Write writes p, and notes when the agent does not take it.
func (w inputWriter) Write(p []byte) (int, error) {
	n, err := w.program.Stdin.Write(p)
	if err != nil {
		w.deaf.Store(true)
	}
	return n, err
}

// readAfterEnd is how long what a program had said is still read after its end, where
// another process holds its output open.
const readAfterEnd = 2 * time.Second

// start starts the program. What it may do is known when ready is closed.
func (s *seat) start() *agent {
	p := s.provider
	a := &agent{seat: s, ready: make(chan struct{}), gone: make(chan struct{})}
	program, err := process.Start(p.config.Command, p.config.environment(p.options.Env), "roundtable-acp-")
	if err == nil && s.life.Err() != nil {
		program.Stop()
		err = errClosed
	}
	if err != nil {
		a.failure = p.startFailure(err)
		close(a.gone)
		close(a.ready)
		return a
	}
	a.program, a.lines = program, newLineReader(program.Stdout, a.deliver)
	a.conn = sdk.NewClientSideConnection(client{a}, inputWriter{a}, a.lines)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	a.lines.begin()
	s.stopping.Go(func() {
		select {
		case <-a.conn.Done():
		case <-program.Done(): // the connection ends when what it had said is read
			select {
			case <-a.conn.Done():
			case <-s.life.Done():
			case <-time.After(readAfterEnd):
			}
		case <-s.life.Done():
		}
		a.stop()
	})
	s.stopping.Go(func() {
		defer close(a.ready)
		a.initialize()
	})
	return a
}

// initialize says hello and checks what the agent says.
func (a *agent) initialize() {
	p := a.seat.provider
	ctx, cancel := a.limited(p.config.Start)
	defer cancel(nil)
	var err error
	a.hello, err = a.conn.Initialize(ctx, sdk.InitializeRequest{
		ProtocolVersion:    sdk.ProtocolVersionNumber,
		ClientCapabilities: sdk.ClientCapabilities{Fs: sdk.FileSystemCapabilities{ReadTextFile: true}},
		ClientInfo:         &sdk.Implementation{Name: "roundtable", Version: p.options.Version},
	})
	switch {
	case err != nil:
		a.failure = a.explain(ctx, err, "while it started")
	case a.hello.ProtocolVersion != sdk.ProtocolVersionNumber:
		a.failure = &agents.Failure{
			Kind: agents.KindConfig,
			Cause: fmt.Sprintf("%s speaks version %d of the Agent Client Protocol; Roundtable speaks version %d.", p.name,
				a.hello.ProtocolVersion, sdk.ProtocolVersionNumber),
			Remedy: "Update the agent or Roundtable, whichever is older.", Unprocessed: true,
		}
	}
	if a.failure != nil {
		a.stop()
	}
}

// errSlow is the cause of a context that took too long.
var errSlow = errors.New("no answer in time")

// limited returns a context that ends after a while, and with the agent.
func (a *agent) limited(d time.Duration) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(a.seat.life)
	stop := a.seat.provider.options.AfterFunc(d, func() { cancel(errSlow) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}

// stop ends the program with its group. It returns within three seconds.
func (a *agent) stop() {
	if a.program == nil {
		return
	}
	a.once.Do(func() { close(a.gone) })
	a.program.Stop()
}

// isGone reports whether nothing more comes of the agent.
func (a *agent) isGone() bool {
	select {
	case <-a.gone:
		return true
	default:
		return false
	}
}

// deliver passes news of a session on to its turn. It returns when the turn has taken it.
func (a *agent) deliver(n sdk.SessionNotification) {
	t := a.turn.Load()
	if t == nil || !t.isSession(n.SessionId) {
		return
	}
	select {
	case t.updates <- n.Update:
	case <-t.done:
	case <-a.gone:
	}
}

// about returns what the agent says of itself.
func (a *agent) about() About {
	about := About{Protocol: int(a.hello.ProtocolVersion), HTTP: a.hello.AgentCapabilities.McpCapabilities.Http}
	if info := a.hello.AgentInfo; info != nil {
		about.Name, about.Version = text.Label(info.Name), text.Label(info.Version)
		if info.Title != nil && *info.Title != "" {
			about.Name = text.Label(*info.Title)
		}
	}
	about.SignIn = a.signIn()
	return about
}

// signIn lists the ways to sign in that the agent names.
func (a *agent) signIn() []string {
	var ways []string
	for _, m := range a.hello.AuthMethods {
		switch {
		case m.Agent != nil:
			ways = append(ways, described(m.Agent.Name, m.Agent.Description))
		case m.EnvVar != nil:
			ways = append(ways, described(m.EnvVar.Name, m.EnvVar.Description))
		case m.Terminal != nil:
			ways = append(ways, described(m.Terminal.Name, m.Terminal.Description))
		}
	}
	return ways
}

func described(name string, description *string) string {
	name = text.Label(name)
	if description == nil || text.Label(*description) == "" {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, text.Label(*description))
}
