package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/store"
)

func continueCommand(a *app.App) *cobra.Command {
	var out outputFlags
	var extra runExtras
	var options continueOptions
	c := &cobra.Command{
		Use: "continue ID", Short: "Continue a saved debate without the interface", Args: argCount(1, 1, "ID"),
		Example: "  roundtable continue k7m2\n  roundtable continue k7m2 --rounds 1 --focus \"What it costs\"",
		Long: "Continue a saved debate.\n\n" +
			"If a required question is open, print the open questions and exit with code 3.\n" +
			"If fewer than two seats answered a round, the others are asked again; --go-on goes on without them.\n" +
			"If the debate is complete, print its verdict; --rounds continues it.\n" +
			"If the budget stopped it, --budget or --tokens with --rounds continues it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := options.rounds; cmd.Flags().Changed("rounds") && (n < 1 || n > debate.MaxRounds) {
				return app.Usagef("rounds must be 1-%d, not %d", debate.MaxRounds, n)
			}
			if err := checkStdin(extra.files, map[string]string{"--answers -": extra.answers}); err != nil {
				return err
			}
			return continueSession(cmd.Context(), a, args[0], options, out, extra)
		},
	}
	out.addFlags(c)
	extra.addFlags(c, "answer open questions from a JSON file", "what the next round should focus on",
		"add a file or folder before the next round, or - for standard input; can be given several times")
	c.Flags().BoolVar(&options.now, "now", false, "ask at once whom a provider asked to wait: seats, the chair and the light model")
	c.Flags().IntVar(&options.rounds, "rounds", 0, "add this many rounds")
	c.Flags().Func("agent", "another model for a seat that has not spoken in the open round, else from the next one, such as ada=gpt-5",
		func(value string) error {
			id, model, ok := strings.Cut(value, "=")
			if !ok || strings.TrimSpace(id) == "" || strings.TrimSpace(model) == "" {
				return errors.New("write ID=MODEL, such as ada=gpt-5")
			}
			options.models = append(options.models, headless.Chosen{ID: control.ChangeModel, Args: id + " " + model, Flag: "agent"})
			return nil
		})
	addBudgetFlags(c.Flags(), &options.usd, &options.tokens, "whole debate")
	addConfirmedWorkspace(c, &options.workspace)
	addActionFlags(c, &options.actions)
	return c
}

// addActionFlags adds a flag for each idle action that no other flag or command carries out.
func addActionFlags(c *cobra.Command, chosen *[]headless.Chosen) {
	other := []control.ID{
		control.Continue, control.Answer, control.AskFollowUp, // continue --answers, ask
		control.AddRounds, control.SetBudget, control.SetFocus, control.GoOn, // --rounds, --budget and --tokens, --focus, --go-on
		control.ChangeModel, control.SayOutcome, // --agent, outcome
	}
	for _, a := range control.All() {
		choose := func(args string) error {
			*chosen = append(*chosen, headless.Chosen{ID: a.ID, Args: args})
			return nil
		}
		switch {
		case !a.Idle || slices.Contains(other, a.ID):
		case len(a.Args) == 0:
			c.Flags().BoolFunc(string(a.ID), a.Verb(), func(string) error { return choose("") })
		default:
			c.Flags().Func(string(a.ID), fmt.Sprintf("%s: %s", a.Verb(), a.Usage()), choose)
		}
	}
}

type continueOptions struct {
	now    bool // end the waits for providers
	rounds int
	usd    float64
	tokens int

	models    []headless.Chosen // changes of models, before all else
	workspace string            // of the session, which the user confirms
	actions   []headless.Chosen // what is done before the session is played
}

func (o continueOptions) budget(b debate.Budget) debate.Budget {
	b.USD = cmp.Or(o.usd, b.USD)
	b.Tokens = cmp.Or(o.tokens, b.Tokens)
	return b
}

// checkRounds refuses rounds that cannot be added. Those of which the budget pays no call would only cost another verdict.
func (o continueOptions) checkRounds(p app.Player, s debate.Session) error {
	if o.rounds == 0 {
		return nil
	}
	s.Budget = o.budget(s.Budget)
	err := control.New(s, control.Options{Player: p}).Check(control.AddRounds, control.Values{Rounds: o.rounds})
	if poor, ok := errors.AsType[*debate.BudgetError](err); ok {
		return &exitError{exitBudget, fmt.Errorf("%w.\nNothing was changed; "+
			"`roundtable continue %s --rounds %d` with a larger --budget or --tokens goes on", poor, s.ID, o.rounds)}
	} else if err != nil {
		return app.Usagef("--rounds: %v", err)
	}
	return nil
}

