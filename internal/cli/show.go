package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

func (a *app) showCommand() *cobra.Command {
	var asJSON bool
	var w receiptWish
	c := &cobra.Command{
		Use: "show ID [ROUND]", Short: "Print a whole debate, or what an agent was sent", Args: needs(1, 2, "ID [ROUND]"),
		Long: "Print a whole debate.\n" +
			"With --prompt it prints what was sent to an agent in a round, exactly: what it was made of, and the request itself as JSON.\n" +
			"ROUND is a number, or verdict for what a chair was sent; left out, it is the last one.",
		Example: "  roundtable show k7m2\n  roundtable show k7m2 2 --prompt ada",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("prompt") {
				w.round = strings.Join(args[1:], "")
				return a.receipt(cmd.Context(), args[0], w, asJSON)
			}
			if len(args) > 1 || w.attempt != 0 || w.call != 0 {
				return usagef("ROUND, --attempt and --call go with --prompt AGENT")
			}
			return a.show(cmd.Context(), args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, as export does")
	c.Flags().StringVar(&w.agent, "prompt", "", "print what this agent was sent")
	c.Flags().IntVar(&w.attempt, "attempt", 0, "with --prompt: of this attempt; left out, the last one")
	c.Flags().IntVar(&w.call, "call", 0, "with --prompt: this request of the turn; left out, the last one, which holds all before it")
	return c
}

func (a *app) show(ctx context.Context, id string, asJSON bool) error {
	if asJSON {
		return a.export(ctx, id, exportWish{format: string(report.JSON), file: "-"})
	}
	_, s, err := a.saved(ctx, id)
	if err != nil {
		return err
	}
	l := newLinear(a.Stdout, false)
	l.transcript(s)
	return l.failed()
}

// printJSON writes a value as indented JSON.
func (a *app) printJSON(v any) error {
	raw, err := encode(v)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.write(pretty(raw) + "\n")
}

// pretty indents what encode has written; it keeps its escapes.
func pretty(raw []byte) string {
	var v json.RawMessage = raw
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // what was encoded is JSON
		return string(raw)
	}
	return string(out)
}

// transcript tells a saved session in the words in which it was played.
func (l *linear) transcript(s debate.Session) {
	l.session = s
	l.heading()
	for _, n := range s.Notices {
		if n.Round < 1 || n.Round > len(s.History) {
			l.event(debate.Noticed{Notice: n})
		}
	}
	for i, r := range s.History {
		l.round(s, i, r)
	}
	for _, r := range s.Requests {
		if _, waits := r.Undelivered(); waits || !r.Open() && len(r.Delivered) == 0 {
			l.settled(r)
		}
	}
	l.session = s
	switch s.Status() {
	case debate.Complete, debate.Stopped:
		l.verdict(*s.Verdict)
	case debate.NeedsContext:
		l.waiting(s)
	case debate.Drafted:
		l.say("No round has begun. `roundtable continue %s` starts the first.", s.ID)
	case debate.Interrupted:
		l.say("Round %d is interrupted. `roundtable continue %s` plays the rest.", len(s.History), s.ID)
	case debate.Ready:
		l.say("`roundtable continue %s` goes on.", s.ID)
	}
}

// round tells one round: what it was given, who said what, what was asked.
func (l *linear) round(s debate.Session, i int, r debate.Round) {
	begun := s
	begun.History = slices.Clone(s.History[:i+1])
	begun.History[i].Responses = nil
	l.event(debate.RoundStarted{Session: begun, Round: r.Number, Hash: r.Hash, Facts: released(s, r.Number), At: r.Began})
	for _, q := range s.Requests {
		for _, d := range q.Delivered {
			if a, ok := q.Revision(d.Revision); ok && d.Round == r.Number {
				l.request(q)
				l.told(a, fmt.Sprintf("released for round %d", d.Round))
			}
		}
	}
	if r.Manifest.Focus != "" {
		l.say("Focus: %s", safetext.Line(r.Manifest.Focus))
	}
	for _, x := range r.Responses {
		l.response(s, x)
	}
	for _, n := range s.Notices {
		if n.Round == r.Number {
			l.event(debate.Noticed{Notice: n})
		}
	}
	if r.Consensus != nil {
		l.event(debate.Assessed{Round: r.Number, Consensus: *r.Consensus, At: r.Ended})
	}
}

// response tells one attempt: its tools, its questions, and how it ended.
func (l *linear) response(s debate.Session, x debate.Response) {
	for i, p := range x.Passages {
		text := strings.TrimSpace(debate.HideBlock(p.Text))
		last := i == len(x.Passages)-1 && len(p.Tools) == 0
		switch {
		case text == "" || last && x.State == debate.TurnDone: // the statement follows
		case last:
			l.say("%s wrote this before it ended, kept and not used:", l.seat(x.Turn.Agent))
			l.body(text)
		default:
			l.say("%s working text, passed to nobody:", l.seat(x.Turn.Agent))
			l.body(text)
		}
		for _, t := range p.Tools {
			if t.State == debate.ToolDone {
				l.event(debate.ToolEnded{Turn: x.Turn, Tool: t, At: t.Began})
			}
			l.asked(s, x.Turn, t.ID)
		}
	}
	l.event(debate.TurnEnded{Response: x, At: x.Ended})
}

// asked tells the question that a tool call has put into the ledger.
func (l *linear) asked(s debate.Session, t agents.Turn, call string) {
	for _, r := range s.Requests {
		for i, k := range r.Asks {
			if k.Turn == t && k.Call == call {
				l.event(debate.ContextRequested{Turn: t, Request: r, Ask: k, Joined: i > 0, At: k.At})
			}
		}
	}
}

// released returns the requests whose answers a round was given first.
func released(s debate.Session, round int) []string {
	var ids []string
	for _, r := range s.Requests {
		if slices.ContainsFunc(r.Delivered, func(d ledger.Delivery) bool { return d.Round == round }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
