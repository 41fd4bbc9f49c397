package cli

import (
	"github.com/spf13/cobra"

	"roundtable/internal/headless"
)

// addFlags adds the flags of a new debate to a command.
func (o *runOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.mode, "mode", "", "how it is debated; the command modes lists them")
	f.StringSliceVar(&o.agents, "agents", nil, "who debates, as in ada,brook,cy")
	f.StringVar(&o.panel, "panel", "", "a panel of the config, or demo")
	f.IntVar(&o.rounds, "rounds", 0, "planned rounds")
	f.StringSliceVar(&o.perspectives, "perspectives", nil, "from where the seats look, in modes that divide perspectives")
	f.StringSliceVar(&o.options, "options", nil, "what is compared, in modes that compare")
	f.StringSliceVar(&o.criteria, "criteria", nil, "by what it is compared")
	f.BoolVar(&o.onConsensus, "on-consensus", false, "end early when all agree, by endings.threshold of the config")
	f.BoolVar(&o.convergence, "convergence", false, "end early when no position moves in a round")
	f.Float64Var(&o.budget, "budget", 0, "stop when this many USD are spent")
}

// outputFlags choose the output of a headless command.
type outputFlags struct{ json, deltas, quiet bool }

func (o *outputFlags) addFlags(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON event a line")
	c.Flags().BoolVar(&o.deltas, "deltas", false, "with --json: text as it comes, too")
	c.Flags().BoolVar(&o.quiet, "quiet", false, "print only what it came to, and what is missing from it")
}

// reporter returns the output that the flags choose.
func (a *app) reporter(o outputFlags) (headless.Reporter, error) {
	switch {
	case o.deltas && !o.json:
		return nil, usagef("--deltas needs --json: without it a statement is printed once, when it is done")
	case o.json && o.quiet:
		return nil, usagef("--json and --quiet do not go together")
	case o.json:
		return headless.NewJSONReporter(a.Stdout, o.deltas, a.now), nil
	default:
		return headless.NewTextReporter(a.Stdout, o.quiet), nil
	}
}

// finish reports how a headless command ended, and returns an error with its exit code.
func finish(out headless.Reporter, e headless.Result) error {
	out.End(e)
	switch {
	case out.Err() != nil:
		return out.Err()
	case e.Kind == headless.Failed:
		return &failedError{e.Err}
	case exitCodeOf(e) != exitOK:
		return codeError(exitCodeOf(e))
	}
	return nil
}
