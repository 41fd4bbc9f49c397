package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
)

// runOptions are the options of a new debate. What is empty is taken from the
// configuration, then from the mode.
type runOptions struct {
	topic  string
	mode   string
	panel  string
	agents []string
	rounds int
	usd    float64 // 0: as configured
	tokens int     // 0: as configured

	question                        string   // kind of the question
	perspectives, options, criteria []string // lists that a mode assigns or compares, or to choose from

	goOn  bool     // after a round that only one seat answered
	files []string // evidence of a debate that the interface begins

	onConsensus bool // end when all agree
	convergence bool // end when no position moves in a round

	workspace     string // folder that agents may look at
	workspaceMode string
}

// checkFlags refuses values that no debate can have. Given reports whether a flag
// was on the command line.
func (o runOptions) checkFlags(given func(flag string) bool) error {
	switch {
	case given("rounds") && (o.rounds < 1 || o.rounds > debate.MaxRounds):
		return usagef("rounds must be 1-%d, not %d", debate.MaxRounds, o.rounds)
	case given("mode") && strings.TrimSpace(o.mode) == "":
		return usagef("--mode is empty; `roundtable modes` lists the modes")
	case given("agents") && strings.Trim(strings.Join(o.agents, ""), " ") == "":
		return usagef("--agents is empty; `roundtable agents` lists who can debate")
	case given("panel") && strings.TrimSpace(o.panel) == "":
		return usagef("--panel is empty; give a panel of the config, or %s", demoPanel)
	case given("workspace") && o.workspace == "":
		return usagef("--workspace is empty; give a folder, such as --workspace .")
	case given("options") && strings.Trim(strings.Join(o.options, ""), " ") == "":
		return usagef("--options is empty; give at least two, such as --options \"Postgres, SQLite\"")
	case given("question"):
		if _, err := debate.ParseQuestionKind(o.question); err != nil {
			return usagef("--question: %v", err)
		}
	}
	return nil
}

// demoOnly reports whether the options choose the demo's panel and nobody else.
func (o runOptions) demoOnly() bool { return o.panel == demoPanel && len(o.agents) == 0 }

// addFlags adds the flags of a new debate to a command.
func (o *runOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.mode, "mode", "", "mode of the debate; roundtable modes lists them")
	f.StringSliceVar(&o.agents, "agents", nil, "agents that debate, such as ada,brook,cy")
	f.StringVar(&o.panel, "panel", "", "panel of the config, or demo")
	f.IntVar(&o.rounds, "rounds", 0, "number of rounds")
	f.StringSliceVar(&o.perspectives, "perspectives", nil, "perspectives of the seats, in modes that assign them")
	f.StringVar(&o.question, "question", "", "kind of question: yes-no, choice, estimate or open (default: open)")
	f.StringSliceVar(&o.options, "options", nil, "options to choose from, such as \"Postgres, SQLite\"; makes it a choice")
	f.StringSliceVar(&o.criteria, "criteria", nil, "criteria to compare them by")
	f.BoolVar(&o.onConsensus, "on-consensus", false, "end early when all agree (endings.threshold in the config)")
	f.BoolVar(&o.convergence, "convergence", false, "end early when no position changes in a round")
	f.StringVar(&o.workspace, "workspace", "", "folder that agents may look at; they only read it")
	f.StringVar(&o.workspaceMode, "workspace-mode", "", "local, clone (each agent in a git clone of its own) or container")
	addBudgetFlags(f, &o.usd, &o.tokens, "debate")
}
