package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

func outcomeCommand(a *app.App) *cobra.Command {
	var v debate.Settlement
	var was string
	cmd := &cobra.Command{
		Use: "outcome ID right|wrong|mixed|open", Short: "Say how a verdict turned out",
		Args: argCount(1, 2, "ID right|wrong|mixed|open"),
		Long: "Say how what a debate decided turned out. The verdict itself stays as it is; what you say last counts.\n" +
			"`roundtable sessions` lists it. With ID alone, print what was said.",
		Example: "  roundtable outcome k7m2 right --note \"a year without trouble\"\n  roundtable outcome k7m2 wrong --was no",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(app.CheckUTF8("--note", v.Note), app.CheckUTF8("--was", was)); err != nil {
				return err
			}
			if len(args) == 1 && !cmd.Flags().Changed("note") && !cmd.Flags().Changed("was") {
				return showOutcome(cmd.Context(), a, args[0])
			}
			if len(args) == 1 {
				return argCount(2, 2, "ID right|wrong|mixed|open")(cmd, args)
			}
			v.Result, v.Side = debate.Result(args[1]), debate.Side(was)
			return saveOutcome(cmd.Context(), a, args[0], v)
		},
	}
	f := cmd.Flags()
	f.StringVar(&was, "was", "", "the side that was right")
	f.StringVar(&v.Note, "note", "", "what happened")
	return cmd
}

func showOutcome(ctx context.Context, a *app.App, id string) error {
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	if _, said := s.Settled(); !said {
		words := "Nothing was said of how it turned out."
		for _, earlier := range s.Settlements {
			words = fmt.Sprintf("Nothing was said of this verdict; of that after round %d: %s.", earlier.Rounds, earlier.Result)
		}
		return a.Print("%s: %s\n%s\n", s.ID, text.Label(s.Name()), words)
	}
	return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), verdict.SettledLine(s))
}

func saveOutcome(ctx context.Context, a *app.App, id string, v debate.Settlement) error {
	st, s, err := a.LockSession(ctx, id)
	if err != nil {
		return err
	}
	v.Author, v.At = a.Answerer("command"), a.Now().UTC()
	settled, err := verdict.Settle(s, v)
	if err != nil {
		return app.Usagef("%v", err)
	}
	if err := st.Settle(ctx, s.ID, settled); err != nil {
		return err
	}
	return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), verdict.SettledLine(s.WithSettlement(settled)))
}
