// Package prompt assembles what is sent to models: the prompts of members, chair,
// analysis and summaries, what a speaker may see of the others, and what is
// shortened so that it fits.
//
// Everything here is a pure function of a session or a Snapshot: the same
// snapshot gives the same bytes. It imports debate, debate/verdict,
// debate/ledger, agents and internal/text, and calls no model.
package prompt

import (
	"roundtable/agents"
	"roundtable/debate"
)

// Version is increased with every change of what models are sent for the same session. A
// turn is stored with the version that it was asked with.
const Version = 2

// Prompt is what a speaker is sent, in parts. The parts of User are joined into one
// message, as strict chat templates require roles to alternate.
type Prompt struct {
	System string
	User   []debate.Part
}

// Messages returns the prompt as it is sent.
func (p Prompt) Messages() []agents.Message {
	rules := []agents.Part{{Title: "rules", Text: p.System}}
	return []agents.Message{
		{Role: agents.System, Text: p.System, Parts: rules},
		{Role: agents.User, Text: agents.JoinParts(p.User), Parts: p.User},
	}
}
