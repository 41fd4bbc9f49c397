package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/adrg/xdg"

	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

// workspace returns the workspace of a new debate, as the options or the configuration
// name it. Only the configuration allows commands.
func (b sessionBuilder) workspace(o runOptions) (debate.Workspace, error) {
	name := cmp.Or(o.workspace, b.cfg.Tools.Workspace)
	if name == "" {
		if o.workspaceMode != "" {
			return debate.Workspace{}, usagef("--workspace-mode needs a workspace; name it with --workspace DIR")
		}
		return debate.Workspace{}, nil
	}
	mode := debate.WorkspaceMode(cmp.Or(o.workspaceMode, string(b.cfg.Tools.Mode)))
	switch mode {
	case debate.WorkspaceLocal, debate.WorkspaceClone, debate.WorkspaceContainer:
	default:
		return debate.Workspace{}, usagef("there is no workspace mode %q; the modes are local, clone and container",
			text.Label(string(mode)))
	}
	if rest, ok := strings.CutPrefix(name, "~"+string(filepath.Separator)); ok && o.workspace == "" {
		name = filepath.Join(xdg.Home, rest)
	}
	dir, err := filepath.Abs(name)
	if err != nil {
		return debate.Workspace{}, fmt.Errorf("find the workspace: %w", err)
	}
	switch info, err := os.Stat(dir); {
	case err != nil:
		return debate.Workspace{}, usagef("the workspace %s cannot be opened: %v", text.Line(dir), err)
	case !info.IsDir():
		return debate.Workspace{}, usagef("the workspace %s is not a folder", text.Line(dir))
	}
	return debate.Workspace{Dir: dir, Mode: mode, Commands: b.cfg.Tools.Commands && mode != debate.WorkspaceLocal}, nil
}

// workspaces returns the function that opens the workspaces of a session.
func workspaces(a *app, cfg config.Config) func(context.Context, debate.Session) (engine.Workspaces, error) {
	return func(ctx context.Context, s debate.Session) (engine.Workspaces, error) {
		if a.stateDir == "" {
			return nil, errors.New("there is no folder for the files of the debate; set HOME or XDG_STATE_HOME")
		}
		o := a.workspaceOptions(cfg, s.Workspace, s.ID)
		if err := workspace.Check(ctx, o); err != nil {
			return nil, err
		}
		return workspace.New(o)
	}
}

// workspaceOptions returns the options of a session's workspace.
func (a *app) workspaceOptions(cfg config.Config, w debate.Workspace, session string) workspace.Options {
	return workspace.Options{
		Dir: w.Dir, Mode: workspace.Mode(w.Mode), Base: filepath.Join(a.stateDir, "workspaces"), Session: session,
		Container: cfg.Tools.Container, Image: cfg.Tools.Image,
		Limits: workspace.Limits{Memory: int64(cfg.Tools.Memory) << 20, Processes: cfg.Tools.PIDs},
	}
}

// toolEnvironment returns the variables that commands of agents see, besides HOME and
// TMPDIR, which each call has of its own. No variable that may hold a key is among them.
func toolEnvironment(a *app, cfg config.Config) []string {
	names := append([]string{"PATH", "LANG"}, cfg.Tools.Env...)
	if runtime.GOOS == "windows" {
		names = append(names, "SystemRoot")
	}
	var env []string
	for _, name := range names {
		if value, ok := a.Env(name); ok && !config.HoldsKey(cfg, name) {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// prefixes are the values of --allow-command: beginnings of commands.
type prefixes [][]string

// Set adds a value.
func (p *prefixes) Set(value string) error {
	words, err := text.ParseCommand(value)
	if err != nil {
		return err
	}
	*p = append(*p, words)
	return nil
}

// String returns "": there is no default to show.
func (p *prefixes) String() string { return "" }

// Type names the value in the help.
func (p *prefixes) Type() string { return "prefix" }
