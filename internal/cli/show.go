package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate/report"
	"roundtable/internal/headless"
)

func (a *app) showCommand() *cobra.Command {
	var asJSON bool
	var cited string
	var w receiptQuery
	c := &cobra.Command{
		Use: "show ID [ROUND]", Short: "Print a debate, its evidence, or a prompt that an agent was sent",
		Args: argCount(1, 2, "ID [ROUND]"),
		Long: "Print a debate.\n\n" +
			"With --prompt, print the exact request that an agent was sent in a round: its sections, its tools, " +
			"and what was changed on the way.\n" +
			"With --json as well, print it exactly as it was sent.\n" +
			"ROUND is a number, or verdict for the chair's request; the default is the last round.\n\n" +
			"With --evidence, list the evidence, or print what a citation such as F1 or F1:10-20 names.",
		Example: "  roundtable show k7m2\n  roundtable show k7m2 2 --prompt ada\n  roundtable show k7m2 --evidence F1:10-20",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("evidence") {
				if len(args) > 1 { // a flag with an optional value takes none after a blank
					cited = args[1]
				}
				return showEvidence(cmd.Context(), a, args[0], cited, asJSON)
			}
			if cmd.Flags().Changed("prompt") {
				w.round = strings.Join(args[1:], "")
				return a.receipt(cmd.Context(), args[0], w, asJSON)
			}
			if len(args) > 1 || w.attempt != 0 || w.call != 0 {
				return usagef("ROUND, --attempt and --call need --prompt AGENT")
			}
			return a.show(cmd.Context(), args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, as in export; with --prompt, the exact request and what is known of it")
	c.Flags().StringVar(&cited, "evidence", "", "list the evidence, or print F1, or lines of it such as F1:10-20")
	c.Flags().Lookup("evidence").NoOptDefVal = allEvidence
	c.Flags().StringVar(&w.agent, "prompt", "", "print the request that this agent was sent")
	c.Flags().IntVar(&w.attempt, "attempt", 0, "with --prompt: number of the attempt (default: the last)")
	c.Flags().IntVar(&w.call, "call", 0, "with --prompt: number of the request in its turn (default: the last, which contains the others)")
	return c
}

func (a *app) show(ctx context.Context, id string, asJSON bool) error {
	if asJSON {
		return a.export(ctx, id, exportOptions{format: string(report.JSON), file: "-"})
	}
	_, s, err := a.readSession(ctx, id)
	if err != nil {
		return err
	}
	l := headless.NewTextReporter(a.Stdout, false)
	l.Transcript(s)
	return l.Err()
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	raw, err := headless.Encode(v)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.write(pretty(raw) + "\n")
}

// pretty indents JSON and keeps its escapes.
func pretty(raw []byte) string {
	var v json.RawMessage = raw
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // cannot happen: raw is valid JSON
		return string(raw)
	}
	return string(out)
}
