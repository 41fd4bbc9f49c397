package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/eval"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/term"
	"roundtable/internal/text"
)

func evalCommand(a *app.App) *cobra.Command {
	var plan debate.Plan
	var r eval.Report
	var limit uint
	var asJSON, ofDemo bool
	c := &cobra.Command{
		Use: "eval FILE", Short: "Measure a panel on questions whose answers are known", Args: argCount(0, 1, "FILE"),
		Long: "Debate the questions of a data set, and compare the panel with each of its seats alone. FILE is JSONL\n" +
			"or CSV of input, target and, where needed, choices and facts, which are what you would answer.\n" +
			"Each question is a debate that lists leave out; `roundtable sessions --eval NAME` shows them.\n" +
			"What was played is not paid for again: run the same command to go on after any end.",
		Example: "  roundtable eval --demo\n  roundtable eval --demo --facts none --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckPlan(plan, cmd.Flags().Changed); err != nil {
				return err
			}
			switch {
			case ofDemo == (len(args) > 0), ofDemo && plan.Panel != "":
				return app.Usagef("eval needs FILE, or --demo without FILE and --panel")
			case ofDemo:
				args, plan.Panel, plan.Rounds = []string{app.DemoPanel}, app.DemoPanel, 2
			case plan.Panel == app.DemoPanel:
				return app.Usagef("the demo has no answers to your questions; `roundtable eval --demo` runs an evaluation of its own")
			}
			items, err := readQuestions(a, args[0], ofDemo, int(limit), &r)
			if err != nil {
				return err
			}
			return evaluate(cmd.Context(), a, plan, r, items, asJSON)
		},
	}
	addPlanFlags(c, &plan, func(field string) bool { return field == "panel" || field == "mode" })
	c.Flags().StringVar(&r.Baseline, "baseline", "", "seat that the panel is compared with; the first one by default")
	c.Flags().StringVar(&r.Facts, "facts", "", "whether seats can ask: asked (the data set answers, the default if it can), or none")
	c.Flags().UintVar(&limit, "limit", 0, "number of questions at most; 0 is all")
	addBudgetFlags(c.Flags(), &plan.USD, &plan.Tokens, "evaluation")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&ofDemo, "demo", false, "40 questions with facts and scripted seats, offline and free")
	return c
}

func readQuestions(a *app.App, path string, ofDemo bool, limit int, r *eval.Report) (items []eval.Item, err error) {
	raw := demo.EvalSet()
	if !ofDemo {
		if raw, err = readInput(path, a.Stdin, 64<<20); err != nil {
			return nil, app.Usagef("read the questions: %v", err)
		}
	}
	if items, r.Bad, err = eval.Read(raw); err != nil {
		return nil, app.Usagef("%s: %v", fileName(path), err)
	}
	for _, bad := range r.Bad {
		a.Warn(bad.String())
	}
	if limit > 0 {
		items = items[:min(limit, len(items))]
	}
	r.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	asked := slices.ContainsFunc(items, func(it eval.Item) bool { return len(it.Facts) > 0 })
	r.Facts = cmp.Or(r.Facts, map[bool]string{true: eval.FactsAsked, false: eval.FactsNone}[asked])
	switch {
	case len(items) == 0:
		return nil, app.Usagef("%s: no question can be read", fileName(path))
	case r.Facts != eval.FactsAsked && r.Facts != eval.FactsNone:
		return nil, app.Usagef("--facts is %s or %s, not %q", eval.FactsAsked, eval.FactsNone, text.Label(r.Facts))
	}
	return items, nil
}

func evaluate(ctx context.Context, a *app.App, plan debate.Plan, r eval.Report, items []eval.Item, asJSON bool) error {
	cfg, builder, err := builderFor(ctx, a, plan)
	if err != nil {
		return err
	}
	e, err := builder.Evaluation(plan, &r, items)
	if err == nil {
		err = a.CheckLocal(cfg, e.Debates[0])
	}
	if err != nil {
		return err
	}
	a.NoCommands = true
	c := a.OpenClients(ctx, cfg, 0)
	if err := c.Ready(e.Debates[0].Speakers()); err != nil {
		return app.Usagef("%v", err)
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return err
	}
	a.Warn(eval.CanShow(len(items)))
	results, err := e.Play(ctx, a.Sessions(st, builder, c))
	if r = eval.NewReport(r, e.Debates[0].Seats, results); asJSON {
		err = cmp.Or(printJSON(a, r), err)
	} else {
		err = cmp.Or(a.Print("%s", r.Text()), err)
	}
	var sig *headless.SignalError
	left := r.Questions - r.Played
	if left > 0 {
		a.Warn(text.Count(left, "question") + " not played to the end. The same command plays on; what was played is not paid for again.")
	}
	switch {
	case errors.As(context.Cause(ctx), &sig):
		return ended(term.ExitCode(sig.Signal))
	case err != nil || left == 0:
		return err
	}
	return ended(exitPaused)
}
