// Package acp is the provider for agents that run a loop of their own and speak the Agent
// Client Protocol, such as OpenCode, Gemini CLI and Claude Code.
//
// The program of an agent runs once for each seat, for as long as its debate is open. Each
// turn is a new session of it, whose prompt is all that it gets from us. Our tools reach it
// as an MCP server with a secret of the turn: whoever has the secret speaks for that turn,
// whatever the agent says. What the agent does with tools of its own is told as its calls,
// and when it asks for permission, the kind of the tool decides, or the user does.
//
// It imports agents, internal/process, internal/text and the SDKs of both protocols. It must not
// know sessions, stores, screens or who configures it.
package acp

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"roundtable/agents"
)

// Options are what a Provider works with. Env is required.
type Options struct {
	Env     func(name string) (string, bool) // looks up a variable
	Version string                           // of this program

	// Bridge is the command that an agent starts to reach our tools if it cannot do so over
	// HTTP: one that calls Bridge. Without it such an agent has no tools of ours.
	Bridge []string

	// AfterFunc calls f after a while; nil means time.AfterFunc.
	AfterFunc func(d time.Duration, f func()) (stop func() bool)
}

// Provider runs the agents of one configuration. It is safe for concurrent use.
type Provider struct {
	name    string
	config  Config
	options Options
	tools   toolServer

	mu     sync.Mutex
	seats  map[seatKey]*seat
	closed bool
}

// seatKey names a seat of a session.
type seatKey struct {
	session string
	agent   agents.ID
}

var (
	_ agents.LoopProvider = (*Provider)(nil)
	_ agents.ModelLister  = (*Provider)(nil)
)

// New returns the provider of a configuration by its name. Nothing is started yet.
func New(name string, c Config, o Options) (*Provider, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if o.AfterFunc == nil {
		o.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	return &Provider{name: name, config: c.orDefault(), options: o, seats: map[seatKey]*seat{}}, nil
}

var errClosed = errors.New("the provider is closed")

// seat returns a seat of a session.
func (p *Provider) seat(session string, agent agents.ID) (*seat, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	key := seatKey{session, agent}
	s := p.seats[key]
	if s == nil {
		s = newSeat(p)
		p.seats[key] = s
	}
	return s, nil
}

// Prepare begins to start the program of a speaker.
func (p *Provider) Prepare(session string, who agents.Profile) {
	if s, err := p.seat(session, who.ID); err == nil {
		s.prepare()
	}
}

// CloseSession ends the programs of a session. It returns within about three seconds.
func (p *Provider) CloseSession(session string) {
	p.mu.Lock()
	var ended []*seat
	for key, s := range p.seats {
		if key.session == session {
			ended = append(ended, s)
			delete(p.seats, key)
		}
	}
	p.mu.Unlock()
	closeAll(ended)
}

// Close ends all programs. It returns within about three seconds.
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	var ended []*seat
	for _, s := range p.seats {
		ended = append(ended, s)
	}
	clear(p.seats)
	p.mu.Unlock()
	closeAll(ended)
	return p.tools.close()
}

// closeAll closes seats side by side.
func closeAll(seats []*seat) {
	var all sync.WaitGroup
	for _, s := range seats {
		all.Go(s.close)
	}
	all.Wait()
}

// Stream streams a completion without tools.
func (p *Provider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return p.StreamTurn(ctx, agents.Turn{}, req, nil)
}

// Check starts the program of the agent and ends it again. It returns what the program
// says of itself, and asks nothing of a model. The error is a *agents.Failure.
func (p *Provider) Check(ctx context.Context) (About, error) {
	s := newSeat(p)
	defer s.close()
	a, err := s.running(ctx)
	if err != nil {
		return About{}, err
	}
	return a.about(), nil
}

// About is what the program of an agent says of itself, safe to show.
type About struct {
	Name     string // of the program; may be empty
	Version  string // of the program; may be empty
	Protocol int    // version of the Agent Client Protocol
	HTTP     bool   // it can reach our tools over HTTP
	SignIn   []string
}
