package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/app"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/text"
	"roundtable/store"
)

type checkState string

const (
	checkOK      checkState = "ok"
	checkWarning checkState = "warning" // a debate can be run all the same
	checkFailed  checkState = "failed"
)

type check struct {
	Name   string     `json:"name"`
	State  checkState `json:"state"`
	Text   string     `json:"text"`
	Remedy string     `json:"remedy,omitempty"` // what to do about it, as a sentence
}

func doctorCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor", Short: "Check config, keys, providers, database and terminal", Args: argCount(0, 0, ""),
		Example: "  roundtable doctor\n  roundtable doctor --json",
		Long: "Check everything that a debate needs: the config file, the keys (which are never printed), the\n" +
			"providers (each is asked for its models; the program of an agent is started and asked nothing), the models of\n" +
			"the seats, the workspace and its mode, the database and the terminal. Each line says what to do. The exit code\n" +
			"is 0 when a debate can be run, be it the demo.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := (&doctor{App: a}).diagnose(cmd.Context())
			var err error
			if asJSON {
				err = printJSON(a, all)
			} else {
				err = a.Print("%s", formatChecks(all))
			}
			if err == nil && slices.ContainsFunc(all, func(c check) bool { return c.State == checkFailed }) {
				err = ended(exitFailed)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

type doctor struct {
	*app.App
	checks []check
}

func (d *doctor) ok(name, text string) { d.add(name, checkOK, text, "") }

func (d *doctor) warn(name, text, remedy string) { d.add(name, checkWarning, text, remedy) }

func (d *doctor) fail(name string, err error, remedy string) {
	d.add(name, checkFailed, err.Error(), remedy)
}

// add adds a check. Commands in its words get the flags that this run was started with.
func (d *doctor) add(name string, state checkState, text, remedy string) {
	d.checks = append(d.checks, check{name, state, d.Commands().Hints(text), d.Commands().Hints(remedy)})
}

func (d *doctor) diagnose(ctx context.Context) []check {
	d.ok("program", fmt.Sprintf("roundtable %s, %s/%s", app.Version(), runtime.GOOS, runtime.GOARCH))
	cfg, found, err := d.Config()
	d.checkConfigFile(cfg, found, err)
	if err == nil {
		d.checkSettings(cfg)
		d.checkProviders(ctx, cfg)
		d.checkModels(cfg, d.seats(ctx, cfg, found))
		d.checkWorkspace(ctx, cfg)
		if n := len(cfg.Tools.MCP); n > 0 {
			d.add("tools", checkOK, text.Count(n, "MCP server"), "`roundtable tools list` starts them and lists their tools.")
		}
	}
	d.add("demo", checkOK, "the panel demo needs no model, key or network", "`roundtable run QUESTION --panel demo` tries it.")
	d.checkDatabase(ctx)
	if d.LogPath == "" {
		d.warn("log", "no log is written", "Set HOME or XDG_STATE_HOME to a folder that can be written.")
	} else {
		d.ok("log", text.Line(d.LogPath))
	}
	d.checkTerminal()
	return d.checks
}

func formatChecks(all []check) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%-8s %-10s %s\n", c.State, c.Name, strings.ReplaceAll(c.Text, "\n", "\n"+strings.Repeat(" ", 20)))
		if c.Remedy != "" {
			fmt.Fprintf(&b, "%20s%s\n", "", c.Remedy)
		}
	}
	return b.String()
}

// checkConfigFile says which file is used. Without one the demo runs, enough for exit code 0.
func (d *doctor) checkConfigFile(cfg config.Config, found bool, err error) {
	path, _, pathErr := d.ConfigPath()
	path = text.Line(path)
	switch {
	case pathErr != nil:
		d.fail("config", pathErr, "--config names a file.")
	case err != nil:
		d.warn("config", err.Error(), "Only the demo can be run until the file is fixed; `roundtable config check` checks it again.")
	case !found:
		d.warn("config", "there is no file "+path,
			"`roundtable config init` writes one; without it, models are found by the keys in the environment.")
	default:
		d.ok("config", path+": "+contents(cfg))
	}
}

