package app

import (
	"context"
	"errors"
	"fmt"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/term"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/debateview"
)

// Start says what the interface shows first.
type Start struct {
	Resume    string       // the id of a session
	Last      bool         // the session that changed last
	Workspace string       // of the session, which the user confirms
	New       *debate.Plan // the form of a new debate
	Files     []string     // its evidence
	Begin     bool         // the new debate itself, started at once
}

// Interactive runs the interface until the user quits.
func (a *App) Interactive(ctx context.Context, at Start) error {
	t, err := a.Terminal()
	if err != nil && !a.WantsLines() {
		return err
	}
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	var files []debate.Evidence
	if at.New != nil {
		b := NewBuilder(cfg, found)
		if at.New.Panel == FoundPanel {
			if b, err = a.For(ctx, b, *at.New); err != nil {
				return err
			}
		}
		if err := b.check(*at.New); err != nil {
			return err
		}
		if files, err = a.ReadFiles(ctx, at.Files); err != nil { // the form reads them again when the debate begins
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
		return a.runLinear(ctx, cfg, found, st, at, files)
	}
	first, err := a.begin(ctx, st, at)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deps := a.deps(ctx, cfg, found, st, at)
	deps.Start = first
	return a.present(ctx, cancel, t, deps)
}

// begin returns what the interface shows first. A session that cannot be opened is an
// error here, before the screen changes. The screens read along one that is open elsewhere.
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
	if by, held := st.Held(id); held && (at.Workspace != "" || a.ReadsLines()) {
		return tui.Start{}, store.Locked(id, by)
	}
	if at.Workspace != "" {
		s, err := st.Session(ctx, id)
		if err == nil {
			_, err = a.MoveWorkspace(ctx, st, s, at.Workspace)
		}
		if err != nil {
			return tui.Start{}, err
		}
	}
	return tui.Start{Session: id}, nil
}

func (a *App) deps(ctx context.Context, cfg config.Config, found bool, st *store.Store, at Start) tui.Deps {
	builder, env := NewBuilder(cfg, found), Environ(a.Env)
	c := a.OpenClients(ctx, cfg, demo.Readable)
	form := a.setupForm(builder, c)
	form.last = func(ctx context.Context) (*debate.Choice, error) { return st.LastChoice(ctx, "interface", "run") }
	if at.New != nil {
		form.options = *at.New
	}
	folder, err := form.Workspace(form.options)
	if err != nil {
		a.Log.Warn("workspace", "cause", err) // the form of a new debate tells the user
	}
	sessions := a.Sessions(st, builder, c)
	d := tui.Deps{
		Common: debateview.Common{
			Player: sessions.Player, Writer: st, Now: a.Now, EnterSends: cfg.UI.EnterSends, Keys: cfg.Keys,
			Servers: cfg.RemoteServers(), Company: func(provider string) (string, bool) { return cfg.Recipient(provider, a.Env) },
			Silence: func(provider string) control.Silence {
				first, between := cfg.Silence(provider)
				return control.Silence{First: first, Between: between}
			},
			AllowWorkspace: func(_ context.Context, s debate.Session) error { return a.Named().Name(s) },
			MovedWorkspace: func(_ context.Context, s debate.Session, to string) (string, error) {
				_, question, err := Moved(s, to)
				return question, err
			},
			MoveWorkspace: func(ctx context.Context, s debate.Session, to string) (debate.Session, error) {
				return a.Named().Move(ctx, st, s, to)
			},
		},
		Sessions: sessions, Receipts: st, Offer: form.offer, Evidence: st,
		Files: attachedFiles{env, folder.Dir, ledger.ByPerson("interface")}, Panels: panelsOf(builder),
		Models: modelLister(cfg, c), SavePanel: a.savePanel(), Review: a.reviewer(cfg, builder, form.options),
		ReadOnly: st.ReadOnly(), Export: exporter(st), Editor: env.command("VISUAL", "EDITOR"),
		Notify: cfg.UI.Notifications, Background: cfg.UI.Background,
	}
	a.addLook(&d, cfg)
	if st.ReadOnly() == "" {
		d.Check, d.SaveCopy = st.Check, databaseCopier(st)
	}
	if !found {
		d.WriteConfig = func(ctx context.Context) (string, error) {
			path, _, err := a.InitConfig(ctx)
			return path, err
		}
	}
	return d
}

func (a *App) addLook(d *tui.Deps, cfg config.Config) {
	env := Environ(a.Env)
	d.Theme, d.Fixed = env.theme(cfg.UI), cfg.UI.Theme == "dark" || cfg.UI.Theme == "light"
	d.ASCII, d.Mouse = cfg.UI.Symbols == "auto" && !env.speaksUTF8(), cfg.UI.Mouse
	d.Commands = a.Commands()
	d.KeysNotice, d.Terminal = cfg.KeysNotice(), env.terminal()
}

func (a *App) present(ctx context.Context, cancel context.CancelFunc, t term.TTY, d tui.Deps) error {
	d.Theme.Profile, d.Suspend = t.Profile, term.Suspender()
	m := tui.New(ctx, d)
	panicked, err := t.Run(ctx, cancel, m)
	err = errors.Join(err, drainUI(m))
	if panicked != nil {
		err = errors.Join(panicked.Fatal(a.Log), err)
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
