package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adrg/xdg"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/modes"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/tui/setup"
)

// DemoPanel is the panel that needs no configuration.
const DemoPanel = demo.Name

// demoSeats is how many seats it has unless the mode needs more or allows fewer.
const demoSeats = 3

const defaultMode = "collaborative"

const defaultPanel = "default"

// Builder makes the sessions of new debates, whatever asks for them: a
// command gives it options, the interface a session that its form has filled in.
type Builder struct {
	Found    []agents.Profile     // seats without a configuration, see Look
	Notes    map[agents.ID]string // what to know of their models, such as until when they are offered
	Unseated config.Unseated      // agents on PATH that a command of the user's makes seats

	cfg        config.Config
	configured bool     // there is a configuration file
	gone       []string // which of the panel that was named cannot be had, and why
}

// NewBuilder returns what makes sessions with a configuration, which was read from a file
// if it is configured.
func NewBuilder(cfg config.Config, configured bool) Builder {
	return Builder{cfg: cfg, configured: configured}
}

// Look returns the builder with the panel of what is found without a configuration, which is
// stored as the one that was named. Servers are asked for their models.
func (a *App) Look(ctx context.Context, b Builder) (Builder, error) {
	form := a.setupForm(b, a.OpenClients(ctx, b.cfg, 0))
	form.ask(ctx, b.cfg.Unlisted(a.Env))
	o, err := form.offer(ctx)
	if err != nil {
		return b, err
	}
	if b.Unseated = config.Unseated(o.Unseated); o.Panel != FoundPanel {
		return b, nil
	}
	return b.withFound(o.Seats), nil
}

// For returns the builder for a debate: agents are looked for where it names the panel that was
// found, beside those of a configuration too, or where it names none and nothing is configured.
func (a *App) For(ctx context.Context, b Builder, o debate.Plan) (Builder, error) {
	switch {
	case len(o.Agents) > 0:
		return b, nil
	case o.Panel == FoundPanel:
		if _, configured := b.cfg.Panels[FoundPanel]; configured {
			return b, nil
		}
		bare := b
		bare.cfg.Agents, bare.cfg.Panels, bare.cfg.Defaults.Panel = nil, nil, ""
		bare, err := a.recall(ctx, bare)
		bare.cfg = b.cfg
		return bare, err
	case o.Panel == "" && !b.configured:
		return a.Look(ctx, b)
	}
	return b, nil
}

// recall returns the builder with the panel that was named last, or if none was, with the one that
// Look returns. Build returns an error that names what is gone of it.
func (a *App) recall(ctx context.Context, b Builder) (Builder, error) {
	panel, err := b.cfg.Proposal()
	if err == nil {
		form := a.setupForm(b, a.OpenClients(ctx, b.cfg, 0))
		form.ask(ctx, b.cfg.Unlisted(a.Env))
		if form.discovery.Example, err = config.Parse("config.example.toml", form.example); err != nil {
			return b, err
		}
		form.discovery.OnlyLocal = b.cfg.Defaults.OnlyLocal
		var seats []config.Candidate
		if seats, b.gone = form.discovery.Recall(form.discovery.Look(ctx), panel); len(b.gone) > 0 {
			form.keep(seats)
		}
		return b.withFound(form.offersOf(seats, len(seats))), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		b.gone = []string{err.Error()}
	}
	return a.Look(ctx, b)
}

func (b Builder) withFound(seats []setup.SeatOption) Builder {
	b.Found, b.Notes = nil, map[agents.ID]string{}
	for _, s := range seats {
		if s.Chosen && s.Problem == "" {
			b.Found, b.Notes[s.Profile.ID] = append(b.Found, s.Profile), s.Note
		}
	}
	return b
}

// setupForm returns what fills the form of a new debate.
func (a *App) setupForm(b Builder, c *config.Clients) setupForm {
	d := config.Discovery{Catalog: catalog.Load(), Now: a.Now, Env: a.Env, Listed: b.cfg.Listed, LookPath: exec.LookPath}
	if b.cfg.Defaults.AskLists {
		d.Ollama, d.Models = config.ListOllama, config.ListModels
	}
	path, _, _ := a.ConfigPath() // "" if it cannot be known: then no file is looked for
	keep := func(panel []config.Candidate) {
		if err := b.cfg.KeepProposal(panel); err != nil {
			a.Log.Warn("the proposed panel was not kept", "error", err)
		}
	}
	return setupForm{Builder: b, example: a.Example, path: path, discovery: d, ask: c.AskLists, keep: keep, past: a.past}
}

