package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents/demo"
	"roundtable/debate/eval"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/term"
)

// maxDataSet bounds a data set, in bytes.
const maxDataSet = 64 << 20

// evalFlags are the flags of an evaluation.
type evalFlags struct {
	options     app.EvalOptions
	columns     string
	facts       []string
	json, csv   bool
	demo, quiet bool
	estimate    bool
}

func evalCommand(a *app.App) *cobra.Command {
	var f evalFlags
	c := &cobra.Command{
		Use: "eval FILE", Short: "Measure a panel on questions whose answers are known",
		Args: func(cmd *cobra.Command, args []string) error {
			if f.demo {
				return argCount(0, 0, "--demo")(cmd, args)
			}
			return argCount(1, 1, "FILE")(cmd, args)
		},
		Long: "Debate the questions of a data set, and compare the panel with one of its seats alone, with\n" +
			"votes, and with the pick. FILE is JSONL or CSV: rows of Inspect (input, target, choices), of\n" +
			"promptfoo (vars, assert; __expected) or {input, ideal}; facts are what you would answer.\n" +
			"Each question is a debate that lists leave out; `roundtable sessions --eval NAME` shows them.\n" +
			"What was played is not paid for again: run the same command to go on after any end.",
		Example: "  roundtable eval --demo\n  roundtable eval --demo --facts none --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckPlan(f.options.Plan, cmd.Flags().Changed); err != nil {
				return err
			}
			return evaluate(cmd.Context(), a, f, strings.Join(args, ""))
		},
	}
	o := &f.options
	c.Flags().StringVar(&o.Plan.Panel, "panel", "", "panel of the config")
	c.Flags().StringSliceVar(&o.Plan.Agents, "agents", nil, "seats in place of a panel")
	c.Flags().StringSliceVar(&o.Modes, "mode", nil, "mode of the debates; several are compared")
	c.Flags().IntVar(&o.Plan.Rounds, "rounds", 0, "number of rounds")
	c.Flags().StringVar(&o.Baseline, "baseline", "", "seat that the panel is compared with; the first one by default")
	c.Flags().StringSliceVar(&f.facts, "facts", nil, "whether seats can ask: asked (the data set answers), none, or both to compare them")
	c.Flags().BoolVar(&o.Consistency, "consistency", false, "also ask the baseline again and again, for as much as the debate cost")
	c.Flags().IntVar(&o.Limit, "limit", 0, "number of questions at most; 0 is all")
	c.Flags().Uint64Var(&o.Seed, "seed", 0, "choose the questions of --limit at random, the same for the same number")
	c.Flags().StringVar(&o.Name, "name", "", "name of the evaluation; that of the file by default")
	c.Flags().StringVar(&f.columns, "map", "", "which columns hold question, target, choices, facts and tolerance")
	addBudgetFlags(c.Flags(), &o.Plan.USD, &o.Plan.Tokens, "evaluation")
	c.Flags().BoolVar(&f.json, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&f.csv, "csv", false, "print a row for each question and answer")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "print no progress")
	c.Flags().BoolVar(&f.estimate, "estimate", false, "print what the questions can show and are likely to need; send nothing")
	c.Flags().BoolVar(&f.demo, "demo", false, "40 questions with facts and scripted seats, offline and free")
	return c
}

// load reads the data set and completes the options.
func (f *evalFlags) load(a *app.App, path string) error {
	if f.json && f.csv {
		return app.Usagef("--json and --csv cannot be used together")
	}
	o := &f.options
	for _, facts := range f.facts {
		if facts != eval.FactsAsked && facts != eval.FactsNone {
			return app.Usagef("--facts is %s, %s or both, not %q", eval.FactsAsked, eval.FactsNone, facts)
		}
	}
	o.Facts = f.facts
	if o.Limit < 0 {
		return app.Usagef("the limit must be 0 or more, not %d", o.Limit)
	}
	if !f.demo && o.Plan.Panel == app.DemoPanel {
		return app.Usagef("the demo has no answers to your questions; `roundtable eval --demo` runs an evaluation of its own")
	}
	var columns eval.Columns
	var err error
	if f.columns != "" {
		if columns, err = eval.ParseColumns(f.columns); err != nil {
			return app.Usagef("--map: %v", err)
		}
	}
	raw := demo.EvalSet()
	if f.demo {
		o.Plan.Panel, o.Plan.Agents, path = app.DemoPanel, nil, "demo"
		o.Plan.Rounds = cmp.Or(o.Plan.Rounds, 2)
	} else if raw, err = readInput(path, a.Stdin, maxDataSet); err != nil {
		return app.Usagef("read the questions: %v", err)
	}
	if o.Set, err = eval.Read(raw, columns); err != nil {
		return app.Usagef("%s: %v", fileName(path), err)
	}
	o.Name = cmp.Or(strings.TrimSpace(o.Name), strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	return app.CheckUTF8("--name", o.Name)
}

func evaluate(ctx context.Context, a *app.App, f evalFlags, path string) error {
	if err := f.load(a, path); err != nil {
		return err
	}
	cfg, builder, err := builderFor(ctx, a, f.options.Plan)
	if err != nil {
		return err
	}
	e, err := a.Evaluation(builder, f.options)
	if err == nil {
		err = e.CheckLocal(cfg)
	}
	if err != nil {
		return err
	}
	for _, line := range eval.BadLines(f.options.Set.Bad) {
		a.Warn(line)
	}
	if f.estimate {
		return a.Print("%s\n", e.Preview(ctx))
	}
	a.NoCommands = true
	c := a.OpenClients(ctx, cfg, 0)
	if err := c.Ready(e.Speakers()); err != nil {
		return app.Usagef("%v", err)
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return err
	}
	told := func(line string) {
		if !f.quiet {
			a.Warn(line)
		}
	}
	told(e.Preview(ctx))
	r, err := e.Play(ctx, st, a.Sessions(st, builder, c), told)
	if ended := ctx.Err(); ended != nil {
		err = nil
	}
	if printed := f.print(a, r); printed != nil || err != nil {
		return cmp.Or(printed, err)
	}
	if !r.Complete() {
		a.Warn(e.Rest())
	}
	var sig *headless.SignalError
	switch {
	case errors.As(context.Cause(ctx), &sig):
		return codeError(term.ExitCode(sig.Signal))
	case !r.Complete() && f.options.Plan.USD+float64(f.options.Plan.Tokens) > 0 && !e.Elsewhere():
		return codeError(exitBudget)
	case !r.Complete():
		return codeError(exitPaused)
	}
	return nil
}

func (f evalFlags) print(a *app.App, r eval.Report) error {
	switch {
	case f.json:
		return printJSON(a, r)
	case f.csv:
		return r.WriteCSV(a.Stdout)
	}
	return a.Print("%s", r.Text())
}
