package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/internal/text"
)

// root returns the root command with all others.
func (a *app) root() *cobra.Command {
	var resume string
	var last bool
	root := &cobra.Command{
		Use:   "roundtable",
		Short: "Several models debate your question and ask you for the facts they lack",
		Long: "Roundtable lets several language models debate a question side by side.\n" +
			"If they need a fact they ask you, and wait for your answer.\n\n" +
			"Without a command it opens the interface.\n" +
			"Logs are in roundtable.log in the state folder; --debug or ROUNDTABLE_LOG=debug logs more.",
		Example: "  roundtable\n  roundtable run \"Should a small team use SQLite in production?\" --panel demo\n  roundtable resume k7m2",
		Args:    unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch given := cmd.Flags().Changed("resume"); {
			case given && last:
				return usagef("--resume and --last cannot be used together")
			case given && strings.TrimSpace(resume) == "":
				return usagef("--resume is empty; `roundtable sessions` lists the ids")
			}
			return a.interactive(cmd.Context(), startOptions{resume: resume, last: last})
		},
	}
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { plainOutput(a, cmd) }
	addPathFlag(root.PersistentFlags(), "config", "config file (env: ROUNDTABLE_CONFIG)", func(path string) { a.configFlag = path })
	addPathFlag(root.PersistentFlags(), "db", "database file (env: ROUNDTABLE_DB)", func(path string) { a.dbFlag = path })
	root.PersistentFlags().BoolFunc("debug", "log more (env: ROUNDTABLE_LOG=debug)", func(string) error {
		a.logLevel.Set(slog.LevelDebug)
		return nil
	})
	root.PersistentFlags().BoolVar(&a.linear, "linear", false, "everything line by line, for screen readers and dumb terminals")
	root.Flags().StringVarP(&resume, "resume", "r", "", "open the session with this id, paused")
	root.Flags().BoolVar(&last, "last", false, "open the last changed session, paused")
	root.Version = version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s\nHelp: %s --help", flagError(err), cmd.CommandPath())
	})
	root.AddCommand(a.newCommand(), a.resumeCommand(), a.runCommand(), a.continueCommand(), a.answerCommand(), a.requestsCommand(),
		joinCommand(a), a.sessionsCommand(), a.showCommand(), a.exportCommand(), a.forkCommand(), diffCommand(a),
		a.renameCommand(), a.deleteCommand(),
		a.modesCommand(), a.agentsCommand(), toolsCommand(a), modelsCommand(a), doctorCommand(a), mcpCommand(a), a.configCommand(),
		a.versionCommand())
	root.AddCommand(askCommand(a), importCommand(a), replayCommand(a), manCommand(a), agentToolsCommand(a))
	refuseUnknownArgs(root)
	return root
}

// refuseUnknownArgs makes cobra's own commands refuse unknown arguments.
func refuseUnknownArgs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(cmd *cobra.Command, args []string) error {
				found, rest, err := cmd.Root().Find(args)
				if err != nil {
					return usagef("%v", err)
				}
				return unknownCommand(found, rest)
			}
		case "completion":
			c.Args = unknownCommand
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range c.Commands() {
				shell.Args = argCount(0, 0, "")
			}
		}
	}
}

// flagError returns the message of a flag error, without the details of strconv.
func flagError(err error) string {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err.Error()
	}
	cause := "not a whole number"
	switch {
	case errors.Is(number.Err, strconv.ErrRange):
		cause = "the number is too large"
	case number.Func == "ParseBool":
		cause = "neither true nor false"
	}
	return strings.Replace(err.Error(), number.Error(), cause, 1)
}

// unknownCommand returns an error with similar commands if there are arguments left. What
// has a digit may be the id of a debate.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("there is no command %q", text.Label(args[0]))
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	} else if !cmd.HasParent() && strings.ContainsAny(args[0], "0123456789") {
		text += "; to open a debate by its id: " + cmd.CommandPath() + " resume ID"
	}
	return usagef("%s\nHelp: %s --help", text, cmd.CommandPath())
}

// argCount checks the number of arguments. Names lists them for the usage line.
func argCount(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		if names == "" {
			return usagef("%s takes no arguments\nHelp: %s --help", cmd.CommandPath(), cmd.CommandPath())
		}
		return usagef("usage: %s %s\nHelp: %s --help", cmd.CommandPath(), names, cmd.CommandPath())
	}
}

// group returns a command that only has subcommands, and prints its help.
func group(use, short string, children ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: unknownCommand, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(children...)
	return c
}

// print writes text to standard output, made safe.
func (a *app) print(format string, args ...any) error {
	return a.write(text.Sanitize(fmt.Sprintf(format, args...)))
}

func (a *app) write(text string) error {
	if _, err := io.WriteString(a.Stdout, text); err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	return nil
}