// unasked says what was found and what it is likely to cost, where no panel was chosen.
func (b Builder) unasked(o debate.Plan) error {
	if len(b.Found) == 0 && b.cfg.Defaults.OnlyLocal {
		return Usagef("no panel to debate: only_local allows nothing but models on this machine, and none was found")
	}
	unseated := ""
	if b.Unseated.Command != "" {
		unseated = b.Unseated.String() + ".\n"
	}
	if len(b.Found) == 0 {
		missing := "no key or local server was found"
		if !b.configured {
			missing = "there is no config file, and " + missing
		}
		return Usagef("no panel to debate: %s.\n%s %s\n%s`--panel demo` runs the built-in panel, offline and free, with scripted answers.",
			missing, control.NeedsModel, control.GetModel, unseated)
	}
	next := "To run it, add: --panel " + FoundPanel + strings.TrimSuffix("\n"+unseated, "\n")
	return b.proposed(o, "no panel was chosen, and nothing is spent unasked.", next)
}

// changed says which seats of the panel that was found are not what was named any more.
func (b Builder) changed(o debate.Plan) error {
	why := fmt.Sprintf("the panel %s is not what was named: %s.\nNothing was asked.", FoundPanel, strings.Join(b.gone, "; "))
	if b.gone = nil; len(b.Found) < 2 {
		return Usagef("%s No other panel that costs no more was found; `roundtable agents` proposes one.", why)
	}
	return b.proposed(o, why, "To run it, give the command again.")
}

// proposed returns an error that says what a debate by the panel that was found would cost.
func (b Builder) proposed(o debate.Plan, why, how string) error {
	o.Panel = FoundPanel
	s, err := b.Build(o)
	if err != nil {
		return Usagef("%s\n%v", why, err)
	}
	return Usagef("%s Found: %s.\nEstimate: %s\n%s\n`--panel demo` runs the built-in panel, offline and free.",
		why, memberNames(b.Found), budget.Estimate(s).Brief(), how)
}

// Build makes a session of options. Its error is for the user, and names all that is wrong and
// what is possible instead.
func (b Builder) Build(o debate.Plan) (debate.Session, error) {
	if !b.configured && o.Panel == "" && len(o.Agents) == 0 {
		return debate.Session{}, b.unasked(o)
	}
	if len(b.gone) > 0 && o.Panel == FoundPanel && len(o.Agents) == 0 {
		return debate.Session{}, b.changed(o)
	}
	mode, noMode := b.mode(o)
	if o.Topic == "" && mode.Reviews() && b.panel(o) == DemoPanel && len(o.Agents) == 0 {
		o.Topic = demo.ReviewQuestion()
	}
	topic, noTopic := checkTopic(o.Topic)
	s := debate.Session{
		Topic: topic, Author: o.Author, Mode: mode,
		Rounds: cmp.Or(o.Rounds, mode.Whole(min(b.cfg.Defaults.Rounds, mode.MostRounds())), mode.Rounds),
		Caps:   b.cfg.Context.Caps, Fit: b.cfg.Fit(),
		Ends: mode.EndsFor(b.ends(o), o.Rounds+b.cfg.Defaults.Rounds > 0), Budget: b.budget(o), ConfigHash: b.cfg.Hash,
	}
	s.Caps.None = o.NoQuestions
	var noQuestion, noRounds, noSeats error
	if noMode != nil { // nothing is known of its questions, rounds and seats
		noSeats = b.choosePanel(o, &s)
	} else {
		s.Question, s.Unit, noQuestion = questionOf(mode, o)
		if err := mode.CheckRounds(o.Rounds); err != nil {
			noRounds = Usagef("rounds: %v", err)
		}
		noSeats = b.seat(o, &s)
		if o.Question == "" && s.Question == debate.QuestionOpen && s.Demo() && s.Topic == debate.DemoTopic && mode.Question == "" {
			s.Question = debate.QuestionYesNo // its script answers one
		}
	}
	folder, noFolder := b.Workspace(o)
	s.Workspace = folder
	return s, errors.Join(noTopic, noMode, noQuestion, noRounds, noFolder, noSeats)
}

// check reports whether the form can start, in which a topic, a panel, options and a unit can be
// given.
func (b Builder) check(o debate.Plan) error {
	b.gone, o.Topic = nil, cmp.Or(o.Topic, "?")
	if o.Panel == "" && len(o.Agents) == 0 {
		o.Panel = DemoPanel
	}
	if o.Question == string(debate.QuestionChoice) && len(o.Options) == 0 {
		o.Options = []string{"A", "B"}
	}
	if o.Question == string(debate.QuestionEstimate) {
		o.Unit = cmp.Or(o.Unit, "none")
	}
	_, err := b.Build(o)
	return err
}

