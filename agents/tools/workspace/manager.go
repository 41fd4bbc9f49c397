package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/agents/tools"
)

// Manager makes the workspaces of the agents of one session and removes them. It is safe
// for concurrent use.
type Manager struct {
	options Options
	session *sessionDir

	mu    sync.Mutex // of seats
	seats map[agents.ID]*seat

	using  sync.RWMutex // read-locked while the session's folder is written
	closed bool
}

var errClosed = errors.New("the workspace was closed")

// seat is the workspace of one agent. Whoever receives from ready may make it.
type seat struct {
	ready chan struct{}
	made  tools.Workspace // nil until it is made
}

var _ tools.Workspaces = (*Manager)(nil)

// New returns the workspaces of a session. It makes the session's folder, and removes
// those that crashed sessions left in Options.Base. It does not check whether the mode
// works: see Check.
func New(o Options) (*Manager, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	session, err := openSessionDir(o.Base, o.Session)
	if err != nil {
		return nil, err
	}
	return &Manager{options: o, session: session, seats: map[agents.ID]*seat{}}, nil
}

// Close removes the session's folder with its clones and temporary files. All commands
// have to be over. Clones that are being made are waited for.
func (m *Manager) Close() error {
	m.using.Lock()
	defer m.using.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	return m.session.remove()
}

// Workspace implements tools.Workspaces. What an agent needs is made when it first asks.
func (m *Manager) Workspace(ctx context.Context, agent agents.ID) (tools.Workspace, error) {
	m.using.RLock()
	defer m.using.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	s := m.seat(agent)
	select {
	case <-s.ready:
		defer func() { s.ready <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s.made == nil {
		made, err := m.open(ctx, agent)
		if err != nil {
			return nil, err
		}
		s.made = made
	}
	return s.made, nil
}

func (m *Manager) seat(agent agents.ID) *seat {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.seats[agent]
	if !ok {
		s = &seat{ready: make(chan struct{}, 1)}
		s.ready <- struct{}{}
		m.seats[agent] = s
	}
	return s
}

// open makes the workspace of an agent.
func (m *Manager) open(ctx context.Context, agent agents.ID) (tools.Workspace, error) {
	info := tools.WorkspaceInfo{Mode: string(m.options.Mode), Source: m.options.Dir, Dir: m.options.Dir}
	if m.options.Mode == Local {
		info.ReadOnly = true
		return folder{info: info}, nil
	}
	dir, err := m.session.newDir("clones", string(agent))
	if err != nil {
		return nil, err
	}
	if info.Dir, info.Note, err = clone(ctx, m.options.Dir, dir); err != nil {
		return nil, errors.Join(err, removeAll(dir))
	}
	if m.options.Mode == Clone {
		return folder{info: info, sandbox: unconfined{}}, nil
	}
	info.Container = m.options.Container
	return folder{info: info, sandbox: newContainer(m.options, m.session.dir(), dir)}, nil
}

// TempDir makes the folder for temporary files of one tool call, which is named by its id
// (see agents.Turn.ToolCall).
func (m *Manager) TempDir(call string) (string, error) {
	m.using.RLock()
	defer m.using.RUnlock()
	if m.closed {
		return "", errClosed
	}
	return m.session.newDir("tmp", call)
}

// isPlainName reports whether an id can name a folder on every system.
func isPlainName(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	return id != "" && len(id) <= 200 && strings.Trim(id, letters+".-") == "" && strings.ContainsRune(letters, rune(id[0]))
}

// validateMode checks the mode and its container.
func (o Options) validateMode() error {
	switch o.Mode {
	case Local, Clone:
	case Container:
		switch {
		case o.Container == Bubblewrap:
		case o.Container != Podman && o.Container != Docker:
			return fmt.Errorf("%q is no program for containers: use %s, %s or %s", o.Container, Bubblewrap, Podman, Docker)
		case o.Image == "":
			return fmt.Errorf("%s needs an image in which commands run", o.Container)
		case strings.HasPrefix(o.Image, "-"):
			return fmt.Errorf("%q is no image", o.Image)
		}
	default:
		return fmt.Errorf("%q is no mode of a workspace: use %s, %s or %s", o.Mode, Local, Clone, Container)
	}
	return nil
}

// validate checks what can be checked without running anything.
func (o Options) validate() error {
	if err := o.validateMode(); err != nil {
		return err
	}
	if !isPlainName(o.Session) {
		return fmt.Errorf("the session id %q cannot name a folder", o.Session)
	}
	for _, dir := range []string{o.Dir, o.Base} {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%q is no absolute path", dir)
		}
	}
	switch info, err := os.Stat(o.Dir); {
	case err != nil:
		return fmt.Errorf("the workspace cannot be opened: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the workspace %s is not a folder", o.Dir)
	case filepath.Dir(o.Dir) == filepath.Clean(o.Dir):
		return fmt.Errorf("the workspace %s is the whole file system: name a folder in it", o.Dir)
	}
	return nil
}
