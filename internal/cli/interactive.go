package cli

import (
	"context"
	"os"
	"os/exec"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"roundtable/agents/demo"
	"roundtable/debate"
	wiring "roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/pane"
	"roundtable/tui/setup"
)

// interactive runs the interface until the user quits.
func (a *app) interactive(ctx context.Context, at startOptions) error {
	t, err := a.terminal()
	if err != nil && !a.linear {
		return err
	}
	cfg, found, err := a.config()
	if err != nil {
		return err
	}
	if at.new != nil {
		if err := (sessionBuilder{cfg, found}).check(*at.new); err != nil {
			return err
		}
		if _, err := readFiles(ctx, a, at.new.files); err != nil { // the form reads them when the debate begins
			return err
		}
	}
	openStore := a.openStore
	if at.resume != "" || at.last {
		openStore = a.existingStore
	}
	st, err := openStore(ctx)
	if err != nil {
		return err
	}
	if readsLines(a) {
		return runLinear(ctx, a, cfg, found, st, at)
	}
	first, err := a.begin(ctx, st, at)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deps := a.deps(ctx, cfg, found, st, at)
	deps.Theme.Profile = t.profile
	h := newSignals()
	deps.Start, deps.Suspend = first, h.suspend
	return a.present(ctx, cancel, t, tui.New(ctx, deps), h)
}

// terminal returns the terminal of the process, or an error that names alternatives if
// there is none.
func (a *app) terminal() (tty, error) {
	in, reads := a.Stdin.(*os.File)
	out, writes := fileOf(a.Stdout)
	if !reads || !writes || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return tty{}, usagef("the interface needs a terminal; use `roundtable run` instead, or --linear")
	}
	return tty{in, &ttyWriter{file: out}, colorprofile.Detect(out, os.Environ())}, nil
}

func isTerminal(f any) bool {
	file, ok := fileOf(f)
	return ok && term.IsTerminal(file.Fd())
}

// begin returns what the interface shows first. A session that cannot be opened is an
// error here, before the screen changes.
func (a *app) begin(ctx context.Context, st *store.Store, at startOptions) (tui.Start, error) {
	if at.new != nil {
		o := at.new
		return tui.Start{New: true, Begin: at.begin, Topic: o.topic, Mode: o.mode, Rounds: o.rounds, Files: o.files}, nil
	}
	if at.resume == "" && !at.last {
		return tui.Start{}, nil
	}
	var id string
	var err error
	if at.resume != "" {
		id, err = st.Resolve(ctx, at.resume)
	} else {
		id, err = st.Last(ctx)
	}
	if err != nil {
		return tui.Start{}, err
	}
	if pid, held := st.Held(id); held {
		return tui.Start{}, &store.LockedError{ID: id, PID: pid}
	}
	if at.workspace != "" {
		s, err := st.Session(ctx, id)
		if err == nil {
			err = sessionWorkspaces{stateDir: a.stateDir}.confirm(s, at.workspace)
		}
		if err != nil {
			return tui.Start{}, err
		}
	}
	return tui.Start{Session: id}, nil
}

// deps returns everything that the interface depends on.
func (a *app) deps(ctx context.Context, cfg config.Config, found bool, st *store.Store, at startOptions) tui.Deps {
	builder, env := sessionBuilder{cfg, found}, environ(a.Env)
	look := config.Discovery{Env: a.Env, Ollama: config.ListOllama, LookPath: exec.LookPath}
	form := setupForm{sessionBuilder: builder, discovery: look}
	if at.new != nil {
		form.options = *at.new
	}
	folder, err := form.workspace(form.options)
	if err != nil {
		a.log.Warn("workspace", "cause", err) // the form of a new debate tells the user
	}
	c := openClients(ctx, a, cfg, demo.Readable)
	eng := a.engine(st, cfg, c)
	d := tui.Deps{
		Player:   wiring.Player{Engine: eng, Prepare: c.Prepare},
		Sessions: newSessionService(st, builder, a.stateDir, eng.CloseSession, a.now),
		Writer:   st, Receipts: st,
		Offer: offer(a.Example, form), Company: func(provider string) (string, bool) { return cfg.Recipient(provider, a.Env) },
		Silence: func(provider string) pane.Silence {
			first, between := cfg.Silence(provider)
			return pane.Silence{First: first, Between: between}
		},
		Files: attachedFiles{env, folder.Dir}, Evidence: st, AllowWorkspace: sessionWorkspaces{stateDir: a.stateDir}.allow,
		Panels: panelsOf(builder),
		Models: modelLister(c), SavePanel: savePanel(a),
		ReadOnly: st.ReadOnly(),
		Export:   exporter(st),
		Text: func(s debate.Session) string {
			var b strings.Builder
			headless.NewTextReporter(&b, false).Transcript(s)
			return b.String()
		},
		Editor: env.command("VISUAL", "EDITOR"), Pager: env.command("PAGER"), Now: a.now,
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
		d.Tools = toolApprovals{toolServers(a, st, cfg)}
	}
	if !found {
		d.WriteConfig = func(context.Context) (string, error) {
			path, _, err := a.configPath()
			if err != nil {
				return "", err
			}
			return path, a.initConfig(path)
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
