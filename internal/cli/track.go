package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate/report"
	"roundtable/debate/track"
	"roundtable/internal/app"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
)

func trackCommand(a *app.App) *cobra.Command {
	var f app.TrackFilter
	var asJSON bool
	c := &cobra.Command{
		Use: "track", Short: "Show how often verdicts and models were right", Args: argCount(0, 0, ""),
		Long: "Show how the verdicts turned out, as far as `roundtable outcome` or the interface was told: how often they\n" +
			"were right, by how the first votes were divided, by the share of the votes and by stated confidence;\n" +
			"and which model was right, alone against the majority or wrong with it. Demos and evaluations do not count.",
		Example: "  roundtable track\n  roundtable track --since 26w --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := a.Track(cmd.Context(), f)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a, t)
			}
			if t.Empty() && f != (app.TrackFilter{}) {
				return a.Print("No outcome matches. `roundtable track` shows all.\n")
			}
			return a.Print("%s", trackText(t, app.Columns(a.Stdout)))
		},
	}
	c.Flags().StringVar(&f.Since, "since", "", "only debates of which it was said since: 7d, 26w or 2026-01-31")
	c.Flags().StringVar(&f.Panel, "panel", "", "only debates of the seats of this panel of the config")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// trackText lays a track out for a terminal of that width; 0 is none.
func trackText(t track.Track, width int) string {
	var b strings.Builder
	line := func(indent, words string) {
		if width > 0 {
			words = strings.ReplaceAll(text.Wrap(words, max(width-len(indent), 20)), "\n", "\n"+indent)
		}
		fmt.Fprintf(&b, "%s%s\n", indent, words)
	}
	line("", t.Summary)
	if t.Empty() {
		line("", track.HowTo(keymap.Changes(nil).Of("outcome")))
	}
	for _, table := range t.Tables() {
		fmt.Fprintf(&b, "\n%s\n", table.Title)
		writeTable(line, table, width)
	}
	if notes := t.Notes(); len(notes) > 0 {
		b.WriteString("\n")
		for _, note := range notes {
			line("", note)
		}
	}
	return b.String()
}

func writeTable(line func(indent, words string), t report.Table, width int) {
	const indent = "  "
	if width > 0 {
		width = max(width-len(indent), 1)
	}
	for _, l := range t.Lines(width) {
		line(indent, l)
	}
	for _, note := range t.Notes {
		line(indent, note)
	}
}