func (b Builder) complete(s debate.Session) (debate.Session, error) {
	topic, err := checkTopic(s.Topic)
	if err != nil {
		return s, err
	}
	s.Topic, s.ConfigHash = topic, b.cfg.Hash
	if s.Workspace.Dir != "" {
		s.Workspace, err = b.folder(withHome(s.Workspace.Dir), s.Workspace.Mode)
	}
	return s, err
}

func (b Builder) ends(o debate.Plan) debate.Ends { return cmp.Or(o.Ends, b.cfg.Defaults.Ends) }

func (b Builder) budget(o debate.Plan) debate.Budget {
	budget := b.cfg.Budget
	budget.USD, budget.Tokens = cmp.Or(o.USD, budget.USD), cmp.Or(o.Tokens, budget.Tokens)
	return budget
}

func (b Builder) panel(o debate.Plan) string {
	return cmp.Or(o.Panel, b.cfg.Defaults.Panel, defaultPanel)
}

func (b Builder) mode(o debate.Plan) (debate.Mode, error) {
	all, faults := modes.Load(b.cfg.ModesDir)
	m, err := modes.Find(all, cmp.Or(o.Mode, b.cfg.Defaults.Mode, defaultMode))
	if err != nil {
		return m, Usagef("%v", errors.Join(append([]error{err}, faults...)...))
	}
	return withLists(m, o, b.cfg.Panels[b.panel(o)].Perspectives)
}

// withLists puts lists into a mode; a panel's perspectives only if it has some.
func withLists(m debate.Mode, o debate.Plan, ofPanel []string) (debate.Mode, error) {
	if len(o.Perspectives) == 0 && len(m.Perspectives) > 0 {
		o.Perspectives = ofPanel
	}
	for _, given := range []struct {
		flag  string
		with  func(debate.Mode, []string) (debate.Mode, error)
		items []string
	}{{"--perspectives", debate.Mode.WithPerspectives, o.Perspectives}, {"--options", debate.Mode.WithOptions, o.Options}} {
		if len(given.items) == 0 {
			continue
		}
		err := CheckUTF8(given.flag, strings.Join(given.items, ","))
		if err != nil {
			return m, err
		}
		if m, err = given.with(m, given.items); err != nil {
			return m, Usagef("%v", err)
		}
	}
	if o.Draft != "" {
		var err error
		if m, err = m.WithDraft(o.Draft); err != nil {
			return m, Usagef("%v", err)
		}
	}
	return m, nil
}

func questionOf(m debate.Mode, o debate.Plan) (kind debate.QuestionKind, unit string, err error) {
	wanted := debate.QuestionKind(o.Question)
	if o.Unit != "" {
		wanted = cmp.Or(wanted, debate.QuestionEstimate)
	}
	kind, err = m.QuestionFor(wanted)
	if err == nil {
		unit, err = kind.UnitFor(o.Unit)
	}
	flag := "--question " + o.Question
	if o.Question == "" {
		flag = "--unit " + o.Unit
	}
	switch {
	case errors.Is(err, debate.ErrNoOptions):
		return "", "", Usagef("%s: %w, such as --options \"Postgres, SQLite\"", text.Line(flag), err)
	case errors.Is(err, debate.ErrNoUnit):
		return "", "", Usagef("--unit: %w", err)
	case err != nil:
		return "", "", Usagef("%s: %v", text.Line(flag), err)
	}
	return kind, unit, nil
}

// seat fills the panel of a session, and checks that its mode and budget allow it.
func (b Builder) seat(o debate.Plan, s *debate.Session) error {
	if err := b.choosePanel(o, s); err != nil {
		return err
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		return Usagef("%v", err)
	}
	if err := s.CheckBudget(); err != nil {
		return Usagef("%v", err)
	}
	return nil
}

