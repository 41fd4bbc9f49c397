package cli

import (
	"context"

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
	if !a.CanAsk() {
		return false, app.Usagef("%s Nobody can be asked here, so nothing was changed; --yes says yes", question)
	}
	agreed, err := a.Agree(ctx, question)
	if err != nil || agreed {
		return agreed, err
	}
	return false, a.Print("Nothing was changed.\n")
}
