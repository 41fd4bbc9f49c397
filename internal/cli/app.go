package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/adrg/xdg"

	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
)

// app is one run of the program. Every command is a method of it.
type app struct {
	Process
	configFlag string
	dbFlag     string
	linear     bool // everything is printed line by line
	now        func() time.Time
	log        *slog.Logger
	logLevel   slog.LevelVar
	panics     panicReporter
	logFile    io.Closer
	stateDir   string // "": there is none
	closers    []io.Closer
	keyEnv     []string // the environment of key commands

	servers *mcp.Servers // see toolServers

	interrupts atomic.Pointer[chan struct{}] // takes ctrl+c instead of the end of the program; nil: nothing does
}

func newApp(p Process) *app {
	a := &app{Process: p, now: time.Now}
	if level, _ := a.Env("ROUNDTABLE_LOG"); level == "debug" {
		a.logLevel.Set(slog.LevelDebug)
	}
	folder, err := environ(a.Env).folder(xdg.StateHome, "XDG_STATE_HOME")
	if err == nil {
		a.log, a.logFile, err = openLog(folder, &a.logLevel)
	}
	if err != nil {
		a.warn(fmt.Sprintf("no log is written: %v", err))
		a.log, a.logFile = slog.New(slog.DiscardHandler), io.NopCloser(nil)
	}
	log.SetFlags(0)
	log.SetOutput(libraryLog{a.log})
	a.stateDir, a.panics = folder, panicReporter{folder, a.log, a.now}
	return a
}

// close closes what the command opened, in reverse order.
func (a *app) close() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		if err := a.closers[i].Close(); err != nil {
			a.log.Error("close", "cause", err)
		}
	}
	a.closers = nil
	_ = a.logFile.Close() // there is no log left to report it to
}

// configPath returns the path of the configuration file. Named reports whether the user
// chose it; it must exist then.
func (a *app) configPath() (path string, named bool, err error) {
	if a.configFlag != "" {
		return a.configFlag, true, nil
	}
	if path, ok := a.Env("ROUNDTABLE_CONFIG"); ok && path != "" {
		return path, true, nil
	}
	folder, err := environ(a.Env).folder(xdg.ConfigHome, "XDG_CONFIG_HOME")
	return filepath.Join(folder, "config.toml"), false, err
}

// dbPath returns the path of the database. Named reports whether the user chose it.
func (a *app) dbPath() (path string, named bool, err error) {
	if a.dbFlag != "" {
		return a.dbFlag, true, nil
	}
	if path, ok := a.Env("ROUNDTABLE_DB"); ok && path != "" {
		return path, true, nil
	}
	folder, err := environ(a.Env).folder(xdg.DataHome, "XDG_DATA_HOME")
	return filepath.Join(folder, "roundtable.db"), false, err
}

// config reads the configuration. Found is false if there is no file, which is an error
// only if the user named it.
func (a *app) config() (cfg config.Config, found bool, err error) {
	path, named, err := a.configPath()
	if err != nil {
		return cfg, false, err
	}
	cfg, err = config.Load(path)
	a.Env, a.keyEnv = config.Withhold(a.Env, cfg)
	var faulty *config.Error
	switch {
	case err == nil:
		if warning := config.ReadableByOthers(path, cfg); warning != "" {
			a.warn(warning)
		}
		return cfg, true, nil
	case errors.Is(err, fs.ErrNotExist) && !named:
		cfg = config.Default()
		cfg.ModesDir = config.ModesBeside(path)
		return cfg, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return cfg, false, usagef("there is no config file %s; `roundtable config init` writes one", path)
	case errors.As(err, &faulty):
		return cfg, false, err
	default:
		return cfg, false, usagef("%v", err)
	}
}

// configForDemo returns the default configuration with a warning if only the demo
// debates, which needs none. Otherwise it returns err, the error of config.
func (a *app) configForDemo(err error, demoOnly bool) (config.Config, error) {
	if !demoOnly || !a.demoIgnoresConfig() {
		return config.Config{}, err
	}
	a.warn(err.Error() + "\nThe demo needs no config and runs without it.")
	path, _, err := a.configPath()
	if err != nil {
		return config.Config{}, err
	}
	cfg := config.Default()
	cfg.ModesDir = config.ModesBeside(path)
	return cfg, nil
}

