package debate

import "roundtable/agents"

// Verdict is what a chair wrote of a debate, or why nobody did. What the debate comes to is
// counted whenever it is read, see verdict.Count.
type Verdict struct {
	Chair         agents.ID         `json:"chair,omitempty"` // "": there is no report
	ChairName     string            `json:"chair_name,omitempty"`
	ChairModel    string            `json:"chair_model,omitempty"`
	ChairIsMember bool              `json:"chair_is_member,omitempty"`
	Text          string            `json:"text"`                  // the report, in Markdown
	Round         int               `json:"round,omitempty"`       // the last one before it
	Cause         string            `json:"cause,omitempty"`       // why there is no report
	OverBudget    bool              `json:"over_budget,omitempty"` // Cause is that the budget did not allow a chair's call
	Pick          *Pick             `json:"pick,omitempty"`        // the strongest single answer; nil: the chair named none
	Cut           *agents.PromptCut `json:"report_cut,omitempty"`  // the chair read its prompt only in part; nil: it did not
	Notes         []string          `json:"notes,omitempty"`       // about the report, in sentences
}

// Pick is the strongest single answer of a debate, beside the report that blends them all.
type Pick struct {
	Agent  agents.ID `json:"agent"`
	Reason string    `json:"reason,omitempty"`
}

// MissingResponse is a seat without a statement in a round.
type MissingResponse struct {
	Agent agents.ID `json:"agent"`
	Name  string    `json:"name"`
	Round int       `json:"round"`
	Cause string    `json:"cause"`
}
