package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	if o.workspace == "" { // a shell has replaced ~ already
		name = withHome(name)
	}
	return b.folder(name, mode)
}

// withHome returns a path with the home folder in place of ~.
func withHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}

// folder returns the workspace in a folder.
func (b sessionBuilder) folder(name string, mode debate.WorkspaceMode) (debate.Workspace, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return debate.Workspace{}, fmt.Errorf("find the workspace: %w", err)
	}
	switch info, err := os.Stat(dir); {
	case err != nil:
		if p := (*fs.PathError)(nil); errors.As(err, &p) { // it names the folder again
			err = p.Err
		}
		return debate.Workspace{}, usagef("the workspace %s cannot be opened: %v", text.Line(dir), err)
	case !info.IsDir():
		return debate.Workspace{}, usagef("the workspace %s is not a folder", text.Line(dir))
	}
	return debate.Workspace{Dir: dir, Mode: mode, Commands: b.cfg.Tools.Commands && mode != debate.WorkspaceLocal}, nil
}

// sessionWorkspaces opens the workspaces of sessions. A session names its folder in the
// database, which may come from somebody else; so the folder is used only if a user of
// this machine has named it for the session, which a file beside the log remembers.
type sessionWorkspaces struct {
	cfg      config.Config
	stateDir string // "": there is none
}

// open opens the workspaces of a session.
func (w sessionWorkspaces) open(ctx context.Context, s debate.Session) (engine.Workspaces, error) {
	o := w.options(s.Workspace, s.ID)
	switch named, err := w.named(s); {
	case err != nil:
		return nil, err
	case !named:
		return nil, fmt.Errorf("%w; `%s` allows it", debate.ErrNotChosen,
			text.Command([]string{"roundtable", "continue", s.ID, "--workspace", s.Workspace.Dir}))
	}
	if err := workspace.Check(ctx, o); err != nil {
		return nil, err
	}
	return workspace.New(o)
}

// check returns a *debate.WorkspaceError if a new session could not use its workspace.
func (w sessionWorkspaces) check(ctx context.Context, s debate.Session) error {
	if s.Workspace.Dir == "" {
		return nil
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		return err
	}
	err := w.missing()
	if err == nil {
		err = workspace.Check(ctx, w.options(s.Workspace, "check"))
	}
	if err != nil {
		return &debate.WorkspaceError{Workspace: s.Workspace, Err: err}
	}
	return nil
}

func (w sessionWorkspaces) missing() error {
	if w.stateDir == "" {
		return errors.New("there is no folder for the files of the debate; set HOME or XDG_STATE_HOME")
	}
	return nil
}

// options returns the options of a session's workspace.
func (w sessionWorkspaces) options(of debate.Workspace, session string) workspace.Options {
	return workspace.Options{
		Dir: of.Dir, Mode: workspace.Mode(of.Mode), Base: filepath.Join(w.stateDir, "workspaces"), Session: session,
		Container: w.cfg.Tools.Container, Image: w.cfg.Tools.Image,
		Limits: workspace.Limits{Memory: int64(w.cfg.Tools.Memory) << 20, Processes: w.cfg.Tools.PIDs},
	}
}

// file returns the path of the list of workspaces that were named here: a hash for each
// session with its folder, so that nothing of a deleted debate can be read in it.
func (w sessionWorkspaces) file() string { return filepath.Join(w.stateDir, "workspaces.named") }

func workspaceHash(s debate.Session) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %t", s.ID, s.Nonce, s.Workspace.Dir, s.Workspace.Mode, s.Workspace.Commands))
	return hex.EncodeToString(sum[:])
}

// named reports whether the workspace of a session was named here.
func (w sessionWorkspaces) named(s debate.Session) (bool, error) {
	if err := w.missing(); err != nil {
		return false, err
	}
	list, err := os.ReadFile(w.file())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return slices.Contains(strings.Split(string(list), "\n"), workspaceHash(s)), err
}

// nameFork remembers the workspace of a fork if that of its origin was named.
func (w sessionWorkspaces) nameFork(parent, fork debate.Session) error {
	if named, err := w.named(parent); !named || err != nil {
		return nil //nolint:nilerr // a workspace that is not known to be named is asked about again
	}
	return w.name(fork)
}

// name remembers that a user of this machine has named the workspace of a session.
func (w sessionWorkspaces) name(s debate.Session) (err error) {
	if s.Workspace.Dir == "" {
		return nil
	}
	if named, err := w.named(s); named || err != nil {
		return err
	}
	f, err := os.OpenFile(w.file(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("remember the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteString(workspaceHash(s) + "\n")
	return err
}

// allow remembers that the user allows the workspace of a session, as the interface asks.
func (w sessionWorkspaces) allow(_ context.Context, s debate.Session) error { return w.name(s) }

// confirm remembers the workspace of a saved session if the flag --workspace names it.
func (w sessionWorkspaces) confirm(s debate.Session, flag string) error {
	if flag == "" {
		return nil
	}
	dir, err := filepath.Abs(flag)
	switch {
	case err != nil:
		return fmt.Errorf("find the workspace: %w", err)
	case s.Workspace.Dir == "":
		return usagef("session %s has no workspace; one is chosen when a debate begins", s.ID)
	case dir != filepath.Clean(s.Workspace.Dir):
		return usagef("the workspace of session %s is %s, not %s", s.ID, text.Line(s.Workspace.Dir), text.Line(dir))
	}
	return w.name(s)
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
