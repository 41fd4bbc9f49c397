package cli

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"roundtable/internal/config"
	"roundtable/internal/linear"
)

// readsLines reports whether the user wants everything line by line: by the flag, the
// configuration, or a terminal that cannot move its cursor. Faults of the configuration
// are told by the commands that need it.
func readsLines(a *app) bool {
	return wantsLines(a) || environ(a.Env).dumb()
}

// wantsLines reports whether the user has asked for lines, whatever the terminal can do.
func wantsLines(a *app) bool {
	if a.linear {
		return true
	}
	path, _, err := a.configPath()
	if err != nil {
		return false
	}
	cfg, err := config.Load(path)
	return err == nil && cfg.UI.Linear
}

// plainOutput makes what a command prints plain, if the user wants lines. Files and pipes
// that programs read are left as they are, and a terminal that cannot move its cursor says
// nothing about them.
func plainOutput(a *app, cmd *cobra.Command) {
	if !readsLines(a) {
		return
	}
	everywhere := wantsLines(a) && !printsData(cmd)
	for _, stream := range []*io.Writer{&a.Stdout, &a.Stderr} {
		if everywhere || isTerminal(*stream) {
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
		case "man", "completion", "path", "mcp", agentTools, cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
			return true
		}
	}
	return false
}

// fileOf returns the file that a stream reads or writes, filtered or not.
func fileOf(stream any) (*os.File, bool) {
	if plain, ok := stream.(*linear.Writer); ok {
		stream = plain.W
	}
	file, ok := stream.(*os.File)
	return file, ok
}
