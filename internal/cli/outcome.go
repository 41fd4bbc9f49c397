package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/text"
	"roundtable/store"
)

func outcomeCommand(a *app.App) *cobra.Command {
	var v debate.Settlement
	var was string
	cmd := &cobra.Command{
		Use: "outcome ID [right|wrong|mixed|open]", Short: "Say how a verdict turned out, or print what was said",
		Args: argCount(1, 2, "ID [right|wrong|mixed|open]"),
		Long: "Say how what a debate decided turned out. The verdict itself stays as it is; what you say last counts.\n" +
			"Without a word, print what was said.",
		Example: "  roundtable outcome k7m2 right --note \"a year without trouble\"\n  roundtable outcome k7m2 wrong --was no",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && cmd.Flags().NFlag() == 0 {
				return printOutcome(cmd.Context(), a, args[0])
			}
			for name, value := range map[string]string{"--note": v.Note, "--was": was} {
				if err := app.CheckUTF8(name, value); err != nil {
					return err
				}
			}
			if len(args) == 1 {
				return app.Usagef("--was and --note need how it turned out: roundtable outcome ID right, wrong, mixed or open")
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

func printOutcome(ctx context.Context, a *app.App, id string) error {
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), cmp.Or(verdict.SettledLine(s), "not said yet"))
}

func saveOutcome(ctx context.Context, a *app.App, id string, v debate.Settlement) error {
	return changeSession(ctx, a, id, func(st *store.Store, s debate.Session) error {
		v.Author, v.At = a.Answerer("command"), a.Now().UTC()
		settled, err := verdict.Settle(s, v)
		if err != nil {
			return app.Usagef("%v", err)
		}
		if err := st.Settle(ctx, s.ID, settled); err != nil {
			return err
		}
		return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), verdict.SettledLine(s.WithSettlement(settled)))
	})
}
