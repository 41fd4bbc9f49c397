package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/internal/app"
	"roundtable/internal/evidence"
)

func newCommand(a *app.App) *cobra.Command {
	var options debate.Plan
	var begin bool
	var files []string
	c := &cobra.Command{
		Use: "new [TOPIC]", Short: "Open the form for a new debate", Args: argCount(0, 1, "[TOPIC]"),
		Example: "  roundtable new\n  roundtable new \"Should a small team use SQLite in production?\" --mode delphi",
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
	addPlanFlags(c, &options)
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

// addConfirmedWorkspace adds the flag that confirms or changes the workspace of a saved
// session.
func addConfirmedWorkspace(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "workspace", "",
		"folder to go on in: another one, the debate's own if it was not chosen on this machine, or none")
}

// addPlanFlags adds the flags of a new debate to a command.
func addPlanFlags(c *cobra.Command, o *debate.Plan) {
	f := c.Flags()
	f.StringVar(&o.Mode, "mode", "", "mode of the debate; roundtable modes lists them")
	f.StringSliceVar(&o.Agents, "agents", nil, "seats of the debate, such as ada,brook,cy")
	f.StringVar(&o.Panel, "panel", "", "panel of the config, or demo")
	f.IntVar(&o.Rounds, "rounds", 0, "number of rounds")
	f.StringSliceVar(&o.Perspectives, "perspectives", nil, "perspectives of the seats, in modes that assign them")
	f.StringVar(&o.Question, "question", "", "kind of question: yes-no, choice, estimate or open (default: open)")
	f.StringVar(&o.Unit, "unit", "", "unit of an estimate, such as weeks, or none for a bare count; makes it an estimate")
	f.StringSliceVar(&o.Options, "options", nil, "options to choose from, such as \"Postgres, SQLite\"; makes it a choice")
	f.Func("ends", "what ends it early: planned, agreed (all agree, blind) or settled (no side changes in two rounds)",
		func(name string) (err error) {
			o.Ends, err = debate.ParseEnds(name)
			return err
		})
	f.StringVar(&o.Workspace, "workspace", "", "folder that seats may look at; they only read it")
	f.StringVar(&o.WorkspaceMode, "workspace-mode", "", "how seats use it: local, clone (each in a git clone of its own) or container")
	addBudgetFlags(f, &o.USD, &o.Tokens, "debate")
}
