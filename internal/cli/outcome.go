package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/text"
	"roundtable/store"
)

func outcomeCommand(a *app.App) *cobra.Command {
	var c verdict.Claim
	var lookAgain string
	cmd := &cobra.Command{
		Use: "outcome ID [right|wrong|mixed|open] [H3=real H4=false]", Short: "Say how a verdict turned out",
		Args: cobra.MinimumNArgs(1),
		Long: "Say how what a debate decided turned out. The verdict itself stays as it is; what you say last counts.\n\n" +
			"right and wrong are about the side of the verdict. If it has none, or to say which side was right instead,\n" +
			"give --was LABEL; for an estimate --was \"12 weeks\". A review turns out by its findings, such as H3=real.\n" +
			"An open outcome counts as no outcome; with --look-again the list of debates asks for it when the time comes.",
		Example: "  roundtable outcome k7m2 right --note \"a year without trouble\"\n  roundtable outcome k7m2 --was no\n" +
			"  roundtable outcome k7m2 open --look-again 6w",
		RunE: func(cmd *cobra.Command, args []string) error {
			words := args[1:]
			var err error
			if len(words) > 0 && !strings.Contains(words[0], "=") {
				if c.Result, err = verdict.ParseResult(words[0]); err != nil {
					return app.Usagef("%v", err)
				}
				words = words[1:]
			}
			if err = c.AddFindings(words); err == nil && lookAgain != "" {
				c.LookAgain, err = debate.ParseLookAgain(lookAgain, a.Now())
			}
			if err != nil {
				return app.Usagef("%v", err)
			}
			for name, value := range map[string]string{"--note": c.Note, "--was": c.Was} {
				if err := app.CheckUTF8(name, value); err != nil {
					return err
				}
			}
			return changeSession(cmd.Context(), a, args[0], func(st *store.Store, s debate.Session) error {
				settled, err := verdict.Settle(s, c)
				if err != nil {
					return app.Usagef("%v", err)
				}
				settled.Author, settled.At = byCommand(), a.Now().UTC()
				if err := st.Settle(cmd.Context(), s.ID, settled); err != nil {
					return err
				}
				return a.Print("%s: %s\nOutcome: %s\n", s.ID, text.Label(s.Name()), verdict.SettledLine(s.WithSettlement(settled)))
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Was, "was", "", "what is right: a side, or a number with its unit")
	f.StringVar(&c.Note, "note", "", "what happened")
	f.StringVar(&lookAgain, "look-again", "", "for an open outcome: when to ask again, such as 10d, 6w or 2027-01-31")
	return cmd
}
