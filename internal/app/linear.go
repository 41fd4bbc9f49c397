package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/config"
	"roundtable/internal/linear"
	"roundtable/internal/term"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui/setup"
)

// runLinear runs the program line by line until the user quits.
func (a *App) runLinear(ctx context.Context, cfg config.Config, found bool, st *store.Store, at Start) error {
	first, err := a.begin(ctx, st, at)
	if err != nil {
		return err
	}
	builder, env := NewBuilder(cfg, found), Environ(a.Env)
	clients := a.OpenClients(ctx, cfg, 0)
	form := a.setupForm(builder, clients)
	form.last = lastChoice(st)
	start := linear.Start{Session: first.Session}
	if at.New != nil {
		form.options = *at.New
		files, err := a.ReadFiles(ctx, at.Files)
		if err != nil {
			return err
		}
		start.New, start.Begin = &linear.NewDebate{Plan: *at.New, Files: files}, at.Begin
	}
	folder, err := form.Workspace(form.options)
	if err != nil {
		a.Log.Warn("workspace", "cause", err) // it is told when a debate is made
	}
	interrupts := make(chan struct{}, 1)
	a.Interrupts.Store(&interrupts)
	defer a.Interrupts.Store(nil)
	sessions := a.Sessions(st, builder, clients)
	o := linear.Options{
		In: a.Stdin, Out: a.Stdout, Interrupts: interrupts, Now: a.Now, Commands: a.Commands(),
		Player: sessions.Player, Author: a.Answerer("line by line"),
		DropInput:   a.inputDropper(),
		Store:       sessions,
		Setup:       &linearSetup{setupForm: form, files: attachedFiles{env, folder.Dir, byLine()}},
		Recipient:   func(provider string) (string, bool) { return cfg.Recipient(provider, a.Env) },
		AddEvidence: st.AddEvidence,
		Command:     a.Command,
	}
	if editor := env.command("VISUAL", "EDITOR"); len(editor) > 0 {
		o.Edit = func(content string) (string, error) { return a.editText(editor, content) }
	}
	return linear.Run(ctx, o, start)
}

// editText returns a text as the user has edited it.
func (a *App) editText(editor []string, content string) (string, error) {
	dir, err := os.MkdirTemp("", "roundtable-")
	if err != nil {
		return "", fmt.Errorf("make a scratch folder: %w; the answer is as it was", err)
	}
	file := filepath.Join(dir, "answer.md")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		return "", fmt.Errorf("write a scratch file: %w; the answer is as it was", err)
	}
	cmd := exec.Command(editor[0], append(editor[1:len(editor):len(editor)], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w; the answer is as it was, and what was edited is in %s", editor[0], err, file)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w; the answer is as it was", err)
	}
	if !utf8.Valid(raw) {
		return "", fmt.Errorf("%s is not UTF-8 text; the answer is as it was, and the file stays", file)
	}
	return string(raw), os.RemoveAll(dir)
}

// linearSetup makes the sessions of new debates for the program line by line.
type linearSetup struct {
	setupForm
	files   attachedFiles
	offered setup.Options
}