func contents(cfg config.Config) string {
	counts := []string{
		text.Count(len(cfg.Providers), "provider"),
		text.Count(len(cfg.Agents), "seat"),
		text.Count(len(cfg.Panels), "panel"),
	}
	said := []string{strings.Join(counts, ", ")}
	return strings.Join(append(said, cfg.Ignored()...), "; ")
}

func (d *doctor) checkSettings(cfg config.Config) {
	if path, _, err := d.ConfigPath(); err == nil && len(cfg.KeyProblems) > 0 {
		faulty := &config.Error{Path: path, Problems: cfg.KeyProblems}
		d.warn("config", faulty.Error(), "Mend these lines; until then the standard keys are used in their place.")
	}
	all, faults := modes.Load(cfg.ModesDir)
	if len(faults) > 0 {
		d.warn("modes", errors.Join(faults...).Error(), "Mend the files; until then these modes are left out.")
	} else {
		d.ok("modes", text.Count(len(all), "mode"))
	}
}

func (d *doctor) checkProviders(ctx context.Context, cfg config.Config) {
	var ready []string
	clients := d.OpenClients(ctx, cfg, 0)
	for _, name := range cfg.Usable(d.Env) {
		asks, program := cfg.ProgramAsks(name)
		switch missing := cfg.Missing(name, d.Env); {
		case missing != "" && program:
			d.warn("provider", name+": not installed", text.Capitalize(missing)+".")
		case missing != "":
			d.warn("provider", name+": no key", text.Capitalize(missing)+".")
		case program:
			d.checkProgram(ctx, clients, name, asks)
		default:
			ready = append(ready, name)
		}
	}
	if u := cfg.Unseated(exec.LookPath); u.Command != "" {
		d.add("agent", checkOK, u.Says, fmt.Sprintf("`%s` needs %s.", u.Command, u.Needs))
	}
	listing, cancel := context.WithTimeout(ctx, config.ListTimeout)
	defer cancel()
	for _, o := range askModels(listing, cfg, clients, ready, true) {
		d.checkList(ctx, cfg, clients, o)
	}
}

func (d *doctor) checkList(ctx context.Context, cfg config.Config, clients *config.Clients, o offeredModels) {
	name := text.Line(o.Provider)
	switch {
	case o.Unasked:
		d.ok("provider", name+": "+config.ErrListsOff.Error())
		return
	case o.Error != "":
		d.warn("provider", o.Error, "")
		return
	}
	state, remedy, says := checkOK, "", fmt.Sprintf("%s: answers, %s", name, o.count())
	if o.Cut > 0 {
		state = checkWarning
	}
	if missing := missingModels(cfg, o); len(missing) > 0 {
		state, says = checkWarning, says+"; its list lacks "+strings.Join(missing, ", ")
		remedy = fmt.Sprintf("`roundtable models %s` lists them; some servers also take names that they do not list.", name)
	}
	if clients.KeyUnchecked(ctx, o.Provider) {
		says += "; the key was not checked, since the list needs none"
	}
	d.add("provider", state, says, remedy)
}

// checkProgram starts a program. Nothing is asked: whether it is signed in is not known.
func (d *doctor) checkProgram(ctx context.Context, clients *config.Clients, name, asks string) {
	words, err := guarded(func() (string, error) { return clients.Check(ctx, name) })
	if err != nil {
		d.warn("provider", text.Line(err.Error()), "")
		return
	}
	d.add("provider", checkOK, fmt.Sprintf("%s: %s\nPermissions: %s.", text.Line(name), words, asks),
		"Whether it is signed in is seen when it is asked.")
}

func missingModels(cfg config.Config, o offeredModels) []string {
	var missing []string
	for _, one := range cfg.Agents {
		if one.Provider == o.Provider && !o.lists(one.Model) {
			missing = append(missing, fmt.Sprintf("%s (of %s)", text.Line(one.Model), one.ID))
		}
	}
	return missing
}

