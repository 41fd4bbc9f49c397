package cli

import (
	"context"

	"github.com/spf13/cobra"

	"roundtable/debate"
	wiring "roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/store"
)

func (a *app) runCommand() *cobra.Command {
	var options runOptions
	var out outputFlags
	var extra runExtras
	c := &cobra.Command{
		Use: "run TOPIC", Short: "Run a debate without the interface", Args: argCount(1, 1, "TOPIC"),
		Long: "Run a debate until its rounds are done or you have to answer a request.\n" +
			"TOPIC is a question, or - to read one from standard input.",
		Example: "  roundtable run \"Should a small team use SQLite in production?\" --panel demo\n" +
			"  git diff | roundtable run \"Is this safe to merge?\" --mode adversarial --file -",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := options.checkFlags(cmd.Flags().Changed); err != nil {
				return err
			}
			if err := checkStdin(extra.files, map[string]string{"TOPIC -": args[0], "--answers -": extra.answers}); err != nil {
				return err
			}
			topic, err := readTopic(a, args[0])
			if err != nil {
				return err
			}
			options.topic = topic
			return a.run(cmd.Context(), options, out, extra)
		},
	}
	options.addFlags(c)
	out.addFlags(c)
	extra.addFlags(c, "answer requests from a JSON file", "what the first round should focus on",
		"a file or folder that the debate is about, or - for standard input; can be given several times")
	c.Flags().BoolVar(&options.goOn, "go-on", false, "go on after a round that only one seat answered")
	return c
}

// runExtras are what a headless command brings to a debate.
type runExtras struct {
	files   []string // evidence
	answers string   // path of a file of answers
	focus   string
}

// addFlags adds the flags with their descriptions to a command.
func (e *runExtras) addFlags(c *cobra.Command, answers, focus, files string) {
	addPathFlag(c.Flags(), "answers", answers, func(path string) { e.answers = path })
	c.Flags().StringVar(&e.focus, "focus", "", focus)
	addFileFlag(c, &e.files, files)
}

// load reads the answers and the evidence.
func (e runExtras) load(ctx context.Context, a *app) (*preparedAnswers, []debate.Evidence, error) {
	given, err := loadAnswers(a, e.answers)
	if err != nil {
		return nil, nil, err
	}
	files, err := readFiles(ctx, a, e.files)
	return given, files, err
}

// run starts a new debate and plays it.
func (a *app) run(ctx context.Context, options runOptions, flags outputFlags, extra runExtras) error {
	out, err := a.reporter(flags)
	if err != nil {
		return err
	}
	focus, err := checkFocus(extra.focus)
	if err != nil {
		return err
	}
	cfg, found, err := a.config()
	if err != nil {
		if cfg, err = a.configForDemo(err, options.demoOnly()); err != nil {
			return err
		}
	}
	wanted, err := sessionBuilder{cfg, found}.build(options)
	if err != nil {
		return err
	}
	if err := flags.require.check(wanted); err != nil {
		return err
	}
	given, files, err := extra.load(ctx, a)
	if err != nil {
		return err
	}
	wanted.Evidence = files
	flags.warnOfCommands(a, cfg, wanted)
	c := openClients(ctx, a, cfg, 0)
	if err := c.Ready(wanted.Speakers()); err != nil {
		return usagef("%v", err)
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	if err := flags.requireTools(ctx, a, st, cfg); err != nil {
		return err
	}
	folders := sessionWorkspaces{cfg, a.stateDir}
	if err := folders.check(ctx, wanted); err != nil {
		return err
	}
	s, err := a.createSession(ctx, st, wanted, focus)
	if err != nil {
		return err
	}
	if err := folders.name(s); err != nil {
		return err
	}
	a.log.Info("run", "session", s.ID, "debate", sessionLogLine(s))
	p := &headless.Player{
		Store: st, Player: wiring.Player{Engine: a.engine(st, cfg, c), Prepare: c.Prepare}, Reporter: out,
		Answers: given, GoOn: options.goOn, Now: a.now, Log: a.log,
		AllowCommands: flags.allow,
	}
	out.Begin(s, false)
	return a.report(out, flags.require.judge(p.Play(ctx, s)))
}

// createSession stores a new session and locks it.
func (a *app) createSession(ctx context.Context, st *store.Store, wanted debate.Session, focus string) (debate.Session, error) {
	s, err := st.Create(ctx, wanted)
	if err != nil {
		return s, err
	}
	if err := a.lock(ctx, st, s.ID); err != nil {
		return s, err
	}
	if focus == "" {
		return s, nil
	}
	return s, st.SetFocus(ctx, s.ID, focus)
}

// report logs how a headless command left a session, and ends its output.
func (a *app) report(out headless.Reporter, e headless.Result) error {
	a.log.Info("ended", "session", e.Session.ID, "as", string(e.Kind), "code", exitCodeOf(e))
	return finish(out, e)
}
