package cli

import (
	"context"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/text"
	"roundtable/store"
)

func outcomeCommand(a *app.App) *cobra.Command {
	var c verdict.Claim
	cmd := &cobra.Command{
		Use: "outcome ID [right|wrong|mixed|open]", Short: "Say how a verdict turned out, or print what was said",
		Args: argCount(1, 2, "ID [right|wrong|mixed|open]"),
		Long: "Say how what a debate decided turned out. The verdict itself stays as it is; what you say last counts.\n" +
			"Without a result, print what was said.\n\n" +
			"Where wrong leaves open what was right, --was LABEL says it. Reviews and estimates take no side; say it in the note.",
		Example: "  roundtable outcome k7m2 right --note \"a year without trouble\"\n  roundtable outcome k7m2 wrong --was no\n" +
			"  roundtable outcome k7m2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && c == (verdict.Claim{}) {
				return printOutcome(cmd.Context(), a, args[0])
			}
			if len(args) == 2 {
				var err error
				if c.Result, err = verdict.ParseResult(args[1]); err != nil {
					return app.Usagef("%v", err)
				}
			}
			for name, value := range map[string]string{"--note": c.Note, "--was": c.Was} {
				if err := app.CheckUTF8(name, value); err != nil {
					return err
				}
			}
			return saveOutcome(cmd.Context(), a, args[0], c)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Was, "was", "", "the side that was right")
	f.StringVar(&c.Note, "note", "", "what happened")
	return cmd
}

// printOutcome prints what was said of how a verdict turned out.
func printOutcome(ctx context.Context, a *app.App, id string) error {
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	if line := verdict.SettledLine(s); line != "" {
		return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), line)
	}
	if err := verdict.NoOutcome(s); err != nil {
		return app.Usagef("%v", err)
	}
	return a.Print("%s: %s\nNobody has said how it turned out: right, wrong, mixed or open.\n", s.ID, text.Label(s.Name()))
}

func saveOutcome(ctx context.Context, a *app.App, id string, c verdict.Claim) error {
	return changeSession(ctx, a, id, func(st *store.Store, s debate.Session) error {
		settled, err := verdict.Settle(s, c)
		if err != nil {
			return app.Usagef("%v", err)
		}
		settled.Author, settled.At = a.Answerer("command"), a.Now().UTC()
		if err := st.Settle(ctx, s.ID, settled); err != nil {
			return err
		}
		said := "Outcome: " + verdict.SettledLine(s.WithSettlement(settled)) + "\n"
		if unsaid := verdict.RightUnsaid(s, settled); unsaid != "" {
			said += unsaid + "\n"
		}
		return a.Print("%s: %s\n%s", s.ID, text.Label(s.Name()), said)
	})
}