func (b Builder) choosePanel(o debate.Plan, s *debate.Session) error {
	switch {
	case len(o.Agents) > 0 && o.Panel != "":
		return Usagef("--panel and --agents cannot be used together")
	case len(o.Agents) > 0:
		if err := b.seatAgents(s, o.Agents); err != nil {
			return Usagef("--agents: %v", err)
		}
		return nil
	}
	name := b.panel(o)
	if name == DemoPanel {
		s.Seats = demo.Panel(min(max(demoSeats, s.Mode.MinSeats), s.Mode.MaxSeats))
		return nil
	}
	panel, ok := b.cfg.Panels[name]
	if !ok && name == FoundPanel {
		if s.Seats = slices.Clone(b.Found); s.Mode.Critiques() {
			s.Seats = debate.OtherFamilies(s.Seats)
		}
		if len(b.Found) == 0 {
			return b.unasked(o)
		}
		return nil
	}
	if !ok {
		known := append(slices.Sorted(maps.Keys(b.cfg.Panels)), DemoPanel)
		if o.Panel == "" && b.cfg.Defaults.Panel == "" {
			return Usagef("no panel to debate: give --panel or --agents, or set defaults.panel in the config.\nPanels: %s",
				strings.Join(known, ", "))
		}
		return Usagef("there is no panel %q%s", text.Label(name), text.DidYouMean(name, known))
	}
	s.Chair, s.Light = b.cfg.Agent(panel.Chair), b.cfg.Agent(panel.Light)
	return b.seatAgents(s, text.Strings(panel.Agents))
}

func (b Builder) seatAgents(s *debate.Session, ids []string) error {
	known, seated := ProfileIDs(b.cfg.Profiles()), map[agents.ID]bool{}
	for _, id := range ids {
		id = strings.TrimSpace(id)
		p := b.cfg.Agent(agents.ID(id))
		switch {
		case p == nil && len(known) == 0:
			return Usagef("there is no seat %q: none is configured. `roundtable config init` writes a config to fill in.", text.Label(id))
		case p == nil:
			return Usagef("there is no seat %q%s", text.Label(id), text.DidYouMean(id, known))
		case seated[p.ID]:
			return Usagef("seat %s is listed twice", id)
		}
		seated[p.ID] = true
		s.Seats = append(s.Seats, *p)
	}
	return nil
}

// CheckPlan refuses values that no debate can have, of the fields that were given.
func CheckPlan(o debate.Plan, given func(field string) bool) error {
	for _, f := range o.Fields() {
		if !given(f.Name) {
			continue
		}
		if err := f.Check(); err != nil {
			return Usagef("%w", err)
		}
	}
	return nil
}

// Workspace returns the workspace of a new debate, as the options or the configuration
// name it. Only the configuration allows commands.
func (b Builder) Workspace(o debate.Plan) (debate.Workspace, error) {
	name := cmp.Or(o.Workspace, b.cfg.Tools.Workspace)
	if name == "" {
		if o.WorkspaceMode != "" {
			return debate.Workspace{}, Usagef("--workspace-mode needs a workspace; name it with --workspace DIR")
		}
		return debate.Workspace{}, nil
	}
	mode := debate.WorkspaceMode(cmp.Or(o.WorkspaceMode, string(b.cfg.Tools.Mode)))
	if o.Workspace == "" { // a shell has replaced ~ already
		name = withHome(name)
	}
	return b.folder(name, mode)
}

func withHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}

func (b Builder) folder(name string, mode debate.WorkspaceMode) (debate.Workspace, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return debate.Workspace{}, fmt.Errorf("find the workspace: %w", err)
	}
	switch info, err := os.Stat(dir); {
	case err != nil:
		if p := (*fs.PathError)(nil); errors.As(err, &p) { // it names the folder again
			err = p.Err
		}
		return debate.Workspace{}, Usagef("the workspace %s cannot be opened: %v", text.Line(dir), err)
	case !info.IsDir():
		return debate.Workspace{}, Usagef("the workspace %s is not a folder", text.Line(dir))
	}
	return debate.Workspace{Dir: dir, Mode: mode, Commands: b.cfg.Tools.Commands && mode != debate.WorkspaceLocal}, nil
}

func checkTopic(topic string) (string, error) {
	topic, err := CheckText("topic", topic, debate.MaxTopic)
	if err == nil && topic == "" {
		err = Usagef("the topic is empty; give a question, such as \"Should we move to Postgres?\"")
	}
	return topic, err
}

// CheckText returns what a user wrote made safe, or why it cannot be used.
func CheckText(what, content string, most int) (string, error) {
	if err := CheckUTF8("the "+what, content); err != nil {
		return "", err
	}
	content = strings.TrimSpace(text.Clean(content))
	if n := utf8.RuneCountInString(content); n > most {
		return "", Usagef("the %s has %d characters; the limit is %d", what, n, most)
	}
	return content, nil
}

// CheckUTF8 refuses text that is not UTF-8 and says where: replacing the bytes would lose
// characters unnoticed.
func CheckUTF8(what, content string) error {
	n := 0
	for line := range strings.Lines(content) {
		if n++; !utf8.ValidString(line) {
			return Usagef("%s is not UTF-8 in line %d. Nothing was changed; convert it to UTF-8 first", text.Line(what), n)
		}
	}
	return nil
}
