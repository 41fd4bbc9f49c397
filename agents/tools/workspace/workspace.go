// Package workspace lets agents look at a folder and run commands in it: the tools
// list_dir, find_files, read_file and search, and the three modes of a workspace behind
// tools.Workspaces.
//
//   - local: the folder that the user named, to read only.
//   - clone: a git clone for each agent, in which commands run. It keeps agents apart
//     and is no security boundary.
//   - container: such a clone in bubblewrap, podman or docker, without network.
//
// A mode that does not work is an error. No mode is replaced by a weaker one.
//
// Every file is opened through os.Root, so that no path and no link leads out of the
// folder, not even one that changes during a read.
//
// It imports agents, agents/tools, internal/process, internal/secret and internal/text. It
// must not know sessions, stores or screens; who asked for a command and who allowed it is known to the executor.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/text"
)

// Mode is where the tools of an agent work.
type Mode string

// The modes.
const (
	Local     Mode = "local"
	Clone     Mode = "clone"
	Container Mode = "container"
)

// The programs that can be a Container.
const (
	Bubblewrap = "bubblewrap"
	Podman     = "podman"
	Docker     = "docker"
)

// Options describe the workspaces of one session.
type Options struct {
	Dir     string // absolute path of the folder that the user named
	Mode    Mode
	Base    string // absolute path of a folder in which every session makes one of its own
	Session string // id of the session, which names its folder

	Container string // in the mode container: Bubblewrap, Podman or Docker
	Image     string // of Podman and Docker
	Limits    Limits
}

// Limits bound what a command in a container may use. A zero is the default.
type Limits struct {
	Memory    int64 // in bytes; with Bubblewrap of each process
	Processes int
	CPU       time.Duration // of each process
}

// Limits that are used where none are set.
const (
	DefaultMemory    = 2 << 30
	DefaultProcesses = 256
	DefaultCPU       = 10 * time.Minute
)

func (l Limits) orDefault() Limits {
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.Processes == 0 {
		l.Processes = DefaultProcesses
	}
	if l.CPU == 0 {
		l.CPU = DefaultCPU
	}
	return l
}

var errReadOnly = errors.New("commands cannot run in a workspace of mode local, which is read-only")

type folder struct {
	info    tools.WorkspaceInfo
	sandbox sandbox       // nil: commands are refused
	outputs *atomic.Int64 // of commands that are kept, in all workspaces of the session
	read    *versions     // nil: no command can change what was read
}

var _ tools.Workspace = folder{}

// Info implements tools.Workspace.
func (f folder) Info() tools.WorkspaceInfo { return f.info }

// Open implements tools.Workspace.
func (f folder) Open() (*os.Root, error) {
	root, err := os.OpenRoot(f.info.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	return root, nil
}

// Run implements tools.Workspace.
func (f folder) Run(ctx context.Context, c tools.Command) (tools.CommandResult, error) {
	if f.sandbox == nil {
		return tools.CommandResult{}, errReadOnly
	}
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return tools.CommandResult{}, errors.New("the command is empty")
	}
	k := f.keepOutput()
	r, err := f.sandbox.run(ctx, job{Command: c, dir: f.info.Dir, keep: k})
	r.Changed = f.changed(context.WithoutCancel(ctx))
	if k.close() && r.Output != "" {
		r.File = k.name
		if r.Kept = k.size; k.left > 0 {
			r.Kept = 0
		}
	}
	return r, err
}

// job is a command with where it runs.
type job struct {
	tools.Command
	dir  string
	keep io.Writer // gets the output as well
}

type sandbox interface {
	run(ctx context.Context, j job) (tools.CommandResult, error)
}

// Manager makes the workspaces of the agents of one session and removes them. It is safe
// for concurrent use.
type Manager struct {
	options Options
	session *sessionDir

	mu    sync.Mutex // of seats
	seats map[agents.ID]*seat

	outputs atomic.Int64 // of commands that are kept

	using  sync.RWMutex // read-locked while the session's folder is written
	closed bool
}

var errClosed = errors.New("the workspace was closed")

// seat is the workspace of one agent. The receiver from ready may make it.
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
		return folder{info, unconfined{}, &m.outputs, &versions{}}, nil
	}
	info.Container = m.options.Container
	return folder{info, newContainer(m.options, m.session.dir(), dir), &m.outputs, &versions{}}, nil
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

// Home implements tools.Workspaces.
func (m *Manager) Home(agent agents.ID) (string, error) {
	m.using.RLock()
	defer m.using.RUnlock()
	if m.closed {
		return "", errClosed
	}
	dir, err := m.session.newDir("homes", string(agent))
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return dir, err
}

func isPlainName(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	return id != "" && len(id) <= 200 && strings.Trim(id, letters+".-") == "" && strings.ContainsRune(letters, rune(id[0]))
}

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
		return fmt.Errorf("the debate id %q cannot name a folder", o.Session)
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

const checkTime = 20 * time.Second

// Check reports as an error why the mode of the options does not work here: a folder that
// cannot be read, one that is no git repository, a program that is missing or that the
// system does not let run. The error says what to install or to configure.
func Check(ctx context.Context, o Options) error {
	if err := o.validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if err := readable(o.Dir); err != nil || o.Mode == Local {
		return err
	}
	if _, err := findRepository(ctx, o.Dir); err != nil || o.Mode == Clone {
		return err
	}
	return checkContainer(ctx, o)
}

func readable(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the workspace: %w", err)
	}
	_, _, err = readDir(context.Background(), root, ".", 1)
	return errors.Join(err, root.Close())
}

