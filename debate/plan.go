package debate

import (
	"roundtable/agents"
	"roundtable/debate/ledger"
)

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

	Question              string   // kind of the question
	Unit                  string   // of an estimate, which it makes the question; NoUnit for a bare count
	Perspectives, Options []string // lists that a mode assigns, or to choose from

	NoQuestions bool // nobody is there to answer, so that the seats cannot ask
	Ends        Ends // before the planned rounds; "" as configured, then as the mode says

	Workspace     string // folder that agents may look at
	WorkspaceMode string
}

// Chooses reports whether the plan says who debates, or how.
func (p Plan) Chooses() bool {
	lists := len(p.Agents) + len(p.Perspectives) + len(p.Options)
	return p.Mode+p.Panel+p.Question+p.Unit != "" || lists+p.Rounds+p.Tokens > 0 || p.USD > 0 || p.NoQuestions || p.Ends != ""
}

// Choice is what a person chose for a debate besides its topic and what belongs to that.
type Choice struct {
	Seats        []agents.Profile
	Chair, Light *agents.Profile
	Mode         string
	Rounds       int
	Budget       Budget
	Ends         Ends
}
