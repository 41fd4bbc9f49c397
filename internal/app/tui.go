package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/headless"
	"roundtable/internal/term"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/pane"
	"roundtable/tui/setup"
)

// Interactive runs the interface until the user quits.
func (a *App) Interactive(ctx context.Context, at Start) error {
	t, err := a.Terminal()
	if err != nil && !a.Linear {
		return err
	}
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	if at.New != nil {
		if err := NewBuilder(cfg, found).check(*at.New); err != nil {
			return err
		}
		if _, err := a.ReadFiles(ctx, at.Files); err != nil { // the form reads them when the debate begins
			return err
		}
	}
	openStore := a.OpenStore
	if at.Resume != "" || at.Last {
		openStore = a.ExistingStore
	}
	st, err := openStore(ctx)
	if err != nil {
		return err
	}
	if a.ReadsLines() {
		return a.runLinear(ctx, cfg, found, st, at)
	}
	first, err := a.begin(ctx, st, at)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deps := a.deps(ctx, cfg, found, st, at)
	deps.Theme.Profile = t.Profile
	h := term.NewSignals(tui.Suspend{}, tui.Resume{})
	deps.Start, deps.Suspend = first, h.Suspend
	return a.present(ctx, cancel, t, tui.New(ctx, deps), h)
}

// begin returns what the interface shows first. A session that cannot be opened is an
// error here, before the screen changes.
func (a *App) begin(ctx context.Context, st *store.Store, at Start) (tui.Start, error) {
	if at.New != nil {
		o := at.New
		return tui.Start{New: true, Begin: at.Begin, Topic: o.Topic, Mode: o.Mode, Rounds: o.Rounds, Files: at.Files}, nil
	}
	if at.Resume == "" && !at.Last {
		return tui.Start{}, nil
	}
	var id string
	var err error
	if at.Resume != "" {
		id, err = st.Resolve(ctx, at.Resume)
	} else {
		id, err = st.Last(ctx)
	}
	if err != nil {
		return tui.Start{}, err
	}
	if pid, held := st.Held(id); held {
		return tui.Start{}, &store.LockedError{ID: id, PID: pid}
	}
	if at.Workspace != "" {
		s, err := st.Session(ctx, id)
		if err == nil {
			err = a.Workspaces(config.Config{}).Confirm(s, at.Workspace)
		}
		if err != nil {
			return tui.Start{}, err
		}
	}
	return tui.Start{Session: id}, nil
}

// deps returns everything that the interface depends on.
func (a *App) deps(ctx context.Context, cfg config.Config, found bool, st *store.Store, at Start) tui.Deps {
	builder, env := NewBuilder(cfg, found), Environ(a.Env)
	look := config.Discovery{Env: a.Env, Ollama: config.ListOllama, LookPath: exec.LookPath}
	form := setupForm{Builder: builder, discovery: look}
	if at.New != nil {
		form.options = *at.New
	}
	folder, err := form.Workspace(form.options)
	if err != nil {
		a.Log.Warn("workspace", "cause", err) // the form of a new debate tells the user
	}
	c := a.OpenClients(ctx, cfg, demo.Readable)
	eng := a.Engine(st, cfg, c)
	d := tui.Deps{
		Player:   NewPlayer(eng, c),
		Sessions: newSessionService(st, builder, a.StateDir, eng.CloseSession, a.Now),
		Writer:   st, Receipts: st,
		Offer: offer(a.Example, form), Company: func(provider string) (string, bool) { return cfg.Recipient(provider, a.Env) },
		Silence: func(provider string) pane.Silence {
			first, between := cfg.Silence(provider)
			return pane.Silence{First: first, Between: between}
		},
		Files: attachedFiles{env, folder.Dir}, Evidence: st, AllowWorkspace: a.Workspaces(config.Config{}).allow,
		Panels: panelsOf(builder),
		Models: modelLister(c), SavePanel: a.savePanel(),
		ReadOnly: st.ReadOnly(),
		Export:   exporter(st),
		Text:     transcript,
		Editor:   env.command("VISUAL", "EDITOR"), Pager: env.command("PAGER"), Now: a.Now,
		Theme: env.theme(cfg.UI), Fixed: cfg.UI.Theme == "dark" || cfg.UI.Theme == "light",
		ASCII: cfg.UI.Symbols == "auto" && !env.speaksUTF8(),
		Mouse: cfg.UI.Mouse, EnterSends: cfg.UI.EnterSends, Ages: true,
		Terminal: env.terminal(), Notify: cfg.UI.Notifications,
	}
	if st.ReadOnly() == "" {
		d.Check, d.SaveCopy = st.Check, databaseCopier(st)
	}
	if len(d.Pager) == 0 {
		if less, err := exec.LookPath("less"); err == nil {
			d.Pager = []string{less}
		}
	}
	if len(cfg.Tools.MCP) > 0 {
		d.Tools = toolApprovals{a.ToolServers(st, cfg)}
	}
	if !found {
		d.WriteConfig = func(context.Context) (string, error) {
			path, _, err := a.ConfigPath()
			if err != nil {
				return "", err
			}
			return path, a.InitConfig(path)
		}
	}
	return d
}

