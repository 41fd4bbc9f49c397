package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/tools/mcp"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/app"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
)

// checkState is the result of a check.
type checkState string

const (
	checkOK      checkState = "ok"
	checkWarning checkState = "warning" // a debate can be run all the same
	checkFailed  checkState = "failed"
)

// check is one thing that doctor has looked at.
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
			"providers (each is asked for its models; the program of an agent is started and asked nothing), the seats and\n" +
			"panels, the workspace and its mode, the MCP servers (each is started), the database and the terminal. Each\n" +
			"line says what to do. The exit code is 0 when a debate can be run, be it the demo.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := doctor{a}.diagnose(cmd.Context())
			var err error
			if asJSON {
				err = printJSON(a, all)
			} else {
				err = a.Print("%s", formatChecks(all))
			}
			if err == nil && slices.ContainsFunc(all, func(c check) bool { return c.State == checkFailed }) {
				err = codeError(exitFailed)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// doctor checks what a debate needs.
type doctor struct{ *app.App }

// diagnose checks everything, in the order in which a debate needs it.
func (d doctor) diagnose(ctx context.Context) []check {
	program := fmt.Sprintf("roundtable %s, %s/%s", app.Version(), runtime.GOOS, runtime.GOARCH)
	all := []check{{Name: "program", State: checkOK, Text: program}}
	cfg, found, err := d.Config()
	all = append(all, d.checkConfigFile(cfg, found, err))
	if err == nil {
		all = append(append(all, d.checkSettings(cfg)...), checkModes(cfg))
		asked, unusable := d.checkProviders(ctx, cfg)
		all = append(append(append(all, asked...), d.checkModels(cfg)...), d.checkPanels(cfg, unusable)...)
		all = append(append(all, d.checkWorkspace(ctx, cfg)), d.checkServers(ctx, cfg)...)
	}
	all = append(all, d.checkDemo(err), d.checkDatabase(ctx), d.checkState(), d.checkTerminal())
	for i, c := range all {
		all[i].Text, all[i].Remedy = d.Commands().Hints(c.Text), d.Commands().Hints(c.Remedy)
	}
	return all
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

// checkDemo says whether the demo can be run with a config that was read with the error err.
func (d doctor) checkDemo(err error) check {
	if err != nil && !d.DemoIgnoresConfig() {
		return check{"demo", checkFailed, "the panel demo is not run while the config file is not found", "--config names another file."}
	}
	return check{
		"demo", checkOK, "the panel demo needs no model, key or network", "`roundtable run QUESTION --panel demo` tries it.",
	}
}

// checkConfigFile says which config file is used. Without a usable one only the demo can
// be run, which is enough for exit code 0.
func (d doctor) checkConfigFile(cfg config.Config, found bool, err error) check {
	path, _, pathErr := d.ConfigPath()
	if pathErr != nil {
		return check{"config", checkFailed, pathErr.Error(), "--config names a file."}
	}
	path = text.Line(path)
	switch {
	case err != nil && d.DemoIgnoresConfig():
		return check{
			"config", checkWarning, err.Error(),
			"Only the demo can be run until the file is fixed; `roundtable config check` checks it again.",
		}
	case err != nil:
		return check{"config", checkFailed, err.Error(), ""}
	case !found:
		return check{
			"config", checkWarning, "there is no file " + path,
			"`roundtable config init` writes one; without it, models are found by the keys in the environment.",
		}
	}
	return check{Name: "config", State: checkOK, Text: fmt.Sprintf("%s: %s, %s, %s", path, text.Count(len(cfg.Providers), "provider"),
		text.Count(len(cfg.Agents), "seat"), text.Count(len(cfg.Panels), "panel"))}
}

// checkSettings says what in the config is not used, or otherwise than it is written.
func (d doctor) checkSettings(cfg config.Config) (out []check) {
	if path, _, err := d.ConfigPath(); err == nil && len(cfg.KeyProblems) > 0 {
		faulty := &config.Error{Path: path, Problems: cfg.KeyProblems}
		out = append(out, check{
			"config", checkWarning, faulty.Error(), "Mend these lines; until then the standard keys are used in their place.",
		})
	}
	for _, line := range config.Normalized(cfg) {
		out = append(out, check{"config", checkWarning, text.Line(line), ""})
	}
	return out
}

func checkModes(cfg config.Config) check {
	all, faults, err := modes.Load(cfg.ModesDir)
	switch {
	case err != nil:
		return check{"modes", checkFailed, err.Error(), ""}
	case len(faults) > 0:
		return check{"modes", checkWarning, errors.Join(faults...).Error(), "Mend the files; until then these modes are left out."}
	}
	return check{Name: "modes", State: checkOK, Text: text.Count(len(all), "mode")}
}

// checkProviders asks every provider for its models, and looks whether those of the
// agents are among them. It also returns which providers have a key and could not be used.
func (d doctor) checkProviders(ctx context.Context, cfg config.Config) (out []check, unusable map[string]bool) {
	unusable = map[string]bool{}
	var ready []string
	clients := d.App.OpenClients(ctx, cfg, 0)
	for _, name := range cfg.Usable(d.Env) {
		lacks := "no key"
		asks, program := cfg.ProgramAsks(name)
		if program {
			lacks = "not installed"
		}
		if missing := cfg.Missing(name, d.Env); missing != "" {
			out = append(out, check{"provider", checkWarning, name + ": " + lacks, text.Capitalize(missing) + "."})
			continue
		}
		if program {
			c := checkProgram(ctx, clients, name, asks)
			out, unusable[name] = append(out, c), c.State != checkOK
			continue
		}
		ready = append(ready, name)
	}
	if u := cfg.Unseated(exec.LookPath); u.Command != "" {
		out = append(out, check{"agent", checkOK, u.Says, fmt.Sprintf("`%s` needs %s.", u.Command, u.Needs)})
	}
	listing, cancel := context.WithTimeout(ctx, config.ListTimeout)
	defer cancel()
	for _, o := range askModels(listing, cfg, clients, ready, true) {
		c := check{Name: "provider", State: checkOK}
		c.Text = fmt.Sprintf("%s: answers, %s", text.Line(o.Provider), o.count())
		if o.Cut > 0 {
			c.State = checkWarning
		}
		if missing := missingModels(cfg, o); o.Unasked {
			c.Text = text.Line(o.Provider) + ": " + config.ErrListsOff.Error()
		} else if o.Error != "" {
			c = check{Name: "provider", State: checkWarning, Text: o.Error}
		} else if len(missing) > 0 {
			c.State, c.Text = checkWarning, c.Text+"; its list lacks "+strings.Join(missing, ", ")
			c.Remedy = fmt.Sprintf("`roundtable models %s` lists them; some servers also take names that they do not list.",
				text.Line(o.Provider))
		}
		if o.Error == "" && !o.Unasked && clients.KeyUnchecked(ctx, o.Provider) {
			c.Text += "; the key was not checked, since the list needs none"
		}
		out, unusable[o.Provider] = append(out, c), o.Error != ""
	}
	return out, unusable
}

// checkProgram starts the program of an agent. Nothing is asked of a model, so it is not
// known whether it is signed in.
func checkProgram(ctx context.Context, clients *config.Clients, name, asks string) check {
	words, err := guarded(func() (string, error) { return clients.Check(ctx, name) })
	if err != nil {
		return check{"provider", checkWarning, text.Line(err.Error()), ""}
	}
	return check{
		"provider", checkOK, fmt.Sprintf("%s: %s\nPermissions: %s.", text.Line(name), words, asks),
		"Whether it is signed in is seen when it is asked.",
	}
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

// checkModels says how old the catalogue of models is, and which agents have models that
// are offered no longer or not for long, or soon have another price.
func (d doctor) checkModels(cfg config.Config) []check {
	table := catalog.Load()
	out := []check{{Name: "catalogue", State: checkOK, Text: fmt.Sprintf("%s, %s (%s %s)", text.Count(len(table.Models), "model"),
		table.Source.Age(d.Now()), table.Source.Module, table.Source.Version)}}
	for _, one := range cfg.Agents {
		for _, change := range []string{cfg.Retires(one.Provider, one.Model), cfg.Reprices(one)} {
			if change != "" {
				out = append(out, check{
					"model", checkWarning, text.Line(fmt.Sprintf("%s of %s %s", one.Model, one.ID, change)),
					"Set another model for it in the config; `roundtable models` lists what its provider offers.",
				})
			}
		}
	}
	return out
}

// checkPanels says which panels can debate as far as their keys and providers go.
func (d doctor) checkPanels(cfg config.Config, unusable map[string]bool) []check {
	problems := map[agents.ID]string{}
	for _, c := range cfg.Candidates(d.Env) {
		problems[c.Profile.ID] = c.Problem
		if c.Problem == "" && unusable[c.Profile.Provider] {
			problems[c.Profile.ID] = "fix the provider " + text.Line(c.Profile.Provider) + " first"
		}
	}
	var out []check
	for _, name := range slices.Sorted(maps.Keys(cfg.Panels)) {
		p := cfg.Panels[name]
		var missing []string
		for _, id := range append(slices.Clone(p.Agents), p.Chair, p.Light) {
			if problem := problems[id]; problem != "" && !slices.Contains(missing, problem) {
				missing = append(missing, problem)
			}
		}
		c := check{Name: "panel", State: checkOK, Text: fmt.Sprintf("%s: %s", name, text.Count(len(p.Agents), "seat"))}
		if len(missing) > 0 {
			c.State, c.Text = checkWarning, c.Text+"; not all can be used"
			c.Remedy = text.Capitalize(strings.Join(missing, ", ")) + "."
		}
		out = append(out, c)
	}
	return out
}

// checkDatabase opens the database, or says where it will be.
func (d doctor) checkDatabase(ctx context.Context) check {
	path, _, err := d.DBPath()
	if err != nil {
		return check{"database", checkFailed, err.Error(), "--db names a file."}
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return check{Name: "database", State: checkOK, Text: "none yet; the first debate makes " + text.Line(path)}
	}
	st, err := d.OpenStore(ctx)
	if err != nil {
		return check{"database", checkFailed, err.Error(), "--db selects another file."}
	}
	all, err := st.Sessions(ctx, store.Query{})
	switch {
	case err != nil:
		return check{"database", checkFailed, err.Error(), "--db selects another file."}
	case st.ReadOnly() != "":
		return check{"database", checkFailed, text.Line(path) + " can only be read: " + st.ReadOnly(), "--db selects another file."}
	}
	waiting := 0
	for _, s := range all {
		if s.Status == debate.NeedsContext {
			waiting++
		}
	}
	c := check{Name: "database", State: checkOK, Text: fmt.Sprintf("%s: %s", text.Line(path), text.Count(len(all), "debate"))}
	if waiting > 0 {
		c.Text += fmt.Sprintf(", %d waiting for your answers", waiting)
		c.Remedy = "`roundtable sessions --status " + string(debate.NeedsContext) + "` lists those."
	}
	return c
}

// checkState says where the log is.
func (d doctor) checkState() check {
	if d.StateDir == "" {
		return check{"log", checkWarning, "no log is written", "Set HOME or XDG_STATE_HOME."}
	}
	return check{Name: "log", State: checkOK, Text: text.Line(filepath.Join(d.StateDir, "roundtable.log"))}
}

// checkTerminal says what the interface would be drawn with.
func (d doctor) checkTerminal() check {
	t, err := d.Terminal()
	if err != nil {
		return check{"terminal", checkWarning, err.Error(), "In a terminal, `roundtable` opens the interface."}
	}
	kind, _ := d.Env("TERM")
	if app.Environ(d.Env).Dumb() {
		return check{Name: "terminal", State: checkOK, Text: "TERM=" + text.Label(kind) + ", so `roundtable` is line by line"}
	}
	w, h, ok := t.Size()
	if !ok {
		return check{"terminal", checkWarning, text.Label(kind) + ", which does not tell its size", ""}
	}
	c := check{Name: "terminal", State: checkOK, Text: fmt.Sprintf("%s, %dx%d, %s", text.Label(kind), w, h, colorText(t.Profile))}
	if w < 80 || h < 24 {
		c.State, c.Remedy = checkWarning, "80x24 or more shows everything."
	}
	return c
}

func colorText(p colorprofile.Profile) string {
	switch p {
	case colorprofile.TrueColor:
		return "true color"
	case colorprofile.ANSI256:
		return "256 colors"
	case colorprofile.ANSI:
		return "16 colors"
	default:
		return "no colors"
	}
}

// checkWorkspace looks whether the mode of workspaces works here, and whether the folder
// that the configuration names, if any, can be one.
func (d doctor) checkWorkspace(ctx context.Context, cfg config.Config) check {
	test, where := workspace.Check, cfg.Tools.Workspace
	w, err := app.NewBuilder(cfg, true).Workspace(debate.Plan{})
	w.Mode = debate.WorkspaceMode(cfg.Tools.Mode)
	if where == "" {
		test, where = workspace.CheckMode, "none, unless --workspace names a folder"
	}
	if err == nil {
		err = test(ctx, d.Workspaces(cfg).Options(w, "doctor"))
	}
	if err != nil {
		return check{
			"workspace", checkWarning, fmt.Sprintf("%s; mode %s: %s", text.Line(where), w.Mode, text.Line(err.Error())),
			"Debates with a workspace do not start until that works.",
		}
	}
	c := check{Name: "workspace", State: checkOK, Text: fmt.Sprintf("%s; mode %s works here", text.Line(where), w.Mode)}
	if cfg.Tools.Commands && w.Mode == debate.WorkspaceLocal {
		c.Remedy = "Seats can run commands only in the modes clone and container."
	}
	return c
}

// noApprovals knows and keeps no approved tools.
type noApprovals struct{}

// Approved implements mcp.Approvals.
func (noApprovals) Approved(context.Context, string) (map[string]string, error) { return nil, nil }

// Approve implements mcp.Approvals.
func (noApprovals) Approve(context.Context, ...mcp.Definition) error { return nil }

// checkServers starts every MCP server and looks for the tools that the configuration
// allows. It approves nothing.
func (d doctor) checkServers(ctx context.Context, cfg config.Config) []check {
	status, err := d.App.MCPServers(cfg.Tools.MCP, noApprovals{}).Status(ctx)
	if err != nil {
		return []check{{"tools", checkWarning, "the MCP servers were not tested: " + err.Error(), ""}}
	}
	var out []check
	for _, s := range status {
		if s.Failure != "" {
			out = append(out, check{"tools", checkWarning, s.Name + ": " + s.Failure, "Debates run without its tools."})
			continue
		}
		offered, listed := 0, 0
		var wrong []string
		for _, t := range s.Tools {
			switch t.State {
			case mcp.Offered:
				offered, listed = offered+1, listed+1
			case mcp.Missing:
				wrong = append(wrong, fmt.Sprintf("%s: %s", text.Label(t.Tool), t.Reason))
			case mcp.Invalid:
				listed++
				wrong = append(wrong, fmt.Sprintf("%s: %s", text.Label(t.Tool), t.Reason))
			case mcp.NotAllowed, mcp.Changed:
				listed++
			}
		}
		c := check{Name: "tools", State: checkOK, Text: fmt.Sprintf("%s: answers, %s, of which seats may call %d",
			s.Name, text.Count(listed, "tool"), offered)}
		if len(wrong) > 0 {
			c.State, c.Text = checkWarning, c.Text+"\n"+strings.Join(wrong, "\n")
			c.Remedy = "`roundtable tools list` lists all of them."
		}
		out = append(out, c)
	}
	return out
}
