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
// It imports agents, agents/tools and internal/text. It must not know sessions, stores or
// screens; who asked for a command and who allowed it is known to the executor.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"roundtable/agents/tools"
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

// errReadOnly is the result of Run in a workspace that only reads.
var errReadOnly = errors.New("commands cannot run in a workspace of mode local, which is read-only")

// folder is the workspace of one agent.
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
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return tools.CommandResult{}, errors.New("the command is empty")
	}
	return f.sandbox.run(ctx, f.info.Dir, c)
}

// sandbox runs commands in the folder of an agent.
type sandbox interface {
	run(ctx context.Context, dir string, c tools.Command) (tools.CommandResult, error)
}
