package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/headless"
)

func runCommand(a *app.App) *cobra.Command {
	var options debate.Plan
	var out outputFlags
	var extra runExtras
	c := &cobra.Command{
		Use: "run TOPIC", Short: "Run a debate without the interface",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && options.Panel == app.DemoPanel && options.Mode != "" {
				return nil // a review by the demo has a question of its own
			}
			return argCount(1, 1, "TOPIC")(cmd, args)
		},
		Long: "Run a debate until its rounds are done or you have to answer a question. At a terminal you are asked\n" +
			"there, unless CI is set; elsewhere, or with --json or --quiet, the command exits with code 3.\n\n" +
			"TOPIC is what to debate, or - to read it from standard input. `--mode review --panel demo` alone\n" +
			"reviews a sample.",
		Example: "  roundtable run \"Should a small team use SQLite in production?\" \\\n      --panel demo\n" +
			"  git diff | roundtable run \"Is this safe to merge?\" --mode adversarial --file -",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckPlan(options, cmd.Flags().Changed); err != nil {
				return err
			}
			topic := strings.Join(args, "")
			if err := checkStdin(extra.files, map[string]string{"TOPIC -": topic, "--answers -": extra.answers}); err != nil {
				return err
			}
			topic, err := readTopic(a, topic)
			if err != nil {
				return err
			}
			options.Topic, options.Author = topic, a.Answerer("command")
			_, err = run(cmd.Context(), a, options, out, extra)
			return err
		},
	}
	addPlanFlags(c, &options, allBut("topic"))
	out.addFlags(c)
	extra.addFlags(c, "answer questions from a JSON file", "what the first round should focus on",
		"a file or folder that the debate is about, or - for standard input; can be given several times")
	return c
}

func run(ctx context.Context, a *app.App, plan debate.Plan, flags outputFlags, extra runExtras) (s debate.Session, err error) {
	out, err := reporter(a, flags)
	if err != nil {
		return s, err
	}
	focus, err := extra.check(plan)
	if err != nil {
		return s, err
	}
	cfg, builder, err := builderFor(ctx, a, plan)
	if err != nil {
		return s, err
	}
	wanted, err := builder.Build(plan)
	if err != nil {
		return s, err
	}
	if err := cmp.Or(flags.checkRequired(wanted), a.CheckLocal(cfg, wanted)); err != nil {
		return s, err
	}
	given, files, err := extra.load(ctx, a)
	if err != nil {
		return s, err
	}
	wanted.Evidence = files
	if flags.estimate {
		return s, a.PrintEstimate(ctx, cfg, wanted)
	}
	flags.setCommands(a, cfg, wanted)
	c := a.OpenClients(ctx, cfg, 0)
	if err := c.Ready(wanted.Speakers()); err != nil {
		return s, app.Usagef("%v", err)
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return s, err
	}
	debates := a.Sessions(st, builder, c)
	s, err = debates.Create(ctx, wanted)
	if err != nil {
		return s, err
	}
	a.Log.Info("run", "session", s.ID, "debate", fmt.Sprintf("%s, %d seats, %d rounds", s.Mode.Name, len(s.Seats), s.Rounds))
	p := &headless.Player{
		Store: st, Player: debates.Player, Reporter: out, First: chosenFocus(focus), Author: a.Answerer("command"),
		Answers: given, GoOn: flags.goOn, Now: a.Now, Commands: a.Commands(),
	}
	if text, ok := out.(*headless.TextReporter); ok && !flags.quiet && !flags.apart && !plan.NoQuestions && a.Converses() {
		converse(a, cfg, p, text)
	}
	out.Begin(s, false)
	end := flags.judge(p.Play(ctx, s))
	return end.Session, errors.Join(finish(a, out, end), debates.Close(s.ID))
}

func converse(a *app.App, cfg config.Config, p *headless.Player, out *headless.TextReporter) {
	out.Page = a.Page(cfg.UI)
	p.AskUser = func(ctx context.Context, r ledger.Request) (string, error) {
		out.Request(r)
		prompt := "Your answer (enter alone: later)> "
		if r.Priority == ledger.Optional {
			prompt = "Your answer (enter alone: go on without it)> "
		}
		return a.ReadAnswer(ctx, prompt)
	}
}

// builderFor looks for agents where they are asked for, or where nothing else is.
func builderFor(ctx context.Context, a *app.App, options debate.Plan) (cfg config.Config, b app.Builder, err error) {
	cfg, found, err := a.ConfigFor(options.Panel == app.DemoPanel && len(options.Agents) == 0)
	if err != nil {
		return cfg, b, err
	}
	b, err = a.For(ctx, app.NewBuilder(cfg, found), options)
	return cfg, b, err
}