func continueSession(ctx context.Context, a *app.App, id string, o continueOptions, flags outputFlags, extra runExtras) error {
	out, err := reporter(a, flags)
	if err != nil {
		return err
	}
	focus, err := app.CheckText("focus", extra.focus, debate.MaxFocus)
	if err != nil {
		return err
	}
	given, added, err := extra.load(ctx, a)
	if err != nil {
		return err
	}
	if flags.estimate {
		return printRest(ctx, a, id, o, added)
	}
	st, s, err := a.LockToPlay(ctx, id)
	if err != nil {
		return err
	}
	if err := flags.checkRequired(s); err != nil {
		return err
	}
	cfg, found, err := a.ConfigFor(demoOnly(s))
	if err != nil {
		return err
	}
	if err := a.CheckLocal(cfg, s); err != nil {
		return err
	}
	flags.setCommands(a, cfg, s)
	player := a.Sessions(st, app.NewBuilder(cfg, found), a.OpenClients(ctx, cfg, 0)).Player
	if err := o.checkRounds(player, s); err != nil {
		return err
	}
	p := &headless.Player{
		Store: st, Player: player, Reporter: out, First: append(chosenFocus(focus), o.models...),
		Answers: given, GoOn: flags.goOn, Now: a.Now, Commands: a.Commands(), Author: a.Answerer("command"),
	}
	if err := p.Check(s.WithMoreRounds(o.rounds)); err != nil {
		return app.Usagef("%v", err)
	}
	if s, err = prepare(ctx, a, st, s, o, given); err == nil {
		s, err = a.AddFiles(ctx, st, s, added)
	}
	if err != nil {
		return err
	}
	drift, err := app.RecordDrift(ctx, st, cfg, &s)
	if err != nil {
		return err
	}
	return playSaved(ctx, a, p, s, o, drift, flags)
}

func printRest(ctx context.Context, a *app.App, id string, o continueOptions, added []debate.Evidence) error {
	cfg, _, err := a.Config()
	if err != nil {
		return err
	}
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	s.Evidence, s.Budget = append(slices.Clip(s.Evidence), added...), o.budget(s.Budget)
	if s = s.WithMoreRounds(o.rounds); s.OwesReport() {
		s.Verdict = nil
	}
	return a.PrintEstimate(ctx, cfg, s)
}

func playSaved(ctx context.Context, a *app.App, p *headless.Player, s debate.Session, o continueOptions, drift []debate.Notice,
	flags outputFlags,
) error {
	p.First = append(p.First, o.actions...)
	if err := p.Check(s); err != nil {
		return app.Usagef("%v", err)
	}
	p.Reporter.Begin(s, true)
	for _, n := range drift {
		n.At = a.Now()
		p.Reporter.Event(debate.Noticed{Notice: n})
	}
	if s.Verdict != nil && len(o.actions) == 0 { // which would have another one written
		p.Reporter.Event(debate.Concluded{Session: s, At: s.Updated})
	}
	return finish(a, p.Reporter, flags.judge(p.Play(ctx, s)))
}

func demoOnly(s debate.Session) bool {
	return !slices.ContainsFunc(s.Speakers(), func(p agents.Profile) bool { return p.Provider != debate.DemoProvider })
}

// prepare records the options with a saved session: answers first, since one may be refused.
func prepare(ctx context.Context, a *app.App, st *store.Store, s debate.Session, o continueOptions, given *preparedAnswers,
) (debate.Session, error) {
	s, err := a.MoveWorkspace(ctx, st, s, o.workspace)
	if err != nil {
		return s, err
	}
	wanted := s
	wanted.Budget = o.budget(s.Budget)
	if wanted.Budget != s.Budget {
		if err := wanted.CheckBudget(); err != nil {
			return s, app.Usagef("%v", err)
		}
	}
	subs, err := given.all(s)
	if err != nil {
		return s, err
	}
	if len(subs) > 0 {
		c := control.New(s, control.Options{Writer: st})
		if _, err := c.Act(ctx, control.Answer, control.Values{Answers: subs}); err != nil {
			return s, err
		}
		s = c.Session()
	}
	if wanted.Budget != s.Budget {
		if s, err = st.SetBudget(ctx, s.ID, wanted.Budget); err != nil {
			return s, err
		}
	}
	if o.rounds > 0 {
		if s, err = st.AddRounds(ctx, s.ID, o.rounds); err != nil {
			return s, err
		}
	}
	if o.now {
		waiting := s.Due(a.Now()).Waiting
		for i := range waiting {
			waiting[i].At = a.Now()
		}
		if len(waiting) > 0 {
			if err := st.SetDue(ctx, s.ID, waiting...); err != nil {
				return s, err
			}
			s = s.WithDue(waiting...)
		}
	}
	return s, nil
}

func chosenFocus(focus string) []headless.Chosen {
	if focus == "" {
		return nil
	}
	return []headless.Chosen{{ID: control.SetFocus, Args: focus, Flag: "focus"}}
}