// seats returns the configured seats. Without any it shows those of the panel that is found.
func (d *doctor) seats(ctx context.Context, cfg config.Config, found bool) []agents.Profile {
	if len(cfg.Agents) > 0 {
		return cfg.Profiles()
	}
	b, err := d.Look(ctx, app.NewBuilder(cfg, found))
	if err != nil {
		d.warn("panel", err.Error(), "")
	} else if len(b.Found) > 0 {
		d.ok("panel", fmt.Sprintf("%s: %s", app.FoundPanel, strings.Join(text.Each(b.Found, headless.Describe), "; ")))
	}
	return b.Found
}

func (d *doctor) checkModels(cfg config.Config, seats []agents.Profile) {
	table := catalog.Load()
	d.ok("catalogue", fmt.Sprintf("%s, %s (%s %s)", text.Count(len(table.Models), "model"), table.Source.Age(d.Now()),
		table.Source.Module, table.Source.Version))
	for _, one := range seats {
		for _, change := range []string{cfg.Retires(one.Provider, one.Model), cfg.Reprices(one)} {
			if change != "" {
				d.warn("model", text.Line(fmt.Sprintf("%s of %s %s", one.Model, one.ID, change)),
					"Set another model for it in the config; `roundtable models` lists what its provider offers.")
			}
		}
	}
}

func (d *doctor) checkDatabase(ctx context.Context) {
	const another = "--db selects another file."
	path, _, err := d.DBPath()
	if err != nil {
		d.fail("database", err, another)
		return
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := canBeMade(path); err != nil {
			d.fail("database", fmt.Errorf("none yet, and none can be made: %w", err), another)
			return
		}
		d.ok("database", "none yet; the first debate makes "+text.Line(path))
		return
	}
	st, err := d.OpenStore(ctx)
	if err == nil && st.ReadOnly() != "" {
		err = fmt.Errorf("%s can only be read: %s", text.Line(path), st.ReadOnly())
	}
	var all []debate.SessionSummary
	if err == nil {
		all, err = st.Sessions(ctx, store.Query{})
	}
	if err != nil {
		d.fail("database", err, another)
		return
	}
	d.ok("database", fmt.Sprintf("%s: %s", text.Line(path), text.Count(len(all), "debate")))
}

// canBeMade returns why a file cannot be made in the folder nearest to it that there is.
func canBeMade(path string) error {
	dir := filepath.Dir(path)
	for _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Lstat(dir) {
		dir = filepath.Dir(dir)
	}
	probe, err := os.CreateTemp(dir, "roundtable-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

func (d *doctor) checkTerminal() {
	t, err := d.Terminal()
	if err != nil {
		d.warn("terminal", err.Error(), "In a terminal, `roundtable` opens the interface.")
		return
	}
	kind, _ := d.Env("TERM")
	says := fmt.Sprintf("TERM=%s, colors: %s", text.Label(kind), t.Profile)
	if w, h := t.Size(); app.Environ(d.Env).Dumb() {
		d.ok("terminal", says+", so `roundtable` is line by line")
	} else if w < 80 || h < 24 {
		d.warn("terminal", fmt.Sprintf("%s, %dx%d", says, w, h), "80x24 or more shows everything.")
	} else {
		d.ok("terminal", says)
	}
}

func (d *doctor) checkWorkspace(ctx context.Context, cfg config.Config) {
	w, err := app.NewBuilder(cfg, true).Workspace(debate.Plan{})
	w.Mode = debate.WorkspaceMode(cfg.Tools.Mode)
	if err == nil {
		err = workspace.Check(ctx, d.Workspaces(cfg).Options(w))
	}
	switch where := text.Line(cmp.Or(cfg.Tools.Workspace, "none, unless --workspace names a folder")); {
	case err != nil:
		d.warn("workspace", fmt.Sprintf("%s; mode %s: %s", where, w.Mode, text.Line(err.Error())),
			"Debates with a workspace do not start until that works.")
	case cfg.Tools.Commands && w.Mode == debate.WorkspaceLocal:
		d.add("workspace", checkOK, fmt.Sprintf("%s; mode %s works here", where, w.Mode),
			"Seats can run commands only in the modes clone and container.")
	default:
		d.ok("workspace", fmt.Sprintf("%s; mode %s works here", where, w.Mode))
	}
}
