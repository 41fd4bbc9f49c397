// Package mcp makes the tools of MCP servers tools that agents can call: servers that are
// programs, over their standard input and output, and servers at an address, over
// streamable HTTP.
//
// A server is trusted with nothing. Only tools that the configuration allows are offered,
// in the definition that was approved; what a server says is sanitised, bounded and
// marked as data; and a server that hangs, floods or dies costs its own calls only.
//
// It imports agents, agents/tools, internal/text and the official SDK, and must not know
// sessions, the store or who configures it.
package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"roundtable/agents/tools"
)

// StartTimeout is how long a server may take to start and to list its tools.
const StartTimeout = 10 * time.Second

// Options are what servers work with. Env and Approvals are required.
type Options struct {
	Env       func(name string) (string, bool) // looks up a variable
	Approvals Approvals
	Version   string // of this program

	// WithTimeout bounds starts and calls; nil means context.WithTimeout.
	WithTimeout func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// Approvals keeps the definitions of tools that the user has approved.
type Approvals interface {
	// ApprovedTools returns the approved definitions of a server's tools by their names.
	ApprovedTools(ctx context.Context, server string) (map[string]string, error)
	// ApproveTools stores definitions as approved.
	ApproveTools(ctx context.Context, server string, definitions map[string]string) error
}

// State says whether a tool of a server is offered to agents.
type State string

// The states of a tool.
const (
	Offered    State = "offered"
	NotAllowed State = "not allowed" // allow does not name it
	Changed    State = "changed"     // since it was approved
	Invalid    State = "not valid"
	Missing    State = "missing" // allow names it, and the server does not have it
)

// ToolStatus describes a tool of a server.
type ToolStatus struct {
	Name   string // as it is offered
	Tool   string // the server's own name, which may hold anything
	State  State
	Reason string // why it is not offered; may be empty
	Diff   string // of a definition that has changed, from the approved one; safe to show
}

// ServerStatus describes a server and its tools.
type ServerStatus struct {
	Name    string
	Failure string // why the server cannot be used; "" if it can
	Tools   []ToolStatus
}

// Servers are the configured servers. They are started when they are first needed, and
// all agents use them together.
type Servers struct {
	Options
	servers  []*server // by name
	once     sync.Once
	started  chan struct{}
	stopping sync.WaitGroup // what Close waits for

	life context.Context // of all servers
	end  context.CancelFunc
}

// New returns the servers of a configuration, none of which is started yet.
func New(configs map[string]Config, o Options) *Servers {
	if o.WithTimeout == nil {
		o.WithTimeout = context.WithTimeout
	}
	s := &Servers{Options: o, started: make(chan struct{})}
	s.life, s.end = context.WithCancel(context.Background())
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		c := configs[name]
		s.servers = append(s.servers, &server{
			Servers: s, name: name, config: c, mask: environment(o.Env).masker(c), lock: make(chan struct{}, 1),
		})
	}
	return s
}

// start starts all servers side by side, once, and waits until each is ready or has
// failed.
func (s *Servers) start(ctx context.Context) error {
	s.once.Do(func() {
		var all sync.WaitGroup
		for _, one := range s.servers {
			all.Go(func() { one.start(s.life) })
		}
		go func() {
			all.Wait()
			close(s.started)
		}()
	})
	select {
	case <-s.started:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Tools starts the servers if they are not started, and returns the tools that are
// offered in a round, sorted by name, with notices for the user of what is not, those of one
// server together. Servers that broke down in the round before may be used again.
func (s *Servers) Tools(ctx context.Context) (offered []tools.Tool, notices [][]string, err error) {
	err = s.each(ctx, func(one *server) {
		said := slices.Clone(one.notices)
		one.restarted, one.down, one.silent = false, "", 0
		for _, e := range one.entries {
			if e.State == Offered {
				call := tool{one, e}
				offered = append(offered, tools.Tool{Spec: e.spec, Run: call.run, Remote: true, Shared: !e.readsOnly})
			}
		}
		if len(said) > 0 {
			notices = append(notices, said)
		}
	})
	return offered, notices, err
}

// Status starts the servers if they are not started, and describes them.
func (s *Servers) Status(ctx context.Context) ([]ServerStatus, error) {
	var all []ServerStatus
	err := s.each(ctx, func(one *server) {
		status := ServerStatus{Name: one.name, Failure: one.failure}
		for _, e := range one.entries {
			status.Tools = append(status.Tools, e.ToolStatus)
		}
		all = append(all, status)
	})
	return all, err
}

// Approve approves the changed definitions of a server's tools, which are named as they are
// offered. They are offered from the next round on.
func (s *Servers) Approve(ctx context.Context, name string, names ...string) error {
	texts := map[string]string{}
	changed := func(do func(*entry)) error {
		return s.each(ctx, func(one *server) {
			for _, e := range one.entries {
				if one.name == name && e.State == Changed && slices.Contains(names, e.Name) {
					do(e)
				}
			}
		})
	}
	err := changed(func(e *entry) { texts[e.Tool] = e.definition.Text })
	if err == nil {
		err = s.Approvals.ApproveTools(ctx, name, texts)
	}
	if err != nil {
		return err
	}
	return changed(func(e *entry) { e.State, e.Reason, e.Diff = Offered, "", "" })
}

func (s *Servers) each(ctx context.Context, f func(*server)) error {
	if err := s.start(ctx); err != nil {
		return err
	}
	for _, one := range s.servers {
		if err := one.acquire(ctx); err != nil {
			return err
		}
		f(one)
		one.release()
	}
	return nil
}

// Close ends all servers with their processes. It returns within about three seconds.
func (s *Servers) Close() error {
	s.end()
	s.once.Do(func() { close(s.started) }) // nothing was started, and nothing will be
	<-s.started
	for _, one := range s.servers {
		one.lock <- struct{}{} // a call that starts one again is done with that
		if one.link != nil {
			s.stopping.Go(one.link.stop)
		}
		one.release()
	}
	s.stopping.Wait()
	return nil
}