// Choices returns the modes, and the panels: those of the configuration, the agents that
// were found, and the demo.
func (l *linearSetup) Choices(ctx context.Context) (linear.Choices, error) {
	l.ask(ctx, l.cfg.Unlisted(l.discovery.Env))
	o, err := l.offer(ctx)
	if err != nil {
		return linear.Choices{}, err
	}
	l.offered = o
	c := linear.Choices{
		Modes: o.Modes, Faults: o.Faults, NoModel: o.FirstStart,
		Defaults: linear.NewDebate{Plan: debate.Plan{Mode: o.Mode, Rounds: o.Rounds}},
	}
	if o.FirstStart {
		c.Defaults.Topic = demo.Question()
		for _, f := range o.Found {
			c.Faults = append(c.Faults, fmt.Sprintf("%s: %s.", text.Capitalize(f.What), f.Result))
		}
		c.Faults = append(c.Faults, control.NeedsModel+" "+control.GetModel, "The demo debates its own topic, with scripted answers.")
	}
	if o.Unseated.Command != "" {
		c.Faults = append(c.Faults, config.Unseated(o.Unseated).String()+".")
	}
	offered := o.Seats
	if o.Last != nil {
		offered = o.Last.Seats
	}
	for _, s := range offered {
		if s.Chosen && s.Note != "" && !slices.Contains(c.Faults, s.Note+".") {
			c.Faults = append(c.Faults, s.Note+".")
		}
	}
	var names []string
	if len(l.options.Agents) == 0 {
		names = slices.Sorted(maps.Keys(l.cfg.Panels))
		if i := slices.Index(names, l.panel(l.options)); i > 0 {
			names[0], names[i] = names[i], names[0]
		}
	}
	for _, name := range names {
		var seats []agents.Profile
		for _, id := range l.cfg.Panels[name].Agents {
			if p := l.cfg.Agent(id); p != nil {
				seats = append(seats, *p)
			}
		}
		c.Panels = append(c.Panels, linear.Panel{Name: name, Members: memberNames(seats)})
	}
	if seats := chosenOf(o.Seats); len(names) == 0 && len(seats) > 0 && !o.FirstStart && l.panel(l.options) != DemoPanel {
		c.Panels = append(c.Panels, linear.Panel{Name: FoundPanel, Members: memberNames(seats)})
	}
	if o.Last != nil {
		c.Panels = append([]linear.Panel{{Name: setup.LastPanel, Members: memberNames(chosenOf(o.Last.Seats))}}, c.Panels...)
	}
	scripted := linear.Panel{Name: DemoPanel, Members: "scripted answers, no model, offline and free"}
	if l.panel(l.options) == DemoPanel {
		c.Panels = append([]linear.Panel{scripted}, c.Panels...)
	} else {
		c.Panels = append(c.Panels, scripted)
	}
	return c, nil
}

func memberNames(seats []agents.Profile) string {
	var names []string
	for _, p := range seats {
		names = append(names, fmt.Sprintf("%s (%s)", text.Line(p.Name), text.Line(p.ModelName())))
	}
	return strings.Join(names, ", ")
}

// inputDropper returns what discards what was typed at the terminal that standard input is;
// nil if it is another file.
func (a *App) inputDropper() func() {
	file, ok := fileOf(a.Stdin)
	if !ok || !term.IsTerminal(file) {
		return nil
	}
	return func() { term.DropInput(file) }
}

// byLine returns the author of what is entered line by line.
func byLine() ledger.Author { return ledger.ByPerson("line by line") }

// chosenOf returns the agents that the form of a new debate would choose.
func chosenOf(offered []setup.SeatOption) []agents.Profile {
	var seats []agents.Profile
	for _, s := range offered {
		if s.Chosen && s.Problem == "" {
			seats = append(seats, s.Profile)
		}
	}
	return seats
}

// Build returns the session of a new debate.
func (l *linearSetup) Build(n linear.NewDebate) (debate.Session, error) {
	o := l.options
	o.Topic, o.Mode, o.Rounds, o.Panel = n.Topic, n.Mode, n.Rounds, n.Panel
	o.Author = byLine()
	last := n.Panel == setup.LastPanel && l.offered.Last != nil
	if n.Panel != FoundPanel && !last {
		o.Agents = nil
		return l.Builder.Build(o)
	}
	o.Panel, o.Agents = DemoPanel, nil // for everything but the seats
	s, err := l.Builder.Build(o)
	if err != nil {
		return s, err
	}
	s.Seats, s.Chair, s.Light = chosenOf(l.offered.Seats), l.offered.Chair, l.offered.Light
	if p := l.offered.Last; last {
		s.Seats, s.Chair, s.Light = chosenOf(p.Seats), p.Chair, p.Light
		s.Budget, s.Ends = l.offered.Budget, cmp.Or(l.offered.Ends, s.Ends)
	}
	if err := cmp.Or(s.Mode.CheckPanel(s.Seats), s.CheckBudget()); err != nil {
		return s, Usagef("%v", err)
	}
	return s, nil
}

// Read reads a file or a folder as evidence.
func (l *linearSetup) Read(ctx context.Context, path string) (found []debate.Evidence, notices []string, err error) {
	read, err := l.files.Read(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	notices = read.Notices
	for _, name := range read.Secrets {
		notices = append(notices, name+" is a file of keys or passwords.")
	}
	if read.Outside != "" {
		notices = append(notices, fmt.Sprintf("%s %s.", path, read.Outside))
	}
	return read.Evidence, notices, nil
}
