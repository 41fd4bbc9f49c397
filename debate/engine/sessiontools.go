package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
)

// Workspaces are the workspaces of the agents of one session.
type Workspaces interface {
	tools.Workspaces
	// Close removes what was made for the session.
	Close() error
}

// sessionTools is what the tools of a session keep between its runs. None of it is
// stored: commands that were allowed are asked for again after a resume.
type sessionTools struct {
	mu         sync.Mutex
	workspaces Workspaces // nil: not open
	providers  map[agents.LoopProvider]bool
	allowed    map[allowance]bool
}

// allowance is a command that an agent may run again without asking.
type allowance struct {
	agent agents.ID
	hash  string
}

func (t *sessionTools) allows(id agents.ID, hash string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.allowed[allowance{id, hash}]
}

func (t *sessionTools) allow(id agents.ID, hash string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.allowed == nil {
		t.allowed = map[allowance]bool{}
	}
	t.allowed[allowance{id, hash}] = true
}

// openWorkspaces returns the workspaces of the session; nil if it has none. It fails if
// the mode of the workspace does not work here.
func (r *runner) openWorkspaces(ctx context.Context) (tools.Workspaces, error) {
	s := r.current()
	if s.Workspace.Dir == "" {
		return nil, nil
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		return nil, err
	}
	t := r.kept
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.workspaces != nil {
		return t.workspaces, nil
	}
	if r.Workspaces == nil {
		return nil, &debate.WorkspaceError{Workspace: s.Workspace, Err: errors.New("no workspaces can be made here")}
	}
	w, err := r.Workspaces(ctx, s)
	if err != nil {
		return nil, &debate.WorkspaceError{Workspace: s.Workspace, Err: err}
	}
	t.workspaces = w
	return w, nil
}

// prepare has providers whose agents run a loop of their own start what a speaker needs.
func (t *sessionTools) prepare(session string, who agents.Profile, client agents.Provider) {
	p, ok := client.(agents.LoopProvider)
	if !ok {
		return
	}
	p.Prepare(session, who)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.providers == nil {
		t.providers = map[agents.LoopProvider]bool{}
	}
	t.providers[p] = true
}

// close ends what providers have started for the session, and removes the workspaces with
// their temporary folders.
func (t *sessionTools) close(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for p := range t.providers {
		p.CloseSession(id)
	}
	w := t.workspaces
	t.workspaces, t.allowed, t.providers = nil, nil, nil
	if w == nil {
		return nil
	}
	return w.Close()
}

// sessionTools returns what is kept for a session.
func (e *Engine) sessionTools(id string) *sessionTools {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.sessions[id]
	if t == nil {
		t = &sessionTools{}
		e.sessions[id] = t
	}
	return t
}

// CloseSession ends the programs of agents that were started for a session that does not
// run, removes its workspaces, and forgets which commands were allowed.
func (e *Engine) CloseSession(id string) error {
	e.mu.Lock()
	t := e.sessions[id]
	delete(e.sessions, id)
	e.mu.Unlock()
	if t == nil {
		return nil
	}
	return t.close(id)
}

// Close closes all sessions.
func (e *Engine) Close() error {
	e.mu.Lock()
	ids := slices.Sorted(maps.Keys(e.sessions))
	e.mu.Unlock()
	var err error
	for _, id := range ids {
		err = errors.Join(err, e.CloseSession(id))
	}
	return err
}