// offer returns the function that fills the form of a new debate. The example
// configuration is parsed when it is called: the first frame does not need it.
func offer(exampleConfig []byte, form setupForm) func(context.Context) (setup.Options, error) {
	return func(ctx context.Context) (setup.Options, error) {
		example, err := config.Parse("config.example.toml", exampleConfig)
		if err != nil {
			return setup.Options{}, err
		}
		form.discovery.Example = example
		return form.offer(ctx)
	}
}

// present runs the interface until it ends. It restores the terminal, saves what is
// unfinished and returns every error.
func (a *App) present(ctx context.Context, cancel context.CancelFunc, t term.TTY, m *tui.Model, h *term.Signals) error {
	panicked, err := t.Run(ctx, cancel, m, h)
	err = errors.Join(err, drainUI(m))
	if panicked != nil {
		err = errors.Join(a.Panics.Fatal(panicked), err)
	}
	if text := m.Farewell(); text != "" {
		err = errors.Join(err, a.Print("%s\n", text))
	}
	if err != nil {
		return fmt.Errorf("the interface has ended: %w", err)
	}
	return nil
}

// drainUI saves what is unfinished. A model that has panicked may panic again.
func drainUI(m *tui.Model) (err error) {
	defer crash.Catch(&err)
	return m.Drain()
}

// maxConfig bounds the config file that a panel is added to, in bytes.
const maxConfig = 1 << 20

// savePanel adds a panel to the config file, or writes one with its agents.
func (a *App) savePanel() setup.PanelSaver {
	return func(_ context.Context, p setup.NewPanel) (string, error) {
		path, _, err := a.ConfigPath()
		if err != nil {
			return "", err
		}
		raw, err := text.ReadFile(path, maxConfig)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return "", fmt.Errorf("read the config: %w", err)
		}
		out, err := config.AddPanel(path, raw, config.NewPanel{Name: p.Name, Seats: p.Seats, Chair: p.Chair, Light: p.Light}, p.Agreed)
		switch {
		case errors.Is(err, config.ErrPanelExists):
			return "", &setup.ConsentError{Question: fmt.Sprintf("Replace the agents of the panel %s?", p.Name), Verb: "replace"}
		case err != nil:
			return "", fmt.Errorf("the panel was not saved: %w", err)
		case missing && !p.Agreed:
			return "", &setup.ConsentError{
				Question: fmt.Sprintf("Write a config with %s to %s?", text.Count(len(p.Seats), "agent"), path), Verb: "write it",
			}
		}
		if err := replaceConfig(path, out); err != nil {
			return "", fmt.Errorf("the panel was not saved in %s: %w", path, err)
		}
		return fmt.Sprintf("Saved the panel %s in %s.", p.Name, path), nil
	}
}

// replaceConfig writes the config file, or the one that it is a link to. Its permissions
// stay.
func replaceConfig(path string, content []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	} else if err != nil {
		return WithoutPath(err)
	}
	return WriteFileAtomic(path, info != nil, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok && info != nil {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		_, err := w.Write(content)
		return err
	})
}

