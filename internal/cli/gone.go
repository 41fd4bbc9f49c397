package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
)

// gone says what to use in place of a command ("import"), a flag ("--criteria"), one of a
// command ("eval --map"), or a value of a flag ("--format adr") that was taken away.
// The command of a flag of the root is "roundtable"; a shorthand ("-r") has two dashes too.
var gone = map[string]string{
	"diff":   "the head of a fork says what both debates came to; `roundtable show ID` prints it",
	"import": "an export cannot be read back; `roundtable sessions --copy FILE` copies the database, which --db FILE opens elsewhere",
	"track":  "`roundtable outcome ID right` says how a verdict turned out; `roundtable sessions` lists it",
	"join":   "questions that ask the same are one by themselves; answer each other one with `roundtable answer ID REQUEST`",
	"replay": "`roundtable show ID` prints what was said, asked and answered, in order",

	"config schema":        "the file that `roundtable config init` writes explains every key",
	`agents --check`:       "`roundtable doctor` asks every provider, and says which models it lacks",
	"roundtable --resume":  "`roundtable resume ID` opens a debate by its id",
	"roundtable --r":       "`roundtable resume ID` opens a debate by its id",
	"--criteria":           "name them in the topic",
	"--deltas":             "a statement is printed when it is whole",
	"--strict-tools":       "`roundtable tools list` says which tools cannot be offered, and a notice of the debate too",
	"--on-consensus":       "`--ends agreed` ends a debate in which all agree, blind",
	"--convergence":        "`--ends settled` ends a debate in which no side changes over two rounds",
	"outcome --look-again": "an outcome that is open stays open until you say another; --note keeps what you expect when",
	"--mode oxford":        "`--mode adversarial` has seats argue for and against",
	"--mode tradeoff":      "`--mode expert-panel` with --options weighs them from several perspectives",
	"--format adr":         "`roundtable export ID --brief` writes the decision on one page of Markdown",
	"export --status":      "an export says what the panel came to; to accept it is up to you",
	"man --dir":            "`roundtable man` prints one page with all commands",

	"eval --agents":      "an evaluation takes its seats from --panel",
	"eval --consistency": "an evaluation asks each seat once; --baseline names the one that the panel is compared with",
	"eval --csv":         "--json has every question with all its answers",
	"eval --estimate":    "what the questions can show is said before anything is sent; --budget bounds what it costs",
	"eval --map":         "name the columns input, target, choices and facts",
	"eval --name":        "an evaluation has the name of its file",
	"eval --rounds":      "`rounds` under [defaults] of the config sets it",
	"eval --seed":        "--limit takes the first questions; shuffle the file before",
}

// refuseGone refuses values that were taken away. Saved debates of a mode that is gone can be listed.
func refuseGone(cmd *cobra.Command) error {
	for _, name := range []string{"format", "mode"} {
		f := cmd.Flags().Lookup(name)
		if f == nil || cmd.Name() == "sessions" {
			continue
		}
		value := strings.ToLower(f.Value.String())
		if instead := gone["--"+name+" "+value]; instead != "" {
			return app.Usagef("there is no %s %q any more: %s", name, value, instead)
		}
	}
	return nil
}