// demoIgnoresConfig reports whether the demo can be run although the config cannot be
// read. A mistyped name of a file is an error for the demo too.
func (a *app) demoIgnoresConfig() bool {
	path, _, pathErr := a.configPath()
	if pathErr != nil {
		return false
	}
	_, gone := os.Stat(path)
	return !errors.Is(gone, fs.ErrNotExist)
}

// warn prints a warning.
func (a *app) warn(content string) {
	fmt.Fprintln(a.Stderr, "roundtable: "+text.Sanitize(content)) //nolint:errcheck // a warning that cannot be shown is not a failure
}

// existingStore opens the database of a command that needs one; it does not create it.
func (a *app) existingStore(ctx context.Context) (*store.Store, error) {
	if err := databaseExists(a); err != nil {
		return nil, err
	}
	return a.openStore(ctx)
}

// databaseExists returns an error if there is no database yet.
func databaseExists(a *app) error {
	path, _, err := a.dbPath()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return usagef("no debates yet: there is no database at %s. `roundtable new` starts a debate, --db selects another database",
			text.Line(path))
	}
	return nil
}

// openStore opens the database, creates it if it does not exist, and removes what was
// deleted before.
func (a *app) openStore(ctx context.Context) (*store.Store, error) {
	s, err := openUnchanged(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := s.Purge(ctx); err != nil {
		a.log.Error("purge", "cause", err)
	}
	return s, nil
}

// openUnchanged opens the database as openStore does, and removes nothing.
func openUnchanged(ctx context.Context, a *app) (*store.Store, error) {
	path, _, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of the database: %w. Nothing was changed; --db selects another file", err)
	}
	s, err := store.Open(ctx, path, store.Options{Now: a.now})
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, s)
	for _, n := range s.Notices() {
		a.warn(n)
	}
	return s, nil
}

// closeFunc is a function as an io.Closer.
type closeFunc func() error

// Close calls the function.
func (c closeFunc) Close() error { return c() }

// readSession reads a saved session without locking it.
func (a *app) readSession(ctx context.Context, prefix string) (*store.Store, debate.Session, error) {
	st, err := a.existingStore(ctx)
	if err != nil {
		return nil, debate.Session{}, err
	}
	s, err := st.Session(ctx, prefix)
	return st, s, err
}

// lockSession opens a saved session for changes. It holds the lock until the program ends,
// and closes turns that a crash has left running.
func (a *app) lockSession(ctx context.Context, prefix string) (*store.Store, debate.Session, error) {
	st, err := a.existingStore(ctx)
	if err != nil {
		return nil, debate.Session{}, err
	}
	id, err := st.Resolve(ctx, prefix)
	if err != nil {
		return nil, debate.Session{}, err
	}
	if err := a.lock(ctx, st, id); err != nil {
		return nil, debate.Session{}, err
	}
	s, err := st.Repair(ctx, id)
	return st, s, err
}

func (a *app) lock(ctx context.Context, s *store.Store, id string) error {
	l, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, closeFunc(l.Unlock))
	return nil
}

// openClients returns the providers of a configuration. They are closed with the app.
func openClients(ctx context.Context, a *app, cfg config.Config, pace time.Duration) *config.Clients {
	c := config.NewClients(ctx, cfg, config.ClientOptions{
		Env: a.Env, CommandEnv: a.keyEnv, Log: a.log, Pace: pace, StateDir: a.stateDir, Version: version(), Bridge: bridgeCommand(),
	})
	a.closers = append(a.closers, c)
	return c
}

// engine returns the engine on a store, with the built-in tools. It is closed with the
// app.
func (a *app) engine(s *store.Store, cfg config.Config, c *config.Clients) *engine.Engine {
	e := engine.New(a.panics.watch(engine.Options{
		Recorder: s, Provider: c.Provider, Tools: builtinTools(cfg), ExternalTools: externalTools(a, s, cfg),
		Now: a.now, AskAgain: cfg.Context.AskAgain,
		Workspaces: sessionWorkspaces{cfg, a.stateDir}.open, Env: toolEnvironment(a, cfg),
	}))
	a.closers = append(a.closers, e)
	return e
}
