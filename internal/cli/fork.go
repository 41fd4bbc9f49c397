package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func (a *app) forkCommand() *cobra.Command {
	var round int
	var facts []string
	c := &cobra.Command{
		Use: "fork ID --round N", Short: "Go another way from a round of a debate", Args: argCount(1, 1, "ID --round N"),
		Long: "Copy a debate up to the end of a round into a new one; --round 0 starts over with the same question and panel.\n" +
			"Answers that were released later stay behind, unless --facts names them. The debate that is forked stays as it is.",
		Example: "  roundtable fork k7m2 --round 2\n  roundtable fork k7m2 --round 0 --facts C1,C2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("round") {
				return usagef("say after which round: --round N; --round 0 starts over\nHelp: %s --help", cmd.CommandPath())
			}
			return a.fork(cmd.Context(), args[0], round, facts)
		},
	}
	c.Flags().IntVar(&round, "round", 0, "the last round to take along; 0 takes none")
	c.Flags().StringSliceVar(&facts, "facts", nil, "released answers to take along, as in C1,C2")
	return c
}

// fork creates the new session, and prints what it contains and how to continue it.
func (a *app) fork(ctx context.Context, id string, round int, facts []string) error {
	for i, f := range facts {
		facts[i] = strings.ToUpper(strings.TrimSpace(f))
	}
	facts = slices.DeleteFunc(facts, func(f string) bool { return f == "" }) // extra commas
	st, parent, err := a.readSession(ctx, id)
	if err != nil {
		return err
	}
	s, err := st.Fork(ctx, parent.ID, round, facts)
	if err != nil {
		return err
	}
	if err := a.lock(ctx, st, s.ID); err != nil {
		return err
	}
	a.log.Info("forked", "session", s.ID, "parent", parent.ID, "round", round)
	return a.print("Session %s: %s\n%s\n%s%s\n", s.ID, safetext.Line(s.Name()), headless.ForkOrigin(s), forkContents(parent, s), forkNext(s))
}

// forkContents says which released answers were copied and which were not, a line each.
func forkContents(parent, s debate.Session) string {
	var taken, left []string
	for _, r := range parent.Requests {
		if len(r.Delivered) == 0 {
			continue
		}
		if q, ok := s.Request(r.ID); ok && len(q.Delivered) > 0 {
			taken = append(taken, r.ID)
		} else {
			left = append(left, r.ID)
		}
	}
	text := ""
	if len(taken) > 0 {
		text = fmt.Sprintf("Answers taken along: %s.\n", strings.Join(taken, ", "))
	}
	if len(left) > 0 {
		text += fmt.Sprintf("Answers left behind: %s. A fork with --facts %s takes them along.\n", strings.Join(left, ", "),
			strings.Join(left, ","))
	}
	return text
}

// forkNext says how to continue a new fork.
func forkNext(s debate.Session) string {
	raw := fmt.Sprintf("`roundtable continue %[1]s` goes on, `roundtable resume %[1]s` opens it.", s.ID)
	switch open := s.Unanswered(); {
	case s.Next() == 0:
		return fmt.Sprintf("All %s are played: `roundtable continue %s` writes the verdict, with --rounds 1 after one round more.",
			text.Count(s.Rounds, "round"), s.ID)
	case len(open) > 0:
		return fmt.Sprintf("%s must be answered first: `roundtable requests %s` lists what is asked.\n%s", requestIDs(open), s.ID, raw)
	default:
		return raw
	}
}
