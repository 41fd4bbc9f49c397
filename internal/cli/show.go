package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func showCommand(a *app.App) *cobra.Command {
	var asJSON bool
	var cited string
	var w receiptQuery
	c := &cobra.Command{
		Use: "show ID [ROUND]", Short: "Print a debate, its evidence, or a prompt that a seat was sent",
		Args: argCount(1, 2, "ID [ROUND]"),
		Long: "Print a debate, or one of its rounds.\n\n" +
			"With --prompt, print the exact request that a seat was sent in a round: its sections, its tools, " +
			"and what was changed on the way.\n" +
			"With --json as well, print it as it is stored.\n" +
			"ROUND is a number or, with --prompt, verdict for the chair's request; there the default is the last round.\n\n" +
			"With --evidence, list the evidence, or print what a citation such as F1 or F1:10-20 names.",
		Example: "  roundtable show k7m2\n  roundtable show k7m2 2\n  roundtable show k7m2 2 --prompt ada\n" +
			"  roundtable show k7m2 --evidence F1:10-20",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("evidence") {
				if len(args) > 1 { // a flag with an optional value takes none after a blank
					cited = args[1]
				}
				return showEvidence(cmd.Context(), a, args[0], cited, asJSON)
			}
			if cmd.Flags().Changed("prompt") {
				w.round = strings.Join(args[1:], "")
				return receipt(cmd.Context(), a, args[0], w, asJSON)
			}
			switch {
			case w.attempt != 0 || w.call != 0:
				return app.Usagef("--attempt and --call need --prompt SEAT")
			case len(args) > 1 && asJSON:
				return app.Usagef("--json prints the whole debate; leave out ROUND, or --json")
			}
			return show(cmd.Context(), a, args[0], strings.Join(args[1:], ""), asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, as in export; with --prompt, the exact request and what is known of it")
	c.Flags().StringVar(&cited, "evidence", "", "list the evidence, or print F1, or lines of it such as F1:10-20")
	c.Flags().Lookup("evidence").NoOptDefVal = allEvidence
	c.Flags().StringVar(&w.seat, "prompt", "", "print the request that this seat was sent")
	c.Flags().IntVar(&w.attempt, "attempt", 0, "with --prompt: number of the attempt (default: the last)")
	c.Flags().IntVar(&w.call, "call", 0, "with --prompt: number of the request in its turn (default: the last, which contains the others)")
	return c
}

func show(ctx context.Context, a *app.App, id, round string, asJSON bool) error {
	if asJSON {
		return export(ctx, a, id, exportOptions{format: string(report.JSON), file: "-"})
	}
	st, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	l := &headless.TextReporter{Out: a.Stdout, Commands: a.Commands(), Now: a.Now()}
	if by, held := st.Held(s.ID); held && by.PID != os.Getpid() { // else it is shown beside the debate
		l.Holder = &by
	}
	if round == "" {
		l.Transcript(s)
		return l.Err()
	}
	n, err := strconv.Atoi(round)
	if err != nil || n < 1 || n > len(s.History) {
		return app.Usagef("there is no round %q; the debate has begun %s", text.Label(round), text.Count(len(s.History), "round"))
	}
	l.Round(s, s.History[n-1])
	return l.Err()
}

func printJSON(a *app.App, v any) error {
	var b bytes.Buffer
	raw, err := headless.Encode(v)
	if err == nil {
		err = json.Indent(&b, raw, "", "  ")
	}
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.Write(b.String() + "\n")
}

// receiptQuery selects one request. A zero field selects the last.
type receiptQuery struct {
	seat, round   string
	attempt, call int
}

const verdictRound = "verdict"

func (q receiptQuery) find(s debate.Session, all []debate.Receipt) (debate.Receipt, error) {
	var none debate.Receipt
	who, round := s.SpeakerNamed(q.seat), 0
	if known := app.ProfileIDs(s.Speakers()); !slices.Contains(known, string(who)) {
		return none, app.Usagef("there is no seat %q in this debate%s", text.Label(q.seat), text.DidYouMean(q.seat, known))
	}
	if q.round != "" && q.round != verdictRound {
		var err error
		if round, err = strconv.Atoi(q.round); err != nil || round < 1 {
			return none, app.Usagef("%q is not a round; give a number, or %s for the chair", text.Label(q.round), verdictRound)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool {
		return r.Turn.Agent != who || (r.Turn.Step == debate.VerdictStep) != (q.round == verdictRound) ||
			r.Purpose == debate.ForLight || r.Purpose == debate.ForFollowUp ||
			round > 0 && r.Turn.Round != round || q.attempt > 0 && r.Turn.Attempt != q.attempt || q.call > 0 && r.N != q.call
	})
	if len(found) == 0 {
		return none, app.Usagef("nothing was sent to %s in this round, attempt or call; without them the last request is printed", who)
	}
	return slices.MaxFunc(found, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	}), nil
}

func receipt(ctx context.Context, a *app.App, id string, q receiptQuery, asJSON bool) error {
	st, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	all, err := st.Receipts(ctx, s.ID)
	if err != nil {
		return err
	}
	r, err := q.find(s, all)
	if err != nil {
		return err
	}
	req, r, err := st.Prompt(ctx, s.ID, r.Turn, r.N)
	if err != nil {
		return err
	}
	doc := report.ReceiptOf(s, req, r)
	if asJSON {
		return printJSON(a, doc)
	}
	return a.Print("%s", doc.Text())
}

// allEvidence is the value of --evidence without one.
const allEvidence = "all"

func showEvidence(ctx context.Context, a *app.App, id, cited string, asJSON bool) error {
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	if cited == allEvidence {
		return listEvidence(a, s, asJSON)
	}
	all := cite.In("[" + cited + "]").Evidence
	if len(all) != 1 {
		return app.Usagef("--evidence %s: give an id with or without lines, such as F1 or F1:10-20", text.Label(cited))
	}
	c := all[0]
	if why := cite.Resolve(c, s, 0).Why(); why != "" {
		return app.Usagef("%s `roundtable show %s --evidence` lists all evidence", why, s.ID)
	}
	e, _ := cite.FindEvidence(s.Evidence, c.ID)
	if c.From == 0 {
		c.From, c.To = 1, e.Lines()
	}
	content, _ := e.Excerpt(c.From, c.To)
	if asJSON {
		return printJSON(a, struct {
			debate.Evidence
			From int    `json:"from"`
			To   int    `json:"to"`
			Text string `json:"text"`
		}{e, c.From, c.To, content})
	}
	return a.Write(text.NumberLines(text.CleanLines(content)+"\n", c.From) + "\n")
}

func listEvidence(a *app.App, s debate.Session, asJSON bool) error {
	if asJSON {
		return printJSON(a, append([]debate.Evidence{}, s.Evidence...))
	}
	if len(s.Evidence) == 0 {
		return a.Print("No evidence. `roundtable continue %s --file PATH` adds some.\n", s.ID)
	}
	for _, e := range s.Evidence {
		if err := a.Print("%s\n", report.EvidenceLine(e)); err != nil {
			return err
		}
	}
	return nil
}
