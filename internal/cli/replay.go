package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/replay"
)

func replayCommand(a *app.App) *cobra.Command {
	speed := 1
	c := &cobra.Command{
		Use: "replay ID", Short: "Play a saved debate again, without any model", Args: argCount(1, 1, "ID"),
		Long: "Play a saved debate again: its statements, tool calls, questions and answers come as they came then.\n" +
			"Nothing is asked or saved.\n\n" +
			"space pauses, < and > change the speed, [ and ] jump by rounds, q ends.\n" +
			"With --linear, or without a terminal, print what `run` printed; without a terminal that comes at once.",
		Example: "  roundtable replay k7m2\n  roundtable replay k7m2 --speed 5\n  roundtable replay k7m2 | less",
		RunE: func(cmd *cobra.Command, args []string) error {
			if speed < 1 || speed > replay.MaxSpeed {
				return app.Usagef("--speed must be 1-%d, not %d", replay.MaxSpeed, speed)
			}
			return replaySession(cmd.Context(), a, args[0], speed)
		},
	}
	c.Flags().IntVar(&speed, "speed", 1, fmt.Sprintf("how many times as fast, 1-%d; long waits are cut anyway", replay.MaxSpeed))
	return c
}

// replaySession plays a saved session in the interface, or prints it. It takes no lock.
func replaySession(ctx context.Context, a *app.App, id string, speed int) error {
	if err := a.DatabaseExists(); err != nil {
		return err
	}
	st, err := a.OpenUnchanged(ctx)
	if err != nil {
		return err
	}
	s, err := st.Session(ctx, id)
	if err != nil {
		return err
	}
	p := replay.NewPlayer(replay.New(s), speed, a.Now)
	if p.Parts() == 0 {
		return app.Usagef("debate %s cannot be replayed: no round has begun", s.ID)
	}
	if !app.IsTerminal(a.Stdout) || a.ReadsLines() {
		return replayLines(ctx, a, p, app.IsTerminal(a.Stdout))
	}
	return a.Replay(ctx, st, p, s.ID)
}

// replayLines prints a session as it was printed while it was played, at the pace of the
// player if it is paced.
func replayLines(ctx context.Context, a *app.App, p *replay.Player, paced bool) error {
	out := headless.NewTextReporter(a.Stdout, false)
	out.Commands = a.Commands()
	whole := p.Before(p.Parts() + 1)
	fmt.Fprintf(a.Stderr, "Replay of debate %s: nothing is asked or saved.\n", whole.ID) //nolint:errcheck // it is not a failure
	out.Begin(p.Before(1), false)
	for part := 1; part <= p.Parts(); part++ {
		if paced {
			p.Play(ctx, part, out.Event)
		} else {
			for _, ev := range p.Order(part) {
				out.Event(ev)
			}
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := out.Err(); err != nil {
			return err
		}
	}
	out.End(headless.ResultOf(whole))
	return out.Err()
}
