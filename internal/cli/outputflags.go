package cli

import (
	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/headless"
)

// outputFlags choose the output of a headless command, what it allows without asking, and
// whether it needs all tools and a certain verdict.
type outputFlags struct {
	json, deltas, quiet, strictTools bool

	allow   prefixes // beginnings of commands that agents may run
	require requiredSide
}

func (o *outputFlags) addFlags(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print events as JSON lines")
	c.Flags().BoolVar(&o.deltas, "deltas", false, "with --json: print streamed text as well")
	c.Flags().BoolVar(&o.quiet, "quiet", false, "print only the verdict and what is missing from it")
	c.Flags().Var(&o.allow, "allow-command",
		"let agents run commands that begin with these words, such as \"go test\"; repeatable, all others are denied")
	c.Flags().BoolVar(&o.strictTools, "strict-tools", false, "exit with code 2 if a tool that the config allows cannot be offered")
	c.Flags().Var(&o.require, "require", "exit with code 6 unless the verdict is this side, such as yes")
}

// reporter returns the output that the flags choose.
func (a *app) reporter(o outputFlags) (headless.Reporter, error) {
	switch {
	case o.deltas && !o.json:
		return nil, usagef("--deltas needs --json")
	case o.json && o.quiet:
		return nil, usagef("--json and --quiet cannot be used together")
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
	case exitCodeOf(e) == exitRequired:
		return &requirementError{e}
	case exitCodeOf(e) != exitOK:
		return codeError(exitCodeOf(e))
	}
	return nil
}

// warnOfCommands warns if the flags or the configuration allow commands that the agents of a
// session cannot run.
func (o *outputFlags) warnOfCommands(a *app, cfg config.Config, s debate.Session) {
	switch {
	case len(o.allow) > 0 && !s.Workspace.Commands:
		a.warn("--allow-command has no effect: agents can run commands only in a workspace of mode clone or container, " +
			"with commands = true in [tools]")
	case cfg.Tools.Commands && s.Workspace.Mode == debate.WorkspaceLocal:
		a.warn("agents can run no commands, since the workspace has the mode local; --workspace-mode clone allows them in a new debate")
	}
}
