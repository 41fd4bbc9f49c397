package app

import (
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
	"time"

	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
)

// Workspaces opens the workspaces of sessions. A session names its folder in the
// database, which may come from somebody else; so the folder is used only if a user of
// this machine has named it for the session.
type Workspaces struct {
	cfg config.Config
	Named
}

// Workspaces returns the workspaces of sessions with a configuration.
func (a *App) Workspaces(cfg config.Config) Workspaces { return Workspaces{cfg, a.Named()} }

func (w Workspaces) open(ctx context.Context, s debate.Session) (engine.Workspaces, error) {
	o := w.Options(s.Workspace)
	switch named, err := w.named(s); {
	case err != nil:
		return nil, err
	case !named:
		return nil, fmt.Errorf("%w; `%s` allows it", debate.ErrNotChosen,
			text.Command([]string{"roundtable", "continue", s.ID, "--workspace", s.Workspace.Dir}))
	}
	if err := workspace.Check(ctx, o); err != nil {
		if _, gone := os.Stat(o.Dir); gone == nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w; `roundtable continue %s --workspace DIR` goes on in another folder, `--workspace none` without one",
			err, s.ID)
	}
	return workspace.New(o)
}

// Check returns a *debate.WorkspaceError if a new session could not use its workspace.
func (w Workspaces) Check(ctx context.Context, s debate.Session) error {
	if s.Workspace.Dir == "" {
		return nil
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		return err
	}
	err := w.missing()
	if err == nil {
		err = workspace.Check(ctx, w.Options(s.Workspace))
	}
	if err != nil {
		return &debate.WorkspaceError{Workspace: s.Workspace, Err: err}
	}
	return nil
}

// Options returns the options of a session's workspace.
func (w Workspaces) Options(of debate.Workspace) workspace.Options {
	return workspace.Options{
		Dir: of.Dir, Mode: workspace.Mode(of.Mode), Base: w.base(),
		Container: w.cfg.Tools.Container, Image: w.cfg.Tools.Image,
		Limits: workspace.Limits{
			Memory: int64(w.cfg.Tools.Memory) << 20, Processes: w.cfg.Tools.PIDs,
			CPU: max(workspace.DefaultCPU, time.Duration(w.cfg.Tools.CommandTimeout)),
		},
	}
}

// Named remembers which workspaces a user of this machine has named, in a file beside the
// log.
type Named struct{ stateDir string } // "": there is none

// Named returns the workspaces that were named here.
func (a *App) Named() Named { return Named{a.StateDir} }

func (w Named) missing() error {
	if w.stateDir == "" {
		return errors.New("there is no folder for the files of the debate; set HOME or XDG_STATE_HOME")
	}
	return nil
}

func (w Named) base() string { return filepath.Join(w.stateDir, "workspaces") }

func (w Named) removeStale() {
	if w.stateDir != "" {
		workspace.RemoveStale(w.base())
	}
}

// file returns the path of the list of workspaces that were named here: a hash for each
// session with its folder, so that nothing of a deleted debate can be read in it.
func (w Named) file() string { return filepath.Join(w.stateDir, "workspaces.named") }

func workspaceHash(s debate.Session) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %t", s.ID, s.Nonce, s.Workspace.Dir, s.Workspace.Mode, s.Workspace.Commands))
	return hex.EncodeToString(sum[:])
}

func (w Named) named(s debate.Session) (bool, error) {
	if err := w.missing(); err != nil {
		return false, err
	}
	list, err := os.ReadFile(w.file())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return slices.Contains(strings.Split(string(list), "\n"), workspaceHash(s)), err
}

// Fork stores a fork of a session. Its workspace is named if that of its origin was.
func (w Named) Fork(ctx context.Context, st *store.Store, parent debate.Session, plan debate.ForkPlan) (debate.Session, error) {
	s, err := st.Fork(ctx, parent.ID, plan)
	if err != nil {
		return s, err
	}
	if named, err := w.named(parent); !named || err != nil {
		return s, nil //nolint:nilerr // a workspace that is not known to be named is asked about again
	}
	return s, w.Name(s)
}

// Name remembers that a user of this machine has named the workspace of a session.
func (w Named) Name(s debate.Session) (err error) {
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

// NoWorkspace is what --workspace of a saved debate names to go on without its folder.
const NoWorkspace = "none"

// Moved returns the workspace of a saved session that to names, a folder or NoWorkspace, and
// the question to ask before the session gets it; "" if it has it already.
func Moved(s debate.Session, to string) (next debate.Workspace, question string, err error) {
	switch {
	case s.Workspace.Dir == "" && to == NoWorkspace:
		return next, "", nil
	case s.Workspace.Dir == "":
		return next, "", Usagef("debate %s has no workspace; one is chosen when a debate begins", s.ID)
	}
	old := text.Line(s.Workspace.Dir)
	if to == NoWorkspace {
		return next, fmt.Sprintf("Go on without the workspace %s?", old), nil
	}
	next = s.Workspace
	if next.Dir, err = filepath.Abs(withHome(to)); err != nil {
		return next, "", fmt.Errorf("find the workspace: %w", err)
	}
	if next.Dir == filepath.Clean(s.Workspace.Dir) {
		return s.Workspace, "", nil
	}
	if info, err := os.Stat(next.Dir); err != nil || !info.IsDir() {
		return next, "", Usagef("--workspace: %s is no folder that can be opened", text.Line(next.Dir))
	}
	return next, fmt.Sprintf("Go on in the workspace %s instead of %s?", text.Line(next.Dir), old), nil
}

// Move gives a saved session the workspace that Moved returned, and remembers that it was
// named.
func (w Named) Move(ctx context.Context, st *store.Store, s debate.Session, to string) (debate.Session, error) {
	next, question, err := Moved(s, to)
	if err == nil && question != "" {
		s, err = st.SetWorkspace(ctx, s.ID, next)
	}
	if err != nil {
		return s, err
	}
	return s, w.Name(s)
}

// MoveWorkspace gives a saved session the workspace that the flag --workspace names, if it
// names one. Where somebody can be asked it asks first; elsewhere it warns.
func (a *App) MoveWorkspace(ctx context.Context, st *store.Store, s debate.Session, flag string) (debate.Session, error) {
	if flag == "" {
		return s, nil
	}
	_, question, err := Moved(s, flag)
	switch {
	case err != nil:
		return s, err
	case question == "":
	case !a.CanAsk():
		a.Warn("--workspace: " + question + " Yes, since nobody can be asked.")
	default:
		yes, err := a.Agree(ctx, question)
		if err != nil {
			return s, err
		}
		if !yes {
			return s, Usagef("nothing was changed; without --workspace, debate %s keeps its folder", s.ID)
		}
	}
	return a.Named().Move(ctx, st, s, flag)
}

// toolEnvironment returns the variables that commands of agents see, besides HOME, which
// each seat has of its own, and TMPDIR, which each call has. No variable that may hold a key
// is among them.
func (a *App) toolEnvironment(cfg config.Config) []string {
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
