// Package app wires configuration, store, engine and clients, and hands them to a front end:
// the interface, the program line by line, the MCP server or a command.
//
// It imports everything but internal/cli. It must not decide anything about a debate, and
// knows no command line: the session of a new debate, whoever asks for it, is made by
// Builder.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adrg/xdg"

	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/internal/config"
	"roundtable/internal/term"
	"roundtable/internal/text"
	"roundtable/store"
)

// Process is the environment that the program runs in.
type Process struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Env     func(name string) (value string, ok bool)
	Example []byte // the commented configuration that `config init` writes
}

// App is one run of the program: its files, and all that it has opened.
type App struct {
	Process
	ConfigFlag string
	DBFlag     string
	Door       string // how the program was started, for other processes
	Linear     bool   // everything is printed line by line
	OnlyLocal  bool   // as in the configuration
	NoCommands bool   // nobody can be asked about commands of agents, and none is allowed
	Now        func() time.Time
	Log        *slog.Logger
	LogLevel   slog.LevelVar
	Store      store.Options                       // of the database, but for the clock and the door
	Parts      func(engine.Options) engine.Options // puts parts of the engine in the place of others; nil: it does not
	logFile    io.Closer
	StateDir   string // "": there is none
	LogPath    string // "": no log is written
	opened     sync.Mutex
	closers    []io.Closer // guarded by opened: a screen may open the database while the program ends
	keyEnv     []string    // the environment of key commands

	AllowCommands [][]string // see engine.Options

	servers *mcp.Servers // see ToolServers

	Command func(ctx context.Context, out io.Writer, args ...string) int // runs another command beside this one
	// ReadField reads a value of a plan as the flag of that name does.
	ReadField func(p *debate.Plan, field, value string) error

	Interrupts atomic.Pointer[chan struct{}] // takes ctrl+c instead of the end of the program; nil: nothing does
}

// New returns a run of the program, with its log open.
func New(p Process) *App {
	a := &App{Process: p, Now: time.Now}
	if level, _ := a.Env("ROUNDTABLE_LOG"); level == "debug" {
		a.LogLevel.Set(slog.LevelDebug)
	}
	folder, err := Environ(a.Env).folder(xdg.StateHome, "XDG_STATE_HOME")
	if err == nil {
		a.Log, a.logFile, err = term.OpenLog(folder, &a.LogLevel)
		a.LogPath = filepath.Join(folder, "roundtable.log")
	}
	if err != nil {
		a.LogPath = ""
		a.Warn(fmt.Sprintf("no log is written: %v", err))
		a.Log, a.logFile = slog.New(slog.DiscardHandler), io.NopCloser(nil)
	}
	log.SetOutput(io.Discard) // what libraries print would cover panes, and may quote an answer or a key
	a.StateDir = folder
	return a
}

// Close closes what the command opened, in reverse order.
func (a *App) Close() {
	a.opened.Lock()
	all := a.closers
	a.closers = nil
	a.opened.Unlock()
	for _, c := range slices.Backward(all) {
		if err := c.Close(); err != nil {
			a.Log.Error("close", "cause", err)
		}
	}
	if a.logFile != nil {
		_ = a.logFile.Close() // there is no log left to report it to
	}
}

func (a *App) closeAtEnd(c io.Closer) {
	a.opened.Lock()
	defer a.opened.Unlock()
	a.closers = append(a.closers, c)
}

// ConfigPath returns the path of the configuration file. Named reports whether the user
// chose it; it must exist then.
func (a *App) ConfigPath() (path string, named bool, err error) {
	set, _ := a.Env("ROUNDTABLE_CONFIG")
	if path := cmp.Or(a.ConfigFlag, set); path != "" {
		return path, true, nil
	}
	folder, err := Environ(a.Env).folder(xdg.ConfigHome, "XDG_CONFIG_HOME")
	return filepath.Join(folder, "config.toml"), false, err
}

// DBPath returns the path of the database. Named reports whether the user chose it.
func (a *App) DBPath() (path string, named bool, err error) {
	set, _ := a.Env("ROUNDTABLE_DB")
	if path := cmp.Or(a.DBFlag, set); path != "" {
		return path, true, nil
	}
	folder, err := Environ(a.Env).folder(xdg.DataHome, "XDG_DATA_HOME")
	return filepath.Join(folder, "roundtable.db"), false, err
}

// Commands words command lines with the flags that this run was started with. What the
// environment names is left out: it holds for the next command in the same shell too.
func (a *App) Commands() text.Program { return text.Program{Config: a.ConfigFlag, DB: a.DBFlag} }

// Config reads the configuration. Found is false if there is no file, which is an error
// only if the user named it.
func (a *App) Config() (cfg config.Config, found bool, err error) {
	path, named, err := a.ConfigPath()
	if err != nil {
		return cfg, false, err
	}
	cfg, err = config.Load(path)
	defer func() { cfg.Defaults.OnlyLocal = cfg.Defaults.OnlyLocal || a.OnlyLocal }()
	a.Env, a.keyEnv = config.Withhold(a.Env, cfg)
	cfg = cfg.WithLists(a.lists())
	var faulty *config.Error
	switch {
	case err == nil:
		notices, err := config.WritableByOthers(path)
		for _, notice := range notices {
			a.Warn(notice)
		}
		if err != nil {
			return config.Config{}, false, Usagef("%v", err)
		}
		if warning := config.ReadableByOthers(path, cfg); warning != "" {
			a.Warn(warning)
		}
		return cfg, true, nil
	case errors.Is(err, fs.ErrNotExist) && !named:
		cfg = config.Default().WithLists(a.lists())
		cfg.ModesDir = config.ModesBeside(path)
		return cfg, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return cfg, false, Usagef("there is no config file %s; `roundtable config init` writes one", path)
	case errors.As(err, &faulty):
		return cfg, false, err
	default:
		return cfg, false, Usagef("%v", err)
	}
}

