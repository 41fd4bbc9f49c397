package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/evidence"
	"roundtable/internal/text"
)

// reviewOptions are the flags of `review`.
type reviewOptions struct {
	plan            debate.Plan
	out             outputFlags
	extra           runExtras
	committed, goOn bool
	format          string
}

func reviewCommand(a *app.App) *cobra.Command {
	var o reviewOptions
	c := &cobra.Command{
		Use: "review [BASE]", Short: "Let a panel review the changes of a git repository", Args: argCount(0, 1, "[BASE]"),
		Long: "Review what the repository here has changed since it left BASE, a branch or a commit; the default is the\n" +
			"default branch. Changes that are not committed and new files count, unless --committed is given.\n" +
			"The seats get the diff as evidence, and a clone of the repository to look at.\n" +
			"Without changes nobody is asked, and the exit code is 0.",
		Example: "  roundtable review\n  roundtable review origin/main --committed --format sarif > review.sarif",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.format != "" && o.out.json {
				return app.Usagef("--format and --json cannot be used together")
			}
			if err := app.CheckPlan(o.plan, cmd.Flags().Changed); err != nil {
				return err
			}
			return review(cmd.Context(), a, strings.Join(args, ""), o)
		},
	}
	f := c.Flags()
	addPlanFlags(c, &o.plan)
	f.StringVar(&o.plan.Topic, "topic", "", "what to look for, instead of all defects")
	f.BoolVar(&o.committed, "committed", false, "leave out what is not committed")
	f.StringVar(&o.format, "format", "",
		"print the result in this format: markdown (for a pull request), sarif or json; what happens goes to standard error")
	o.out.addFlags(c)
	o.extra.addFlags(c, "answer questions from a JSON file", "what the first round should focus on",
		"a file or folder that the review needs as well; can be given several times")
	addNoQuestionsFlag(f, &o.plan)
	f.BoolVar(&o.goOn, "go-on", false, "go on after a round that only one seat answered")
	return c
}

// review debates the changes since a base.
func review(ctx context.Context, a *app.App, base string, o reviewOptions) error {
	changes, err := changesSince(ctx, a, base, o.committed)
	if err != nil {
		return err
	}
	if changes.Diff == "" {
		a.Warn("no changes since " + changes.Base + "; nobody was asked")
		return nil
	}
	found, err := evidence.NewReader(nil).Text("changes since "+changes.Base+".diff", changes.Diff)
	if err != nil {
		return app.Usagef("%v", err)
	}
	o.extra.brought = found.Evidence
	for _, name := range found.Secrets {
		a.Warn(name + " looks like it holds secrets; it goes to every provider of the panel")
	}
	asked := fmt.Sprintf("Which defects do the changes since %s of %s have?", changes.Base, filepath.Base(changes.Root))
	o.plan.Topic = cmp.Or(o.plan.Topic, asked)
	o.plan.Mode, o.plan.Author = cmp.Or(o.plan.Mode, reviewMode), byCommand()
	if o.plan.Workspace == "" {
		o.plan.Workspace, o.plan.WorkspaceMode = changes.Root, cmp.Or(o.plan.WorkspaceMode, string(debate.WorkspaceClone))
	}
	return reviewed(ctx, a, o)
}

// reviewMode is the mode of a review.
const reviewMode = "review"

// changesSince returns the changes of the repository here, and says which new files are left
// out.
func changesSince(ctx context.Context, a *app.App, base string, committed bool) (workspace.Changes, error) {
	dir, err := os.Getwd()
	if err != nil {
		return workspace.Changes{}, err
	}
	changes, err := workspace.ChangesSince(ctx, dir, base, committed)
	if err != nil {
		return changes, app.Usagef("%v", err)
	}
	if len(changes.Left) > 0 {
		a.Warn(text.Line(text.List(changes.Left)) + " left out, since it looks like secrets; --file adds it")
	}
	return changes, nil
}

// reviewed runs the debate. With a format the result alone is written to standard output.
func reviewed(ctx context.Context, a *app.App, o reviewOptions) error {
	if o.format == "" {
		_, err := run(ctx, a, o.plan, o.out, o.extra, o.goOn)
		return err
	}
	as := exportOptions{format: o.format, file: "-"}
	if o.format == "markdown" {
		as.format = string(report.Comment)
	}
	if _, err := as.chosen(); err != nil {
		return err
	}
	stdout := a.Stdout
	a.Stdout = a.Stderr
	s, err := run(ctx, a, o.plan, o.out, o.extra, o.goOn)
	a.Stdout = stdout
	if s.Verdict == nil {
		return err
	}
	return errors.Join(export(ctx, a, s.ID, as), err)
}
