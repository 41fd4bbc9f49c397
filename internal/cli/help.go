package cli

import (
	"cmp"
	"context"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/internal/app"
	"roundtable/internal/linear"
	"roundtable/internal/text"
)

// printHelp runs the program again to print the help of a command with fang. Other output
// avoids fang, which queries the terminal for its colors, even after an error.
func printHelp(ctx context.Context, a *app.App, path []string) error {
	root := root(a)
	root.SetArgs(append(path, "--help"))
	c, _, err := root.Find(path)
	if err != nil {
		return err
	}
	inherited := c.InheritedFlags()
	inherited.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	if inherited.HasFlags() {
		c.Long = cmp.Or(c.Long, c.Short+".") + "\n\n`roundtable --help` lists the flags of all commands."
	}
	if a.ReadsLines() && (app.IsTerminal(a.Stdout) || a.WantsLines()) {
		a.Stdout = &linear.Writer{W: a.Stdout}
		root.SetOut(a.Stdout)
		return root.ExecuteContext(ctx)
	}
	layOut(c, app.Columns(a.Stdout))
	return fang.Execute(ctx, root, fang.WithoutManpage(), fang.WithVersion(app.Version()))
}

// Of fang's help.
const (
	helpColumns = 120 // at most, and where there is no terminal
	helpIndent  = 4   // of flags and commands
	helpGap     = 2   // between a name and its description
)

// layOut names the values of flags and breaks descriptions, which fang does not; 0 columns: no terminal.
func layOut(c *cobra.Command, columns int) {
	if columns <= 0 || columns > helpColumns {
		columns = helpColumns
	}
	longest := 0
	var named []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		v, ok := f.Value.(namedValue)
		if ok && !f.Hidden {
			shown := *f
			if shown.Name += " " + v.name; f.Shorthand != "" { // two flags cannot have one
				shown.Name, shown.Shorthand = shown.Name+", -"+f.Shorthand, ""
			}
			named, f.Hidden = append(named, &shown), true
		}
	})
	for _, f := range named {
		c.Flags().AddFlag(f)
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if prefix := "--"; !f.Hidden {
			if f.Shorthand != "" {
				prefix = "-r --"
			}
			longest = max(longest, len(prefix)+len(f.Name))
		}
	})
	for _, child := range c.Commands() {
		longest = max(longest, len(child.Use)+len(" [--flags]"))
	}
	room := max(columns-helpIndent-longest-helpGap, 20)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = text.Wrap(f.Usage, room) })
	for _, child := range c.Commands() {
		child.Short = text.Wrap(child.Short, room)
	}
}
