package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/changes"
	"roundtable/internal/text"
)

type reviewOptions struct {
	plan      debate.Plan
	out       outputFlags
	extra     runExtras
	committed bool
	format    string
	exclude   []string
	include   []string
}

func reviewCommand(a *app.App) *cobra.Command {
	var o reviewOptions
	c := &cobra.Command{
		Use: "review [BASE]", Short: "Let a panel review the changes of a git repository", Args: argCount(0, 1, "[BASE]"),
		Long: "Review what the repository here has changed since it left BASE, a branch or a commit; the default is the\n" +
			"default branch. Changes that are not committed and new files count, unless --committed is given.\n" +
			"The seats get the diff as evidence, and a clone of the repository to look at.\n" +
			"With nothing to review nobody is asked, and the exit code is 0.",
		Example: "  roundtable review\n  roundtable review origin/main --committed --format sarif > review.sarif",
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, known := reviewFormats()[o.format]; cmd.Flags().Changed("format") && !known {
				return app.Usagef("--format: there is no %q; there are markdown, sarif and json", text.Label(o.format))
			}
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
	addPlanFlags(c, &o.plan, allBut("options", "perspectives", "question"))
	f.Lookup("topic").Usage = "what to look for, instead of all defects"
	f.BoolVar(&o.committed, "committed", false, "leave out what is not committed")
	addPatternFlag(f, "exclude", "leave out changed files that match, such as '*.snap'; can be given several times", &o.exclude)
	addPathFlag(f, "include", "show a changed file of keys or passwords, with its values masked; can be given several times",
		func(path string) { o.include = append(o.include, path) })
	f.StringVar(&o.format, "format", "",
		"print the result in this format: markdown (for a pull request), sarif or json; what happens goes to standard error")
	o.out.addFlags(c)
	o.extra.addFlags(c, "answer questions from a JSON file", "what the first round should focus on",
		"a file or folder that the review needs as well; can be given several times")
	return c
}

func review(ctx context.Context, a *app.App, base string, o reviewOptions) error {
	cfg, _, err := a.Config()
	if err != nil && o.plan.Panel != app.DemoPanel {
		return err
	}
	if o.plan.Topic != "" { // else it is the usual one
		o.plan.Author = a.Answerer("command")
	}
	plan, brought, found, err := app.ReviewPlan(ctx, cfg, changes.Options{
		Base: base, Committed: o.committed, Include: o.include, Exclude: o.exclude,
	}, o.plan)
	if err != nil {
		return err
	}
	for _, note := range found.Notes {
		a.Warn(note)
	}
	if len(brought) == 0 {
		a.Warn("nothing to review since " + found.Base + "; nobody was asked")
		return nil
	}
	o.plan, o.extra.brought = plan, brought
	return reviewed(ctx, a, o)
}

func reviewFormats() map[string]report.Format {
	return map[string]report.Format{"markdown": report.Comment, "sarif": report.SARIF, "json": report.JSON}
}

// reviewed runs the debate. With a format the result alone is written to standard output.
func reviewed(ctx context.Context, a *app.App, o reviewOptions) error {
	if o.format == "" {
		_, err := run(ctx, a, o.plan, o.out, o.extra)
		return err
	}
	format := reviewFormats()[o.format]
	o.out.findings = format != report.JSON
	stdout := a.Stdout
	a.Stdout, o.out.apart = a.Stderr, true
	s, err := run(ctx, a, o.plan, o.out, o.extra)
	a.Stdout = stdout
	if s.Verdict == nil {
		return err
	}
	return errors.Join(export(ctx, a, s.ID, exportOptions{format: string(format), file: "-"}), err)
}
