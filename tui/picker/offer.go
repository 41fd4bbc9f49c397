package picker

import (
	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)


// Offer is all that a new debate can be made of, as found in the configuration,
// the environment and on this machine.
type Offer struct {
	Seats   []SeatOffer
	Modes   []debate.Mode
	Faults  []string // of mode files that were left out, a line each
	Mode    string   // chosen at first; "" takes the first one
	Rounds  int      // as configured; 0 takes the mode's own
	Chair   *agents.Profile
	Light   *agents.Profile
	Endings debate.EndConditions
	Budget  debate.Budget
	Caps    ledger.Caps
	Fit     debate.FitOptions
	Sources string // where models were found, such as "ollama, 2 keys"

	// FirstStart says that no model was found. Found tells where was looked, and
	// Demo is the session that needs none.
	FirstStart bool
	Found      []Finding
	Demo       debate.Session
}

// SeatOffer is a speaker that may take a seat.
type SeatOffer struct {
	Profile agents.Profile
	Chosen  bool
	Problem string // why it cannot, and what to do; "" when it can
	Local   bool   // it runs on this machine
	Company string // who receives what it is sent, such as "OpenAI"
}

// Finding is one place where models were looked for.
type Finding struct {
	What   string
	Result string
	OK     bool
}

// Ready counts the speakers that can take a seat.
func (o Offer) Ready() int {
	n := 0
	for _, s := range o.Seats {
		if s.Problem == "" {
			n++
		}
	}
	return n
}
