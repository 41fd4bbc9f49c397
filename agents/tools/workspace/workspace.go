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
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/process"
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
	Dir  string // absolute path of the folder that the user named
	Mode Mode
	Base string // absolute path of a folder in which every session makes one of its own

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
	return Limits{cmp.Or(l.Memory, DefaultMemory), cmp.Or(l.Processes, DefaultProcesses), cmp.Or(l.CPU, DefaultCPU)}
}

var errReadOnly = errors.New("commands cannot run in a workspace of mode local, which is read-only")

type folder struct {
	info    tools.WorkspaceInfo
	sandbox sandbox // nil: commands are refused
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
	return f.sandbox(ctx, job{Command: c, dir: f.info.Dir})
}

type job struct {
	tools.Command
	dir string
}

// sandbox runs a command.
type sandbox func(ctx context.Context, j job) (tools.CommandResult, error)

// Manager makes the workspaces of the agents of one session and removes them. It is safe
// for concurrent use.
type Manager struct {
	options Options
	folder  *process.Folder // of the session

	seats  sync.Map     // of *seat, by agents.ID
	using  sync.RWMutex // read-locked while the session's folder is written
	closed bool
}

// folderPrefix begins the names of the folders of sessions.
const folderPrefix = "debate-"

var errClosed = errors.New("the workspace was closed")

// seat is the workspace of one agent.
type seat struct {
	making chan struct{}   // holds one value while made is used
	made   tools.Workspace // nil until it is made
}

var _ tools.Workspaces = (*Manager)(nil)

// New returns the workspaces of a session. It makes the session's folder, and removes
// those that crashed sessions left in Options.Base. It does not check whether the mode
// works: see Check.
func New(o Options) (*Manager, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Base, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of workspaces: %w", err)
	}
	folder, err := process.NewFolder(o.Base, folderPrefix)
	if err != nil {
		return nil, err
	}
	return &Manager{options: o, folder: folder}, nil
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
	return m.folder.Remove()
}

// Workspace implements tools.Workspaces. What an agent needs is made when it first asks.
func (m *Manager) Workspace(ctx context.Context, agent agents.ID) (tools.Workspace, error) {
	m.using.RLock()
	defer m.using.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	known, _ := m.seats.LoadOrStore(agent, &seat{making: make(chan struct{}, 1)})
	s := known.(*seat)
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
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

func (m *Manager) open(ctx context.Context, agent agents.ID) (tools.Workspace, error) {
	info := tools.WorkspaceInfo{Mode: string(m.options.Mode), Source: m.options.Dir, Dir: m.options.Dir}
	if m.options.Mode == Local {
		info.ReadOnly = true
		return folder{info: info}, nil
	}
	dir, err := m.makeDir("clones", string(agent))
	if err != nil {
		return nil, err
	}
	if info.Dir, info.Note, err = clone(ctx, m.options.Dir, dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if m.options.Mode == Clone {
		return folder{info, runUnconfined}, nil
	}
	info.Container = m.options.Container
	return folder{info, newContainer(m.options, m.folder.Dir, dir)}, nil
}

// TempDir makes the folder for temporary files of one tool call, which is named by its id
// (see agents.Turn.ToolCall).
func (m *Manager) TempDir(call string) (string, error) { return m.newDir("tmp", call) }

// Home implements tools.Workspaces.
func (m *Manager) Home(agent agents.ID) (string, error) {
	dir, err := m.newDir("homes", string(agent))
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
	_, err := os.ReadDir(o.Dir)
	return err
}

const checkTime = 20 * time.Second

// Check reports as an error why the mode of the options does not work here: a folder that
// cannot be read, one that is no git repository, a program that is missing or that the
// system does not let run. The error says what to install or to configure. Without a folder
// it looks at what the mode itself needs.
func Check(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	err := o.validateMode()
	if err == nil && o.Dir != "" {
		err = o.validate()
	}
	switch {
	case err != nil || o.Mode == Local:
		return err
	case o.Dir == "":
		_, err = git(ctx, "", "--version")
	default:
		_, err = findRepository(ctx, o.Dir)
	}
	if err != nil || o.Mode == Clone {
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
	result, err := newContainer(o, dir, dir)(ctx, job{
		Command: tools.Command{Argv: []string{"sh", "-c", safetyProbe}, Env: env}, dir: dir,
	})
	switch {
	case errors.Is(err, errNotInstalled):
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

// newDir makes a folder of one kind in that of the session.
func (m *Manager) newDir(kind, name string) (string, error) {
	m.using.RLock()
	defer m.using.RUnlock()
	if m.closed {
		return "", errClosed
	}
	return m.makeDir(kind, name)
}

func (m *Manager) makeDir(kind, name string) (string, error) {
	if !isPlainName(name) {
		return "", fmt.Errorf("%q cannot name a folder", name)
	}
	dir := filepath.Join(m.folder.Dir, kind, name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", fmt.Errorf("make a folder of the debate: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return dir, fmt.Errorf("make a folder of the debate: %w", err)
	}
	return dir, nil
}

// RemoveStale removes what sessions whose process was killed have left below a base folder.
func RemoveStale(base string) { process.RemoveStale(base, folderPrefix) }
