package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/app"
	"roundtable/internal/evidence"
)

func newCommand(a *app.App) *cobra.Command {
	var options debate.Plan
	var begin bool
	var files []string
	c := &cobra.Command{
		Use: "new [TOPIC]", Short: "Open the form for a new debate", Args: argCount(0, 1, "[TOPIC]"),
		Example: "  roundtable new\n  roundtable new \"Should a small team use SQLite in production?\" \\\n      --mode delphi",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				options.Topic = args[0]
			}
			if err := app.CheckPlan(options, cmd.Flags().Changed); err != nil {
				return err
			}
			if slices.ContainsFunc(files, evidence.IsStdin) {
				return app.Usagef("--file -: the interface reads keys from standard input; use `roundtable run`, or name a file")
			}
			return a.Interactive(cmd.Context(), app.Start{New: &options, Files: files, Begin: begin})
		},
	}
	addPlanFlags(c, &options, allBut("topic", "no-questions"))
	addFileFlag(c, &files, "a file or folder that the debate is about; can be given several times")
	c.Flags().BoolVar(&begin, "start", false, "start the debate at once")
	return c
}

func resumeCommand(a *app.App) *cobra.Command {
	var at app.Start
	c := &cobra.Command{
		Use: "resume ID", Short: "Open a saved debate, paused", Args: argCount(1, 1, "ID"),
		Example: "  roundtable resume k7m2",
		RunE: func(cmd *cobra.Command, args []string) error {
			at.Resume = args[0]
			return a.Interactive(cmd.Context(), at)
		},
	}
	addConfirmedWorkspace(c, &at.Workspace)
	return c
}

func addConfirmedWorkspace(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "workspace", "",
		"folder to go on in: another one, the debate's own if it was not chosen on this machine, or none")
}

func addPlanFlags(c *cobra.Command, p *debate.Plan, takes func(field string) bool) {
	flags := c.Flags()
	for _, f := range p.Fields() {
		if !takes(f.Name) {
			continue
		}
		switch v := f.At.(type) {
		case *string:
			flags.StringVar(v, f.Name, *v, f.Help)
		case *[]string:
			flags.StringSliceVar(v, f.Name, *v, f.Help)
		case *bool:
			flags.BoolVar(v, f.Name, *v, f.Help)
		case *float64:
			addAmountFlag(flags, v, budget.ParseUSD, f.Name, f.Help)
		case *int:
			if f.Name == "rounds" {
				flags.IntVar(v, f.Name, *v, f.Help)
			} else {
				addAmountFlag(flags, v, budget.ParseTokens, f.Name, f.Help)
			}
		}
	}
}

func readField(p *debate.Plan, field, value string) error {
	c, changed := &cobra.Command{}, *p
	addPlanFlags(c, &changed, allBut())
	if err := c.Flags().Set(field, value); err != nil {
		return errors.New(flagError(c, err))
	}
	err := app.CheckPlan(changed, c.Flags().Changed)
	if err == nil {
		*p = changed
	}
	return err
}

func allBut(fields ...string) func(string) bool {
	return func(field string) bool { return !slices.Contains(fields, field) }
}