// lists has the lists of models that servers gave today, in the cache folder if there is one.
func (a *App) lists() *config.Lists {
	folder, err := Environ(a.Env).folder(xdg.CacheHome, "XDG_CACHE_HOME")
	if err != nil {
		return config.NewLists(a.Env, "", a.Now)
	}
	return config.NewLists(a.Env, filepath.Join(folder, "lists"), a.Now)
}

// ConfigFor is Config for a debate. One by the demo alone needs none: if it cannot be read, that
// is a warning.
func (a *App) ConfigFor(demoOnly bool) (cfg config.Config, found bool, err error) {
	cfg, found, err = a.Config()
	if err == nil || !demoOnly {
		return cfg, found, err
	}
	a.Warn(err.Error() + "\nThe demo needs no config and runs without it.")
	cfg = config.Default()
	if path, _, err := a.ConfigPath(); err == nil {
		cfg.ModesDir = config.ModesBeside(path)
	}
	return cfg, false, nil
}

// Warn prints a warning.
func (a *App) Warn(content string) {
	content = text.Sanitize(a.Commands().Hints(content))
	fmt.Fprintln(a.Stderr, "roundtable: "+text.Uncapitalize(content)) //nolint:errcheck // a warning that cannot be shown is not a failure
}

// ExistingStore opens the database of a command that needs one; it does not create it.
func (a *App) ExistingStore(ctx context.Context) (*store.Store, error) {
	if err := a.DatabaseExists(); err != nil {
		return nil, err
	}
	return a.OpenStore(ctx)
}

// DatabaseExists returns an error if there is no database yet.
func (a *App) DatabaseExists() error {
	path, _, err := a.DBPath()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return Usagef("no debates yet: there is no database at %s. `roundtable new` starts a debate, --db selects another database",
			text.Line(path))
	}
	return nil
}

// NoDatabase reports whether there is no database yet, and none that the user named.
func (a *App) NoDatabase() (bool, error) {
	path, named, err := a.DBPath()
	if err != nil || named {
		return false, err
	}
	_, err = os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist), nil
}

// OpenStore opens the database, creates it if it does not exist, and removes what was
// deleted before.
func (a *App) OpenStore(ctx context.Context) (*store.Store, error) {
	s, err := a.OpenUnchanged(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Purge(ctx); err != nil {
		a.Log.Error("purge", "cause", err)
	}
	a.Named().removeStale()
	return s, nil
}

// OpenUnchanged opens the database as OpenStore does, and removes nothing.
func (a *App) OpenUnchanged(ctx context.Context) (*store.Store, error) {
	path, _, err := a.DBPath()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of the database: %w. Nothing was changed; --db selects another file", err)
	}
	o := a.Store
	o.Now, o.Door, o.Line = a.Now, a.Door, report.LineOf
	s, err := store.Open(ctx, path, o)
	if err != nil {
		return nil, err
	}
	a.closeAtEnd(s)
	for _, n := range s.Notices() {
		a.Warn(n)
	}
	return s, nil
}

// ReadSession reads a saved session without locking it.
func (a *App) ReadSession(ctx context.Context, prefix string) (*store.Store, debate.Session, error) {
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return nil, debate.Session{}, err
	}
	s, err := st.Session(ctx, prefix)
	return st, s, err
}

// LockSession opens a saved session for changes. It holds the lock until the program ends,
// and closes turns that a crash has left running.
func (a *App) LockSession(ctx context.Context, prefix string) (*store.Store, debate.Session, error) {
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return nil, debate.Session{}, err
	}
	id, err := st.Resolve(ctx, prefix)
	if err != nil {
		return nil, debate.Session{}, err
	}
	if err := st.Lock(ctx, id); err != nil {
		return nil, debate.Session{}, err
	}
	s, err := st.Repair(ctx, id)
	return st, s, err
}

// LockToPlay is LockSession for what adds to a debate: it refuses those that can only be read, and
// those of an evaluation, which are measured as they are.
func (a *App) LockToPlay(ctx context.Context, prefix string) (*store.Store, debate.Session, error) {
	st, s, err := a.LockSession(ctx, prefix)
	if err == nil && s.Gone != "" {
		err = s.Gone
	} else if err == nil && s.Eval != nil {
		err = Usagef("%s", s.Eval.Refusal())
	}
	return st, s, err
}

// UsageError is a mistake in the command line. Its text is for the user.
type UsageError struct{ error }

// Usagef returns a *UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Unwrap returns what is wrong.
func (e *UsageError) Unwrap() error { return e.error }

// Print writes text to standard output, made safe.
func (a *App) Print(format string, args ...any) error {
	return a.Write(text.Clean(fmt.Sprintf(a.Commands().Format(format), args...)))
}

// Write writes text to standard output as it is.
func (a *App) Write(text string) error {
	if _, err := io.WriteString(a.Stdout, text); err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	return nil
}

// Version returns the version of the module that this program was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// WarnOfStdin says so if what is read from standard input has to be typed.
func (a *App) WarnOfStdin(what string) {
	if IsTerminal(a.Stdin) {
		a.Warn("reading " + what + " from the terminal; ctrl+d ends it")
	}
}
