package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/headless"
)

type askOptions struct {
	agent  string
	json   bool
	budget continueOptions
}

func askCommand(a *app.App) *cobra.Command {
	var o askOptions
	c := &cobra.Command{
		Use: `ask ID "QUESTION"`, Short: "Ask a follow-up question after the verdict", Args: argCount(2, 2, `ID "QUESTION"`),
		Long: "Ask the chair, or one seat, a follow-up question about a debate that has its verdict, and print the answer.\n\n" +
			"It is answered from the saved debate and the earlier follow-ups, and saved with them. The verdict stays as it is,\n" +
			"and rounds that are added later do not see it.",
		Example: "  roundtable ask k7m2 \"What would change your mind?\"\n  roundtable ask k7m2 \"Why not Postgres?\" --agent brook",
		RunE:    func(cmd *cobra.Command, args []string) error { return ask(cmd.Context(), a, args[0], args[1], o) },
	}
	c.Flags().StringVar(&o.agent, "agent", "", "ask this seat instead of the chair, by id or name")
	c.Flags().BoolVar(&o.json, "json", false, "print the question and its answer as JSON")
	addBudgetFlags(c.Flags(), &o.budget.usd, &o.budget.tokens, "whole debate")
	return c
}

func ask(ctx context.Context, a *app.App, id, question string, o askOptions) error {
	st, s, err := a.LockToPlay(ctx, id)
	if err != nil {
		return err
	}
	to := s.SpeakerNamed(o.agent)
	who, err := s.CheckFollowUp(to, question)
	if _, early := errors.AsType[*debate.RefusedError](err); early {
		return app.Usagef("%v.\n%s", err, headless.WhatNext(s, a.Now()))
	}
	if err != nil {
		return app.Usagef("%v", err)
	}
	cfg, found, err := a.ConfigFor(demoOnly(s))
	if err != nil {
		return err
	}
	if err := a.CheckLocal(cfg, s); err != nil {
		return err
	}
	if s, err = prepare(ctx, a, st, s, o.budget, nil); err != nil {
		return err
	}
	a.NoCommands = true
	c := a.OpenClients(ctx, cfg, 0)
	c.Prepare([]agents.Profile{who})
	p := &headless.Player{
		Store: st, Player: a.Sessions(st, app.NewBuilder(cfg, found), c).Player, Now: a.Now,
		Reporter: &headless.TextReporter{Out: io.Discard, Quiet: true}, Answers: (*preparedAnswers)(nil), Commands: a.Commands(),
	}
	e := p.Ask(ctx, s, control.Values{Seat: to, Text: question})
	switch e.Kind {
	case headless.Paused:
		e.Err = fmt.Errorf("no answer: %w", e.Err)
	case headless.Stopped:
		e.Err = fmt.Errorf("%w.\nThe question is saved without an answer; "+
			"`roundtable ask %s \"QUESTION\"` with a larger --budget or --tokens asks again", e.Err, s.ID)
	case headless.Completed, headless.Failed, headless.NeedsContext: // as it is
	}
	err = printAnswer(a, s, e.Session, o.json)
	if err == nil && e.Err != nil {
		err = &exitError{exitCodeOf(e), e.Err}
	}
	return err
}

// printAnswer prints what came of a follow-up question: its answer, and what is wrong with it.
func printAnswer(a *app.App, s, asked debate.Session, asJSON bool) error {
	for _, n := range asked.Notices[len(s.Notices):] {
		a.Warn(n.Text)
	}
	for i, f := range asked.FollowUps[len(s.FollowUps):] {
		if asJSON {
			return printJSON(a, report.Of(asked, report.Options{}).FollowUps[len(s.FollowUps)+i])
		}
		if problem := f.Problem(); f.Answered() && problem != "" {
			a.Warn(problem)
		}
		if f.Answered() {
			return a.Print("%s\n", strings.TrimSpace(f.Text()))
		}
	}
	return nil
}
