package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/internal/app"
	"roundtable/internal/text"
)

func manCommand(a *app.App) *cobra.Command {
	dir := ""
	c := &cobra.Command{
		Use: "man", Short: "Print the manual page, or write one for each command", Args: argCount(0, 0, ""),
		Long:    "Print the manual page in roff, as man reads it. With --dir, write the pages of all commands into a folder.",
		Example: "  roundtable man | man -l -\n  roundtable man --dir ~/.local/share/man/man1",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("dir") {
				return writeManPages(a, cmd.Root(), dir)
			}
			return a.Write(manPage(cmd.Root()))
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "folder for the pages roundtable.1, roundtable-run.1 and so on; it must exist")
	return c
}

// writeManPages writes the page of each command into a folder.
func writeManPages(a *app.App, root *cobra.Command, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return app.Usagef("--dir: there is no folder %s", text.Label(dir))
	}
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if !c.Hidden && c.Name() != "help" {
			all = append(all, c)
		}
	}
	for _, c := range all {
		if err := os.WriteFile(filepath.Join(dir, manName(c)+".1"), []byte(manPage(c)), 0o644); err != nil {
			return fmt.Errorf("write the manual: %w", err)
		}
	}
	return a.Print("Wrote %s to %s.\n", text.Count(len(all), "page"), text.Line(dir))
}

func manName(c *cobra.Command) string {
	if c.HasParent() {
		return manName(c.Parent()) + "-" + c.Name()
	}
	return c.Name()
}

// manPage returns the page of a command in roff. It has no date, so that the same version
// gives the same bytes.
func manPage(c *cobra.Command) string {
	d := roff.NewDocument()
	d.Heading(1, manName(c), c.Short, time.Time{})
	d.Section("Name")
	d.Text(manName(c) + " - " + c.Short)
	d.Section("Synopsis")
	d.TextBold(c.UseLine())
	d.Section("Description")
	d.Text(cmp.Or(c.Long, c.Short))
	if c.HasAvailableFlags() {
		d.Section("Options")
		add := func(f *pflag.Flag) {
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if f.Hidden {
				return
			}
			d.TaggedParagraph(-1)
			d.TextBold(name)
			d.EndSection()
			d.Text(f.Usage)
		}
		c.LocalFlags().VisitAll(add)
		c.InheritedFlags().VisitAll(add)
	}
	if c.HasAvailableSubCommands() {
		d.Section("Commands")
		for _, child := range c.Commands() {
			if child.Hidden {
				continue
			}
			d.TaggedParagraph(-1)
			d.TextBold(child.Use)
			d.EndSection()
			d.Text(child.Short)
		}
	}
	if c.Example != "" {
		d.Section("Examples")
		d.Text(c.Example)
	}
	return strings.Replace(d.String(), ` "0001-01-01" `, ` "" `, 1)
}
