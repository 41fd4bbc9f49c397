package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/agents/acp"
	"roundtable/internal/app"
	"roundtable/internal/linear"
	"roundtable/internal/text"
)

func root(a *app.App) *cobra.Command {
	var last bool
	root := &cobra.Command{
		Use:   "roundtable",
		Short: "Several models debate your topic and ask you for the facts they lack",
		Long: "Roundtable lets several language models debate a topic side by side.\n" +
			"If they need a fact they ask you, and wait for your answer.\n\n" +
			"Without a command it opens the interface.\n" +
			"Logs are in roundtable.log in the state folder; --debug or ROUNDTABLE_LOG=debug logs more.",
		Example: "  roundtable\n  roundtable run \"Should a small team use SQLite in production?\" \\\n      --panel demo\n" +
			"  roundtable resume k7m2",
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Interactive(cmd.Context(), app.Start{Last: last})
		},
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		plainOutput(a, cmd)
		a.Door = doorOf(cmd)
		return cmp.Or(refuseSeat(a, cmd), refuseGone(cmd))
	}
	addPathFlag(root.PersistentFlags(), "config", "config file (env: ROUNDTABLE_CONFIG)", func(path string) { a.ConfigFlag = path })
	addPathFlag(root.PersistentFlags(), "db", "database file (env: ROUNDTABLE_DB)", func(path string) { a.DBFlag = path })
	root.PersistentFlags().BoolFunc("debug", "log more (env: ROUNDTABLE_LOG=debug)", func(string) error {
		a.LogLevel.Set(slog.LevelDebug)
		return nil
	})
	keep := func(on *bool, name, usage string) { // printHelp builds the commands again
		root.PersistentFlags().BoolVar(on, name, *on, usage)
		root.PersistentFlags().Lookup(name).DefValue = "false"
	}
	keep(&a.Linear, "linear", "everything line by line, for screen readers and dumb terminals")
	keep(&a.OnlyLocal, "only-local", "refuse a debate of which anything would leave this machine")
	root.Flags().BoolVar(&last, "last", false, "open the last changed debate, paused")
	root.Version = app.Version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return app.Usagef("%s\nHelp: %s --help", flagError(cmd, err), cmd.CommandPath())
	})
	addGroup(root, "debates", newCommand(a), resumeCommand(a), runCommand(a), reviewCommand(a), continueCommand(a), sessionsCommand(a),
		showCommand(a), exportCommand(a), forkCommand(a))
	addGroup(root, "answers", requestsCommand(a), answerCommand(a), askCommand(a), outcomeCommand(a))
	addGroup(root, "panels and models", agentsCommand(a), modelsCommand(a), modesCommand(a), evalCommand(a), toolsCommand(a),
		mcpCommand(a))
	addGroup(root, "maintenance", configCommand(a), keysCommand(a), doctorCommand(a), renameCommand(a), deleteCommand(a),
		undeleteCommand(a), versionCommand(a), manCommand(a))
	root.AddCommand(agentGuardCommand(a))
	root.SetHelpCommandGroupID("maintenance")
	root.SetCompletionCommandGroupID("maintenance")
	refuseUnknownArgs(root)
	describeValues(a, root)
	return root
}

func addGroup(root *cobra.Command, name string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: name, Title: name})
	for _, c := range commands {
		c.GroupID = name
		root.AddCommand(c)
	}
}

// doorOf names a command to other processes that find a debate open in it.
func doorOf(cmd *cobra.Command) string {
	switch cmd.Name() {
	case cmd.Root().Name(), "new", "resume":
		return "interface"
	}
	return cmd.Name()
}

// refuseSeat returns an error if a seat has started a command that starts or changes a
// debate, approves a tool, or answers for the user: an agent may have Roundtable among its own servers and
// commands, and its debates would start others.
func refuseSeat(a *app.App, cmd *cobra.Command) error {
	if _, seated := a.Env(acp.SeatVariable); !seated {
		return nil
	}
	switch cmd.Name() {
	case cmd.Root().Name(), "new", "resume", "run", "review", "continue", "ask", "eval", "answer", "outcome", "fork", "mcp",
		"approve", "delete", "undelete", "rename":
		return app.Usagef("a seat cannot start a debate, change one or approve a tool: %s is set, so an agent in a debate has "+
			"started this command", acp.SeatVariable)
	}
	return nil
}

func refuseUnknownArgs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(cmd *cobra.Command, args []string) error {
				found, rest, err := cmd.Root().Find(args)
				return cmp.Or(err, unknownCommand(found, rest))
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
func flagError(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		command, flag := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "), "--"+unknown.GetSpecifiedName()
		if instead := cmp.Or(gone[command+" "+flag], gone[flag]); instead != "" {
			return fmt.Sprintf("%s: %s", err, instead)
		}
	}
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

// unknownCommand refuses arguments with similar commands; what has a digit may be an id.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if instead := gone[strings.TrimPrefix(cmd.CommandPath()+" "+args[0], cmd.Root().Name()+" ")]; instead != "" {
		return app.Usagef("there is no command %q any more: %s", args[0], instead)
	}
	text := fmt.Sprintf("there is no command %q", text.Label(args[0]))
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	} else if !cmd.HasParent() && strings.ContainsAny(args[0], " ?") {
		text = fmt.Sprintf("a topic needs a command: `%[1]s run TOPIC` debates it here, `%[1]s new TOPIC` opens the form for it",
			cmd.CommandPath())
	} else if !cmd.HasParent() && strings.ContainsAny(args[0], "0123456789") {
		text += "; to open a debate by its id: " + cmd.CommandPath() + " resume ID"
	}
	return app.Usagef("%s\nHelp: %s --help", text, cmd.CommandPath())
}

// argCount checks the number of arguments. Names lists them for the usage line.
func argCount(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		if names == "" {
			return app.Usagef("%s takes no arguments\nHelp: %s --help", cmd.CommandPath(), cmd.CommandPath())
		}
		return app.Usagef("usage: %s %s\nHelp: %s --help", cmd.CommandPath(), names, cmd.CommandPath())
	}
}

func group(use, short string, children ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: unknownCommand, SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(children...)
	return c
}

// plainOutput makes what a command prints plain, if the user wants lines. Files and pipes
// that programs read are left as they are, and a terminal that cannot move its cursor says
// nothing about them.
func plainOutput(a *app.App, cmd *cobra.Command) {
	if !a.ReadsLines() {
		return
	}
	everywhere := a.WantsLines() && !printsData(cmd)
	for _, stream := range []*io.Writer{&a.Stdout, &a.Stderr} {
		if everywhere || app.IsTerminal(*stream) {
			*stream = &linear.Writer{W: *stream}
		}
	}
}

// printsData reports whether programs read what a command prints.
func printsData(cmd *cobra.Command) bool {
	for flag, value := range map[string]string{"json": "true", "output": "-", "schema": "true"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Value.String() == value {
			return true
		}
	}
	for c := cmd; c.HasParent(); c = c.Parent() {
		switch c.Name() {
		case "man", "completion", "path", "mcp", app.AgentGuard, cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
			return true
		}
	}
	return false
}

func versionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: argCount(0, 0, ""),
		Example: "  roundtable version",
		Long:    "Print the version, which has the commit if it is no release, and how it was built.",
		RunE: func(*cobra.Command, []string) error {
			return a.Print("roundtable %s\n%s, %s/%s\n", app.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	}
}
