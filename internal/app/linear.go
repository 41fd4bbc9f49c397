package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/config"
	"roundtable/internal/linear"
	"roundtable/internal/term"
	"roundtable/internal/text"
	"roundtable/store"
)

func (a *App) runLinear(ctx context.Context, cfg config.Config, found bool, st *store.Store, at Start, files []debate.Evidence) error {
	first, err := a.begin(ctx, st, at)
	if err != nil {
		return err
	}
	start, plan := linear.Start{Session: first.Session}, debate.Plan{}
	if at.New != nil {
		plan = *at.New
		start.New, start.Begin = &linear.NewDebate{Plan: plan, Files: files}, at.Begin
	}
	builder := NewBuilder(cfg, found)
	folder, err := builder.Workspace(plan)
	if err != nil {
		a.Log.Warn("workspace", "cause", err) // it is told when a debate is made
	}
	interrupts := make(chan struct{}, 1)
	a.Interrupts.Store(&interrupts)
	defer a.Interrupts.Store(nil)
	sessions := a.Sessions(st, builder, a.OpenClients(ctx, cfg, 0))
	return linear.Run(ctx, linear.Options{
		In: a.Stdin, Out: a.Stdout, Interrupts: interrupts, Commands: a.Commands(),
		Player: sessions.Player, Author: a.Answerer("line by line"),
		DropInput:  a.inputDropper(),
		Store:      sessions,
		Setup:      &linearSetup{app: a, builder: builder, files: attachedFiles{Environ(a.Env), folder.Dir, a.Answerer("line by line")}},
		Recipients: func(s debate.Session) string { return a.recipients(cfg, s) },
		Estimate:   func(s debate.Session) budget.Forecast { return budget.EstimateAfter(s, a.past(ctx, s.Speakers())) },
		Command:    a.Command,
	}, start)
}

// inputDropper discards what was typed at the terminal of standard input; nil if it is another file.
func (a *App) inputDropper() func() {
	file, ok := fileOf(a.Stdin)
	if !ok || !term.IsTerminal(file) {
		return nil
	}
	return func() { term.DropInput(file) }
}

type linearSetup struct {
	app     *App
	builder Builder
	files   attachedFiles
	found   Builder // with the panel that is found, once looked is set
	looked  bool
}

// Set reads a value of a field as the flag of that name does.
func (l *linearSetup) Set(p *debate.Plan, field, value string) error {
	return l.app.ReadField(p, field, value)
}

// Build returns the session of a plan. Who names no panel gets the one that is found. Without
// a topic the demo has its own, and is offered where nothing else was found.
func (l *linearSetup) Build(ctx context.Context, p debate.Plan) (s debate.Session, notices []string, err error) {
	p.Author = l.app.Answerer("line by line")
	b, named := l.found, p.Panel != "" || len(p.Agents) > 0
	if named || !l.looked {
		if b, err = l.app.For(ctx, l.builder, p); err != nil {
			return s, nil, err
		}
	}
	if !named {
		l.found, l.looked = b, true
	}
	if u := b.Unseated; u.Command != "" {
		notices = append(notices, u.String()+".")
	}
	switch {
	case b.configured, named:
	case len(b.Found) > 0:
		p.Panel = FoundPanel
	case p.Topic == "":
		notices = append(notices, control.NeedsModel+" "+control.GetModel, "The demo debates its own topic, with scripted answers.")
		p.Panel = DemoPanel
	}
	if p.Topic == "" && p.Panel == DemoPanel && p.Mode == "" {
		p.Topic = demo.Question()
	}
	s, err = b.Build(p)
	if note := s.RosterNote(func(provider string) bool { return b.cfg.Local(provider, l.app.Env) }); note != "" {
		notices = append(notices, note)
	}
	for _, seat := range s.Seats {
		note := b.Notes[seat.ID]
		for _, c := range b.cfg.Candidates(l.app.Env) {
			if c.Profile.ID == seat.ID && note == "" {
				note = c.Note
			}
		}
		if note != "" && !slices.Contains(notices, note+".") {
			notices = append(notices, note+".")
		}
	}
	return s, notices, err
}

func memberNames(seats []agents.Profile) string {
	return strings.Join(text.Each(seats, func(p agents.Profile) string {
		return fmt.Sprintf("%s (%s)", text.Line(p.Name), text.Line(p.ModelName()))
	}), ", ")
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
