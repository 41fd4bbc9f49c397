package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/store"
)

func diffCommand(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "diff A B", Short: "Compare two debates and their verdicts", Args: argCount(2, 2, "A B"),
		Long: "Compare two debates, such as a fork with the debate that it comes from: what differs, whose side moved,\n" +
			"and what the headline became. What has no verdict yet is compared as far as it goes.",
		Example: "  roundtable diff k7m2 m9x1\n  roundtable diff k7m2 m9x1 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			compared, err := compareSessions(cmd.Context(), a, args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(compared)
			}
			return a.print("%s", formatComparison(compared))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func compareSessions(ctx context.Context, a *app, first, second string) (report.Comparison, error) {
	st, err := a.existingStore(ctx)
	if err != nil {
		return report.Comparison{}, err
	}
	return compareStored(ctx, st, first, second)
}

func compareStored(ctx context.Context, st *store.Store, first, second string) (report.Comparison, error) {
	s, err := st.Session(ctx, first)
	if err != nil {
		return report.Comparison{}, err
	}
	other, err := st.Session(ctx, second)
	if err != nil {
		return report.Comparison{}, err
	}
	if s.ID == other.ID {
		return report.Comparison{}, usagef("both are the session %s; name two", s.ID)
	}
	return report.Compare(s, other), nil
}

// formatComparison writes a comparison as text, one debate below the other.
func formatComparison(c report.Comparison) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, d := range c.Debates {
		line("%s  %s (%s)", d.ID, d.Name, d.Progress)
	}
	if c.Relation != "" {
		line("%s", c.Relation)
	}
	for _, missing := range c.Missing {
		line("%s", missing)
	}
	line("\nWhat differs")
	if len(c.Changed) == 0 {
		line("  Nothing: topic, mode, panel, models and answers are the same.")
	}
	for _, d := range c.Changed {
		line("  %s", strings.TrimSpace(d.What+"  "+d.About))
		for i, v := range d.Values {
			line("    %s  %s", c.Debates[i].ID, text.Line(v))
		}
	}
	line("\nSides at the end")
	for _, seat := range c.Seats {
		moved := ""
		if seat.Moved {
			moved = "  (moved)"
		}
		line("  %s%s", seat.Name, moved)
		for i, standing := range seat.Standing {
			if standing == "" {
				standing = "no statement"
			}
			line("    %s  %s", c.Debates[i].ID, standing)
		}
	}
	line("  %s", c.Moved())
	line("\nVerdicts")
	for _, d := range c.Debates {
		if d.Headline == "" {
			line("  %s  no verdict yet", d.ID)
			continue
		}
		line("  %s  %s", d.ID, d.Headline)
		line("  %s  the chair's confidence %s", strings.Repeat(" ", len(d.ID)), d.Sure())
	}
	line("  %s", c.Outcome)
	return b.String()
}
