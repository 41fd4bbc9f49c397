package setup

import (
	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Options is what a new debate can be made of, as found in the configuration, the
// environment and on this machine.
type Options struct {
	Seats    []SeatOption
	Modes    []debate.Mode
	Faults   []string            // errors of mode files that were skipped, one line each
	Mode     string              // the selected mode; "" for the first one
	Question debate.QuestionKind // the selected kind; QuestionUnset for that of the mode
	Rounds   int                 // the configured number; 0 for the default of the mode
	Panel    string              // what Seats are called; "" if they are no named panel
	Panels   []PanelOption       // that can be chosen instead
	Chair    *agents.Profile
	Light    *agents.Profile
	Endings  debate.EndConditions
	Budget   debate.Budget
	Caps     ledger.Caps
	Fit      debate.FitOptions

	Workspace debate.Workspace // that agents may look at; the zero value if none is named
	Sources   string           // where models were found, such as "ollama, 2 keys"

	// FirstStart says that no model was found. Found lists where models were searched
	// for, and Demo is a session that needs none.
	FirstStart bool
	Found      []Finding
	Demo       debate.Session
}

// SeatOption is an agent that may take a seat.
type SeatOption struct {
	Profile agents.Profile
	Chosen  bool
	Problem string // why it cannot take a seat, and what to do; "" if it can
	Local   bool   // the model runs on this machine
	Company string // who receives the prompts, such as "OpenAI"
	Asks    string // what is set so that a program asks before it acts; "" for a model
}

// Finding is a place where models were searched for.
type Finding struct {
	What   string
	Result string
	OK     bool
}

// Ready returns the number of agents that can take a seat.
func (o Options) Ready() int {
	n := 0
	for _, s := range o.Seats {
		if s.Problem == "" {
			n++
		}
	}
	return n
}
