package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func forkCommand(a *app.App) *cobra.Command {
	var flags app.ForkChange
	var workspace string
	var asJSON bool
	c := &cobra.Command{
		Use: "fork ID --round N", Short: "Start a new debate from an earlier round", Args: argCount(1, 1, "ID --round N"),
		Long: "Copy a debate up to the end of a round into a new debate. --round 0 starts over with the same topic and panel.\n\n" +
			"Answers sent with later rounds are not copied unless --facts names them. The other flags change what the rounds\n" +
			"to come start from. The original does not change.",
		Example: "  roundtable fork k7m2 --round 2\n  roundtable fork k7m2 --round 0 --facts C1,C2\n" +
			"  roundtable fork k7m2 --round 1 --facts C2 --answer \"C1=Two days.\"\n  roundtable fork k7m2 --round 0 --agent ada=gpt-5",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("round") {
				return app.Usagef("--round is required; --round 0 starts over\nHelp: %s --help", cmd.CommandPath())
			}
			return fork(cmd.Context(), a, args[0], &flags, workspace, asJSON)
		},
	}
	addForkFlags(c, &flags)
	addConfirmedWorkspace(c, &workspace)
	c.Flags().BoolVar(&asJSON, "json", false, "print the new debate as JSON, as in roundtable sessions --json")
	return c
}

func addForkFlags(c *cobra.Command, f *app.ForkChange) {
	flags := c.Flags()
	flags.IntVar(&f.Round, "round", 0, "last round to copy; 0 copies none")
	flags.StringSliceVar(&f.Facts, "facts", nil, "answers to copy, such as C1,C2")
	flags.StringArrayVar(&f.Answers, "answer", nil, "another answer, such as C1=\"Two days.\"; can be given several times")
	flags.StringArrayVar(&f.Unavailable, "unavailable", nil, "say that there is no answer, and why, such as C1=\"Nobody knows.\"")
	flags.StringArrayVar(&f.Models, "agent", nil, "another model for a seat, such as ada=gpt-5; a configured seat or its model")
	flags.StringVar(&f.Mode, "mode", "", "another mode; with --round 0")
	flags.StringVar(&f.Panel, "panel", "", "another panel of the config, or demo; with --round 0")
}

func fork(ctx context.Context, a *app.App, id string, flags *app.ForkChange, workspace string, asJSON bool) error {
	flags.By = a.Answerer("command")
	st, parent, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	builder := app.Builder{}
	if flags.NeedsConfig() {
		cfg, found, err := a.ConfigFor(demoOnly(parent))
		if err != nil {
			return err
		}
		if builder, err = a.For(ctx, app.NewBuilder(cfg, found), debate.Plan{Panel: cmp.Or(flags.Panel, app.DemoPanel)}); err != nil {
			return err
		}
	}
	plan, err := flags.Plan(builder, parent)
	if err != nil {
		return err
	}
	s, err := a.Named().Fork(ctx, st, parent, plan)
	if err != nil {
		return err
	}
	if workspace != "" {
		if err := st.Lock(ctx, s.ID); err != nil {
			return err
		}
		if s, err = a.MoveWorkspace(ctx, st, s, workspace); err != nil {
			return fmt.Errorf("debate %s was made: %w", s.ID, err)
		}
	}
	a.Log.Info("forked", "session", s.ID, "parent", parent.ID, "round", flags.Round)
	if asJSON {
		return printSession(ctx, a, st, s.ID)
	}
	return a.Print("Debate %s: %s\n%s\n%s\n", s.ID, text.Label(s.Name()), text.Capitalize(report.Origin(s)),
		a.Commands().Hints(headless.WhatNext(s, a.Now())))
}
