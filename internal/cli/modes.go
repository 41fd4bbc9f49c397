package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

func modesCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "modes [NAME]", Short: "List the modes, or describe one", Args: argCount(0, 1, "[NAME]"),
		Long: "List the built-in modes and your own, or describe one of them.\n\n" +
			"Your own modes are TOML files in the folder modes beside the config file. A file with an error is skipped\n" +
			"with a warning.",
		Example: "  roundtable modes\n  roundtable modes delphi",
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, _, err := a.Config()
			if err != nil {
				return err
			}
			all, faults, err := modes.Load(cfg.ModesDir)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				m, err := modes.Find(all, args[0])
				if err != nil {
					return errors.Join(append([]error{app.Usagef("%v", err)}, faults...)...)
				}
				if asJSON {
					return printJSON(a, m)
				}
				return a.Print("%s", describeMode(m))
			}
			for _, fault := range faults {
				a.Warn(fault.Error() + "\nThe mode was skipped.")
			}
			if asJSON {
				return printJSON(a, all)
			}
			for _, m := range all {
				if err := a.Print("%-18s %d to %d seats, %s, %s\n  %s\n  %s\n", text.Line(m.Name), m.MinSeats, m.MaxSeats, m.Order,
					text.Count(m.Rounds, "round"), text.Line(m.Summary), text.Line(m.Use)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all that a mode's file has")
	return c
}

func describeMode(m debate.Mode) string {
	var b strings.Builder
	row := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-12s %s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "%s: %s\n", text.Line(m.Name), text.Line(m.Summary))
	row("use it for", "%s", text.Line(m.Use))
	row("seats", "%d to %d", m.MinSeats, m.MaxSeats)
	row("rounds", "%d", m.Rounds)
	row("order", "%s", orderText(m))
	row("sees", "%s", visibilityText(m))
	if m.Label != "" {
		row("names", "hidden: seats are called %s 1, %s 2 and so on; names and ids need at least 3 letters",
			text.Line(m.Label), text.Line(m.Label))
	}
	for i, r := range m.Roles {
		label := ""
		if i == 0 {
			label = "roles"
		}
		content := text.Line(r.Name)
		if r.Stance != "" {
			content += " (" + string(r.Stance) + ")"
		}
		row(label, "%s: %s", content, text.Line(r.Brief))
	}
	for _, l := range m.Lists() {
		row(string(l), "%s", strings.Join(m.List(l), "; "))
	}
	for _, p := range m.Phases {
		who := "all"
		if len(p.Roles) > 0 {
			who = strings.Join(p.Roles, ", ")
		}
		row("phase", "%s, after the statements: %s%s", text.Line(p.Name), who, asksText(p.Asks))
	}
	if text := asksText(m.Asks); text != "" {
		row("statements", "%s", strings.TrimPrefix(text, ", "))
	}
	row("question", "%s", questionText(m))
	row("votes", "%s", votesText(m))
	return b.String()
}

func orderText(m debate.Mode) string {
	switch m.Order {
	case debate.Sequential:
		return "one after the other"
	case debate.ByTeams:
		return "one team after the other: " + strings.Join(m.Teams, ", ")
	case debate.Parallel:
	}
	return "all at once"
}

func visibilityText(m debate.Mode) string {
	text := "earlier rounds"
	switch m.Sees() {
	case debate.SeesSeats:
		text = "earlier rounds, and earlier statements of this round"
	case debate.SeesTeam:
		text = "its own team, and the last phase of the other team"
	case debate.SeesRounds:
	}
	if m.Statistics {
		text += ", with the panel's figures"
	}
	return text
}

// asksText says what members state besides a position.
func asksText(b debate.AskedField) string {
	switch b {
	case debate.AsksVote:
		return ", with a vote"
	case debate.AsksRanking:
		return ", with a ranking of the others' answers"
	case debate.AsksFindings:
		return ", with findings, and judgements of those of the others"
	case debate.AsksStance:
	}
	return ""
}

// questionText says which kinds of questions go with the mode.
func questionText(m debate.Mode) string {
	if m.Reviews() {
		return "a list of findings (fixed)"
	}
	if m.Question != debate.QuestionUnset {
		return m.Question.Description() + " (fixed)"
	}
	var kinds []string
	for _, k := range m.QuestionKinds() {
		kinds = append(kinds, string(k))
	}
	return strings.Join(kinds, ", ")
}

func votesText(m debate.Mode) string {
	switch m.Votes {
	case debate.VotesNone:
		return "none"
	case "":
		return "the statements"
	default:
		return text.Line(m.Votes)
	}
}
