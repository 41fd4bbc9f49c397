package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
)

func addYesFlag(c *cobra.Command, yes *bool) {
	c.Flags().BoolVarP(yes, "yes", "y", false, "do not ask; needed where nobody can be asked, as in a script")
}

// confirm asks a question on the terminal and reports whether the answer is yes. With yes
// it asks nothing. It is an error if there is no terminal to ask on.
func confirm(ctx context.Context, a *app.App, yes bool, question string) (bool, error) {
	if yes {
		return true, nil
	}
	if !app.IsTerminal(a.Stdin) || !app.IsTerminal(a.Stderr) {
		return false, app.Usagef("%s Nobody can be asked here, so nothing was changed; --yes says yes", question)
	}
	fmt.Fprintf(a.Stderr, "%s [y/N] ", question) //nolint:errcheck // without the question nothing is answered
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n') // an input that ends is no yes
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case line := <-answer:
		if slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))) {
			return true, nil
		}
	}
	return false, a.Print("Nothing was changed.\n")
}