// modelLister asks a provider for its models. What failed before is tried again.
func modelLister(c *config.Clients) setup.ModelLister {
	return func(ctx context.Context, provider string) (models []agents.ModelInfo, err error) {
		c.Prepare([]agents.Profile{{Provider: provider}})
		defer crash.Catch(&err)
		return c.Models(ctx, provider)
	}
}

// databaseCopier returns the interface's function that copies the database. The copy is
// in the first of the current, the home and the temporary folder that takes it.
func databaseCopier(st *store.Store) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		var errs []error
		for _, folder := range []func() (string, error){os.Getwd, os.UserHomeDir, func() (string, error) { return os.TempDir(), nil }} {
			dir, err := folder()
			if err == nil {
				var path string
				if path, err = copyToFolder(ctx, st, dir); err == nil {
					return path, nil
				}
			}
			errs = append(errs, err)
		}
		return "", errors.Join(errs...)
	}
}

// copyToFolder copies the database to a new file in a folder and returns its path.
func copyToFolder(ctx context.Context, st *store.Store, dir string) (string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, "roundtable-copy.db")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("roundtable-copy-%d.db", n))
		}
		if err := st.SaveCopy(ctx, path); !errors.Is(err, fs.ErrExist) || n > maxCopies {
			return path, err
		}
	}
}

// Start say what the interface shows first.
type Start struct {
	Resume    string   // the id of a session
	Last      bool     // the session that changed last
	Workspace string   // of the session, which the user confirms
	New       *Plan    // the form of a new debate
	Files     []string // its evidence
	Begin     bool     // the new debate itself, started at once
}

// maxCopies is the highest number that exportToFolder appends to a name.
const maxCopies = 999

// exporter returns the interface's export function. While a round runs it exports the
// stored session, as the command does, since streamed text is not part of one yet.
func exporter(st *store.Store) func(context.Context, debate.Session, bool, tui.Format) (string, error) {
	return func(ctx context.Context, s debate.Session, running bool, f tui.Format) (string, error) {
		if running {
			stored, err := st.Session(ctx, s.ID)
			if err != nil {
				return "", fmt.Errorf("read the saved session: %w. Nothing was exported; press e again when the round is done", err)
			}
			s = stored
		}
		return exportToFolder(ctx, s, running, f)
	}
}

// exportToFolder writes a session to a new file in the current folder and returns its path.
func exportToFolder(_ context.Context, s debate.Session, running bool, f tui.Format) (string, error) {
	format := report.Format(f)
	doc := report.Of(s, report.Options{Live: running})
	first, err := filepath.Abs(report.FileName(s.ID, format))
	if err != nil {
		return "", fmt.Errorf("the current folder does not exist: %w", err)
	}
	path := first
	for n := 2; ; n++ {
		err = WriteFileAtomic(path, false, func(w io.Writer) error { return doc.Write(w, format) })
		if !errors.Is(err, fs.ErrExist) || n > maxCopies {
			break
		}
		ext := filepath.Ext(first)
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(first, ext), n, ext)
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w. Nothing was written; `roundtable export %s -o FILE` writes it elsewhere", path, err, s.ID)
	}
	return path, nil
}

// toolApprovals adapts the servers to the interface.
type toolApprovals struct{ servers *mcp.Servers }

// Changed implements tui.ToolApprovals.
func (t toolApprovals) Changed(ctx context.Context) ([]tui.ToolChange, error) {
	changes, err := t.servers.Changes(ctx)
	var all []tui.ToolChange
	for _, c := range changes {
		all = append(all, tui.ToolChange{Name: c.Name(), Diff: c.Diff()})
	}
	return all, err
}

// Approve implements tui.ToolApprovals. Only what the user was shown is approved.
func (t toolApprovals) Approve(ctx context.Context, shown []tui.ToolChange) error {
	changes, err := t.servers.Changes(ctx)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c mcp.Change) bool {
		return !slices.Contains(shown, tui.ToolChange{Name: c.Name(), Diff: c.Diff()})
	})
	return t.servers.Approve(ctx, changes...)
}

// transcript returns a session as `roundtable show` prints it.
func transcript(s debate.Session) string {
	var b strings.Builder
	headless.NewTextReporter(&b, false).Transcript(s)
	return b.String()
}
