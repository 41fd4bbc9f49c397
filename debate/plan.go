package debate

import "roundtable/debate/ledger"

// Plan is what is asked for when a debate begins: by flags, a form or a client. What is
// empty is taken from the configuration, then from the mode.
type Plan struct {
	Topic  string
	Author ledger.Author // of the topic
	Mode   string
	Panel  string
	Agents []string
	Rounds int
	USD    float64 // 0: as configured
	Tokens int     // 0: as configured

	Question                        string   // kind of the question
	Perspectives, Options, Criteria []string // lists that a mode assigns or compares, or to choose from

	NoQuestions bool // nobody is there to answer, so that the seats cannot ask
	OnConsensus bool // end when all agree
	Convergence bool // end when no position moves in a round

	Workspace     string // folder that agents may look at
	WorkspaceMode string
}