// CheckMode is like Check when the folder is not known yet: it looks only at what the
// mode itself needs.
func CheckMode(ctx context.Context, o Options) error {
	if err := o.validateMode(); err != nil || o.Mode == Local {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if _, err := git(ctx, "", "--version"); err != nil || o.Mode == Clone {
		return err
	}
	return checkContainer(ctx, o)
}

// exitUnsafe is the exit code of safetyProbe where a setting of the host can be written.
const exitUnsafe = 91

// safetyProbe opens settings of the host for writing, without writing, and names the first
// that opens.
const safetyProbe = `for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sysrq-trigger; do
	if [ -e $f ] && (: 3>>$f) 2>/dev/null; then echo $f; exit 91; fi
done`

// checkContainer probes a container in the way that commands of agents are run.
func checkContainer(ctx context.Context, o Options) (err error) {
	if o.Container == Bubblewrap && runtime.GOOS != "linux" {
		return errors.New("bubblewrap exists for Linux only; set container in [tools] to podman or docker")
	}
	dir, err := os.MkdirTemp("", "roundtable-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env := inherited("PATH")
	result, err := newContainer(o, dir, dir).run(ctx, job{
		Command: tools.Command{Argv: []string{"sh", "-c", safetyProbe}, Env: env}, dir: dir, keep: io.Discard,
	})
	var missing missingProgram
	switch {
	case errors.As(err, &missing):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not run a command within %s", o.Container, checkTime)
	case err == nil && result.Exit == 0:
		return nil
	case err == nil && result.Exit == exitUnsafe:
		return fmt.Errorf("%s does not isolate commands here: a command can write %s of this machine. "+
			"Run Roundtable as another user, or set container in [tools] to another program", o.Container, text.Label(result.Output))
	case err == nil:
		err = errors.New(text.Line(result.Output))
	}
	switch o.Container {
	case Bubblewrap:
		return fmt.Errorf("bubblewrap does not work here: %w. "+
			"Allow user namespaces for bwrap, or set container in [tools] to podman or docker", err)
	default:
		return fmt.Errorf("%s does not work here: %w. Start it, and get the image with: %s pull %s",
			o.Container, err, o.Container, o.Image)
	}
}

// sessionDir is the folder of a session below a base folder. A lock next to it, named by
// the session's id, is held for as long as the session uses it, and the system releases
// it when the process ends. A folder whose lock is free is therefore stale.
type sessionDir struct {
	base, id string
	lock     *flock.Flock
}

const lockSuffix = ".lock"

func openSessionDir(base, id string) (*sessionDir, error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of workspaces: %w", err)
	}
	unlock, err := lockBase(base)
	if err != nil {
		return nil, err
	}
	defer unlock()
	removeStale(base)
	s := &sessionDir{base: base, id: id, lock: newLock(filepath.Join(base, id+lockSuffix))}
	switch got, err := s.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock the workspace of the debate: %w", err)
	case !got:
		return nil, errors.New("another process uses the workspace of this debate")
	}
	if err := os.Mkdir(s.dir(), 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("make the folder of the debate: %w", err), s.lock.Unlock())
	}
	return s, nil
}

func (s *sessionDir) dir() string { return filepath.Join(s.base, s.id) }

func (s *sessionDir) newDir(kind, name string) (string, error) {
	if !isPlainName(name) {
		return "", fmt.Errorf("%q cannot name a folder", name)
	}
	dir := filepath.Join(s.dir(), kind, name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", fmt.Errorf("make a folder of the debate: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return dir, fmt.Errorf("make a folder of the debate: %w", err)
	}
	return dir, nil
}

func (s *sessionDir) remove() error {
	unlock, err := lockBase(s.base)
	if err != nil {
		return err
	}
	defer unlock()
	err = errors.Join(removeAll(s.dir()), s.lock.Unlock())
	if err == nil {
		err = os.Remove(s.lock.Path())
	}
	return err
}

// lockBase waits until no other process opens or removes a folder below base.
func lockBase(base string) (unlock func(), err error) {
	l := newLock(filepath.Join(base, lockSuffix))
	if err := l.Lock(); err != nil {
		return nil, fmt.Errorf("lock the folder of workspaces: %w", err)
	}
	return func() { l.Unlock() }, nil //nolint:errcheck // the process ends the lock at the latest
}

// RemoveStale removes what sessions whose process was killed have left below a base folder.
func RemoveStale(base string) {
	if _, err := os.Lstat(base); err != nil {
		return
	}
	if unlock, err := lockBase(base); err == nil {
		removeStale(base)
		unlock()
	}
}

// removeStale removes the folders of sessions whose process has ended. The caller holds
// the lock of base. What cannot be removed now is tried again at the next start.
func removeStale(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), lockSuffix)
		if !ok || !isPlainName(id) {
			continue
		}
		s := &sessionDir{base: base, id: id, lock: newLock(filepath.Join(base, e.Name()))}
		if got, err := s.lock.TryLock(); err != nil || !got {
			continue
		}
		err := errors.Join(removeAll(s.dir()), s.lock.Unlock())
		if err == nil {
			os.Remove(s.lock.Path()) //nolint:errcheck // a lock without a folder does no harm
		}
	}
}

func newLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

// removeAll removes a folder, also where a command took away the right to write in it.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = errors.Join(makeWritable(root, "."), root.Close())
	return errors.Join(os.RemoveAll(dir), err)
}

func makeWritable(root *os.Root, dir string) error {
	if err := root.Chmod(dir, 0o700); err != nil {
		return err
	}
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(-1)
	err = errors.Join(err, f.Close())
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, makeWritable(root, filepath.Join(dir, e.Name())))
		}
	}
	return err
}
